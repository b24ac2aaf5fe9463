"""Several sets of obstacles are obstacles: they answer like one set that has all parts."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.obstacles.obstacle import Several, as_obstacles
from steersman.core.world.surroundings import surroundings
from steersman.drawing.contents import contents_of

RNG = np.random.default_rng(5)
ROCKS = sm.Spheres(RNG.uniform(0, 20, (7, 2)), RNG.uniform(0.2, 1.0, 7))
HOUSE = sm.Walls([[4, 4], [8, 4], [8, 8], [4, 8]], closed=True, seen_from="outside")
CRATES = sm.Boxes(RNG.uniform(0, 20, (5, 2)), 0.6, 0.3)
SETS = (ROCKS, HOUSE, CRATES)
FIRST = (0, 7, 11)


@pytest.mark.parametrize("domain", [None, sm.Torus([20, 20])])
def test_the_nearest_of_all_sets_answers(domain):
    points = RNG.uniform(0, 20, (200, 2))
    ahead = RNG.normal(size=(200, 2))
    several = as_obstacles(SETS)
    for found, alone in (
        (several.nearest(points, domain), [each.nearest(points, domain) for each in SETS]),
        (several.cast(points, ahead, 9.0, domain), [each.cast(points, ahead, 9.0, domain) for each in SETS]),
    ):
        distances = np.stack([each.distance for each in alone])
        first = np.argmin(distances, axis=0)
        np.testing.assert_array_equal(found.distance, distances.min(axis=0))
        rows = np.arange(200)
        expected = np.stack(
            [np.where(each.which >= 0, each.which + k, -1) for each, k in zip(alone, FIRST, strict=True)]
        )
        np.testing.assert_array_equal(found.which, expected[first, rows])
        np.testing.assert_array_equal(found.normal, np.stack([each.normal for each in alone])[first, rows])
        assert len(set(first)) == 3


def test_parts_bodies_and_spheres_are_numbered_through():
    several = as_obstacles(SETS)
    assert len(several) == 16
    assert several.dimensions == 2
    assert several.groups.tolist() == [*range(7), 7, 7, 7, 7, *range(11, 16)]
    centers, radii = several.bounding_spheres()
    assert len(centers) == len(radii) == 7 + 1 + 5
    np.testing.assert_array_equal(several.position, centers)


def test_inside_is_inside_one_of_them():
    several = as_obstacles(SETS)
    assert several.inside([6.0, 6.0])
    with pytest.raises(ValueError, match="must be closed to have an inside, got 1 of 1 chains"):
        as_obstacles([ROCKS, sm.Walls([[0, 0], [1, 0]])]).inside([6.0, 6.0])


def test_all_are_seen_from_the_side_that_is_asked_for():
    both = as_obstacles([ROCKS, HOUSE.viewed_from("both")]).viewed_from("both")
    assert [each.seen_from for each in both.sets] == ["both", "both"]
    assert HOUSE.viewed_from("outside") is HOUSE
    assert as_obstacles([ROCKS, ROCKS]).is_round
    assert not as_obstacles([ROCKS, HOUSE]).is_round
    assert not ROCKS.viewed_from("inside").is_round


def test_one_stays_itself_and_several_of_several_are_flat():
    assert as_obstacles(ROCKS) is ROCKS
    assert as_obstacles([ROCKS]) is ROCKS
    several = as_obstacles([as_obstacles([ROCKS, HOUSE]), CRATES])
    assert isinstance(several, Several)
    assert several.sets == SETS
    assert as_obstacles(several) is several


def test_they_are_found_and_drawn_one_by_one():
    world = sm.World()
    population = world.add(sm.Vehicles([[0.0, 0.0]]), steering=sm.AvoidObstacles([ROCKS, HOUSE]))
    assert surroundings([population]) == (ROCKS, HOUSE)
    assert contents_of(as_obstacles([ROCKS, HOUSE])).scenery == (ROCKS, HOUSE)


def test_a_behavior_is_written_with_the_list_that_was_given():
    rocks, crate = sm.Spheres([1.0, 2.0]), sm.Boxes([3.0, 4.0])
    assert repr(sm.AvoidObstacles([rocks, crate])) == f"sm.AvoidObstacles([{rocks!r}, {crate!r}])"
    assert repr(sm.AvoidObstacles([rocks])) == f"sm.AvoidObstacles({rocks!r})"
    document = sm.to_document(sm.AvoidObstacles([rocks, crate]))
    assert len(document["obstacles"]) == 2


TANK, PILLARS = ([0.0, 0], 20.0), ([[5.0, 0], [-6, 4]], [3.0, 2.0])


def test_inside_of_a_room_its_pillars_may_be_nearest():
    """In one set of shells, and in several sets; whichever is named first."""
    shells = sm.Spheres([TANK[0], *PILLARS[0]], [TANK[1], *PILLARS[1]], seen_from="both")
    room, pillars = sm.Spheres(*TANK, seen_from="inside"), sm.Spheres(*PILLARS)
    for obstacles, names in (
        (shells, [0, 1, 2]), (as_obstacles([room, pillars]), [0, 1, 2]), (as_obstacles([pillars, room]), [2, 0, 1])
    ):  # fmt: skip
        found = obstacles.nearest([[1.9, 0.0], [-6, 1], [19, 0], [0, -18]])
        np.testing.assert_allclose(found.distance, [0.1, 1, -1, -2], atol=1e-12)
        assert found.which.tolist() == [names[1], names[2], names[0], names[0]]
        assert obstacles.inside([[1.9, 0.0], [19, 0], [21, 0]]).tolist() == [True, True, False]


def test_a_room_of_walls_hides_no_rock():
    room = sm.Walls([[0, 0], [20, 0], [20, 20], [0, 20]], closed=True)
    found = as_obstacles([room, sm.Spheres([9.0, 10], 2.0), HOUSE]).nearest([[10.0, 7], [4.5, 6], [1, 1]])
    np.testing.assert_allclose(found.distance, [np.sqrt(10) - 2, -0.5, -1])
    assert found.which.tolist() == [4, 8, 0]


def test_the_region_of_shells_is_what_any_is_around():
    """Seen from both sides, two discs that overlap are one region."""
    discs = sm.Spheres([[0, 0], [3, 0]], 2.0, seen_from="both")
    world = sm.World(dt=0.02, threads=1)
    walkers = sm.Vehicles([[-1.0, 0], [1.1, 0.2]], [[1.0, 0], [1, 0]], max_speed=1, max_force=4)
    world.add(walkers, steering=sm.Contain(discs))
    for _ in range(500):
        world.step()
        assert discs.inside(walkers.position.astype(float)).all()
