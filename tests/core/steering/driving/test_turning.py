"""Face, LookWhereYouGo and ReachOrientation on a body that turns by itself."""

import math
from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm
from steersman.core.steering.turning.reach_orientation import turn_between

DT = 1 / 60


def one(d: int = 2, **more: Any) -> sm.Vehicles:
    return sm.Vehicles(np.zeros((1, d)), dtype=np.float64, **more)


def angle_left(vehicles: sm.Vehicles, to: Any) -> float:
    return float(np.arccos(np.clip(vehicles.forward @ np.asarray(to), -1, 1))[0])


def run(vehicles: sm.Vehicles, steering: Any, seconds: float, dt: float = DT) -> Any:
    """Headings [rad] at all times."""
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=steering, locomotion=sm.FreeBody())
    headings = [float(vehicles.heading[0])]
    for _ in range(round(seconds / dt)):
        world.step()
        headings.append(float(vehicles.heading[0]))
    return np.array(headings)


@pytest.mark.each_value
@pytest.mark.parametrize("law", ["arrive", "lag"])
@pytest.mark.parametrize("tau", ["step", 0.1, 0.5])
@pytest.mark.parametrize("goal", [0.02, 0.7, 2.0, -3.1])
def test_no_overshoot(law: str, tau: Any, goal: float) -> None:
    vehicles = one(response_time=tau)
    headings = np.unwrap(run(vehicles, sm.ReachOrientation(goal, law=law), 12.0)) * math.copysign(1, goal)
    assert headings.max() <= abs(goal) * (1 + 1e-3)
    assert (np.diff(headings) >= -1e-9).all()
    assert headings[-1] == pytest.approx(abs(goal), abs=2e-3)


def test_angles_that_wrap_the_long_way() -> None:
    """From 170 degrees to -170 degrees it is 20 degrees, across the cut; never 340."""
    for start, goal in ((170, -170), (-170, 170), (10, -10), (179, -2), (-91, 90)):
        vehicles = one(heading=math.radians(start))
        turned = np.unwrap(run(vehicles, sm.ReachOrientation(math.radians(goal)), 6.0))
        way = (goal - start + 180) % 360 - 180
        assert math.degrees(turned[-1] - turned[0]) == pytest.approx(way, abs=0.1)
        assert np.ptp(turned) == pytest.approx(math.radians(abs(way)), abs=2e-3)


def test_lag_is_first_order() -> None:
    """The angle left falls as exp(-3 t), after the time to start turning."""
    vehicles = one(max_angular_speed=50, max_angular_acceleration=1e4, response_time="step")
    headings = run(vehicles, sm.ReachOrientation(1.0, law="lag", rate=3.0), 1.0, dt=1e-3)
    left = 1.0 - headings
    assert left[1000] / left[200] == pytest.approx(math.exp(-3 * 0.8), rel=5e-3)


def test_lag_waits_for_no_slower_response() -> None:
    """The response takes a quarter of the time constant at most, as is critical: 4 rate^2 x + 4 rate x' + x'' = 0."""
    vehicles = one(max_angular_speed=50, max_angular_acceleration=1e4, response_time=0.5)
    headings = run(vehicles, sm.ReachOrientation(1.0, law="lag", rate=3.0), 1.0, dt=1e-3)
    time = np.linspace(0, 1, len(headings))
    np.testing.assert_allclose(1.0 - headings, (1 + 6 * time) * np.exp(-6 * time), atol=5e-3)


def test_limits_are_kept_and_used() -> None:
    """A half turn with 3 rad/s and 10 rad/s^2 takes pi/3 + 3/10 s at least, and not much longer."""
    vehicles = one(response_time="step")
    world = sm.World(dt=1e-3, threads=1)
    world.add(vehicles, steering=sm.ReachOrientation(3.1), locomotion=sm.FreeBody())
    rates = [0.0]
    while angle_left(vehicles, [math.cos(3.1), math.sin(3.1)]) > 0.01:
        world.step()
        rates.append(float(vehicles.angular_velocity[0]))
    assert max(rates) == pytest.approx(3.0, rel=1e-6)
    assert np.abs(np.diff(rates)).max() <= 10 * 1e-3 * (1 + 1e-6)
    assert 3.09 / 3 + 0.3 - 0.05 < world.time < 3.1 / 3 + 0.3 + 0.25


@pytest.mark.parametrize("law", ["arrive", "lag"])
def test_half_the_step_converges(law: str) -> None:
    ends = [run(one(), sm.ReachOrientation(2.0, law=law), 0.8, dt)[-1] for dt in (0.02, 0.01, 0.005, 0.0025)]
    gaps = np.abs(np.diff(ends))
    assert gaps[1] < 0.65 * gaps[0]
    assert gaps[2] < 0.65 * gaps[1]


def test_face_a_moving_target_on_a_torus() -> None:
    """Across the edge is nearer than through the middle."""
    target = sm.Vehicles([[19.0, 10.0]], dtype=np.float64)
    vehicles = sm.Vehicles([[1.0, 10.0]], heading=0.4, dtype=np.float64)
    ran(vehicles, sm.Face(target), sm.FreeBody(), domain=sm.Torus([20, 20]), threads=1, seconds=4)
    np.testing.assert_allclose(vehicles.forward[0], [-1, 0], atol=2e-3)


def test_strafe_while_facing() -> None:
    """It goes along y and looks at a point on the x axis all the way: the heading is what geometry says."""
    vehicles = one(velocity=[0, 2], heading=0.0, max_speed=2, max_angular_speed=50, max_angular_acceleration=500,
                   response_time="step")  # fmt: skip
    world = sm.World(dt=1 / 240, threads=1)
    world.add(vehicles, steering=sm.Face([10, 0], law="lag", rate=40), locomotion=sm.FreeBody())
    for _ in range(240 * 4):
        world.step()
        x, y = vehicles.position[0]
        assert vehicles.heading[0] == pytest.approx(math.atan2(-y, 10 - x), abs=0.01)
    assert vehicles.position[0].tolist() == pytest.approx([0, 8], abs=1e-9)


def test_look_where_you_go_catches_up_and_rests_at_rest() -> None:
    vehicles = one(velocity=[-1, -1], heading=1.0)
    ran(vehicles, sm.LookWhereYouGo(), sm.FreeBody(), threads=1, seconds=5)
    np.testing.assert_allclose(vehicles.forward[0], [-math.sqrt(0.5)] * 2, atol=1e-3)
    still = one(heading=1.0, angular_velocity=2.0)
    ran(still, sm.LookWhereYouGo(), sm.FreeBody(), threads=1, seconds=5)
    assert abs(still.angular_velocity[0]) < 1e-6


def test_straight_back_is_to_the_left_in_the_plane_and_about_up_in_space() -> None:
    vehicles = one()
    turning = sm.Controller(vehicles, sm.Face([-5, 0])).steer(DT), vehicles
    flat = sm.Controller(vehicles, sm.Face([-5, 0]))
    flat.steer(DT)
    assert flat.turning[0] > 0
    solid = sm.Controller(one(3, up=[0, 1, 0]), sm.Face([-5, 0, 0]))
    solid.steer(DT)
    assert solid.turning[0, 1] > 0
    assert solid.turning[0, 0] == solid.turning[0, 2] == 0
    assert not turning[0].any()


@pytest.mark.parametrize("law", ["arrive", "lag"])
def test_orientations_in_space_are_reached_the_short_way(law: str) -> None:
    """Whole frames, many at once, half turns among them; the angle left never grows."""
    rng = np.random.default_rng(1)
    n = 60
    wanted, start = rng.normal(size=(n, 4)), rng.normal(size=(n, 4))
    start[:3] = [[1, 0, 0, 0]] * 3
    wanted[:3] = np.eye(4)[1:]  # half turns about the three axes
    vehicles = sm.Vehicles(np.zeros((n, 3)), dtype=np.float64)
    vehicles.quaternion = start
    world = sm.World(threads=1)
    world.add(vehicles, steering=sm.ReachOrientation(wanted, law=law), locomotion=sm.FreeBody())
    goal = wanted / np.linalg.norm(wanted, axis=1, keepdims=True)

    def left() -> Any:
        return 2 * np.arccos(np.minimum(np.abs(np.sum(vehicles.quaternion * goal, axis=1)), 1))

    before = left()
    assert before.max() > 3.1
    for _ in range(60 * 8):
        world.step()
        now = left()
        assert (now <= before + 1e-7).all()
        before = now
    assert before.max() < 1e-3
    np.testing.assert_allclose(np.sum(vehicles.forward * vehicles.up, axis=1), 0, atol=1e-9)


def test_complaints() -> None:
    with pytest.raises(ValueError, match=r'^law must be "arrive" or "lag", got "?\'?soon'):
        sm.Face([0, 0], law="soon")
    for wrong in ({"rate": 0.0}, {"slow_angle": -1.0}, {"rate": math.nan}):
        with pytest.raises(ValueError, match="must be"):
            sm.LookWhereYouGo(**wrong)
    with pytest.raises(ValueError, match="orientation must be headings"):
        sm.ReachOrientation([[1, 2, 3]])
    with pytest.raises(ValueError, match="orientation must be finite"):
        sm.ReachOrientation(math.nan)
    with pytest.raises(ValueError, match="orientation must be a heading or shape"):
        sm.Controller(one(), sm.ReachOrientation([1, 0, 0, 0])).steer(DT)
    with pytest.raises(ValueError, match="orientation must be a quaternion"):
        sm.Controller(one(3), sm.ReachOrientation(0.5)).steer(DT)
    with pytest.raises(ValueError, match="that are not zero"):
        sm.ReachOrientation([[0.0, 0, 0, 0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("longest", [0, 1, 2])
@pytest.mark.parametrize("second", [1e-6, 1e-3, 0.5])
def test_a_half_turn_is_about_its_axis_wherever_that_points(dtype: Any, longest: int, second: float) -> None:
    """Along a coordinate axis, and a little off it to either side: the part of the axis that is zero tells nothing."""
    rng = np.random.default_rng(longest)
    for other, sign in 10 * [(1, 1.0), (2, 1.0), (1, -1.0), (2, -1.0)]:
        axis = np.zeros(3)
        axis[longest], axis[(longest + other) % 3] = 1.0, sign * second
        axis /= np.linalg.norm(axis)
        forward, up, _ = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turned = [2 * axis * (axis @ each) - each for each in (forward, up)]
        found = turn_between(*(tuple(each.astype(dtype)) for each in (forward, up, *turned)))
        assert np.linalg.norm(found) == pytest.approx(math.pi, abs=2e-3)
        assert np.linalg.norm(np.cross(np.array(found, float) / math.pi, axis)) < 2e-3
