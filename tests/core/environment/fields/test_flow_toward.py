"""FlowField.toward: from everywhere to the goal, and into nothing."""

from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm

Array = np.ndarray[Any, Any]

FLOOR = sm.Box([30.0, 20.0])
ROCKS = sm.Spheres([[8.0, 10.0], [15.0, 4.0], [20.0, 13.0]], [2.0, 1.5, 3.0])
WALLS = sm.Walls([[[5.0, 0.0], [5.0, 14.0]], [[12.0, 20.0], [12.0, 7.0]], [[22.0, 6.0], [29.0, 6.0]]])
BOXES = sm.Boxes([[25.0, 15.0]], [[2.0, 3.0]])
PILLS = sm.Capsules([[16.0, 17.0]], [[18.0, 18.5]], 0.5)
THINGS = [ROCKS, WALLS, BOXES, PILLS]


def starts(n: int = 300, room: float = 0.5) -> Array:
    points = np.random.default_rng(3).uniform([0.6, 0.6], [29.4, 19.4], (n, 2))
    return points[[min(things.nearest(p).distance for things in THINGS) > room for p in points]]


def followed(field: sm.FlowField, points: Array, way: float) -> tuple[Array, float]:
    """Where points end that flow with a field, and how near to something they came on the way [m]."""
    least = np.inf
    for _ in range(int(way / 0.05)):
        points = points + 0.05 * field.at(points)
        least = min(least, *(things.nearest(points).distance.min() for things in THINGS))
    return points, least


@pytest.mark.parametrize("spacing", [0.2, 0.5])
def test_from_everywhere_to_the_goal_and_into_nothing(spacing: float) -> None:
    field = sm.FlowField.toward([[27.0, 10.0]], obstacles=THINGS, region=FLOOR, spacing=spacing, clearance=0.4)
    points = starts()
    assert np.isfinite(field.distance(points)).all()
    ends, least = followed(field, points, float(field.distance(points).max()) * 1.1 + 2)
    np.testing.assert_allclose(ends, np.broadcast_to([27.0, 10.0], ends.shape), atol=spacing)
    assert least > 0.4 - spacing / 2


def test_it_turns_little_from_place_to_place() -> None:
    """Between nodes there is no jump, where the next nodes agree."""
    field = sm.FlowField.toward([[27.0, 10.0]], obstacles=ROCKS, region=FLOOR, spacing=0.5, clearance=0.4)
    line = np.stack([np.linspace(0.5, 13, 2000), np.full(2000, 13.3)], axis=1)
    angle = np.unwrap(np.arctan2(*field.at(line).T[::-1]))
    assert np.abs(np.diff(angle)).max() < 0.05


@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("uniform", [True, False])
def test_within_a_spacing_it_is_as_much_slower_as_the_goal_is_near(moves: bool, uniform: bool) -> None:
    """The distance is exact there, on a slant, too; where a meter of way may not count 1, it is that between nodes."""
    goals: Any = (lambda: np.array([[15.0, 10.0]])) if moves else [[15.0, 10.0]]
    cost: Any = {} if uniform else {"cost": lambda points: np.ones(len(points))}
    field = sm.FlowField.toward(goals, region=FLOOR, spacing=0.5, speed=2.0, **cost)
    for x, y in [(0.15, 0.2), (-0.3, 0.1), (0.2, -0.35)]:
        length = np.hypot(x, y)
        if not uniform:
            a, b = abs(x) / 0.5, abs(y) / 0.5
            length = 0.5 * (a * (1 - b) + b * (1 - a) + a * b * np.sqrt(2))
        assert np.linalg.norm(field.at([15.0 + x, 10.0 + y])) == pytest.approx(2.0 * length / 0.5, rel=1e-3)


@pytest.mark.parametrize("goal", [[15.0, 10.0], [15.2, 10.3], [15.25, 10.25], [15.0, 10.2], [14.9, 9.65]])
def test_vehicles_come_to_rest_at_a_goal_on_a_node_and_between_nodes(goal: list[float]) -> None:
    """Between nodes the flow turned round at full speed: headings flipped up to 60 times a second."""
    vehicles = sm.Vehicles(starts(40), dtype=np.float64)
    world = sm.World(threads=1)
    world.add(vehicles, steering=sm.FollowFlow(sm.FlowField.toward([goal], region=FLOOR)))
    world.run(seconds=45)
    ahead = vehicles.forward.copy()
    world.run(seconds=1)
    np.testing.assert_allclose(vehicles.forward, ahead, atol=0.1)
    assert vehicles.speed.max() < 1e-3
    np.testing.assert_allclose(vehicles.position, np.broadcast_to(goal, vehicles.position.shape), atol=0.5)


def test_who_is_too_near_is_led_away_first() -> None:
    field = sm.FlowField.toward([[27.0, 10.0]], obstacles=ROCKS, region=FLOOR, spacing=0.25, clearance=0.8)
    near = np.array([[8.0, 12.2], [8.0, 7.8], [5.9, 10.0]])
    assert ((near - [8.0, 10.0]) * field.at(near)).sum(axis=1).min() > 0


def test_the_nearest_goal_by_the_way_is_chosen() -> None:
    """One goal is near, but behind a wall."""
    wall = sm.Walls([[10.0, 0.0], [10.0, 18.0]])
    field = sm.FlowField.toward([[11.0, 5.0], [2.0, 5.0]], obstacles=wall, region=FLOOR, spacing=0.25, clearance=0.3)
    velocity = field.at([9.0, 5.0])
    assert velocity[0] < -0.9
    assert field.distance([9.0, 5.0]) == pytest.approx(7, rel=0.02)


@pytest.mark.parametrize("by", [None, sm.RouteGrid(region=FLOOR, spacing=0.5)])
def test_the_distance_to_vehicles_is_that_to_where_they_are(by: sm.RouteGrid | None) -> None:
    """They stand between nodes: the distance is not that to the nearest node."""
    places = np.array([[3.3, 4.4], [17.1, 12.2]])
    about = {"region": FLOOR, "spacing": 0.5} if by is None else {"by": by}
    fields = [sm.FlowField.toward(goals, **about) for goals in (sm.Vehicles(places), places)]
    distances = [field.distance(starts(20)) for field in fields]
    np.testing.assert_allclose(*distances, rtol=1e-5)


def test_a_region_is_entered_and_then_nothing_flows() -> None:
    room = sm.Polygon([[20.0, 2.0], [26.0, 2.0], [26.0, 8.0], [20.0, 8.0]])
    field = sm.FlowField.toward(room, region=FLOOR, spacing=0.25, speed=3.0)
    np.testing.assert_allclose(field.at([[23.0, 5.0], [24.0, 6.0]]), 0)
    np.testing.assert_allclose(field.at([10.0, 5.0]), [3.0, 0.0], atol=1e-3)
    assert field.distance([10.0, 5.0]) == pytest.approx(10.5, rel=0.01)  # The clearance is inside, too.


def test_it_follows_a_population_as_it_moves() -> None:
    sheep = sm.Vehicles([[25.0, 10.0]], dtype=np.float64)
    field = sm.FlowField.toward(sheep, obstacles=ROCKS, region=FLOOR, spacing=0.25)
    dogs = sm.Vehicles([[2.0, 10.0]], max_speed=4, max_force=40)
    world = sm.World(domain=FLOOR)
    world.add(sheep)
    world.add(dogs, steering=sm.FollowFlow(field, speed="max"))
    world.run(seconds=3)
    sheep.position[:] = (3.0, 18.0)
    world.run(seconds=8)
    assert np.linalg.norm(dogs.position - sheep.position) < 1.5


def test_where_no_way_leads_nothing_flows() -> None:
    ring = sm.Walls([[10.0, 5.0], [20.0, 5.0], [20.0, 15.0], [10.0, 15.0]], closed=True)
    field = sm.FlowField.toward([[15.0, 10.0]], obstacles=ring, region=FLOOR, spacing=0.25)
    assert np.isinf(field.distance([5.0, 10.0]))
    np.testing.assert_allclose(field.at([5.0, 10.0]), 0)
    assert np.isfinite(field.distance([12.0, 12.0]))


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="region must be given where there are no obstacles, got neither"):
        sm.FlowField.toward([[1.0, 1.0]])
    with pytest.raises(ValueError, match=r"obstacles must have 2 dimensions, got 3"):
        sm.FlowField.toward([[1.0, 1.0]], obstacles=sm.Spheres([[0.0, 0.0, 0.0]], 1.0))
    with pytest.raises(ValueError, match=r"spacing must be larger: .* nodes would take"):
        sm.FlowField.toward([[1.0, 1.0]], region=FLOOR, spacing=1e-6)
    with pytest.raises(ValueError, match="cost must be > 0, got 0"):
        sm.FlowField.toward([[1.0, 1.0]], region=FLOOR, cost=[[0.0, 1.0]])
    with pytest.raises(TypeError, match="goals must be points"):
        sm.FlowField.toward("exit", region=FLOOR)
    with pytest.raises(ValueError, match=r"cost must return one number per point"):
        sm.FlowField.toward([[1.0, 1.0]], region=FLOOR, cost=lambda points: points).at([1.0, 1.0])


@pytest.mark.parametrize(("side", "inside", "outside"), [("outside", False, True), ("both", True, True)])
def test_what_is_seen_from_outside_is_solid(side: str, inside: bool, outside: bool) -> None:
    """In a ring of walls one may be, in a body one may not: as deep as it is."""
    ring = sm.Walls([[10.0, 5.0], [20.0, 5.0], [20.0, 15.0], [10.0, 15.0]], closed=True, seen_from=side)
    grid = sm.RouteGrid(ring, region=FLOOR, spacing=0.25)
    open_nodes = np.isfinite(grid.weight[1:-1, 1:-1])
    for place, known in (((15.0, 10.0), inside), ((10.7, 10.0), inside), ((5.0, 10.0), outside)):
        i, j = np.rint(np.array(place) / 0.25).astype(int)
        assert open_nodes[i, j] == known
    tank = sm.Spheres([[15.0, 10.0]], 6.0, seen_from="inside")
    assert np.isfinite(sm.RouteGrid(tank, region=FLOOR).guide([15.0, 6.0], [15.0, 14.0])[1])


@pytest.mark.parametrize("moves", [False, True])
def test_a_goal_beyond_the_seam_counts_by_its_image(moves: bool) -> None:
    region, goals = sm.Box([20.0, 20.0], origin=[30.0, 10.0]), [[5.0, 20.0]]
    flow = sm.FlowField.toward((lambda: np.array(goals)) if moves else goals, region=region)
    disc = sm.FlowField.toward(sm.Sphere(goals[0], 2.0), region=region)
    for each in (flow, disc):
        found = each.at([[38.0, 20.0], [9.0, 20.0]], domain=sm.Torus([40.0, 40.0]))
        np.testing.assert_allclose(found, [[1, 0], [-1, 0]], atol=1e-6)


def test_a_steep_hill_is_gone_around() -> None:
    across = np.linspace(-20.0, 20.0, 41)
    hill = sm.Heightfield(8 * np.exp(-(across[:, None] ** 2 + across**2) / 40), low=[-20, -20], high=[20, 20])
    floor = sm.Box([40.0, 40.0], origin=-20)
    length = {
        slope: sm.FlowField.toward([[18.0, 0.0]], region=floor, ground=hill, max_slope=slope).distance([-18.0, 0.1])
        for slope in (0.3, 1.5)
    }
    flat = sm.FlowField.toward([[18.0, 0.0]], region=floor).distance([-18.0, 0.1])
    assert flat + 1 < length[1.5] < length[0.3] - 1


def stairs() -> sm.WalkMesh:
    """A floor, 14 steps up, and a floor 3 m above it."""
    boxes = [
        (0, 6, 0, 10, 0.0),
        (10.2, 20, 0, 10, 3.0),
        *((6 + 0.3 * k, 6.3 + 0.3 * k, 4, 6, 0.2 * (k + 1)) for k in range(14)),
    ]
    corners = [[[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]] for x0, x1, y0, y1, z in boxes]
    rows = 4 * np.arange(len(boxes))[:, None] + [0, 1, 2, 0, 2, 3]
    return sm.WalkMesh(sm.TriangleMesh(np.reshape(corners, (-1, 3)), rows.reshape(-1, 3)), clearance=0.3)


def test_a_field_by_a_map_leads_upstairs_after_a_population() -> None:
    house, cat = stairs(), sm.Vehicles([[18.0, 8.0, 3.0]], dtype=np.float64)
    field = sm.FlowField.toward(cat, by=house, speed=2.0)
    assert field.distance([1.0, 5.0, 0.0]) == pytest.approx(17.36, abs=0.1)
    mice = sm.Vehicles(
        [[1.0, 1.0, 0.0], [2.0, 9.0, 0.0], [12.0, 1.0, 3.0]], max_speed=2, max_force=40, radius=0.3, dtype=float
    )
    world = sm.World(dt=1 / 20)
    world.add(cat)
    world.add(mice, steering=sm.FollowFlow(field, lookahead=0.1), locomotion=sm.SurfaceBound(house))
    world.run(seconds=12)
    assert np.linalg.norm(mice.position - cat.position, axis=1).max() < 0.3
    cat.position[:] = (2.0, 2.0, 0.0)
    world.run(seconds=13)
    assert np.linalg.norm(mice.position - cat.position, axis=1).max() < 0.3


def test_a_field_by_a_map_goes_by_its_doors() -> None:
    wall = sm.Walls([[[10.0, 0.0], [10.0, 4.0]], [[10.0, 6.0], [10.0, 20.0]]])
    routes = sm.RouteGrid(wall, region=sm.Box([20.0, 20.0]), clearance=0.3, doors=[[[10.0, 4.0], [10.0, 6.0]]])
    field = sm.FlowField.toward([[15.0, 5.0]], by=routes)
    people = sm.Vehicles([[5.0, 5.0], [5.0, 6.0]], max_speed=2, max_force=40)
    world = ran(people, sm.FollowFlow(field, speed="max"), dt=1 / 20, seconds=1)
    assert people.velocity[:, 0].min() > 1.5
    routes.shut(0)
    world.run(seconds=1)
    np.testing.assert_allclose(people.velocity, 0, atol=0.01)
    routes.open(0)
    world.run(seconds=6)
    np.testing.assert_allclose(people.position, [[15.0, 5.0]] * 2, atol=0.5)


def test_a_field_by_a_map_leads_into_a_region() -> None:
    wall = sm.Walls([[[10.0, 0.0], [10.0, 14.0]]])
    yard = sm.Box([4.0, 4.0], origin=[14.0, 2.0])
    for by in (sm.RouteGrid(wall, region=sm.Box([20.0, 20.0]), clearance=0.3),
               sm.NavMesh.around(wall, region=sm.Box([20.0, 20.0]), clearance=0.3)):  # fmt: skip
        people = sm.Vehicles([[5.0, 5.0], [5.0, 6.0]], max_speed=4, max_force=80)
        ran(people, sm.FollowFlow(sm.FlowField.toward(yard, by=by), speed="max"), dt=1 / 20, seconds=7)
        assert yard.inside(people.position).all()


def test_what_a_field_by_a_map_refuses() -> None:
    house = stairs()
    with pytest.raises(ValueError, match="clearance must be given to the map"):
        sm.FlowField.toward([[1.0, 1.0, 0.0]], by=house, clearance=1.0)
    with pytest.raises(ValueError, match=r"goals must have shape \(n, 3\)"):
        sm.FlowField.toward([[1.0, 1.0]], by=house)
    with pytest.raises(TypeError, match="points, a region or a population for a field by a map"):
        sm.FlowField.toward(lambda: [[1.0, 1.0, 0.0]], by=house)
    with pytest.raises(ValueError, match="goals must have 3 dimensions"):
        sm.FlowField.toward(sm.Vehicles([[1.0, 1.0]]), by=house)
    with pytest.raises(TypeError, match="by must be a map of routes"):
        sm.FlowField.toward([[1.0, 1.0]], by="house")
