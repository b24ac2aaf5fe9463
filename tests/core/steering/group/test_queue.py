"""Queue: who waits for whom, how fast, and that a crowd drains through a door."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.group.queue import ordinal
from steersman.runs.metrics.contacts import Contacts


def speeds(position, behavior, **columns):
    """The velocities that are wanted: the vehicles are at rest, mass and response time are 1."""
    vehicles = sm.Vehicles(position, max_force=1e6, max_speed=2.0, response_time=1.0, dtype=np.float64, **columns)
    return sm.Controller(vehicles, behavior).steer(0.01).copy()


def test_speed_is_the_gap_over_the_headway():
    """2.2 m apart, 1 m of it the two radii, 0.2 m spacing: 1 m is free, at 2 s of headway 0.5 m/s."""
    found = speeds([[5.0, 0.0], [7.2, 0.0]], sm.Queue([0.0, 0.0], headway=2.0, spacing=0.2))
    np.testing.assert_allclose(found, [[-2.0, 0.0], [-0.5, 0.0]], atol=1e-12)


def test_who_is_nearer_to_the_doorway_does_not_wait_and_of_equals_the_lower_id():
    door = sm.Queue([0.0, 0.0], spacing=0.0)
    beside = speeds([[3.0, 0.4], [3.1, -0.4]], door)
    assert np.hypot(*beside[0]) == pytest.approx(2)
    np.testing.assert_allclose(beside[1], 0, atol=1e-12)
    tie = speeds([[3.0, 0.4], [3.0, -0.4]], door, id=[7, 3])
    np.testing.assert_allclose(np.hypot(*tie.T), [0, 2], atol=1e-12)


def test_those_in_the_next_lane_are_no_hindrance():
    free = speeds([[5.0, 0.0], [6.0, 1.3]], sm.Queue([-50.0, 0.0], spacing=0.2))
    np.testing.assert_allclose(np.hypot(*free.T), 2)


def test_one_from_the_side_that_goes_first_has_the_doorway_to_itself():
    """1 m of radii: 0.5 m are left before the place that the first takes in the doorway, though it is in no lane yet."""
    found = speeds([[-1.5, 0.0], [0.0, 1.4]], sm.Queue([0.0, 0.0], spacing=0.0))
    np.testing.assert_allclose(found, [[1.0, 0.0], [0.0, -2.0]], atol=1e-12)


def test_one_that_merges_is_waited_for_where_its_way_enters_the_lane():
    """Ways at 45 degrees: the way of the first is in a lane 1.2 m wide from (-1.2, -1.2) * sqrt(2) on."""
    here, enters = np.array([-2.2, 2.2]), np.array([-1.2 * np.sqrt(2), 0.0])
    found = speeds([here, [-2.5, 0.0]], sm.Queue([0.0, 0.0], headway=2.0, spacing=0.2, exit=[1, 0]))
    np.testing.assert_allclose(np.hypot(*found.T), [(np.hypot(*(enters - here)) - 1.2) / 2, 2.0], atol=1e-5)


@pytest.mark.parametrize(("degrees", "bend"), [(90, 0.5), (60, 0.25), (0, 0.0)])
def test_one_that_comes_askew_has_room_for_its_bend_into_the_exit(degrees, bend):
    """At 2 m/s with 8 N its circle is 0.5 m wide, and its way ends beyond the doorway by 0.5 m * (1 - cos)."""
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    place = np.array([[-1e-9, 1.6], -1.5 * way - [1e-9, 0]])
    vehicles = sm.Vehicles(place, max_force=8.0, max_speed=2.0, response_time=1.0, dtype=np.float64)
    found = sm.Controller(vehicles, sm.Queue([0.0, 0.0], exit=[1, 0], headway=1.0, spacing=0.0)).steer(0.01)
    assert np.hypot(*found[0]) == pytest.approx(np.hypot(*(place[0] - bend * way)) - 1)


@pytest.mark.parametrize("several", [False, True])
def test_one_that_goes_to_another_doorway_is_waited_for_only_where_it_comes_into_the_lane(several):
    """To the same doorway its way enters the lane at (-1, 1), sqrt(5) m away."""
    for other, speed in ((2.0, 2.0), (0.0, (np.sqrt(5) - 1) / 2)):
        world = sm.World(dt=0.01)
        vehicles = sm.Vehicles([[-3.0, 0.0], [-2.0, 2.0]], max_force=1e6, max_speed=2.0, response_time=1.0, dtype=float)
        strangers = sm.Vehicles([[50.0, 50.0]], dtype=float)
        world.add(strangers)
        options = {"headway": 2.0, "spacing": 0.0, "of": [strangers, vehicles] if several else None}
        world.add(vehicles, steering=sm.Queue([[0.0, 0.0], [0.0, other]], exit=[1, 0], **options))
        world.step()
        assert np.hypot(*vehicles.velocity[0]) == pytest.approx(0.01 * speed, rel=1e-4)


def test_the_first_stops_at_a_counter_and_goes_through_a_door():
    np.testing.assert_allclose(speeds([[0.2, 0.0]], sm.Queue([0.0, 0.0], headway=0.5)), [[-0.4, 0.0]])
    np.testing.assert_allclose(speeds([[0.2, 0.0]], sm.Queue([0.0, 0.0], exit=[-1, 0])), [[-2.0, 0.0]])
    np.testing.assert_array_equal(speeds([[-0.2, 0.0]], sm.Queue([0.0, 0.0], exit=[-1, 0])), 0)


def test_who_is_through_but_stands_in_the_way_is_waited_for():
    found = speeds([[1.0, 0.0], [-0.2, 0.0]], sm.Queue([0.0, 0.0], exit=[-1, 0], spacing=0.2))
    np.testing.assert_allclose(found, 0, atol=1e-12)


def test_a_crowd_drains_through_a_doorway_without_pushing():
    rng = np.random.default_rng(2)
    grid = np.stack(np.meshgrid(np.arange(6), np.arange(6)), axis=-1).reshape(-1, 2)
    vehicles = sm.Vehicles(
        grid + rng.uniform(-0.2, 0.2, (36, 2)) - [8, 3], radius=0.25, max_speed=1.4, max_force=8.0, response_time=0.1
    )
    world = sm.World(dt=1 / 30)
    world.add(vehicles, steering=sm.Priority([sm.Queue([0.0, 0.0], exit=[1, 0]), sm.MatchVelocity([1.4, 0.0])]))
    contacts = Contacts(vehicles)
    world.on_step(contacts)
    world.run(seconds=45)
    assert (vehicles.position[:, 0] > 0).all()
    assert contacts.deepest < 0.1


@pytest.mark.parametrize("spacing", [0.0, 0.2])
@pytest.mark.parametrize("body", [sm.PointMass(), sm.PointMass(limits=[sm.TurnRate()]), sm.Wheeled()], ids=str)
def test_a_crowd_from_all_sides_does_not_overlap_where_its_ways_meet(body, spacing):
    rng, size, start = np.random.default_rng(4), 1.4, np.zeros((0, 2))
    for place in rng.uniform([-28, -14], [-2, 14], (600, 2)):
        if len(start) < 40 and (np.linalg.norm(start - place, axis=1) > 1.6 * size).all():
            start = np.vstack([start, place])
    cars = sm.Vehicles(start, forward=-start, radius=size / 2, max_speed=1.5, max_force=1.8)
    queue = sm.Queue([0.0, 0.0], exit=[1, 0], spacing=spacing)
    world, contacts = sm.World(dt=1 / 30), Contacts(cars)
    world.add(cars, steering=sm.Priority([queue, sm.MatchVelocity([1.5, 0.0])]), locomotion=body)
    world.on_step(contacts)
    world.run(seconds=50)
    assert (cars.position[:, 0] > 0).sum() >= 25
    assert contacts.deepest < 0.03


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="exit must be a direction"):
        sm.Queue([0.0, 0.0], exit=[0, 0])
    with pytest.raises(ValueError, match="headway must be > 0 s"):
        sm.Queue([0.0, 0.0], headway=0)
    with pytest.raises(ValueError, match="exit must have 2 dimensions like the vehicles, got 3"):
        speeds([[1.0, 0.0]], sm.Queue([0.0, 0.0], exit=[0, 0, 1]))


@pytest.mark.parametrize("lines", [1, 3])
def test_the_flow_is_that_of_each_line_and_nobody_overlaps(lines):
    """1.34 / (0.4 + 0.2 + 1.34 * 0.5) = 1.06 a second, at any width of a door; of three lines three times that."""
    start = np.stack(np.meshgrid(np.arange(8) * 0.8 - 6.5, np.arange(10) * 0.7 - 3.1), axis=-1).reshape(-1, 2)
    start += np.random.default_rng(1).uniform(-0.1, 0.1, start.shape)
    people = sm.Vehicles(start, radius=0.2, max_speed=1.34, max_force=15.0, response_time=0.1)
    middles = 0.8 * (np.arange(lines) - (lines - 1) / 2)
    nearest = middles[np.abs(start[:, 1:] - 3 * middles).argmin(axis=1)]
    queue = sm.Queue(np.stack([0 * nearest, nearest], axis=1), exit=[1, 0])
    world, through, contacts = sm.World(dt=0.05), [], Contacts(people)
    world.add(people, steering=sm.Priority([queue, sm.MatchVelocity([1.34, 0.0])]))
    world.on_step(contacts)
    while (people.position[:, 0] > 0).sum() < 60 and world.time < 100:
        world.step()
        through.append((people.position[:, 0] > 0).sum())
    begun = np.searchsorted(through, 15)
    flow = (through[-1] - through[begun]) / (0.05 * (len(through) - 1 - begun))
    assert flow == pytest.approx(lines * 1.34 / (0.6 + 1.34 * 0.5), rel=0.1)
    assert contacts.deepest < 0.01


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_sketch_numbers_the_turns_and_rings_those_in_the_lane(dimensions):
    place = np.zeros((9, dimensions))
    place[:, :2] = [[-9, 0], [-8, 0.3], [-6, 0], [-4, 3], [-2, 0], [-1.2, 0.2], [-0.5, 0], [2, 0], [-10, 0]]
    world = sm.World()
    door, exit = np.zeros(dimensions), np.eye(dimensions)[0]
    world.add(sm.Vehicles(place, radius=0.3), name="people", steering=sm.Queue(door, exit=exit, radius=12))
    shapes = [shape for sketch in world.sketch("people", [0]) for shape in sketch.shapes]
    assert [each.label for each in shapes if isinstance(each, sm.shapes.Cross)] == ["door: it goes 7th"]
    rings = {
        each.label: each.center[:, :2].round(3).tolist()
        for each in shapes
        if isinstance(each, sm.shapes.Circle) and each.role == "chosen"
    }
    assert rings == {
        "goes 2nd": [[-1.2, 0.2]],
        "goes 3rd": [[-2, 0]],
        "goes 5th": [[-6, 0]],
        "goes 6th": [[-8, 0.3]],
        "": [[-0.5, 0]],
    }
    (lane,) = (each for each in shapes if isinstance(each, sm.shapes.Tube))
    assert lane.radius == pytest.approx(0.8)
    np.testing.assert_array_equal(lane.end, door[None])


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (113, "113th")],
)
def test_places_in_the_order_have_their_words(number, word):
    assert ordinal(number) == word
