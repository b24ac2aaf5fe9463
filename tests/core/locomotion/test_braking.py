"""Braking: a body that decides for itself where to drive stops before what steering stops for, and gets away from there."""

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from core.locomotion.test_everybody_gets_there import CLIPS

import steersman as sm
from steersman.core.locomotion.wheeled import Maneuver, drive
from steersman.core.maths.facing import moves

FEW = [sm.Clip("walk", speed=1.5), sm.Clip("stop", speed=0.0), sm.Clip("left", speed=1.0, turn_rate=1.2)]
BODIES: dict[str, Any] = {
    "point mass": sm.PointMass(),
    "free body": sm.FreeBody(limits=[sm.SmoothForce(0.1)]),
    "car": sm.Wheeled(turning_radius=5),
    "small car": sm.Wheeled(turning_radius=1),
    "bicycle": sm.Wheeled(turning_radius=5, wheelbase=1.5),
    "reverse": sm.Wheeled(turning_radius=5, reverse=True),
    "bicycle, reverse": sm.Wheeled(turning_radius=5, wheelbase=1.5, reverse=True),
    "car, smooth": sm.Wheeled(turning_radius=5, limits=[sm.SmoothForce(0.1)]),
    "walker": sm.MotionClips(CLIPS),
    "blended": sm.MotionClips(CLIPS, blend=True),
    "walk, stop, left": sm.MotionClips(FEW),
    "turn rate": sm.PointMass(limits=[sm.TurnRate(0.5)]),
    "fade": sm.PointMass(limits=[sm.LowSpeedTurn(0.5)]),
    "cone": sm.PointMass(limits=[sm.LowSpeedTurn(law="cone")]),
    "inertia": sm.PointMass(limits=[sm.MomentOfInertia(1.0)]),
    "brakes": sm.PointMass(limits=[sm.Asymmetric(thrust=0.6, brake=0.8, side=0.5)]),
    "drag": sm.PointMass(limits=[sm.Drag(0.5), sm.TurnRate(2.0)]),
}
PLACES = [(-3, 0.0), (-3, 0.3), (-3, -0.3), (-6, 0.0), (-6, 0.8), (-1.5, 0.0), (-10, 0.0), (-4, 1.2)]
"""x [m] before a wall at 0, and where they face there [rad]; the goal is behind."""


class Trial(NamedTuple):
    """How each body did: how deep it was in the wall [m], and how near to the goal [m], a row a vehicle."""

    deepest: dict[str, Any]
    nearest: dict[str, Any]


def try_at_a_wall(d: int, dt: float, dtype: Any, seconds: float, goal: Sequence[float] | None = (-11, 20, 0)) -> Trial:
    """All bodies before a wall; they seek a goal behind them, or follow a path there."""
    wall = sm.Walls([[0.0, -90], [0, 90]]) if d == 2 else sm.Boxes([4.0, 0, 0], [4.0, 90, 90])
    x, angle = np.transpose(PLACES)
    start, facing = (np.zeros((len(PLACES), d)) for _ in range(2))
    start[:, 0], facing[:, 0], facing[:, 1] = x, np.cos(angle), np.sin(angle)
    tail = sm.FollowPath(sm.Path(np.array([[-11.0, -30, 0], [-11, 60, 0]])[:, :d], radius=1))
    world, herds = sm.World(dt=dt, threads=1), {}
    for name, body in (BODIES | {"flying": sm.Flying(limits=[sm.TurnRate(2)])} if d == 3 else BODIES).items():
        vehicles = sm.Vehicles(start, forward=facing, max_speed=20, max_force=14, dtype=dtype)
        steering = sm.Priority([sm.AvoidObstacles(wall), tail if goal is None else sm.Seek(goal[:d])])
        world.add(vehicles, name=name, steering=steering, locomotion=body)
        herds[name] = vehicles
    trial = Trial({name: np.full(len(x), -np.inf) for name in herds}, {name: np.full(len(x), np.inf) for name in herds})
    while world.time < seconds:
        world.step()
        for name, vehicles in herds.items():
            np.maximum(trial.deepest[name], vehicles.position[:, 0] + vehicles.radius, out=trial.deepest[name])
            if goal is not None:
                away = np.linalg.norm(vehicles.position - goal[:d], axis=1)
                np.minimum(trial.nearest[name], away, out=trial.nearest[name])
    return trial


@pytest.mark.parametrize(
    ("d", "dt", "dtype"), [(2, 1 / 60, np.float32), (2, 1 / 20, np.float32), (3, 1 / 30, np.float64)]
)
def test_no_body_drives_into_the_wall_that_steering_brakes_for_and_all_get_away(d: int, dt: float, dtype: Any) -> None:
    """They stop before it, turn around or back away, and reach the goal behind them."""
    trial = try_at_a_wall(d, dt, dtype, 25)
    for name, deep in trial.deepest.items():
        assert deep.max() < 0.03, f"{name} was {deep.max():.2f} m in the wall"
    for name in ("point mass", "car", "small car", "bicycle", "reverse", "walker", "fade", "cone"):
        gap = trial.nearest[name].max()
        assert gap < 1.5, f"{name} came no nearer to the goal than {gap:.2f} m"


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("dt", [1 / 22, 1 / 50, 1 / 240])
@pytest.mark.parametrize("law", ["fade", "cone"])
def test_who_turns_only_as_it_moves_gets_away_from_a_wall_that_it_starts_before(law: str, dt: float, d: int) -> None:
    """At any distance and angle, also where it has come to rest: rounding noise is no direction to brake along."""
    wall = sm.Walls([[0.0, -90], [0, 90]]) if d == 2 else sm.Boxes([4.0, 0, 0], [4.0, 90, 90])
    angle, away = (each.ravel() for each in np.meshgrid([0.0, 0.01, 0.1, 0.6, 1.2], [0.8, 1.1, 1.7, 2.6, 3.5]))
    start, facing = np.zeros((25, d)), np.zeros((25, d))
    start[:, 0], facing[:, 0], facing[:, 1] = -away, np.cos(angle), -np.sin(angle)
    mass = np.repeat([1.0, 8.0], 25)  # Heavy ones go the same way.
    vehicles = sm.Vehicles(
        np.tile(start, (2, 1)),
        forward=np.tile(facing, (2, 1)),
        max_speed=12,
        mass=mass,
        max_force=9 * mass,
        dtype=np.float64,
    )
    world = sm.World(dt=dt, threads=1)
    world.add(
        vehicles, steering=sm.Priority([sm.AvoidObstacles(wall), sm.Seek([-14.0, 9, 0][:d])]),
        locomotion=sm.PointMass(limits=[sm.LowSpeedTurn(law=law)]),
    )  # fmt: skip
    gone = np.full(50, False)
    while world.time < 20 and not gone.all():
        world.step()
        assert (vehicles.position[:, 0] + vehicles.radius).max() < 0.03
        gone |= vehicles.position[:, 0] < -7
        np.testing.assert_allclose(*np.split(vehicles.position, 2), atol=1e-7)
    assert gone.all()


def test_no_body_drives_into_the_wall_on_its_way_to_a_path() -> None:
    for name, deep in try_at_a_wall(2, 1 / 60, np.float32, 10, None).deepest.items():
        assert deep.max() < 0.03, f"{name} was {deep.max():.2f} m in the wall"


def test_a_car_turns_in_three_moves_where_there_is_no_room_to_turn_around() -> None:
    """It drives on to the left, backs away with its front still turning left, and goes: no step turns it back."""
    car = sm.Vehicles([[-3.0, 0]], max_speed=20, max_force=14, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    wall = sm.Walls([[0.0, -50], [0, 50]])
    world.add(car, steering=sm.Priority([sm.AvoidObstacles(wall), sm.Seek([-11, 20])]),
              locomotion=sm.Wheeled(turning_radius=5))  # fmt: skip
    gears, headings = [], []
    while car.position[0, 0] > -8:
        assert world.time < 8
        world.step()
        ahead = float(car.velocity[0] @ car.forward[0])
        if abs(ahead) > 0.05 and (not gears or gears[-1] != np.sign(ahead)):
            gears.append(np.sign(ahead))
        headings.append(float(car.heading[0]))
    assert gears == [1, -1, 1]
    assert np.diff(headings).min() > -0.02


@pytest.mark.parametrize("radius", [2.0, 4.0])
def test_a_car_makes_more_room_each_time_that_it_did_so_in_vain(radius: float) -> None:
    """In the tip of two walls that meet at 24 degrees, its goal behind it: it changed gear 61 and 41 times a minute."""
    side = 40 * np.array([math.sin(math.radians(12)), math.cos(math.radians(12))])
    walls = sm.Walls([[[0.0, 0.0], -side], [[0.0, 0.0], side * [1, -1]]])
    car = sm.Vehicles([[0.3, -20.0]], [[0.0, 2.0]], radius=0.5, max_speed=6, max_force=8, dtype=np.float64)
    world = sm.World(dt=1 / 20, threads=1)
    steering = sm.Priority([sm.AvoidObstacles(walls), sm.Arrive([[0.0, 15.0]])])
    world.add(car, steering=steering, locomotion=sm.Wheeled(turning_radius=radius))
    speeds = []
    while world.time < 60:
        world.step()
        speeds.append(float(car.velocity[0] @ car.forward[0]))
    legs = [list(leg) for _, leg in itertools.groupby(speeds, key=lambda speed: speed < -0.02)]
    back = [-sum(leg) / 20 for leg in legs if leg[0] < -0.02]
    assert back[0] < 1.2 * radius
    assert max(back) > 1.5 * radius
    assert len(back) < 15


def test_without_obstacles_ahead_bodies_drive_as_without_avoidance() -> None:
    """A wall that is far away changes nothing, to the bit."""
    for name, body in BODIES.items():
        ends = []
        for steering in (
            sm.Seek([-11, 20]),
            sm.Priority([sm.AvoidObstacles(sm.Walls([[900.0, -5], [900, 5]])), sm.Seek([-11, 20])]),
        ):
            vehicles = sm.Vehicles([[-3.0, 0]], max_speed=20, max_force=14)
            world = sm.World(dt=1 / 20, threads=1)
            world.add(vehicles, steering=steering, locomotion=body)
            world.run(seconds=2)
            ends.append(vehicles.position.copy())
        np.testing.assert_array_equal(*ends, err_msg=name)


def test_what_brakes_is_what_limits_leave() -> None:
    """A vehicle that turns slowly, with half of its brakes, still brakes no harder than those do."""
    vehicles = sm.Vehicles([[-4.0, 0]], [[12.0, 0]], max_speed=20, max_force=14, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.AvoidObstacles(sm.Walls([[0.0, -50], [0, 50]])),
              locomotion=sm.PointMass(limits=[sm.TurnRate(0.1), sm.Asymmetric(brake=0.5)]))  # fmt: skip
    speeds = [12.0]
    for _ in range(20):
        world.step()
        speeds.append(float(vehicles.speed[0]))
    assert np.diff(speeds).min() * 60 >= -7 * 1.02
    assert np.diff(speeds).max() * 60 < -5


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
@pytest.mark.parametrize(("turning_radius", "wheelbase"), [(4.0, None), (4.0, 1.5), (6.0, 2.5)])
def test_cars_pass_a_rock_without_stopping_for_it(turning_radius: float, wheelbase: float | None, dt: float) -> None:
    """Wherever it lies across their way, they turn before their brakes are needed, and touch nothing."""
    aside = np.linspace(-3, 3, 25)
    lane = 100.0 * np.arange(len(aside))
    rocks = sm.Spheres(np.stack([np.full(len(lane), 30.0), lane], axis=1), 3)
    cars = sm.Vehicles(
        np.stack([np.zeros(len(lane)), lane + aside], axis=1), [[9.0, 0]] * len(lane), max_speed=9, max_force=20,
        response_time=0.25, radius=0.6, dtype=np.float64,
    )  # fmt: skip
    world = sm.World(dt=dt, threads=1)
    goals = np.stack([np.full(len(lane), 1000.0), lane], axis=1)
    world.add(cars, steering=sm.Priority([sm.AvoidObstacles(rocks), sm.Seek(goals)]),
              locomotion=sm.Wheeled(turning_radius=turning_radius, wheelbase=wheelbase))  # fmt: skip
    while world.time < 8:
        world.step()
        assert cars.speed.min() > 5
        assert np.hypot(cars.position[:, 0] - 30, cars.position[:, 1] - lane).min() > 3.6
    assert cars.position[:, 0].min() > 65


WEAK: dict[str, Any] = {
    "car": sm.Wheeled(brake=0.3),
    "car that holds the road badly": sm.Wheeled(brake=0.3, side=0.3),
    "wide bicycle": sm.Wheeled(brake=0.3, side=0.3, turning_radius=6, wheelbase=2),
    "car with hardly any brakes": sm.Wheeled(brake=0.1),
    "car with a limit": sm.Wheeled(limits=[sm.Asymmetric(brake=0.3)]),
    "point mass": sm.PointMass(limits=[sm.Asymmetric(brake=0.3, side=0.3)]),
}


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
@pytest.mark.parametrize("body", WEAK.values(), ids=WEAK)
def test_who_has_weak_brakes_brakes_in_time(body: Any, dt: float) -> None:
    """At full speed toward a wall, and into a dead end that is too narrow to turn in."""
    wall, pocket = sm.Walls([[0.0, -900], [0, 900]]), sm.Walls([[-45.0, -3], [0, -3], [0, 3], [-45, 3]])
    for obstacles, angle in ((wall, [0.0, 0.3, -0.3, 0.8]), (pocket, [0.0, 0.01, -0.01, 0.02])):
        facing = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        vehicles = sm.Vehicles(np.full((4, 2), [-60.0, 0]), 12 * facing, max_speed=12, max_force=14, dtype=np.float64)
        world = sm.World(dt=dt, threads=1)
        steering = sm.Priority([sm.AvoidObstacles(obstacles), sm.Seek([100.0, 0])])
        world.add(vehicles, steering=steering, locomotion=body)
        while world.time < 10:
            world.step()
            before = np.abs(vehicles.position[:, 1]) < 3 if obstacles is pocket else np.full(4, True)
            assert np.max(vehicles.position[before, 0] + vehicles.radius[before], initial=-99) < 0.03


@pytest.mark.parametrize("body", [WEAK["car"], WEAK["car with a limit"]], ids=["car", "car with a limit"])
def test_who_hardly_looks_ahead_sees_as_far_as_its_brakes_ask_for(body: Any) -> None:
    """With the force that it brakes with it slows down from afar, and not as late as with all of max_force."""
    assert body.brakes == 0.3
    vehicles = sm.Vehicles([[-60.0, 0]], [[12.0, 0]], max_speed=12, max_force=14, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    steering = sm.AvoidObstacles(sm.Walls([[0.0, -900], [0, 900]]), lookahead=0.1)
    world.add(vehicles, steering=sm.Priority([steering, sm.Seek([100.0, 0])]), locomotion=body)
    while vehicles.speed[0] > 11:
        world.step()
    assert -30 < vehicles.position[0, 0] < -14


@pytest.mark.parametrize("brake", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
def test_a_car_turns_around_away_from_a_wall_beside_it(brake: float, dt: float) -> None:
    """Its goal lay behind the wall: it turned around to that side, also as the wall bade it brake, up to 30 m through it."""
    wall = sm.Walls([[[-2000.0, 0.0], [2000.0, 0.0]]])
    world, parties = sm.World(dt=dt), []
    for speed in (3.0, 6.0, 10.0):
        rng = np.random.default_rng(0)
        places = np.column_stack([rng.uniform(-50, 50, 100), rng.uniform(1.5, 3, 100)])
        heading = rng.choice([0, np.pi], 100) + rng.uniform(-0.1, 0.1, 100)
        goals = np.column_stack([places[:, 0] + rng.uniform(-20, 20, 100), -rng.uniform(1, 20, 100)])
        cars = sm.Vehicles(places, heading=heading, max_speed=speed, max_force=2 * speed, radius=0.5)
        tree = sm.Priority([sm.AvoidObstacles([wall]), sm.Seek(goals)])
        world.add(cars, steering=tree, locomotion=sm.Wheeled(brake=brake))
        parties.append(cars)
    for _ in range(round(20 / dt)):
        world.step()
        assert min(cars.position[:, 1].min() for cars in parties) > 0.5


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
def test_a_car_that_backs_up_to_the_end_of_its_way_stays_in_reverse(dt: float, dtype: Any) -> None:
    """At rest its way is the one ahead: so each time that it stood it backed on for a step, through what it stopped for."""
    car, dt = sm.Wheeled(reverse=True)._car(dtype), dtype(dt)
    behind, speed, maneuver = dtype(1.0), dtype(0.0), Maneuver(dtype(0.0), dtype(0.0), dtype(0.0))
    forward, left, tau, top = (dtype(1), dtype(0)), (dtype(0), dtype(1)), max(dtype(0.1), dt), dtype(4)
    for _ in range(round(10 / dt)):
        way = max(behind, dtype(0)) if moves((speed, dtype(0)), top) and speed < 0 else dtype(np.inf)
        force = (dtype(-9.0), dtype(0.0))
        speed, _, maneuver = drive(force, forward, left, speed, dtype(1), dtype(10), top, tau, maneuver, way, car, dt)
        speed, maneuver = dtype(speed), Maneuver(*map(dtype, maneuver))
        behind += speed * dt
    assert abs(behind) < 2e-3
    assert abs(speed) < 1e-3
