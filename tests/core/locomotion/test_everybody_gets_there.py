"""Every body with every limit gets to a target in any direction, from rest: near, far, and exactly behind.

One vehicle for each of 64 directions, in one population for each body, limit and behavior; few worlds, so that it is cheap.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from stepping import ran

import steersman as sm

CLIPS = [
    sm.Clip("stop", speed=0.0, duration=0.1),
    *(
        sm.Clip(f"{gait} {turn}", speed=speed, turn_rate=rate, duration=0.2)
        for gait, speed in (("walk", 1.5), ("run", 3.0))
        for turn, rate in (("straight", 0.0), ("left", 1.2), ("right", -1.2))
    ),
]  # fmt: skip
X = np.linspace(0, 4 * np.pi, 65)
HILLS = sm.Heightfield(np.sin(X)[:, None] * np.cos(X)[None, :], [-20, -20], [20, 20])
GLOBE = sm.Sphere([0, 0, -20], 20.0)

FADE, CONE = sm.LowSpeedTurn(), sm.LowSpeedTurn(law="cone")
CUT = sm.Asymmetric(thrust=0.6, brake=0.8, side=0.5)
LIMITS: dict[str, Sequence[Any]] = {
    "none": [],
    "turn rate": [sm.TurnRate(2.0)],
    "slow turn": [sm.LowSpeedTurn(0.5)],
    "fade": [FADE],
    "cone": [CONE],
    "inertia": [sm.MomentOfInertia(1.0)],
    "asymmetric": [CUT],
    "drag": [sm.Drag(0.5)],
    "smooth force": [sm.SmoothForce(0.2)],
    "smooth heading": [sm.HeadingSmoother(time_constant=0.3)],
    "samples": [sm.HeadingSmoother(5)],
    "turn rate, fade": [sm.TurnRate(2.0), FADE],
    "turn rate, cone": [CONE, sm.TurnRate(2.0)],
    "turn rate, smooth heading": [sm.TurnRate(2.0), sm.HeadingSmoother(time_constant=0.3)],
    "inertia, fade": [FADE, sm.MomentOfInertia(1.0)],
    "inertia, smooth heading": [sm.MomentOfInertia(1.0), sm.HeadingSmoother(time_constant=0.3)],
    "inertia, drag": [sm.Drag(0.5), sm.MomentOfInertia(1.0)],
    "asymmetric, fade": [CUT, FADE],
    "smooth force, fade": [sm.SmoothForce(0.2), FADE],
    "smooth heading, fade": [FADE, sm.HeadingSmoother(time_constant=0.3)],
}


class Trial(NamedTuple):
    """One population, what it is to reach, and how near it must get."""

    name: str
    vehicles: sm.Vehicles
    target: Any
    near: float
    rests: bool


def directions(d: int) -> tuple[Any, Any]:
    """Where 64 vehicles face, and the ways to their targets: the first twelve exactly behind, the others all round."""
    lines = [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [1, 1, 0], [-1, 1, 0], [1, -1, 0], [-1, -1, 0], [1, 2, 0],
             [2, -1, 0], [-1, 3, 0], [3, 4, 0]]  # fmt: skip
    if d == 3:
        lines[3:8] = [[0, 0, 1], [0, 0, -1], [1, 0, -1], [1, 1, 1], [-1, 1, 1]]
    facing, k = np.array(lines, float)[:, :d], np.arange(52) + 0.5
    height, angle = 1 - k / 26, np.pi * (1 + 5**0.5) * k
    if d == 2:
        height, angle = np.zeros(52), 2 * np.pi * (k - 0.5) / 52
    level = np.sqrt(1 - height**2)
    ways = np.column_stack([level * np.cos(angle), level * np.sin(angle), height])[:, :d]
    return np.concatenate([facing, np.tile(facing[[0, 4]], (26, 1))]), np.concatenate([-facing, ways])


def on(surface: Any, points: Any) -> Any:
    return surface.nearest(points).point


def trials(
    world: sm.World, name: str, body: Any, d: int, dtype: Any, far: float, near: float, surface: Any = None
) -> list[Trial]:
    """The populations that seek, that arrive, and that pursue, in a world."""
    facing, ways = directions(2 if surface is not None or name.startswith("flat") else d)
    # Scaled by their largest component alone, what is exactly behind stays so to the bit.
    target = ways * (far / np.abs(ways).max(axis=1))[:, None]
    if facing.shape[1] < d:
        facing, target = (np.pad(each, ((0, 0), (0, 1))) for each in (facing, target))
    if surface is not None:
        target = on(surface, target)
    start = on(surface, np.zeros_like(target)) if surface is not None else np.zeros_like(target)
    quarry = sm.Vehicles(target, dtype=dtype)
    behaviors: dict[str, Callable[[], Any]] = {
        "Seek": lambda: sm.Seek(target), "Arrive": lambda: sm.Arrive(target),
        "Pursue": lambda: sm.Pursue(quarry, which=quarry.id),
    }  # fmt: skip
    found = []
    for title, steering in behaviors.items():
        vehicles = sm.Vehicles(start, forward=facing, max_speed=3, max_force=9, radius=0.25, dtype=dtype)
        whole = f"{name}, {title}, {far:g} m"
        world.add(vehicles, name=whole, steering=steering(), locomotion=body)
        found.append(Trial(whole, vehicles, target, near, title == "Arrive"))
    return found


def check(world: sm.World, all_of_them: list[Trial], seconds: float) -> None:
    """All reach their target; those that arrive rest there, and face on without trembling."""
    nearest = [np.full(64, np.inf) for _ in all_of_them]
    facing, turned = [], [np.zeros(64) for _ in all_of_them]
    while world.time < seconds:
        late = world.time > seconds - 4
        before = [trial.vehicles.forward.astype(float) for trial in all_of_them] if late else facing
        world.step()
        for k, trial in enumerate(all_of_them):
            np.minimum(nearest[k], np.linalg.norm(trial.vehicles.position - trial.target, axis=1), out=nearest[k])
            if late and trial.rests:
                turned[k] += np.linalg.norm(trial.vehicles.forward - before[k], axis=1)
    problems = []
    for trial, gap, turn in zip(all_of_them, nearest, turned, strict=True):
        assert np.isfinite(trial.vehicles.block).all()
        np.testing.assert_allclose(np.linalg.norm(trial.vehicles.forward, axis=1), 1, rtol=1e-5)
        away = np.linalg.norm(trial.vehicles.position - trial.target, axis=1)
        if not (gap < trial.near).all():
            rows = np.flatnonzero(gap >= trial.near).tolist()
            problems.append(f"{trial.name}: rows {rows} come no nearer than {gap.max():.2f} m")
        elif trial.rests and not (away.max() < trial.near and trial.vehicles.speed.max() < 0.05 and turn.max() < 1.0):
            problems.append(
                f"{trial.name}: at the end {away.max():.2f} m away at {trial.vehicles.speed.max():.2f} m/s, and turned by "
                f"{turn.max():.2f} rad in 4 s"
            )
    assert not problems, "\n".join(problems)


def test_every_limit_in_the_plane() -> None:
    world = sm.World(dt=1 / 20, threads=1)
    parties = [
        trial
        for name, limits in LIMITS.items()
        for far in (1.0, 12.0)
        for trial in trials(world, name, sm.PointMass(limits=limits), 2, np.float32, far, 0.4)
    ]
    check(world, parties, 30)


def test_every_limit_in_space() -> None:
    world = sm.World(dt=1 / 30, threads=1)
    parties = [
        trial
        for name, limits in LIMITS.items()
        for body in (sm.Flying(limits=limits),)
        for trial in trials(world, name, body, 3, np.float64, 5.0, 0.4)
    ]
    check(world, parties, 25)


def test_cars_in_the_plane_also_inside_of_their_turning_circle() -> None:
    cars = {
        "car": sm.Wheeled(),
        "car, reverse": sm.Wheeled(reverse=True),
        "bicycle": sm.Wheeled(wheelbase=0.6, steer_rate=4.0),
        "bicycle, reverse": sm.Wheeled(wheelbase=0.6, reverse=True),
        "car, cut": sm.Wheeled(limits=[CUT]),
        "car, smooth": sm.Wheeled(limits=[sm.SmoothForce(0.1)]),
    }
    world = sm.World(dt=1 / 30, threads=1)
    parties = [
        trial
        for name, body in cars.items()
        for far in (1.0, 3.0, 12.0)
        for trial in trials(world, name, body, 2, np.float32, far, 0.4)
    ]
    check(world, parties, 60)


def test_walkers_and_free_bodies() -> None:
    """A walker gets within a stride: 0.3 m, and a little more, since it may begin it anywhere."""
    world = sm.World(dt=1 / 30, threads=1)
    parties = []
    for far in (1.0, 12.0):
        for name, limits in (("none", []), ("cut", [CUT]), ("smooth", [sm.SmoothForce(0.2)]), ("drag", [sm.Drag(0.5)])):
            for blend in (False, True):
                body = sm.MotionClips(CLIPS, blend=blend, limits=limits)
                parties += trials(world, f"clips, {name}, {blend}", body, 2, np.float32, far, 0.5)
            parties += trials(world, f"free, {name}", sm.FreeBody(limits=limits), 2, np.float32, far, 0.4)
    check(world, parties, 40)


def test_upon_surfaces_and_flat_bodies_in_space() -> None:
    world = sm.World(dt=1 / 30, threads=1)
    parties = []
    for name, surface in (("plane", sm.Plane([0, 0, 0], [0, 0, 1])), ("globe", GLOBE), ("hills", HILLS)):
        for title in ("none", "turn rate", "fade", "inertia"):
            body = sm.SurfaceBound(surface, limits=LIMITS[title])
            parties += trials(world, f"{name}, {title}", body, 3, np.float64, 5.0, 0.5, surface)
    parties += trials(world, "flat car", sm.Wheeled(), 3, np.float64, 1.0, 0.4)
    parties += trials(world, "flat clips", sm.MotionClips(CLIPS), 3, np.float64, 5.0, 0.5)
    check(world, parties, 40)


def test_a_walk_begins_that_max_force_could_not_make_in_a_response_time() -> None:
    """9 N, 1 kg, 0.1 s: 0.9 m/s, which is nearer to a stop than to 2 m/s; also where a sum has cut the force to max_force.

    With 1 N a force that was cut asks for less than half of a stride.
    """
    clips = [sm.Clip("walk", speed=2.0), sm.Clip("stop", speed=0.0)]
    for steering in (sm.Seek([9, 0]), sm.WeightedSum([sm.Seek([9, 0])], each="limit")):
        for most in (9, 1):
            vehicles = sm.Vehicles([[0.0, 0]], max_speed=3, max_force=most)
            ran(vehicles, steering, sm.MotionClips(clips), dt=1 / 60, threads=1, seconds=2)
            assert vehicles.position[0, 0] > 2


@pytest.mark.parametrize(("goal", "walks"), [([5, 9], True), ([-5, 9], False)])
def test_without_clips_that_turn_a_walk_goes_on_while_the_goal_is_in_front(goal: list[float], walks: bool) -> None:
    vehicles = sm.Vehicles([[0.0, 0]], max_speed=3, max_force=100)
    world = sm.World(dt=1 / 60, threads=1)
    clips = [sm.Clip("walk", speed=2.0), sm.Clip("stop", speed=0.0)]
    world.add(vehicles, steering=sm.Seek(goal), locomotion=sm.MotionClips(clips))
    world.run(seconds=0.5)
    assert (vehicles.position[0, 0] > 0.5) == walks


def test_who_stands_still_keeps_its_frame() -> None:
    for limits in LIMITS.values():
        vehicles = sm.Vehicles(np.zeros((4, 3)), forward=[[1, 2, 3], [1, 0, 0], [0, 1, 1], [-1, 1, 0]], max_speed=3,
                               dtype=np.float64)  # fmt: skip
        before = vehicles.forward.copy(), vehicles.up.copy()
        ran(vehicles, sm.Arrive(np.zeros((4, 3))), sm.PointMass(limits=limits), dt=1 / 60, threads=1, steps=200)
        np.testing.assert_allclose(vehicles.forward, before[0], atol=1e-6)
        np.testing.assert_allclose(vehicles.up, before[1], atol=1e-6)


CIRCLING: dict[str, sm.Locomotion] = {
    "car": sm.Wheeled(turning_radius=4.5),
    "reverse": sm.Wheeled(turning_radius=4.5, reverse=True),
    "bicycle": sm.Wheeled(turning_radius=4.5, wheelbase=1.4),
    "bicycle, reverse": sm.Wheeled(turning_radius=4.5, wheelbase=1.4, reverse=True),
    "fade": sm.PointMass(limits=[sm.LowSpeedTurn(0.45)]),
    "cone": sm.PointMass(limits=[sm.LowSpeedTurn(0.15, law="cone")]),
}


@pytest.mark.parametrize(("d", "dt"), [(2, 1 / 50), (2, 1 / 22), (3, 1 / 32)])
def test_at_speed_too_no_body_circles_around_its_goal_for_ever(d: int, dt: float) -> None:
    """From anywhere near, on the move, with brakes that are weak for the speed: nobody goes around and around."""
    rng = np.random.default_rng(3)
    n = 120
    angle, start, facing = rng.uniform(-np.pi, np.pi, n), np.zeros((n, d)), np.zeros((n, d))
    start[:, :2] = rng.normal(0, 8.5, (n, 2))
    facing[:, 0], facing[:, 1] = np.cos(angle), np.sin(angle)
    moving = facing * rng.uniform(0, 12, (n, 1))
    world, herds = sm.World(dt=dt, threads=1), {}
    for name, body in CIRCLING.items():
        herds[name] = sm.Vehicles(start, moving, forward=facing, max_speed=19, max_force=13, dtype=np.float64)
        world.add(herds[name], name=name, steering=sm.Seek(np.zeros(d)), locomotion=body)
    least = {name: np.full(n, np.inf) for name in herds}
    while world.time < 75:
        world.step()
        for name, herd in herds.items():
            np.minimum(least[name], np.linalg.norm(herd.position, axis=1), out=least[name])
    assert {name: round(float(gap.max()), 2) for name, gap in least.items() if gap.max() > 1.6} == {}
