"""GoTo: its examples and law for the contract suite, and promises of its own."""

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from contract.examples.example import Example
from contract.places import SIZE, Place
from contract.references.vehicle import Answer, At, Reference, slowing
from contract.running import DT
from sampling import drawn
from stepping import ran

import steersman as sm
from steersman import laws
from steersman.core.environment.routes import changing_fields, route_grid
from steersman.core.steering.driving.leading import counted_way
from steersman.core.world.state_hash import state_hash

Array = np.ndarray[Any, Any]


def extent_of(p: Place) -> float:
    return float(np.ptp(p.state.rock_center, axis=0).max())


def rocky(p: Place, spacing: float | None = None) -> sm.RouteGrid | None:
    """A map of the rocks, however far apart they are; in space there is none."""
    if p.state.dimensions == 3:
        return None
    return sm.RouteGrid(p.rocks, clearance=0.4 * max(1.0, extent_of(p) / SIZE), spacing=spacing)


def meshed(p: Place) -> sm.NavMesh | None:
    """Polygons around the rocks; in space there are none."""
    if p.state.dimensions == 3:
        return None
    size = max(extent_of(p), SIZE)
    around = sm.Box([3 * size, 3 * size], origin=p.state.rock_center.min(axis=0) - size)
    return sm.NavMesh.around(p.rocks, region=around, clearance=0.01 * size)


def clear(p: Place) -> sm.NavMesh | None:
    """Wide ground with nothing in the way; in space there is none."""
    if p.state.dimensions == 3:
        return None
    size = 20 * max(extent_of(p), SIZE)
    middle = p.state.rock_center.mean(axis=0)
    return sm.NavMesh(shapely.box(*(middle - size), *(middle + size)))


EXAMPLES: dict[str, Example] = {
    "go to": lambda p: sm.GoTo(p.state.point),
    "go to own points": lambda p: sm.GoTo(p.state.points, speed="current", slowing_distance=3.0),
    "go to one of the others": lambda p: sm.GoTo(p.others, which=9, speed="offset", approach="seek"),
    "go to a function": lambda p: sm.GoTo(lambda: p.state.point, speed=1.5, deceleration_time=1.0),
    "go to a disc": lambda p: sm.GoTo(sm.Sphere(p.state.point, 3.0), thrust="full"),
    "go to by a map, along the axes": lambda p: sm.GoTo(p.state.point, by=rocky(p)),
    "go to own points by a map, along the axes": lambda p: sm.GoTo(
        p.state.points, by=rocky(p, spacing=0.6 if extent_of(p) < 2 * SIZE else None), lookahead=2.5
    ),
    "go to others by a map, along the axes": lambda p: sm.GoTo(p.others, by=rocky(p), speed="offset"),
    "go to one by a map, along the axes": lambda p: sm.GoTo(p.others, which="first", by=rocky(p), approach="seek"),
    "go to by a map through a crowd, along the axes": lambda p: sm.GoTo(
        p.state.point, by=rocky(p), congestion=0.0 if p.state.dimensions == 3 else 4.0
    ),
    "go to by a mesh, along the axes": lambda p: sm.GoTo(p.state.point, by=meshed(p)),
    "go to by a mesh at full speed, along the axes": lambda p: sm.GoTo(p.state.point, by=meshed(p), bends="ignore"),
    "go to own points by a mesh, along the axes": lambda p: sm.GoTo(p.state.points, by=meshed(p), lookahead=2.5),
    "go to others by a mesh, along the axes": lambda p: sm.GoTo(p.others, by=meshed(p), speed=1.5),
    "patrol by a map, along the axes": lambda p: sm.Patrol(p.state.sites, margin=9.0, by=rocky(p)),
    "formation by a map, along the axes": lambda p: sm.Formation(p.others, by=clear(p)),
    "go to a disc by a mesh, along the axes": lambda p: sm.GoTo(sm.Sphere(p.state.point, 3.0), by=meshed(p)),
    "go to a disc by a map, along the axes": lambda p: sm.GoTo(
        sm.Sphere(p.state.point, 3.0), by=rocky(p), thrust="full"
    ),
}


def route(b: Any, at: At) -> tuple[Array, float, float]:
    """The place ahead, how long the way is, and the speed that its bends allow."""
    region = isinstance(b.goal, sm.Region)
    if b.by is None:
        if region:
            foot = b.goal.nearest(at.position, at.place.domain)
            ahead = at.position - max(foot.distance + min(at.radius, b.goal.depth / 2), 0) * foot.normal
        else:
            ahead = at.target(b.goal, b.which)
        return ahead, float(laws.length(ahead - at.position)), math.inf
    goals = b.goal
    if not region and not (isinstance(b.which, str) and b.which == "nearest" and isinstance(b.goal, sm.Vehicles)):
        point = at.target(b.goal, b.which)
        goals = (lambda: point) if isinstance(b.goal, sm.Vehicles) or callable(b.goal) else point
    reach = b.lookahead * (at.max_speed if isinstance(b.speed, str) else b.speed)
    by = b.by
    if b.congestion and at.step % round(0.5 / DT) == 0:
        by = crowded(b.by, b.congestion, at.place)
        goals = (lambda: point) if not callable(goals) else goals
    elif b.congestion:  # Nobody is counted, but the costs of ways might differ from place to place.
        by = b.by.replace(cost=lambda points: np.ones(len(points)))
        goals = lambda: point  # noqa: E731 -- the field is that of the node nearest to the goal
    asked = {"reach": reach, "row": None, "domain": at.place.domain, "cut": at.radius}
    guide = by.answers(at.position, goals, moves=not region and not isinstance(goals, np.ndarray), **asked)
    way, limit = np.array(guide.way)[:, 0], math.inf
    if b.bends == "brake":
        limit = bend_limit(at, way, float(guide.bend[0]), float(guide.before[0]))
    return at.position + way, float(guide.remaining[0]), limit


def hats(places: Array, low: Array, cell: Array, count: Array) -> Array:
    """How much of each place belongs to each node of a coarse grid, linear in between, shape (n, cells)."""
    x, y = (
        np.maximum(1 - np.abs((places[:, k, None] - low[k]) / cell[k] - np.arange(count[k] + 1)), 0) for k in range(2)
    )
    return (x[:, :, None] * y[:, None, :]).reshape(len(places), -1)


def crowded(grid: Any, congestion: float, place: Place) -> sm.RouteGrid:
    """The map with a painted cost: 1 + congestion * the part of the ground that bodies cover."""
    low, extent = grid.bounds[0], grid.step * (np.array(grid.shape) - 1)
    count = np.maximum(np.ceil(extent / (3 * max(grid.least_room, grid.step))).astype(int), 1)
    cell = extent / count
    bodies = grid.middle + place.domain.difference(place.vehicles.position.astype(float), grid.middle)
    bodies = np.clip(bodies, low - cell, low + extent + cell)
    inside = ((bodies > low - cell) & (bodies < low + extent + cell)).all(axis=1)
    area = np.pi * place.vehicles.radius[inside].astype(float) ** 2
    covered = hats(np.clip(bodies[inside], low, low + extent), low, cell, count).T @ area / cell.prod()
    return grid.replace(cost=lambda points: 1 + congestion * hats(points, low, cell, count) @ covered)


def bend_limit(at: At, way: Array, radius: float, before: float) -> float:
    """The speed for a bend, and that which can be reached along the way within the response time."""
    most, speed = at.max_force / at.mass, float(laws.length(at.velocity))
    toward = laws.normalize(way)
    limit = max(float(at.velocity @ toward), 0) + at.tau * most
    if math.isinf(radius):
        return limit
    arc, force = max(radius, at.radius, most * at.tau**2), math.sqrt(0.5) * most
    gap = max(before - at.tau * speed, 0)
    return min(limit, float(laws.bend_speed(np.array([gap]), np.array([arc]), force, force)))


def go_to(b: Any, at: At) -> Answer:
    ahead, remaining, limit = route(b, at)
    if b.thrust == "full" and remaining < math.inf:
        return laws.with_length(ahead - at.position, at.max_force), True
    full = {"max": at.max_speed, "current": laws.length(at.velocity), "offset": min(remaining, at.max_speed)}.get(
        b.speed, b.speed
    )
    full = min(float(full), limit)
    if b.approach == "seek":
        if remaining < full * DT:
            return at.match((ahead - at.position) / DT - at.velocity), True
        return at.match(laws.go_to(at.position, at.velocity, ahead, remaining, at.max_speed, speed=full)), True
    ramp = full * b.deceleration_time if b.deceleration_time is not None else slowing(b, at, full)
    steering = laws.go_to(at.position, at.velocity, ahead, remaining, at.max_speed, speed=full, slowing_distance=ramp)
    return at.match(steering), True


REFERENCES: dict[str, Reference] = {"GoTo": go_to}

DOCUMENTS = {"GoTo": 'goal = [1, 2], by = { kind = "RouteGrid", obstacles = { center = [[5, 5]], radius = 1 } }'}


FLOOR = sm.Box([40.0, 30.0])
POCKET = sm.Walls([[12.0, 8.0], [24.0, 8.0], [24.0, 22.0], [12.0, 22.0]])
"""Open to the left."""


MAPS = {
    "grid": lambda: sm.RouteGrid(POCKET, region=FLOOR, clearance=0.5, spacing=0.4),
    "mesh": lambda: sm.NavMesh.around(POCKET, region=FLOOR, clearance=0.5),
}


def chase(goal: Any, *, avoid: Any = None, by: str = "grid") -> tuple[sm.Vehicles, float]:
    """Eight chasers in the pocket, and how near to its walls they came [m]."""
    rng = np.random.default_rng(0)
    start = np.stack(np.meshgrid([17.0, 21.0], [10.0, 13.0, 16.0, 20.0]), axis=-1).reshape(-1, 2)
    chasers = sm.Vehicles(start + rng.uniform(-0.2, 0.2, start.shape), max_speed=3, max_force=30, radius=0.3)
    world = sm.World(domain=FLOOR, seed=0)
    parts = [sm.AvoidObstacles(POCKET, lookahead=0.5), *([avoid] if avoid else []), sm.GoTo(goal, by=MAPS[by]())]
    world.add(chasers, name="chasers", steering=sm.Priority(parts))
    least = math.inf
    for _ in range(300):
        world.run(seconds=0.1)
        least = min(least, float(POCKET.nearest(chasers.position).distance.min()))
    return chasers, least


@pytest.mark.each_value
@pytest.mark.parametrize("by", MAPS)
@pytest.mark.parametrize("avoid", [None, sm.AvoidNeighbors(), sm.Separation(radius=1.0)])
def test_out_of_a_pocket_all_come_to_a_target_behind_it(by: str, avoid: Any) -> None:
    target = np.array([32.0, 15.0])
    chasers, least = chase(target, avoid=avoid, by=by)
    assert (np.linalg.norm(chasers.position - target, axis=1) < 3.0).sum() == 8
    assert least > 0.3


def test_a_door_that_shuts_sends_it_another_way() -> None:
    wall = sm.Walls([[[10.0, 0.0], [10.0, 4.0]], [[10.0, 6.0], [10.0, 14.0]], [[10.0, 16.0], [10.0, 20.0]]])
    doors = [[[10.0, 4.0], [10.0, 6.0]], [[10.0, 14.0], [10.0, 16.0]]]
    floor = sm.Box([20.0, 20.0])
    mesh = sm.NavMesh.around(wall, region=floor, clearance=0.4, doors=doors)
    vehicles = sm.Vehicles([[5.0, 5.0]], max_speed=2, max_force=20, radius=0.3)
    world = ran(vehicles, sm.GoTo([15.0, 5.0], by=mesh), domain=floor, seconds=1)
    mesh.shut(0)
    highest = 0.0
    for _ in range(150):
        world.run(seconds=0.1)
        highest = max(highest, float(vehicles.position[0, 1]))
    assert highest > 14
    np.testing.assert_allclose(vehicles.position, [[15.0, 5.0]], atol=0.1)


@pytest.mark.parametrize("by", MAPS)
def test_they_follow_a_target_that_moves_and_are_not_thrown_by_a_push(by: str) -> None:
    sheep = sm.Vehicles([[32.0, 15.0]], max_speed=1)
    floor = MAPS[by]()
    dogs = sm.Vehicles([[20.0, 15.0]], max_speed=3, max_force=30)
    world = sm.World(domain=FLOOR)
    world.add(sheep, steering=sm.Seek([32.0, 28.0]))
    world.add(dogs, steering=sm.GoTo(sheep, by=floor))
    world.run(seconds=6)
    dogs.position[:] = (22.0, 10.0)
    sheep.position[:] = (36.0, 4.0)
    world.run(seconds=25)
    assert np.linalg.norm(dogs.position - sheep.position) < 1.0


@pytest.mark.parametrize("by", MAPS)
def test_it_stops_at_a_point_and_anywhere_in_a_region(by: str) -> None:
    floor = MAPS[by]()
    room = sm.Box([6.0, 6.0], origin=[30.0, 2.0])
    goals = np.array([[32.0, 15.0], [3.0, 27.0], [20.0, 15.0]])
    for goal in (goals, room):
        vehicles = sm.Vehicles([[20.0, 12.0], [20.0, 15.0], [28.0, 25.0]], max_speed=3, max_force=30, dtype=np.float64)
        ran(vehicles, sm.GoTo(goal, by=floor), domain=FLOOR, seconds=40)
        assert vehicles.speed.max() < 0.02
        if goal is room:
            assert room.inside(vehicles.position).all()
        else:
            np.testing.assert_allclose(vehicles.position, goals, atol=0.02)


@pytest.mark.parametrize("by", MAPS)
def test_goals_that_part_are_found_by_all(by: str) -> None:
    """All have one goal at first, and then each its own."""
    goals = np.tile([[32.0, 15.0]], (3, 1))
    vehicles = sm.Vehicles([[20.0, 12.0], [20.0, 15.0], [28.0, 25.0]], max_speed=3, max_force=30)
    world = ran(vehicles, sm.GoTo(lambda: goals, by=MAPS[by]()), domain=FLOOR, seconds=2)
    goals[1:] = [[3.0, 27.0], [20.0, 15.0]]
    world.run(seconds=30)
    np.testing.assert_allclose(vehicles.position, goals, atol=0.05)


def test_of_several_goals_near_by_the_nearest_is_entered() -> None:
    floor = sm.RouteGrid(region=FLOOR, clearance=0.5)
    goals = [[20.0, 15.0], [20.9, 15.0], [20.0, 15.9]]
    ahead, remaining = floor.guide([[19.8, 15.0], [21.2, 15.0], [20.0, 16.1]], goals, reach=3.0)
    np.testing.assert_allclose(ahead, goals)
    np.testing.assert_allclose(remaining, [0.2, 0.3, 0.2], atol=1e-9)


def test_who_is_within_the_clearance_looks_as_far_ahead_as_others() -> None:
    floor = sm.RouteGrid(region=FLOOR, clearance=1.0, spacing=0.5)
    ahead, _ = floor.guide([[0.4, 15.0], [2.0, 15.0]], [[32.0, 15.0]], reach=6.0)
    np.testing.assert_allclose(ahead, [[6.4, 15.0], [8.0, 15.0]], atol=0.3)


def test_a_corner_is_cut_only_as_far_as_the_way_is_clear() -> None:
    """A long look ahead shortens nothing through the wall."""
    floor = sm.RouteGrid(POCKET, region=FLOOR, clearance=0.5, spacing=0.25)
    places = np.random.default_rng(2).uniform([1.0, 1.0], [39.0, 29.0], (400, 2))
    places = places[POCKET.nearest(places).distance > 0.55]
    ahead, remaining = floor.guide(places, [32.0, 15.0], reach=15.0)
    assert np.isfinite(remaining).all()
    part = np.linspace(0, 1, 60)[:, None, None]
    on_the_way = (places + part * (ahead - places)).reshape(-1, 2)
    assert POCKET.nearest(on_the_way).distance.min() > 0.5 - 0.25 / 2
    behind = (places[:, 0] > 13) & (places[:, 0] < 23) & (np.abs(places[:, 1] - 15) < 6)
    assert behind.any()
    assert (ahead[behind, 0] < places[behind, 0]).all()


def test_a_mark_has_the_name_of_the_goal_only_where_it_is_there() -> None:
    """Around the wall of the pocket it is a place on the way, also to a vehicle, which has a ring."""
    floor = sm.RouteGrid(POCKET, region=FLOOR, clearance=0.5, spacing=0.25)
    places = np.array([[32.0, 15.0], [18.0, 18.0]])
    for which, k, rings in ((0, 0, 1), (1, 1, 1), ("nearest", 1, 0), (None, 0, 0), (None, 1, 0)):
        quarry = sm.Vehicles(places, max_speed=1, max_force=1)
        goal = sm.GoTo(places[k], by=floor) if which is None else sm.GoTo(quarry, which=which, by=floor)
        world = sm.World(domain=FLOOR, seed=0)
        world.add(sm.Vehicles([[17.0, 14.0]], max_speed=3, max_force=30), name="hunter", steering=goal)
        world.add(quarry, name="quarry")
        shapes = [shape for each in world.sketch("hunter", 0) for shape in each.shapes]
        assert sum(isinstance(each, sm.shapes.Circle) for each in shapes) == rings
        (mark,) = (each for each in shapes if isinstance(each, sm.shapes.Cross))
        assert mark.label == ("" if k else "ahead on its way")
        assert np.allclose(mark.center[0], places[k]) == bool(k)


def test_where_no_way_leads_it_stands_still() -> None:
    ring = sm.Walls([[10.0, 5.0], [20.0, 5.0], [20.0, 15.0], [10.0, 15.0]], closed=True)
    vehicles = sm.Vehicles([[5.0, 10.0]], [[2.0, 0.0]], max_speed=3, max_force=30)
    ran(vehicles, sm.GoTo([15.0, 10.0], by=sm.RouteGrid(ring, region=FLOOR)), domain=FLOOR, seconds=5)
    assert vehicles.speed.max() < 1e-3
    assert vehicles.position[0, 0] < 9


def test_a_faster_body_at_the_same_speed_looks_no_farther_along_the_route() -> None:
    """In the pocket, where the place ahead turns with the distance: the force is that of a body that can go no faster."""
    places = np.random.default_rng(5).uniform([13, 9], [23, 21], (20, 2))
    forces = []
    for top in (1.5, 6.0):
        vehicles = sm.Vehicles(places, max_speed=top, max_force=30, dtype=np.float64)
        steering = sm.GoTo([38.0, 15.0], by=sm.RouteGrid(POCKET, region=FLOOR), speed=1.5, bends="ignore")
        forces.append(sm.Controller(vehicles, steering).steer(0.05))
    np.testing.assert_allclose(*forces, atol=1e-9)


@pytest.mark.parametrize("spacing", [0.25, 0.5])
def test_no_corner_is_cut_through_places_that_cost_or_slope_shut(spacing: float) -> None:
    """A pit across the way, painted with an infinite cost; and a hill that is too steep."""
    pit = sm.Box([6.0, 12.0], origin=[7.0, 4.0])
    x, y = np.meshgrid(np.linspace(0, 20, 41), np.linspace(0, 20, 41), indexing="ij")
    hill = sm.Heightfield(8 * np.exp(-((x - 10) ** 2 + (y - 10) ** 2) / 8), [0, 0], [20, 20])
    floor, core = sm.Box([20.0, 20.0]), sm.Box([6 - spacing, 12 - spacing], origin=[7 + spacing / 2, 4 + spacing / 2])
    start, goal = [[2.0, 10.0], [2.0, 5.0], [2.0, 15.0]], np.array([18.0, 10.0])
    painted = sm.RouteGrid(region=floor, spacing=spacing, cost=lambda points: np.where(pit.inside(points), np.inf, 1.0))
    steep = sm.RouteGrid(region=floor, spacing=spacing, ground=hill)
    for grid in (painted, steep):
        vehicles = sm.Vehicles([*start, [7.5, 11.0]], max_speed=3, max_force=30)
        world = sm.World(domain=floor)
        world.add(vehicles, steering=sm.GoTo(goal, by=grid))
        for _ in range(150):
            world.run(seconds=0.1)
            if grid is painted:
                assert not core.inside(vehicles.position[:3]).any()
        np.testing.assert_allclose(vehicles.position, np.tile(goal, (4, 1)), atol=0.1)


NO_ROOM = [(23.9, 15.0), (24.1, 15.0), (24.3, 12.0), (45.0, 15.0), (39.9, 29.9)]
"""Goals that are too near a wall, or outside."""


@pytest.mark.parametrize(
    ("by", "moves", "goal"), drawn(itertools.product(MAPS, [False, True], NO_ROOM), 8, "goals without room")
)
def test_before_a_goal_where_nobody_fits_it_stands_still_on_the_same_side(
    by: str, moves: bool, goal: tuple[float, float]
) -> None:
    vehicles = sm.Vehicles([[20.0, 12.0], [35.0, 20.0], [2.0, 5.0]], max_speed=3, max_force=30)
    target = sm.Vehicles([goal], max_speed=1) if moves else np.array(goal)
    ran(vehicles, sm.GoTo(target, by=MAPS[by]()), domain=FLOOR, seconds=30)
    assert vehicles.speed.max() < 0.02
    assert (vehicles.position[:, 0] < 24).all() == (goal[0] < 24)
    end = np.clip(goal, 0.5, [39.5, 29.5])
    assert np.linalg.norm(vehicles.position - end, axis=1).max() < 1.0


def test_where_no_node_is_free_it_stands_still() -> None:
    vehicles = sm.Vehicles([[5.0, 10.0], [0.5, 0.5]], max_speed=3, max_force=30)
    for by in (sm.RouteGrid(POCKET, region=FLOOR, clearance=20), sm.RouteGrid(POCKET, region=FLOOR, spacing=100)):
        ahead, length = by.guide(vehicles.position, [15.0, 10.0])
        np.testing.assert_array_equal(ahead, vehicles.position)
        assert np.isinf(length).all()


@pytest.mark.parametrize("by", MAPS)
def test_rows_of_goals_that_are_none_are_refused(by: str) -> None:
    floor = MAPS[by]()
    places, goals = [[5.0, 5.0], [6.0, 5.0]], [[30.0, 5.0], [30.0, 25.0]]
    np.testing.assert_allclose(floor.guide(places, goals, row=[1, 0])[1][1], floor.guide(places[1], goals[0])[1])
    for wrong in ([0, 2], 7, -1):
        with pytest.raises(ValueError, match="row must be rows of the goals, from 0 to 1, got"):
            floor.guide(places, goals, row=wrong)
    for wrong in (0.5, "first"):
        with pytest.raises(TypeError, match="row must be rows of the goals, from 0 to 1, got"):
            floor.guide(places, goals, row=wrong)
    with pytest.raises(ValueError, match=r"row must be one number or have shape \(2,\), got shape \(3,\)"):
        floor.guide(places, goals, row=[0, 1, 0])


def test_on_a_landscape_it_goes_by_the_map() -> None:
    hill = sm.Heightfield(np.random.default_rng(0).uniform(0, 1, (9, 9)), [0, 0], [40, 30])
    vehicles = sm.Vehicles([[20.0, 15.0, 0.0]], max_speed=3, max_force=60)
    world = sm.World()
    steering = sm.GoTo([32.0, 15.0, 0.0], by=sm.RouteGrid(POCKET, region=FLOOR))
    world.add(vehicles, steering=steering, locomotion=sm.SurfaceBound(hill))
    world.run(seconds=30)
    assert np.linalg.norm(vehicles.position[0, :2] - [32, 15]) < 0.1


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="by must be a map of routes"):
        sm.GoTo([1.0, 1.0], by=POCKET)
    with pytest.raises(TypeError, match="goal must be a point"):
        sm.GoTo("exit")
    with pytest.raises(ValueError, match="lookahead must be > 0 s"):
        sm.GoTo([1.0, 1.0], lookahead=0)
    in_space = sm.Vehicles([[0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="by must have 3 dimensions like the vehicles, got 2"):
        sm.Controller(in_space, sm.GoTo([1.0, 1.0, 1.0], by=sm.RouteGrid(region=FLOOR))).steer(0.1)


ACROSS = sm.Box([20.0, 16.0], origin=[30.0, 12.0])
"""A floor across the seam of a torus of 40 m by 40 m."""


@pytest.mark.parametrize("by", [sm.RouteGrid(region=ACROSS), sm.NavMesh.around(region=ACROSS)], ids=["grid", "mesh"])
@pytest.mark.parametrize(
    "goals",
    [[[5.0, 20.0]], lambda: np.array([[5.0, 20.0]]), sm.Sphere([5.0, 20.0], 0.6)],
    ids=["point", "moves", "disc"],
)
def test_a_map_may_lie_across_a_seam(by: Any, goals: Any) -> None:
    """Of places, of goals and of regions the images on the map count, wherever on the torus they are given."""
    places, torus = np.array([[38.0, 20.0], [9.0, 20.0], [49.0, 20.0], [5.1, 20.0]]), sm.Torus([40.0, 40.0])
    ahead, remaining = by.guide(places, goals, domain=torus)
    plain, length = by.guide(
        [[38.0, 20.0], [49.0, 20.0], [49.0, 20.0], [45.1, 20.0]],
        sm.Sphere([45.0, 20.0], 0.6) if isinstance(goals, sm.Region) else [[45.0, 20.0]],
    )
    assert ACROSS.inside(plain).all()
    np.testing.assert_allclose(torus.difference(ahead, plain), 0, atol=1e-9)
    np.testing.assert_allclose(remaining, length, atol=1e-9)
    assert remaining[0] > 5
    assert remaining[3] < 0.2


def test_the_middle_of_a_mesh_is_not_where_most_of_its_corners_are() -> None:
    """On a torus that it fills all of it counts."""
    rocks = sm.Spheres(np.random.default_rng(0).uniform(2, 10, (12, 2)), 0.2)
    mesh = sm.NavMesh.around(rocks, region=sm.Box([40.0, 40.0]), clearance=0.1)
    _, length = mesh.guide([[36.0, 20.0]], [[38.0, 20.0]], domain=sm.Torus([40.0, 40.0]))
    np.testing.assert_allclose(length, 2.0)


HALL = np.array([[0, 2], [38, 2], [38, 42], [80, 42]], float)
"""The middle of a corridor that turns left, then right."""


def deepest_in_the_walls(
    by: str, body: Any, *, speed: float, dt: float, avoid: bool = False, clearance: float = 0.5, width: float = 4.0,
    **options: Any,
) -> float:  # fmt: skip
    """How far the bodies of three vehicles come into the walls of a corridor on their way through it [m]."""
    shapely = pytest.importorskip("shapely")
    room = shapely.LineString(HALL).buffer(width / 2, cap_style="flat", join_style="mitre")
    rim = np.asarray(room.exterior.coords)[:-1]
    walls, region = sm.Walls(rim, closed=True), sm.Polygon(rim)
    floor: Any = sm.NavMesh.around(walls, region=region, clearance=clearance)
    if by == "grid":
        floor = sm.RouteGrid(walls, region=region, spacing=width / 8, clearance=clearance)
    aside = width / 4 - 0.5
    vehicles = sm.Vehicles([[1, 2], [3, 2 + aside], [5, 2 - aside]], max_speed=speed, max_force=8, radius=0.4)
    world = sm.World(seed=1, dt=dt, threads=1)
    go: sm.Behavior = sm.GoTo([78, 42], by=floor, **options)
    if avoid:
        go = sm.Priority([sm.AvoidObstacles(walls), go])
    world.add(vehicles, steering=go, locomotion=body)
    deep = 0.0
    for _ in range(300 if speed > 4 else 340):
        world.run(seconds=0.1)
        places = shapely.points(vehicles.position)
        beyond = shapely.distance(room.exterior, places) * np.where(shapely.contains(room, places), -1, 1)
        deep = max(deep, float(beyond.max()) + 0.4)
    if "bends" not in options:
        np.testing.assert_allclose(vehicles.position, [[78, 42]] * 3, atol=0.5)
    return deep


@pytest.mark.each_value
@pytest.mark.parametrize("dt", [1 / 20, 1 / 120])
@pytest.mark.parametrize(
    "body", [sm.PointMass(), sm.PointMass(limits=[sm.Asymmetric(brake=0.5)]), sm.Wheeled(turning_radius=1.5)]
)
@pytest.mark.parametrize("by", ["mesh", "grid"])
def test_the_fast_slow_down_before_the_route_turns(by: str, body: Any, dt: float) -> None:
    for speed in (8.0, 12.0):
        assert deepest_in_the_walls(by, body, speed=speed, dt=dt) < 0.4
    if dt < 0.04:
        assert deepest_in_the_walls(by, body, speed=12.0, dt=dt, bends="ignore") > 3


@pytest.mark.parametrize("by", ["mesh", "grid"])
def test_the_fast_slow_down_alike_before_each_corner_of_a_square(by: str) -> None:
    """The same scene in every quarter turn and in a mirror: only the number of the corner in the map differs."""
    square = sm.Walls([[-3, -3], [3, -3], [3, 3], [-3, 3]], closed=True)
    room = sm.Box([20, 20], origin=-10)
    floor: Any = sm.NavMesh.around(square, region=room, clearance=0.5)
    if by == "grid":
        floor = sm.RouteGrid(square, region=room, spacing=0.5, clearance=0.5)
    quarters = np.array([np.eye(2), [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]])
    forces = []
    for turn in (*quarters, *(quarters @ np.diag([1, -1]))):
        vehicles = sm.Vehicles(turn @ [1.5, 3.6], turn @ [8.0, 0.0], max_speed=8, max_force=8)
        world = sm.World(dt=1 / 30)
        world.add(vehicles, name="a", steering=sm.GoTo(turn @ [4.0, -7.0], by=floor))
        forces.append(world.explain("a").force[0] @ turn)
    np.testing.assert_allclose(forces, [forces[0]] * 8, atol=0.05)
    assert forces[0][0] < -4  # It brakes.


CARS = {
    "tight": (sm.Wheeled(turning_radius=1.0), 0.5),
    "wide": (sm.Wheeled(turning_radius=2.0), 0.5),
    "bicycle": (sm.Wheeled(turning_radius=2.0, wheelbase=1.0), 1.0),
}
"""Cars, and the clearance that they need [m]."""


@pytest.mark.parametrize(
    ("by", "car", "rate"), drawn(itertools.product(["mesh", "grid"], CARS, [20, 60, 240]), 8, "cars at corners")
)
def test_who_avoids_walls_comes_around_the_corners_too(by: str, car: str, rate: int) -> None:
    """The wall behind a corner is no obstacle: the route turns before it. What is beyond the goal is none, either."""
    (body, clearance), dt = CARS[car], 1 / rate
    for speed in (4.0, 8.0, 12.0):
        assert deepest_in_the_walls(by, body, speed=speed, dt=dt, avoid=True, clearance=clearance) == 0


@pytest.mark.each_value
@pytest.mark.parametrize("dt", [1 / 30, 1 / 120])
@pytest.mark.parametrize("by", ["mesh", "grid"])
def test_who_turns_slowly_is_slower_in_narrow_corners(by: str, dt: float) -> None:
    for speed in (4.0, 8.0):
        body = sm.PointMass(limits=[sm.TurnRate(1.0)])
        assert deepest_in_the_walls(by, body, speed=speed, dt=dt, width=1.4) == 0


@pytest.mark.each_value
@pytest.mark.parametrize("by", MAPS)
@pytest.mark.parametrize("body", [sm.PointMass(), sm.Wheeled(turning_radius=1.0)], ids=["point", "car"])
def test_a_route_that_turns_does_not_lead_into_rocks_that_are_on_no_map(by: str, body: Any) -> None:
    rocks = sm.Spheres([[16.0, 24.5], [24.5, 12.0], [27.0, 7.0], [6.0, 15.0]], 0.7)
    starts = [[14.0, 12.0], [14.0, 18.0], [22.0, 15.5], [2.0, 25.0]]
    vehicles = sm.Vehicles(starts, max_speed=4, max_force=8, radius=0.3)
    world = sm.World(domain=FLOOR)
    avoid = sm.AvoidObstacles([POCKET, rocks])
    world.add(vehicles, steering=sm.Priority([avoid, sm.GoTo([32.0, 15.0], by=MAPS[by]())]), locomotion=body)
    for _ in range(500):
        world.run(seconds=0.1)
        assert rocks.nearest(vehicles.position).distance.min() > 0.3
    np.testing.assert_allclose(vehicles.position, [[32.0, 15.0]] * 4, atol=0.5)


def test_a_route_that_is_followed_no_more_is_no_reason_to_come_near() -> None:
    """The goal lies before a wall. Who then seeks a point behind it turns aside as early as one that never had a goal."""
    wall = sm.Walls([[[20.0, 10.0], [20.0, 20.0]]])
    floor = sm.NavMesh.around(wall, region=FLOOR, clearance=0.5)
    aside = []
    for start in ("go", "seek"):
        vehicles = sm.Vehicles([[15.0, 15.2]], max_speed=3, max_force=3, radius=0.3)
        modes = sm.Modes(
            {"go": sm.GoTo([15.5, 15.2], by=floor), "seek": sm.Seek([30.0, 15.2])},
            start=start,
            transitions=[("go", "seek", sm.After(2))],
        )
        world = ran(vehicles, sm.Priority([sm.AvoidObstacles(wall), modes]), domain=FLOOR, seconds=3.5)
        vehicles.position[:], vehicles.velocity[:] = (15.0, 15.2), (3.0, 0.0)
        world.run(seconds=1.2)
        aside.append(abs(float(vehicles.position[0, 1]) - 15.2))
    assert aside[1] > 0.1
    np.testing.assert_allclose(aside[0], aside[1], rtol=0.25)


def test_the_turn_of_a_route_is_as_far_as_the_short_way_to_it() -> None:
    """What is told to AvoidObstacles on a torus, from both sides of a seam."""
    vehicles = sm.Vehicles([[1.0, 5.0], [19.0, 5.0]], dtype=np.float64)
    place, until = tuple(np.array([[19.0, 1.0], [5.0, 17.0]])), np.full(2, 9.0)
    for domain, expected in ((sm.Torus([20.0, 20.0]), [2.0, np.hypot(2, 8)]), (sm.Open(), [18.0, np.hypot(18, 12)])):
        wrap = domain.wrap(2, np.float64)
        found = [counted_way(i, vehicles.columns, place, until, wrap, np.array([1.0])) for i in range(2)]
        np.testing.assert_allclose(found, expected)


def test_a_route_that_turns_back_does_not_stop_a_vehicle_without_size() -> None:
    """The speed for an arc without radius is not zero."""
    pin = sm.Path([[0, 0], [10, 0], [0, 0.001]], radius=0.01)
    vehicles = sm.Vehicles([[1, 0]], max_speed=3, max_force=10, radius=0)
    ran(vehicles, sm.FollowPath(pin), threads=1, seconds=25)
    np.testing.assert_allclose(vehicles.position, [[0, 0]], atol=0.2)


HALF_DOORS = [[[12, 0], [12, 3.4]], [[12, 4.6], [12, 11.4]], [[12, 12.6], [12, 16]]]
"""A wall with two doors of 1.2 m."""


def tiles(*rooms: tuple[float, float, float, float], height: float = 0.0) -> sm.TriangleMesh:
    """Rectangles of floor, from (x0, y0) to (x1, y1)."""
    corners = [[[x0, y0, height], [x1, y0, height], [x1, y1, height], [x0, y1, height]] for x0, y0, x1, y1 in rooms]
    faces = 4 * np.arange(len(rooms))[:, None] + [0, 1, 2, 0, 2, 3]
    return sm.TriangleMesh(np.reshape(corners, (-1, 3)), faces.reshape(-1, 3))


def two_doors(congestion: float, kind: str = "grid", goal: Any = None, n: int = 120) -> tuple[sm.World, sm.Vehicles]:
    """A crowd in a room, before the first of two doors."""
    walls = sm.Walls(np.array([*HALF_DOORS, [[0, 0], [12, 0]], [[0, 16], [12, 16]], [[0, 0], [0, 16]]], float))
    floor, beyond = sm.Box([20, 16]), sm.Box([3, 16], origin=[17, 0])
    start = sm.spawn.box(n, [8, 7], center=[6, 4.2], apart=0.55, rng=np.random.default_rng(0))
    locomotion: Any = None
    if kind == "grid":
        by: Any = sm.RouteGrid(walls, region=floor, clearance=0.35, spacing=0.3)
    elif kind == "mesh":
        by = sm.NavMesh.around(walls, region=floor, clearance=0.35)
    else:
        rooms = [(0, 0, 11.9, 16), (12.1, 0, 20, 16), (11.9, 3.4, 12.1, 4.6), (11.9, 11.4, 12.1, 12.6)]
        by, beyond = sm.WalkMesh(tiles(*rooms), clearance=0.35), sm.Box([3, 16, 2], origin=[17, 0, -1])
        start, locomotion = np.column_stack([start, np.zeros(n)]), sm.SurfaceBound(by)
    people = sm.Vehicles(start, radius=0.25, max_speed=1.4, max_force=8, response_time=0.2)
    world = sm.World(dt=1 / 20)
    end = beyond if goal is None else [*goal, 0.0][: people.dimensions]
    steering = 2 * sm.Separation(radius=1) + sm.GoTo(end, by=by, congestion=congestion)
    if people.dimensions == 2:
        steering = sm.Priority([sm.AvoidObstacles(walls, lookahead=0.5), steering])
    world.add(people, name="people", steering=steering, locomotion=locomotion, flows=[sm.Sink(beyond)])
    return world, people


MAPS_OF_CROWDS = ["grid", "mesh", "walk mesh"]


@pytest.mark.each_value
@pytest.mark.parametrize("goal", [None, [18.0, 8.0]], ids=["region", "point"])
@pytest.mark.parametrize("kind", MAPS_OF_CROWDS)
def test_a_crowd_spreads_over_two_doors_and_is_out_sooner(kind: str, goal: Any) -> None:
    left, by_the_second = [], []
    for congestion in (0.0, 5.0):
        world, people = two_doors(congestion, kind, goal)
        second: set[int] = set()
        while len(people) and world.time < 60:
            world.run(steps=4)
            beside = (people.position[:, 0] > 12) & (people.position[:, 0] < 13) & (people.position[:, 1] > 8)
            second |= set(people.id[beside].tolist())
        left.append(world.time)
        by_the_second.append(len(second))
    assert by_the_second[0] < 30
    assert by_the_second[1] > 40
    assert left[1] < 0.95 * left[0]


def test_a_crowd_is_counted_every_half_second_and_stays_where_it_was_counted() -> None:
    world, people = two_doors(5.0, n=20)
    counted, places = [], []
    for _ in range(25):
        places.append(people.position.copy())
        world.step()
        counted.append(world.memory("people", "GoTo")["counted"].copy())
    for k in range(25):
        np.testing.assert_array_equal(counted[k], places[k - k % 10], err_msg=f"step {k}")


@pytest.mark.parametrize("kind", MAPS_OF_CROWDS)
def test_a_crowd_goes_on_after_a_snapshot_as_if_there_had_been_none(kind: str, tmp_path: Path) -> None:
    world, _ = two_doors(5.0, kind)
    world.run(steps=47)
    world.save(tmp_path / "crowd.steersman")
    again = sm.World.load(tmp_path / "crowd.steersman")
    for each in (world, again):
        each.run(steps=25)
    assert state_hash(world) == state_hash(again)


def test_congestion_needs_a_map_and_is_one_number() -> None:
    with pytest.raises(ValueError, match="congestion must be 0 without a map"):
        sm.GoTo([1.0, 1.0], congestion=1)
    with pytest.raises(TypeError, match="one number for all"):
        sm.GoTo([1.0, 1.0], by=sm.RouteGrid(region=FLOOR), congestion=[1.0, 2.0])


@pytest.mark.parametrize("kind", MAPS_OF_CROWDS)
def test_one_in_a_crowd_stops_at_its_goal_in_time(kind: str) -> None:
    """The way is longer through a crowd, but the distance at which to slow down is the true one."""
    world, people = two_doors(50.0, kind, goal=[6.0, 4.0], n=1)
    people.position[0, :2] = 1.0, 4.0
    for _ in range(200):
        world.step()
        assert people.position[0, 0] < 6.02
    assert people.position[0, 0] == pytest.approx(6.0, abs=0.05)


DOORED = {
    "grid": lambda **doors: sm.RouteGrid(sm.Walls(HALF_DOORS), region=HALL_FLOOR, clearance=0.35, spacing=0.3, **doors),
    "mesh": lambda **doors: sm.NavMesh.around(sm.Walls(HALF_DOORS), region=HALL_FLOOR, clearance=0.35, **doors),
}
"""Maps of a wall with two doors."""

HALL_FLOOR = sm.Box([20, 16])
BOTH_DOORS = [[[12, 3.4], [12, 4.6]], [[12, 11.4], [12, 12.6]]]


@pytest.mark.parametrize("by", DOORED)
def test_doors_shut_and_cost_and_open_again(by: str) -> None:
    routes = DOORED[by](doors=BOTH_DOORS)
    here, there = [10.0, 4.0], [14.0, 4.0]

    def length() -> float:
        return float(routes.guide(here, there)[1])

    near = length()
    assert near == pytest.approx(4, rel=0.05 if by == "grid" else 1e-9)
    routes.set_toll(0, 2.0)
    assert length() == pytest.approx(near + 2, rel=0.15 if by == "grid" else 1e-9)
    routes.shut(0)
    far = length()
    assert far == pytest.approx(2 * np.hypot(2, 8), rel=0.1)
    routes.set_toll(0, 1000.0)
    assert length() == pytest.approx(far, rel=1e-6)
    routes.shut(0)
    routes.shut(1)
    assert length() == np.inf
    np.testing.assert_array_equal(routes.current_tolls, [np.inf, np.inf])
    routes.set_tolls(0.0)
    assert length() == near
    assert float(DOORED[by](doors=BOTH_DOORS, tolls=[np.inf, 0]).guide(here, there)[1]) == far


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("by", DOORED)
def test_a_door_costs_as_much_on_the_way_back(by: str, turned: bool) -> None:
    """Whichever way its segment runs."""
    doors = [each[::-1] for each in BOTH_DOORS] if turned else BOTH_DOORS
    routes, ends = DOORED[by](doors=doors), ([10.0, 4.0], [14.0, 4.0])
    free = float(routes.guide(*ends)[1])
    routes.set_toll(0, 2.0)
    for here, there in (ends, ends[::-1]):
        assert float(routes.guide(here, there)[1]) == pytest.approx(free + 2, rel=0.15 if by == "grid" else 1e-9)
    routes.shut(0)
    for here, there in (ends, ends[::-1]):
        assert float(routes.guide(here, there)[1]) > 2 * free


@pytest.mark.parametrize("goal", [[18.0, 4.0], sm.Box([2, 2], origin=[17, 3])], ids=["point", "region"])
@pytest.mark.parametrize("by", DOORED)
def test_vehicles_turn_round_when_a_door_shuts(by: str, goal: Any) -> None:
    routes = DOORED[by](doors=BOTH_DOORS)
    vehicles = sm.Vehicles([[6.0, 4.0]], max_speed=2, max_force=20)
    world = ran(vehicles, sm.GoTo(goal, by=routes), dt=1 / 20, seconds=2.5)
    assert vehicles.velocity[0, 0] > 1
    routes.shut(0)
    place = []
    for _ in range(int(16 / world.dt)):
        world.run(steps=1)
        place.append(vehicles.position[0].copy())
    passing = np.array(place)[np.abs(np.array(place)[:, 0] - 12) < 0.2]
    assert (np.abs(passing[:, 1] - 12) < 0.6).all()
    assert np.linalg.norm(vehicles.position[0] - [18, 4]) < 1.5


@pytest.mark.parametrize("spacing", [0.5, 0.3, 0.1])
def test_no_vehicle_in_a_doorway_is_caught_by_its_door(spacing: float) -> None:
    """The nodes there are shut, and a vehicle among them stood for ever."""
    routes = sm.RouteGrid(sm.Walls(HALF_DOORS), region=HALL_FLOOR, clearance=0.35, spacing=spacing, doors=BOTH_DOORS)
    across, along = np.meshgrid(np.linspace(11.6, 12.4, 9), [3.8, 4.0, 4.1])
    vehicles = sm.Vehicles(np.column_stack([across.ravel(), along.ravel()]), max_speed=2, max_force=20)
    world = sm.World(dt=1 / 20)
    world.add(vehicles, steering=sm.GoTo([18.0, 4.0], by=routes))
    routes.shut(0)
    world.run(seconds=25)
    assert np.linalg.norm(vehicles.position - [18, 4], axis=1).max() < 1


@pytest.mark.parametrize("goal_side", [-1, 1])
def test_a_vehicle_between_two_equally_long_ways_takes_one(goal_side: int) -> None:
    block = sm.Boxes([[10.0, 8.0]], size=[[2.0, 6.0]])
    routes = sm.RouteGrid(block, region=HALL_FLOOR, clearance=0.3, spacing=0.25)
    vehicles = sm.Vehicles([[10.0 - 5 * goal_side, 8.0]], max_speed=2, max_force=20)
    ran(vehicles, sm.GoTo([10.0 + 5 * goal_side, 8.0], by=routes), dt=1 / 20, seconds=15)
    assert np.linalg.norm(vehicles.position[0] - [10 + 5 * goal_side, 8]) < 0.5


@pytest.mark.parametrize("by", DOORED)
def test_a_snapshot_holds_the_doors(by: str, tmp_path: Path) -> None:
    def make(tolls: Any = 0.0) -> sm.World:
        routes = DOORED[by](doors=BOTH_DOORS)
        routes.set_tolls(tolls)
        world = sm.World(dt=1 / 20)
        world.add(
            sm.Vehicles([[6.0, 4.0]], max_speed=2, max_force=20), name="v", steering=sm.GoTo([18.0, 4.0], by=routes)
        )
        return world

    world, other = make([np.inf, 1.5]), make([3.0, 0.0])
    assert state_hash(world) != state_hash(other)
    world.run(seconds=1)
    world.save(tmp_path / "doors.steersman")
    again = sm.World.load(tmp_path / "doors.steersman")
    other.restore(tmp_path / "doors.steersman")
    for each in (again, other):
        routes = each.populations["v"].steering.by
        np.testing.assert_array_equal(routes.current_tolls, [np.inf, 1.5])
        each.run(seconds=3)
    world.run(seconds=3)
    assert state_hash(world) == state_hash(again) == state_hash(other)


@pytest.mark.parametrize("by", DOORED)
def test_a_route_is_a_path_through_the_door_that_is_open(by: str) -> None:
    routes = DOORED[by](doors=BOTH_DOORS, tolls=[np.inf, 0.0])
    path = routes.route([10.0, 4.0], [14.0, 4.0], radius=0.5)
    np.testing.assert_array_equal(path.points[[0, -1]], [[10, 4], [14, 4]])
    assert path.length == pytest.approx(float(routes.guide([10.0, 4.0], [14.0, 4.0])[1]), rel=0.06)
    through = path.point_at(np.linspace(0, path.length, 400))
    assert np.abs(through[np.abs(through[:, 0] - 12) < 0.1, 1] - 12).max() < 0.6
    with pytest.raises(ValueError, match="no way leads"):
        DOORED[by](doors=BOTH_DOORS, tolls=np.inf).route([10.0, 4.0], [14.0, 4.0])


def hunt(seed: int) -> str:
    """The state after hunters on a map with rocks, some of them within a rock, have chased prey that moves."""
    rng, corner = np.random.default_rng(seed), np.array([-50.0, 35.0])
    rocks = sm.Spheres(corner + rng.uniform(2, 28, (25, 2)), rng.uniform(0.5, 2.0, 25))
    routes = sm.RouteGrid(rocks, region=sm.Box([30, 30], origin=corner), spacing=0.25, clearance=0.3)
    prey = sm.Vehicles(corner + rng.uniform(2, 28, (4, 2)), max_speed=3, max_force=10)
    near = prey.position[:1] + rng.uniform(-2, 2, (6, 2))
    hunters = sm.Vehicles(np.concatenate([near, corner + rng.uniform(1, 29, (8 * seed, 2))]), max_speed=2, max_force=10)
    world = sm.World(dt=1 / 30, seed=seed)
    world.add(prey, name="prey", steering=sm.Wander())
    to_one = sm.GoTo(prey, which=int(prey.id[0]), by=routes)
    world.add(
        hunters, steering=sm.Priority([sm.Separation(radius=0.5), to_one if seed < 2 else sm.GoTo(prey, by=routes)])
    )
    world.run(steps=150)
    return state_hash(world)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_ways_that_nobody_asks_for_are_not_computed_and_change_nothing(seed: int, monkeypatch: Any) -> None:
    known: list[float] = []
    compute = route_grid.RouteGrid.compute

    def noted(self: Any, *arguments: Any) -> Any:
        field = compute(self, *arguments)
        known.append(field.final)
        return field

    monkeypatch.setattr(route_grid.RouteGrid, "compute", noted)
    partly = hunt(seed)
    assert len(known) > 20
    assert seed or np.median(known) < 15
    monkeypatch.setattr(changing_fields.ChangingFields, "queried_nodes", lambda *_: None)
    known.clear()
    assert hunt(seed) == partly
    assert min(known) == np.inf


@pytest.mark.parametrize("goal", [[35.0, 15.0], sm.Box([4.0, 4.0], origin=[33.0, 13.0])], ids=["place", "region"])
@pytest.mark.parametrize(("congestion", "fields"), [(0.0, 1), (2.0, 2)])
def test_a_field_is_computed_once_until_the_crowd_is_counted_again(
    goal: Any, congestion: float, fields: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second is sixty steps, and two counts of those who are steered."""
    by, made = sm.RouteGrid(POCKET, region=FLOOR, clearance=0.5, spacing=0.5), []
    compute = route_grid.RouteGrid.compute
    monkeypatch.setattr(route_grid.RouteGrid, "compute", lambda *about: made.append(about) or compute(*about))
    vehicles = sm.Vehicles([[2.0, 15.0], [2.0, 16.0]], max_speed=2.0, max_force=9.0, radius=0.3)
    ran(vehicles, sm.GoTo(goal, by=by, congestion=congestion), domain=FLOOR, dt=1 / 60, steps=60)
    assert len(made) == fields
