"""Trails."""

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.trails import SAMPLES, Trails, Ways


def running(domain=None, n=3, **about):
    world = sm.World(domain=domain, dt=0.1)
    position = np.column_stack([np.arange(n, dtype=float), np.zeros(n)])
    world.add(sm.Vehicles(position, [1, 0], max_speed=5), name="a")
    return world, Trails(world, **about)


def test_a_trail_follows_the_vehicle_and_ages():
    world, trails = running(seconds=1.0, n=1)
    world.run(steps=10)
    trail = trails.of("a")
    assert trail.segments[0, 0] == pytest.approx([0, 0])
    assert trail.segments[-1, 1] == pytest.approx([1, 0], abs=1e-5)
    assert trail.segments[1:, 0] == pytest.approx(trail.segments[:-1, 1])
    assert np.all(np.diff(trail.age) > 0)
    assert trail.age[-1] == 1


def test_trails_are_bounded_in_time_and_number():
    world, trails = running(seconds=2.0, n=50, followed=7)
    world.run(steps=400)
    trail = trails.of("a")
    lengths = trail.segments[:, 1, 0].max() - trail.segments[:, 0, 0].min()
    assert lengths == pytest.approx(49 + 2.0, abs=0.3)
    assert len(trail.segments) <= 7 * SAMPLES
    assert len(trail.segments) % 7 == 0
    assert trail.age.min() == pytest.approx(1 / 20)  # Ages are those of the trail, not of the world.


def test_whom_the_camera_follows_leaves_a_trail_also_where_few_do():
    world, _ = running(seconds=0, n=50)
    ways = Ways({"a": world["a"]}, world.domain, 2.0, 7, SAMPLES, {"a": 20})
    for _ in range(2):
        ways.note(world.time, {"a": world["a"]})
        world.step()
    assert 20 in ways.of("a").segments[:, 0, 0]
    assert len(ways.of("a").segments) == 8


def test_trails_break_at_the_seam_of_a_torus():
    world, trails = running(sm.Torus([4, 4]), seconds=3.0)
    world.run(steps=30)
    # Every vehicle comes to the seam once, or stands next to it in the end.
    lengths = np.linalg.norm(trails.of("a").segments[:, 1] - trails.of("a").segments[:, 0], axis=1)
    assert lengths.max() < 0.2
    assert 3 * 30 - 4 <= len(lengths) <= 3 * 30 - 1


def test_places_are_on_the_way_from_its_very_beginning():
    """The first of all notes is at the corner of a way; the next ones are along x."""
    world, trails = running(seconds=1.0, n=1)
    world["a"].velocity[0] = [0, 1]
    world.step()
    world["a"].velocity[0] = [1, 0]
    world.run(steps=4)
    found = trails.places("a", every=0.05)[::-1]
    way = [[0, 0.05 * k] for k in range(3)] + [[0.05 * k, 0.1] for k in range(1, 9)]
    np.testing.assert_allclose(found, way, atol=1e-6)


def test_places_between_notes_are_not_beyond_the_seam():
    world, trails = running(sm.Torus([4, 4]), seconds=3.0, n=1)
    world["a"].position[0, 0] = 3.0
    world.run(steps=15)
    x = trails.places("a", every=0.03)[:-4, 0]
    assert (x < 0.6).any()
    assert ((x < 0.6) | (x > 2.9)).all()


def test_vehicles_may_come_and_go():
    world, trails = running(seconds=5.0)
    world.run(steps=3)
    world["a"].remove([1])
    world["a"].spawn([9, 9])
    world.run(steps=3)
    trail = trails.of("a")
    assert np.isfinite(trail.segments).all()
    assert len(trail.segments) == 6 + 6 + 3


@pytest.mark.parametrize("another", [False, True])
def test_a_population_that_is_there_no_more_leaves_no_trail_from_then_on(another):
    """Neither a way to others of its name; and an observer that fails would end the run."""
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]], [1, 0]), name="a")
    trails = sm.Trails(world, seconds=10.0)
    world.run(steps=5)
    before = trails.of("a").segments
    world.remove("a")
    if another:
        world.add(sm.Vehicles([[0.0, 9.0]], [1, 0]), name="a")
    world.run(steps=5)
    np.testing.assert_array_equal(trails.of("a").segments, before)


def test_ids_may_be_in_any_order():
    world = sm.World(dt=0.1)
    vehicles = sm.Vehicles([[0, 0], [0, 10], [0, 20]], [1, 0], max_speed=5, id=[7, 3, 5])
    world.add(vehicles, name="a")
    trails = Trails(world, seconds=1.0)
    world.run(steps=5)
    vehicles.remove(3)
    world.run(steps=5)
    segments = trails.of("a").segments
    assert set(segments[:, 0, 1]) == {0, 10, 20}
    np.testing.assert_array_equal(segments[:, 0, 1], segments[:, 1, 1])
    assert [segments[segments[:, 0, 1] == y, 1, 0].max().round(2) for y in (0, 10, 20)] == [1, 0.5, 1]


def test_no_trails():
    world, trails = running(seconds=0.0)
    world.run(steps=3)
    assert trails.of("a") is None
    assert trails.of("b") is None
