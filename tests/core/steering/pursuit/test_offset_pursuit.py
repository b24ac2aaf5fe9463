"""OffsetPursuit: past the quarry at the radius and round again, or beside it in a slot."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

RADIUS = 10.0


def passing(quarry_velocity: list[float], aim: float, radius: float = 5.0, dt: float = 1 / 60, **options: Any) -> float:
    """The least distance, at the first pass, from a quarry 60 m away, of a vehicle aimed `aim` radians aside."""
    quarry = sm.Vehicles([[60.0, 0.0]], quarry_velocity, max_speed=9.0, dtype=np.float64)
    velocity = [10 * math.cos(aim), 10 * math.sin(aim)]
    vehicle = sm.Vehicles([[0.0, 0.0]], velocity, max_speed=10.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(quarry, name="quarry", steering=None)
    world.add(vehicle, name="vehicle", steering=sm.OffsetPursuit(quarry, radius=radius, **options))
    least = math.inf
    for _ in range(int(15 / dt)):
        world.step()
        distance = float(np.hypot(*(quarry.position[0] - vehicle.position[0])))
        least = min(least, distance)
        if distance > least + 2:
            break
    return least


@pytest.mark.parametrize("aim", [-0.4, 0.0, 0.05, 0.4])
@pytest.mark.parametrize("quarry_velocity", [[0.0, 0.0], [0.0, 3.0], [-5.0, 0.0]])
def test_a_fly_by_passes_at_the_radius(quarry_velocity: list[float], aim: float) -> None:
    assert passing(quarry_velocity, aim) == pytest.approx(5, abs=0.05)


@pytest.mark.parametrize("aim", [-0.4, 0.0, 0.05, 0.4])
@pytest.mark.parametrize("quarry_velocity", [[0.0, 0.0], [0.0, 3.0], [-5.0, 0.0]])
def test_the_literal_fly_by_passes_a_quarry_at_rest_at_the_radius(quarry_velocity: list[float], aim: float) -> None:
    """One that crosses or comes on is passed somewhat nearer, but not run into."""
    distance = passing(quarry_velocity, aim, law="literal")
    assert distance == pytest.approx(5, abs=0.3) if quarry_velocity == [0.0, 0.0] else 2.8 < distance < 6.0


def test_a_fly_by_is_no_matter_of_the_time_step() -> None:
    for dt in (1 / 20, 1 / 240):
        assert passing([0.0, 3.0], 0.3, dt=dt) == pytest.approx(passing([0.0, 3.0], 0.3), abs=0.03)


def cruiser(kind: str, speed: float, dimensions: int, dtype: Any) -> tuple[sm.Vehicles, Any]:
    """A quarry that goes that fast along x, and what steers it."""
    velocity = np.zeros((1, dimensions))
    velocity[0, 0] = speed

    def turn(vehicles: sm.Vehicles) -> Any:
        force = np.zeros_like(vehicles.velocity)
        force[:, 0], force[:, 1] = -0.3 * vehicles.velocity[:, 1], 0.3 * vehicles.velocity[:, 0]
        return force

    steering = {"still": None, "straight": None, "turning": turn, "wandering": sm.Wander()}[kind]
    return sm.Vehicles(0 * velocity, velocity, max_speed=speed or 1.0, max_force=2 * speed + 1, dtype=dtype), steering


def ships(seed: int, n: int, dimensions: int, away: float, dtype: Any, **columns: Any) -> sm.Vehicles:
    """Ships all around, with any velocity."""
    rng = np.random.default_rng(seed)
    place, velocity = rng.normal(size=(2, n, dimensions))
    place *= away * rng.uniform(0.7, 1.3, (n, 1)) / np.linalg.norm(place, axis=1, keepdims=True)
    velocity *= 8 / np.linalg.norm(velocity, axis=1, keepdims=True)
    usual = {"max_speed": 14.0, "max_force": 30.0, "response_time": 0.15, "dtype": dtype}
    return sm.Vehicles(place, velocity, **(usual | columns))


def strafing(
    quarry: tuple[sm.Vehicles, Any], fleet: sm.Vehicles, seconds: float, dt: float = 1 / 30
) -> tuple[Any, Any, Any]:
    """Distances (steps, n) [m], speeds (steps, n) [m/s], and cosines of the turn in a step (steps, n)."""
    world = sm.World(dt=dt, threads=1)
    world.add(quarry[0], name="quarry", steering=quarry[1])
    world.add(fleet, name="ships", steering=sm.OffsetPursuit(quarry[0], radius=RADIUS))
    distances, velocities = [], []
    for _ in range(int(seconds / dt)):
        world.step()
        distances.append(np.linalg.norm(fleet.position - quarry[0].position, axis=1))
        velocities.append(fleet.velocity.astype(float))
    velocity = np.array(velocities)
    speed = np.linalg.norm(velocity, axis=2)
    turn = np.sum(velocity[1:] * velocity[:-1], axis=2) / (speed[1:] * speed[:-1])
    return np.array(distances), speed, turn


def passes(distance: Any) -> tuple[Any, Any]:
    """The distances of all passes, and how many each ship made."""
    least = (distance[1:-1] < distance[:-2]) & (distance[1:-1] <= distance[2:]) & (distance[1:-1] < 2 * RADIUS)
    return distance[1:-1][least], least.sum(axis=0)


AGILE, SLUGGISH = {"max_force": 100.0, "response_time": 0.05}, {"max_force": 6.0, "response_time": 0.5}


@pytest.mark.parametrize(
    ("kind", "speed", "dimensions", "columns"),
    [
        ("straight", 2.0, 2, SLUGGISH),
        ("straight", 12.0, 2, {}),
        ("turning", 4.0, 2, AGILE),
        ("wandering", 4.0, 2, {}),
        ("still", 0.0, 3, {}),
        ("turning", 6.0, 3, SLUGGISH),
    ],
)
def test_strafing_runs(kind: str, speed: float, dimensions: int, columns: dict[str, float]) -> None:
    """300 ships fly by, each more than once: at the radius, never near, always fast, and nobody reverses."""
    dtype = np.float32 if dimensions == 2 else np.float64
    fleet = ships(1, 300, dimensions, 100.0, dtype, **columns)
    distance, pace, turn = strafing(cruiser(kind, speed, dimensions, dtype), fleet, 45.0 if speed < 10 else 120.0)
    near, count = passes(distance)
    assert np.mean((near > 0.9 * RADIUS) & (near < 1.1 * RADIUS)) > 0.98
    assert distance.min() > 0.9 * RADIUS
    assert count.min() >= 1
    assert count.mean() > 1.8
    assert turn.min() > 0.5
    assert pace[60:].min() > 0.75 * 14


def test_who_starts_within_leaves_first() -> None:
    fleet = ships(3, 200, 2, 5.0, np.float32)
    distance, _, _ = strafing(cruiser("straight", 2.0, 2, np.float32), fleet, 30.0)
    assert (distance[0] < RADIUS).all()
    assert (distance[90] > 1.5 * RADIUS).all()
    assert distance[90:].min() > 0.9 * RADIUS
    assert passes(distance[90:])[1].min() >= 1


def dead_ahead(directions: Any, law: str | None, dtype: Any, speed: float = 5.0) -> Any:
    """Across parts of the first force of ships that head for quarries at rest exactly ahead, over the whole force."""
    n, d = directions.shape
    quarries = sm.Vehicles(40 * directions, max_speed=5.0, dtype=dtype)
    fleet = sm.Vehicles(np.zeros((n, d)), speed * directions, forward=directions, max_speed=14.0, dtype=dtype)
    force = sm.Controller(fleet, sm.OffsetPursuit(quarries, which=quarries.id, radius=RADIUS, law=law)).steer(0.01)
    forward = fleet.forward.astype(float)
    off = force - np.sum(force * forward, axis=1, keepdims=True) * forward
    return np.linalg.norm(off, axis=1) / np.linalg.norm(force, axis=1)


@pytest.mark.parametrize("law", ["tangent", "literal"])
@pytest.mark.parametrize(("dtype", "dimensions"), [(np.float32, 2), (np.float64, 3)])
def test_a_quarry_dead_ahead_is_passed_on_a_side(law: str, dtype: Any, dimensions: int) -> None:
    """In 64 directions. Rounding noise was taken for the side: it points forward or back, and so at the quarry."""
    directions = np.random.default_rng(5).normal(size=(64, dimensions))
    directions[:4] = np.concatenate([np.eye(dimensions), np.ones((4, dimensions))])[:4]
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    assert dead_ahead(directions, law, dtype).min() > 0.1


def test_the_side_is_kept() -> None:
    """It is remembered, and what passes goes on at that side, whatever the vehicle was about to do meanwhile."""
    quarry = sm.Vehicles([[60.0, 0.0]], dtype=np.float64)
    vehicle = sm.Vehicles([[0.0, 0.0]], [10.0, 0.5], max_speed=10.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    group = world.add(vehicle, steering=sm.OffsetPursuit(quarry, radius=5.0))
    world.step()
    (memory,) = group.memories.values()
    assert memory.snapshot()["side"][0, 1] > 0.9
    vehicle.velocity = [[10.0, -0.5]]
    world.run(seconds=1)
    assert memory.snapshot()["side"][0, 1] > 0.9
    assert vehicle.velocity[0, 1] > 0.5
    # Who already goes by on the other side, far enough off, does so.
    vehicle.velocity = [[10.0, -4.0]]
    world.step()
    assert memory.snapshot()["side"][0, 1] < -0.9


def test_the_law_carries_a_whole_flight() -> None:
    """The kernel and the law, each with its own memory, fly the same way round."""
    quarry = sm.Vehicles([[60.0, 20.0]], [1.0, 2.0], max_speed=9.0, dtype=np.float64)
    start, velocity = np.array([[0.0, 0.0], [50.0, 80.0]]), np.array([[8.0, 1.0], [0.0, 5.0]])
    fleet = sm.Vehicles(start, velocity, max_speed=14.0, max_force=30.0, response_time=0.2, dtype=np.float64)
    steered = sm.Controller(fleet, sm.OffsetPursuit(quarry, radius=RADIUS, come_around=45.0))
    side, leaving, ways = None, False, set()
    for _ in range(700):
        steering, side, leaving = sm.laws.strafe(
            fleet.position, fleet.velocity, fleet.forward, quarry.position, quarry.velocity, 14.0, RADIUS,
            come_around=45.0, side=side, leaving=leaving,
        )  # fmt: skip
        force = steered.steer(1 / 40).copy()
        np.testing.assert_allclose(force, sm.laws.truncate(steering / 0.2, 30.0), rtol=1e-6, atol=1e-6)
        sm.PointMass().advance(fleet, force, 1 / 40)
        quarry.position = quarry.position + quarry.velocity / 40
        ways.add(tuple(leaving))
    assert {way[0] for way in ways} == {way[1] for way in ways} == {True, False}


def test_the_side_is_that_of_the_quarry_and_always_the_same_dead_ahead() -> None:
    """The quarry is 20 m ahead and 3 m to the left: the point is 5 m to the right of it. Dead ahead, to the right too."""
    point = sm.laws.fly_by_point([0.0, 0.0], [1.0, 0.0], [20.0, 3.0], 5.0)
    np.testing.assert_allclose(point, [20.0, -2.0])
    np.testing.assert_allclose(sm.laws.fly_by_point([0.0, 0.0], [1.0, 0.0], [20.0, 0.0], 5.0), [20.0, -5.0])


def test_a_slot_turns_with_the_leader() -> None:
    """Leader heading to +y: 2 m ahead and 1 m to its right is (1, 2)."""
    slot = sm.laws.offset_slot([10.0, 10.0], [2.0, 1.0], np.array([[0.0, 1.0], [1.0, 0.0]]))
    np.testing.assert_allclose(slot, [11.0, 12.0])


SLOTS = np.array([[-4.0, 0.0], [-2.0, 3.0], [-2.0, -3.0]])


def squad_of(leader: sm.Vehicles, steers: Any, dt: float = 1 / 60, **options: Any) -> tuple[sm.World, sm.Vehicles]:
    """Three that keep SLOTS around a leader."""
    squad = sm.Vehicles(
        [[5.0, -9.0], [8.0, -2.0], [-7.0, -3.0]], max_speed=9.0, max_force=40.0, response_time=0.3, dtype=np.float64
    )
    world = sm.World(dt=dt, threads=1)
    world.add(leader, name="leader", steering=steers)
    world.add(squad, name="squad", steering=sm.OffsetPursuit(leader, offset=SLOTS, **options))
    return world, squad


def off_slots(leader: sm.Vehicles, squad: sm.Vehicles, frame: str) -> float:
    """How far the worst is from its slot [m]."""
    forward = leader.forward[0]
    axes = np.array([forward, [forward[1], -forward[0]]]) if frame == "leader" else np.eye(2)
    return float(np.linalg.norm(leader.position + SLOTS @ axes - squad.position, axis=1).max())


def circling(vehicles: sm.Vehicles) -> Any:
    return 0.4 * vehicles.velocity[:, ::-1] * [-1, 1]


@pytest.mark.parametrize("frame", ["leader", "world"])
@pytest.mark.parametrize(
    ("steers", "largest"), [(None, 0.01), (circling, 0.05), (lambda vehicles: -0.5 * vehicles.velocity, 0.02)],
    ids=["straight", "turning", "stopping"],
)  # fmt: skip
def test_slots_are_kept_without_a_lag(frame: str, steers: Callable[..., Any] | None, largest: float) -> None:
    """1 m behind at 4 m/s before. A leader that turns at 0.4 rad/s swings its outer slots round at 1.2 m/s."""
    leader = sm.Vehicles([[0.0, 0.0]], [0.0, 4.0], max_speed=4.0, max_force=20.0, dtype=np.float64)
    world, squad = squad_of(leader, steers, frame=frame)
    world.run(seconds=12)
    for _ in range(10):
        world.run(seconds=0.5)
        assert off_slots(leader, squad, frame) < largest


@pytest.mark.parametrize("frame", ["leader", "world"])
def test_the_literal_slot_lags_behind(frame: str) -> None:
    """An arrival at a moving slot is as far behind as makes its speed that of the slot."""
    leader = sm.Vehicles([[0.0, 0.0]], [0.0, 4.0], max_speed=4.0, dtype=np.float64)
    world, squad = squad_of(leader, None, frame=frame, law="literal")
    world.run(seconds=15)
    assert 0.5 < off_slots(leader, squad, frame) < 5.0
    np.testing.assert_allclose(squad.velocity, [[0.0, 4.0]] * 3, atol=0.05)


def test_the_turn_is_that_of_the_law() -> None:
    """After a while the remembered turn is the leader's, and the acceleration the law's."""
    leader = sm.Vehicles([[0.0, 0.0]], [0.0, 4.0], max_speed=4.0, max_force=20.0, dtype=np.float64)
    world, squad = squad_of(leader, circling, dt=1 / 240)
    world.run(seconds=6)
    (memory,) = world.populations["squad"].memories.values()
    turn = memory.snapshot()["turn"][:, 0]
    np.testing.assert_allclose(turn, 0.4, rtol=1e-3)
    forward = leader.forward[0]
    arms = SLOTS @ np.array([forward, [forward[1], -forward[0]]])
    wanted = sm.laws.velocity_of_slot(leader.velocity, turn, arms, 0.3)
    way = leader.position + arms - squad.position
    steering = sm.laws.hold_slot(way, squad.velocity, wanted, 9.0, max(4 * 9 * 0.3, 81 / 40))
    before = squad.velocity.copy()
    world.step()
    np.testing.assert_allclose((squad.velocity - before) * 240, steering / 0.3, atol=2e-3)


def test_another_leader_that_heads_elsewhere_has_not_turned() -> None:
    leaders = sm.Vehicles([[0.0, 0.0], [3.0, 0.0]], [[0.0, 4.0], [-4.0, 0.0]], max_speed=4.0, dtype=np.float64)
    world, _ = squad_of(leaders, None, which="first")
    world.run(seconds=0.5)
    leaders.remove(0)
    (memory,) = world.populations["squad"].memories.values()
    for _ in range(2):
        world.step()
        np.testing.assert_allclose(memory.snapshot()["turn"], 0, atol=1e-9)


def test_radius_or_offset() -> None:
    quarry = sm.Vehicles([[0.0, 0.0]])
    for options in ({}, {"radius": 1.0, "offset": [1.0, 2.0]}):
        with pytest.raises(ValueError, match="takes radius or offset"):
            sm.OffsetPursuit(quarry, **options)
    with pytest.raises(ValueError, match=r"offset must have shape \(2,\) or \(1, 2\)"):
        sm.Controller(sm.Vehicles([[5.0, 0.0]]), sm.OffsetPursuit(quarry, offset=[[1.0, 2.0]] * 3)).steer(0.1)
    with pytest.raises(ValueError, match="slowing_distance or deceleration_time, got both"):
        sm.OffsetPursuit(quarry, offset=[1.0, 2.0], slowing_distance=3.0, deceleration_time=1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"radius": 1.0, "law": "match"}, 'law must be "tangent" or "literal" for a radius, got \'match\''),
        ({"offset": [1.0, 2.0], "law": "tangent"}, 'law must be "match" or "literal" for an offset'),
        ({"radius": 1.0, "prediction": sm.Intercept()}, "prediction is no option of law 'tangent'"),
        ({"offset": [1.0, 2.0], "approach": "seek"}, "approach is no option of law 'match'"),
        ({"radius": 1.0, "slowing_distance": 3.0}, "slowing_distance is no option of law 'tangent', got 3.0"),
        ({"offset": [1.0, 2.0], "come_around": 30.0}, "come_around is no option of law 'match'"),
    ],
)
def test_options_belong_to_a_law(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sm.OffsetPursuit(sm.Vehicles([[0.0, 0.0]]), **options)


def test_no_more_than_top_speed_is_asked_for_behind_a_faster_leader() -> None:
    """A follower that goes after its slot as fast as it can is pushed no further."""
    leader = sm.Vehicles([[10.0, 0.0]], [[5.0, 0.0]], max_speed=5)
    follower = sm.Vehicles([[0.0, 0.0]], [[2.0, 0.0]], max_speed=2, max_force=9, dtype=np.float64)
    world = sm.World(threads=1)
    world.add(leader, name="leader")
    world.add(follower, name="follower", steering=sm.OffsetPursuit(leader, offset=[-2.0, 0.0]))
    np.testing.assert_allclose(world.explain("follower", 0).force, 0.0, atol=1e-9)


@pytest.mark.parametrize("quarry_velocity", [[0.0, 0.0], [0.0, 3.0], [-5.0, 0.0], [4.0, -2.0]])
def test_the_cross_is_where_a_fly_by_will_pass(quarry_velocity: list[float]) -> None:
    """The circle around the predicted quarry goes through it; a vehicle that flies on has none."""
    quarry = sm.Vehicles([[60.0, 0.0]], quarry_velocity, max_speed=9.0, dtype=np.float64)
    vehicle = sm.Vehicles([[0.0, 0.0]], [9.5, 3.0], max_speed=10.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=1 / 240, threads=1)
    world.add(quarry, name="quarry", steering=None)
    world.add(vehicle, name="vehicle", steering=sm.OffsetPursuit(quarry, radius=5.0))
    world.run(seconds=1)

    def drawn(kind: type, role: str) -> Any:
        shapes = [shape for sketch in world.sketch("vehicle", 0) for shape in sketch.shapes]
        return [shape for shape in shapes if isinstance(shape, kind) and shape.role == role]

    (cross,), (future,) = drawn(sm.shapes.Cross, "target")[0].center, drawn(sm.shapes.Pose, "predicted")[0].position
    assert drawn(sm.shapes.Circle, "range")[0].center[0] == pytest.approx(future)
    nearest, place, there = math.inf, cross, future
    while nearest > (distance := float(np.hypot(*(quarry.position[0] - vehicle.position[0])))):
        nearest, place, there = distance, vehicle.position[0].copy(), quarry.position[0].copy()
        world.step()
    assert place == pytest.approx(cross, abs=0.1)
    assert there == pytest.approx(future, abs=0.1)
    world.run(seconds=0.5)
    assert not drawn(sm.shapes.Cross, "target")
    assert not drawn(sm.shapes.Pose, "predicted")
