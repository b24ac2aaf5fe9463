"""Obstacle avoidance."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steersman.core.steering import laws

ORIGIN, EAST = np.zeros(2), np.array([1.0, 0.0])


def threat(*obstacles: tuple[float, float, float], reach: float = 10.0) -> tuple[int, float]:
    """The nearest threat to a vehicle of radius 1 m in the origin that heads east."""
    table = np.array(obstacles).reshape(-1, 3)
    row, distance = laws.nearest_threat(ORIGIN, EAST, 1.0, table[:, :2], table[:, 2], reach)
    return int(row), float(distance)


@given(x=st.floats(-20, 20), y=st.floats(-6, 6), radius=st.floats(0.1, 5))
def test_a_ray_enters_the_sphere_where_it_says(x: float, y: float, radius: float) -> None:
    center = np.array([x, y])
    assume(abs(abs(y) - radius) > 1e-6)
    entry = laws.ray_sphere_entry(ORIGIN, EAST, center, radius)
    samples = np.linspace(0, 40, 4001)[:, None] * EAST
    inside = laws.length(samples - center) <= radius
    if np.isinf(entry):
        assert not inside.any()
    elif np.hypot(x, y) <= radius:
        assert entry == 0
    else:
        assert laws.length(entry * EAST - center) == pytest.approx(radius)
        assert not inside[samples[:, 0] < entry].any()


def test_a_tangent_ray_hits() -> None:
    assert laws.ray_sphere_entry(ORIGIN, EAST, np.array([5.0, 2.0]), 2.0) == 5.0
    assert np.isinf(laws.ray_sphere_entry(ORIGIN, EAST, np.array([5.0, 2.0001]), 2.0))


def test_figure_7_of_the_paper() -> None:
    """A does not intersect the cylinder, B and C do, B is nearer."""
    a, b, c = (3.0, 4.0, 2.0), (5.0, -1.0, 1.0), (8.0, 1.0, 1.5)
    row, distance = threat(a, b, c)
    assert row == 1
    assert distance == pytest.approx(5 - np.sqrt(3))
    centers, radii = np.array([a[:2], b[:2], c[:2]]), np.array([2.0, 1.0, 1.5])
    steering = laws.avoid_obstacles(ORIGIN, EAST, 1.0, centers, radii, 10.0, 7.0)
    np.testing.assert_allclose(steering, [0, 7.0])  # B is to the right: to the left


@pytest.mark.parametrize(
    ("obstacle", "found"),
    [
        ((13.1, 0, 2), False),  # begins beyond the cylinder
        ((12.9, 0, 2), True),
        ((5, 3.01, 2), False),  # beside it
        ((5, 2.99, 2), True),
        ((-2, 0, 2), False),  # being left behind, though still touching
        ((0, 1.5, 2), False),  # abreast
        ((0.5, 1.5, 2), True),  # touching, and not yet passed
    ],
)
def test_what_is_in_the_way(obstacle: tuple[float, float, float], found: bool) -> None:
    assert (threat(obstacle)[0] == 0) is found


def test_nothing_in_the_way() -> None:
    row, distance = threat()
    assert row == -1
    assert np.isinf(distance)
    steering = laws.avoid_obstacles(np.zeros((3, 2)), np.tile(EAST, (3, 1)), 1.0, np.zeros((0, 2)), [], 10.0, 7.0)
    np.testing.assert_array_equal(steering, np.zeros((3, 2)))


def test_the_first_of_two_equal_threats_is_chosen() -> None:
    assert threat((5, 1, 1), (5, -1, 1))[0] == 0


def test_magnitudes() -> None:
    offset = np.array([6.0, 0.5])
    full, literal, near = (
        laws.avoid_sideways(offset, EAST, 8.0, magnitude=magnitude, nearness=0.25)
        for magnitude in ("full", "literal", "proximity")
    )
    np.testing.assert_allclose(full, [0, -8])
    np.testing.assert_allclose(literal, [0, -0.5])
    np.testing.assert_allclose(near, [0, -2])
    with pytest.raises(ValueError, match='magnitude must be "needed", "full", "literal" or "proximity"'):
        laws.avoid_sideways(offset, EAST, 8.0, magnitude="half")


def test_proximity_grows_from_nothing_to_full_force() -> None:
    def force(x: float) -> float:
        centers = np.array([[x, 0.1]])
        return float(
            laws.length(laws.avoid_obstacles(ORIGIN, EAST, 1.0, centers, 1.0, 10.0, 8.0, magnitude="proximity"))
        )

    assert force(11.9) == pytest.approx(0.08, abs=0.05)
    assert force(2.0) == pytest.approx(8.0, abs=0.05)
    assert force(4.0) > force(7.0) > force(10.0)


@pytest.mark.parametrize("forward", [[1.0, 0.0], [0.6, -0.8], [0.0, 0.0, 1.0], [0.48, 0.6, 0.64]])
def test_dead_center_turns_to_a_fixed_side(forward: list[float]) -> None:
    axis = np.array(forward)
    steering = laws.avoid_obstacles(np.zeros_like(axis), axis, 1.0, 5 * axis[None], 1.0, 10.0, 8.0)
    assert laws.length(steering) == pytest.approx(8.0)
    assert abs(steering @ axis) < 1e-6
    if len(axis) == 2:
        np.testing.assert_allclose(steering, [-8 * axis[1], 8 * axis[0]], atol=1e-6)


@pytest.mark.parametrize("forward", [[1.0, 1.0], [1.0, 2.0], [1.0, 1.0, 1.0], [-3.0, 1.0, 2.0]])
def test_rounding_is_no_side(forward: list[float]) -> None:
    """On a diagonal the lateral part of what is dead ahead is 1e-16 of it, along forward or back: no direction to go."""
    axis = np.array(forward) / np.linalg.norm(forward)
    for dtype in (np.float32, np.float64):
        told = laws.avoid_sideways((7 * axis).astype(dtype), axis.astype(dtype), 8.0)
        assert abs(float(told @ axis)) < 1e-5
        np.testing.assert_allclose(told, 8 * laws.perpendicular(axis), atol=1e-5)


def test_what_is_needed_turns_past_in_a_circle_that_is_tangent() -> None:
    """The circle's center is aside by v^2 / a; it is as far from the obstacle's as both radii together."""
    for ahead, aside, room in ((9.0, 0.5, 2.0), (3.0, 0.0, 1.5), (20.0, 3.0, 4.0)):
        touch = ahead - np.sqrt(room**2 - aside**2)
        part = float(laws.needed_part(touch, aside / room, room, 2.0, 10.0))
        turn = 2.0**2 / (10.0 * part)
        assert np.hypot(ahead, aside + turn) == pytest.approx(room + turn)
    assert laws.needed_part(0.01, 0.0, 1.0, 5.0, 10.0) == 1
    assert laws.needed_part(5.0, 1.0, 2.0, 5.0, 10.0) == 0


def test_a_slow_body_with_a_turning_circle_needs_its_curvature() -> None:
    """A sphere dead ahead, 2 m away, with 3 m of room: past it leads a circle of 8/3 m."""
    for speed in (0.0, 1.0, 2.0):
        assert laws.needed_part(2.0, 0.0, 3.0, speed, 10.0, tightest=4 / 3) == pytest.approx(0.5)
    assert laws.needed_part(2.0, 0.0, 3.0, 4.0, 10.0, tightest=4 / 3) == pytest.approx(0.6)
    assert laws.needed_part(2.0, 0.0, 3.0, 1.0, 10.0, tightest=3.0) == 1
