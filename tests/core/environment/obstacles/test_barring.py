"""What bars the way: whoever keeps to the half-spaces touches nothing, and they hinder nobody who need not be hindered."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.obstacles.answers import Balls, Bars, new_bars
from steersman.core.environment.obstacles.obstacle import Obstacles, as_obstacles
from steersman.core.parameters.arrays import columns_of

RADIUS = 0.3


def bars_of(sets: list[Obstacles], place, way, reach: float = 4.0, dtype=np.float64, domain=None, **options) -> Bars:
    """What sets bar for balls at places that would move along ways."""
    place, way = np.atleast_2d(place), np.atleast_2d(way)
    n, d = place.shape
    balls = Balls(columns_of(place, dtype), columns_of(way, dtype), np.full(n, reach, dtype), np.full(n, RADIUS, dtype))
    bars, everybody = new_bars(n, d, len(sets), dtype), np.ones(n, np.uint8)
    wrap = (domain or sm.Open()).wrap(d, dtype)
    for call in as_obstacles(sets).bar_calls(balls, everybody, wrap, bars, **options):
        call.run(n)
    return bars


def kept_to(bars: Bars, i: int, way) -> bool:
    """Whether a way keeps to all half-spaces of ball i."""
    normals = np.stack([column[i, : bars.number[i]] for column in bars.normal], axis=1)
    return bool((normals @ way >= bars.bound[i, : bars.number[i]] - 1e-9).all())


def kinds(d: int, rng) -> dict[str, Obstacles]:
    """A few obstacles of each kind, that do not come near the origin."""
    ways = rng.normal(size=(6, d))
    centers = 2.5 * ways / np.linalg.norm(ways, axis=1, keepdims=True)
    turn = rng.uniform(0, 6, 6) if d == 2 else np.linalg.qr(rng.normal(size=(6, 3, 3)))[0]
    if d == 3:
        turn *= np.sign(np.linalg.det(turn))[:, None, None]
    every = {
        "boxes": sm.Boxes(centers, rng.uniform(0.1, 0.9, (6, d)), turn),
        "room": sm.Boxes(np.zeros((1, d)), rng.uniform(1, 3, (1, d)), turn[:1], seen_from="inside"),
        "capsules": sm.Capsules(centers, centers + rng.normal(0, 0.5, (6, d)), 0.2),
        "spheres": sm.Spheres(centers, 0.7, seen_from="both"),
    }
    if d == 2:
        every["walls"] = sm.Walls(np.stack([centers, centers + rng.normal(0, 0.6, (6, 2))], axis=1))
    else:
        corners = (centers[:, None] + rng.normal(0, 0.6, (6, 3, 3))).reshape(-1, 3)
        every["triangles"] = sm.TriangleMesh(corners, np.arange(18).reshape(6, 3))
    return every


@pytest.mark.parametrize("d", [2, 3])
def test_ways_that_keep_to_the_half_spaces_touch_nothing(d):
    rng, tried = np.random.default_rng(7), 0
    for _ in range(12):
        for each in kinds(d, rng).values():
            place, now = np.zeros(d), rng.normal(0, 1.5, d)
            if abs(float(each.nearest(place).distance)) < RADIUS:
                continue
            bars = bars_of([each], place, now)
            assert bars.number[0] >= 1
            for way in [*rng.normal(0, 1.5, (40, d)), now]:
                if kept_to(bars, 0, way) and np.linalg.norm(way) <= 4:
                    tried += 1
                    steps = np.linspace(0, 1, 60)[:, None] * way
                    assert np.abs(each.nearest(steps).distance).min() > RADIUS - 1e-3
    assert tried > 300


def test_both_walls_of_a_corner_count_in_one_set_and_in_two():
    """In the corner of an L of two boxes, 0.5 m from either: no more than the gap of 0.2 m along x and along y."""
    center, size = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.5, 9.0], [9.0, 0.5]])
    for sets in ([sm.Boxes(center, size)], [sm.Boxes(center[0], size[0]), sm.Boxes(center[1], size[1])]):
        bars = bars_of(sets, [0.0, 0.0], [1.0, 1.0])
        assert bars.number[0] == 2
        assert kept_to(bars, 0, [0.19, 0.19])
        assert not kept_to(bars, 0, [0.21, -1.0])
        assert not kept_to(bars, 0, [-1.0, 0.21])


@pytest.mark.parametrize("closed", [False, True])
def test_a_wall_of_many_pieces_is_one_wall(closed):
    """Touching it, one walks along it as along a single piece."""
    x = np.linspace(-10, 10, 101)
    chain = np.stack([x, np.zeros(101)], axis=1)
    if closed:
        chain = np.concatenate([chain, [[10.0, -1.0], [-10.0, -1.0]]])
    bars = bars_of([sm.Walls(chain, closed=closed)], [0.033, RADIUS + 1e-6], [1.5, 0.0])
    assert bars.number[0] == 1
    assert kept_to(bars, 0, [3.0, 0.0])
    assert not kept_to(bars, 0, [0.0, -0.01])


def test_a_doorway_does_not_hinder_who_walks_through_it():
    """1.2 body widths: straight through is free at any speed; into a post is not."""
    door = sm.Walls([[[0.0, -9.0], [0.0, -1.2 * RADIUS]], [[0.0, 1.2 * RADIUS], [0.0, 9.0]]])
    for x in (-1.5, -0.5, -0.1, 0.0, 0.1):
        bars = bars_of([door], [x, 0.0], [2.0, 0.0])
        assert kept_to(bars, 0, [2.0, 0.0])
        assert x > -1 or not kept_to(bars, 0, [2.0, 0.9])


def test_who_is_within_is_led_out_and_who_does_not_see_it_is_held_in():
    solid = bars_of([sm.Boxes([[0.0, 0.0]], 1.0)], [0.9, 0.0], [0.0, 0.0])
    np.testing.assert_allclose([solid.normal[0][0, 0], solid.bound[0, 0]], [1.0, 0.1 + RADIUS])
    room = bars_of([sm.Boxes([[0.0, 0.0]], 1.0, seen_from="inside")], [1.1, 0.0], [0.0, 0.0])
    np.testing.assert_allclose([room.normal[0][0, 0], room.bound[0, 0]], [-1.0, 0.1 + RADIUS])


@pytest.mark.parametrize("size", [[40.0, 40.0], [40.0, 12.0], [12.0, 40.0]])
def test_across_a_seam_the_same_ways_are_barred_as_at_home(size):
    """The reach is from the surface of the ball: an image of a rock just within it counts, on oblong tori, too."""
    torus, across = sm.Torus(size), np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    for gap, number in ((1.95, 1), (2.05, 0)):
        rock = sm.Spheres([[5.0 + gap + RADIUS + 1.0, 5.0]], [1.0])
        places = across * size + np.full(2, 5.0)
        found = bars_of([rock], places, np.tile([[1.0, 0.0]], (5, 1)), reach=2.0, domain=torus)
        np.testing.assert_array_equal(found.number, number)
        for column in (*found.normal, found.bound):
            np.testing.assert_allclose(column[:, :number], np.tile(column[:1, :number], (5, 1)), atol=1e-9)


def margin(normal, bound, way) -> float:
    """The margin of a half-space for a ball that brakes."""
    return np.sqrt(-bound) + normal @ way


@pytest.mark.parametrize("d", [2, 3])
def test_of_a_body_the_half_space_with_the_largest_margin_is_kept_to(d):
    """It keeps clear of the body, and no other one has a larger margin: normals to all sides are tried."""
    rng, center = np.random.default_rng(3), np.zeros(d)
    center[0] = 2.0
    for each in (sm.Spheres([center], 0.8), sm.Capsules([center], [center + 0.5], 0.3)):
        for _ in range(10):
            way = rng.normal(0, 0.3, d) + 0.5 * center
            bars = bars_of([each], np.zeros(d), way, braking=True)
            normal, bound = np.array([column[0, 0] for column in bars.normal]), bars.bound[0, 0]
            ends = [center] if isinstance(each, sm.Spheres) else [center, center + 0.5]
            reach = each.radius[0] + RADIUS
            assert bound == pytest.approx(max(end @ normal for end in ends) + reach)
            others = rng.normal(size=(4000, d))
            others /= np.linalg.norm(others, axis=1, keepdims=True)
            bounds = np.max([others @ end for end in ends], axis=0) + reach
            best = max(margin(n, b, way) for n, b in zip(others, bounds, strict=True) if b <= 0)
            assert margin(normal, bound, way) > best - 0.02


def test_of_a_tank_the_half_space_with_the_smallest_margin_counts_too():
    """Along the wall of a round tank: the half-space ahead is what its curvature allows, that at the nearest point is not."""
    tank = sm.Spheres([0.0, 0.0], 5.0, seen_from="inside")
    bars = bars_of([tank], [0.0, -4.6], [3.0, 0.0], braking=True)
    assert bars.number[0] == 2
    normals, bounds = np.stack([column[0, :2] for column in bars.normal], axis=1), bars.bound[0, :2]
    np.testing.assert_allclose(normals[0], [0, 1], atol=1e-12)
    angle = np.linspace(0, np.pi / 2, 1000)
    outward = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    worst = min(
        margin(-u, 4.6 * np.cos(a) + RADIUS - 5.0, np.array([3.0, 0])) for u, a in zip(outward, angle, strict=True)
    )
    assert margin(normals[1], bounds[1], np.array([3.0, 0])) == pytest.approx(worst, abs=0.05)


def test_for_braking_what_is_not_seen_does_not_bar():
    for place, seen in ([0.2, 0.0], "outside"), ([6.0, 0.0], "inside"):
        assert bars_of([sm.Spheres([0.0, 0.0], 5.0, seen_from=seen)], place, [1.0, 0.0], braking=True).number[0] == 0


@pytest.mark.parametrize("braking", [True, False])
@pytest.mark.parametrize("d", [2, 3])
def test_shells_bar_from_both_sides_in_one_set(d, braking):
    """In a tank with a pillar, however near to either: one half-space holds a ball inside, and another one outside."""
    pillar = np.zeros(d)
    pillar[0] = 3.0
    tube = [sm.Spheres([np.zeros(d), pillar], [6.0, 1.0], seen_from="both"),
            sm.Capsules([np.zeros(d), pillar], [np.eye(d)[1], pillar + 1e-3], [6.0, 1.0], seen_from="both")]  # fmt: skip
    for each in tube:
        for x in (1.5, 4.5, 5.0):
            place = x * np.eye(d)[0]
            bars = bars_of([each], place, 0.1 * place, reach=9.0, braking=braking)
            normals = np.stack([column[0, : bars.number[0]] for column in bars.normal], axis=1)
            bounds = bars.bound[0, : bars.number[0]]
            for sign, gap in ((-1.0, 6 - x), (np.sign(x - 3), abs(x - 3) - 1)):
                held = np.flatnonzero(normals[:, 0] * sign > 0.9)
                assert np.abs(bounds[held] - (RADIUS - gap)).min() < 0.05, (type(each).__name__, x, sign)
