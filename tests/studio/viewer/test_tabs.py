"""Tabs: each scenario in a tab of its own, as its address says."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as done_of
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import parse_qs

import numpy as np
import pytest
from websockets.asyncio.client import connect

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.studio.viewer import tabs
from steersman.studio.viewer.address import Address, change
from steersman.studio.viewer.requests import Request
from steersman.studio.viewer.server import token_of
from steersman.studio.viewer.simulation import CROWD, first_of
from steersman.studio.viewer.tabs import Tabs, simulation_at
from steersman.studio.viewer.view import serve
from tests.studio.viewer.test_server import Browser, finished, parts


def of_tab(flock):
    return lambda address: simulation_at(address, flock, "flock")


@contextmanager
def served(own):
    shown = serve(own)
    try:
        yield shown
    finally:
        shown.close()


@asynccontextmanager
async def page(shown, query, tab=""):
    """A page at an address of a server."""
    address, token = parts(shown)
    url = f"ws{address[4:]}/live?{query}&{token}&tab={tab}"
    async with connect(url, origin=address, max_size=None) as socket:
        yield Browser(socket)


def wait(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_each_tab_has_a_simulation_of_its_own(flock):
    async def story():
        async with (
            page(shown, "n=5&seed=3") as one,
            page(shown, "n=9") as other,
            page(shown, "scene=seek_flee") as third,
        ):
            states = [await each.until("state") for each in (one, other, third)]
            assert [(each["n"], each["seed"]) for each in states[:2]] == [(5, 3), (9, 0)]
            assert third.told["scene"]["name"] == "seek_flee"
            await one.ask("pause")
            await other.ask("play")
            await other.ask("speed", value=2)
            assert (one.told["state"]["playing"], one.told["state"]["speed"]) == (False, 1.0)
            assert (other.told["state"]["playing"], other.told["state"]["speed"]) == (True, 2.0)

    with served(of_tab(flock)) as shown:
        finished(story())


def test_the_address_reproduces_what_is_seen(flock):
    async def changed():
        async with page(shown, "n=5") as browser:
            await browser.until("state")
            (tree,) = [each["tree"] for each in (await browser.until("trees"))["populations"]]
            separation = next(each for each in nodes(tree) if each["class"] == "Separation")
            about = {"population": "boids", "key": separation["key"]}
            await browser.ask("reset", n=6, seed=8)
            assert browser.told["state"]["address"] == "n=6&seed=8"
            await browser.ask("set", **about, name="radius", value=3)
            await browser.ask("set", **about, name="radius", value=7.5)
            await browser.ask("weight", **about, value=0.25)
            await browser.ask("switch", population="boids", key=separation["key"] + 1, on=False)
            return browser.told["state"]["address"], browser.told["trees"]

    async def seen(address):
        async with page(shown, address) as browser:
            state = await browser.until("state")
            return state["n"], state["seed"], state["address"], await browser.until("trees")

    async def with_another_number(address):
        async with page(shown, address) as browser:
            await browser.until("state")
            await browser.ask("reset", n=9)
            key = int(parse_qs(address)["set"][0].split(".")[1])
            refused = await browser.ask("set", population="boids", key=key, name="radius", value="abc")
            assert "must be a number here, got 'abc'" in refused["message"]
            return browser.told["state"]["address"], browser.told["trees"]

    with served(of_tab(flock)) as shown:
        address, trees = finished(changed())
        assert finished(with_another_number(address)) == (address.replace("n=6", "n=9"), trees)
        assert parse_qs(address)["set"][0].endswith("radius=7.5")
        assert len(parse_qs(address)["set"]) == 3
        assert finished(seen(address)) == (6, 8, address, trees)


def nodes(tree):
    yield tree
    for each in tree["children"]:
        yield from nodes(each)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("scene=boidz", "there is no scenario 'boidz'; did you mean 'boids'? (scenarios: "),
        ("scene=../x", "there is no scenario '../x'"),
        ("scene=boids&n=-3", "n must be a whole number from 1 to 1,000,000, got -3"),
        ("scene=boids&n=1000000000", "n must be a whole number from 1 to 1,000,000, got 1000000000"),
        ("scene=boids&seed=-1", "seed must be a whole number >= 0, got -1"),
        ("scene=boids&seed=x", "seed must be a whole number >= 0, got 'x'"),
        ("set=boids.0", "set must be POPULATION.KEY.PARAMETER=VALUE with a value in JSON, got 'boids.0'"),
        ("set=cats.0.radius=3", "there is no population 'cats'"),
    ],
)
def test_an_address_that_cannot_be_shown_is_refused_in_words(flock, query, message):
    async def story():
        async with page(shown, query) as browser:
            return json.loads(await browser.socket.recv())

    with served(of_tab(flock)) as shown:
        closed = finished(story())
        assert closed["type"] == "closed"
        assert message in closed["message"]


def test_a_lost_tab_stands_still_and_finds_its_simulation_again(flock, monkeypatch):
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.0)

    async def visit(tab, steps=0):
        async with page(shown, "n=4", tab) as browser:
            await browser.until("state")
            while kept._open[tab].world.steps < steps:
                await asyncio.sleep(0.01)
            await browser.ask("want")  # It may have been told first that the scenario rests where it opens.
            return browser.told["state"]

    with served(of_tab(flock)) as shown:
        kept = shown._server.tabs
        assert finished(visit("a", 1))["playing"]
        simulation = kept._open["a"]
        wait(lambda: '"playing":false' in simulation.sent["state"])
        steps = simulation.world.steps
        assert not finished(visit("a"))["playing"]
        assert kept._open == {"a": simulation}
        assert simulation.world.steps == steps > 0


def test_simulations_of_lost_tabs_end_and_there_are_not_too_many(flock, monkeypatch):
    monkeypatch.setattr(tabs, "MOST", 2)
    kept = Tabs(of_tab(flock))
    one, _ = kept.enter("a", Address(n=3)), kept.enter("b", Address(n=3))
    with pytest.raises(RuntimeError, match="2 tabs are open"):
        kept.enter("c", Address(n=3))
    kept.leave("a")
    kept.enter("c", Address(n=3))
    assert set(kept._open) == {"b", "c"}
    assert not one._thread.is_alive()
    kept.leave("b")
    monkeypatch.setattr(tabs, "GRACE", -1.0)
    kept.enter("c", Address(n=3))
    assert set(kept._open) == {"c"}
    kept.end()
    assert kept._open == {}


def test_two_requests_of_one_tab_get_the_simulation_that_one_of_them_makes(flock):
    """What is shown beside it waits, too, and is not refused because it came early."""
    began, go_on, made = threading.Event(), threading.Event(), []

    def make(address):
        made.append(simulation_at(address, flock, "flock"))
        began.set()
        assert go_on.wait(60)
        return made[-1]

    kept = Tabs(make)
    address = Address(n=3, beside="seed=4")
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(kept.enter, "a", address)
        assert began.wait(60)
        others = [pool.submit(kept.enter, name, address) for name in ("a", "a~")]
        assert not done_of(others, 0.2).done
        go_on.set()
        assert [each.result() for each in (first, *others)] == [made[0], made[0], made[1]]
    assert len(made) == 2
    kept.end()


def test_a_simulation_that_is_made_while_the_server_ends_ends_with_it(flock, monkeypatch):
    """It was started then, and ran on in a thread without a window."""
    making, go_on, made = threading.Event(), threading.Event(), []

    def slowly(address):
        making.set()
        go_on.wait()
        made.append(of_tab(flock)(address))
        return made[0]

    kept = Tabs(slowly)
    with ThreadPoolExecutor(1) as pool:
        entered = pool.submit(kept.enter, "a", Address(n=3))
        making.wait()
        kept.end()
        go_on.set()
        with pytest.raises(RuntimeError, match="the window is closed"):
            entered.result()
    assert not made[0]._thread.is_alive()
    assert kept._open == {}
    with pytest.raises(RuntimeError, match="the window is closed"):
        kept.enter("b", Address(n=3))
    assert len(made) == 1


def test_a_tab_that_is_back_needs_no_room(flock, monkeypatch):
    monkeypatch.setattr(tabs, "MOST", 2)
    kept = Tabs(of_tab(flock))
    both = [kept.enter(name, Address(n=3)) for name in ("a", "b")]
    for name in ("a", "b"):
        kept.leave(name)
    assert [kept.enter(name, Address(n=3)) for name in ("b", "a")] == both[::-1]
    kept.end()


def test_a_world_of_a_program_is_shared(flock):
    async def story():
        async with page(shown, "n=9") as one, page(shown, "") as other:
            first, second = await one.until("state"), await other.until("state")
            assert (first["n"], second["n"], first["address"]) == (3, 3, None)
            await one.ask("step")
            while not other.frames or other.frames[-1]["steps"] == 0:
                await other.hear()

    stage = flock(n=3)
    shown = sm.World.view(stage.world, browser=False)
    finished(story())
    shown.close()


def test_what_was_made_ahead_is_shown_once(flock):
    kept = Tabs(of_tab(flock))
    kept.prepare(Address(n=5, seed=2))
    made = kept._spare[1]
    assert kept.enter("a", Address(n=5)) is not made
    assert kept.enter("b", Address(n=5, seed=2)) is made
    assert kept.enter("c", Address(n=5, seed=2)) is not made
    kept.end()


def test_the_token_of_a_chosen_port_survives_a_restart(monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    assert token_of(0) != token_of(0)
    kept = token_of(8123)
    assert token_of(8123) == kept != token_of(8124)
    file = tmp_path / "tokens" / "8123"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("short")
    assert len(token_of(8123)) == len(kept)


def test_one_vehicle_is_explained_at_first(flock):
    kept = Tabs(of_tab(flock))
    simulation = kept.enter("a", Address(n=5))
    assert simulation.selected == ("boids", 0)
    patrol = kept.enter("b", Address("arrival"))
    assert patrol.selected[0] in patrol.world.populations
    kept.end()


def test_the_vehicle_of_the_picture_is_explained_at_first():
    """That of the picture, also in a large population; where there is none with its id, the first one of its population."""
    world = sm.World(seed=0)
    for name, n in (("few", 3), ("many", CROWD + 1)):
        vehicles = sm.Vehicles(np.column_stack([np.arange(n), np.zeros(n)]), max_speed=1, max_force=1)
        world.add(vehicles, name=name, steering=sm.TargetSpeed(1))
    assert first_of(world) == first_of(sm.Stage(world)) == ("few", 0)
    for chosen, first in (
        ({"few": [2]}, ("few", 2)),
        ({"few": [7, 1]}, ("few", 1)),
        ({"few": [7]}, ("few", 0)),
        ({"many": [CROWD]}, ("many", CROWD)),
        ({"many": [CROWD + 1]}, None),
        ({"few": [1], "many": [4]}, ("few", 1)),
        ({"many": [4], "few": [1]}, ("many", 4)),
    ):
        assert first_of(sm.Stage(world, picture=sm.Picture(sketch=chosen))) == first, chosen


def test_what_is_beside_is_at_the_same_instants(flock):
    """With one transport, from the start and back, and with the bits that it has alone."""
    kept = Tabs(of_tab(flock))
    leader = kept.enter("a", Address.read(parse_qs("n=20&seed=3&beside=seed%3D4%26set%3Dboids.3.radius%3D7")))
    other = kept.enter("a~", Address())
    answers = []

    def ask(do, **about):
        count = len(answers)
        leader.requests.put(Request({"do": do, **about}, answers.append))
        wait(lambda: len(answers) > count)
        assert answers[-1]["type"] == "done"

    try:
        assert (leader.world.seed, other.world.seed, len(other.world["boids"])) == (3, 4, 20)
        assert "boids.3.radius=7" in json.loads(other.sent["state"])["address"].replace("%3D", "=")
        wait(lambda: leader.world.steps > 40)
        ask("pause")
        wait(lambda: other.world.steps == leader.world.steps)
        assert not json.loads(other.sent["state"])["playing"]
        ask("go", steps=30)
        wait(lambda: other.world.steps == 30 == leader.world.steps)
        alone = flock(n=20, seed=4).world
        change(alone, ("boids", 3, "radius"), 7)
        alone.run(steps=30)
        with other.world.between_steps():  # It may still be on its last step.
            assert state_hash(other.world) == state_hash(alone)
        ask("reset", n=12, seed=5)
        wait(lambda: other.world.steps == 0 == leader.world.steps)
        assert (other.world.seed, len(leader.world["boids"])) == (4, 12)
        kept.leave("a~")
        assert "a~" not in kept._left
    finally:
        kept.end()
    with pytest.raises(RuntimeError, match="is closed"):
        kept.enter("a~", Address())


def test_an_address_says_what_is_beside_it():
    def partner(query):
        return Address.read(parse_qs(query)).partner

    assert partner("scene=boids&seed=3&n=9") is None
    assert partner("scene=boids&seed=3&n=9&beside=patrol") == Address("patrol", None, 3)
    assert partner("scene=boids&seed=3&n=9&beside=seed%3D4") == Address("boids", 9, 4)
    assert partner("scene=boids&beside=set%3Dboids.2.radius%3D5") == Address("boids", edits={("boids", 2, "radius"): 5})
    again = Address.read(parse_qs(str(Address("boids", beside="seed=4&set=boids.2.radius=5"))))
    assert again.partner == Address("boids", None, 4, {("boids", 2, "radius"): 5})
    with pytest.raises(ValueError, match="there is no scenario 'patrool'; did you mean 'patrol'"):
        Address.read({"scene": ["boids"], "beside": ["patrool"]})


def drifting(opens):
    """A scenario of one vehicle that opens at an instant."""

    def stage(n=None, seed=0):
        world = sm.World(domain=sm.Box([100, 100]), seed=seed)
        world.add(sm.Vehicles([[20, 20]], max_speed=3), name="a", steering=sm.Wander())
        return sm.Stage(world, seconds=5, picture=sm.Picture(opens=opens))

    return stage


@pytest.mark.parametrize("opens", [0.0, 1.5])
def test_a_scenario_opens_at_its_moment_and_begins_again_at_its_beginning(opens):
    """At a speed of nearly 0 only that takes it on."""
    it = simulation_at(Address.read({}), drifting(opens), "a")
    it.speed = 1e-9
    it.start()
    try:
        wait(lambda: it.world.time > opens - it.world.dt / 2)
        assert it.world.time == pytest.approx(opens, abs=2 * it.world.dt)
        before = it.world
        it.requests.put(Request({"do": "reset"}, lambda answer: None))
        wait(lambda: it.world is not before)
        time.sleep(0.2)  # Time for a few frames.
        assert it.world.time < 2 * it.world.dt
    finally:
        it.end()


def test_the_rest_where_a_scenario_opens_begins_with_the_first_picture_of_it(monkeypatch):
    """A slow page paints it late; one that says nothing is not waited for without end."""
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.05)
    it, other = (simulation_at(Address.read({}), drifting(0.1), "a") for _ in range(2))
    for each in (it, other):
        each.requests.put(Request({"do": "look"}, lambda answer: None, "page"))
    it.start()
    try:
        wait(lambda: it.resting)
        it.requests.put(Request({"do": "shown", "steps": 2}, lambda answer: None, "page"))  # Of another moment.
        time.sleep(0.3)  # Time to play on by mistake.
        assert it.resting
        assert json.loads(it.sent["state"])["rests"]
        it.requests.put(Request({"do": "shown", "steps": it.world.steps}, lambda answer: None, "page"))
        wait(lambda: it.playing)
        assert not json.loads(it.sent["state"])["rests"]
        monkeypatch.setattr("steersman.studio.viewer.simulation.LATEST", 0.05)
        other.start()
        wait(lambda: other.playing and other.world.steps > 10)
    finally:
        it.end()
        other.end()


@pytest.mark.parametrize("at", [0, 90])
@pytest.mark.parametrize(
    ("asked", "steps_on"), [(None, True), ("play", True), ("pause", False), ("step", False), ("reset", True)]
)
def test_a_scenario_rests_where_it_opens(asked, steps_on, at, monkeypatch):
    """At a step after which it opens, also at its beginning."""
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.1 if asked is None else 1e9)
    it = simulation_at(Address.read({}), drifting(at / 60), "a")
    told, moments = it.tell, []

    def tell(kind, message):
        told(kind, message)
        if kind == "state":
            moments.append((it.world.steps, json.loads(message)["playing"]))

    it.tell = tell
    it.start()
    try:
        wait(lambda: moments)
        assert moments[0] == (at, False)  # At the very step, and the page says that nothing moves.
        if asked is not None:
            it.requests.put(Request({"do": asked}, lambda answer: None))
        wait(lambda: len(moments) > 1 and (moments[-1][1] or not steps_on))
        assert moments[-1] == ({"step": at + 1, "reset": 0}.get(asked, at), steps_on)
        if steps_on:
            wait(lambda: it.world.steps > moments[-1][0] + 5)
        else:
            monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.0)
            time.sleep(0.2)  # Time to play on by mistake.
            assert it.world.steps == moments[-1][0]
            assert not it.playing
    finally:
        it.end()
