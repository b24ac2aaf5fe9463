"""The widget without a browser: what is on the way to a cell is bounded, and closing it ends everything."""

import base64
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from weakref import ref

import pytest
from later import later
from patience import PATIENCE

import steersman as sm
from steersman.studio.viewer import view
from steersman.studio.viewer.page_files import cell_script
from steersman.studio.viewer.simulation import Simulation

IPython, notebook = later("IPython"), later("steersman.studio.viewer.notebook")

PLAY = {"view": "a", "do": "play"}


def small():
    world = sm.World(domain=sm.Box([100, 100]))
    world.add(sm.Vehicles([[20, 20], [70, 60]], max_speed=5), name="a", steering=2 * sm.Wander() + sm.Seek([50, 50]))
    return world


def wait(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.005)


class Kernel:
    """A widget, and what it sends, which goes nowhere."""

    def __init__(self, world, **about):
        self.simulation = Simulation(world, **about)
        self.widget = notebook.NotebookView(self.simulation)
        self.sent = []
        self.widget.send = lambda content, buffers=None: self.sent.append((content, buffers))
        self.simulation.start()

    def hear(self, name, got=None, **message):
        """A cell says something; as usual, that it has shown all it was sent."""
        self.widget._handle_custom_msg({"view": name, "got": self.number(name) if got is None else got, **message}, [])

    def to(self, name):
        return [(content, buffers) for content, buffers in self.sent if content["view"] == name]

    def number(self, name):
        return self.to(name)[-1][0]["number"] if self.to(name) else 0

    def until(self, name, words):
        """Show everything, until some words came."""
        wait(lambda: self.hear(name) or any(words in content.get("text", "") for content, _ in self.to(name)))

    def quiet(self, name):
        """Wait until nothing more is sent while nobody says anything."""
        wait(lambda: not self.widget._cells[name].ready)
        return len(self.to(name))


@pytest.fixture
def kernel():
    made = []

    def make(world, **about):
        made.append(Kernel(world, **about))
        return made[-1]

    yield make
    for each in made:
        each.widget.close()


def test_a_cell_that_shows_nothing_gets_little_and_holds_nothing_up(kernel):
    world = small()
    it = kernel(world)
    it.hear("a", do="speed", value="max")
    it.hear("a", 0, do="play")
    wait(lambda: it.simulation.frames > 3 * notebook.AHEAD)
    assert len(it.to("a")) == notebook.AHEAD
    assert len(it.widget._cells["a"].waiting) <= 10
    started = world.steps
    wait(lambda: world.steps > started + 300)
    assert len(it.to("a")) == notebook.AHEAD


def test_what_waits_is_the_newest_and_comes_once_there_is_room(kernel):
    world = small()
    it = kernel(world)
    it.hear("a", 0, do="play")
    wait(lambda: it.simulation.frames > 30)
    it.hear("a", 0, do="pause")
    wait(lambda: '"playing":false' in it.simulation.sent["state"])  # The last that is said of a pause.
    steps = world.steps
    before = len(it.to("a"))
    while it.number("a") != it.quiet("a") or it.widget._cells["a"].waiting:
        it.hear("a")
    assert [content["number"] for content, _ in it.to("a")] == list(range(1, len(it.to("a")) + 1))
    frames = [buffers[0] for _, buffers in it.to("a")[before:] if buffers]
    frame, track = sorted(frames, key=lambda each: b'"track"' in each[:20])  # The newest, and all steps before it.
    assert b'"track"' in track[:20]
    assert b'"steps": %d' % steps in frame.replace(b'"steps":', b'"steps": ')


def test_a_cell_that_keeps_up_sees_every_frame(kernel):
    it = kernel(small())
    it.hear("a", do="hello")

    def seen():
        return sum(b'"track"' not in buffers[0][:20] for _, buffers in it.to("a") if buffers)

    while it.number("a") != it.quiet("a") or it.widget._cells["a"].waiting:
        it.hear("a")
    began = seen()
    for number in range(1, 21):
        with it.simulation.world.between_steps():
            it.simulation.publish()
        wait(lambda number=number: seen() == began + number)
        it.hear("a")


def test_few_large_messages_are_on_the_way(kernel):
    it = kernel(small())
    it.hear("a", do="hello")
    it.quiet("a")
    it.hear("a")
    before = len(it.to("a"))
    for number in range(20):
        it.widget._tell(f"large {number}", bytes(notebook.HEAVY // 2))
    it.quiet("a")
    assert len(it.to("a")) == before + 2


def test_several_cells_are_told_each_at_its_pace(kernel):
    it = kernel(small())
    it.hear("a", do="hello")
    it.hear("b", do="hello")
    assert {"scene", "trees", "state", "frame"} <= {*it.simulation.sent}
    it.quiet("a"), it.quiet("b")
    wait(lambda: it.number("a") == it.number("b") == len(it.simulation.sent))
    for number in range(3 * notebook.AHEAD):
        it.hear("b", do="step", re=number)
        it.until("b", f'"re": {number},')
    assert it.quiet("a") == notebook.AHEAD
    assert it.quiet("b") > 3 * notebook.AHEAD
    assert not any('"re":' in content.get("text", "") for content, _ in it.to("a"))


def test_what_was_lost_is_noticed_when_a_cell_is_used(kernel, monkeypatch):
    it = kernel(small())
    it.hear("a", do="hello")
    for _ in range(notebook.AHEAD):
        it.hear("a", 0, do="step")
    wait(lambda: it.quiet("a") == notebook.AHEAD)  # The simulation may still be at the first steps.
    lost = notebook.AHEAD
    it.hear("a", 0)  # Saying nothing new is no use of it.
    assert it.quiet("a") == notebook.AHEAD
    monkeypatch.setattr(notebook, "LATE", 0.0)
    it.hear("a", 0, do="step")
    wait(lambda: it.number("a") > lost)  # A number is missing there, so it says hello anew.


def test_pages_that_never_said_goodbye_are_forgotten(kernel):
    it = kernel(small())
    for number in range(notebook.CELLS + 9):
        it.hear(f"page {number}", do="hello")
    assert len(it.widget._cells) == notebook.CELLS
    assert f"page {notebook.CELLS + 8}" in it.widget._cells
    assert "page 0" not in it.widget._cells
    it.hear("page 0", do="step")  # It was there all the while.
    assert "page 0" in it.widget._cells


def test_when_the_last_cell_goes_the_simulation_stands_still(kernel, monkeypatch):
    world = small()
    it = kernel(world, playing=True)
    for name in "abc":
        it.hear(name, do="hello")
    it.hear("a", do="bye")
    wait(lambda: world.steps > 10)
    assert it.simulation.playing
    it.hear("b", do="bye")
    it.hear("c", 0, do="speed", value=1)
    wait(lambda: len(it.to("c")) >= notebook.AHEAD)
    it.hear("d", do="hello")
    monkeypatch.setattr(notebook, "ASLEEP", 0.0)  # A page that was loaded anew: c never says goodbye.
    it.hear("d", do="bye")
    wait(lambda: not it.simulation.playing)
    assert it.widget._cells.keys() == {"c"}


def test_garbage_is_refused_and_survived(kernel):
    world = small()
    it = kernel(world)
    for garbage in (None, [], "x", 3, {}, {"view": 3}, {"view": None, "do": "play"}):
        it.widget._handle_custom_msg(garbage, [])
    assert it.widget._cells == {}
    for do in ("nonsense", [], {}, 3):
        it.hear("a", do=do, re=1)
    for got in ("x", [], None, -3, 1e300, True):
        it.widget._handle_custom_msg({"view": "a", "got": got}, [])
    it.hear("a", do="step")
    wait(lambda: world.steps == 1)
    it.until("a", '"refused"')


def test_closing_ends_threads_and_leaves_the_world(kernel):
    world = small()
    before = set(threading.enumerate())
    it = kernel(world, playing=True)
    it.hear("a", do="hello")
    ours = set(threading.enumerate()) - before
    assert len(ours) == 2
    wait(lambda: world.steps > 5)
    it.widget.close()
    it.widget.close()
    assert not any(each.is_alive() for each in ours)
    assert not world.observers
    assert it.widget.comm is None
    world.step()


def test_a_comm_that_the_notebook_closed_ends_the_simulation(kernel):
    world = small()
    it = kernel(world, playing=True)
    it.widget.comm._closed = True  # As marimo does, when a cell is run again.
    wait(lambda: it.widget.comm is None)
    assert not world.observers


def test_the_cell_s_module_is_one_text_with_nothing_from_elsewhere():
    text = cell_script()
    assert "\nimport " not in text
    assert text.count("export ") == 1
    assert "export default { render:" in text
    assert '<canvas id=\\"canvas\\"' in text
    assert "--paper:" in text
    assert "http" not in text.replace("http://www.w3.org", "")


@pytest.fixture
def in_a_notebook(monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=object()))


def test_where_there_is_a_notebook(monkeypatch, in_a_notebook):
    assert view.in_notebook()
    monkeypatch.setattr(IPython, "get_ipython", SimpleNamespace)  # A terminal.
    assert not view.in_notebook()
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda: True))
    assert view.in_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    monkeypatch.delitem(sys.modules, "marimo")
    assert not view.in_notebook()


def test_a_cell_that_is_run_again_ends_what_it_showed(in_a_notebook):
    world = small()
    one = world.view(playing=True)
    two = world.view()
    try:
        assert isinstance(two, notebook.NotebookView)
        assert one.comm is None
        assert len(world.observers) == 1
        assert two.url == ""
        world.step()
    finally:
        two.close()


def test_who_shows_no_widgets_shows_a_picture(in_a_notebook):
    shown = small().view()
    try:
        data, _ = shown._repr_mimebundle_()
        assert "application/vnd.jupyter.widget-view+json" in data
        assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    finally:
        shown.close()


def without(monkeypatch, *missing):
    monkeypatch.setattr(view, "find_spec", lambda name: None if name in missing else object())


def test_without_anywidget_a_cell_shows_the_window_and_says_what_to_install(monkeypatch, in_a_notebook):
    without(monkeypatch, "anywidget")
    world = small()
    one = world.view()
    two = world.view()
    try:
        assert len(world.observers) == 1
        assert one.url != two.url
        shown = two._repr_html_()
        assert f'<iframe src="{two.url}"' in shown.replace("&amp;", "&")
        assert shown.count("\n") == 0
        assert 'pip install "steersman[notebook]"' in shown.replace("&quot;", '"')
    finally:
        two.close()
    with_url = world.view(browser=False)  # Asked for: nothing is to be said.
    try:
        assert "install" not in with_url._repr_html_()
    finally:
        with_url.close()
    without(monkeypatch, "anywidget", "websockets")
    with pytest.raises(ImportError, match=r"needs anywidget.*steersman\[notebook\]"):
        world.view()


def test_worlds_that_were_shown_can_go(in_a_notebook):
    import gc

    world = small()
    world.view().close()
    gone = ref(world)
    del world
    gc.collect()
    assert gone() is None


def test_nothing_of_a_notebook_is_loaded_without_one():
    code = "import sys, steersman as sm, steersman.studio.viewer.view as v; assert not v.in_notebook(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"anywidget", "ipywidgets", "IPython", "websockets"} & {*loaded}
