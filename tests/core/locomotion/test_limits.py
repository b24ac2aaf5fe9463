"""The limits, each against what its equation says."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.core.locomotion.chassis import Chassis
from steersman.core.vehicles.memory import Memory

DT = 1 / 60


def one(d: int = 2, **more: Any) -> sm.Vehicles:
    arguments = {"max_speed": 10, "max_force": 5} | more
    return sm.Vehicles(np.zeros((1, d)), dtype=np.float64, **arguments)


def run(
    vehicles: sm.Vehicles, limits: Any, steering: Any = None, steps: int = 1, dt: float = DT, body: Any = None
) -> Any:
    world = sm.World(dt=dt, threads=1)
    population = world.add(vehicles, steering=steering, locomotion=body or sm.PointMass(limits=limits))
    world.run(steps=steps)
    return population


def push(*force: float) -> Any:
    return lambda vehicles: np.broadcast_to(np.array(force, float), vehicles.position.shape)


def test_drag_is_exact_for_a_coasting_and_for_a_pushed_vehicle() -> None:
    """v = v0 exp(-k t) + a/k (1 - exp(-k t)), for any step."""
    for dt, steps in ((0.5, 4), (0.01, 200)):
        vehicles = one(velocity=[3, -1], mass=2.0, response_time=1.0)
        run(vehicles, [sm.Drag(0.7)], push(4.0, 0.0), steps, dt)
        rest = math.exp(-0.7 * 2)
        np.testing.assert_allclose(vehicles.velocity[0], [3 * rest + 2 / 0.7 * (1 - rest), -rest], rtol=1e-9)


@pytest.mark.parametrize("body", [sm.PointMass, sm.FreeBody])
@pytest.mark.parametrize("rate", [0.1, 1.0, 20.0, 1e3])
def test_whoever_starts_too_fast_is_as_slow_as_others_under_drag(rate: float, body: Any) -> None:
    """The top speed takes the rest at once; drag takes no part in that, and turns nobody around."""
    fast, slow = (one(velocity=[speed, 0], max_speed=2.0) for speed in (900.0, 2.0))
    for vehicles in (fast, slow):
        run(vehicles, None, dt=0.1, body=body(limits=[sm.Drag(rate)]))
    assert fast.speed[0] <= 2.0
    np.testing.assert_allclose(fast.velocity, slow.velocity, rtol=1e-3, atol=1e-9)
    turning = one(angular_velocity=500.0, max_angular_speed=3.0)
    run(turning, None, dt=0.1, body=sm.FreeBody(limits=[sm.Drag(0.0, angular=rate)]))
    assert 0 <= turning.angular_velocity[0] <= 3.0


def test_drag_of_turning() -> None:
    vehicles = one(angular_velocity=2.0)
    run(vehicles, None, body=sm.FreeBody(limits=[sm.Drag(0.0, angular=1.5)]), steps=120)
    assert vehicles.angular_velocity[0] == pytest.approx(2 * math.exp(-3), rel=1e-9)


def test_the_lectures_body_reaches_max_force_over_drag() -> None:
    """Acceleration 10 and drag 1 make a top speed of 10."""
    vehicles = one(max_force=10, max_speed=100)
    run(vehicles, None, sm.Seek([1e6, 0], thrust="full"), 60 * 12, body=sm.FreeBody(limits=[sm.Drag(1.0)]))
    assert vehicles.speed[0] == pytest.approx(10, rel=1e-4)


def test_asymmetric_cuts_thrust_brakes_and_side_apart() -> None:
    for force, expected in (((4, 0), (2, 0)), ((-4, 0), (-3, 0)), ((0, 4), (0, 1)), ((1.5, -0.5), (1.5, -0.5)),
                            ((30, 40), (2, 1)), ((-3.9, 3), (-3, 1))):  # fmt: skip
        vehicles = one(velocity=[5, 0], response_time=1.0)
        run(vehicles, [sm.Asymmetric(thrust=0.4, brake=0.6, side=0.2)], push(*force), dt=0.1)
        np.testing.assert_allclose((vehicles.velocity[0] - [5, 0]) / 0.1, expected, atol=1e-9)


def test_smooth_force_follows_with_its_time_constant_whatever_the_step() -> None:
    for dt, steps in ((0.05, 10), (0.0025, 200)):
        vehicles = one()
        population = run(vehicles, [sm.SmoothForce(0.25)], push(2.0, 0.0), steps, dt)
        (force,) = population.memories[-1].snapshot().values()
        assert force[0].tolist() == pytest.approx([2 * (1 - math.exp(-2)), 0], rel=1e-9)


def test_turn_rate_is_kept_and_a_vehicle_at_rest_turns_on_the_spot() -> None:
    vehicles = one(velocity=[8, 0], max_force=1e3)
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, steering=sm.Seek([0, 100]), locomotion=sm.PointMass(limits=[sm.TurnRate(0.5)]))
    for _ in range(100):
        before = float(vehicles.heading[0])
        world.step()
        assert abs(float(vehicles.heading[0]) - before) <= 0.5 * DT * (1 + 1e-9)
    assert vehicles.heading[0] == pytest.approx(0.5 * 100 * DT, rel=1e-6)
    still = one(max_angular_speed=2.0)
    run(still, [sm.TurnRate()], push(-1.0, 0.0), 60)
    assert still.heading[0] == pytest.approx(2.0, rel=1e-6)
    assert abs(still.position[0, 1]) < 0.01
    run(still, [sm.TurnRate()], push(-1.0, 0.0), 120)
    assert still.velocity[0, 0] < -0.5


@pytest.mark.parametrize("d", [2, 3])
def test_a_body_of_constant_speed_drives_circles_of_speed_over_rate(d: int) -> None:
    """Whatever pushes it, and however hard; a force straight back turns it around, and a small one turns it at once."""
    for own in ({}, {"speed": 3.0}):
        held = own.get("speed", 10.0)
        vehicles = one(d, velocity=[0.1, *[0] * (d - 1)], max_force=1e4)
        world = sm.World(dt=DT, threads=1)
        body = sm.PointMass(limits=[sm.ConstantSpeed(**own, rate=0.8)])
        world.add(vehicles, steering=push(-1e4, *[0.0] * (d - 1)), locomotion=body)
        for _ in range(150):
            before = vehicles.forward[0].copy()
            world.step()
            np.testing.assert_allclose(vehicles.speed, held, rtol=1e-9)
            assert math.acos(np.clip(before @ vehicles.forward[0], -1, 1)) <= 0.8 * DT * (1 + 1e-6)
        turned = math.acos(vehicles.forward[0, 0])
        np.testing.assert_allclose(turned, 0.8 * 150 * DT, rtol=1e-9)
        chord = 2 * held / 0.8 * math.sin(turned / 2)
        np.testing.assert_allclose(np.linalg.norm(vehicles.position[0]), chord, rtol=0.01)
    free = one(d, velocity=[10, *[0] * (d - 1)], max_force=1e9)
    run(free, [sm.ConstantSpeed()], push(0.0, *[600.0] * (d - 1)))
    np.testing.assert_allclose(free.forward[0], np.array([1, *[1] * (d - 1)]) / math.sqrt(d), rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_a_push_straight_back_turns_a_body_of_constant_speed(d: int) -> None:
    """A full one: at force / (mass speed), to the left; one of half of max_force, far from walls, does nothing."""
    pushed, hardly = (one(d, velocity=[3, *[0] * (d - 1)], max_force=4.0, max_speed=3.0) for _ in range(2))
    run(pushed, [sm.ConstantSpeed()], push(-4.0, *[0.0] * (d - 1)), 3)
    np.testing.assert_allclose(math.atan2(pushed.forward[0, 1], pushed.forward[0, 0]), 3 * 4 / 3 * DT, rtol=1e-3)
    run(hardly, [sm.ConstantSpeed()], push(-2.0, *[0.0] * (d - 1)), 3)
    assert hardly.forward[0, 0] == 1


@pytest.mark.parametrize("limit", [sm.ConstantSpeed(rate=0.8), sm.TurnRate(0.8)])
def test_a_heading_that_is_smoothed_turns_at_its_own_rate(limit: Any) -> None:
    """The velocity goes on turning from the heading before, not from the mean of the last ones."""
    vehicles = one(velocity=[3, 0], max_force=1e4)
    run(vehicles, [limit, sm.HeadingSmoother(time_constant=0.3)], push(0.0, 1e4), 60)
    x, y = vehicles.velocity[0]
    assert math.atan2(y, x) == pytest.approx(0.8 * 60 * DT, rel=1e-6)


@pytest.mark.parametrize("rates", [(0.5, 2.0), (2.0, 0.5)])
def test_of_several_turn_rates_the_lowest_holds(rates: Any) -> None:
    vehicles, limits = one(velocity=[3, 0], max_force=1e4), [sm.TurnRate(each) for each in rates]
    run(vehicles, limits, push(0.0, 1e4), 60)
    assert vehicles.heading[0] == pytest.approx(0.5 * 60 * DT, rel=1e-6)
    rate = sm.PointMass(limits=limits).turn_rates(vehicles)
    assert rate is not None
    assert rate[0] == 0.5


@pytest.mark.parametrize("limit", [sm.ConstantSpeed(rate=0.0), sm.TurnRate(0.0), sm.ConstantSpeed(0.0)])
def test_a_limit_of_zero_is_not_none(limit: Any) -> None:
    vehicles = one(velocity=[3, 0], max_force=100, max_angular_speed=2.0)
    run(vehicles, [limit], push(50.0, 50.0), 30)
    assert (vehicles.position[0, 0] > 0) == (limit.speed != 0 if isinstance(limit, sm.ConstantSpeed) else True)
    assert vehicles.position[0, 1] == 0


@pytest.mark.parametrize("d", [2, 3])
def test_a_vehicle_with_a_turn_rate_turns_straight_back_deterministically(d: int) -> None:
    vehicles = one(d, velocity=[3, *[0] * (d - 1)])
    run(vehicles, [sm.TurnRate(1.0)], push(-4.0, *[0.0] * (d - 1)), 60 * 5)
    assert vehicles.velocity[0, 0] < -2
    np.testing.assert_allclose(np.linalg.norm(vehicles.forward, axis=1), 1, rtol=1e-9)


@pytest.mark.parametrize(("brakes", "barred"), [(1.0, False), (0.1, True)])
def test_weak_brakes_bar_a_way_that_strong_ones_leave_open(brakes: float, barred: bool) -> None:
    """At 2 m/s it would have to stop within 1 m before it can turn in its cone."""

    def limited(free: float, brakes: float) -> Any:
        vehicles, limit = one(velocity=[0.5, 0]), sm.LowSpeedTurn(0.2, law="cone")
        force, *columns = (tuple(np.array([[x], [y]])) for x, y in ((0.0, 5.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)))
        memory = Memory(limit.init(vehicles))
        chassis = Chassis(vehicles, force, *columns, np.array([DT]), memory, free_way=np.array([free]), brakes=brakes)
        for call in limit.on_force(chassis):
            call.run(1)
        return np.concatenate(force).tolist()

    assert limited(1.0, brakes) == limited(0.0 if barred else np.inf, 1.0)
    assert limited(0.0, 1.0) != limited(np.inf, 1.0)


def test_low_speed_turn_fades_the_side_and_keeps_brakes_from_reversing() -> None:
    half = one(velocity=[1, 0])  # half of the 2 m/s from which it steers fully
    run(half, [sm.LowSpeedTurn(0.2)], push(0.0, 3.0), dt=0.1)
    np.testing.assert_allclose((half.velocity[0] - [1, 0]) / 0.1, [1.5, 1.5], atol=1e-9)
    fast = one(velocity=[3, 0])
    run(fast, [sm.LowSpeedTurn(0.2)], push(0.0, 3.0), dt=0.1)
    np.testing.assert_allclose((fast.velocity[0] - [3, 0]) / 0.1, [0, 3], atol=1e-9)
    braking = one(velocity=[0.1, 0])
    run(braking, [sm.LowSpeedTurn(0.2)], lambda v: -10 * v.velocity, 120)  # asks for standing still
    np.testing.assert_allclose(braking.velocity[0], 0, atol=1e-6)
    np.testing.assert_allclose(braking.forward[0], [1, 0], atol=1e-9)


@pytest.mark.parametrize("law", ["fade", "cone"])
@pytest.mark.parametrize("steering", [sm.MatchVelocity([0.0, 0.0]), sm.TargetSpeed(0.0)], ids=repr)
def test_who_is_asked_to_stand_stands(law: str, steering: sm.Behavior) -> None:
    """By "cone" 57 of 80 went on at the slow speed, .2 m/s: a stop that took more than max_force rounded to a way back."""
    heading = np.linspace(-3, 3, 40)
    forward = np.column_stack([np.cos(heading), np.sin(heading)])
    vehicles = sm.Vehicles(np.zeros((40, 2)), np.linspace(0, 1, 40)[:, None] * forward)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=steering, locomotion=sm.PointMass(limits=[sm.LowSpeedTurn(law=law)]))
    world.run(seconds=5)
    assert vehicles.speed.max() < 0.005


def test_who_turns_around_in_the_cone_and_is_asked_to_stand_stands() -> None:
    """A force that was not truncated tells that it asks for a stop, however large it is; it went on at the slow speed."""
    vehicles = one(max_force=2)  # Less than a stop from the slow speed, 2 m/s, takes.
    world = sm.World(dt=DT, threads=1)

    def asked(v: sm.Vehicles) -> Any:
        return np.array([[-20.0, 0.0]]) if world.time < 0.2 else -10 * v.velocity

    world.add(vehicles, steering=asked, locomotion=sm.PointMass(limits=[sm.LowSpeedTurn(0.2, law="cone")]))
    world.run(seconds=10)
    assert vehicles.speed.max() < 0.01


@pytest.mark.parametrize("law", ["fade", "cone"])
@pytest.mark.parametrize("d", [2, 3])
def test_who_is_asked_to_go_back_drives_a_curve_and_never_backwards(law: str, d: int) -> None:
    vehicles = one(d, velocity=[0.1, *[0.0] * (d - 1)])
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, steering=push(-5.0, *[0.0] * (d - 1)),
              locomotion=sm.PointMass(limits=[sm.LowSpeedTurn(0.2, law=law)]))  # fmt: skip
    for _ in range(60 * 6):
        before = vehicles.forward[0].copy()
        world.step()
        assert vehicles.velocity[0] @ vehicles.forward[0] >= 0
        assert vehicles.forward[0] @ before > np.cos(np.radians(30))  # It does not turn over.
    assert vehicles.velocity[0, 0] < -5


def opensteers_cone(force: Any, forward: Any, speed: Any, slow: float) -> Any:
    """The raw steering force, its angle from forward limited to that of the cosine 1 - 2 (speed / slow)^20."""
    size, along = np.linalg.norm(force, axis=1), np.sum(force * forward, axis=1)
    cosine = 1 - 2 * np.minimum(speed / slow, 1) ** 20
    side = laws.normalize(laws.lateral(force, forward))
    turned = size[:, None] * (cosine[:, None] * forward + np.sqrt(1 - cosine**2)[:, None] * side)
    return np.where((along >= cosine * size)[:, None], force, turned)


def fade_of(force: Any, forward: Any, speed: Any) -> Any:
    """The same steps by the law "fade"."""
    vehicles = sm.Vehicles(np.zeros_like(forward), speed[:, None] * forward, forward=forward, max_speed=10, max_force=1e3,
                           dtype=np.float64)  # fmt: skip
    world = sm.World(dt=1e-3, threads=1)
    world.add(vehicles, steering=lambda v: force, locomotion=sm.PointMass(limits=[sm.LowSpeedTurn()]))
    world.step()
    return (vehicles.velocity - speed[:, None] * forward) / 1e-3


@pytest.mark.each_value
@pytest.mark.parametrize("law", ["fade", "cone"])
@pytest.mark.parametrize("part", [0.1, 0.2, 0.5])
@pytest.mark.parametrize("pace", [0.0, 0.5])
def test_pursuers_stay_with_their_quarry(law: str, part: float, pace: float) -> None:
    """By "cone" 78 of 80 circled around a quarry that stands, at .8 m/s, and all around one that went at .5 m/s."""
    world, parties = sm.World(dt=1 / 60), []
    for speed, force in ((2.0, 8.0), (3.0, 9.0), (4.0, 12.0)):
        rng = np.random.default_rng(0)
        places, heading = rng.uniform(-20, 20, (2, 20, 2)), rng.uniform(-3, 3, 20)
        quarry = sm.Vehicles(places[0], [pace, 0.0], radius=0.3, max_speed=1.0)
        vehicles = sm.Vehicles(places[1], heading=heading, radius=0.3, max_speed=speed, max_force=force)
        world.add(quarry)
        body = sm.PointMass(limits=[sm.LowSpeedTurn(part, law=law)])
        world.add(vehicles, steering=sm.Pursue(quarry, which=quarry.id), locomotion=body)
        parties.append((quarry, vehicles))
    world.run(seconds=40)
    for _ in range(120):
        world.step()
        for quarry, vehicles in parties:
            assert np.linalg.norm(vehicles.velocity - quarry.velocity, axis=1).max() < 0.05
            assert np.linalg.norm(vehicles.position - quarry.position, axis=1).max() < 0.05


@pytest.mark.parametrize("d", [2, 3])
def test_the_cone_is_opensteers(d: int) -> None:
    """For a force that asks for the slow speed or more, on or aside at any speed, and back at rest."""
    rng = np.random.default_rng(5)
    forward = laws.normalize(rng.normal(size=(400, d)))
    force = laws.with_length(rng.normal(size=(400, d)), rng.uniform(8, 60, 400))
    speed = np.where(np.arange(400) % 4 == 0, 0.0, rng.uniform(1, 2.4, 400))
    back = np.sum(force * forward, axis=1) < 0
    force[back & (speed > 0)] *= -1
    vehicles = sm.Vehicles(np.zeros((400, d)), speed[:, None] * forward, forward=forward, max_speed=10, max_force=1e3,
                           dtype=np.float64)  # fmt: skip
    world = sm.World(dt=1e-3, threads=1)
    world.add(vehicles, steering=lambda v: force, locomotion=sm.PointMass(limits=[sm.LowSpeedTurn(law="cone")]))
    expected = opensteers_cone(force, forward, speed, 2.0)
    world.step()
    slowly = np.linalg.norm(speed[:, None] * forward + 0.1 * force, axis=1) < 2
    assert 20 < slowly.sum() < 100
    expected[slowly] = fade_of(force, forward, speed)[slowly]
    np.testing.assert_allclose((vehicles.velocity - speed[:, None] * forward) / 1e-3, expected, atol=1e-5)
    turned = np.linalg.norm(expected - force, axis=1) > 1e-9
    assert 50 < turned.sum() < 350  # Some are in the cone already.


@pytest.mark.parametrize("d", [2, 3])
def test_the_cone_reaches_a_goal_inside_of_the_turning_circle(d: int) -> None:
    """The tightest circle has a radius of 5 m (slow speed 5 m/s, 5 N for a kg); goals 3 and 10 m away in all directions."""
    angle = np.arange(32) * np.pi / 16
    ways = np.column_stack([np.cos(angle), np.sin(angle), np.sin(3 * angle)])[:, :d]
    goals = np.concatenate([3 * laws.normalize(ways), 10 * laws.normalize(ways)])
    mass = np.tile([1.0, 8.0], 32)
    vehicles = sm.Vehicles(
        np.zeros((64, d)), forward=[1.0, 0.0, 0.0][:d], max_speed=10, mass=mass, max_force=5 * mass, dtype=np.float64
    )
    world = sm.World(dt=1 / 30, threads=1)
    body = sm.PointMass(limits=[sm.LowSpeedTurn(0.5, law="cone")])
    world.add(vehicles, steering=sm.Seek(goals), locomotion=body)
    nearest = np.full(64, np.inf)
    for _ in range(30 * 60):
        world.step()
        np.minimum(nearest, np.linalg.norm(vehicles.position - goals, axis=1), out=nearest)
    assert nearest.max() < 0.5


def test_the_cone_follows_a_tight_curve_for_ever() -> None:
    """Only a vehicle that is asked to brake as it turns may have turned in vain; this one is asked for a circle of 5.2 m."""
    vehicles = sm.Vehicles(np.zeros((1, 2)), [[5.1, 0.0]], max_speed=10, max_force=5, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    body = sm.PointMass(limits=[sm.LowSpeedTurn(0.5, law="cone")])

    def aside(v: sm.Vehicles) -> Any:
        return 5.0 * laws.perpendicular(v.forward) + (5.1 - v.speed)[:, None] * v.forward

    world.add(vehicles, steering=aside, locomotion=body)
    for _ in range(60 * 30):
        before = vehicles.forward[0].copy()
        world.step()
        assert laws.perpendicular(before) @ vehicles.forward[0] > 0.012


def test_moment_of_inertia_changes_the_turn_rate_only_so_fast() -> None:
    """Torque 0.5 on 2 kg m^2: 0.25 rad/s^2, until the turn rate is what the force asks for, 4 / 8 rad/s."""
    vehicles = one(velocity=[8, 0], max_speed=8)
    world = sm.World(dt=1e-3, threads=1)
    world.add(
        vehicles, steering=lambda v: 4.0 * laws.perpendicular(v.forward),
        locomotion=sm.PointMass(limits=[sm.MomentOfInertia(0.5, inertia=2.0)]),
    )  # fmt: skip
    headings = []
    for _ in range(3000):
        world.step()
        headings.append(float(vehicles.heading[0]))
    rate = np.diff(np.unwrap(headings)) / 1e-3
    assert rate[999] == pytest.approx(0.25, rel=0.01)
    assert rate[-1] == pytest.approx(0.5, rel=0.01)
    assert np.abs(np.diff(rate)).max() <= 0.25 * 1e-3 * 1.01


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(("torque", "dt"), [(0.2, 1 / 60), (1.0, 1 / 240), (1.0, 1 / 20)])
def test_moment_of_inertia_turns_at_rest_no_farther_than_it_is_asked(
    torque: float, dt: float, d: int, dtype: Any
) -> None:
    """To the side, and it stays there: it turned on beyond it, and back again, with all that the torque can do."""
    vehicles = sm.Vehicles(np.zeros((1, d)), forward=np.eye(d)[:1], max_speed=4, max_force=4, radius=0.5, dtype=dtype)
    world, side = sm.World(dt=dt, threads=1), np.eye(d)[1:2]
    body = sm.PointMass(limits=[sm.MomentOfInertia(torque)])
    world.add(vehicles, steering=lambda v: 10 * (0.4 * side - v.velocity), locomotion=body)
    ahead = []
    for _ in range(round(8 / dt)):
        world.step()
        ahead.append(float(vehicles.forward[0, 0]))
    assert min(ahead) > -0.2
    assert abs(ahead[-1]) < 0.1


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(
    ("speed", "force", "dt"), [(6, 10, 1 / 60), (10, 10, 1 / 20), (6, 4, 1 / 60), (12, 15, 1 / 60)]
)
def test_moment_of_inertia_does_not_circle_around_a_goal(speed: float, force: float, dt: float, d: int) -> None:
    """With a weak torque they did, for a minute and more, at a turn rate that was limited as if an obstacle were ahead."""
    rng, n = np.random.default_rng(1), 20
    places = np.zeros((n, d))
    angle = rng.uniform(0, 2 * np.pi, n)
    places[:, 0], places[:, 1] = 10 * np.cos(angle), 10 * np.sin(angle)
    vehicles = sm.Vehicles(places, forward=rng.normal(size=(n, d)), max_speed=speed, max_force=force, radius=0.5)
    world, came = sm.World(dt=dt, threads=1), np.zeros(n, bool)
    world.add(vehicles, steering=sm.Seek(np.zeros(d)), locomotion=sm.PointMass(limits=[sm.MomentOfInertia(0.1)]))
    while world.time < 30 and not came.all():
        world.step()
        came |= np.linalg.norm(vehicles.position, axis=1) < 0.2
    assert came.all()


def test_moment_of_inertia_turns_slow_vehicles_as_at_a_tenth_of_their_speed() -> None:
    """With a torque for any turn, at rest and nearly so: max_force at the side is no turn on the spot."""
    for speed in (0.0, 0.05, 0.3, 1.0):
        vehicles = one(velocity=[speed, 0], forward=[1, 0], max_force=1, max_speed=5, response_time=0.05)
        world = sm.World(dt=0.01, threads=1)
        body = sm.PointMass(limits=[sm.MomentOfInertia(1e9, inertia=1.0)])
        world.add(vehicles, steering=lambda _: np.array([[0.0, 1.0]]), locomotion=body)
        world.step()
        assert vehicles.heading[0] == pytest.approx(math.atan(0.01 / max(speed, 0.5)), rel=1e-6)


def test_heading_smoother_of_samples_is_the_law() -> None:
    vehicles = one(velocity=[1, 0], max_force=1e3, max_speed=3, response_time=0.05)
    world = sm.World(dt=DT, threads=1)
    world.add(vehicles, steering=sm.Wander("turn"), locomotion=sm.PointMass(limits=[sm.HeadingSmoother(5)]))
    moving, shown = [vehicles.forward[0].copy()] * 5, []
    for _ in range(40):
        world.step()
        moving.append(vehicles.velocity[0] / np.linalg.norm(vehicles.velocity[0]))
        shown.append(vehicles.forward[0].copy())
    expected = laws.normalize(laws.smoothed_headings(np.array(moving), 5)[5:])
    np.testing.assert_allclose(shown, expected, atol=1e-9)


def test_heading_smoother_of_time_takes_away_judder_and_does_not_depend_on_the_step() -> None:
    """The heading alternates by 40 degrees from step to step; shown, it hardly moves."""
    swing = math.radians(20)
    vehicles = one(velocity=[2, 0], max_speed=2, max_force=1e6)
    world = sm.World(dt=DT, threads=1)

    def judder(v: sm.Vehicles) -> Any:
        sign = 1 if world.steps % 2 else -1
        wanted = 2 * np.array([math.cos(swing), sign * math.sin(swing)])
        return (wanted - v.velocity) / DT

    world.add(vehicles, steering=judder, locomotion=sm.PointMass(limits=[sm.HeadingSmoother(time_constant=0.3)]))
    shown = []
    for _ in range(120):
        world.step()
        shown.append(float(vehicles.heading[0]))
        assert abs(math.atan2(*vehicles.velocity[0, ::-1])) == pytest.approx(swing, rel=1e-6)
    assert np.abs(shown).max() < 0.03
    turned = []
    for dt in (0.02, 0.005):
        still = one(forward=[1, 0], velocity=[0, 1])
        run(still, [sm.HeadingSmoother(time_constant=0.4)], steps=round(0.4 / dt), dt=dt)
        turned.append(still.heading[0])
    assert turned[0] == pytest.approx(turned[1], abs=1e-9)
    assert turned[0] == pytest.approx(math.atan2(1 - math.exp(-1), math.exp(-1)), abs=1e-9)


def test_the_phase_of_a_gait_is_distance_over_stride_whatever_the_step() -> None:
    """The same after 3 s of speeding up, for any dt, across the edge of a torus; it stands when the vehicle stands."""
    for dt in (0.05, 0.0025):
        vehicles = one(velocity=[1, 0], response_time=1.0)
        world = sm.World(dt=dt, threads=1, domain=sm.Torus([4, 4]))
        walkers = world.add(vehicles, steering=push(0.5, 0.0), locomotion=sm.PointMass(limits=[sm.Gait(1.5)]))
        gone = 0.0
        for _ in range(round(3 / dt)):
            world.step()
            gone += float(vehicles.speed[0]) * dt
        assert sm.gait_of(walkers).phase[0] == pytest.approx(gone / 1.5 % 1, abs=1e-9)
        assert sm.gait_of(walkers).rate[0] == pytest.approx(2.5 / 1.5, rel=1e-9)
    vehicles.velocity = [0, 0]
    walkers.steering, before = None, sm.gait_of(walkers).phase
    vehicles.position = [1, 1]
    world.run(steps=5)
    assert sm.gait_of(walkers).phase == before
    assert sm.gait_of(walkers).rate == sm.gait_of(walkers).turning == 0


def test_a_gait_tells_how_fast_vehicles_turn() -> None:
    """To the left on a circle counter-clockwise, at speed / radius; in 3D about up, whichever way that is."""
    for d in (2, 3):
        vehicles = one(d, velocity=[2, 0, 0][:d], response_time=1.0)

        def left(them: sm.Vehicles, d: int = d) -> Any:
            return 0.8 * np.column_stack([-them.velocity[:, 1], them.velocity[:, 0], np.zeros((1, d - 2))])

        body = sm.PointMass(limits=[sm.HeadingSmoother(1), sm.Gait()])
        world = sm.World(dt=0.001, threads=1)
        population = world.add(vehicles, steering=left, locomotion=body)
        world.run(steps=200)
        assert sm.gait_of(population).turning[0] == pytest.approx(0.8, rel=1e-3)
    vehicles.up = -vehicles.up
    world.step()
    assert sm.gait_of(population).turning[0] == pytest.approx(-0.8, rel=1e-3)


def test_a_gait_changes_nothing_and_follows_the_vehicles(tmp_path: Path) -> None:
    """Same bits with and without it; who comes begins a cycle, who stays goes on; a saved world goes on, too."""
    worlds = []
    for limits in ([sm.Drag(0.1)], [sm.Drag(0.1), sm.Gait(2)]):
        world = sm.World(seed=3, threads=1)
        vehicles = sm.Vehicles(np.arange(12.0).reshape(6, 2), [3, 1], max_speed=5, max_force=9)
        walkers = world.add(vehicles, name="walkers", steering=sm.Wander(), locomotion=sm.PointMass(limits=limits))
        world.run(steps=50)
        worlds.append(vehicles)
    np.testing.assert_array_equal(worlds[0].position, worlds[1].position)
    before = sm.gait_of(walkers).phase
    assert len(np.unique(before)) == 6
    vehicles.remove([2])
    vehicles.spawn([0, 0])
    assert sm.gait_of(walkers).phase.tolist() == [*np.delete(before, 2), 0]
    world.save(tmp_path / "walkers.world")
    again = sm.World.load(tmp_path / "walkers.world")
    for each in (world, again):
        each.run(steps=5)
    for one_, other in zip(sm.gait_of(walkers), sm.gait_of(again.populations["walkers"]), strict=True):
        np.testing.assert_array_equal(one_, other)


def test_complaints_about_gaits() -> None:
    with pytest.raises(ValueError, match="stride must be > 0 m, got 0"):
        sm.Gait(0)
    world = sm.World()
    population = world.add(one(), name="walkers")
    with pytest.raises(ValueError, match=r"population must have one Gait among the limits of its body, got 0; give it"):
        sm.gait_of(population)
    with pytest.raises(TypeError, match=r"population must be a Population"):
        sm.gait_of(world["walkers"])  # type: ignore[arg-type]
    tiny = run(one(velocity=[9, 0]), [sm.Gait(1e-300)], steps=2)
    assert 0 <= sm.gait_of(tiny).phase[0] < 1


def test_limits_work_in_order_on_one_truncated_force() -> None:
    """First half of the thrust is cut away, then that is smoothed."""
    vehicles = one()
    limits = [sm.Asymmetric(thrust=0.5), sm.SmoothForce(1.0)]
    run(vehicles, limits, push(100.0, 0.0), dt=0.1)
    assert vehicles.velocity[0, 0] == pytest.approx(0.1 * 2.5 * (1 - math.exp(-0.1)), rel=1e-9)


def test_memory_of_limits_follows_the_vehicles() -> None:
    """Through spawning, removal and a change of steering; a body of another class starts anew."""
    vehicles = sm.Vehicles(np.zeros((4, 2)), max_speed=9, max_force=9, dtype=np.float64)
    world = sm.World(dt=0.1, threads=1)
    population = world.add(vehicles, steering=lambda v: v.id[:, None] * [1.0, 0.0],
                           locomotion=sm.PointMass(limits=[sm.SmoothForce(1.0)]))  # fmt: skip
    world.run(steps=3)

    def force() -> Any:
        return next(iter(population.memories[-1].snapshot().values()))[:, 0]

    share = 1 - math.exp(-0.3)
    np.testing.assert_allclose(force(), share * np.arange(4), rtol=1e-9)
    vehicles.remove([1])
    vehicles.spawn([0, 0])
    population.steering = None
    population.keep_up()
    np.testing.assert_allclose(force(), share * np.array([0, 2, 3, 0]), rtol=1e-9)
    population.locomotion = sm.FreeBody()
    assert -1 not in population.memories
    world.step()


def test_a_body_with_memory_outside_a_world() -> None:
    body = sm.PointMass(limits=[sm.SmoothForce(0.5)])
    vehicles = one()
    with pytest.raises(ValueError, match="memory must be given, for PointMass has some"):
        body.advance(vehicles, [1, 0], 0.1)
    memory = body.memory(vehicles)
    for _ in range(5):
        body.advance(vehicles, [2.0, 0], 0.1, memory=memory)
    before = {name: column.copy() for name, column in memory.snapshot().items()}
    with pytest.raises(ValueError, match="no vehicle has moved"):
        body.advance(vehicles, [2.0, 0], 1e308, memory=memory)
    for name, column in memory.snapshot().items():
        np.testing.assert_array_equal(column, before[name])
    assert before["0 SmoothForce force"][0, 0] == pytest.approx(2 * (1 - math.exp(-1)), rel=1e-9)


def test_complaints() -> None:
    with pytest.raises(TypeError, match=r"limits must be a list of limits such as Drag\(1.0\), got sm.Drag"):
        sm.PointMass(limits=sm.Drag(1.0))
    with pytest.raises(TypeError, match="limits must be limits such as"):
        sm.PointMass(limits=[1.0])
    with pytest.raises(ValueError, match="rate must be >= 0 1/s, got -1"):
        sm.Drag(-1)


@pytest.mark.parametrize("rate", [5e-324, 1e-300, 1e-44, 1e-30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_drag_that_is_next_to_nothing_is_none(rate: float, dtype: Any) -> None:
    """Rounded to float32 such rates are zero or have few digits left."""
    vehicles = sm.Vehicles([[0, 0]], [[2.0, 1.0]], max_speed=5, angular_velocity=1.0, dtype=dtype)
    world = sm.World()
    world.add(vehicles, locomotion=sm.FreeBody(limits=[sm.Drag(rate, angular=rate)]))
    world.run(steps=5)
    assert vehicles.velocity.tolist() == [[2, 1]]
    assert vehicles.angular_velocity.tolist() == [1]
    with pytest.raises(ValueError, match="HeadingSmoother needs either samples or time_constant"):
        sm.HeadingSmoother()
    with pytest.raises(ValueError, match="time_constant must be > 0 s"):
        sm.SmoothForce(0.0)
