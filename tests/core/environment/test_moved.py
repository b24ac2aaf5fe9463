"""Things of the environment that are moved, and mirrored in the diagonal x = y, answer as before.

All lengths, offsets and corners are different numbers on each axis: an axis that stands for another one, an origin that is
forgotten, or a period without one, changes an answer.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

OFFSET = np.array([31.3, -17.2, 5.9])
RNG = np.random.default_rng(11)
HEIGHTS = RNG.normal(size=(6, 4))
GRID = {d: RNG.normal(size=(*(5, 4, 3)[:d], d)) for d in (2, 3)}


def ahead(ways: Any) -> Any:
    """Vectors, mirrored: x and y are exchanged."""
    return np.asarray(ways, float)[..., [1, 0, 2][: np.shape(ways)[-1]]]


def there(points: Any) -> Any:
    """Points, mirrored and moved."""
    return ahead(points) + OFFSET[: np.shape(points)[-1]]


def same(values: Any) -> Any:
    """Numbers stay."""
    return np.asarray(values, float)


Move = Callable[[Any], Any]


def mirrored(nodes: Any, move: Move) -> Any:
    """An array over the nodes of a plane: of the mirrored grid, too."""
    return nodes if move is same else np.swapaxes(nodes, 0, 1)


def box(size: Any, origin: Any, move: Move, turn: Move) -> sm.Box:
    return sm.Box(turn(size), move(origin))


def floor(move: Move, turn: Move) -> dict[str, Any]:
    """A room with a wall that has two doors."""
    wall = [[[9.0, 0], [9, 3]], [[9, 5], [9, 11]], [[9, 12.5], [9, 14]]]
    doors = [[[9.0, 3], [9, 5]], [[9, 11], [9, 12.5]]]
    rock = sm.Spheres(move([[14.0, 4.5]]), 1.5)
    return {
        "obstacles": [sm.Walls(move(wall)), rock], "region": box([20.0, 14.0], [0.0, 0.0], move, turn), "clearance": 0.4,
        "doors": move(doors), "tolls": [3.5, 0.5],
    }  # fmt: skip


def walkable(move: Move, turn: Move) -> sm.WalkMesh:
    """A floor and a higher one, joined by a ramp with a door at either end."""
    corners = [[0, 0, 0], [8, 0, 0], [8, 5, 0], [0, 5, 0], [12, 0, 2], [12, 5, 2], [20, 0, 2], [20, 5, 2]]
    faces = np.array([[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2], [4, 6, 7], [4, 7, 5]])
    mesh = sm.TriangleMesh(move(corners), faces if move is same else faces[:, ::-1])
    doors = [[[8.0, 0, 0], [8, 5, 0]], [[12.0, 0, 2], [12, 5, 2]]]
    return sm.WalkMesh(mesh, clearance=0.3, doors=move(doors), tolls=[3.5, 0.5])


def land(repeat: bool, move: Move, turn: Move) -> sm.Heightfield:
    heights = HEIGHTS.copy()
    heights[-1], heights[:, -1] = heights[0], heights[:, 0]
    heights[-1, -1] = heights[0, 0]
    low, high, up = move([1.0, 2.0, 0.0]), move([9.0, 8.0, 0.0]), 0.0 if move is same else OFFSET[2]
    return sm.Heightfield(mirrored(heights, move), low[:2], high[:2], repeat=repeat, base=up)


def flow(d: int, outside: str, move: Move, turn: Move) -> sm.FlowField:
    vectors = turn(mirrored(GRID[d], move))
    return sm.FlowField.grid(vectors, move([1.0, 2.0, 0.5][:d]), turn([1.7, 2.1, 2.6][:d]), outside=outside)


CORNERS = [[1.0, 2.0], [9.0, 2.5], [8.0, 8.0], [5.0, 4.0], [2.0, 7.0]]
BENDS = [[1.0, 2.0, 0.5], [9.0, 2.5, 1.0], [8.0, 8.0, 3.0], [3.0, 6.0, 2.0]]
THINGS: dict[str, tuple[int, Callable[[Move, Move], Any]]] = {
    "box": (2, lambda move, turn: box([7.0, 4.0], [1.5, 2.5], move, turn)),
    "box 3d": (3, lambda move, turn: box([7.0, 4.0, 2.0], [1.5, 2.5, 1.0], move, turn)),
    "ball": (3, lambda move, turn: sm.Sphere(move([4.0, 5.0, 2.0]), 2.5)),
    "polygon": (2, lambda move, turn: sm.Polygon(move(CORNERS))),
    "interior": (2, lambda move, turn: sm.Interior(sm.Walls(move(CORNERS), closed=True))),
    "plane": (3, lambda move, turn: sm.Plane(move([1.0, 2.0, 3.0]), turn([0.3, -0.5, 1.0]))),
    "land": (3, lambda move, turn: land(False, move, turn)),
    "repeated land": (3, lambda move, turn: land(True, move, turn)),
    "spheres": (3, lambda move, turn: sm.Spheres(move(BENDS), [0.5, 1.0, 1.5, 0.2])),
    "boxes": (2, lambda move, turn: sm.Boxes(move([[3.0, 3.0], [7.0, 6.0]]), turn([[1.0, 0.5], [0.4, 1.5]]))),
    "boxes 3d": (3, lambda move, turn: sm.Boxes(move(BENDS[1:3]), turn([[1.0, 0.5, 2.0], [0.4, 1.5, 0.7]]))),
    "capsules": (3, lambda move, turn: sm.Capsules(move(BENDS[:2]), move(BENDS[2:]), [0.5, 0.8])),
    "walls": (2, lambda move, turn: sm.Walls(move([[[1.0, 2.0], [6.0, 3.0]], [[7.0, 7.0], [8.0, 1.0]]]))),
    "path": (3, lambda move, turn: sm.Path(move(BENDS), radius=0.7)),
    "round path": (2, lambda move, turn: sm.Path(move(CORNERS), radius=0.7, closed=True)),
    "flow": (2, lambda move, turn: flow(2, "clamp", move, turn)),
    "flow 3d": (3, lambda move, turn: flow(3, "zero", move, turn)),
    "route grid": (2, lambda move, turn: sm.RouteGrid(spacing=0.5, **floor(move, turn))),
    "mesh of polygons": (2, lambda move, turn: sm.NavMesh.around(**floor(move, turn))),
    "walk mesh": (3, walkable),
}  # fmt: skip


def answers(thing: Any, d: int, move: Move, turn: Move, torus: bool) -> list[tuple[str, Any]]:
    """What a thing answers: each with its kind, "number", "way" or "point"."""
    rng = np.random.default_rng(3)
    points = rng.uniform(-1, [11, 10, 5][:d], (60, d))
    ways = np.array([5.0, 4.5, 2.0])[:d] - points + rng.normal(size=(60, d))
    size, low = np.array([[16.0, 13.0, 9.0], [-2.0, -1.0, -0.5]])[:, :d]
    domain = sm.Torus(turn(size), move(low)) if torus else None
    if torus:
        points += np.array([[2, -1, 1], [0, 1, -1], [0, 0, 0]])[:, :d][rng.integers(3, size=60)] * size
    here, along = move(points), turn(ways)
    if isinstance(thing, sm.Obstacles):
        near, hit = thing.nearest(here, domain), thing.cast(here, along, 20.0, domain)
        return [pair for found in (near, hit) for pair in (
            ("number", found.distance), ("point", found.point), ("way", found.normal), ("number", found.which)
        )]  # fmt: skip
    if isinstance(thing, sm.Path):
        s, *rest = thing.project(here)
        every = np.linspace(-3, 30, 40)
        return [
            ("number", s),
            *(("number", each) for each in rest),
            ("point", thing.point_at(every)),
            ("way", thing.tangent_at(every)),
        ]
    if isinstance(thing, sm.FlowField):
        return [("way", thing.at(here, domain))]
    if isinstance(thing, (sm.RouteGrid, sm.NavMesh, sm.WalkMesh)):
        return guidance(thing, d, move, turn, torus)
    found = thing.nearest(here, domain)
    result = [("number", found.distance), ("point", found.point)]
    if isinstance(
        thing, (sm.Plane, sm.Heightfield)
    ):  # On a ridge, and at a corner of the rim, there are several normals.
        ground, _ = thing.project(here)
        if not getattr(thing, "repeat", True):
            here = move(np.clip(points, [1.3, 2.4, -9], [8.6, 7.7, 9]))
        return [*result, ("point", ground), ("way", thing.project(here)[1])]
    return [
        *result, ("way", found.normal), ("point", thing.nearest_inside(here, domain)),
        *zip(("number", "way"), thing.leaving(here, here + 3 * along), strict=True),
    ]  # fmt: skip


def guidance(thing: Any, d: int, move: Move, turn: Move, torus: bool) -> list[tuple[str, Any]]:
    """The ways to two goals, of which one lies in an obstacle, before and after the tolls are changed."""
    points = np.random.default_rng(5).uniform([0.5, 0.5, 0.0], [19, 4.5 if d == 3 else 13.5, 2.0], (40, 3))[:, :d]
    goals, domain = np.array([[18.0, 2.5, 2.0], [14.2, 4.4, 2.0]])[:, :d], None
    if torus and d == 2:
        size = np.array([26.0, 17.0])
        domain = sm.Torus(turn(size), move([-3.0, -1.5]))
        points, goals = points + np.array([[1, -2], [0, 1]])[np.arange(40) % 2] * size, goals - size
    found = []
    for tolls in (None, [30.0, 0.25]):
        if tolls:
            thing.set_tolls(tolls)
        for goal in goals:
            guided, cost = thing.guide(move(points), move(goal), domain=domain)
            found += [("number", cost)]
            if not isinstance(thing, sm.RouteGrid):
                found += [("point", guided)]
    return found


@pytest.mark.parametrize("torus", [False, True], ids=["open", "torus"])
@pytest.mark.parametrize("name", THINGS)
def test_what_is_moved_and_mirrored_answers_as_before(name: str, torus: bool) -> None:
    d, make = THINGS[name]
    before = answers(make(same, same), d, same, same, torus)
    after = answers(make(there, ahead), d, there, ahead, torus)
    move = {"number": same, "way": ahead, "point": there}
    for (kind, one), (_, other) in zip(before, after, strict=True):
        np.testing.assert_allclose(other, move[kind](one), atol=1e-6, rtol=1e-6)
        assert np.ptp(one[np.isfinite(one)]) > 0
