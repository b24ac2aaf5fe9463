"""What holds for every body and limit: each vehicle moves by its own numbers alone, in any frame, and in any units."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from contract.places import mirror, rotation

import steersman as sm
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.parameters.parameters import describe

DT = 1 / 16
STEPS = 48
CLIPS = [
    sm.Clip(f"{gait} {turn}", speed=speed, turn_rate=rate, duration=0.25)
    for gait, speed in (("stop", 0.0), ("walk", 1.5), ("run", 3.0))
    for turn, rate in (("straight", 0.0), ("left", 1.2), ("right", -1.2))
]
BODIES: dict[str, Any] = {
    "point mass": sm.PointMass(),
    "free body": sm.FreeBody(limits=[sm.Drag(0.3, angular=0.7)]),
    "car": sm.Wheeled(turning_radius=1.0, brake=0.9, thrust=0.6, side=0.7),
    "car with a wheelbase": sm.Wheeled(turning_radius=1.5, wheelbase=0.6, steer_rate=1.0),
    "car with reverse": sm.Wheeled(turning_radius=1.0, reverse=True),
    "clips": sm.MotionClips(CLIPS),
    "blended clips": sm.MotionClips(CLIPS, blend=True),
    "flyer": sm.Flying(bank=0.8, roll_time=0.25),
    "on a ball": sm.SurfaceBound(sm.Sphere([0.0, 0.0, 0.0], 5.0)),
    "smooth and asymmetric": sm.PointMass(limits=[sm.SmoothForce(0.1), sm.Asymmetric(thrust=0.7, brake=0.5, side=0.9)]),
    "low speed turn": sm.PointMass(limits=[sm.LowSpeedTurn(0.4)]),
    "cone": sm.PointMass(limits=[sm.LowSpeedTurn(0.4, law="cone")]),
    "constant speed": sm.PointMass(limits=[sm.ConstantSpeed(1.5, rate=2.5), sm.Gait(0.7)]),
    "its own constant speed": sm.PointMass(limits=[sm.ConstantSpeed()]),
    "its own turn rate": sm.PointMass(limits=[sm.TurnRate()]),
    "turn rate, smoothed": sm.PointMass(limits=[sm.TurnRate(2.5), sm.HeadingSmoother(4)]),
    "smoothed over time": sm.PointMass(limits=[sm.Drag(0.4), sm.HeadingSmoother(time_constant=0.2)]),
    "inertia": sm.PointMass(limits=[sm.MomentOfInertia(4.0, inertia=0.2)]),
    "inertia of a ball": sm.PointMass(limits=[sm.MomentOfInertia(0.2)]),
}
IN_SPACE = ("flyer", "on a ball")
CASES = [(name, d) for name in BODIES for d in (2, 3) if d == 3 or name not in IN_SPACE]
PUSHES = np.random.default_rng(8).normal(size=(40, 9, 3))


def test_no_body_or_limit_is_forgotten() -> None:
    assert set(LOCOMOTIONS) == {type(body).__name__ for body in BODIES.values()}
    ours = {cls for cls in sm.Limit.__subclasses__() if cls.__module__.startswith("steersman")}
    assert ours == {type(limit) for body in BODIES.values() for limit in body.limits}


def state(d: int, n: int = 7) -> dict[str, Any]:
    """Columns of vehicles that have nothing in common."""
    rng = np.random.default_rng([d, n])
    forward = rng.normal(size=(n, d))
    columns = {
        "position": rng.normal(0, 4, (n, d)),
        "velocity": forward / np.linalg.norm(forward, axis=1, keepdims=True) * rng.uniform(0.3, 2, (n, 1)),
        "mass": rng.uniform(0.5, 3, n), "radius": rng.uniform(0.2, 0.9, n), "max_speed": rng.uniform(1, 4, n),
        "max_force": rng.uniform(2, 20, n), "response_time": rng.uniform(0, 0.5, n), "id": rng.permutation(40)[:n],
        "max_angular_speed": rng.uniform(1, 6, n), "max_angular_acceleration": rng.uniform(2, 20, n),
        "angular_velocity": rng.normal(0, 0.5, n if d == 2 else (n, 3)),
    }  # fmt: skip
    if d == 3:
        columns["up"] = np.cross(columns["velocity"], rng.normal(size=(n, 3)))
    return columns


@dataclass
class Ride:
    """A world of some vehicles, which are pushed by their ids and the time."""

    body: Any
    columns: dict[str, Any]
    turn: Any = None
    """The matrix that turns the pushes; of two rows where they lie in a plane in space."""
    units: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        self.vehicles = sm.Vehicles(dtype=np.float64, **self.columns)
        self.world = sm.World(dt=DT * self.units[1], threads=1)
        d = self.vehicles.dimensions
        self.turn = np.eye(d) if self.turn is None else self.turn
        steering = sm.WeightedSum([self.push, sm.LookWhereYouGo(rate=3 / self.units[1])])
        self.world.add(self.vehicles, steering=steering, locomotion=self.body)

    def push(self, vehicles: Any) -> Any:
        pushes = PUSHES[vehicles.id, self.world.steps // 6, :2]
        if vehicles.dimensions == 3:
            deep = 0.0 if len(self.turn) == 2 else PUSHES[vehicles.id, self.world.steps // 6, 2]
            pushes = np.column_stack([pushes, np.broadcast_to(deep, len(pushes))])
        turn = self.turn if len(self.turn) == vehicles.dimensions else np.eye(3)
        return vehicles.max_force[:, None] * pushes @ turn.T

    def run(self, steps: int = STEPS) -> "Ride":
        self.world.run(steps=steps)
        return self

    def rows(self, ids: Any) -> dict[str, Any]:
        """Where vehicles are, how they move and where they face."""
        found = [int(np.flatnonzero(self.vehicles.id == each)[0]) for each in ids]
        names = ("position", "velocity", "forward", "up", "angular_velocity")
        own = {name: getattr(self.vehicles, name, None) for name in names}
        return {name: values[found].copy() for name, values in own.items() if values is not None}


def chosen(columns: dict[str, Any], rows: Any) -> dict[str, Any]:
    return {name: values[rows] for name, values in columns.items()}


def assert_same(found: dict[str, Any], expected: dict[str, Any], rtol: float = 0.0) -> None:
    for name, values in expected.items():
        scale = np.abs(values).max(initial=1e-300)
        np.testing.assert_allclose(found[name], values, rtol=rtol, atol=rtol * scale, err_msg=name)


@pytest.mark.parametrize(("d", "angular"), [(2, [0.5, -1.0, 2.0]), (3, np.eye(3).tolist())])
def test_outside_a_world_each_vehicle_has_its_own_angular_steering(d: int, angular: list[Any]) -> None:
    together = sm.Vehicles(np.zeros((3, d)), dtype=np.float64)
    sm.FreeBody().advance(together, np.zeros((3, d)), DT, angular=angular)
    for each, row in zip(angular, together.angular_velocity, strict=True):
        alone = sm.Vehicles(np.zeros((1, d)), dtype=np.float64)
        sm.FreeBody().advance(alone, np.zeros(d), DT, angular=each)
        np.testing.assert_array_equal(row, alone.angular_velocity[0])
        assert np.any(row)


@pytest.mark.parametrize(("name", "d"), CASES)
def test_every_vehicle_moves_by_its_own_numbers_alone(name: str, d: int) -> None:
    """Others that go and come in the middle, and a row or an id of another, change no bit; a newcomer starts afresh."""
    columns = state(d)
    ids = columns["id"]
    gone, stays, late = ids[[0, 3]], ids[[1, 2, 4, 5]], ids[6]
    ride = Ride(BODIES[name], chosen(columns, slice(6))).run(STEPS // 2)
    ride.vehicles.remove(gone)
    newcomer = {key: value[0] for key, value in chosen(columns, [6]).items() if key != "id"}
    ride.vehicles.spawn(newcomer.pop("position"), **newcomer, id=[late])
    ride.run(STEPS // 2)
    for row in (1, 2, 4, 5):
        alone = Ride(BODIES[name], chosen(columns, [row])).run()
        assert_same(ride.rows([ids[row]]), alone.rows([ids[row]]))
    assert len(ride.vehicles) == len(stays) + 1
    alone = Ride(BODIES[name], chosen(columns, [6]))
    later = PUSHES[late].copy()
    try:
        PUSHES[late] = np.roll(later, -(STEPS // 2 // 6), axis=0)
        alone.run(STEPS // 2)
    finally:
        PUSHES[late] = later
    assert_same(ride.rows([late]), alone.rows([late]))


def turned(columns: dict[str, Any], matrix: Any) -> dict[str, Any]:
    """Everything in another frame; in a mirror turns go the other way round."""
    changed = {name: columns[name] @ matrix.T for name in ("position", "velocity", "up") if name in columns}
    rate, hand = columns["angular_velocity"], np.linalg.det(matrix)
    return columns | changed | {"angular_velocity": hand * (rate if rate.ndim == 1 else rate @ matrix.T)}


@pytest.mark.parametrize(("name", "d"), CASES)
def test_no_frame_is_special(name: str, d: int) -> None:
    """Turned and in a mirror; what falls in a flyer's world is turned with it."""
    columns, body = state(d), BODIES[name]
    expected = Ride(body, columns).run()
    for matrix in (rotation(d, 0.7), rotation(d, -2.5), mirror(d)):
        if isinstance(body, sm.Flying):
            body = body.replace(gravity=matrix @ [0.0, 0.0, -9.81])
        found = Ride(body, turned(columns, matrix), matrix).run()
        goal = expected.rows(columns["id"])
        hand = np.linalg.det(matrix)
        for each, values in goal.items():
            goal[each] = (hand if "angular" in each else 1) * (values if values.ndim == 1 else values @ matrix.T)
        if hand < 0 and isinstance(body, sm.Flying):
            goal.pop("up")  # Upside down, it rolls to its right.
        assert_same(found.rows(columns["id"]), goal, 1e-9)


@pytest.mark.parametrize("name", [name for name in BODIES if name not in IN_SPACE])
def test_a_plane_in_space_is_the_plane(name: str) -> None:
    columns = state(2)
    flat = Ride(BODIES[name], columns).run().rows(columns["id"])
    deep = {each: np.pad(columns[each], ((0, 0), (0, 1))) for each in ("position", "velocity")}
    deep |= {
        "up": np.tile([0.0, 0.0, 1.0], (7, 1)),
        "angular_velocity": columns["angular_velocity"][:, None] * [0, 0, 1],
    }
    found = Ride(BODIES[name], columns | deep, np.eye(2)).run().rows(columns["id"])
    assert_same({each: found[each][:, :2] for each in ("position", "velocity", "forward")},
                {each: flat[each] for each in ("position", "velocity", "forward")}, 1e-9)  # fmt: skip
    np.testing.assert_allclose(found["angular_velocity"][:, 2], flat["angular_velocity"], atol=1e-9)


UNITS = {
    "position": "m", "velocity": "m/s", "mass": "kg", "radius": "m", "max_speed": "m/s", "max_force": "N",
    "response_time": "s", "max_angular_speed": "rad/s", "max_angular_acceleration": "rad/s^2",
    "angular_velocity": "rad/s",
}  # fmt: skip
POWERS = {
    "": (0, 0, 0), "m": (1, 0, 0), "s": (0, 1, 0), "kg": (0, 0, 1), "m/s": (1, -1, 0), "m/s^2": (1, -2, 0), "rad": (0, 0, 0),
    "rad/s": (0, -1, 0), "rad/s^2": (0, -2, 0), "1/s": (0, -1, 0), "N": (1, -2, 1), "N m": (2, -2, 1), "kg m^2": (2, 0, 1),
}  # fmt: skip
"""Powers of length, time and mass."""


def factor(unit: str, units: tuple[float, float, float]) -> float:
    return float(np.prod(np.power(units, POWERS[unit])))


def rescaled(each: Any, units: tuple[float, float, float]) -> Any:
    """A body, limit, clip or surface in other units."""
    changes: dict[str, Any] = {}
    for about in describe(type(each)):
        value = getattr(each, about.name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            changes[about.name] = value * factor(about.unit, units) if about.unit else value
        elif isinstance(value, np.ndarray):
            changes[about.name] = value * factor(about.unit, units)
        elif isinstance(value, (tuple, list)):
            changes[about.name] = [rescaled(part, units) for part in value]
        elif isinstance(value, sm.Sphere):
            changes[about.name] = sm.Sphere(value.center * units[0], value.radius * units[0])
    return each.replace(**changes)


@pytest.mark.parametrize(("name", "d"), CASES)
def test_units_do_not_matter(name: str, d: int) -> None:
    """In feet and minutes and pounds it is the same motion: no term has lost its dt, its mass, or its length."""
    columns, units = state(d), (4.0, 0.5, 8.0)
    expected = Ride(BODIES[name], columns).run().rows(columns["id"])
    scaled = columns | {each: columns[each] * factor(unit, units) for each, unit in UNITS.items()}
    found = Ride(rescaled(BODIES[name], units), scaled, units=units).run().rows(columns["id"])
    for each, values in expected.items():
        expected[each] = values * factor(UNITS.get(each, ""), units)
    assert_same(found, expected, 1e-9)
