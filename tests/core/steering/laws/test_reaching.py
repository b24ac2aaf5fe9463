"""Seek, flee, arrive, match."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering import laws

P, V, TARGET = np.array([1.0, 2.0]), np.array([0.5, -1.0]), np.array([4.0, 6.0])


def test_seek_is_desired_minus_velocity() -> None:
    np.testing.assert_allclose(laws.seek(P, V, TARGET, 10.0), np.array([6.0, 8.0]) - V)


@pytest.mark.parametrize(
    ("speed", "expected"),
    [("max", 10.0), ("current", np.sqrt(1.25)), ("offset", 5.0), (3.0, 3.0)],
)
def test_seek_goes_at_the_speed_that_is_asked_for(speed: object, expected: float) -> None:
    desired = laws.seek(P, V, TARGET, 10.0, speed=speed) + V
    np.testing.assert_allclose(desired, np.array([0.6, 0.8]) * expected)


def test_speed_by_offset_does_not_exceed_the_maximum() -> None:
    assert laws.length(laws.seek(P, V, TARGET, 2.0, speed="offset") + V) == pytest.approx(2.0)


def test_an_unknown_speed_is_refused() -> None:
    with pytest.raises(ValueError, match=r'speed must be "max", "current", "offset" or a number in m/s, got \'fast\''):
        laws.seek(P, V, TARGET, 2.0, speed="fast")


def test_seek_on_its_target_brakes() -> None:
    np.testing.assert_array_equal(laws.seek(P, V, P, 10.0), -V)


def test_seek_ends_a_step_at_the_point_where_less_than_a_step_is_left() -> None:
    both = np.array([P, TARGET - [0.1, 0.2]])  # Five meters away, and nearer than a step of 0.1 s at 10 m/s.
    steering = laws.seek(both, np.array([V, V]), TARGET, 10.0, dt=0.1)
    np.testing.assert_allclose(steering[0], np.array([6.0, 8.0]) - V)
    np.testing.assert_allclose(both[1] + 0.1 * (V + steering[1]), TARGET)
    np.testing.assert_allclose(laws.seek(both[1], V, TARGET, 10.0), 10 * np.array([1, 2]) / np.sqrt(5) - V)


def test_flee_is_zero_beyond_the_panic_distance_only() -> None:
    np.testing.assert_allclose(laws.flee(P, V, TARGET, 10.0), np.array([-6.0, -8.0]) - V)
    np.testing.assert_allclose(laws.flee(P, V, TARGET, 10.0, panic_distance=5.0), np.array([-6.0, -8.0]) - V)
    np.testing.assert_array_equal(laws.flee(P, V, TARGET, 10.0, panic_distance=4.9), [0, 0])


def test_match_reaches_the_velocity_within_the_response_time() -> None:
    force = laws.match(TARGET, V, 2.0, 0.25)
    np.testing.assert_allclose(V + force / 2.0 * 0.25, TARGET)


def test_thrust_has_full_length_whatever_the_velocity() -> None:
    np.testing.assert_allclose(laws.thrust(TARGET - P, 5.0), [3.0, 4.0])


@pytest.mark.parametrize("ramp", laws.RAMPS)
def test_ramps_rise_from_zero_to_one(ramp: str) -> None:
    x = np.linspace(0, 1, 101)
    values = laws.ramp_fraction(x, ramp)
    assert values[0] == 0
    assert values[-1] == pytest.approx(1)
    assert np.all(np.diff(values) > 0)
    assert laws.ramp_fraction(7.0, ramp) == pytest.approx(1)


def test_a_sampled_ramp_is_interpolated() -> None:
    np.testing.assert_allclose(
        laws.ramp_fraction(np.array([0.0, 0.25, 0.5, 0.75, 2]), [0, 0.8, 1]), [0, 0.4, 0.8, 0.9, 1]
    )


@pytest.mark.parametrize("ramp", [[0, 0.5], [0.1, 1], [1], [[0, 1]], "swoosh"])
def test_ramps_that_do_not_run_from_zero_to_one_are_refused(ramp: object) -> None:
    with pytest.raises(ValueError, match="ramp must be"):
        laws.ramp_fraction(0.5, ramp)


def test_arrive_needs_to_know_where_slowing_begins() -> None:
    with pytest.raises(ValueError, match="arrive needs slowing_distance or deceleration_time, got neither"):
        laws.arrive(P, V, TARGET, 1.0)
    with pytest.raises(ValueError, match="got both"):
        laws.arrive(P, V, TARGET, 1.0, slowing_distance=1.0, deceleration_time=1.0)
    with pytest.raises(ValueError, match="needs acceleration and response_time"):
        laws.arrive(P, V, TARGET, 1.0, ramp="braking")


def test_arrive_far_away_is_seek() -> None:
    np.testing.assert_allclose(laws.arrive(P, V, TARGET, 4.0, slowing_distance=4.0), laws.seek(P, V, TARGET, 4.0))


def test_the_three_ways_to_give_a_linear_ramp_agree() -> None:
    linear = laws.arrive(P, V, TARGET, 4.0, slowing_distance=8.0)
    np.testing.assert_allclose(linear + V, np.array([0.6, 0.8]) * 2.5)
    np.testing.assert_allclose(laws.arrive(P, V, TARGET, 4.0, deceleration_time=2.0), linear)
    np.testing.assert_allclose(laws.arrive(P, V, TARGET, 4.0, slowing_distance=8.0, ramp=[0, 1]), linear)


def test_arrive_brakes_within_the_stop_distance() -> None:
    np.testing.assert_array_equal(laws.arrive(P, V, TARGET, 4.0, slowing_distance=8.0, stop_distance=5.1), -V)
    assert laws.length(laws.arrive(P, V, TARGET, 4.0, slowing_distance=8.0, stop_distance=5.0) + V) > 1


def test_arrive_without_a_slowing_distance_to_speak_of_does_not_divide_by_it() -> None:
    np.testing.assert_allclose(laws.arrive(P, V, TARGET, 4.0, slowing_distance=0.0) + V, np.array([0.6, 0.8]) * 4)
    np.testing.assert_array_equal(laws.arrive(P, V, P, 4.0, slowing_distance=0.0), -V)


def test_braking_speed_is_a_spring_near_the_target_and_full_brakes_far_away() -> None:
    a, tau = 2.0, 0.3
    joint = 4 * a * tau**2
    np.testing.assert_allclose(laws.braking_speed(np.array([0, 0.1, joint]), a, tau), np.array([0, 0.1, joint]) / 1.2)
    far = 40 * joint
    assert laws.braking_speed(far, a, tau) == pytest.approx(np.sqrt(2 * a * (far - joint / 2)) - a * tau)
    np.testing.assert_allclose(laws.braking_speed(np.array([0.0, 9.0]), a, 0.0), [0, 6])


def test_braking_speed_rises_without_jumps() -> None:
    distance = np.linspace(0, 20, 200_001)
    speed = laws.braking_speed(distance, 2.0, 0.3)
    assert np.all(np.diff(speed) > 0)
    assert np.diff(speed).max() < 1e-3


@pytest.mark.parametrize("steps_per_response", [1, 3, 30])
def test_braking_never_overshoots(steps_per_response: int) -> None:
    """Many vehicles from rest, with the force cut to what each has, until all have come to a stop."""
    rng = np.random.default_rng(0)
    number = 200
    start, a = 10 ** rng.uniform(-1, 2, number), 10 ** rng.uniform(-0.5, 1.5, number)
    tau, max_speed = 10 ** rng.uniform(-0.5, 0.5, number), 10 ** rng.uniform(0.5, 1.5, number)
    x, v = np.stack([start, 0 * start], axis=1), np.zeros((number, 2))
    dt = tau[:, None] / steps_per_response  # every vehicle has a clock of its own
    for _ in range(120 * steps_per_response):
        literal = laws.arrive(x, v, np.zeros(2), max_speed, ramp="braking", acceleration=a, response_time=tau)
        force = literal / tau[:, None]
        x, v = laws.point_mass_step(x, v, force * dt, mass=1.0, max_force=a * dt[:, 0], max_speed=max_speed, dt=1.0)
        x = x - v + v * dt
        assert x[:, 0].min() > -1e-12
    assert np.mean(x[:, 0] < 1e-3 * start) > 0.95


@pytest.mark.parametrize("d", [2, 3])
def test_a_fly_by_turns_in_an_arc(d):
    """The way leads the heading by 27 degrees at most (a slope of one half), however far back the quarry is."""
    position, forward = np.zeros(d), np.eye(d)[0]
    velocity = 5.0 * forward
    for behind in (np.pi, 3.0, 2.0, 1.2):
        quarry = 100.0 * (np.cos(behind) * np.eye(d)[0] + np.sin(behind) * np.eye(d)[1])
        wanted, _, _ = laws.strafe(position, velocity, forward, quarry, np.zeros(d), 5.0, 2.0, come_around=20.0)
        way = wanted + velocity
        angle = np.arccos(way @ forward / np.linalg.norm(way))
        assert angle == pytest.approx(np.radians(26.565), abs=1e-4)


@pytest.mark.parametrize("law", [laws.follow_lane, laws.follow_path])
@pytest.mark.parametrize("closed", [False, True])
def test_a_path_is_followed_with_no_reach_at_all(law: Any, closed: bool) -> None:
    """A rest of zero, or of infinity, was divided by it."""
    path = sm.Path([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]], radius=1.0, closed=closed)
    position, velocity = np.array([[1.0, 0.5], [0.0, 0.0], [10.0, 10.0], [5.0, 3.0]]), np.ones((4, 2))
    with np.errstate(all="raise"):
        steering = law(position, velocity, path, 3.0, reach=0.0, slowing_distance=2.0)
    assert np.isfinite(steering).all()
