"""RouteGrid: the room around its nodes beside that of all pairs, and what counts for its ways."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.routes.rasters import crowding_of
from steersman.core.environment.routes.route_map import Crowd, Guide, RouteOrder, RouteQuery


def rocks_apart() -> sm.Spheres:
    """Twelve rocks, no two of which overlap."""
    rng = np.random.default_rng(1)
    places = np.stack(np.meshgrid(np.arange(8.0, 60, 15), np.arange(8.0, 50, 15)), axis=-1).reshape(-1, 2)
    return sm.Spheres(places + rng.uniform(-3, 3, places.shape), rng.uniform(0.2, 4, len(places)))


@pytest.mark.parametrize("spacing", [0.5, 2.0])
@pytest.mark.parametrize("sides", ["outside", "inside", "both"])
def test_the_room_of_each_node_is_that_to_the_nearest_of_all(sides: str, spacing: float) -> None:
    """Blocks of nodes are left out where their middles are far; inside of what is solid room is negative."""
    rocks = rocks_apart().viewed_from(sides)
    grid = sm.RouteGrid(rocks, region=sm.Box([60.0, 50.0]), spacing=spacing, clearance=0.5)
    x, y = (spacing * np.arange(each) for each in grid.shape)
    nodes = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    distance = np.linalg.norm(nodes[:, :, None] - rocks.center, axis=-1) - rocks.radius
    wanted = (distance if sides == "outside" else np.abs(distance)).min(axis=-1)
    rim = np.minimum(nodes, [60.0, 50.0] - nodes).min(axis=-1)
    most = grid.least_room + 2 * spacing
    np.testing.assert_allclose(grid.room, np.minimum(np.minimum(wanted, rim), most), atol=1e-9)
    assert (grid.room == most).sum() > 10


def test_a_clearance_of_next_to_nothing_is_refused_for_the_number_of_its_nodes():
    with pytest.raises(ValueError, match="spacing must be larger: 1,000,000,000 x 1,000,000,000 nodes"):
        sm.RouteGrid(region=sm.Sphere([0.0, 0.0], 5.0), clearance=5e-324)


@pytest.mark.parametrize("goal", [[5.0, 5.0], sm.Sphere([5.0, 5.0], 0.6)], ids=["point", "region"])
def test_what_a_meter_costs_counts_up_to_the_goal(goal: Any) -> None:
    """Also of the last two spacings, which are as long as they are straight."""
    plain, swamp = (
        sm.RouteGrid(region=sm.Box([40.0, 10.0]), spacing=1.0, clearance=0.5, cost=cost) for cost in (None, [[3.0]])
    )
    places = np.stack([np.arange(6.0, 31), np.full(25, 5.0)], axis=1)
    (_, short), (_, long) = (grid.guide(places, goal) for grid in (plain, swamp))
    far = short > 1
    np.testing.assert_allclose(long[far], 3 * short[far], rtol=0.02)


@pytest.mark.parametrize("goal", ["point", "region"])
def test_what_a_crowd_adds_counts_up_to_the_goal(goal: str) -> None:
    """Where a crowd makes each meter three times as long, all ways are, the last two spacings too."""
    grid, middle = sm.RouteGrid(region=sm.Box([12.0, 10.0]), spacing=1.0, clearance=0.5), np.array([5.3, 5.4])
    near = grid.seeds(middle[None]) if goal == "point" else grid.seeds_of_region(sm.Sphere(middle, 0.6), np.zeros(2))
    plain, crowded = (grid.compute(*near, weight).remaining for weight in (grid.weight, 3 * grid.weight))
    open_nodes = np.isfinite(plain)
    np.testing.assert_allclose(crowded[open_nodes], 3 * plain[open_nodes], rtol=1e-6)
    assert (plain > 0).sum() > 90


def test_a_crowd_beside_a_map_is_not_on_its_rim() -> None:
    """Bodies within a cell of the rim count there; those that are farther away, or nowhere, do not."""
    radius, about = np.ones(4, np.float32), (np.zeros(2), (21, 11), 1.0, 2.0)
    here = np.array([[25.0, 5.0], [5.0, -30.0], [np.nan, 3.0], [-2.1, 5.0]])
    assert not crowding_of(here, radius, *about).any()
    covered = crowding_of(np.array([[20.0, 5.0]]), radius[:1], *about)
    assert covered[20, 4] > 0.3
    assert covered[:17].max() == 0


@pytest.mark.parametrize("count", [0.3, 3.0])
@pytest.mark.parametrize("reach", [0.5, 2.0, 30.0])
def test_what_a_way_costs_is_told_up_to_the_goal_and_to_stop_its_length(count: float, reach: float) -> None:
    """Ground where every meter counts `count`: however far one looks ahead, to the goal or not."""
    grid = sm.RouteGrid(region=sm.Box([20, 20]), spacing=0.5, cost=np.full((2, 2), count))
    start, goal = [4.0, 10.0], [14.0, 10.0]
    assert grid.guide(start, goal, reach=reach)[1] == pytest.approx(10 * count, rel=0.02)
    answer = grid.answers(start, goal, reach=reach, row=None, domain=None)
    assert answer.remaining[0] == pytest.approx(10, rel=0.07)
    assert answer.way[0][0] <= answer.remaining[0] + 1e-9
    assert grid.route(start, goal).points[-1].tolist() == goal


@pytest.mark.parametrize("kind", ["grid", "mesh", "walk"])
@pytest.mark.parametrize("start", [2.0, 9.0])
def test_a_toll_is_a_cost_and_no_length(kind: str, start: float) -> None:
    """Between two rooms two doors at one place cost 7 m: a vehicle that stops behind is as far from its goal as without."""
    wall, door = sm.Walls([[[10.0, 0.0], [10.0, 4.0]], [[10.0, 6.0], [10.0, 10.0]]]), 2 * [[[10.0, 4.0], [10.0, 6.0]]]
    floor, begin, goal = sm.Box([20, 10]), [start, 5.0], [13.0, 5.0]
    if kind == "walk":
        rooms = [[[x, y, 0.0] for x, y in ((a, 4.5), (b, 4.5), (b, 5.5), (a, 5.5))] for a, b in ((0, 10), (10, 20))]
        corners = 4 * np.arange(2)[:, None] + [0, 1, 2, 0, 2, 3]
        ground = sm.TriangleMesh(np.reshape(rooms, (-1, 3)), corners.reshape(-1, 3))
        by: Any = sm.WalkMesh(ground, clearance=0.2, doors=2 * [[[10.0, 4.5, 0.0], [10.0, 5.5, 0.0]]], tolls=[2.5, 4.5])
        begin, goal = [*begin, 0.0], [*goal, 0.0]
    elif kind == "mesh":
        by = sm.NavMesh.around(wall, region=floor, clearance=0.3, doors=door, tolls=[2.5, 4.5])
    else:
        by = sm.RouteGrid(wall, region=floor, clearance=0.3, spacing=0.25, doors=door, tolls=[2.5, 4.5])
    for tolls, toll in ((None, 7.0), ([1.0, 3.0], 4.0)):
        if tolls:
            by.set_tolls(tolls)
        answer = by.answers(begin, goal, reach=12.0, row=None, domain=None)
        assert answer.remaining[0] == pytest.approx(13 - start, rel=0.02)
        assert answer.cost[0] == pytest.approx(13 - start + toll, abs=1.0)


def test_a_way_through_a_crowd_costs_as_much_to_one_goal_as_beside_others() -> None:
    """Also after room has been made for the fields of more goals."""
    grid, n = sm.RouteGrid(region=sm.Box([20, 20]), spacing=0.5), 121
    crowd = np.random.default_rng(2).uniform([7, 0], [11, 20], (n - 1, 2))
    places = tuple(np.concatenate([[[4.0, 10.0]], crowd]).T.copy())
    goals = np.array([[14.0, 10.0], [16.0, 2.0], [2.0, 2.0], [10.0, 18.0]])

    def answer(rows: Any) -> Guide:
        query = RouteQuery(
            np.ones(n, np.uint8), places, np.full(n, 2.0), np.zeros(n), tuple(goals.T.copy()), np.array([4]), rows,
            np.zeros((2, 2)),
        )  # fmt: skip
        guide = Guide(tuple(np.zeros((2, n))), *np.zeros((4, n)))
        bodies = Crowd(5.0, places, np.full(n, 0.3), places, tuple(np.zeros((2, n))), lambda: True)
        for call in grid.guide_calls(RouteOrder(query, guide, None, False, lambda: n, bodies)):
            call.run(n)
        return guide

    alone, among = answer(np.zeros(n, np.int64)), answer(np.arange(n) % 4)
    assert alone.cost[0] > 1.2 * alone.remaining[0]
    assert among.remaining[0] == alone.remaining[0]
    assert among.cost[0] == alone.cost[0]


def test_a_door_that_no_way_leads_through_is_named() -> None:
    """One of two doors is .8 m wide: with a clearance of .5 m nothing passes it, and nothing else would say so."""
    wall = sm.Walls([[[10.0, 0.0], [10.0, 4.0]], [[10.0, 4.8], [10.0, 7.0]], [[10.0, 9.0], [10.0, 10.0]]])
    doors = [[[10.0, 7.0], [10.0, 9.0]], [[10.0, 4.0], [10.0, 4.8]]]
    grid = sm.RouteGrid(wall, region=sm.Box([20, 10]), clearance=0.5, spacing=0.25, doors=doors)
    with pytest.warns(UserWarning, match=r"RouteGrid\(doors\[1\]\): no way leads .* has 0.5 m of room") as heard:
        grid.answers([2.0, 5.0], [13.0, 5.0], reach=12.0, row=None, domain=None)
    assert [each.filename for each in heard] == [__file__]


def asking(
    grid: sm.RouteGrid,
    places: Any,
    goals: Any,
    *,
    weight: float | None = None,
    bodies: Any = None,
    due: Callable[[], bool] = lambda: True,
    moves: bool = True,
) -> Callable[..., Guide]:
    """A function that lets vehicles ask for the ways to their goals, every time by the same calls.

    Args:
        grid: The map.
        places: Where the vehicles are [m], shape (n, 2).
        goals: Their goals, shape (n, 2).
        weight: How much longer ways are through a crowd; None for no crowd.
        bodies: Where the bodies of the crowd are, shape (n, 2); written to.
        due: Whether they are counted anew.
        moves: Whether the goals may move.
    """  # fmt: skip
    n, here = len(places), tuple(np.array(places, float).T.copy())
    active = np.zeros(n, np.uint8)
    query = RouteQuery(
        active, here, np.full(n, 2.0), np.zeros(n), tuple(np.array(goals, float).T.copy()), np.array([n]),
        np.arange(n), np.zeros((2, 2)),
    )  # fmt: skip
    guide = Guide(tuple(np.zeros((2, n))), *np.zeros((4, n)))
    crowd = None
    if weight is not None:
        before = np.zeros((2, n))  # Where each was counted last: a step writes it for the next one.
        crowd = Crowd(weight, tuple(bodies.T), np.full(n, 0.4), tuple(before), tuple(before), due)
    calls = grid.guide_calls(RouteOrder(query, guide, None, moves, lambda: n, crowd))

    def ask(rows: Any = slice(None)) -> Guide:
        active[:] = 0
        active[rows] = 1
        for each in (*guide.way, *guide[1:]):
            each[...] = np.nan
        for call in calls:
            call.run(n)
        return Guide(tuple(each.copy() for each in guide.way), *(each.copy() for each in guide[1:]))

    return ask


def two_doors() -> sm.RouteGrid:
    """Two rooms with two doors: one at y = 3, one at y = 17."""
    ends = [[0.0, 2.0], [4.0, 16.0], [18.0, 20.0]]
    doors = [[[10.0, 2.0], [10.0, 4.0]], [[10.0, 16.0], [10.0, 18.0]]]
    wall = sm.Walls([[[10.0, low], [10.0, high]] for low, high in ends])
    return sm.RouteGrid(wall, region=sm.Box([20, 20]), clearance=0.3, spacing=0.5, doors=doors)


def same(one: Guide, other: Guide) -> None:
    np.testing.assert_array_equal(np.stack([*one.way, *one[1:]]), np.stack([*other.way, *other[1:]]))


@pytest.mark.parametrize("counted", ["always", "once"])
def test_a_toll_that_changes_beside_a_crowd_that_stands_leads_by_another_door(counted: str) -> None:
    """The crowd is where it was counted; and it still counts after the toll, as for one that asks for the first time."""
    rng = np.random.default_rng(4)
    bodies = rng.uniform([8, 1], [12, 5], (30, 2))
    places, goals = np.concatenate([[[4.0, 5.0]], bodies[1:]]), np.tile([16.0, 5.0], (30, 1))
    times = iter([True])
    due = (lambda: True) if counted == "always" else (lambda: next(times, False))
    grid = two_doors()
    ask = asking(grid, places, goals, weight=2.0, bodies=bodies, due=due)

    def anew() -> Guide:
        return asking(grid, places, goals, weight=2.0, bodies=bodies)()

    free = ask()
    same(free, anew())
    grid.set_toll(0, 50.0)
    dear = ask()
    same(dear, anew())
    assert dear.way[1][0] > 1 > free.way[1][0]
    grid.set_toll(1, 50.0)
    both = ask()
    same(both, anew())
    assert both.cost[0] > asking(grid, places, goals)().cost[0] + 1
    grid.set_tolls(0.0)
    same(ask(), free)


@pytest.mark.parametrize("moves", [False, True])
def test_a_toll_that_changes_without_a_crowd_leads_by_another_door_and_back(moves: bool) -> None:
    """Fields are kept from step to step, of goals that may move and of those that do not."""
    grid = two_doors()
    ask = asking(grid, [[4.0, 5.0], [4.0, 15.0]], [[16.0, 4.0], [16.0, 4.0]], moves=moves)
    free = ask()
    grid.set_toll(0, np.inf)
    shut = ask()
    same(shut, asking(grid, [[4.0, 5.0], [4.0, 15.0]], [[16.0, 4.0], [16.0, 4.0]], moves=moves)())
    assert shut.way[1][0] > 0 > free.way[1][0]
    assert shut.cost[0] > free.cost[0] + 10
    grid.open(0)
    same(ask(), free)


def test_a_crowd_that_moves_beside_tolls_that_stand_makes_other_ways_longer() -> None:
    rng = np.random.default_rng(5)
    bodies = rng.uniform([8, 1], [12, 5], (40, 2))
    grid = two_doors()
    ask = asking(grid, np.full((40, 2), [4.0, 8.0]), np.full((40, 2), [16.0, 8.0]), weight=3.0, bodies=bodies)
    before = ask()
    bodies[:, 1] += 14.0
    after = ask()
    assert before.way[1][0] > 0 > after.way[1][0]


def test_one_that_asks_later_from_farther_off_knows_its_way_and_so_does_one_with_no_open_node_around() -> None:
    """Fields of goals that move are computed as far as vehicles ask: of several, as far as the farthest does."""
    rock = sm.Spheres([[30.0, 10.0]], 3.0)
    grid = sm.RouteGrid(rock, region=sm.Box([40, 20]), clearance=0.5, spacing=0.5)
    places = [[8.0, 10.0], [37.0, 12.0], [31.0, 10.0]]  # Near, far off, and inside of the rock.
    goals = np.tile([5.0, 10.0], (3, 1))
    ask, whole = asking(grid, places, goals), grid.guide(np.array(places), [5.0, 10.0], reach=2.0)
    for rows in ([0], [0, 1], [1], [0, 2], [0, 1, 2]):
        found = ask(rows)
        told = places + np.stack(found.way, axis=1)
        np.testing.assert_allclose(told[rows], whole[0][rows], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found.cost[rows], whole[1][rows], rtol=1e-5)
    fresh = asking(grid, places, goals)
    same(fresh([0, 2]), ask([0, 2]))


ROOMS: dict[str, tuple[dict[str, Any], float]] = {
    "no doors": ({}, 1e-5),
    "an open door": ({"doors": [[[5, 4], [5, 10]]], "tolls": 0.0}, 0.015),  # Where tolls may be, costs are bilinear.
}


@pytest.mark.parametrize("room", ROOMS)
def test_the_cost_of_a_way_counts_from_where_the_goal_is_however_it_is_given(room: str) -> None:
    """Not from the node nearest to it, as the way to vehicles did, and with doors that to points: 0.3 m of 7 m less."""
    doors, about = ROOMS[room]
    plain, grid = (
        sm.RouteGrid(sm.Walls([[5, 0], [5, 4]]), region=sm.Box([10, 10]), clearance=0.5, **each) for each in ({}, doors)
    )
    starts = np.random.default_rng(1).uniform(0.8, 4, (20, 2))
    goal = np.array([[8.23, 3.27], [9.3, 8.8]])  # Between nodes.
    for row in (None, 0, 1):
        expected, costs = plain.guide(starts, goal, row=row)
        at_node = plain.guide(starts, plain.snapped(goal), row=row)[1]
        assert np.abs(at_node / costs - 1).min() > 0.02
        for goals in (goal, sm.Vehicles(goal), lambda: goal):
            places, found = grid.guide(starts, goals, row=row)
            np.testing.assert_allclose(found, costs, rtol=about)
            np.testing.assert_allclose(places, expected, rtol=about)
