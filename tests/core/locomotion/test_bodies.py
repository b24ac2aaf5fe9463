"""The bodies: what each of them is known for, and that the same steering tree drives them all."""

import math
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import pytest
from core.world.whole_state import whole_state
from precision import assert_single_precision
from stepping import ran

import steersman as sm
from steersman.core.kernels.call import ROW
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.world.population import LOCOMOTION_KEY

DT = 1 / 60
CLIPS = [
    sm.Clip("stop", speed=0.0, duration=0.1),
    *(
        sm.Clip(f"{gait} {turn}", speed=speed, turn_rate=rate, duration=0.2)
        for gait, speed in (("walk", 1.5), ("run", 3.0))
        for turn, rate in (("straight", 0.0), ("left", 1.2), ("right", -1.2), ("slightly left", 0.4),
                           ("slightly right", -0.4))
    ),
]  # fmt: skip
PLAIN = {
    "PointMass": sm.PointMass(),
    "FreeBody": sm.FreeBody(limits=[sm.Drag(0.3, angular=0.3)]),
    "Flying": sm.Flying(),
    "Wheeled": sm.Wheeled(turning_radius=1.0),
    "Wheeled with a wheelbase": sm.Wheeled(turning_radius=1.0, wheelbase=0.6, steer_rate=4.0, brake=0.9, thrust=0.6),
    "Wheeled with reverse": sm.Wheeled(turning_radius=1.0, reverse=True),
    "MotionClips": sm.MotionClips(CLIPS),
    "MotionClips, blended": sm.MotionClips(CLIPS, blend=True),
    "limits": sm.PointMass(limits=[sm.SmoothForce(0.1), sm.Asymmetric(thrust=0.7, side=0.9), sm.LowSpeedTurn(0.1)]),
    "constant speed": sm.PointMass(limits=[sm.ConstantSpeed(1.5, rate=2.5)]),
    "turn rate": sm.PointMass(limits=[sm.TurnRate(2.5), sm.HeadingSmoother(4)]),
    "inertia": sm.PointMass(limits=[sm.MomentOfInertia(4.0, inertia=0.2), sm.Drag(0.1)]),
}


def dimensions(body: Any) -> int:
    return 3 if isinstance(body, sm.Flying) else 2


def herd(d: int, n: int = 12, dtype: Any = np.float32, **more: Any) -> sm.Vehicles:
    rng = np.random.default_rng(4)
    arguments = {"max_speed": 3, "max_force": 12} | more
    return sm.Vehicles(rng.uniform(0, 9, (n, d)), rng.normal(size=(n, d)), dtype=dtype, **arguments)


def test_no_body_is_forgotten() -> None:
    assert set(LOCOMOTIONS) <= {type(body).__name__ for body in PLAIN.values()} | {"SurfaceBound"}


# --------------------------------------------------------------------------------------------------- one tree for all


@pytest.mark.parametrize("name", PLAIN)
def test_the_same_tree_drives_every_body(name: str) -> None:
    """Along a path, around what stands on it, wandering a little: to the end, without a collision."""
    body = PLAIN[name]
    d = dimensions(body)
    flat = np.array([[0, 0], [10, 0], [16, 4], [26, 4]], float)
    rocks = np.array([[5.0, 0.1], [20.0, 3.8]])
    if d == 3:
        flat, rocks = (np.column_stack([each, np.full(len(each), 2.0)]) for each in (flat, rocks))
    vehicles = sm.Vehicles(
        flat[:1], flat[1:2] - flat[:1], max_speed=3, max_force=12, radius=0.25, response_time=0.2, dtype=np.float64
    )
    avoided = sm.Spheres(rocks, 0.7)
    tree = sm.Priority(
        [
            sm.AvoidObstacles(avoided, lookahead=1.5, clearance=0.55),  # Clips of motion are coarse.
            sm.FollowPath(sm.Path(flat, radius=0.8)) + 0.05 * sm.Wander() + sm.LookWhereYouGo(),
        ]
    )
    world = sm.World(dt=DT, seed=2, threads=1)
    world.add(vehicles, steering=tree, locomotion=body)
    goal, nearest = flat[-1], np.inf
    while world.time < 40:
        world.step()
        gap = np.linalg.norm(vehicles.position[0] - rocks, axis=1) - 0.7 - 0.25
        nearest = min(nearest, float(gap.min()))
        if np.linalg.norm(vehicles.position[0] - goal) < 1.0:
            break
    assert world.time < 40, f"it is at {vehicles.position[0]}"
    assert nearest > 0
    assert nearest < 1.5  # It did come by.


@pytest.mark.parametrize("d", [2, 3])
def test_a_free_body_never_turns_faster_than_it_can(d: int) -> None:
    """At full rate already, more acceleration adds nothing; the rate is truncated after it, and along its own axis."""

    @dataclass(frozen=True, eq=False)
    class Spin(sm.Behavior):
        turns = True

        def steer(self, scene: Any, memory: Any, out: Any) -> None:
            out.angular[:] = 8.0 if d == 2 else [0.0, 0.0, 8.0]

    rate = 3.0 if d == 2 else [0.0, 0.0, 3.0]
    vehicles = herd(d, 1, np.float64, angular_velocity=rate, max_angular_speed=3.0)
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, steering=Spin(), locomotion=sm.FreeBody())
    for _ in range(3):
        world.step()
        np.testing.assert_allclose(np.linalg.norm(np.atleast_1d(vehicles.angular_velocity[0])), 3.0, rtol=1e-12)
    assert np.atleast_1d(vehicles.angular_velocity[0])[-1] == pytest.approx(3.0)


# --------------------------------------------------------------------------------------------------- what holds for all


@pytest.mark.parametrize("name", PLAIN)
def test_nothing_degenerate_gives_nan(name: str) -> None:
    body = PLAIN[name]
    d = dimensions(body)
    for more in ({}, {"max_speed": 0.0}, {"max_force": 0.0}, {"radius": 0.0}, {"max_angular_speed": 0.0},
                 {"mass": 1e6}, {"response_time": 0.0}):  # fmt: skip
        for n in (0, 1, 5):
            vehicles = herd(d, n, **more)
            vehicles.position[:2] = 1e12
            vehicles.velocity[1::2] = 0
            ran(vehicles, sm.Seek([0.0] * d) + sm.LookWhereYouGo(), body, dt=DT, steps=3)
            assert np.isfinite(vehicles.block).all()
            np.testing.assert_allclose(np.linalg.norm(vehicles.forward, axis=1), 1, rtol=1e-5)
            if d == 3:
                np.testing.assert_allclose(np.sum(vehicles.forward * vehicles.up, axis=1), 0, atol=1e-5)


@pytest.mark.parametrize("name", PLAIN)
def test_a_refused_step_leaves_the_body_as_it_was(name: str) -> None:
    body = PLAIN[name]
    d, force = dimensions(body), np.ones((12, dimensions(body)))
    world = sm.World(dt=DT)
    world.add(herd(d), steering=lambda v: force.copy(), locomotion=body)
    world.run(steps=4)
    force[3] = np.nan
    before = whole_state(world)
    with pytest.raises(sm.NonFiniteError):
        world.step()
    assert whole_state(world) == before
    force[3] = 1
    world.step()


@pytest.mark.parametrize("name", PLAIN)
def test_threads_do_not_matter(name: str) -> None:
    body, states = PLAIN[name], []
    for threads in (1, 2):
        vehicles = herd(dimensions(body), 6000)
        ran(vehicles, sm.Wander() + sm.LookWhereYouGo(), body, dt=DT, threads=threads, seed=1, steps=3)
        states.append(vehicles.block.tobytes())
    assert states[0] == states[1]


@pytest.mark.parametrize("name", [name for name in PLAIN if "Clips" not in name and "4" not in name])
def test_half_the_step_comes_nearer(name: str) -> None:
    """(Clips pick one of a few at times that depend on the step.)"""
    body, ends = PLAIN[name], []
    d = dimensions(body)
    if any(getattr(limit, "samples", None) for limit in body.limits):
        body = sm.PointMass(limits=[sm.TurnRate(2.5)])
    for dt in (0.04, 0.02, 0.01, 0.005):
        vehicles = sm.Vehicles([[0.0] * d], [[2.0, 1.0, 0.5][:d]], max_speed=3, max_force=3, dtype=np.float64)
        ran(vehicles, sm.Arrive([6.0, 4.0, 1.0][:d]) + sm.LookWhereYouGo(), body, dt=dt, threads=1, seconds=1.6)
        ends.append(np.concatenate([vehicles.position[0], vehicles.forward[0]]))
    gaps = [np.linalg.norm(b - a) for a, b in pairwise(ends)]
    assert gaps[2] < 0.7 * gaps[1] or gaps[2] < 1e-6
    assert gaps[2] < 0.05


# --------------------------------------------------------------------------------------------------- Flying


def level_turn(v: float = 10.0, r: float = 20.0, seconds: float = 20.0, **more: Any) -> sm.Vehicles:
    """A vehicle in a steady level turn to the left, after some time."""
    vehicles = sm.Vehicles([[0.0, 0, 0]], [[v, 0, 0]], max_speed=v, max_force=v * v / r, dtype=np.float64)
    world = sm.World(dt=1 / 120, threads=1)

    def inwards(each: sm.Vehicles) -> Any:
        left = np.cross([0.0, 0, 1], each.velocity / v)
        return left * v * v / r

    world.add(vehicles, steering=inwards, locomotion=sm.Flying(**more))
    world.run(seconds=seconds)
    return vehicles


def roll_of(vehicles: sm.Vehicles) -> float:
    """To the left [degrees]."""
    left = np.cross([0.0, 0, 1], vehicles.forward[0])
    return math.degrees(math.atan2(vehicles.up[0] @ left, vehicles.up[0, 2]))


def test_banking_in_a_steady_level_turn() -> None:
    """tan(roll) = v^2 / (r g), A17's 27.007 degrees, within 1%; whatever the roll time."""
    for roll_time in (0.0, 0.3, 1.5):
        roll = roll_of(level_turn(roll_time=roll_time))
        assert math.tan(math.radians(roll)) == pytest.approx(100 / (20 * 9.81), rel=0.01)
        assert roll == pytest.approx(27.00721129, rel=0.01)
    assert roll_of(level_turn(v=8, r=30)) == pytest.approx(math.degrees(math.atan(64 / (30 * 9.81))), rel=0.01)
    assert roll_of(level_turn(bank=0.5)) == pytest.approx(math.degrees(math.atan(2.5 / 9.81)), rel=0.01)
    assert roll_of(level_turn(bank=0.0)) == pytest.approx(0, abs=1e-6)


def test_a_roll_takes_its_time_and_an_upside_down_flyer_comes_round() -> None:
    start = roll_of(level_turn(seconds=0.4, roll_time=0.4))
    assert start == pytest.approx(27.007 * (1 - math.exp(-1)), rel=0.05)
    vehicles = sm.Vehicles([[0.0, 0, 0]], [[5.0, 0, 0]], up=[0, 0, -1], max_speed=5, dtype=np.float64)
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, locomotion=sm.Flying(roll_time=0.3))
    world.run(seconds=4)
    np.testing.assert_allclose(vehicles.up[0], [0, 0, 1], atol=1e-4)


def test_straight_up_there_is_no_floor_and_the_old_up_is_kept() -> None:
    vehicles = sm.Vehicles([[0.0, 0, 0]], [[0, 0, 5.0]], up=[0.6, 0.8, 0], max_speed=5, dtype=np.float64)
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, locomotion=sm.Flying())
    world.run(seconds=2)
    np.testing.assert_allclose(vehicles.up[0], [0.6, 0.8, 0], atol=1e-9)


def test_flying_moves_as_a_point_mass_does() -> None:
    ends = []
    for body in (sm.Flying(), sm.PointMass()):
        vehicles = herd(3)
        ran(vehicles, sm.Wander(), body, dt=DT, seed=3, threads=1, steps=1)
        ends.append(vehicles.position.copy())
    np.testing.assert_array_equal(*ends)
    with pytest.raises(ValueError, match="Flying needs vehicles in 3 dimensions, got 2"):
        sm.Flying().advance(herd(2), [0, 0], 0.1)


# --------------------------------------------------------------------------------------------------- Wheeled


def circle(positions: Any) -> float:
    """The radius of the circle through three of the positions."""
    a, b, c = positions[len(positions) // 3], positions[len(positions) // 2], positions[-1]
    sides = np.linalg.norm([b - a, c - b, a - c], axis=1)
    return float(np.prod(sides) / (2 * abs(np.cross(np.append(b - a, 0), np.append(c - a, 0))[2])))


@pytest.mark.parametrize("wheelbase", [None, 1.2])
def test_circles_are_no_tighter_than_the_turning_radius(wheelbase: Any) -> None:
    """Slow, it drives the tightest circle; fast, that of the lateral force, m v^2 / F (A16)."""
    for speed, expected in ((1.0, 3.0), (6.0, 36 / 4)):
        vehicles = sm.Vehicles([[0.0, 0]], [[speed, 0]], max_speed=speed, max_force=4, dtype=np.float64)
        world = sm.World(dt=0.002, threads=1)
        world.add(vehicles, steering=lambda v: 4.0 * np.stack([-v.forward[:, 1], v.forward[:, 0]], axis=1),
                  locomotion=sm.Wheeled(turning_radius=3.0, wheelbase=wheelbase))  # fmt: skip
        world.run(seconds=1)
        positions = []
        for _ in range(2000):
            world.step()
            positions.append(vehicles.position[0].copy())
        assert circle(positions) == pytest.approx(expected, rel=2e-3)
        across = vehicles.velocity[0] @ [-vehicles.forward[0, 1], vehicles.forward[0, 0]]
        assert across == pytest.approx(0, abs=1e-9)  # It does not skid.


@pytest.mark.filterwarnings("ignore:Face of 'vehicles' does nothing")
def test_no_turning_at_rest() -> None:
    for reverse in (False, True):
        vehicles = sm.Vehicles([[0.0, 0]], max_speed=0.0, max_force=4, dtype=np.float64)
        world = sm.World(dt=DT, threads=1)
        world.add(vehicles, steering=sm.Face([0, 5]) + (lambda v: v.position * 0 + [0.0, 4.0]),
                  locomotion=sm.Wheeled(reverse=reverse))  # fmt: skip
        world.run(seconds=2)
        assert vehicles.forward[0].tolist() == [1, 0]
        assert vehicles.position[0].tolist() == [0, 0]


@pytest.mark.parametrize("goal", [[-12.0, 0.0], [-12.0, 0.3], [0.0, 9.0], [3.0, -9.0]])
def test_what_lies_behind_or_aside_is_reached_by_turning_around(goal: Any) -> None:
    vehicles = sm.Vehicles([[0.0, 0]], max_speed=3, max_force=5, dtype=np.float64)
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, steering=sm.Seek(goal), locomotion=sm.Wheeled(turning_radius=2.0))
    nearest = min(float(np.linalg.norm((world.step(), vehicles.position[0])[1] - goal)) for _ in range(60 * 15))
    assert nearest < 0.5


def test_backing_up() -> None:
    vehicles = sm.Vehicles([[0.0, 0]], max_speed=3, max_force=5, dtype=np.float64)
    ran(vehicles, sm.Arrive([-4, 0]), sm.Wheeled(reverse=True), dt=DT, threads=1, seconds=10)
    np.testing.assert_allclose(vehicles.position[0], [-4, 0], atol=1e-2)
    assert vehicles.forward[0].tolist() == [1, 0]


def test_an_arriving_car_stops_and_rests() -> None:
    vehicles = sm.Vehicles([[0.0, 0]], max_speed=4, max_force=6, dtype=np.float64)
    ran(vehicles, sm.Arrive([20, 0]), sm.Wheeled(), dt=DT, threads=1, seconds=25)
    np.testing.assert_allclose(vehicles.position[0], [20, 0], atol=1e-2)
    assert vehicles.speed[0] < 1e-2


@pytest.mark.parametrize("mass", [1.0, 400.0])
def test_signals_of_a_car(mass: float) -> None:
    """Forward part: accelerator or brake; side part: the wheel, to the left of it positive."""
    car = sm.Wheeled(turning_radius=2.0, thrust=0.5, brake=0.8, side=1.0)
    vehicles = sm.Vehicles(
        np.zeros((5, 2)), [[5.0, 0]] * 5, max_speed=20, max_force=10 * mass, mass=mass, dtype=np.float64
    )
    forces = mass * np.array([[2.5, 0.0], [50.0, 0.0], [-4.0, 0.0], [0.0, 4.0], [0.0, -1000.0]])
    steer, throttle, brake = car.signals(vehicles, forces)
    np.testing.assert_allclose(throttle, [0.5, 1, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(brake, [0, 0, 0.5, 0, 0], atol=1e-9)
    np.testing.assert_allclose(steer, [0, 0, 0, 4 / 25 * 2, -10 / 25 * 2], atol=1e-9)
    with pytest.raises(ValueError, match=r"force must have shape \(5, 2\)"):
        car.signals(vehicles, [0, 0])


def test_signals_of_a_car_that_backs_up() -> None:
    """The accelerator pushes it back, from rest and on; the brake slows it down, whichever way it rolls."""
    car = sm.Wheeled(turning_radius=2.0, thrust=0.5, brake=0.8, reverse=True)
    rolling = [[-2.0, 0.0], [-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]]
    vehicles = sm.Vehicles(np.zeros((4, 2)), rolling, forward=[1, 0], max_speed=20, max_force=10, dtype=np.float64)
    _, throttle, brake = car.signals(vehicles, [[-2.5, 0.0], [4.0, 0.0], [-2.5, 0.0], [-4.0, 0.0]])
    np.testing.assert_allclose(throttle, [0.5, 0, 0.5, 0], atol=1e-9)
    np.testing.assert_allclose(brake, [0, 0.5, 0, 0.5], atol=1e-9)


def test_signals_of_a_car_with_a_wheelbase_tell_how_far_its_wheel_is_turned() -> None:
    """Of the angle that it may have, atan(wheelbase / turning_radius): the curvature grows faster than that."""
    car = sm.Wheeled(turning_radius=2.0, wheelbase=3.0)
    vehicles = sm.Vehicles(np.zeros((3, 2)), [[5.0, 0]] * 3, max_speed=20, max_force=20, dtype=np.float64)
    steer, _, _ = car.signals(vehicles, [[0.0, 5.0], [0.0, -10.0], [0.0, 12.0]])
    curvature = np.array([5.0, -10.0, 12.0]) / 25
    np.testing.assert_allclose(steer, np.arctan(3 * curvature) / np.arctan(3 / 2), atol=1e-9)


@pytest.mark.parametrize("force", [[0.0, 4.0], [3.0, 3.0], [-3.0, 3.0]])
@pytest.mark.parametrize("side", [1, -1])
def test_a_car_that_still_rolls_back_turns_its_front_to_where_it_will_go(side: int, force: list[float]) -> None:
    vehicles = sm.Vehicles([[0.0, 0]], [[-2.0, 0]], forward=[1, 0], max_speed=6, max_force=5, mass=2, dtype=np.float64)
    ran(vehicles, lambda _: np.array([force]) * [1, side], sm.Wheeled(turning_radius=2.0), dt=DT, threads=1, steps=6)
    assert (vehicles.velocity * vehicles.forward).sum() < -0.1
    assert 0.01 < side * vehicles.heading[0] < 0.5


def test_the_front_wheel_turns_at_its_rate() -> None:
    vehicles = sm.Vehicles([[0.0, 0]], [[1.0, 0]], max_speed=1, max_force=100, dtype=np.float64)
    world = sm.World(dt=0.01, threads=1)
    population = world.add(vehicles, steering=lambda v: 90.0 * np.stack([-v.forward[:, 1], v.forward[:, 0]], axis=1),
                           locomotion=sm.Wheeled(turning_radius=1.0, wheelbase=1.0, steer_rate=0.5))  # fmt: skip
    world.run(seconds=1)
    (memory,) = population.memories[-1].snapshot().values()
    assert memory[0, 0] == pytest.approx(0.5, rel=1e-9)
    world.run(seconds=1)
    (memory,) = population.memories[-1].snapshot().values()
    assert memory[0, 0] == pytest.approx(math.atan(1.0), rel=1e-9)


def test_the_front_wheel_turns_back_at_its_rate_too() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0]], [[2.0, 0.0]], max_speed=2, max_force=99, dtype=np.float64)
    world = sm.World(dt=0.1, threads=1)
    car = world.add(vehicles, locomotion=sm.Wheeled(turning_radius=1.0, wheelbase=1.0, steer_rate=0.5))
    angles = []
    for side in [50.0] * 12 + [-50.0] * 30:
        car.steering = lambda those, side=side: side * np.stack([-those.forward[:, 1], those.forward[:, 0]], axis=1)
        world.step()
        angles.append(car.memories[LOCOMOTION_KEY].snapshot()["wheel"][0, 0])
    turned = np.diff(angles)
    assert turned.max() == pytest.approx(0.05)
    assert turned.min() == pytest.approx(-0.05)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_car_turns_as_its_front_wheel_stands_ahead_and_back(way: float) -> None:
    vehicles = sm.Vehicles(
        [[0.0, 0.0]], [[2.0 * way, 0.0]], forward=[1, 0], max_speed=2, max_force=20, dtype=np.float64
    )
    world = sm.World(dt=0.05, threads=1)
    car = world.add(
        vehicles,
        steering=lambda those: 8 * way * those.forward + 4 * np.stack([-those.forward[:, 1], those.forward[:, 0]], 1),
        locomotion=sm.Wheeled(turning_radius=1.0, wheelbase=1.0, steer_rate=0.5, reverse=True),
    )
    for k in range(1, 11):
        before = vehicles.heading[0]
        world.step()
        front = car.memories[LOCOMOTION_KEY].snapshot()["wheel"][0, 0]
        speed = (vehicles.velocity * vehicles.forward).sum()
        assert speed * way > 1
        assert abs(front) <= 0.5 * 0.05 * k + 1e-9
        assert vehicles.heading[0] - before == pytest.approx(speed * math.tan(front) * 0.05)
    assert abs(vehicles.heading[0]) > 0.05


def test_a_car_in_space_stays_in_its_plane() -> None:
    vehicles = sm.Vehicles([[0.0, 0, 5]], [[1.0, 0, 0]], max_speed=3, max_force=5, dtype=np.float64)
    ran(vehicles, sm.Seek([-3, 9, 0]), sm.Wheeled(), dt=DT, threads=1, seconds=5)
    assert vehicles.position[0, 2] == 5
    np.testing.assert_allclose(vehicles.up[0], [0, 0, 1], atol=1e-12)


# --------------------------------------------------------------------------------------------------- MotionClips


def test_motion_is_one_of_the_clips_to_its_end() -> None:
    body = sm.MotionClips(CLIPS)
    vehicles = sm.Vehicles([[0.0, 0]], max_speed=3, max_force=12, dtype=np.float64)
    world = sm.World(dt=0.05, threads=1)
    population = world.add(vehicles, steering=sm.Seek([-20, 8]), locomotion=body)
    allowed = {(clip.speed, clip.turn_rate) for clip in CLIPS}
    names, before = [], float(vehicles.heading[0])
    for _ in range(200):
        world.step()
        rate = (float(vehicles.heading[0]) - before + math.pi) % (2 * math.pi) - math.pi
        before = float(vehicles.heading[0])
        assert any(
            vehicles.speed[0] == pytest.approx(speed) and rate / 0.05 == pytest.approx(turn, abs=1e-6)
            for speed, turn in allowed
        )
        names += body.names(population.memories[-1].snapshot())
    played = [(name, len(list(group))) for name, group in groupby(names)]
    assert all(length % 4 == 0 for name, length in played[:-1] if name != "stop")  # 0.2 s each
    assert "run straight" in names
    assert "run left" in names


def test_the_best_clip_is_picked_and_neighbors_are_blended() -> None:
    clips = [sm.Clip("walk", speed=1.0), sm.Clip("run", speed=3.0)]
    for blend, expected in ((False, 1.0), (True, 1.8)):
        vehicles = sm.Vehicles([[0.0, 0]], max_speed=5, max_force=1e3, dtype=np.float64)
        ran(vehicles, sm.Seek([100, 0], speed=1.8), sm.MotionClips(clips, blend=blend), dt=0.1, threads=1, steps=1)
        assert vehicles.speed[0] == pytest.approx(expected)


def test_complaints_about_clips() -> None:
    with pytest.raises(ValueError, match="clips must be at least one, got none"):
        sm.MotionClips([])
    with pytest.raises(ValueError, match="clips must have different names"):
        sm.MotionClips([sm.Clip("a", speed=1), sm.Clip("a", speed=2)])
    with pytest.raises(TypeError, match="clips must be Clip"):
        sm.MotionClips([1.0])
    with pytest.raises(ValueError, match="duration must be > 0 s"):
        sm.Clip("a", speed=1, duration=0.0)


# --------------------------------------------------------------------------------------------------- bodies of your own


@dataclass(frozen=True, eq=False)
class Sled(sm.Locomotion):
    """A user's body in NumPy: slides, and counts its steps."""

    def init(self, vehicles: sm.Vehicles) -> Any:
        return {"steps": np.zeros(len(vehicles))}

    def propose(self, to: Any) -> None:
        to.memory["steps"][:] += 1
        to.velocity[:] = 0.5 * to.vehicles.velocity + to.dt * to.force / to.vehicles.mass[:, None]


@dataclass(frozen=True, eq=False)
class Top(sm.Locomotion):
    """A user's body that turns by itself."""

    turns = True

    def propose(self, to: Any) -> None:
        to.velocity[:] = to.vehicles.velocity
        to.spin[:] = to.vehicles.angular_velocity + to.dt * to.angular


def test_a_body_written_in_numpy() -> None:
    vehicles = sm.Vehicles(
        [[0.0, 0], [5, 5]], [[2.0, 0], [0, 0]], mass=[1, 4], max_force=8, response_time=1, dtype=np.float64
    )
    force = np.array([[0.0, 4.0], [8.0, 0.0]])
    world = sm.World(dt=0.5, threads=1)
    population = world.add(vehicles, steering=lambda v: force.copy(), locomotion=Sled(limits=[sm.Drag(1e-12)]))
    world.step()
    np.testing.assert_allclose(vehicles.velocity, [[1, 2], [1, 0]], rtol=1e-9)
    np.testing.assert_allclose(vehicles.position, [[0.5, 1], [5.5, 5]], rtol=1e-9)
    force[1] = np.inf
    before = whole_state(world)
    with pytest.raises(sm.NonFiniteError):
        world.step()
    assert whole_state(world) == before
    assert population.memories[-1].snapshot()["steps"].tolist() == [1, 1]


def test_a_body_written_in_numpy_that_turns() -> None:
    for d, spin in ((2, 1.5), (3, [0, 0, 1.5])):
        vehicles = sm.Vehicles(np.zeros((1, d)), angular_velocity=spin, dtype=np.float64)
        ran(vehicles, sm.Face([0.0] * d), Top(), dt=0.01, threads=1, steps=1)
        turned = np.arctan2(vehicles.forward[0, 1], vehicles.forward[0, 0])
        assert 0 < turned < 0.0149  # Where it is there is nothing to face, so it is asked to turn less.


def test_what_a_body_in_numpy_proposes_may_be_assigned_and_nothing_else() -> None:
    @dataclass(frozen=True, eq=False)
    class Assigning(sm.Locomotion):
        turns = True
        wrong: str = ""

        def propose(self, to: Any) -> None:
            assert not np.any([*to.velocity.flat, *to.spin.flat])  # A body that writes nothing stands still.
            to.velocity, to.spin = [0.5, 0.25], 0.75
            if self.wrong:
                setattr(to, self.wrong, 1.0)

    vehicles = sm.Vehicles(np.zeros((2, 2)), dtype=np.float64)
    Assigning().advance(vehicles, [0, 0], 0.1)
    assert vehicles.velocity.tolist() == [[0.5, 0.25]] * 2
    assert vehicles.angular_velocity.tolist() == [0.75] * 2
    for wrong in ("force", "spinn"):
        with pytest.raises(AttributeError, match=f"only velocity and spin are to be written, got '{wrong}'"):
            Assigning(wrong=wrong).advance(vehicles, [0, 0], 0.1)


def test_a_body_that_says_nothing() -> None:
    @dataclass(frozen=True, eq=False)
    class Ghost(sm.Locomotion):
        pass

    with pytest.raises(NotImplementedError, match=r"Ghost must define propose\(to\)"):
        Ghost().advance(herd(2), [0, 0], 0.1)


def test_float32_bodies_stay_in_float32() -> None:
    """Every kernel of every body and limit, in 2D or 3D."""
    seen = set()
    limits = [sm.Drag(0.3, angular=0.3), sm.TurnRate(2.0), sm.MomentOfInertia(1.0), sm.SmoothForce(0.1),
              sm.Asymmetric(), sm.LowSpeedTurn(), sm.HeadingSmoother(3), sm.HeadingSmoother(time_constant=0.2)]  # fmt: skip
    for body in (*PLAIN.values(), sm.PointMass(limits=limits)):
        vehicles = herd(dimensions(body), 3)
        chassis = Chassis(
            vehicles, *(tuple(np.zeros((rows, 3), np.float32)) for rows in (len(vehicles.columns.position), 1, 2, 1)),
            np.ones(1, np.float32), body.memory(vehicles),
        )  # fmt: skip
        if vehicles.dimensions == 3:
            chassis = replace(chassis, angular=chassis.vectors(), proposed=chassis.vectors(), spin=chassis.vectors())
        motion = body.motion(chassis)
        for call in (*motion.propose, *motion.move):
            if call.kernel.py_func not in seen:
                seen.add(call.kernel.py_func)
                assert_single_precision(call.kernel, ROW(0), ROW(3), *call.arguments)
    assert len(seen) > 15
