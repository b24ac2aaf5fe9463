"""A watcher: what waits to be sent to a browser, and what is forgotten."""

import json
import queue
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE

import steersman as sm
from steersman.studio.viewer.simulation import Simulation, owed
from steersman.studio.viewer.watcher import Watcher


def watcher(**sent: Any) -> Watcher:
    return Watcher(SimpleNamespace(sent=sent, requests=queue.SimpleQueue()))


def test_of_each_kind_the_newest_waits() -> None:
    each = watcher()
    each.put("frame", b"1")
    each.put("state", "a")
    each.put("frame", b"2")
    assert [each.next(), each.next(), each.waiting] == [b"2", "a", {}]


def test_with_a_new_scene_everything_about_the_old_world_is_forgotten_but_answers() -> None:
    each = watcher()
    each.put("frame", b"of the old world")
    each.put("why", "of the old world")
    each.answer({"re": 1})
    each.put("scene", "new")
    each.put("frame", b"new")
    assert list(each.waiting.values()) == ['{"re": 1}', "new", b"new"]


def test_each_request_has_an_answer_however_many_wait() -> None:
    each = watcher()
    for number in range(100):
        each.answer({"re": number})
    assert [each.next() for _ in range(100)] == [f'{{"re": {number}}}' for number in range(100)]


def test_one_that_comes_later_is_sent_the_scene_before_anything_else() -> None:
    each = watcher(state="s", scene="new", frame=b"f")
    each.greet()
    assert [each.next() for _ in range(3)] == ["new", "s", b"f"]


def test_a_simulation_that_hung_does_not_race_to_catch_up() -> None:
    """After a hang of any length a few frames are owed, whatever the speed, and one step at least can be made."""
    for speed in (0.25, 1.0, 8.0):
        for dt in (1 / 240, 1 / 20, 1.0):
            assert owed(0.0, 0.01, speed, dt) == 0.01 * speed
            hung = owed(0.0, 60.0, speed, dt)
            assert dt <= hung <= dt + 0.25 * max(speed, 1.0)
            assert owed(hung, 60.0, speed, dt) == hung


@pytest.mark.parametrize(("about", "steps"), [({}, 0), ({"playing": False}, 0), ({"playing": True}, 3)])
def test_what_a_simulation_owes_is_what_it_steps(monkeypatch: Any, about: dict[str, Any], steps: int) -> None:
    """Its thread makes as many steps as are owed, no more, though much more time has passed; none until it is played."""
    world = sm.World(dt=1.0)
    world.add(sm.Vehicles([[0, 0]]), name="a")
    simulation = Simulation(world, **about)
    monkeypatch.setattr("steersman.studio.viewer.simulation.owed", lambda debt, passed, speed, dt: 3.5)
    monkeypatch.setattr("steersman.studio.viewer.simulation.FRAME", 60.0)
    monkeypatch.setattr(simulation, "_wait", lambda seconds=None: setattr(simulation, "_ended", True))
    simulation._live()
    assert world.steps == steps


@pytest.mark.parametrize("opens", [None, 1.0])
def test_an_error_of_a_picture_stops_the_run_and_is_said(monkeypatch: Any, opens: float | None) -> None:
    """It ended the thread of the simulation, and the page waited for the next frame without a word."""
    world = sm.World(dt=1.0)
    world.add(sm.Vehicles([[0, 0]]), name="a")
    simulation, told = Simulation(world, playing=True), []
    simulation.tell = lambda kind, message: told.append((kind, message))
    simulation._opens = opens

    def broken(*_: Any, **__: Any) -> bytes:
        raise ValueError("this cannot be drawn")

    monkeypatch.setattr("steersman.studio.viewer.simulation.frame_of", broken)
    monkeypatch.setattr("steersman.studio.viewer.simulation.owed", lambda debt, passed, speed, dt: 1.5)
    monkeypatch.setattr(simulation, "_wait", lambda seconds=None: setattr(simulation, "_ended", not simulation.playing))
    simulation._live()
    assert [json.loads(message)["message"] for kind, message in told if kind == "trouble"] == [
        "the simulation cannot be shown: this cannot be drawn"
    ]
    assert not json.loads(simulation.sent["state"])["playing"]
    assert (world.steps, simulation.playing) == (1, False)


def test_an_error_of_what_is_shown_beside_it_is_said_there() -> None:
    """The simulation that takes it along goes on."""
    shown, beside = (sm.World(dt=1.0) for _ in range(2))
    for world in (shown, beside):
        world.add(sm.Vehicles([[0, 0]]), name="a")
    simulation, other = Simulation(shown), Simulation(beside)
    other.stand_beside(simulation)
    other.past.problem = "it has forgotten"
    for _ in range(3):
        assert other.step()
    other.past.instants.append(SimpleNamespace())
    simulation._lead()
    assert "this run cannot go back: it has forgotten" in other.sent["trouble"]


def test_a_thread_ends_while_a_request_is_put_off() -> None:
    """A request that came while a script stepped the world was left, and the thread looked at it for ever."""
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), name="a")
    simulation = Simulation(world)
    simulation._put_off.append(SimpleNamespace())
    simulation._ended = True
    thread = threading.Thread(target=simulation._catch_up, daemon=True)
    thread.start()
    thread.join(timeout=PATIENCE)
    alive = thread.is_alive()
    simulation._put_off.clear()
    assert not alive
