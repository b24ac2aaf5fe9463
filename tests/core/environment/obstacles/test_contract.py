"""The contract of a kind of obstacles: its two kernels, its sizes and its hulls are about the same bodies."""

import itertools

import numpy as np
import pytest
from contract.obstacles import KINDS

import steersman as sm
from steersman.core.environment.obstacles.answers import Rays, new_hits, new_nearest, new_sight
from steersman.core.environment.obstacles.obstacle_set import Solids

RNG = np.random.default_rng(5)


def places(obstacles, n=300):
    """Points in and around a set."""
    center, radius = obstacles.bounding_spheres()
    low, high = (center - radius[:, None]).min(axis=0), (center + radius[:, None]).max(axis=0)
    return RNG.uniform(low - 5, high + 5, (n, obstacles.dimensions))


def toward(obstacles, points):
    """Unit vectors from points to some of the bodies."""
    center, radius = obstacles.bounding_spheres()
    k = RNG.integers(len(center), size=len(points))
    way = center[k] + 0.3 * radius[k, None] * RNG.normal(size=points.shape) - points
    return way / np.linalg.norm(way, axis=1, keepdims=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_ray_ends_where_the_distance_is_zero(kind):
    obstacles = KINDS[kind]
    points = places(obstacles)
    points = points[obstacles.nearest(points).distance > 0]
    hits = obstacles.cast(points, toward(obstacles, points))
    struck = hits.which >= 0
    assert struck.mean() > 0.3
    nearest = obstacles.nearest(hits.point[struck])
    np.testing.assert_allclose(nearest.distance, 0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_no_ray_goes_through(kind):
    """A ray is free as far as the next hit: all places before it are outside."""
    obstacles = KINDS[kind]
    points = places(obstacles, 60)
    points = points[obstacles.nearest(points).distance > 0]
    ahead = toward(obstacles, points)
    free = np.minimum(obstacles.cast(points, ahead).distance, 30)
    if obstacles.is_closed:
        for share in np.linspace(0, 0.999, 40):
            assert not obstacles.inside(points + (share * free)[:, None] * ahead).any()


@pytest.mark.parametrize("kind", KINDS)
def test_the_normal_is_the_way_in_which_the_distance_grows(kind):
    obstacles, points, step = KINDS[kind], places(KINDS[kind]), 1e-5
    found = obstacles.nearest(points)
    farther = obstacles.nearest(points + step * found.normal)
    clear = (farther.which == found.which) & (np.abs(found.distance) > 1e-3)
    assert clear.mean() > 0.9
    np.testing.assert_allclose((farther.distance - found.distance)[clear], step, rtol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_lie_in_their_bounding_spheres(kind):
    obstacles = KINDS[kind]
    points, (center, radius) = places(obstacles), obstacles.bounding_spheres()
    gap = np.linalg.norm(points[:, None] - center, axis=2) - radius
    assert np.all(obstacles.nearest(points).distance >= gap.min(axis=1) - 1e-9)


@pytest.mark.parametrize("kind", [kind for kind, each in KINDS.items() if not each.hulls(np.float64).triangles])
def test_hulls_are_as_near_as_the_bodies(kind):
    obstacles, d = KINDS[kind].viewed_from("outside"), KINDS[kind].dimensions
    rows, points = obstacles.hulls(np.float64).parts.rows, places(obstacles)
    axes = rows[:, 2 * d : 2 * d + d * d].reshape(-1, d, d)
    local = np.einsum("mij,pmj->pmi", axes, points[:, None] - rows[:, :d])
    gap = np.linalg.norm(np.maximum(np.abs(local) - rows[:, d : 2 * d], 0), axis=2) - rows[:, -1]
    distance = np.abs(obstacles.nearest(points).distance)
    outside = gap.min(axis=1) > 1e-9
    np.testing.assert_allclose(gap.min(axis=1)[outside], distance[outside], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_torus_repeats_it(kind):
    obstacles, period = KINDS[kind], 200.0
    points, torus = places(obstacles), sm.Torus([period] * KINDS[kind].dimensions)
    there = obstacles.nearest(points + period, torus).distance
    np.testing.assert_allclose(there, obstacles.nearest(points).distance, atol=1e-6)


QUATERNIONS = np.random.default_rng(4).normal(size=(9, 4))
QUATERNIONS /= np.linalg.norm(QUATERNIONS, axis=1, keepdims=True)
MORE = KINDS | {
    "oblong boxes": sm.Boxes(np.random.default_rng(3).uniform(0, 20, (9, 3)), [2.5, 0.4, 1.2], QUATERNIONS),
    "oblong boxes along the axes": sm.Boxes(np.random.default_rng(3).uniform(0, 20, (9, 3)), [2.5, 0.4, 1.2]),
    "oblong rectangles": sm.Boxes(np.random.default_rng(3).uniform(0, 20, (9, 2)), [2.5, 0.4], 0.7),
}
"""All kinds, and such as have no two sizes alike."""


def swept(obstacles, points, ahead, reach, radius, domain):
    """What balls of a radius touch, and where rays and points are."""
    d, n = obstacles.dimensions, len(points)
    columns = tuple(np.ascontiguousarray(points.T))
    rays = Rays(columns, tuple(np.ascontiguousarray(ahead.T)), np.full(n, reach), np.full(n, radius))
    sight, hits, nearest = (make(n, d, np.float64) for make in (new_sight, new_hits, new_nearest))
    everybody, wrap = np.ones(n, np.uint8), domain.wrap(d, np.float64)
    calls = obstacles.sweep_calls(rays, everybody, wrap, sight) + obstacles.cast_calls(rays, everybody, wrap, hits)
    for call in [*calls, *obstacles.nearest_calls(columns, rays.reach, everybody, wrap, nearest)]:
        call.run(n)
    return [np.where(each.which >= 0, each[0], np.inf) for each in (sight, hits, nearest)]


@pytest.mark.parametrize("kind", MORE)
def test_a_ball_touches_where_its_middle_is_as_far_as_its_radius(kind):
    """Faces, edges and corners: never nearer before, and there exactly; balls of several sizes."""
    obstacles = MORE[kind]
    points = places(obstacles)
    ahead = toward(obstacles, points)
    for radius in (0.3, 1.7):
        outside = np.abs(obstacles.nearest(points).distance) > radius
        outside &= obstacles.nearest(points).distance > 0
        starts, ways = points[outside], ahead[outside]
        touch, _, _ = swept(obstacles, starts, ways, 60.0, radius, sm.Open())
        struck = np.isfinite(touch)
        assert struck.mean() > 0.3
        there = starts[struck] + touch[struck, None] * ways[struck]
        np.testing.assert_allclose(np.abs(obstacles.nearest(there).distance), radius, atol=1e-6)
        for share in np.linspace(0, 0.999, 30):
            between = starts + (share * np.minimum(touch, 30))[:, None] * ways
            assert np.abs(obstacles.nearest(between).distance).min() > radius - 1e-6


def signed(rows, points, d):
    """The signed distances of points, (p, d), from boxes with rounded edges, (p, m)."""
    axes, local = rows[:, 2 * d : 2 * d + d * d].reshape(-1, d, d), points[:, None] - rows[:, :d]
    beyond = np.abs(np.einsum("mij,pmj->pmi", axes, local)) - rows[:, d : 2 * d]
    return np.linalg.norm(np.maximum(beyond, 0), axis=2) + np.minimum(beyond.max(axis=2), 0) - rows[:, -1]


BODIES = [
    kind
    for kind, each in MORE.items()
    if isinstance(each, Solids)
    and not (hulls := each.hulls(np.float64)).triangles
    and len(hulls.parts.rows) == len(each)
]
"""Kinds of which each part is a box with rounded edges."""


@pytest.mark.parametrize("side", ["inside", "both"])
@pytest.mark.parametrize("kind", BODIES)
def test_a_ball_within_a_body_touches_it_where_it_is_as_deep_as_its_radius(kind, side):
    """Seen from inside, and from both sides: tanks and rooms; others do not stand in its way, or are farther."""
    d, rows = MORE[kind].dimensions, MORE[kind].hulls(np.float64).parts.rows
    k = RNG.integers(len(rows), size=200)
    reach, axes = rows[k, d : 2 * d] + rows[k, -1:], rows[k, 2 * d : 2 * d + d * d].reshape(-1, d, d)
    points = rows[k, :d] + np.einsum("pi,pij->pj", RNG.uniform(-0.5, 0.5, (200, d)) * reach, axes)
    ahead = RNG.normal(size=(200, d))
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    depths, radius = signed(rows, points, d), 0.3 * float((rows[:, d : 2 * d] + rows[:, -1:]).min())
    alone = (depths < 0).sum(axis=1) == 1
    alone &= depths[np.arange(200), k] < -radius
    points, ahead, k = points[alone], ahead[alone], k[alone]
    low, high = np.zeros(len(k)), np.full(len(k), 60.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        within = signed(rows, points + middle[:, None] * ahead, d)[np.arange(len(k)), k] < -radius
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    touch, _, _ = swept(MORE[kind].viewed_from(side), points, ahead, 60.0, radius, sm.Open())
    assert len(k) > 20
    if side == "both":
        assert (touch <= low + 1e-6).all()
        steps = points[:, None] + np.linspace(0, 1, 50)[:, None] * (touch[:, None] * ahead)[:, None]
        others = np.sort(signed(rows, steps.reshape(-1, d), d).reshape(len(k), 50, -1), axis=2)[:, :, 1]
        low = np.where((others > radius + 1e-6).all(axis=1), low, touch)  # Another body comes first.
    np.testing.assert_allclose(touch, low, atol=1e-6)


@pytest.mark.parametrize("kind", MORE)
def test_an_oblong_torus_is_all_its_images(kind):
    """What balls touch, where rays end and what is nearest is that of the nearest image, over every seam and corner."""
    obstacles = MORE[kind]
    d, rng = obstacles.dimensions, np.random.default_rng(6)
    center, radius = obstacles.bounding_spheres()
    low, high = (center - radius[:, None]).min(axis=0), (center + radius[:, None]).max(axis=0)
    periods = high - low + np.array([2.0, 9.0, 5.0])[:d]
    torus, reach = sm.Torus(periods), min(16.0, periods.min())
    points = low + rng.random((120, d)) * periods
    aims = rng.integers(len(center), size=120)
    ahead = torus.difference(center[aims] + 0.3 * radius[aims, None] * rng.normal(size=(120, d)), points)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    found = swept(obstacles, points, ahead, reach, 0.8, torus)
    turns = np.array(list(itertools.product((-1, 0, 1), repeat=d)))
    images = [swept(obstacles, points + turn * periods, ahead, reach, 0.8, sm.Open()) for turn in turns]
    for each, answers in zip(found, zip(*images, strict=True), strict=True):
        np.testing.assert_allclose(each, np.min(answers, axis=0), rtol=1e-9, atol=1e-9)
        assert np.isfinite(each).mean() > 0.05
