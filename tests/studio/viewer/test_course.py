"""The course: the window shows where the explained vehicle will go, and the run is the same as without it."""

import base64
import json

import numpy as np
import pytest
from sampling import drawn

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer import course
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.course import course_of
from steersman.studio.viewer.requests import Request
from steersman.studio.viewer.simulation import Simulation, first_of


def opened(name):
    """The stage of a scenario, at the instant at which its window opens."""
    stage = SCENARIOS[name].stage()
    while stage.world.time < stage.picture.opens - stage.world.dt / 2:
        stage.world.step()
    return stage


def ask(it, do, **about):
    """Handle a request, as the thread of a simulation does."""
    answers = []
    it._put_off.append(Request({"do": do, **about}, answers.append))
    it._catch_up()
    return answers[0]


@pytest.fixture(name="it")
def _it():
    """The simulation of a scenario that stands still where it opens."""
    remake = SCENARIOS["obstacle_avoidance"].stage
    it = Simulation(remake(), remake=remake, name="obstacle_avoidance", address=Address(scene="obstacle_avoidance"))
    while it.world.time < it.stage.picture.opens:
        it.step()
    it.publish()
    it._catch_up()
    return it


def numbers(table):
    return np.frombuffer(base64.b64decode(table["f32"]), "<f4")


def shown(it):
    """The elements of the course in the last explanation, by their kind; none without a course."""
    why = json.loads(it.sent["why"])
    found = {each["kind"]: each for each in why["elements"] if each["means"] == course.MEANS}
    assert [words for _, words in why["legend"]].count(course.MEANS) == (1 if found else 0)
    assert {each["of"] for each in found.values()} <= {why["tree"]["key"]}
    return found


def line(it):
    """The places of the course in the last explanation, shape (k, 2); none without a course."""
    found = shown(it)
    return numbers(found["lines"]["points"]).reshape(-1, 2) if found else np.zeros((0, 2))


def words(it):
    return shown(it)["texts"]["words"]


@pytest.mark.parametrize("name", drawn(SCENARIOS, 6, "where the explained vehicle will go"))
def test_it_is_the_way_that_the_vehicle_goes_and_the_run_does_not_know_of_it(name):
    stage, untouched = opened(name), opened(name)
    world, vehicle = stage.world, first_of(stage)
    found = course_of(stage, vehicle, 0, pure=True)
    assert found is not None
    assert found.time[-1] - found.time[0] >= course.LEAST
    assert state_hash(world) == state_hash(untouched.world)
    for time, place in zip(found.time, found.place, strict=True):
        vehicles = world[vehicle[0]]
        assert time == world.time
        assert np.array_equal(place, vehicles.position[vehicles.rows(vehicle[1])[0]])
        world.step()
    for _ in range(world.steps - untouched.world.steps):
        untouched.world.step()
    assert state_hash(world) == state_hash(untouched.world)


def test_slow_vehicles_have_longer_courses(monkeypatch):
    monkeypatch.setattr(course, "BUSY", 60.0)
    fast, slow = opened("obstacle_avoidance"), opened("docking")
    seconds = [np.ptp(course_of(each, first_of(each), 0, pure=True).time) for each in (fast, slow)]
    assert seconds[0] == pytest.approx(course.SECONDS[0], abs=fast.world.dt)
    found = course_of(slow, first_of(slow), 0, pure=True)
    way = np.linalg.norm(np.diff(found.place, axis=0), axis=1).sum()
    assert course.SECONDS[0] + 0.5 < seconds[1] <= course.SECONDS[1] + 1e-9
    assert seconds[1] > course.SECONDS[1] - 0.1 or way == pytest.approx(2 * course.LENGTHS * found.radius, rel=0.05)


def test_it_takes_no_more_work_than_is_allowed(monkeypatch):
    stage = opened("obstacle_avoidance")
    first, n, steps = first_of(stage), 40, []
    stage.world.on_step(lambda world: steps.append(world.steps))
    monkeypatch.setattr(course, "MOST", n * 60)
    assert np.ptp(course_of(stage, first, 0, pure=True).time) == pytest.approx(1.0, abs=stage.world.dt)
    assert len(steps) == 60
    monkeypatch.setattr(course, "MOST", n * 20)
    assert course_of(stage, first, 0, pure=True) is None
    assert len(steps) == 60
    monkeypatch.setattr(course, "MOST", 40_000)
    monkeypatch.setattr(course, "BUSY", 0.0)
    assert len(course_of(stage, first, 0, pure=True).place) == 1


def straight(**about):
    """A stage of one vehicle that goes east with 5 m/s, through a seam at x = 10 m."""
    world = sm.World(domain=sm.Torus([10.0, 10.0]))
    world.add(sm.Vehicles([[2.0, 5.0]], [[5.0, 0.0]], max_speed=5.0, radius=0.5), name="cars", **about)
    return sm.Stage(world)


def test_it_is_cut_where_the_vehicle_jumps():
    stage = straight()
    found = course_of(stage, ("cars", 0), 0, pure=True)
    assert np.ptp(found.time) == pytest.approx(3.0)
    assert np.flatnonzero(~found.joined).tolist() == [np.flatnonzero(np.diff(found.place[:, 0]) < 0)[0] + 1]
    assert not found.bends


def bent(radius=0.5):
    """A course of four seconds, east and then north, with a jump in between."""
    time = np.linspace(0.0, 4.0, 81)
    place = np.stack([np.minimum(time, 2.0), np.maximum(time - 2.0, 0.0)], axis=1)
    place[time > 3.0] += [0.0, -50.0]
    joined = np.ones(81, bool)
    joined[61] = False
    return course.Course(("cars", 0), 0, 0, time, place, joined, radius)


def test_what_is_left_of_it_is_drawn_in_pieces():
    lines, tip, text = bent().messages(1.0, (0.2, 0.4, 0.6))
    assert lines["counts"] == [41, 20]
    assert np.allclose(
        numbers(lines["points"]).reshape(-1, 2)[[0, 40, 41, 60]], [[1, 0], [2, 1], [2, -48.95], [2, -48]]
    )
    assert np.allclose(numbers(lines["color"]), [0.2, 0.4, 0.6, 1.0])
    assert lines["dash"] is not None
    assert np.allclose(numbers(tip["tips"]), [2, -48])
    assert np.allclose(numbers(tip["tails"]), [2, -48.75])  # One and a half radii before.
    assert np.allclose(numbers(text["position"]), [2, -48])
    assert text["words"] == ["its next 3 s"]
    assert {each["says"] for each in (lines, tip, text)} == {course.SAYS}


def test_nothing_is_left_within_the_vehicle_and_of_a_straight_way():
    assert bent().messages(3.4, (0, 0, 0))
    assert bent().messages(3.55, (0, 0, 0)) == []
    assert bent().messages(9.0, (0, 0, 0)) == []
    assert bent().bends
    assert not bent(radius=2.0).bends  # It is never farther from the straight way than it is wide.
    straight = bent()
    straight.place[:] = np.linspace([0.0, 0.0], [100.0, 20.0], 81)
    straight.joined[:] = True
    assert not straight.bends
    straight.place[40] += [-1.0, 5.0]
    assert not straight.bends  # 5 of 104 m
    straight.place[40] += [-0.4, 2.0]
    assert straight.bends
    assert straight.messages(0.0, (0, 0, 0))


def test_a_vehicle_that_comes_back_bends():
    back = bent()
    back.place[:] = np.concatenate([np.linspace([0.0, 0.0], [5.0, 0.0], 41), np.linspace([4.9, 0.0], [2.0, 0.0], 40)])
    back.joined[:] = True
    assert back.bends


def test_a_vehicle_that_leaves_has_a_course_up_to_there():
    stage = straight(flows=[sm.Sink(sm.Sphere([8.0, 5.0], 1.0))])
    found = course_of(stage, ("cars", 0), 0, pure=True)
    assert found.place[-1, 0] == pytest.approx(7.0, abs=0.1)
    assert len(stage.world["cars"]) == 1


def test_a_step_that_fails_ends_it_and_is_no_error():
    stage = straight()

    def fail(world):
        if world.time > 0.5:
            raise RuntimeError("it fails")

    stage.world.on_step(fail)
    found, before = course_of(stage, ("cars", 0), 0, pure=True), state_hash(stage.world)
    assert np.ptp(found.time) == pytest.approx(0.5, abs=0.04)
    assert (stage.world.steps, state_hash(stage.world)) == (0, before)


def test_a_world_that_cannot_return_has_none(monkeypatch):
    stage = straight()

    def refuse(subject):
        raise sm.SnapshotError("it cannot be named")

    monkeypatch.setattr(course, "Instant", refuse)
    assert course_of(stage, ("cars", 0), 0, pure=True) is None
    assert stage.world.steps == 0


def test_it_is_shown_while_the_world_stands_and_what_is_left_of_it_while_it_plays(it):
    whole = line(it)
    assert words(it) == ["its next 3 s"]
    assert len(whole) > 100
    there = it.world[it.selected[0]]
    assert np.allclose(whole[0], there.position[there.rows(it.selected[1])[0]])
    it.playing = True
    for _ in range(60):
        it.step()
    it.publish(whole=True)
    it._catch_up()
    left = line(it)
    assert words(it) == ["its next 2 s"]
    assert np.array_equal(left, whole[60:])
    assert np.allclose(left[0], there.position[there.rows(it.selected[1])[0]])
    it.playing = False
    it._catch_up()
    assert it._course.steps == it.world.steps  # It stands again, and is told of three seconds from here.
    assert np.array_equal(it._course.place[: len(left)].astype(np.float32), left)


def test_a_moment_that_is_not_compiled_yet_is_explained_before_that(flock, monkeypatch):
    it, sent = Simulation(flock(n=20), remake=flock, address=Address()), []
    it.selected = ("boids", 3)
    it.tell = lambda kind, message: sent.append(kind)
    monkeypatch.setattr(it, "_prepare", lambda: sent.append("compiled"))
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.0)
    it._rest()
    assert sent.index("why") < sent.index("compiled")


def test_nothing_else_hears_of_the_steps_on_the_way(it):
    steps, newest = it.world.steps, it.past.newest
    heard = []
    it._foreseen, it.tell = None, lambda kind, message: heard.append(kind)
    ask(it, "record", on=True)
    numbers = it.film.numbers
    assert it._foreseen is not None
    assert heard.count("why") == 1
    assert not {"frame", "track"} & {*heard}
    assert (it.world.steps, it.past.newest, it.film.numbers) == (steps, newest, numbers)
    assert it._track.packed(0, 0) is None


def test_a_change_leads_to_another_course(it):
    before = line(it)
    name, number = it.selected
    where = it.world[name].position[it.world[name].rows(number)[0]].tolist()
    assert ask(it, "move", population=name, id=number, position=[where[0], where[1] + 3.0])["type"] == "done"
    after = line(it)
    assert np.allclose(after[0], [where[0], where[1] + 3.0])
    assert not np.allclose(after[-1], before[-1], atol=0.5)
    ask(it, "undo")
    assert np.allclose(line(it), before)


def test_a_change_while_it_plays_ends_it(it):
    it.playing = True
    it.step()
    name, number = it.selected
    assert len(line(it))
    ask(it, "move", population=name, id=number, position=[20.0, 20.0])
    it.publish(whole=True)
    assert shown(it) == {}


def test_each_vehicle_that_is_chosen_has_its_own(it):
    first = line(it)
    name, number = it.selected
    other = next(int(each) for each in it.world[name].id if each != number)
    ask(it, "select", population=name, id=other)
    assert it._present_course.vehicle == (name, other)
    assert np.allclose(it._course.place[0], it.world[name].position[it.world[name].rows(other)[0]])
    ask(it, "select", population=name, id=number)
    assert np.array_equal(line(it), first)


def test_it_is_found_once_and_after_the_last_of_waiting_requests(it, monkeypatch):
    found = []
    monkeypatch.setattr(
        "steersman.studio.viewer.simulation.course_of",
        lambda *about, **more: found.append(it.world.steps) or course_of(*about, **more),
    )
    for _ in range(3):
        it.requests.put(Request({"do": "step"}, lambda answer: None))
    steps = it.world.steps
    it._wait(0.0)
    assert it.world.steps == steps + 3
    it._catch_up()
    assert found == [it.world.steps]


def test_a_script_that_steps_the_world_is_not_kept_waiting(it, monkeypatch):
    monkeypatch.setattr("steersman.studio.viewer.simulation.DRIVEN", 60.0)
    it.world.step()
    assert not it._foresees
    monkeypatch.setattr("steersman.studio.viewer.simulation.DRIVEN", 0.0)
    assert it._foresees
    it._prepared = False  # Kernels are to be compiled.
    assert not it._foresees


def test_a_world_that_others_observe_does_not_step_on(it):
    heard = []
    it.world.on_step(lambda world: heard.append(world.steps))
    it._foreseen = it._course = None
    it._catch_up()
    it.publish(whole=True)
    assert heard == []
    assert shown(it) == {}


def observed(it):
    """The steps of a world, while a vehicle is chosen in the window that shows it."""
    it.step()
    steps = []
    it.world.on_step(lambda world: steps.append(world.steps))
    it._observers += 1  # It is as if it had been there from the start.
    ask(it, "select", population="boids", id=3)
    assert json.loads(it.sent["why"])["id"] == 3
    return steps


def test_a_stage_that_is_made_anew_has_courses_where_its_functions_are_known(flock):
    it = Simulation(flock(n=20), remake=flock, address=Address())
    it.step()
    ask(it, "select", population="boids", id=3)
    assert len(line(it)) > 20
    it = Simulation(flock(n=20), remake=flock, address=Address())
    assert observed(it) == []  # Nobody knows what an observer keeps for itself.
    assert shown(it) == {}


def test_a_world_of_a_program_does_not_step_on(flock):
    it = Simulation(flock(n=20), remake=flock)
    it.step()
    ask(it, "select", population="boids", id=3)
    assert shown(it) == {}
    assert it._foreseen is None


def test_a_scenario_beside_another_one_has_its_own(it):
    remake = SCENARIOS["obstacle_avoidance"].stage
    other = Simulation(
        remake(seed=5), remake=remake, name="obstacle_avoidance", address=Address(scene="obstacle_avoidance", seed=5)
    )
    other.stand_beside(it)
    it._lead()
    it._catch_up()
    assert other.world.steps == it.world.steps
    place = other.world[other.selected[0]].position[other.world[other.selected[0]].rows(other.selected[1])[0]]
    assert np.allclose(other._present_course.place[0], place)
    assert not np.allclose(other._course.place[0], it._course.place[0])
