"""Crowds on meshes: by how much they make straight ways longer."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.routes.crowds import LEVEL, NO_CROWD, CrowdField, crowd_along, crowd_at, crowd_field
from steersman.core.environment.routes.route_map import Crowd, Guide, RouteQuery

Array = np.ndarray[Any, Any]


def field(places: Array, radius: float, low: Any, high: Any, weight: float = 1.0) -> CrowdField:
    columns = tuple(places.T)
    crowd = Crowd(weight, columns, np.full(len(places), radius), columns, columns, lambda: True)
    return crowd_field(crowd, places, np.array(low, float), np.array(high, float))


def along(crowd: CrowdField, a: Any, b: Any) -> float:
    return float(crowd_along(crowd, *map(float, (*a, 0.0, 0.0)[:3]), *map(float, (*b, 0.0, 0.0)[:3])))


@pytest.mark.parametrize("shape", [(3, 5), (5, 3)])
def test_between_nodes_the_crowd_is_linear_and_beyond_them_it_is_that_at_the_border(shape: tuple[int, int]) -> None:
    """Nodes every 2 m along x and 3 m along y from (10, 20) on; two storeys, 4 m apart."""
    nodes = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1) * [2.0, 3.0] + [10, 20]
    extra = np.stack([nodes @ [1.0, 100.0], nodes @ [1.0, 100.0] + 1e4], axis=-1)
    crowd = CrowdField(extra, np.array([10.0, 20.0, -1.0, 2.0, 3.0, 4.0]))
    last = nodes[-1, -1]
    for place in np.random.default_rng(1).uniform([5, 15], last + 5, (60, 2)):
        inside = np.clip(place, [10, 20], last)
        for z, storey in ((-9.0, 0), (0.9, 0), (1.1, 1), (9.0, 1)):
            assert crowd_at(crowd, *place, z) == pytest.approx(inside @ [1, 100] + 1e4 * storey, rel=1e-12)


def test_bodies_that_cover_a_quarter_make_every_way_a_quarter_longer() -> None:
    """They stand on a lattice, so that the density is the same everywhere but at the rim."""
    radius = 0.25
    apart = np.sqrt(np.pi * radius**2 / 0.25)
    places = apart * (np.stack(np.meshgrid(np.arange(60), np.arange(60)), axis=-1).reshape(-1, 2) + 0.5)
    crowd, rng = field(places, radius, [0, 0], [60 * apart] * 2), np.random.default_rng(0)
    for a, b in zip(rng.uniform(5, 12, (20, 2)), rng.uniform(25, 45, (20, 2)), strict=True):
        assert along(crowd, a, b) == pytest.approx(0.25 * np.linalg.norm(b - a), rel=0.02)


def test_a_way_past_a_crowd_is_no_longer_and_the_sum_over_all_ways_is_the_area_of_the_bodies() -> None:
    places = np.random.default_rng(1).uniform([12, 12], [18, 18], (40, 2))
    crowd = field(places, 0.3, [0, 0], [30, 30])
    assert along(crowd, [0, 2], [30, 3]) == 0
    assert along(crowd, [0, 15], [30, 15]) > 1
    lines = np.linspace(0, 30, 601)
    area = sum(along(crowd, [0, y], [30, y]) for y in lines) * (lines[1] - lines[0])
    assert area == pytest.approx(40 * np.pi * 0.3**2, rel=0.01)
    assert along(field(places, 0.3, [0, 0], [30, 30], weight=3.0), [0, 15], [30, 15]) == pytest.approx(
        3 * along(crowd, [0, 15], [30, 15])
    )


def test_a_crowd_on_another_storey_does_not_count() -> None:
    radius = 0.25
    places = np.random.default_rng(2).uniform([2, 2, 3], [8, 8, 3], (60, 3))
    crowd = field(places, radius, [0, 0, 0], [10, 10, 6])
    assert along(crowd, [0, 5, 0], [10, 5, 0]) == 0
    assert along(crowd, [0, 5, 6], [10, 5, 6]) == 0
    assert along(crowd, [0, 5, 3], [10, 5, 3]) > 1
    flat = field(places[:, :2], radius, [0, 0], [10, 10])
    assert along(crowd, [0, 5, 3], [10, 5, 3]) == pytest.approx(along(flat, [0, 5], [10, 5]))
    for off in (-0.4, 0.4):  # A step up or down is the same storey.
        there = along(crowd, [0, 5, 3 + off * LEVEL * radius], [10, 5, 3 + off * LEVEL * radius])
        assert there == pytest.approx(along(flat, [0, 5], [10, 5]))


def test_no_bodies_are_no_crowd_and_a_large_map_has_wider_cells() -> None:
    nowhere = np.full((3, 2), np.nan)
    assert field(nowhere, 0.3, [0, 0], [1, 1]) is NO_CROWD
    assert field(np.ones((3, 2)), 0.0, [0, 0], [9, 9]) is NO_CROWD
    assert field(np.ones((3, 3)), 0.3, [0, 0, 0], [1e5, 1e5, 1e4]).extra.size < 2e6


def test_ways_over_corners_pay_for_the_crowd_on_every_piece() -> None:
    """The remaining length is that of the pieces and of the crowd along them; doors and goals as without a crowd."""
    wall = sm.Walls([[[10.0, 0.0], [10.0, 12.0]]])
    mesh = sm.NavMesh.around(wall, region=sm.Box([20, 20]), clearance=0.5)
    places = np.random.default_rng(3).uniform([8, 12], [12, 16], (50, 2))
    crowd = field(places, 0.3, *mesh.bounds, weight=2.0)
    goal, start = np.array([15.0, 5.0]), np.array([5.0, 5.0])
    for dense in (NO_CROWD, crowd):
        goals, _ = mesh.ways([goal[None]], dense)
        at = mesh.mesh.point[mesh.corners]
        remaining, after = goals.remaining[0], goals.after[0]
        for c in range(len(at)):
            end = goal if after[c] < 0 else at[after[c]]
            rest = 0.0 if after[c] < 0 else remaining[after[c]]
            extra = along(dense, at[c], end) if dense.extra.size else 0.0
            assert remaining[c] == pytest.approx(np.linalg.norm(end - at[c]) + extra + rest)
    assert mesh.lengths(start, goal)[0] == pytest.approx(mesh.lengths(goal, start)[0])


def test_ways_through_a_crowd_reach_their_goal_over_few_wide_triangles() -> None:
    """A way may turn more often within a triangle than there are edges: the crowd is not the same everywhere."""
    rooms = [(0, 0, 11.9, 16), (12.1, 0, 20, 16), (11.9, 3.4, 12.1, 4.6), (11.9, 11.4, 12.1, 12.6)]
    corners = np.array([[[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]] for x0, y0, x1, y1 in rooms], float)
    faces = 4 * np.arange(len(rooms))[:, None] + [0, 1, 2, 0, 2, 3]
    mesh = sm.WalkMesh(sm.TriangleMesh(corners.reshape(-1, 3), faces.reshape(-1, 3)), clearance=0.35, spacing=0.5)
    rng, goal, row = np.random.default_rng(0), np.array([18.5, 8.0, 0.0]), np.zeros(1, np.int64)
    starts = np.column_stack([rng.uniform(0.5, 11.4, 200), rng.uniform(0.5, 15.5, 200), np.zeros(200)])
    straight = np.linalg.norm(starts - goal, axis=1)
    for _ in range(8):
        places = np.column_stack([rng.uniform(1, 11, 120), rng.uniform(0.5, 8, 120), np.zeros(120)])
        goals, _ = mesh.ways([goal[None]], field(places, 0.25, *mesh.bounds, weight=50.0))
        query = RouteQuery(
            np.ones(200, np.uint8), tuple(starts.T.copy()), np.ones(200), np.zeros(200), tuple(goal[:, None]),
            np.ones(1, np.int64), np.zeros(200, np.int64), np.array([[0.0] * 3] * 2),
        )  # fmt: skip
        guide = Guide(tuple(np.zeros((3, 200))), *np.zeros((4, 200)))
        mesh.guide_call(query, row, goals, guide).run(200)
        assert (guide.remaining >= straight * (1 - 1e-9)).all()
        assert guide.remaining.max() < 40.0
