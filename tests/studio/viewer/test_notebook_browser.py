"""A real notebook: nbclient runs it, a browser shows its widget, and what both say goes through the kernel's own sockets.

The page of this test stands for JupyterLab: it gives the widget anywidget's model, and hands messages on.
"""

import ast
import asyncio
import json
import time
from contextlib import contextmanager, suppress
from queue import Empty
from threading import Event, Thread

import numpy as np
import pytest
from later import later
from patience import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

nbformat, nbclient, jupyter_client = (later(each) for each in ("nbformat", "nbclient", "jupyter_client"))
jupyter = later("jupyter_core.utils")

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def page(page_of_its_own):
    """Of one test: it has a socket to a kernel of its own."""
    return page_of_its_own


CELLS = [
    """
import numpy as np
import steersman as sm

rng = np.random.default_rng(2)
boids = sm.Vehicles(position=rng.uniform(0, 60, (150, 2)), max_speed=9, max_force=25)
world = sm.World(domain=sm.Torus([60, 60]), seed=2)
world.add(boids, name="boids", steering=1.5 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + sm.Alignment(radius=9))
""",
    "view = world.view()\nview",
    "world",
]

PAGE = """
<!doctype html><html><head><title>Notebook</title><link rel="icon" href="data:,"><style>
  canvas, button, header { display: none !important; }
  body { color: rgb(20, 20, 20); }
</style></head><body>
<h1 id="title">Mine</h1><div id="panel"><details class="section"><summary>Mine, too</summary></details></div>
<div id="one"></div><div id="two"></div>
<script>
window.begin = async (state, first, address) => {
  const heard = new Map();
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  await new Promise((done) => socket.addEventListener("open", done));
  const listeners = new Set();
  let content = null;
  socket.addEventListener("message", ({ data }) => {
    if (window.gone) return;
    if (typeof data === "string") content = JSON.parse(data);
    if (typeof data === "string" && content.buffers) return;
    // As Jupyter does, which cuts a message into parts: a view of what is larger.
    if (window.lose > 0) return void (window.lose -= 1);
    const all = typeof data === "string" ? null : new Uint8Array([1, 2, 3, ...new Uint8Array(data)]);
    listeners.forEach((each) => each(content.content, all ? [new DataView(all.buffer, 3)] : []));
  });
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const traits = { ...state, first: first.map((each) => (each.f64 ? bytes(each.f64) : each)) };
  const model = {
    get: (name) => traits[name],
    set() {}, save_changes() {},
    on: (event, listener) => event === "msg:custom" && listeners.add(listener),
    off: (event, listener) => listeners.delete(listener),
    send: (message) => !window.gone && socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
  };
  const { default: widget } = await import(URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" })));
  window.render = async (id) => {
    const el = document.createElement("div"); // JupyterLab puts it into its page later.
    const end = await widget.render({ model, el });
    document.getElementById(id).append(el);
    window.steersman = el.firstElementChild.steersman;
    return () => { end(); el.remove(); };
  };
};
</script></body></html>
"""


class Notebook:
    """A notebook that has been run, whose kernel goes on."""

    def __init__(self):
        self.document = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code.strip()) for code in CELLS])
        self.client = nbclient.NotebookClient(self.document, kernel_name="python3", timeout=PATIENCE)
        self._loop = asyncio.new_event_loop()  # Playwright has one in this thread.
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._do(self._start()).result(timeout=PATIENCE)

    def _do(self, story):
        return asyncio.run_coroutine_threadsafe(story, self._loop)

    async def _start(self):
        self.client.create_kernel_manager()
        await self.client.async_start_new_kernel()
        await self.client.async_start_new_kernel_client()
        for number, cell in enumerate(self.document.cells):
            await self.client.async_execute_cell(cell, number)

    def end(self):
        async def end():
            self.client.kc.stop_channels()
            await self.client.km.shutdown_kernel(now=True)
            self.client.km.context.destroy()

        self._do(end()).result(timeout=PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    def run(self, code):
        """Run one more cell; what is returned has it when it is done."""
        cell = nbformat.v4.new_code_cell(code)
        self.document.cells.append(cell)
        return self._do(self.client.async_execute_cell(cell, len(self.document.cells) - 1))

    def ask(self, code):
        """The value of something in the kernel."""
        outputs = self.run(code).result(timeout=PATIENCE).outputs
        (output,) = [each for each in outputs if each["output_type"] == "execute_result"]
        return ast.literal_eval(output["data"]["text/plain"])

    def until(self, code, seconds=PATIENCE):
        """Wait until something is true in the kernel."""
        end = time.monotonic() + seconds
        while not self.ask(f"bool({code})"):
            assert time.monotonic() < end, f"{code} never came to be"

    @contextmanager
    def frontend(self):
        """The address of a socket that stands for a notebook's server."""
        over = Event()

        def handle(socket):
            kernel = jupyter_client.BlockingKernelClient(connection_file=self.client.km.connection_file)
            kernel.load_connection_file()
            kernel.start_channels(hb=False, stdin=False)
            self._listen(kernel)
            with suppress(ConnectionClosed):
                self._between(socket, kernel, over)
            kernel.stop_channels()
            kernel.context.destroy()
            jupyter.ensure_event_loop().close()

        with serve(handle, "127.0.0.1", 0, max_size=None) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
            finally:
                over.set()
                server.shutdown()

    @staticmethod
    def _listen(kernel):
        """Wait until what the kernel says is heard.

        `wait_for_ready` waits until the kernel says nothing for a while, which a test that asks it again and again prevents.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            kernel.kernel_info()
            with suppress(Empty):
                return kernel.get_iopub_msg(timeout=0.2)
        raise TimeoutError("the kernel is not heard")

    def _between(self, socket, kernel, over):
        """Hand on what a page and the kernel say, as JupyterLab's server does: widgets have a subshell of their own."""
        kernel.control_channel.send(kernel.session.msg("create_subshell_request"))
        subshell = kernel.get_control_msg(timeout=PATIENCE)["content"]["subshell_id"]
        comm = self.model_id()
        while not over.is_set():
            with suppress(TimeoutError):
                said = json.loads(socket.recv(timeout=0.003))
                message = kernel.session.msg(
                    "comm_msg", {"comm_id": comm, "data": {"method": "custom", "content": said}}
                )
                message["header"]["subshell_id"] = subshell
                kernel.shell_channel.send(message)
            with suppress(Empty):
                while True:
                    told = kernel.get_iopub_msg(timeout=0.003)
                    content = told["content"]
                    if told["msg_type"] == "comm_msg" and content["comm_id"] == comm:
                        buffers = told["buffers"]
                        socket.send(json.dumps({"content": content["data"]["content"], "buffers": len(buffers)}))
                        for each in buffers:
                            socket.send(bytes(each))

    def model_id(self):
        return self.document.cells[1].outputs[0]["data"][WIDGET]["model_id"]

    def state(self):
        """The traits of the widget, and of `first` the texts and bytes."""
        state = self.client.widget_state[self.model_id()]
        first = list(state["first"])
        for buffer in self.client.widget_buffers[self.model_id()].values():
            first[buffer["path"][1]] = {"f64": buffer["data"]}
        return {"_esm": state["_esm"]}, first


@pytest.fixture(scope="module")
def notebook():
    made = Notebook()
    yield made
    made.end()


@contextmanager
def opened(page, notebook):
    """A page with the widget in it."""
    others = set(notebook.ask("list(view._cells)"))  # Left behind by a test that failed.
    with notebook.frontend() as address:
        page.page.set_content(PAGE)
        page.page.evaluate("(about) => window.begin(...about)", [*notebook.state(), address])
        page.page.evaluate("async () => { window.ends = [await window.render('one')]; }")
        yield
        page.page.evaluate("() => window.ends.forEach((end) => end())")
        notebook.until(
            f"not {{*view._cells}} - {others} or view.comm is None"
        )  # What the page says last is heard before its socket goes.


def test_a_notebook_runs_and_has_a_widget_and_a_picture(notebook):
    for cell in notebook.document.cells:
        assert not any(output["output_type"] in ("error", "stream") for output in cell.outputs)
    (widget,), (picture,) = (notebook.document.cells[k].outputs for k in (1, 2))
    assert WIDGET in widget["data"]
    assert "image/png" in widget["data"]
    assert "image/png" in picture["data"]
    nbformat.validate(notebook.document)


def test_the_kernel_s_simulation_is_seen_and_steered(page, notebook):
    with opened(page, notebook):
        page.until("stage.after && stage.painted > 1 && !stage.dirty")
        still = page.picture()
        assert np.count_nonzero(np.ptp(still, axis=2) > 0.3) > 500
        assert notebook.ask("world.steps") == 0
        page.page.click("button.play")
        notebook.until("world.time > 1")
        page.page.click("button.play")
        notebook.until("not view._simulation.playing")
        page.until(f"stage.after?.steps === {notebook.ask('world.steps')} && stage.part === 1 && !stage.dirty")
        assert np.count_nonzero(np.abs(page.picture() - still).max(axis=2) > 0.05) > 500
        seen = page.stage("[...stage.after.populations.boids.position]")
        np.testing.assert_allclose(np.reshape(seen, (-1, 2)), notebook.ask("boids.position.tolist()"), rtol=1e-5)

        page.page.click("summary:has-text('Steering')")
        page.page.locator('[data-label="Separation"] summary').click()
        row = page.page.locator('[data-label="Separation"] [data-parameter="radius"]')
        row.locator('input[type="range"]').fill("3")
        notebook.until("world.populations['boids'].node('Separation').behavior.radius == 3")
        row.locator('input[type="text"]').fill("-2")
        row.locator('input[type="text"]').press("Enter")
        row.locator(".wrong").wait_for(state="visible")
        assert "radius must be" in row.locator(".wrong").text_content()


RUNNING = """
import pathlib, time
for k in range(60):
    world.run(seconds=0.1)
    time.sleep(0.05)
    while k == 40 and not pathlib.Path({seen!r}).exists():
        time.sleep(0.01)
"""
"""A cell that runs at least until a file says that it was seen."""


def test_a_cell_that_runs_is_seen(page, notebook, tmp_path):
    with opened(page, notebook):
        page.until("stage.after")
        begun = notebook.ask("world.time")
        running = notebook.run(RUNNING.format(seen=str(tmp_path / "seen")))
        # More than may be on the way: the page has been heard meanwhile.
        page.until(f"stage.after?.time > {begun} + 3")
        assert not running.done()
        (tmp_path / "seen").touch()
        running.result(timeout=PATIENCE)
        page.until(f"stage.after?.time > {begun} + 5.9")


def test_several_views_of_one_widget_and_the_end_of_the_last(page, notebook):
    with opened(page, notebook):
        page.until("stage.after")
        page.page.evaluate(
            "async () => { window.one = window.steersman; window.ends.push(await window.render('two')); }"
        )
        page.until("stage.after && stage !== window.one")
        steps = notebook.ask("world.steps") + 1
        page.page.locator("#two").get_by_role("button", name="Step", exact=True).click()
        page.until(f"stage.after?.steps === {steps} && window.one.after?.steps === {steps}")
        page.page.locator("#two button.play").click()
        page.page.wait_for_function("() => document.querySelector('#one .steersman').shadowRoot"
                                    ".querySelector('button.play').textContent === 'Pause'")  # fmt: skip
        page.page.evaluate("() => window.ends.pop()()")
        assert page.page.locator("#two *").count() == 0
        page.until(f"window.one.after?.steps > {steps} + 10")
        assert notebook.ask("view._simulation.playing")
        # The page goes, when it hears and says nothing any more, and comes back.
        page.page.evaluate("() => { dispatchEvent(new Event('pagehide')); window.gone = true; }")
        notebook.until("not view._simulation.playing and not view._cells")
        steps = notebook.ask("world.steps") + 1
        page.page.evaluate("window.gone = false")
        page.page.locator("#one").get_by_role("button", name="Step", exact=True).click()
        page.until(f"window.one.after?.steps === {steps}")
        page.page.evaluate("() => window.ends.pop()()")
        notebook.until("not view._simulation.playing and not view._cells")


def test_what_is_lost_on_the_way_is_noticed(page, notebook):
    with opened(page, notebook):
        page.until("stage.after")
        cells = set(notebook.ask("list(view._cells)"))
        steps = notebook.ask("world.steps")
        page.page.evaluate("document.querySelector('.steersman').shadowRoot.querySelector('#layer-velocity').click()")
        page.page.evaluate("window.lose = 2")
        for number in (1, 2):
            page.page.get_by_role("button", name="Step", exact=True).click()
            notebook.until(f"world.steps == {steps} + {number}")
        page.until(f"stage.after?.steps === {steps} + 2 && window.lose === 0")
        notebook.until(f"len(view._cells) == 1 and not {cells} & {{*view._cells}}")
        page.page.get_by_role("button", name="Step", exact=True).click()
        notebook.until(f"world.steps == {steps} + 3")
        assert notebook.ask("view._simulation.subscriptions.velocity")  # It is wanted still.


def test_the_notebook_and_the_widget_leave_each_other_alone(page, notebook):
    page.page.set_content(PAGE)
    looks = """() => ['#title', '#panel', 'details', 'body'].map((each) => {
        const it = getComputedStyle(document.querySelector(each));
        return [it.font, it.color, it.borderBottom, it.backgroundColor, it.width];
    })"""
    before = page.page.evaluate(looks)
    with opened(page, notebook):
        page.until("stage.after && stage.painted > 1")
        assert page.page.evaluate(looks) == before
        assert page.page.title() == "Notebook"
        assert page.page.locator("body > #title").text_content() == "Mine"
        assert page.page.locator("body > #panel details").count() == 1
        assert page.page.locator("#one canvas#canvas").is_visible()  # The notebook's own style hides canvases.

        page.page.evaluate(
            "window.pressed = []; addEventListener('keydown', (event) => window.pressed.push(event.key))"
        )
        steps = notebook.ask("world.steps")
        page.page.keyboard.press("ArrowRight")  # Typed into the notebook.
        page.page.locator("#one canvas#canvas").click(position={"x": 5, "y": 5})
        page.page.keyboard.press("ArrowRight")
        notebook.until(f"world.steps == {steps} + 1")
        assert page.page.evaluate("window.pressed") == ["ArrowRight"]

        assert page.stage("stage.painter.dark") is False
        page.page.evaluate("document.body.style.color = '#eee'")
        page.until("stage.painter.dark")
        paper = "getComputedStyle(stage.canvas.getRootNode().querySelector('header')).color"
        assert page.stage(paper) == "rgb(230, 228, 222)"
        page.page.evaluate("document.body.style.color = ''")
        page.until("!stage.painter.dark")
        assert page.stage(paper) == "rgb(43, 45, 51)"


def test_a_cell_that_is_run_again_ends_what_was_shown(page, notebook):
    with opened(page, notebook):
        page.until("stage.after")
        assert notebook.ask("len(world.observers)") == 1
        notebook.run("again = world.view()").result(timeout=PATIENCE)
        assert notebook.ask("(view.comm is None, len(world.observers))") == (True, 1)
        assert (
            notebook.ask("[each.name for each in __import__('threading').enumerate()].count('steersman notebook')") == 1
        )
        notebook.run("again.close()").result(timeout=PATIENCE)
        assert notebook.ask("len(world.observers)") == 0
