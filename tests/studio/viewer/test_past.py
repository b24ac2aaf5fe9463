"""The past: the run continues from earlier instants with the same bits, and changes are undone exactly."""

import copy
import json
from types import SimpleNamespace

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.studio.viewer import past, simulation
from steersman.studio.viewer.events import Events
from steersman.studio.viewer.past import LARGEST, Past
from steersman.studio.viewer.requests import Request, obey
from steersman.studio.viewer.simulation import Simulation
from steersman.studio.viewer.verdict import Verdict


def ask(simulation, do, **about):
    """What the simulation answers to a request."""
    answers = []
    obey(simulation, Request({"do": do, **about}, answers.append))
    return answers[0]


def stepped(simulation, steps):
    """The state hashes of the next instants, by the number of steps."""
    hashes = {}
    for _ in range(steps):
        simulation.step()
        hashes[simulation.world.steps] = state_hash(simulation.world)
    return hashes


@pytest.fixture(name="shown")
def _shown(flock, monkeypatch):
    """A simulation that takes snapshots as often as it may."""
    monkeypatch.setattr(past, "PART", 1e9)
    monkeypatch.setattr(past, "TOUCHED", 1e9)
    return Simulation(flock(n=20), remake=flock)


def test_every_instant_of_the_past_is_reached_and_the_run_continues_with_the_same_bits(shown):
    hashes = stepped(shown, 100)
    assert len(shown.past.instants) > 3
    for steps in (99, 3, 50, 100, 31):
        assert ask(shown, "go", steps=steps)["type"] == "done"
        assert (shown.world.steps, state_hash(shown.world)) == (steps, hashes[steps])
    assert stepped(shown, 69) == {steps: each for steps, each in hashes.items() if steps > 31}
    assert ask(shown, "go", steps=10_000)["type"] == "done"
    assert shown.world.steps == 100
    for by, steps in ((-3, 97), (1, 98), (-1_000, 0), (-1, 0)):
        assert ask(shown, "go", by=by)["type"] == "done"
        assert (shown.world.steps, state_hash(shown.world)) == (steps, hashes.get(steps, state_hash(shown.world)))


def test_steps_back_begin_at_a_snapshot_that_is_near(flock):
    shown = Simulation(flock(n=20), remake=flock)
    shown.past._worked, shown.past._cost = -1e9, 1.0  # None is due.
    hashes = stepped(shown, 200)
    assert [each.steps for each in shown.past.instants] == [0]
    for steps in (150, 149, 140, 60, 190):
        shown.go(steps)
        assert state_hash(shown.world) == hashes[steps]
    assert [each.steps for each in shown.past.instants] == [0, 40, 130, 170]


def test_readings_and_the_recording_go_back_too(shown):
    obey(shown, Request({"do": "record", "on": True}, lambda _: None))
    stepped(shown, 90)
    assert shown.film.times[-1] == pytest.approx(1.5)
    shown.go(30)
    assert max(shown.world.meters["boids.mean_speed"].times) <= 0.5
    assert shown.film.times[-1] == pytest.approx(0.5)
    assert len(shown.film.moments["boids"]) == len(shown.film.times)


CHANGES = {
    "move": {"population": "boids", "id": 3, "position": [1, 2]},
    "put": {"handle": "obstacle 0 0", "position": [10, 10]},
    "add": {"population": "boids", "position": [5, 5]},
    "remove": {"population": "boids", "id": 3},
    "set": {"population": "boids", "key": 0, "name": "radius", "value": 9},
    "weight": {"population": "boids", "key": 0, "value": 7},
    "switch": {"population": "boids", "key": 0, "on": False},
}


def about(simulation, do):
    """The message of a change; nodes are found by their labels."""
    message = CHANGES[do]
    if "key" in message:
        nodes = simulation.world.populations["boids"].nodes
        message = {**message, "key": next(each.key for each in nodes if each.label == "Separation")}
    return message


def test_the_verdict_of_an_instant_knows_of_no_later_deed():
    verdict = Verdict()
    verdict.touch(1.0, "one")
    kept = copy.copy(verdict)
    verdict.touch(2.0, "two")
    ended = SimpleNamespace(world=SimpleNamespace(time=9.0, dt=0.1), seconds=9.0, check=bool, problems=list)
    assert [each.of(ended)["deeds"] for each in (kept, verdict)] == [["one"], ["one", "two"]]


@pytest.mark.parametrize("do", CHANGES)
def test_each_change_is_undone_and_what_follows_is_as_if_it_had_never_been(shown, do):
    hashes = stepped(shown, 100)
    shown.go(40)
    tree, rock = shown.world.populations["boids"].steering, shown.stage.scenery["rock"]
    assert ask(shown, do, **about(shown, do))["type"] == "done"
    other = stepped(shown, 60)
    assert other[100] != hashes[100]
    shown.go(65)  # In the run with the change; the one before had a snapshot at 60.
    assert state_hash(shown.world) == other[65]
    assert shown.past.change
    assert ask(shown, "undo")["type"] == "done"
    assert (shown.world.steps, state_hash(shown.world)) == (40, hashes[40])
    assert shown.world.populations["boids"].steering is tree
    assert shown.stage.scenery["rock"] is rock
    first, now = (json.loads(shown.sent[kind])["elements"] for kind in ("scene", "scenery"))
    assert first == now
    assert shown.verdict.touched is None
    assert stepped(shown, 60) == {steps: each for steps, each in hashes.items() if steps > 40}
    assert shown.past.change == ""
    assert "nothing to undo" in ask(shown, "undo")["message"]


def test_the_run_after_a_change_is_not_made_up_while_no_snapshot_follows_it(flock):
    shown = Simulation(flock(n=20), remake=flock)
    hashes = stepped(shown, 10)
    shown.past._cost = 1e9  # None is due any more.
    ask(shown, "move", **CHANGES["move"])
    stepped(shown, 20)
    ask(shown, "go", steps=25)
    assert (shown.world.steps, state_hash(shown.world)) == (10, hashes[10])  # The last instant that is known.


def test_after_a_change_is_undone_the_run_is_known_beyond_it_while_no_snapshot_follows(flock):
    shown = Simulation(flock(n=20), remake=flock)
    hashes = stepped(shown, 10)
    shown.past._cost = 1e9  # None is due any more.
    ask(shown, "move", **CHANGES["move"])
    stepped(shown, 5)
    ask(shown, "undo")
    assert state_hash(shown.world) == hashes[10]
    after = stepped(shown, 20)
    ask(shown, "go", steps=25)
    assert (shown.world.steps, state_hash(shown.world)) == (25, after[25])


def test_a_change_of_a_run_that_was_left_cannot_be_undone(flock):
    shown = Simulation(flock(n=20), remake=flock)
    stepped(shown, 20)
    ask(shown, "move", **CHANGES["move"])
    ask(shown, "go", steps=10)
    ask(shown, "remove", population="boids", id=2)
    ask(shown, "undo")
    stepped(shown, 15)
    assert shown.past.change == ""


def test_events_of_a_run_that_was_left_are_forgotten_by_a_change_and_by_its_undoing(shown):
    def noted():
        return [words for *_, words in shown.events.events if words in ("one", "two", "three")]

    for kind, words in (("contact", "one"), ("mode", "two")):
        stepped(shown, 10)
        shown.events.add(shown.world, kind, words)
    ask(shown, "go", steps=15)
    assert noted() == ["one", "two"]  # The run beyond is still known.
    ask(shown, "move", **CHANGES["move"])
    assert noted() == ["one"]
    stepped(shown, 10)
    shown.events.add(shown.world, "birth", "three")
    ask(shown, "undo")
    assert noted() == ["one"]


def test_a_drag_is_one_change_and_a_refused_change_is_none(shown):
    stepped(shown, 5)
    before = state_hash(shown.world)
    place = shown.handles["obstacle 0 0"].place.tolist()
    ask(shown, "put", handle="obstacle 0 0", position=place)  # It was taken, and not moved.
    assert not shown.past.undone
    for x in range(5):
        ask(shown, "move", population="boids", id=3, position=[x, 2])
        ask(shown, "put", handle="obstacle 0 0", position=[10 + x, 10])
        shown.step()
    assert "must lie within" in ask(shown, "move", population="boids", id=3, position=[1e300, 0])["message"]
    assert len(shown.past.undone) == 10
    shown.past.undone.clear()
    for x in range(5):
        ask(shown, "move", population="boids", id=3, position=[x, 2])
    assert len(shown.past.undone) == 1
    ask(shown, "undo")
    assert state_hash(shown.world) != before


def test_what_is_moved_in_one_hold_of_the_pointer_is_one_change_however_long_it_takes(shown, monkeypatch):
    monkeypatch.setattr(past, "GESTURE", 0.0)
    stepped(shown, 5)
    before = state_hash(shown.world)
    for hold in "ab":
        for x in range(3):
            ask(shown, "move", population="boids", id=3, position=[x, 2], hold=hold)
    assert len(shown.past.undone) == 2
    for _ in "ab":
        assert ask(shown, "undo")["type"] == "done"
    assert state_hash(shown.world) == before


def test_an_undone_change_of_a_parameter_leaves_the_address(flock):
    from steersman.studio.viewer.address import Address

    shown = Simulation(flock(n=20), remake=flock, address=Address("flock"))
    stepped(shown, 3)
    ask(shown, "set", **about(shown, "set"))
    assert "radius" in str(shown.address)
    ask(shown, "undo")
    assert "radius" not in str(shown.address)


def test_its_memory_is_bounded_and_thinned_snapshots_reach_the_same_instants(flock, monkeypatch):
    monkeypatch.setattr(past, "LARGEST", 200_000)
    monkeypatch.setattr(past, "PART", 1e9)
    shown = Simulation(flock(n=200), remake=flock)
    hashes = stepped(shown, 700)
    sizes = [each.size for each in shown.past.instants]
    assert sum(sizes) <= 200_000
    assert 3 <= len(sizes) < 700 / 30
    for steps in (1, 44, 333, 699):
        shown.go(steps)
        assert state_hash(shown.world) == hashes[steps]


def test_only_the_last_minute_is_kept():
    world = sm.World(dt=1.0)
    world.add(sm.Vehicles([[0.0, 0]], [1, 0], max_speed=1), name="a", steering=sm.Wander())
    known = Past(world)
    for _ in range(150):
        known.take(Verdict(), {})
        world.step()
        known.stepped(1.0)
    assert known.first == (89, 89.0)


def test_after_a_change_a_snapshot_is_due_at_once():
    world = sm.World(dt=0.01)
    world.add(sm.Vehicles([[0.0, 0]], [1, 0], max_speed=1), name="a", steering=sm.Wander())
    known = Past(world)
    known.take(Verdict(), {})
    world.step()
    known.stepped(1.0)
    assert not known.due()
    known.touch()
    assert known.due()


@pytest.mark.parametrize("n", [100, 10_000])
def test_snapshots_are_rare_enough_for_their_cost(n, monkeypatch):
    """A snapshot is due when it costs a fiftieth of the steps since the last one: here each step takes as long."""
    world = sm.World()
    world.add(sm.Vehicles(np.zeros((n, 2))), name="a", steering=sm.Seek([1.0, 1]))
    known = Past(world)
    taken = 0
    for _ in range(400):
        if known.due():
            known.take(Verdict(), {})
            known._cost, taken = 0.05 if taken else None, taken + 1
        world.steps, world.time = world.steps + 1, world.time + world.dt
        known.stepped(0.02)
    assert taken == 4  # At the beginning, after half a second of the run, and then after each 2.5 s of steps.
    assert sum(each.size for each in known.instants) < LARGEST


def test_a_world_that_cannot_be_saved_says_why(flock):
    shown = Simulation(flock(n=5), remake=flock)

    class Strange:
        def __call__(self, world):
            pass

        def saved(self):
            return {"x": object()}

        def resume(self, saved):
            pass

    shown.world.on_step(Strange())
    stepped(shown, 3)
    assert "this run cannot go back" in ask(shown, "go", steps=1)["message"]
    assert shown.world.steps == 3
    assert not shown.past.due()  # It does not try again.
    assert "steps must be a whole number" in ask(shown, "go", steps="x")["message"]
    assert "by must be a whole number" in ask(shown, "go", by=0.5)["message"]


@pytest.mark.parametrize("fails", ["", "step", "go"])
def test_a_script_that_steps_the_world_ends_its_past(flock, fails):
    """Also after a step of the window, or a way back, that has failed."""

    def fail(world):
        if world.steps in due:
            due.remove(world.steps)
            raise ZeroDivisionError

    shown, due = Simulation(flock(n=5), remake=flock), [4] if fails == "step" else []
    shown.world.on_step(fail, sm.EverySteps(1))
    stepped(shown, 4)
    assert ("trouble" in shown.sent) == (fails == "step")
    if fails == "go":
        due.append(2)
        assert ask(shown, "go", steps=3)["type"] != "done"
    shown.world.step()
    assert "no earlier instant is known" in ask(shown, "go", steps=1)["message"]


@pytest.mark.parametrize(("domain", "kinds"), [(sm.Torus([20, 20]), ["contact"]), (sm.Box([20, 20]), [])])
def test_contacts_over_the_seam_of_a_torus_are_events(domain, kinds):
    world = sm.World(domain=domain, dt=0.1)
    world.add(sm.Vehicles([[0.6, 5], [17, 5]], max_speed=1, radius=0.5), name="a")
    events = Events(whole=True)
    events.look(world)
    world.step()
    world["a"].position[1] = [19.8, 5]
    events.look(world)
    assert [kind for _, _, kind, _ in events.events] == kinds


def test_events_are_noted_once_and_forgotten_after_a_change(monkeypatch):
    monkeypatch.setattr("steersman.studio.viewer.events.PART", 1e9)
    world = sm.World(dt=0.1)
    modes = sm.Modes(
        start="walk",
        modes={"walk": sm.Seek([100.0, 0]), "rest": sm.TargetSpeed(0.0)},
        transitions=[("walk", "rest", sm.After(0.45))],
    )
    world.add(sm.Vehicles([[0.0, 0], [0, 1.2]], max_speed=1, radius=0.5), name="a", steering=modes)
    events = Events()
    events.look(world)
    for k in range(13):
        world.step()
        if k == 9:
            world["a"].spawn([50.0, 50.0])
            world["a"].position[1] = [0, 0.3]
            world["a"].position[0] = [0, 0]
        events.look(world)
        events.look(world)
    kinds = {kind: words for _, _, kind, words in events.events}
    assert set(kinds) == {"mode", "birth", "contact"}
    assert kinds["mode"] == "2 a: walk to rest"
    assert kinds["birth"] == "a: 1 came"
    assert kinds["contact"] == "a: 0 and 1 touch"
    assert len(events.events) == 3
    first = events.events[0][0]
    events.cut(first)
    assert [each[2] for each in events.events] == ["mode"]
    assert events.since(100.0) == []


def test_events_of_one_kind_are_one_within_a_quarter_of_a_second():
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="a")
    events = Events()
    events.add(world, "birth", "first")
    world.run(steps=2)
    events.add(world, "birth", "second")
    world.run(steps=1)
    events.add(world, "birth", "third")
    assert [words for *_, words in events.events] == ["first, second", "third"]


def test_bodies_that_touch_by_rounding_make_no_event():
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0], [5.0, 0.0], [9.0, 0.0]], radius=0.5), name="a")
    events = Events(whole=True)
    events.look(world)
    for gap, said in ((1.0, 0), (0.99, 0), (0.9, 1), (0.8, 1)):
        world.step()
        world["a"].position[1] = [gap, 0.0]
        events.look(world)
        assert len(events.events) == said, gap


def test_the_pace_of_a_window_that_waits_is_none(shown, monkeypatch):
    steps, now = shown.world.steps, 1000.0
    monkeypatch.setattr(simulation.time, "perf_counter", lambda: now)
    shown._paced = (999.0, steps - 5)
    assert shown._pace() == 5.0
    now = 1002.0
    assert shown._pace() == 0.0
    shown._paced = (1002.0, steps + 20)  # It was set back.
    assert shown._pace() == 0.0


def test_what_was_undone_is_done_again(shown):
    """With the bits of the instant at which it was undone; another change ends that."""
    stepped(shown, 20)
    before = state_hash(shown.world)
    for radius in (5, 7):
        ask(shown, "set", population="boids", key=3, name="radius", value=radius)
        shown.past.undone[-1] = (*shown.past.undone[-1][:3], -1e9)  # No part of the same gesture.
    hashes = stepped(shown, 15)
    node = shown.world.populations["boids"].nodes[3].behavior
    after = state_hash(shown.world)
    for _ in range(2):
        for radius, words in ((5, "a parameter was changed"), (4, "")):
            assert ask(shown, "undo")["type"] == "done"
            assert (shown.world.populations["boids"].nodes[3].behavior.radius, shown.past.change) == (radius, words)
        assert state_hash(shown.world) == before
        for _ in range(2):
            assert ask(shown, "redo")["type"] == "done"
        assert state_hash(shown.world) == after
        assert shown.world.populations["boids"].nodes[3].behavior.radius == node.radius == 7
    assert ask(shown, "go", steps=30)["type"] == "done"
    assert state_hash(shown.world) in (hashes.get(shown.world.steps), before)
    ask(shown, "undo")
    ask(shown, "remove", population="boids", id=2)
    assert "nothing to redo" in ask(shown, "redo")["message"]


def test_changes_to_several_modes_are_counted_apart():
    def at(x, low, high):
        return sm.Where(lambda vehicles: (vehicles.position[:, 0] > low) & (vehicles.position[:, 0] < high))

    world = sm.World(dt=0.1)
    modes = sm.Modes(
        start="walk",
        modes={"walk": sm.TargetSpeed(0.0), "run": sm.TargetSpeed(0.0), "rest": sm.TargetSpeed(0.0)},
        transitions=[("walk", "run", at(0, 5, 15)), ("walk", "rest", at(0, 15, 99))],
    )
    world.add(sm.Vehicles([[9.0, 0], [20.0, 0], [22.0, 0], [0.0, 0]], max_speed=1), name="a", steering=modes)
    events = Events()
    for _ in range(3):
        events.look(world)
        world.step()
    events.look(world)
    said = [words for _, _, kind, words in events.events if kind == "mode"]
    assert sorted(", ".join(said).split(", ")) == ["2 a: walk to rest", "a 0: walk to run"]


def test_another_run_from_an_earlier_instant_has_events_of_its_own():
    """Also at the steps that the run before it had reached already."""
    world, events = sm.World(dt=1.0), Events()
    world.add(sm.Vehicles([[0.0, 0.0], [9.0, 9.0]]), name="a")
    world.run(steps=2)
    earlier = copy.deepcopy(world)
    for _ in range(4):
        events.look(world)
        world.step()
    events.cut(2)
    events.look(earlier)
    earlier["a"].remove(1)
    earlier.step()
    events.look(earlier)
    assert [(steps, kind) for steps, _, kind, _ in events.events] == [(3, "death")]


def test_visits_go_back_and_on_by_several_changes(flock):
    from steersman.studio.viewer.address import Address

    shown = Simulation(flock(n=20), remake=flock, address=Address("flocking"))
    stepped(shown, 3)
    seen = [str(shown.address)]
    for radius in (5, 6, 7):
        ask(shown, "set", population="boids", key=3, name="radius", value=radius)
        shown.past.undone[-1] = (*shown.past.undone[-1][:3], -1e9)  # No part of the same gesture.
        seen.append(str(shown.address))
    for k in (0, 2, 1, 3, 3, 0, 3):
        shown.visit(seen[k])
        assert str(shown.address) == seen[k]
        assert shown.world.populations["boids"].nodes[3].behavior.radius == (4, 5, 6, 7)[k]


def test_a_visit_leaves_out_the_changes_of_a_run_that_was_left(flock):
    from steersman.studio.viewer.address import Address

    shown = Simulation(flock(n=20), remake=flock, address=Address("flocking"))
    stepped(shown, 3)
    first = str(shown.address)
    for radius in (5, 6):
        ask(shown, "set", population="boids", key=3, name="radius", value=radius)
        shown.past.undone[-1] = (*shown.past.undone[-1][:3], -1e9)  # No part of the same gesture.
        stepped(shown, 4)
    ask(shown, "go", steps=5)
    assert ask(shown, "visit", address=first)["type"] == "done"
    assert str(shown.address) == first


def test_a_change_at_an_earlier_instant_is_none_of_the_gesture_before(flock):
    shown = Simulation(flock(n=20), remake=flock)
    stepped(shown, 20)
    ask(shown, "move", **CHANGES["move"])
    ask(shown, "go", steps=10)
    before = state_hash(shown.world)
    ask(shown, "move", **CHANGES["move"])
    assert shown.past.change == "a vehicle was moved"
    ask(shown, "undo")
    assert (shown.world.steps, state_hash(shown.world)) == (10, before)


def test_a_recording_has_no_frames_of_the_steps_on_the_way_to_an_earlier_instant(flock):
    shown = Simulation(flock(n=20), remake=flock)
    stepped(shown, 60)
    ask(shown, "record", on=True)
    stepped(shown, 6)
    ask(shown, "go", steps=59)
    assert shown.film.times == []
    assert ask(shown, "record", on=False)["type"] == "saved"
    assert shown.recording == ""


def test_a_recording_that_cannot_be_written_is_not_lost(flock, monkeypatch):
    shown = Simulation(flock(n=20), remake=flock)
    ask(shown, "record", on=True)
    stepped(shown, 6)
    with monkeypatch.context() as broken:
        broken.setattr("steersman.studio.viewer.replay.page_html", lambda *_: {}[0])
        assert ask(shown, "record", on=False)["type"] == "refused"
    assert shown.recording == "on"
    assert ask(shown, "record", on=False)["type"] == "saved"
    assert shown.recording == ""


def test_a_restart_that_is_refused_leaves_the_window_as_it_was(flock):
    from steersman.studio.viewer.address import Address

    def remake(n=20, seed=0):
        stage = flock(n=n, seed=seed)
        if n == 7:
            stage.world.populations["boids"].steering = None  # The changed node is not there any more.
        return stage

    shown = Simulation(remake(), remake=remake, address=Address("flocking", n=20, seed=0))
    ask(shown, "set", **about(shown, "set"))
    ask(shown, "select", population="boids", id=2)
    before = str(shown.address)
    assert ask(shown, "reset", n=7)["type"] == "refused"
    assert (shown.n, str(shown.address), shown.selected) == (20, before, ("boids", 2))
    assert ask(shown, "reset", n=8)["type"] == "done"


def test_a_vehicle_that_has_gone_is_told_with_its_time_and_is_there_again_at_an_earlier_instant(shown):
    """Also after some of its population have come since. Where its instant is reached again it has gone as before."""

    def why():
        shown.publish(whole=True)
        return json.loads(shown.sent["why"])

    boids, dt = shown.world["boids"], shown.world.dt
    shown.world.on_step(lambda world: boids.remove(4) if world.steps == 30 else None)
    ask(shown, "select", population="boids", id=4)
    stepped(shown, 20)
    assert "gone" not in why()
    stepped(shown, 40)
    told = why()
    assert (told["tree"], told["id"], told["steps"]) == (None, 4, 60)
    assert told["time"] == pytest.approx(60 * dt)
    assert 30 * dt <= told["gone"] + 1e-6 <= 31 * dt + 2e-6
    ask(shown, "add", population="boids", position=[1, 2])
    ask(shown, "select", population="boids", id=4)
    assert why()["gone"] == pytest.approx(60 * dt)  # It was chosen when it had gone.
    ask(shown, "select", population="boids", id=5)
    assert "gone" not in why()
