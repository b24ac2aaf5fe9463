"""Prediction times, nearest approach, pursue and evade."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.steering import laws

ORIGIN, EAST, NORTH, WEST = np.zeros(2), np.array([1.0, 0]), np.array([0.0, 1]), np.array([-1.0, 0])
meters = st.floats(-50, 50)
points = st.tuples(meters, meters).map(np.array)


def test_simple_estimators() -> None:
    quarry = np.array([30.0, 40.0])
    assert laws.proportional_time(ORIGIN, quarry, 0.1) == pytest.approx(5.0)
    assert laws.approach_time(ORIGIN, quarry, 3 * WEST, 7.0) == pytest.approx(5.0)
    assert laws.approach_time(ORIGIN, quarry, ORIGIN, 0.0) == 0
    assert laws.capped_time(ORIGIN, 10 * EAST, quarry, 2.0) == 2.0
    assert laws.capped_time(ORIGIN, 50 * EAST, quarry, 2.0) == pytest.approx(1.0)
    assert laws.capped_time(ORIGIN, ORIGIN, quarry, 2.0) == 2.0


@pytest.mark.parametrize(
    ("quarry_at", "quarry_forward", "factor"),
    [
        (EAST, EAST, 2.0),  # behind it, same heading: the long chase
        (EAST, WEST, 2 / 3),  # in front, face to face
        (WEST, EAST, 0.0),  # in front of an aligned quarry: wait
        (NORTH, EAST, 2 / np.sqrt(3)),  # abreast
        (NORTH, WEST, 1.6),  # passing each other
        (WEST, WEST, 2.0),  # back to back
        (EAST, NORTH, 2 / np.sqrt(3)),  # it crosses ahead
        (NORTH, -NORTH, 1 / 3),  # it comes from the side
    ],
)
def test_heading_factors(quarry_at: np.ndarray, quarry_forward: np.ndarray, factor: float) -> None:
    time = laws.heading_time(ORIGIN, EAST, 12 * quarry_at, quarry_forward, 4.0)
    assert time == pytest.approx(3.0 * factor, abs=1e-12)


@pytest.mark.parametrize(
    ("quarry_at", "quarry_forward", "factor"),
    [
        (EAST, EAST, 4.0),  # ahead, parallel
        (EAST, NORTH, 1.8),  # ahead, perpendicular
        (EAST, WEST, 0.85),  # ahead, anti-parallel
        (NORTH, EAST, 1.0),  # aside, parallel
        (-NORTH, NORTH, 0.8),  # aside, perpendicular
        (NORTH, WEST, 4.0),  # aside, anti-parallel
        (WEST, EAST, 0.5),  # behind, parallel
        (WEST, -NORTH, 2.0),  # behind, perpendicular
        (WEST, WEST, 2.0),  # behind, anti-parallel
    ],
)
def test_the_nine_cases_of_opensteer(quarry_at: np.ndarray, quarry_forward: np.ndarray, factor: float) -> None:
    """Its table, over the time that the distance takes at the present speed; up to 45 degrees off it is the same case."""

    def time(at: np.ndarray, heading: np.ndarray, speed: float = 4.0, limit: float = 20.0) -> float:
        return float(laws.nine_cases_time(ORIGIN, speed * EAST, EAST, at, heading, limit))

    assert time(12 * quarry_at, quarry_forward) == pytest.approx(3 * factor)
    aslant = laws.rotate(12 * quarry_at, 0.7), laws.rotate(quarry_forward, -0.7)
    assert time(*aslant) == pytest.approx(3 * factor)
    assert time(12 * quarry_at, quarry_forward, limit=1.0) == 1.0
    assert time(12 * quarry_at, quarry_forward, speed=0.0) == 20.0
    quarry = sm.Vehicles(12 * quarry_at, [0.0, 0.0], forward=quarry_forward, dtype=np.float64)
    pursuer = sm.Vehicles([[0.0, 0.0]], 4 * EAST, max_speed=9.0, max_force=1e9, response_time=1.0, dtype=np.float64)
    quarry.velocity = 2 * quarry_forward
    quarry.forward = quarry_forward
    force = sm.Controller(pursuer, sm.Pursue(quarry, prediction=sm.NineCases(), head_on=False)).steer(0.1)[0]
    aim = 12 * quarry_at + 2 * quarry_forward * 3 * factor
    np.testing.assert_allclose(force, 9 * aim / np.linalg.norm(aim) - 4 * EAST, rtol=1e-9, atol=1e-9)


def test_opensteers_evasion_time() -> None:
    """The way over the pursuer's speed, whatever one's own; at rest, or far away, the limit."""
    assert laws.oncoming_time(ORIGIN, 12 * EAST, 4 * NORTH) == pytest.approx(3.0)
    assert laws.oncoming_time(ORIGIN, 12 * EAST, 4 * NORTH, 2.5) == 2.5
    assert laws.oncoming_time(ORIGIN, 12 * EAST, ORIGIN) == 20.0
    pursuer = sm.Vehicles([12.0, 0.0], [0.0, 4.0], max_speed=9.0, dtype=np.float64)
    shy = sm.Vehicles([[0.0, 0.0]], max_speed=5.0, max_force=1e9, response_time=1.0, dtype=np.float64)
    force = sm.Controller(shy, sm.Evade(pursuer, prediction=sm.Oncoming())).steer(0.1)[0]
    np.testing.assert_allclose(force, [-5 / np.sqrt(2), -5 / np.sqrt(2)], rtol=1e-9)


@given(a=st.floats(-np.pi, np.pi), b=st.floats(-np.pi, np.pi))
def test_heading_time_is_continuous_and_bounded(a: float, b: float) -> None:
    def time(a: float, b: float) -> float:
        where, heading = np.array([np.cos(a), np.sin(a)]), np.array([np.cos(b), np.sin(b)])
        return float(laws.heading_time(ORIGIN, EAST, where, heading, 1.0))

    assert 0 <= time(a, b) <= 2
    assert abs(time(a + 1e-6, b - 1e-6) - time(a, b)) < 1e-5


@given(quarry=points, velocity=points, speed=st.floats(0.1, 60))
def test_intercept_time_is_the_first_meeting(quarry: np.ndarray, velocity: np.ndarray, speed: float) -> None:
    assume(laws.length(quarry) > 1e-3)
    assume(abs(laws.length(velocity) / speed - 1) > 1e-3)
    time = float(laws.intercept_time(ORIGIN, quarry, velocity, speed))
    early = np.linspace(0, 1, 200)[:-1] * min(time, 1e4)
    gaps = laws.length(quarry + np.outer(early, velocity)) - speed * early
    if gaps.min() > 0 and abs(laws.length(quarry + velocity * time) - speed * time) < 1e-6 * (1 + speed * time):
        return
    # No interception: the distance stays greater than what the pursuer can cover, for ever.
    assert time == pytest.approx(float(laws.approach_time(ORIGIN, quarry, velocity, speed)))
    later = np.geomspace(1e-3, 1e6, 400)
    assert np.all(laws.length(quarry + np.outer(later, velocity)) > speed * later * (1 - 1e-9))


def test_intercept_time_of_a_quarry_as_fast_as_the_pursuer() -> None:
    assert laws.intercept_time(ORIGIN, 10 * EAST, 2 * WEST, 2.0) == pytest.approx(2.5)
    assert laws.intercept_time(ORIGIN, 10 * EAST, 2 * EAST, 2.0) == pytest.approx(2.5)  # never: approach_time
    assert laws.intercept_time(ORIGIN, ORIGIN, 2 * EAST, 3.0) == 0
    quarry = sm.Vehicles(10 * EAST, [3.0, 4.0], dtype=np.float64)
    pursuer = sm.Vehicles([[0.0, 0.0]], max_speed=5.0, max_force=1e9, response_time=1.0, dtype=np.float64)
    force = sm.Controller(pursuer, sm.Pursue(quarry, prediction=sm.Intercept(), head_on=False)).steer(0.1)[0]
    np.testing.assert_allclose(force, laws.with_length([13.0, 4.0], 5.0), rtol=1e-9)


def test_a_faster_quarry_is_met_at_the_first_of_two_chances() -> None:
    assert laws.intercept_time(ORIGIN, 10 * EAST, 4 * WEST, 1.0) == pytest.approx(2.0)


@given(p=points, v=points, q=points, w=points, other_time=st.floats(-20, 20))
def test_nearest_approach_is_nearest(
    p: np.ndarray, v: np.ndarray, q: np.ndarray, w: np.ndarray, other_time: float
) -> None:
    assume(laws.length(v - w) > 1e-3)
    time, distance = laws.nearest_approach(p, v, q, w)
    assert distance == pytest.approx(float(laws.length(q + w * time - p - v * time)), rel=1e-6, abs=1e-6)
    assert distance <= laws.length(q + w * other_time - p - v * other_time) + 1e-6


def test_without_relative_motion_the_nearest_approach_is_now() -> None:
    time, distance = laws.nearest_approach(ORIGIN, EAST, 3 * NORTH, EAST)
    assert time == 0
    assert distance == 3


def test_pursue_seeks_the_predicted_position() -> None:
    quarry, velocity = np.array([10.0, 0]), np.array([0.0, 2])
    expected = laws.seek(ORIGIN, EAST, np.array([10.0, 3.0]), 5.0)
    np.testing.assert_allclose(laws.pursue(ORIGIN, EAST, quarry, velocity, 5.0, time=1.5), expected)
    soon = quarry + velocity * 10 / 7
    np.testing.assert_allclose(laws.pursue(ORIGIN, EAST, quarry, velocity, 5.0), laws.seek(ORIGIN, EAST, soon, 5.0))


def test_pursue_head_on_is_seek() -> None:
    quarry = np.array([[10.0, 1.0], [10.0, 1.0]])
    velocity = np.array([[-2.0, 0.1], [2.0, 0.1]])
    headings = laws.normalize(velocity)
    head_on = laws.is_head_on(ORIGIN, EAST, quarry, headings)
    np.testing.assert_array_equal(head_on, [True, False])
    steering = laws.pursue(ORIGIN, EAST, quarry, velocity, 5.0, head_on=head_on)
    np.testing.assert_allclose(steering[0], laws.seek(ORIGIN, EAST, quarry[0], 5.0))
    assert not np.allclose(steering[1], laws.seek(ORIGIN, EAST, quarry[1], 5.0))


def test_a_quarry_behind_is_not_head_on() -> None:
    assert not laws.is_head_on(ORIGIN, EAST, 5 * WEST, WEST)


def test_evade_takes_the_panic_distance_to_the_predicted_position() -> None:
    pursuer, velocity = np.array([10.0, 0]), np.array([-4.0, 0])
    near = laws.evade(ORIGIN, ORIGIN, pursuer, velocity, 5.0, time=2.0, panic_distance=3.0)
    np.testing.assert_allclose(near, [-5.0, 0])
    far = laws.evade(ORIGIN, ORIGIN, pursuer, -velocity, 5.0, time=2.0, panic_distance=12.0)
    np.testing.assert_array_equal(far, [0, 0])


def test_prediction_catches_a_crossing_quarry_sooner() -> None:
    def capture_time(prediction: str) -> float:
        p, v = np.zeros(2), np.array([0.0, 4.0])
        q, w = np.array([20.0, 0]), np.array([0.0, 2.0])
        for step in range(4000):
            if laws.length(q - p) < 0.5:
                return step * 0.01
            time = {
                "none": 0.0,
                "approach": laws.approach_time(p, q, w, 4.0),
                "heading": laws.heading_time(p, laws.normalize(v), q, laws.normalize(w), 4.0),
                "intercept": laws.intercept_time(p, q, w, 4.0),
            }[prediction]
            force = laws.pursue(p, v, q, w, 4.0, time=time) * 5
            p, v = laws.point_mass_step(p, v, force, mass=1.0, max_force=20.0, max_speed=4.0, dt=0.01)
            q = q + w * 0.01
        return np.inf

    times = {name: capture_time(name) for name in ("none", "approach", "heading", "intercept")}
    assert times["intercept"] < times["none"] < np.inf
    assert times["heading"] < times["approach"] < times["none"]


@pytest.mark.parametrize("y", [2.0, -2.0])
@pytest.mark.parametrize(("x", "begins"), [(6.0, 4.0), (3.5, 1.5), (1.0, 0.0)])
def test_of_two_that_slide_along_each_other_the_ends_count_that_come_alongside_first(
    x: float, y: float, begins: float
) -> None:
    """While they pass they are as near for a while, and come no nearer: that begins when the first ends are abreast."""
    axis = EAST[None]
    found = laws.meeting_offset(np.array([[x, y]]), WEST[None], axis, axis, 1.0, 99.0)
    np.testing.assert_allclose(found, [[begins, y]], atol=1e-9)
