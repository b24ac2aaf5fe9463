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


def lines(it):
    """The ring and the line of the course in the last explanation, shape (k, 2) each; none without a course."""
    shown = [each for each in json.loads(it.sent["why"])["elements"] if each["says"] == course.MEANS]
    points = [
        np.frombuffer(base64.b64decode(each["points"]["f32"]), "<f4") for each in shown if each["kind"] == "lines"
    ]
    return [each.reshape(-1, 2) for each in points]


def words(it):
    return [
        word for each in json.loads(it.sent["why"])["elements"] for word in each.get("words", ()) if "course" in word
    ]


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
    ring, *pieces = found.left(0.0)
    ends = [(float(each.points[0, 0, 0]), float(each.points[0, -1, 0])) for each in pieces]
    assert np.allclose(ends, [(2.0, 9.99), (0.0, 7.0)], atol=0.1)
    assert ring.center[0] == pytest.approx([7.0, 5.0], abs=1e-3)
    assert ring.radius == 0.5
    assert [each.label for each in (ring, *pieces)] == ["its course, 3 s", "", ""]
    assert found.left(2.0)[0].label == "its course, 1 s"
    assert len(found.left(2.0)) == 2
    assert found.left(2.95) == []  # It is there, but for half of its radius.
    assert found.left(9.0) == []


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
    ring, line = lines(it)
    assert words(it) == ["its course, 3 s"]
    assert len(line) > 100
    there = it.world[it.selected[0]]
    assert np.allclose(line[0], there.position[there.rows(it.selected[1])[0]])
    it.playing = True
    for _ in range(60):
        it.step()
    it.publish(whole=True)
    it._catch_up()
    left = lines(it)
    assert words(it) == ["its course, 2 s"]
    assert np.array_equal(left[0], ring)
    assert np.array_equal(left[1], line[60:])
    assert np.allclose(left[1][0], there.position[there.rows(it.selected[1])[0]])
    it.playing = False
    it._catch_up()
    again = lines(it)[1]
    assert words(it) == ["its course, 3 s"]  # It stands again, and is told of three seconds from here.
    assert np.array_equal(again[: len(left[1])], left[1])


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
    before = lines(it)[1]
    name, number = it.selected
    where = it.world[name].position[it.world[name].rows(number)[0]].tolist()
    assert ask(it, "move", population=name, id=number, position=[where[0], where[1] + 3.0])["type"] == "done"
    after = lines(it)[1]
    assert np.allclose(after[0], [where[0], where[1] + 3.0])
    assert not np.allclose(after[-1], before[-1], atol=0.5)
    ask(it, "undo")
    assert np.allclose(lines(it)[1], before)


def test_a_change_while_it_plays_ends_it(it):
    it.playing = True
    it.step()
    name, number = it.selected
    assert lines(it)
    ask(it, "move", population=name, id=number, position=[20.0, 20.0])
    it.publish(whole=True)
    assert lines(it) == []


def test_each_vehicle_that_is_chosen_has_its_own(it):
    first = lines(it)[1]
    name, number = it.selected
    other = next(int(each) for each in it.world[name].id if each != number)
    ask(it, "select", population=name, id=other)
    assert np.allclose(lines(it)[1][0], it.world[name].position[it.world[name].rows(other)[0]])
    ask(it, "select", population=name, id=number)
    assert np.array_equal(lines(it)[1], first)


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
    assert lines(it) == []


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
    assert len(lines(it)[1]) > 20
    it = Simulation(flock(n=20), remake=flock, address=Address())
    assert observed(it) == []  # Nobody knows what an observer keeps for itself.
    assert lines(it) == []


def test_a_world_of_a_program_does_not_step_on(flock):
    it = Simulation(flock(n=20), remake=flock)
    it.step()
    ask(it, "select", population="boids", id=3)
    assert lines(it) == []
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
    assert np.allclose(lines(other)[1][0], place)
    assert not np.allclose(lines(other)[1], lines(it)[1])
