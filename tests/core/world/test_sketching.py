"""World.sketch: who is asked, what is shown of memory, and by whom."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.maths.shapes import Arrow, Circle, Cross, Line, Pose, ScaledArrow, segment
from steersman.core.parameters.parameters import parameter
from steersman.core.world.state_hash import state_hash


def shapes_of(sketches, label, kind, role=None):
    return [
        shape
        for each in sketches
        if each.label == label
        for shape in each.shapes
        if isinstance(shape, kind) and role in (None, shape.role)
    ]


def walker(position=(0, 0), velocity=(1, 0), **more):
    return sm.Vehicles(
        np.atleast_2d(position), np.atleast_2d(velocity), max_speed=4, max_force=100, dtype=float, **more
    )


def test_seek_shows_the_triangle_of_the_paper():
    world = sm.World()
    world.add(walker(velocity=[0, 2], mass=2.0, response_time=0.5), name="one", steering=sm.Seek([10, 0]))
    (sketch,) = world.sketch("one", 0)
    assert (sketch.label, sketch.depth, sketch.acts, sketch.id.tolist()) == ("Seek", 0, True, [0])
    arrows = {shape.role: shape for shape in sketch.shapes if isinstance(shape, ScaledArrow)}
    np.testing.assert_allclose(arrows["velocity"].value, [[0, 2]])
    np.testing.assert_allclose(arrows["desired"].value, [[4, 0]])
    np.testing.assert_allclose(arrows["steering"].value, [[16, -8]])  # N: mass * (desired - velocity) / response_time
    steering = arrows["steering"]
    np.testing.assert_allclose(steering.value * steering.as_speed[:, None], [[4, -2]])
    (target,) = (shape for shape in sketch.shapes if isinstance(shape, Cross))
    np.testing.assert_allclose(target.center, [[10, 0]])


def test_pursue_shows_where_the_quarry_will_be():
    quarry = walker([6, 0], [0, 2])
    world = sm.World()
    world.add(walker(), name="one", steering=sm.Pursue(quarry, prediction=sm.Constant(1.5)))
    (future,) = shapes_of(world.sketch("one"), "Pursue", Pose)
    np.testing.assert_allclose(future.position, [[6, 3]])


def test_on_a_torus_the_nearest_image_is_shown():
    world = sm.World(domain=sm.Torus([20, 20]))
    world.add(walker([1, 1]), name="one", steering=sm.Seek([19, 1]))
    (target,) = shapes_of(world.sketch("one"), "Seek", Cross)
    np.testing.assert_allclose(target.center, [[-1, 1]])


def test_memory_is_shown_as_the_next_step_leaves_it():
    world = sm.World(seed=3)
    one = walker(max_angular_speed=1.0)
    people = world.add(one, name="one", steering=sm.Wander())
    (shown,) = shapes_of(world.sketch("one"), "Wander", Cross)
    before = people.memory("Wander")["point"].copy()
    hashed = state_hash(world)
    world.sketch("one")
    assert state_hash(world) == hashed
    np.testing.assert_array_equal(people.memory("Wander")["point"], before)
    place = one.position.copy()
    axes = np.stack([one.forward, one.side], axis=1)
    world.step()
    after = people.memory("Wander")["point"]
    assert (after != before).any()
    point = place + 4.0 * (axes[:, 0] + 0.75 * np.einsum("nk,nkd->nd", after, axes))
    np.testing.assert_allclose(shown.center, point)


def test_parts_say_whether_they_act_and_what_was_kept_of_them():
    rocks = sm.Spheres([[5, 0.2]], [1])
    world = sm.World()
    two = walker([[0, 0], [0, 30]], [[2, 0], [2, 0]])
    world.add(two, name="two", steering=sm.Priority([sm.AvoidObstacles(rocks, magnitude="full"), sm.Seek([50, 30])]))
    sketches = world.sketch("two")
    told = {(each.label, each.acts, tuple(each.id.tolist())) for each in sketches}
    assert told == {
        ("Priority", True, (0, 1)),
        ("AvoidObstacles", True, (0,)),
        ("AvoidObstacles", False, (1,)),
        ("Seek", True, (1,)),
    }
    (chosen,) = shapes_of(sketches, "AvoidObstacles", Circle, "chosen")
    np.testing.assert_allclose([chosen.center[0, 0], chosen.center[0, 1], chosen.radius[0]], [5, 0.2, 1])
    assert [each.key for each in sketches] == sorted(each.key for each in sketches)


def test_of_several_parts_each_shows_its_share():
    world = sm.World()
    one = world.add(walker(), name="one", steering=2 * sm.Seek([10, 0], name="right") + sm.Seek([0, 10], name="up"))
    sketches = world.sketch("one")
    told = world.explain("one")
    for label in ("right", "up"):
        (share,) = shapes_of(sketches, label, ScaledArrow)
        assert (share.role, share.label, share.unit) == ("part", label, "N")
        np.testing.assert_allclose(share.value, told[label].contribution)
    one.steering = sm.Priority([sm.Seek([10, 0]), sm.Seek([0, 10])])
    assert not shapes_of(world.sketch("one"), "Seek", ScaledArrow)  # The whole says it.


@pytest.mark.parametrize("options", [{}, {"law": "inverse_square", "limit": 3.0}, {"falloff": 2.0, "strength": 5.0}])
def test_the_pushes_of_neighbors_make_the_separation(options):
    world = sm.World()
    some = walker([[0, 0], [2, 1], [-1, 3], [4, 4]], np.ones((4, 2)), mass=2.0)
    world.add(some, name="some", steering=sm.Separation(radius=5.0, **options))
    told = world.explain("some")
    for id in some.id:
        (pushes,) = shapes_of(world.sketch("some", id), "Separation", ScaledArrow, "part")
        np.testing.assert_allclose(pushes.value.sum(axis=0), told.raw[id], rtol=1e-6)


def test_conditions_are_shown_where_they_matter():
    wolf = walker([3, 0])
    steering = sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Flee(wolf)},
        start="graze",
        transitions=[("graze", "flee", sm.Near(wolf, 7)), ("flee", "graze", ~sm.Near(wolf, 11))],
    )
    world = sm.World()
    world.add(walker([[0, 0], [50, 0]], [[1, 0], [1, 0]]), name="sheep", steering=steering)
    assert [shape.radius.tolist() for shape in shapes_of(world.sketch("sheep"), "Near", Circle)] == [[7, 7]]
    world.run(steps=2)
    near = [each for each in world.sketch("sheep") if each.label == "Near"]
    assert sorted((each.id.tolist(), each.shapes[0].radius.tolist()) for each in near) == [([0], [11.0]), ([1], [7.0])]


def test_what_lies_on_a_map_is_drawn_at_the_height_of_who_walks():
    hills = sm.Heightfield(np.full((4, 4), 3.0), [0, 0], [30, 30])
    walkers = sm.Vehicles([[10, 10, 3]], [[1, 0, 0]], max_speed=2, max_force=5, dtype=float)
    road = sm.Path([[0, 12], [30, 12]], radius=1)
    world = sm.World()
    world.add(
        walkers, name="one", steering=sm.FollowPath(road, law="tube", lookahead=0.5), locomotion=sm.SurfaceBound(hills)
    )
    (edge,) = shapes_of(world.sketch("one"), "FollowPath", Cross, "guide")
    np.testing.assert_allclose(edge.center, [[10.5, 11, walkers.position[0, 2]]])


@pytest.mark.parametrize("behavior", [sm.StayOnPath, partial(sm.FollowPath, law="tube", lookahead=1)])
@pytest.mark.parametrize(("height", "edge"), [(5, [[1, 2]]), (-5, [[1, -2]]), (1.9, None)])
def test_the_edge_of_a_path_is_shown_to_those_that_will_be_beyond_it(behavior, height, edge):
    world = sm.World()
    world.add(walker([0, height]), name="one", steering=behavior(sm.Path([[-9, 0], [9, 0]], radius=2)))
    (sketch,) = world.sketch("one")
    found = shapes_of([sketch], sketch.label, Cross, "guide")
    assert [each.center.tolist() for each in found] == ([edge] if edge else [])


@pytest.mark.parametrize(
    ("x", "labels"), [(11, []), (-7, ["slows down inside"]), (1, ["slows down inside", "stops inside"])]
)
def test_arrive_shows_the_rings_in_which_a_vehicle_is(x, labels):
    world = sm.World()
    world.add(walker([x, 0]), name="one", steering=sm.Arrive([0, 0], slowing_distance=10, stop_distance=2))
    assert [each.label for each in shapes_of(world.sketch("one"), "Arrive", Circle)] == labels


@pytest.mark.parametrize(("place", "there"), [([3, 0.5], False), ([3, 2.9], False), ([3, 5], True), ([-3, 0.5], True)])
def test_who_gets_out_of_the_way_of_a_leader_is_not_shown_its_place_behind_it(place, there):
    """That of its own body reaches into the way, too."""
    leader, world = walker([0, 0], [1, 0]), sm.World()
    follow = sm.FollowLeader(leader, behind=2, clear_length=6, clear_width=4)
    world.add(walker(place, radius=1), name="one", steering=follow)
    places = shapes_of(world.sketch("one"), "FollowLeader", Cross, "target")
    assert [each.center.tolist() for each in places] == ([[[-2, 0]]] if there else [])


def test_where_two_would_meet_is_between_the_places_that_they_will_have():
    world = sm.World()
    two = walker([[0, 0], [8, 0.2]], [[2, 0], [-2, 0]])
    world.add(two, name="two", steering=sm.AvoidNeighbors(lookahead=5))
    sketches = world.sketch("two", 0)
    (meet,) = shapes_of(sketches, "AvoidNeighbors", Cross, "danger")
    assert meet.label == "would meet here"
    np.testing.assert_allclose(meet.center, [[4, 0.1]])
    assert {each.means for each in shapes_of(sketches, "AvoidNeighbors", Circle, "predicted")} == {"where both will be"}


def test_seek_has_a_ring_around_a_vehicle_and_none_around_a_place():
    world = sm.World()
    moving = walker([5, 0], radius=0.7)
    for name, target in (("one", moving), ("other", [5, 0])):
        world.add(walker(), name=name, steering=sm.Seek(target))
    rings = [shapes_of(world.sketch(name), "Seek", Circle, "chosen") for name in ("one", "other")]
    assert [[each.center.tolist() for each in some] for some in rings] == [[[[5, 0]]], []]


def test_explore_shows_the_next_part_of_its_sweep():
    world = sm.World()
    world.add(walker(), name="one", steering=sm.Explore(sm.Sphere([0, 0], 40), reach=4))
    (way,) = shapes_of(world.sketch("one"), "Explore", Line, "guide")
    (due,) = shapes_of(world.sketch("one"), "Explore", Cross, "target")
    assert way.points.shape == (1, 8, 2)
    np.testing.assert_allclose(way.points[:, 0], due.center)


@dataclass(frozen=True, eq=False)
class Shy(sm.Behavior):
    """Away from the nearest of some.

    Args:
        of: Whom.
        radius: How far it looks [m].
    """

    of: Any = parameter(kind=sm.POPULATION)
    radius: float = sm.parameter(5.0, above=0.0, unit="m")

    def init(self, vehicles):
        return {"seen": np.zeros(len(vehicles))}

    def steer(self, scene, memory, out):
        memory["seen"] += 1
        out.linear[:, 0] = 1

    def sketch(self, context):
        watched = context.watched(self.of)
        yield context.view(self.radius)
        yield segment(context.position, watched.position, "guide")
        yield Arrow(context.position, context.position + context.memory["seen"][:, None] * context.forward)
        yield Line([[0, 0], [1, 1]])


def test_the_old_name_of_watched_works_and_says_the_new_one():
    class Old(Shy):
        def sketch(self, context):
            yield segment(context.position, context.whom(self.of).position, "guide")

    world = sm.World()
    world.add(walker([[0, 0]], [[1, 0]]), name="one", steering=Old(of=walker([[3, 0]], [[1, 0]])))
    with pytest.warns(DeprecationWarning, match="SketchContext.whom is called watched now"):
        assert len(world.sketch("one", [0])) > 0


def test_a_behavior_of_ones_own_is_sketched():
    others = walker([[3, 0], [20, 0]], [[1, 0], [1, 0]])
    world = sm.World()
    world.add(walker([[0, 0], [9, 9]], [[1, 0], [1, 0]]), name="two", steering=Shy(of=others) + sm.Wander())
    for _ in range(2):  # Nothing advances.
        sketches = world.sketch("two", [1])
        arrow = shapes_of(sketches, "Shy", Arrow)[0]
        np.testing.assert_allclose(arrow.tip, [[10, 9]])
    line = shapes_of(sketches, "Shy", Line, "guide")[0]
    np.testing.assert_allclose(line.points, [[[9, 9], [3, 0]]])
    others.remove(np.ones(2, bool))
    (only,) = shapes_of(world.sketch("two", [1]), "Shy", Line, "guide")
    np.testing.assert_allclose(only.points, [[[0, 0], [1, 1]]])


def test_messages():
    world = sm.World()
    world.add(walker(), name="idle")
    with pytest.raises(ValueError, match="nothing steers 'idle', so there is nothing to be sketched"):
        world.sketch("idle")
    world.add(walker(), name="one", steering=sm.Wander())
    with pytest.raises(KeyError, match="no vehicle has id 7"):
        world.sketch("one", 7)
    with pytest.raises(KeyError, match="no population is called 'two'"):
        world.sketch("two")
    assert len(world.sketch("one", [])) == 0


def test_what_is_watched_has_its_own_radius_and_axes():
    """Those of the vehicle that each watches, whatever row it has."""
    others = sm.Vehicles([[50.0, 0], [9, 0], [0, 9]], radius=[0.3, 0.7, 1.1], forward=[[1, 0], [0, 1], [-1, 0]])

    @dataclass(frozen=True, eq=False)
    class Look(sm.Behavior):
        def bind(self, scene, memory, out):
            return []

        def sketch(self, context):
            seen.append(context.watched(others, "nearest"))
            yield from ()

    seen = []
    world = sm.World()
    world.add(walker([[0, 6], [6, 0]], [[1, 0], [1, 0]]), name="two", steering=Look())
    world.sketch("two")
    np.testing.assert_allclose(seen[0].radius, [1.1, 0.7], rtol=1e-6)
    np.testing.assert_allclose(seen[0].position, [[0, 9], [9, 0]])
    np.testing.assert_allclose(seen[0].forward, [[-1, 0], [0, 1]])


def test_a_lateral_walk_is_shown_on_its_side_in_space():
    world = sm.World()
    world.add(walker([0, 0, 0], [1, 0, 0]), name="one", steering=sm.Wander("lateral"))
    ranges = shapes_of(world.sketch("one"), "Wander", Line, "range")
    ends = np.concatenate([np.asarray(each.points).reshape(-1, 3) for each in ranges])
    assert np.ptp(ends[:, 1]) > 0.1
    np.testing.assert_allclose(ends[:, 2], 0, atol=1e-12)


def test_two_vehicles_with_numbers_of_their_own_are_sketched_each_with_its_own():
    world = sm.World()
    flee = sm.Flee([5, 0], panic_distance=[6.0, 7.0])
    world.add(walker([[0, 0], [1, 1]], [[1, 0], [1, 0]]), name="two", steering=flee)
    circles = shapes_of(world.sketch("two"), "Flee", Circle)
    assert sorted(float(radius) for each in circles for radius in each.radius) == [6.0, 7.0]


@pytest.mark.parametrize(("n", "ringed", "linked"), [(16, 16, 16), (17, 17, 0), (64, 64, 0), (65, 0, 0)])
def test_neighbors_are_marked_all_alike_or_not_at_all(n, ringed, linked):
    """Each by a ring, and a few by a line that ends there; the mean heading and the middle of all are always shown."""
    rng = np.random.default_rng(n)
    others = walker(rng.uniform(-5, 5, (n, 2)), rng.normal([0, 2], size=(n, 2)))
    world = sm.World()
    world.add(walker(), name="one", steering=sm.Alignment(radius=9, of=others) + sm.Cohesion(radius=9, of=others))
    world.add(others, name="others")
    sketches = world.sketch("one")
    for name in ("Alignment", "Cohesion"):
        rings, lines = (shapes_of(sketches, name, kind, role) for kind, role in ((Circle, "chosen"), (Line, "guide")))
        assert [len(each) for each in rings] == [ringed] * bool(ringed)
        assert [len(each) for each in lines] == [linked] * bool(linked)
        for ring, line in zip(rings, lines, strict=False):
            np.testing.assert_allclose(line.points[:, 1], ring.center)
    (heading,) = shapes_of(sketches, "Alignment", Arrow, "target")
    mean = others.forward.mean(axis=0)
    np.testing.assert_allclose(np.arctan2(*(heading.tip - heading.tail)[0]), np.arctan2(*mean), rtol=1e-6)
    (middle,) = shapes_of(sketches, "Cohesion", Cross, "target")
    np.testing.assert_allclose(middle.center, [others.position.mean(axis=0)], rtol=1e-6)
