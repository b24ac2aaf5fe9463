"""The analytic cases that are motions: a start, a law, and what to look at. Run by the laws, and by the World."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from reference.cases import ANALYTIC

from steersman.core.steering import laws

Array = np.ndarray[Any, Any]
FAR = 1e12


@dataclass(frozen=True)
class Motion:
    """A motion of n vehicles.

    Attributes:
        position, velocity: The start, shape (n, 2).
        dt, steps: Step [s] and number of steps.
        law: The literal steering vector from (position, velocity, time), all vehicles at once.
        behavior: The same as a behavior, from the public module and a function that tells the time.
        observe: What is compared, from the positions and velocities at all times, shape (steps + 1, n, 2).
        mass, max_force, max_speed: Of all vehicles.
    """

    position: Array
    velocity: Array
    dt: float
    steps: int
    law: Callable[[Array, Array, float], Array]
    behavior: Callable[[Any, Callable[[], float]], Any]
    observe: Callable[[Array, Array], Any]
    mass: float = 1.0
    max_force: float = 1e12
    max_speed: float = 1e12


def params(name: str) -> dict[str, Any]:
    """Parameters of a case."""
    return ANALYTIC[name]["params"]


def row(*vector: float) -> Array:
    """One vehicle's vector, shape (1, 2)."""
    return np.array([vector], dtype=float)


def constant_force() -> Motion:
    """A01."""
    q = params("A01")
    force = np.array([q["F"]])
    return Motion(
        row(*q["x0"]),
        row(*q["v0"]),
        q["dt"],
        q["n"],
        law=lambda p, v, t: force,
        behavior=lambda sm, now: lambda vehicles: np.broadcast_to(force, (1, 2)),
        observe=lambda p, v: [*p[-1, 0], *v[-1, 0]],
        mass=q["m"],
    )


def ramp_under_limits() -> Motion:
    """A02."""
    q = params("A02")
    force = np.array([q["force"]], dtype=float)
    return Motion(
        row(0, 0),
        row(0, 0),
        q["dt"],
        q["n"],
        law=lambda p, v, t: force,
        behavior=lambda sm, now: lambda vehicles: np.broadcast_to(force, (1, 2)),
        observe=lambda p, v: [p[-1, 0, 0], v[-1, 0, 0]],
        mass=q["m"],
        max_force=q["Fmax"],
        max_speed=q["vmax"],
    )


def seek_from(name: str, velocity: Array, target: list[float], observe: Callable[[Array, Array], Any]) -> Motion:
    """A03 and A04: seek of a far target."""
    q = params(name)
    return Motion(
        row(0, 0),
        velocity,
        q["dt"],
        q["n"],
        law=lambda p, v, t: laws.seek(p, v, target, q["vmax"]),
        behavior=lambda sm, now: sm.Seek(target),
        observe=observe,
        mass=q["m"],
        max_speed=q["vmax"],
    )


def seek_through() -> Motion:
    """A06: seek runs through its target at full speed and comes back; how far beyond?"""
    q = params("A06")
    return Motion(
        row(-q["vmax"] * q["dt"] / 2, 0),
        row(q["vmax"], 0),
        q["dt"],
        10_500,
        law=lambda p, v, t: laws.seek(p, v, [0.0, 0.0], q["vmax"]),
        behavior=lambda sm, now: sm.Seek([0.0, 0.0]),
        observe=lambda p, v: [p[:, 0, 0].max()],
        mass=q["m"],
        max_force=q["Fmax"],
        max_speed=q["vmax"],
    )


def arrive_from(
    name: str, start: tuple[float, float], steps: int, observe: Callable[[Array, Array], Any], **more: Any
) -> Motion:
    """A07, A08, A08b, A08c: arrive at the origin from rest (or on the ramp)."""
    q = params(name)
    return Motion(
        row(*start),
        more.get("velocity", row(0, 0)),
        q["dt"],
        steps,
        law=lambda p, v, t: laws.arrive(p, v, [0.0, 0.0], q["vmax"], slowing_distance=q["slowing"]),
        behavior=lambda sm, now: sm.Arrive([0.0, 0.0], slowing_distance=q["slowing"]),
        observe=observe,
        mass=q["m"],
        max_speed=q["vmax"],
    )


def pure_pursuit() -> Motion:
    """A09: the pursuer seeks the present position of a quarry that runs straight; with mass = dt it turns at once."""
    q = params("A09")
    dt = 1e-3
    w = q["w"] * np.array([np.cos(np.radians(q["phi_deg"])), np.sin(np.radians(q["phi_deg"]))])

    def quarry(time: float) -> Array:
        return np.array([q["D"], 0.0]) + w * time

    def capture_time(p: Array, v: Array) -> list[float]:
        times = dt * np.arange(len(p))
        gap = laws.length(p[:, 0] - np.array([quarry(t) for t in times]))
        return [times[np.argmax(gap < q["u"] * dt)]]

    return Motion(
        row(0, 0),
        row(0, 0),
        dt,
        11_000,
        law=lambda p, v, t: laws.seek(p, v, quarry(t), q["u"]),
        behavior=lambda sm, now: sm.Seek(lambda: quarry(now())),
        observe=capture_time,
        mass=dt,
        max_speed=q["u"],
    )


def alignment_of_all() -> Motion:
    """A15: all align with all. The start is found from the end by the formula itself."""
    q, case = params("A15"), ANALYTIC["A15"]
    end = np.array(case["expected"])
    number = q["N"]
    decay = (1 - q["dt"] / q["m"] * number / (number - 1)) ** q["n"]
    others = ~np.eye(number, dtype=bool)
    return Motion(
        np.random.default_rng(15).normal(0, 1, (number, 2)),
        end.mean(0) + (end - end.mean(0)) / decay,
        q["dt"],
        q["n"],
        law=lambda p, v, t: laws.alignment(v, v, others),
        behavior=lambda sm, now: sm.Alignment(radius=np.inf, law="velocity"),
        observe=lambda p, v: v[-1],
        mass=q["m"],
    )


def turning_circle() -> Motion:
    """A16: full force sideways at full speed; the radius of the circle through three positions."""
    q = params("A16")

    def radius(p: Array, v: Array) -> list[float]:
        a, b, c = p[5, 0], p[155, 0], p[305, 0]
        sides = laws.length(np.array([b - a, c - b, a - c]))
        (x1, y1), (x2, y2) = b - a, c - a
        return [np.prod(sides) / (2 * abs(x1 * y2 - y1 * x2))]

    def sideways(velocity: Array) -> Array:
        return laws.with_length(laws.perpendicular(velocity), q["Fmax"])

    return Motion(
        row(0, 0),
        row(q["vmax"], 0),
        q["dt"],
        400,
        law=lambda p, v, t: sideways(v),
        behavior=lambda sm, now: lambda vehicles: sideways(vehicles.velocity),
        observe=radius,
        mass=q["m"],
        max_force=q["Fmax"],
        max_speed=q["vmax"],
    )


def uniform_flow() -> Motion:
    """A21: Reynolds' flow following in a uniform field, steering = flow - velocity."""
    q = params("A21")
    return Motion(
        row(0, 0),
        row(*q["v0"]),
        q["dt"],
        q["n"],
        law=lambda p, v, t: laws.match(np.array([q["U"]]), v, 1.0, 1.0),
        behavior=lambda sm, now: lambda vehicles: laws.match(np.array([q["U"]]), vehicles.velocity, 1.0, 1.0),
        observe=lambda p, v: v[-1, 0],
        mass=q["m"],
    )


def moving_target_lag() -> Motion:
    """A22: how far arrive stays behind a point that moves on."""
    q = params("A22")
    steps = 6000

    def target(time: float) -> Array:
        return np.array([q["w"] * time, 0.0])

    return Motion(
        row(0, 0),
        row(q["w"], 0),
        q["dt"],
        steps,
        law=lambda p, v, t: laws.arrive(p, v, target(t), q["vmax"], slowing_distance=q["slowing"]),
        behavior=lambda sm, now: sm.Arrive(lambda: target(now()), slowing_distance=q["slowing"]),
        observe=lambda p, v: [target(steps * q["dt"])[0] - p[-1, 0, 0]],
        mass=q["m"],
        max_speed=q["vmax"],
    )


def overshoots(p: Array, v: Array) -> list[float]:
    """Whether a vehicle that came from positive x got beyond the origin."""
    return [float(p[:, 0, 0].min() < -1e-9)]


MOTIONS: dict[str, Callable[[], Motion]] = {
    "A01": constant_force,
    "A02": ramp_under_limits,
    "A03": lambda: seek_from("A03", row(0, 0), params("A03")["target"], lambda p, v: [p[-1, 0, 0], v[-1, 0, 0]]),
    "A04": lambda: seek_from("A04", row(*params("A04")["v0"]), [FAR, 0.0], lambda p, v: [v[-1, 0, 1], p[-1, 0, 1]]),
    "A06": seek_through,
    "A07": lambda: arrive_from("A07", tuple(params("A07")["x0"]), params("A07")["n"], lambda p, v: p[-1, 0]),
    "A08": lambda: arrive_from(
        "A08", (params("A08")["x0"], 0), params("A08")["n"], lambda p, v: [p[-1, 0, 0], v[-1, 0, 0]]
    ),
    "A08b": lambda: arrive_from("A08b", (8.0, 0.0), 9_000, overshoots),
    "A08c": lambda: arrive_from("A08c", (8.0, 0.0), 9_000, overshoots),
    "A09": pure_pursuit,
    "A15": alignment_of_all,
    "A16": turning_circle,
    "A21": uniform_flow,
    "A22": moving_target_lag,
}
