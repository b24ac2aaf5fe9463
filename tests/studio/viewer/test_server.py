"""The server: who gets in, what is answered, and that nobody can slow the simulation or break it."""

import asyncio
import base64
import gc
import gzip
import json
import re
import struct
import threading
import tomllib
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import numpy as np
import pytest
from patience import PATIENCE
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

import steersman as sm
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer import populations as everybody
from steersman.studio.viewer import server
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.server import AHEAD
from steersman.studio.viewer.simulation import Simulation
from steersman.studio.viewer.view import view
from steersman.studio.viewer.watcher import TRACKS


def small():
    world = sm.World(domain=sm.Box([100, 100]))
    world.add(sm.Vehicles([[20, 20], [70, 60]], max_speed=5), name="a", steering=2 * sm.Wander() + sm.Seek([50, 50]))
    return world


@contextmanager
def window(subject, **about):
    shown = view(subject, browser=False, **about)
    try:
        yield shown
    finally:
        shown.close()


def get(url):
    with urllib.request.urlopen(url) as answer:
        return answer.status, answer.headers, answer.read()


def parts(shown):
    address, _, query = shown.url.partition("?")
    return address.rstrip("/"), query


def finished(story):
    """What a coroutine returns; in a thread, for playwright may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, story).result()


async def until(condition):
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


class Browser:
    """A page without a page: it asks and hears."""

    def __init__(self, socket):
        self.socket, self.count, self.told, self.frames, self.tracks = socket, 0, {}, [], []

    async def ask(self, do, **about):
        """Ask for something, and wait for the answer."""
        self.count += 1
        await self.socket.send(json.dumps({"do": do, "re": self.count, **about}))
        while (message := await self.hear()).get("re") != self.count:
            pass
        return message

    async def hear(self, timeout=PATIENCE):
        """The next message; frames are put aside."""
        async with asyncio.timeout(timeout):
            while True:
                data = await self.socket.recv()
                if isinstance(data, bytes):
                    (length,) = struct.unpack_from("<I", data)
                    head = json.loads(data[4 : 4 + length])
                    (self.tracks if "track" in head else self.frames).append(head)
                else:
                    message = json.loads(data)
                    self.told[message["type"]] = message
                    return message

    async def until(self, kind):
        while kind not in self.told:
            await self.hear()
        return self.told[kind]


def visit(shown, story, **about):
    """Let a browser connect, and do something with it."""
    address, query = parts(shown)

    async def told():
        url = f"ws{address[4:]}/live?{query}"
        async with connect(url, origin=address, max_size=None, **about) as socket:
            browser = Browser(socket)
            await browser.until("state")
            return await story(browser)

    return finished(told())


@pytest.mark.parametrize(("host", "shown_as"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")])
def test_the_address_of_a_window_for_all_is_that_of_this_machine(host, shown_as):
    with window(small(), host=host) as shown:
        assert shown.url.startswith(f"http://{shown_as}:")
        assert get(shown.url)[0] == 200


def test_only_the_own_page_with_the_token_gets_in():
    with window(small()) as shown:
        address, query = parts(shown)
        assert address.startswith("http://127.0.0.1:")
        status, headers, body = get(shown.url)
        assert status == 200
        assert b"<canvas" in body
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert get(f"{address}/gallery?{query}")[0] == 200
        with urllib.request.urlopen(f"{address}/gallery?{query}&scene=boids&n=9") as scene:
            assert scene.url == f"{address}/?{query}&scene=boids&n=9"
            assert scene.read() == body
        for wrong in ("/", "/?token=x", "/live", "/gallery", "/picture?name=boids"):
            with pytest.raises(urllib.error.HTTPError, match="403"):
                get(address + wrong)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(f"{address}/etc/passwd?{query}")
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(f"{address}/picture?name=..%2Fx&{query}")
        request = urllib.request.Request(shown.url, headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request)

        async def knock(origin, token):
            async with connect(f"ws{address[4:]}/live?{token}", origin=origin):
                pass

        for origin, token in [("http://evil.example", query), (None, query), (address, "token=wrong"), (address, "")]:
            with pytest.raises(InvalidStatus, match="403"):
                finished(knock(origin, token))


def test_pages_are_compressed_where_the_browser_takes_that():
    with window(small()) as shown:
        _, plain, page = get(shown.url)
        request = urllib.request.Request(shown.url, headers={"Accept-Encoding": "gzip, br"})
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
            assert answer.headers["Content-Encoding"] == "gzip"
        assert "Content-Encoding" not in plain
        assert gzip.decompress(body) == page
        assert len(body) < 0.4 * len(page)


def test_garbage_is_refused_and_survived():
    async def story(browser):
        for garbage in ("", "{", "[]", "3", '"x"', b"\x00\xff", "[" * 20000, "{}", '{"do": []}', '{"do": "nonsense"}'):
            await browser.socket.send(garbage)
            while (await browser.hear())["type"] != "refused":
                pass
        for do, about in [
            ("set", {}), ("set", {"population": "a"}), ("set", {"population": "a", "key": {}, "name": 3, "value": []}),
            ("weight", {"population": "b", "key": 0, "value": 1}), ("speed", {"value": -1}), ("speed", {"value": {}}),
            ("open", {"name": "../x"}), ("move", {"population": "a", "id": 0, "position": [1]}), ("want", {"colors": 3}),
            ("put", {"position": [1, 2]}), ("put", {"handle": "x", "position": [1, 2]}),
            ("put", {"handle": [], "position": [1, 2]}),
            ("add", {}), ("add", {"position": [1, 2, 3]}), ("remove", {}), ("remove", {"population": "a", "id": 77}),
            ("move", {"population": "a", "id": 77, "position": [1, 2]}), ("select", {"population": [], "id": 1}),
        ]:  # fmt: skip
            answer = await browser.ask(do, **about)
            assert answer["type"] == "refused", (do, about)
            words = re.findall(r"Error|NoneType|literal|argument|float|int\b|Traceback", answer["message"])
            assert not words, answer["message"]  # The library's words, not those of Python.
        assert (await browser.ask("step"))["type"] == "done"

    world = small()
    with window(world) as shown:
        visit(shown, story)
        assert world.steps == 1


def test_it_plays_pauses_steps_and_changes_the_world():
    async def story(browser):
        scene = await browser.until("scene")
        assert [each["name"] for each in scene["populations"]] == ["a"]
        tree = (await browser.until("trees"))["populations"][0]["tree"]
        assert [child["label"] for child in tree["children"]] == ["Wander", "Seek"]
        await browser.ask("play")
        await until(lambda: world.steps > 5)
        await browser.ask("pause")
        made = world.steps
        await browser.ask("step")
        assert world.steps == made + 1
        assert [frame["steps"] for frame in browser.frames][-1] == made + 1
        wander = tree["children"][0]["key"]
        await browser.ask("weight", population="a", key=wander, value=0.5)
        refused = await browser.ask("set", population="a", key=wander, name="rate", value=-3)
        assert "rate must be" in refused["message"]
        copied = await browser.ask("copy", population="a")
        assert copied["text"].startswith("0.5 * sm.Wander()")
        assert (await browser.ask("copy", population="a", only="check"))["type"] == "done"
        await browser.ask("select", population="a", id=1)
        assert (await browser.until("why"))["tree"]["label"] == "WeightedSum"
        await browser.ask("move", population="a", id=1, position=[5, 6])
        assert world["a"].position[1].tolist() == [5, 6]
        saved = await browser.ask("save")
        assert "[[populations]]" in saved["text"]

    world = small()
    with window(world) as shown:
        visit(shown, story)


def test_it_begins_again_with_another_number_and_seed(flock):
    async def story(browser):
        await browser.ask("step")
        assert (await browser.ask("reset", n=7, seed=5))["type"] == "done"
        assert (browser.told["state"]["n"], browser.told["state"]["seed"]) == (7, 5)
        assert browser.frames[-1]["steps"] == 0
        assert (await browser.ask("reset", n="many"))["type"] == "refused"
        for about, message in [
            ({"n": 10**9}, "n must be a whole number from 1 to 1,000,000, got 1000000000"),
            ({"n": -3}, "n must be a whole number from 1 to 1,000,000, got -3"),
            ({"seed": -1}, "seed must be a whole number >= 0, got -1"),
        ]:
            assert (await browser.ask("reset", **about))["message"] == message
        assert (
            "must lie within" in (await browser.ask("move", population="boids", id=0, position=[1e300, 0]))["message"]
        )
        assert browser.told["state"]["n"] == 7

    with window(flock(n=3), remake=flock, name="flock") as shown:
        visit(shown, story)


def test_vehicles_are_added_and_taken_away():
    async def story(browser):
        await browser.ask("add", position=[30, 40])
        assert world["a"].position[-1].tolist() == [30, 40]
        assert browser.told["state"]["selected"] == ["a", 2]
        await browser.ask("step")
        await browser.ask("remove", population="a", id=0)
        assert world["a"].id.tolist() == [1, 2]
        assert browser.told["state"]["selected"] is None
        await browser.ask("step")

    world = small()
    with window(world) as shown:
        visit(shown, story)


def test_who_decides_is_told():
    async def story(browser):
        await browser.ask("want", colors="decision")
        told = (await browser.until("colors"))["populations"]["a"]
        assert set(told["names"]) <= {"Wander", "Seek"}
        ids, codes = column(told["ids"], "u32"), column(told["values"])
        winners = dict(zip(ids, np.array(told["names"])[codes.astype(int)], strict=True))
        told = world.explain("a")
        assert winners == dict(zip(told.id, told.winner, strict=True))

    world = small()
    with window(world) as shown:
        visit(shown, story)


def test_the_verdict_is_told_when_the_time_is_over():
    async def story(browser):
        for _ in range(5):
            assert "verdict" not in browser.told
            await browser.ask("step")
        told = await browser.until("verdict")
        assert (told["problems"], told["touched"], told["deeds"]) == (["too slow"], None, [])

    stage = sm.Stage(small(), seconds=5 / 60, check=lambda stage: ["too slow"])
    with window(stage) as shown:
        visit(shown, story)


def test_the_verdict_says_when_the_run_was_touched_and_how():
    async def story(browser):
        for _ in range(2):
            await browser.ask("step")
        for _ in range(2):
            (point,) = browser.told["handles"]["handles"]
            place = [point["place"][0] + 1, 50]
            assert (await browser.ask("put", handle=point["id"], position=place))["type"] == "done"
            await browser.ask("step")
        assert (await browser.ask("remove", population="a", id=77))["type"] == "refused"  # Touches nothing.
        await browser.ask("remove", population="a", id=1)
        await browser.ask("select", population="a", id=0)  # Neither does who looks.
        await browser.ask("step")
        told = await browser.until("verdict")
        assert told["problems"] == []
        assert told["touched"] == pytest.approx(2 / 60)
        assert told["deeds"] == ["Seek: target was moved", "a vehicle was taken away"]
        del browser.told["verdict"]
        await browser.ask("reset")
        for _ in range(5):
            await browser.ask("step")
        told = await browser.until("verdict")
        assert (told["touched"], told["deeds"]) == (None, [])

    stage = sm.Stage(small(), seconds=5 / 60, check=lambda stage: [])
    with window(stage) as shown:
        visit(shown, story)


@pytest.mark.parametrize("name", ["arrival", "dead_end"])
def test_a_built_in_scenario_is_saved_without_its_python_or_as_a_call(name):
    """And where something was changed and has no document, it is told why, before the click and after."""

    async def story(browser):
        told = await browser.ask("save", only="check")
        saved = await browser.ask("save")
        assert saved["name"] == f"{name}.toml"
        if name == "arrival":
            assert (
                told["note"]
                == "Left out, as no document holds Python functions: vehicles.fastest, vehicles.off, vehicles.retreat."
            )
            assert "[[populations]]" in saved["text"]
        else:
            assert told["note"].startswith("The file calls this scenario")
            assert tomllib.loads(saved["text"]) == {"scenario": name, "n": SCENARIOS[name].n, "seed": 0}
            first = SCENARIOS[name].stage().world.populations
            await browser.ask("move", population=next(iter(first)), id=0, position=[1.0, 1.0])
            refused = await browser.ask("save", only="check")
            assert refused["message"] == "on_step: a Python object has no document, got StuckWatch"

    with window(SCENARIOS[name].stage(), name=name) as shown:
        visit(shown, story)


def test_no_more_frames_are_on_the_way_than_a_page_may_be_behind():
    """A page that answers no ping gets three frames; each ping that it answers lets one more go."""
    sent, pings = [], []

    class Connection:
        async def send(self, message):
            sent.append(message)
            assert len(sent) < 100

        async def ping(self):
            pings.append(asyncio.get_running_loop().create_future())
            return pings[-1]

    class Browser:
        async def take(self):
            return b"frame" if sent else "a text, which counts for nothing"

    async def story():
        sending = asyncio.ensure_future(server._send(Connection(), Browser()))
        for answered in range(3):
            for _ in range(50):
                await asyncio.sleep(0)
            assert len(sent) == 1 + 3 + answered
            pings[answered].set_result(0.0)
        sending.cancel()

    asyncio.run(story())


class Connection:
    """A connection to a browser that sends one message, and then ends, or breaks."""

    def __init__(self, breaks=None, query=""):
        self.request, self.breaks, self.sent = SimpleNamespace(path=f"/live?tab=own&{query}"), breaks, []

    async def send(self, message):
        self.sent.append(message)
        if self.breaks:
            raise ConnectionClosedError(None, None)

    async def ping(self):
        return asyncio.get_running_loop().create_future()

    async def close(self):
        """Nothing: it is broken."""

    async def __aiter__(self):
        yield '{"do": "want", "timings": true}'
        for _ in range(9):  # What waits is being sent.
            await asyncio.sleep(0)
        if self.breaks:
            raise self.breaks(None, None)


def test_a_scene_tells_what_it_is_about_and_where_else_one_can_go():
    """Only a window that has an address can lead to other scenarios."""

    def scene(*given, **about):
        told = json.loads(Simulation(*given, **about).sent["scene"])
        return [told[key] for key in ("name", "shows", "seconds", "dt", "others")]

    world = sm.World(domain=sm.Box([9, 9]), dt=0.125)
    stage = sm.Stage(world, seconds=21.5, description="Nothing moves.")
    assert scene(stage, name="still") == ["still", "Nothing moves.", 21.5, 0.125, []]
    assert scene(stage, address=Address()) == ["", "Nothing moves.", 21.5, 0.125, [*SCENARIOS]]
    assert scene(world) == ["", "", 0.0, 0.125, []]


def test_a_world_that_is_shown_anew_is_another_run():
    """By it a page that comes back sees whether the changes that it remembers were made in this run."""

    def run(simulation):
        return json.loads(simulation.sent["scene"])["run"]

    shown = Simulation(small())
    runs = [run(shown), run(Simulation(small()))]
    for _ in range(3):
        shown.show(shown.subject)
        runs.append(run(shown))
    assert len(set(runs)) == 5


@pytest.mark.parametrize("another", [False, True])
@pytest.mark.parametrize("breaks", [None, ConnectionClosedError, OSError])
def test_a_browser_that_leaves_or_is_lost_leaves_nothing_behind(breaks, another, monkeypatch):
    async def story():
        shown._loop, connection = asyncio.get_running_loop(), Connection(breaks)
        shown._loop.set_exception_handler(lambda loop, about: troubles.append(about["message"]))
        with suppress(OSError):
            await shown._watch(connection)
        assert connection.sent
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        gc.collect()  # An error of a task that nobody asks for is told when the task is forgotten.

    simulation, left, troubles = Simulation(small()), [], []
    shown = server.Server(simulation)
    others = {server.Browser(simulation)} if another else set()
    shown._browsers |= others
    monkeypatch.setattr(shown.tabs, "leave", left.append)
    finished(story())
    assert troubles == []
    assert shown._browsers == others
    assert left == ([] if another else ["own"])  # A simulation that somebody watches goes on.
    requests = [simulation.requests.get_nowait().message["do"] for _ in range(simulation.requests.qsize())]
    assert requests == ["look", "want", "leave"]


def test_a_browser_that_is_gone_when_its_address_is_refused_is_no_error():
    shown, connection = server.Server(Simulation(small())), Connection(ConnectionClosedError, "scene=nonsense")
    finished(shown._watch(connection))
    assert [json.loads(each)["type"] for each in connection.sent] == ["closed"]
    assert shown._browsers == set()


def test_a_page_that_is_long_busy_keeps_its_connection_and_sees_what_is_new(monkeypatch):
    """What it has not read yet stands before the pings, so it answers them late; few frames wait for it on the way."""
    from websockets.asyncio import server as websocket_server

    def hasty(*given, **about):  # As after a hundred times the time.
        times = {name: about.get(name, 20) for name in ("ping_interval", "ping_timeout")}
        about |= {name: time if time is None else time / 100 for name, time in times.items()}
        return serve(*given, **about)

    async def story():
        async with connect(
            address.replace("http", "ws") + f"/live?{query}", origin=address, max_queue=1, max_size=None
        ) as socket:
            await asyncio.sleep(1.5)  # Nothing is read.
            now, old = world.steps, 0
            while not isinstance(message := await socket.recv(), bytes) or steps_of(message) <= now:
                old += isinstance(message, bytes) and steps_of(message) > 0
            assert old < 3 * AHEAD  # And not the fifty that have been made meanwhile.

    def steps_of(frame):
        (length,) = struct.unpack_from("<I", frame)
        return json.loads(frame[4 : 4 + length]).get("steps", 0)  # Tracks are none of the frames.

    serve = websocket_server.serve
    monkeypatch.setattr(websocket_server, "serve", hasty)
    world = sm.World()
    many = np.random.default_rng(0).uniform(0, 1000, (2000, 2))  # What is sent of them meanwhile finds room on the way.
    world.add(sm.Vehicles(many, max_speed=5), name="a", steering=sm.Seek([50.0, 50]))
    with window(world, playing=True) as shown:
        address, query = parts(shown)
        finished(story())


def test_a_check_that_fails_to_say_does_not_stop_the_simulation():
    async def story(browser):
        await browser.ask("remove", population="a", id=1)
        await browser.ask("step")
        told = await browser.until("verdict")
        assert "IndexError" in told["unknown"]
        assert told["problems"] == []
        await browser.ask("step")
        assert stage.world.steps == 2

    stage = sm.Stage(small(), seconds=1 / 60, check=lambda stage: [str(stage.world["a"].position[1])])
    with window(stage) as shown:
        visit(shown, story)


def test_a_script_s_own_steps_are_seen():
    async def story(browser):
        before = len(browser.frames)
        for _ in range(3):
            await asyncio.to_thread(world.run, steps=2)
            await asyncio.sleep(0.05)
        await browser.ask("select", id=None)
        assert len(browser.frames) > before
        assert browser.frames[-1]["steps"] > 0

    world = small()
    with window(world) as shown:
        visit(shown, story)
    assert not world.observers


def test_a_note_that_fails_is_left_out_and_the_run_goes_on():
    """Whoever is taken away in the window may be one that a note needs."""
    world = small()

    def lines():
        yield sm.shapes.segment(world["a"].position[0], world["a"].position[1])

    async def story(browser):
        assert (await browser.until("notes"))["problem"] == ""
        del browser.told["notes"]
        assert (await browser.ask("remove", population="a", id=1))["type"] == "done"
        told = await browser.until("notes")
        assert "without a note of this scenario (lines)" in told["problem"]
        assert told["elements"]  # Of the other note.
        await browser.ask("record", on=True)
        await browser.ask("step")
        assert "trouble" not in browser.told
        assert (await browser.ask("record"))["type"] == "saved"

    circle = sm.shapes.Circle([[5.0, 5.0]], 1)
    with window(sm.Stage(world, notes=[lines, lambda: [circle]])) as shown:
        visit(shown, story)


def test_a_step_that_python_ends_is_told_in_words_of_the_library():
    """And not in those of NumPy, which know neither the scenario nor what was changed."""
    world = small()
    world.watch("a", east=lambda vehicles: float(vehicles.position[1, 0]), every=sm.EverySteps(1))

    async def story(browser):
        await browser.ask("remove", population="a", id=1)
        await browser.ask("step")
        told = (await browser.until("trouble"))["message"]
        assert "undo takes that back" in told
        assert "axis" not in told
        await browser.ask("undo")
        await browser.ask("step")
        assert browser.told["trouble"]["message"] == ""

    with window(sm.Stage(world)) as shown:
        visit(shown, story)


def test_an_error_in_a_step_is_told_and_the_window_stays():
    """Until a step succeeds, or the run goes back."""
    broken = True

    def steering(vehicles):
        if broken:
            raise ZeroDivisionError("my behavior is broken")
        return np.zeros((1, 2))

    async def story(browser):
        nonlocal broken
        for recovers in ("step", "undo"):
            broken = True
            await browser.ask("move", population="vehicles", id=0, position=[2, 2])
            await browser.ask("play")
            assert "my behavior is broken" in (await browser.until("trouble"))["message"]
            assert browser.told["state"]["playing"] is False
            broken = False
            await browser.ask(recovers)
            assert browser.told.pop("trouble")["message"] == ""
            assert "trouble" not in shown._simulation.sent

    world = sm.World()
    world.add(sm.Vehicles([1, 1]), steering=steering)
    with window(world) as shown:
        visit(shown, story)


def test_a_browser_that_does_not_read_holds_nothing_up():
    async def story(browser):
        await browser.socket.send(json.dumps({"do": "speed", "value": "max"}))
        await browser.socket.send(json.dumps({"do": "play"}))
        start = world.steps
        (waiting,) = [each.waiting for each in shown._server._browsers]
        # Nothing is read all the while: what finds no room on the way waits.
        await until(lambda: world.steps > start + 100 and len(waiting.get("track", b"")) > 10_000)
        assert len(waiting) <= 7
        assert len(waiting["track"]) < 2 * TRACKS
        sent = [await browser.socket.recv() for _ in range(3)]
        assert sent
        await browser.socket.send(json.dumps({"do": "pause"}))

    world = small()
    with window(world) as shown:
        visit(shown, story, max_queue=1, close_timeout=0.2)


def test_several_browsers_see_the_same():
    async def story(one):
        address, query = parts(shown)
        async with connect(f"ws{address[4:]}/live?{query}", origin=address, max_size=None) as socket:
            two = Browser(socket)
            await two.until("state")
            await one.ask("step")
            await two.ask("select", id=None)
            assert one.frames[-1]["steps"] == two.frames[-1]["steps"] == 1

    with window(small()) as shown:
        visit(shown, story)


def test_a_port_that_is_taken():
    with window(small()) as shown, pytest.raises(OSError):
        view(small(), browser=False, port=int(parts(shown)[0].rpartition(":")[2]))


def test_it_returns_at_once_and_closes():
    world = small()
    shown = world.view(browser=False)  # Where it did not return, nobody could close it.
    shown.close()
    with pytest.raises(urllib.error.URLError):
        get(shown.url)
    assert not world.observers
    world.step()


def rocky():
    world = sm.World(domain=sm.Box([100, 100]), seed=2)
    rock = sm.Spheres([[50.0, 50]], 5)
    tree = sm.Priority([sm.AvoidObstacles(rock), 1.5 * sm.Wander() + sm.Seek([80, 80])])
    world.add(sm.Vehicles([[20, 20], [70, 60]], max_speed=5, max_force=10), name="a", steering=tree)
    return world


def middle(elements):
    """The middle of the first areas."""
    points = next(column(each["points"]) for each in elements if each["kind"] == "areas")
    return points.reshape(-1, 2).mean(axis=0)


def test_things_are_put_elsewhere_for_all_browsers_and_reset_puts_them_back():
    async def story(one):
        address, query = parts(shown)
        async with connect(f"ws{address[4:]}/live?{query}", origin=address, max_size=None) as socket:
            two = Browser(socket)
            told = {each["label"]: each for each in (await two.until("handles"))["handles"]}
            assert set(told) == {"Spheres", "Seek: target"}
            assert told["Spheres"]["place"] == [50, 50]
            rock, point = told["Spheres"]["id"], told["Seek: target"]["id"]
            del two.told["handles"]
            answer = await one.ask("put", handle=rock, position=[30, 40], done=False)
            assert answer["type"] == "done"
            assert world.populations["a"].node("AvoidObstacles").behavior.obstacles.center.tolist() == [[30, 40]]
            assert (await two.until("moved"))["places"] == {rock: [30, 40]}
            await one.ask("put", handle=rock, position=[35, 45], done=True)
            assert (await two.until("handles"))["handles"][0]["place"] == [35, 45]
            while middle((await two.until("scenery"))["elements"]) != pytest.approx([35, 45], abs=0.1):
                await two.hear()
            await one.ask("put", handle=point, position=[10, 90])
            assert "[10.0, 90.0]" in (await one.ask("copy", population="a"))["text"]
            saved = (await one.ask("save"))["text"]
            assert "35" in saved
            assert "90" in saved
            assert (await one.ask("reset"))["type"] == "done"
            node = world.populations["a"].node
            assert node("AvoidObstacles").behavior.obstacles.center.tolist() == [[50, 50]]
            assert node("Seek").behavior.target.tolist() == [80, 80]

    world = rocky()
    with window(world) as shown:
        visit(shown, story)


def test_a_script_s_world_begins_again():
    async def story(browser):
        assert browser.told["state"]["reset"] is True
        assert browser.told["state"]["again"] is False
        place = world["a"].position.copy()
        for _ in range(3):
            await browser.ask("step")
        await browser.ask("remove", population="a", id=0)
        await browser.ask("reset")
        assert world.steps == 2
        assert np.array_equal(world["a"].position, place)
        assert browser.frames[-1]["steps"] == 2

    world = rocky()
    world.run(steps=2)
    with window(world) as shown:
        visit(shown, story)


def test_a_target_that_is_typed_moves_what_can_be_taken():
    async def story(browser):
        handles = {each["label"]: each for each in (await browser.until("handles"))["handles"]}
        key = world.populations["a"].node("Seek").key
        del browser.told["handles"]
        await browser.ask("set", population="a", key=key, name="target", value=[7, 9])
        told = {each["label"]: each for each in (await browser.until("handles"))["handles"]}
        assert told["Seek: target"]["place"] == [7, 9]
        assert told["Seek: target"]["id"] == handles["Seek: target"]["id"]

    world = rocky()
    with window(world) as shown:
        visit(shown, story)


def column(told, kind="f32"):
    return np.frombuffer(base64.b64decode(told[kind]), f"<{kind[0]}4")


def test_forces_of_all_are_those_that_an_explanation_tells():
    async def story(browser):
        await browser.ask("want", forces=True, velocity=True)
        told = await browser.until("forces")
        assert told["note"] == ""
        columns, known = told["populations"]["a"], world.explain("a")
        leaves = [node for node in known.walk() if not node.parts]
        assert columns["labels"] == [node.label for node in leaves]
        assert column(columns["force"]) == pytest.approx(known.force.ravel(), rel=1e-5)
        for k, node in enumerate(leaves):
            assert column(columns["raw"][k]) == pytest.approx(node.raw.ravel(), rel=1e-5, abs=1e-6)
            assert column(columns["contribution"][k]) == pytest.approx(node.contribution.ravel(), rel=1e-5, abs=1e-6)
        winners = [leaves[int(k)].label for k in column(columns["winner"])]
        assert winners == known.winner.tolist()
        assert browser.frames[-1]["populations"][0]["velocity"] is True
        await browser.ask("want")
        del browser.told["forces"]
        await browser.ask("step")
        await browser.ask("step")
        assert "forces" not in browser.told
        assert browser.frames[-1]["populations"][0]["velocity"] is False

    world = rocky()
    with window(world) as shown:
        visit(shown, story)


def test_of_very_many_some_are_told_and_that_it_is_some(monkeypatch):
    monkeypatch.setattr(everybody, "MOST", 50)
    rng = np.random.default_rng(0)
    world = sm.World(domain=sm.Torus([100, 100]))
    world.add(sm.Vehicles(rng.uniform(0, 100, (300, 2)), max_speed=5), name="a", steering=sm.Separation(radius=5))
    forces = everybody.forces_of_all(world, {"a": world.explain("a")}, 100.0)
    assert forces["note"] == "50 of 300 vehicles are shown"
    assert len(column(forces["populations"]["a"]["ids"], "u32")) == 50
    sketches = everybody.sketches_of_all(world, 100.0, 20)
    assert sketches["note"] == "20 of 300 vehicles are shown"
    assert sum(len(each["counts"]) for each in sketches["near"] if each["kind"] == "lines") == 20


def test_what_one_browser_wants_stays_when_another_leaves():
    async def story(one):
        address, query = parts(shown)
        async with connect(f"ws{address[4:]}/live?{query}", origin=address, max_size=None) as socket:
            two = Browser(socket)
            await one.ask("want", timings=True)
            await two.ask("want", timings=True, colors="mass")
            assert shown._simulation.subscriptions.colors == {"mass"}
        await until(lambda: shown._simulation.subscriptions.colors == set())
        assert shown._simulation.subscriptions.any("timings")
        for _ in range(3):
            await one.ask("step")
        told = await one.until("timings")
        while told["steps"] == 0:
            del one.told["timings"]
            await one.ask("step")
            told = await one.until("timings")
        assert list(told["phases"]) == ["begin", "look", "steer", "move", "after"]
        assert all(each > 0 for each in told["phases"].values())
        await one.ask("want")
        await one.ask("step")
        assert world._timings == ()

    world = small()
    with window(world) as shown:
        visit(shown, story)


def test_colors_by_numbers_and_modes():
    async def story(browser):
        scene = await browser.until("scene")
        assert {"mode", "decision", "force", "nearest distance", "mass", "a.distance_to"} <= set(scene["colorings"])
        await browser.ask("want", colors="mode")
        told = (await browser.until("colors"))["populations"]["a"]
        assert told["names"] == ["go"]
        for by, expected in [("mass", [1, 3]), ("a.distance_to", [np.hypot(60, 60), np.hypot(10, 20)])]:
            await browser.ask("want", colors=by)
            while browser.told["colors"]["by"] != by:
                await browser.hear()
            told = browser.told["colors"]
            assert [told["low"], told["high"]] == pytest.approx(sorted(expected))
            assert column(told["populations"]["a"]["values"]).tolist() == pytest.approx(np.argsort(expected))
        await browser.ask("want", colors="nonsense")
        while browser.told["colors"]["by"] != "nonsense":
            await browser.hear()
        assert "nonsense" in browser.told["colors"]["problem"]

    modes = sm.Modes(
        {"go": sm.Seek([80, 80]), "rest": sm.Wander()}, transitions=[("go", "rest", sm.After(1000.0))], start="go"
    )
    world = sm.World()
    world.add(sm.Vehicles([[20, 20], [70, 60]], max_speed=5, mass=[1, 3]), name="a", steering=modes)
    world.watch("a", "distance_to", to=[80, 80])
    with window(world) as shown:
        visit(shown, story)


def test_a_script_and_the_window_take_turns():
    async def story(browser):
        await browser.ask("speed", value="max")
        await browser.ask("play")
        thread = threading.Thread(target=script)
        thread.start()
        for k in range(40):
            await browser.ask("put", handle=rock, position=[40 + k % 7, 50], done=k % 5 == 0)
            await browser.ask("set", population="a", key=key, name="rate", value=1 + 0.1 * (k % 3))
            await browser.ask("add", position=[5, 5])
            await browser.ask("remove", population="a", id=int(world["a"].id[-1]))
        await asyncio.to_thread(thread.join)
        assert errors == []
        assert "trouble" not in browser.told
        assert world.steps > 400

    errors = []

    def script():
        try:
            for _ in range(400):
                world.step()
        except Exception as error:
            errors.append(error)

    world = rocky()
    key = world.populations["a"].node("Wander").key
    with window(world) as shown:
        rock = next(iter(shown._simulation.handles))
        visit(shown, story)
