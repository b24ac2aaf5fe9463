"""The laws are the same in all units: no term has lost a length, a time step or a mass, and none has one too many."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import DT, NAME, SEED, controller
from contract.trying import INSTANCES, try_examples

import steersman as sm
from steersman.core.maths.shapes import ScaledArrow
from steersman.core.parameters.kinds import Description
from steersman.core.parameters.parameters import Parameters, describe
from steersman.core.steering.behavior import as_behavior

UNITS = (4.0, 0.5, 8.0)
"""A length [m], a time [s] and a mass [kg]. Powers of two keep most of the bits."""

COLUMNS = {
    **dict.fromkeys(("position", "others_position", "rock_center", "sites", "point", "points", "radius", "rock_radius"), "m"),
    **dict.fromkeys(("velocity", "others_velocity", "max_speed"), "m/s"),
    "mass": "kg", "max_force": "N", "response_time": "s", "periods": "m",
}  # fmt: skip
BASE = {
    "": (0, 0, 0),
    "rad": (0, 0, 0),
    "1": (0, 0, 0),
    "m": (1, 0, 0),
    "s": (0, 1, 0),
    "kg": (0, 0, 1),
    "N": (1, -2, 1),
}


def factor(unit: str) -> float:
    """What a number of a unit is multiplied by: "1/(m s)", "m^2/s^2", "1/sqrt(s)"."""
    above, _, below = unit.replace("sqrt(s)", "s^0.5").partition("/")
    powers = np.zeros(3)
    for part, sign in ((above, 1), (below, -1)):
        for each in re.sub(r"[()]", "", part).split():
            name, _, power = each.partition("^")
            powers += sign * float(power or 1) * np.array(BASE[name])
    return float(np.prod(np.power(UNITS, powers)))


class UnknownError(Exception):
    """Something has numbers, and does not say of which unit; or it takes a distance for a speed, as speed="offset" does."""


BY_LAW = {
    ("Wander", "rate", "turn"): "1/s^1.5",
    ("Wander", "rate", "gradient"): "1/s",
    ("Separation", "strength", "inverse_square"): "N m^2",
    ("Alignment", "strength", "mean_velocity"): "N s/m",
    ("SocialForce", "strength", "bodies"): "m/s^2",
    ("SocialForce", "strength", "ellipses"): "m^2/s^2",
}
"""Units that depend on the law, by class, parameter and law."""

USUAL = {
    ("Wander", "rate"): lambda b: b._sizes[2],
    ("Separation", "strength"): lambda b: b._strength if b.law == "inverse_square" else None,
    ("Alignment", "strength"): lambda b: 1.0 if b.law == "mean_velocity" else None,
    ("SocialForce", "strength"): lambda b: 25.0 if b.law == "bodies" else 2.1,
    ("SocialForce", "range"): lambda b: 0.08 if b.law == "bodies" else 0.3,
}
"""Numbers that the default None stands for: they have units too."""


def unit_of(behavior: Any, about: Description) -> str:
    """The unit of a parameter."""
    key = (type(behavior).__name__, about.name, getattr(behavior, "law", ""))
    return BY_LAW.get(key, about.unit.replace("falloff", str(getattr(behavior, "falloff", ""))))


def rescaled(before: Any, after: Any) -> Any:
    """A behavior, made in the place of before, in other units; of what it watches, that of the place after."""
    if isinstance(before, (tuple, list)):
        parts = [rescaled(one, other) for one, other in zip(before, after, strict=True)]
        return type(before)(*parts) if hasattr(before, "_fields") else type(before)(parts)
    if isinstance(before, dict):
        return {key: rescaled(each, after[key]) for key, each in before.items()}
    if isinstance(before, (sm.Vehicles, str)):
        return after
    if isinstance(before, sm.Spheres):
        return before.replace(center=before.center * UNITS[0], radius=before.radius * UNITS[0])
    is_ours = isinstance(before, Parameters) and type(before).__module__.startswith("steersman.")
    if not is_ours or str(getattr(before, "speed", "")) == "offset":
        raise UnknownError(type(before).__name__)
    changes: dict[str, Any] = {}
    for about in describe(type(before)):
        value, other = getattr(before, about.name), getattr(after, about.name)
        unit = unit_of(before, about)
        if value is None:
            value = USUAL.get((type(before).__name__, about.name), lambda b: None)(before)
        if value is None or (isinstance(value, (str, bool, int)) and not unit):
            continue
        if isinstance(value, (int, float)) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
            changes[about.name] = value * factor(unit) if np.any(np.isfinite(value)) else value
        elif about.name in ("when", "which", "which_a", "which_b", "on", "ids"):
            continue
        else:
            changes[about.name] = rescaled(value, other)
    return after.replace(**changes) if changes else after


def scaled(state: State) -> State:
    changes = {name: getattr(state, name) * factor(unit) for name, unit in COLUMNS.items()}
    return replace(state, **changes)


def pair(name: str, state: State, dtype: Any) -> tuple[Any, Any, Any, Any]:
    """A place and a behavior, and both in other units."""
    place, other = state.place(dtype), scaled(state).place(dtype)
    for column in ("radius", "max_speed", "max_force", "response_time", "mass"):
        setattr(other.others, column, getattr(place.others, column) * factor(COLUMNS[column]))
    before, after = (as_behavior(EXAMPLES[name](each)) for each in (place, other))
    return place, before, other, rescaled(before, after)


FIXED = (
    "gusts",  # They have a size.
    "flocking raw", "flocking, mean site",  # Of a law of which Flocking does not take the strength.
    "power law toward",  # Touching is at least a millisecond away.
    "patrol by a map",  # Waves on a grid come to a place from one side or the other.
)  # fmt: skip


def is_known(name: str) -> bool:
    try:
        pair(name, State.random(0, 2), np.float64)
    except UnknownError:
        return False
    return True


FREE = [name for name in INSTANCES if not any(each in name for each in FIXED)]


def test_most_examples_are_tried() -> None:
    assert sum(is_known(name) for name in FREE) > 0.7 * len(INSTANCES)


@try_examples(("dimensions",), (2, 3), some=1, examples=FREE)
def test_units_do_not_matter(name: str, dimensions: int) -> None:
    dtype, rounding = (np.float32, 1e-3) if dimensions == 2 else (np.float64, 1e-9)
    try:
        place, behavior, *others = pair(name, State.random(7, dimensions).rounded(dtype), dtype)
    except UnknownError:  # `test_most_examples_are_tried` counts them.
        return
    before, steered = controller(place, behavior), controller(*others)
    for _ in range(3):
        expected, found = before.steer(DT) * factor("N"), steered.steer(DT * UNITS[1])
        np.testing.assert_allclose(found, expected, rtol=rounding, atol=rounding * np.abs(expected).max(initial=0))


IN_A_SECOND = ("context map", "orca", "constant bearing", "boxes")
"""What the names of examples say of which sketches show velocities as ways of a second, or boxes that are made anew."""


def drawn(place: Any, behavior: Any, dt: float) -> list[tuple[str, list[int], Any]]:
    """The shapes that a behavior shows after a step, in a world of its own."""
    world = sm.World(domain=place.domain, seed=SEED, threads=1, dt=dt)
    world.add(place.vehicles, name=NAME, steering=behavior)
    world.step()
    return [(sketch.label, sketch.id.tolist(), shape) for sketch in world.sketch(NAME) for shape in sketch.shapes]


def factors(shape: Any) -> dict[str, float]:
    """The number by which each field of a shape is multiplied."""
    if isinstance(shape, ScaledArrow):
        return {"at": factor("m"), "value": factor(shape.unit), "as_speed": factor("m/s") / factor(shape.unit)}
    plain = {"forward": 1.0, "angle": 1.0}
    return {key: plain.get(key, factor("m")) for key in (*shape.places, *shape.numbers)}


@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@try_examples(("dimensions",), (2, 3), some=1, every=4, examples=FREE)
def test_sketches_are_the_same_in_all_units(name: str, dimensions: int) -> None:
    """No place of a sketch is made of a velocity, and no length of a time."""
    dtype, rounding = (np.float32, 2e-3) if dimensions == 2 else (np.float64, 1e-8)
    if any(each in name for each in IN_A_SECOND):
        return
    try:
        place, behavior, *others = pair(name, State.random(7, dimensions).rounded(dtype), dtype)
    except UnknownError:
        return
    if "Wander" in repr(behavior):
        return  # Its circle lies as far ahead as the vehicle goes in a second.
    expected, found = drawn(place, behavior, DT), drawn(*others, DT * UNITS[1])
    assert [each[:2] for each in found] == [each[:2] for each in expected]
    for (label, _, one), (_, _, same) in zip(found, expected, strict=True):
        assert (type(one), one.role) == (type(same), same.role)
        for key, by in factors(same).items():
            numbers = getattr(same, key) * by
            about = rounding * np.abs(numbers).max(initial=0)
            told = f"{label}: {key} of the {type(one).__name__} for {one.role}"
            np.testing.assert_allclose(getattr(one, key), numbers, rtol=rounding, atol=about, err_msg=told)


CLIPS = [
    sm.Clip(f"{speed} m/s, {rate} rad/s", speed=speed, turn_rate=rate, duration=duration)
    for speed, duration in ((0.0, 0.1), (1.5, 0.25), (2.6, 0.2), (3.5, 0.15))
    for rate in (0.0, 2.6, -2.6, 1.3, -1.3, 0.6, -0.6)
]
BODIES: dict[str, tuple[sm.Locomotion, int]] = {
    "point mass": (sm.PointMass(), 2),
    "free body": (sm.FreeBody(limits=[sm.Drag(0.3, angular=0.7)]), 2),
    "flying": (sm.Flying(roll_time=0.7, bank=1.6), 3),
    "wheeled": (sm.Wheeled(turning_radius=0.5, thrust=0.7, brake=0.8, side=0.6), 2),
    "with a wheelbase": (sm.Wheeled(turning_radius=1.7, wheelbase=0.6, steer_rate=2.5, reverse=True), 2),
    "clips": (sm.MotionClips(CLIPS), 2),
    "blended clips": (sm.MotionClips(CLIPS, blend=True), 2),
    "smooth": (sm.PointMass(limits=[sm.SmoothForce(0.13), sm.Asymmetric(thrust=0.7, brake=0.8, side=0.9)]), 2),
    "slow": (sm.PointMass(limits=[sm.LowSpeedTurn(0.35), sm.Drag(0.4)]), 2),
    "at a speed": (sm.PointMass(limits=[sm.ConstantSpeed(1.6, rate=0.6)]), 2),
    "turning at a rate": (sm.PointMass(limits=[sm.TurnRate(1.7), sm.HeadingSmoother(time_constant=0.21)]), 2),
    "inertia": (sm.PointMass(limits=[sm.MomentOfInertia(4.0, inertia=0.7)]), 2),
    "inertia of a disc": (sm.FreeBody(limits=[sm.MomentOfInertia(5.0)]), 2),
    "stride": (sm.PointMass(limits=[sm.Gait(1.3)]), 2),
}


@pytest.mark.filterwarnings("ignore:LookWhereYouGo")
@pytest.mark.parametrize("rocks", [0, 9])
@pytest.mark.parametrize("name", BODIES)
def test_units_do_not_matter_to_bodies(name: str, rocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No number of a body or a limit is 1 or its default, so none can be left out. Before rocks some times are in seconds."""
    body, d = BODIES[name]
    if rocks:
        monkeypatch.setitem(globals(), "UNITS", (UNITS[0], 1.0, UNITS[2]))
    ways = []
    for length, time, mass in ((1.0, 1.0, 1.0), UNITS):
        rng, unit = np.random.default_rng(5), length / time
        places, velocity = length * rng.uniform(-9, 9, (2, 40, d)), unit * rng.normal(0, 1.5, (40, d))
        vehicles = sm.Vehicles(
            places[0], velocity, mass=mass * rng.uniform(0.6, 2, 40), max_speed=3.2 * unit, radius=0.4 * length,
            max_force=mass * unit / time * rng.uniform(6, 14, 40), max_angular_speed=2.3 / time,
            max_angular_acceleration=9.0 / time**2, response_time=0.15 * time, dtype=np.float64,
        )  # fmt: skip
        world = sm.World(dt=DT * time, seed=3, threads=1)
        there = sm.Spheres(length * rng.uniform(-9, 9, (rocks, d)), 1.1 * length)
        tree = sm.Priority([sm.AvoidObstacles(there, braking=0.7), sm.Seek(places[1])]) if rocks else sm.Seek(places[1])
        tree = tree + sm.LookWhereYouGo() if body.turns else tree
        population = world.add(vehicles, steering=tree, locomotion=body if length == 1 else rescaled(body, body))
        for _ in range(15):
            world.step()
            turning = vehicles.angular_velocity.reshape(40, -1) * time
            phase = sm.gait_of(population).phase if name == "stride" else np.zeros(40)
            place, going = vehicles.position / length, vehicles.velocity / unit
            ways.append(np.column_stack([place, going, vehicles.forward, turning, phase]))
    np.testing.assert_allclose(ways[15:], ways[:15], rtol=1e-7, atol=1e-7)


GOAL = np.zeros(2)
RING = sm.Spheres(5 * np.stack([np.cos(np.arange(11) * 0.4), np.sin(np.arange(11) * 0.4)], axis=1), 0.8)
ACROSS = 8 * np.stack([np.cos(np.arange(18)), np.sin(np.arange(18))], axis=1)
LANE = sm.Path([[-9, -9], [9, -8], [8, 9], [-8, 7]], radius=2.0)
HALL = sm.Walls([[-12.0, -12.0], [12.0, -12.0], [12.0, 12.0], [-12.0, 12.0]], closed=True, seen_from="inside")
CAR, WALKER = sm.Wheeled(turning_radius=0.7), sm.PointMass(limits=[sm.TurnRate(2.0)])
BICYCLE = sm.Wheeled(wheelbase=0.5, reverse=True)
FLOOR = sm.RouteGrid(RING, region=sm.Box([20, 20], [-10, -10]), clearance=0.5)
CORRIDOR = sm.Box([18, 2], [-9, -1])
WAYS: dict[str, tuple[Any, sm.Locomotion]] = {
    "a push and a pull": (lambda _: sm.Separation() + sm.Arrive(GOAL), sm.PointMass()),
    "a push and a pull of cars": (lambda _: sm.Separation(radius=3) + sm.Arrive(GOAL), CAR),
    "rest": (lambda _: sm.Priority([sm.AvoidNeighbors(), sm.Arrive(GOAL)]), sm.PointMass()),
    "a plan": (lambda _: sm.Pipeline(sm.Toward(GOAL), constraints=sm.KeepClear(RING), rounds=1), sm.PointMass()),
    "a dock": (lambda _: sm.Dock(GOAL, forward=[1.0, 0.0], slowing_distance=1.0, speed=2.5), CAR),
    "a catch": (sm.Pursue, sm.PointMass()),
    "a leader": (sm.FollowLeader, sm.PointMass()),
    "a lane": (lambda _: sm.Priority([sm.AvoidObstacles(RING, braking=0.6), sm.FollowPath(LANE)]), WALKER),
    "a route": (lambda _: sm.GoTo([9.0, 8.0], by=FLOOR), sm.PointMass()),
    "a hard stop": (
        lambda _: sm.AvoidObstacles(RING) + sm.Arrive(GOAL, stop_distance=2.0, hard_stop=True, ramp="braking"),
        CAR,
    ),
    "reciprocal avoidance": (lambda _: sm.ORCA(toward=sm.Arrive(ACROSS), obstacles=RING), CAR),
    "a map": (lambda _: sm.ContextMap([sm.Arrive(GOAL)], obstacles=RING, lookahead=0.1), CAR),
    "a region": (lambda _: sm.Priority([sm.Contain(sm.Box([14, 12], [-7, -6])), sm.Seek([9.0, 1.0])]), CAR),
    "a wall": (lambda _: sm.FollowWall(HALL), CAR),
    "feelers": (lambda _: sm.Priority([sm.Whiskers([RING, HALL]), sm.Wander()]), BICYCLE),
    "a queue": (
        lambda _: sm.Priority([sm.Queue(doorway=GOAL), sm.Seek(GOAL)]),
        sm.PointMass(limits=[sm.SmoothForce(0.3)]),
    ),
    "a slot": (lambda others: sm.OffsetPursuit(others, offset=[-2.0, 1.0]), CAR),
    "a search": (lambda _: sm.Explore(sm.Box([20, 20], [-10, -10]), reach=4.0), CAR),
    "a strip": (lambda _: sm.Priority([sm.StayOnPath(LANE), sm.Seek([30.0, 1.0])]), BICYCLE),
    "a shadow": (sm.Shadow, WALKER),
    "a street": (lambda _: sm.Priority([sm.AvoidNeighbors(), sm.Seek([9.0, 1.0])]), BICYCLE),
    "slow turns": (
        lambda _: sm.AvoidObstacles(RING) + sm.Seek([9.0, 1.0]),
        sm.PointMass(limits=[sm.LowSpeedTurn()]),
    ),
    "slow turns in a cone": (
        lambda _: sm.AvoidObstacles(RING) + sm.Seek([9.0, 1.0]),
        sm.PointMass(limits=[sm.LowSpeedTurn(0.5, law="cone")]),
    ),
    "a corridor": (lambda _: sm.Priority([sm.Contain(CORRIDOR), sm.Seek([9.0, 1.0])]), sm.PointMass()),
    "a fly-by": (lambda others: sm.OffsetPursuit(others, radius=1.5), sm.PointMass()),
}
RESPONSE = {"a corridor": 0.5}
"""Response times [s], where the usual one is none of those that differ with the mass."""


@pytest.mark.filterwarnings("ignore:Arrive may overshoot", "ignore:vehicle")
@pytest.mark.parametrize("name", WAYS)
def test_with_eight_times_the_mass_and_the_force_all_go_the_same_way(name: str) -> None:
    """To the last bit, also where they rest, brake, or have no way: in no place the mass is missing, or there twice."""
    tree, body = WAYS[name]
    ways: list[Any] = []
    for times in (1.0, 8.0):
        others = sm.Vehicles([[3.0, 1.0]], [[-0.4, 0.3]], dtype=np.float64)
        rng = np.random.default_rng(2)
        mass, force = rng.uniform(0.4, 3, 18), rng.uniform(1.5, 6, 18)
        vehicles = sm.Vehicles(
            rng.uniform(-8, 8, (18, 2)), rng.normal(0, 2.5, (18, 2)), mass=times * mass, max_force=times * mass * force,
            max_speed=5.0, radius=0.4, response_time=RESPONSE.get(name, 0.1), dtype=np.float64,
        )  # fmt: skip
        world = sm.World(dt=1 / 16, seed=3, threads=1)
        world.add(vehicles, steering=tree(others), locomotion=body)
        world.add(others, name="others")
        world.run(steps=130)
        ways.append(np.column_stack([vehicles.position, vehicles.velocity, vehicles.forward]))
    assert np.isfinite(ways[0]).all()
    assert np.array_equal(*ways)
