"""Spheres: nearest, rays and inside, against all pairs; from both sides; on a torus."""

import math

import numpy as np
import pytest
from core.environment.obstacles.oracles import thick_cast, unit

import steersman as sm
from steersman import laws


@pytest.fixture(scope="module", params=[2, 3])
def field(request):
    rng = np.random.default_rng(request.param)
    d = request.param
    spheres = sm.Spheres(rng.uniform(0, 100, (200, d)), rng.uniform(0.1, 4 * d - 4, 200))
    return spheres, rng.uniform(-10, 110, (500, d)), unit(rng.normal(size=(500, d)))


def test_nearest_is_that_of_all_pairs(field):
    spheres, points, _ = field
    distance = np.linalg.norm(points[:, None] - spheres.center, axis=2) - spheres.radius
    found = spheres.nearest(points)
    np.testing.assert_allclose(found.distance, distance.min(axis=1))
    np.testing.assert_array_equal(found.which, distance.argmin(axis=1))
    np.testing.assert_allclose(
        np.linalg.norm(found.point - spheres.center[found.which], axis=1), spheres.radius[found.which]
    )
    np.testing.assert_array_equal(spheres.inside(points), distance.min(axis=1) < 0)
    assert 0 < spheres.inside(points).sum() < 500


def test_nearest_on_a_torus_goes_the_short_way(field):
    spheres, points, _ = field
    torus = sm.Torus([100.0] * spheres.dimensions)
    way = torus.difference(points[:, None], spheres.center)
    distance = np.linalg.norm(way, axis=2) - spheres.radius
    np.testing.assert_allclose(spheres.nearest(points, torus).distance, distance.min(axis=1))


def test_nothing_beyond_the_reach_is_found():
    found = sm.Spheres([[10, 0], [0, 30]], [1, 2]).nearest([[0, 0], [0, 20]], reach=8.5)
    np.testing.assert_array_equal(found.which, [-1, 1])
    np.testing.assert_array_equal(found.distance, [np.inf, 8])
    assert np.isnan(found.point[0]).all()


def test_rays_hit_what_all_pairs_say(field):
    spheres, points, ahead = field
    entries = np.array(
        [laws.ray_sphere_entry(points, ahead, c, r) for c, r in zip(spheres.center, spheres.radius, strict=True)]
    )
    inside = np.linalg.norm(points[:, None] - spheres.center, axis=2) < spheres.radius
    expected = np.where(inside.T, np.inf, entries).min(axis=0)
    found = spheres.cast(points, 3 * ahead)
    np.testing.assert_allclose(found.distance, expected)
    hit = np.isfinite(expected)
    assert 0.05 < hit.mean() < 0.95
    assert np.all(np.sum(found.normal * ahead, axis=1)[hit] <= 0)
    short = spheres.cast(points, ahead, reach=20.0)
    np.testing.assert_allclose(short.distance, np.where(expected <= 20, expected, np.inf))


def test_a_ray_goes_across_the_edge_of_a_torus_but_not_round_it():
    rocks = sm.Spheres([[10.0, 50.0]], 2.0)
    torus = sm.Torus([100, 100])
    assert rocks.cast([90, 50], [1, 0], domain=torus).distance == pytest.approx(18)
    assert rocks.cast([90, 60], [1, 0], domain=torus).distance == np.inf
    assert rocks.cast([13, 50], [1, 0], domain=torus).distance == pytest.approx(95)


def test_seen_from_inside_and_from_both_sides():
    ball = {side: sm.Spheres([0, 0], 5.0, seen_from=side) for side in ("outside", "inside", "both")}
    from_outside = {side: each.cast([-8, 0], [1, 0]) for side, each in ball.items()}
    from_inside = {side: each.cast([1, 0], [1, 0]) for side, each in ball.items()}
    assert [from_outside[side].distance for side in ball] == [3, np.inf, 3]
    assert [from_inside[side].distance for side in ball] == [np.inf, 4, 4]
    np.testing.assert_array_equal(from_inside["inside"].normal, [-1, 0])
    assert all(each.inside([1, 0]) and each.nearest([1, 0]).distance == -4 for each in ball.values())


def test_a_ball_is_stopped_by_its_own_radius():
    ball, way = sm.Spheres([0.0, 0.0], 3.0), np.array([[1.0, 0.0]])
    assert thick_cast(ball, np.array([[-10.0, 0.0]]), way, 2.0)[0][0] == pytest.approx(5)
    # 4 beside the middle: sqrt(25 - 16) = 3 before it.
    assert thick_cast(ball, np.array([[-10.0, 4.0]]), way, 2.0)[0][0] == pytest.approx(7)
    tank = sm.Spheres([0.0, 0.0], 5.0, seen_from="inside")
    distance, normal = thick_cast(tank, np.array([[0.0, 3.0]]), way, 1.0)
    assert distance[0] == pytest.approx(math.sqrt(16 - 9))
    np.testing.assert_allclose(normal[0], -np.array([math.sqrt(7), 3]) / 4)


def test_none_at_all():
    none = sm.Spheres(np.empty((0, 2)))
    assert none.nearest([1, 2]).distance == np.inf
    assert none.cast([[1, 2]], [[1, 0]]).which[0] == -1
    assert none.position.shape == (0, 2)
    assert sm.Controller(sm.Vehicles([[0, 0]]), sm.AvoidObstacles(none)).steer(0.1).tolist() == [[0, 0]]


def test_a_point_in_the_center_has_an_answer():
    found = sm.Spheres([[1, 1], [1, 1]], [0, 0]).nearest([1, 1])
    assert (found.distance, found.which) == (0, 0)
    assert np.isfinite(found.normal).all()
    assert sm.Spheres([1, 1], 0).cast([1, 1], [1, 0]).distance == 0


def test_errors():
    rock = sm.Spheres([0, 0], 1)
    with pytest.raises(ValueError, match='seen_from must be "outside", "inside", "both" or None, got \'above\''):
        sm.Spheres([0, 0], 1, seen_from="above")
    with pytest.raises(ValueError, match=r"points must have shape \(n, 2\), got \(3,\)"):
        rock.nearest([1, 2, 3])
    with pytest.raises(ValueError, match="points must be finite, got nan"):
        rock.nearest([1, np.nan])
    with pytest.raises(ValueError, match="direction must not be zero, got zero in row 1"):
        rock.cast([[1, 2], [3, 4]], [[1, 0], [0, 0]])
    with pytest.raises(ValueError, match=r"direction must have shape \(2, 2\) like origin"):
        rock.cast([[1, 2], [3, 4]], [[1, 0]])
    with pytest.raises(ValueError, match="reach must be >= 0 m, got -1"):
        rock.cast([1, 2], [1, 0], reach=-1)
    with pytest.raises(ValueError, match="reach must be finite"):
        rock.cast([1, 2], [1, 0], reach=np.nan)


def test_a_ray_on_an_oblong_torus_reaches_as_far_as_the_longest_period():
    """A ray meets a rock 45 m ahead on the long side of a torus 10 m wide."""
    rocks = sm.Spheres([[50.0, 5.0, 5.0]], [1.0])
    torus = sm.Torus([60.0, 10.0, 20.0])
    assert rocks.cast([4, 5, 5], [1, 0, 0], domain=torus).distance == pytest.approx(45)
    assert rocks.cast([50, 6.5, 5], [1, 0, 0], 500.0, domain=torus).distance == np.inf
    long_sides = [sm.Torus(size) for size in ([10.0, 60.0, 20.0], [10.0, 20.0, 60.0])]
    assert sm.Spheres([[5.0, 50.0, 5.0]], 1).cast([5, 4, 5], [0, 1, 0], domain=long_sides[0]).distance == pytest.approx(
        45
    )
    assert sm.Spheres([[5.0, 5.0, 50.0]], 1).cast([5, 5, 4], [0, 0, 1], domain=long_sides[1]).distance == pytest.approx(
        45
    )


def test_of_spheres_that_are_met_at_once_the_one_of_the_lower_number_counts():
    """Wherever they lie in the tree: mirrored at the way, many of them, in any order."""
    rng = np.random.default_rng(2)
    half = np.stack([rng.uniform(3, 90, 60), rng.uniform(0.2, 0.9, 60)], axis=1)
    for _ in range(5):
        order = rng.permutation(120)
        spheres = sm.Spheres(np.concatenate([half, half * [1, -1]])[order], 1.0)
        vehicles = sm.Vehicles(np.stack([np.arange(90.0), np.zeros(90)], axis=1), [1, 0], radius=0.1, dtype=np.float64)
        controller = sm.Controller(vehicles, sm.AvoidObstacles(spheres, lookahead=30.0, stops=False))
        controller.steer(0.01)
        threat = controller.memory("AvoidObstacles")["threat"]
        assert (threat >= 0).sum() > 60
        twin = np.argsort(order)[(order + 60) % 120]  # The number of the mirrored one.
        assert (threat[threat >= 0] < twin[threat[threat >= 0]]).all()
