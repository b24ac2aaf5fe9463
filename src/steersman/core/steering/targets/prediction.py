"""Prediction: how far ahead a pursuer looks.

    predicted position = position + velocity * T

Reynolds 1999, "Pursuit": the quarry is taken to go straight on for a time T, re-estimated at every step: the larger, the
farther away it is. Each estimator of T is a class here; D is the distance, V the pursuer's maximum speed.
"""

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import number
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, dot, load, normalize
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.steering.laws.predicting import CASE_COSINE, HEADING_FACTORS, NINE_CASE_FACTORS
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

CONSTANT, PROPORTIONAL, APPROACH, CAPPED, HEADING, INTERCEPT, NINE_CASES, ONCOMING = (
    np.float32(code) for code in range(8)
)

ASIDE = np.float32(CASE_COSINE)


@dataclass(frozen=True, eq=False)
class Predictor(Parameters):
    """Base of the estimators of the prediction time."""

    code: ClassVar[np.float32]
    factors: ClassVar[Array] = np.zeros(0)

    def numbers(self, dtype: Any) -> "PredictionNumbers":
        """The estimator for kernels."""
        own = [float(getattr(self, each.name)) for each in fields(self)]
        code, only = number(dtype, float(self.code)), number(dtype, own[0] if own else 0.0)
        return PredictionNumbers(code, only, np.array(self.factors.ravel(), dtype))


class PredictionNumbers(NamedTuple):
    """An estimator for kernels.

    Attributes:
        code: Which it is.
        number: The only parameter of a predictor that has one: a time [s], or a time per meter [s/m].
        factors: Of `Heading` and `NineCases`: the table of factors, row after row.
    """

    code: Any
    number: Any
    factors: Array


PREDICTOR = Kind(
    "predictor",
    "Constant(time), Proportional(c), Approach(), Capped(limit), Heading(), NineCases(limit), Oncoming(limit) or Intercept()",
    base=Predictor,
)


@dataclass(frozen=True, eq=False)
class Constant(Predictor):
    """T = time, always. Zero makes a pursuit a plain seek. Reynolds 1999: naive, but better than that.

    Args:
        time: Prediction time [s]; raising it aims farther ahead.
    """

    code = CONSTANT
    time: float = parameter(1.0, low=0.0, unit="s", positional=True)


@dataclass(frozen=True, eq=False)
class Proportional(Predictor):
    """T = c D. Reynolds 1999: a simple estimator of moderate quality.

    Args:
        c: Time per meter [s/m]; raising it aims farther ahead.
    """

    code = PROPORTIONAL
    c: float = parameter(0.1, low=0.0, unit="s/m", positional=True)


@dataclass(frozen=True, eq=False)
class Approach(Predictor):
    """T = D / (V + |quarry velocity|): the time in which the two could meet head on. Game AI lecture."""

    code = APPROACH


@dataclass(frozen=True, eq=False)
class Capped(Predictor):
    """T = min(D / |velocity|, limit): the time the distance takes at the present speed. Unity lecture.

    Args:
        limit: Longest prediction time [s]. Raising it aims farther ahead of distant targets.
    """

    code = CAPPED
    limit: float = parameter(2.0, low=0.0, unit="s", positional=True)


@dataclass(frozen=True, eq=False)
class Heading(Predictor):
    """T = D / V times a factor from the relative headings; zero in front of an aligned quarry.

    Reynolds 1999 names the two cosines and the zero; for the factors see `steersman.laws.HEADING_FACTORS`.
    """

    code = HEADING
    factors = HEADING_FACTORS


@dataclass(frozen=True, eq=False)
class Intercept(Predictor):
    """The exact time of interception of a quarry that goes straight; `Approach` where it cannot be intercepted."""

    code = INTERCEPT


@dataclass(frozen=True, eq=False)
class NineCases(Predictor):
    """T = min(D / |velocity| * factor, limit), by whether the quarry is ahead, aside or behind, and where it heads.

    OpenSteer, `steerForPursuit`; for the factors see `steersman.laws.NINE_CASE_FACTORS`. `Heading` does so without jumps.
    For a quarry ahead that heads the same way OpenSteer's factor is 4: the time to catch one that is three quarters as fast
    as the pursuer. For slower ones it looks several times too far ahead; `Intercept` has the exact time.

    Args:
        limit: Longest prediction time [s]. Raising it aims farther ahead of distant targets.
    """

    code = NINE_CASES
    factors = NINE_CASE_FACTORS
    limit: float = parameter(20.0, low=0.0, unit="s", positional=True)


@dataclass(frozen=True, eq=False)
class Oncoming(Predictor):
    """T = min(D / |pursuer velocity|, limit): the time that the pursuer takes to come. OpenSteer, `steerForEvasion`.

    Args:
        limit: Longest prediction time [s]. Raising it aims farther ahead of distant targets.
    """

    code = ONCOMING
    limit: float = parameter(20.0, low=0.0, unit="s", positional=True)


@kernel
def heading_factor(in_front: Any, parallel: Any, factors: Array) -> Any:
    """The factor of `Heading`, interpolated in the two cosines between its nine values."""
    y = min(max(in_front, -ONE), ONE)
    x = min(max(parallel, -ONE), ONE)
    row = 0
    if y > ZERO:
        row = 3
    else:
        y += ONE
    if x > ZERO:
        row += 1
    else:
        x += ONE
    near = factors[row] * (ONE - x) + factors[row + 1] * x
    far = factors[row + 3] * (ONE - x) + factors[row + 4] * x
    return near * (ONE - y) + far * y


@kernel
def case_of(cosine: Any) -> int:
    """0 behind, 1 aside, 2 ahead."""
    if cosine > ASIDE:
        return 2
    return 0 if cosine < -ASIDE else 1


@kernel
def nine_cases_factor(ahead: Any, parallel: Any, factors: Array) -> Any:
    """The factor of `NineCases`."""
    return factors[3 * case_of(ahead) + case_of(parallel)]


@kernel
def capped(distance: Any, speed: Any, limit: Any) -> Any:
    """The time that a distance takes at a speed, up to a limit [s]; that is the limit at rest."""
    return limit if speed * limit <= distance else distance / speed


@kernel
def intercept_time(offset: Vector, distance: Any, other_velocity: Vector, max_speed: Any) -> Any:
    """The smallest T > 0 with |offset + w T| = V T; zero or less where there is none."""
    w = math.sqrt(dot(other_velocity, other_velocity))
    a, b = (max_speed - w) * (max_speed + w), dot(offset, other_velocity)
    inside = b * b + a * distance * distance
    if inside < ZERO:
        return -ONE * w
    root = math.sqrt(inside)
    # Two forms of the same root: each where it has no cancellation.
    if b > ZERO:
        if a == ZERO:
            return ZERO * w
        return (b + root) / a
    if root == b:
        return ZERO * w
    return distance * distance / (root - b)


@kernel
def prediction_time(
    i: int, vehicles: VehicleColumns, offset: Vector, j: int, others: VehicleColumns, how: PredictionNumbers
) -> Any:
    """How far ahead vehicle i looks [s] for vehicle j of the others, which is at `offset` from it."""
    factor = cosine_factor(offset, load(vehicles.forward, i), load(others.forward, j), how)
    return time_ahead(
        offset,
        vehicles.max_speed[i],
        load(vehicles.velocity, i),
        load(others.velocity, j),
        factor,
        how.code,
        how.number,
    )


@kernel
def cosine_factor(offset: Vector, forward: Vector, other_forward: Vector, how: PredictionNumbers) -> Any:
    """The factor of `Heading` or `NineCases` (the other predictors do not use it)."""
    if how.code == NINE_CASES:
        return nine_cases_factor(dot(normalize(offset), forward), dot(forward, other_forward), how.factors)
    if how.code != HEADING:
        return how.code
    return heading_factor(-dot(normalize(offset), other_forward), dot(forward, other_forward), how.factors)


@kernel
def time_ahead(
    offset: Vector, speed: Any, velocity: Vector, other_velocity: Vector, factor: Any, kind: Any, number: Any
) -> Any:
    """T of the predictor of that kind [s]."""
    distance = math.sqrt(dot(offset, offset))
    if kind == CONSTANT:
        return number
    if kind == PROPORTIONAL:
        return number * distance
    if kind == CAPPED:
        return capped(distance, math.sqrt(dot(velocity, velocity)), number)
    if kind == NINE_CASES:
        return capped(distance * factor, math.sqrt(dot(velocity, velocity)), number)
    if kind == ONCOMING:
        return capped(distance, math.sqrt(dot(other_velocity, other_velocity)), number)
    if kind == HEADING:
        return distance / speed * factor if speed > ZERO else ZERO * speed
    if kind == INTERCEPT:
        time = intercept_time(offset, distance, other_velocity, speed)
        if time > ZERO:
            return time
    closing = speed + math.sqrt(dot(other_velocity, other_velocity))
    return distance / closing if closing != ZERO else closing


@row_kernel
def find_times(
    i: int, vehicles: VehicleColumns, others: VehicleColumns, pick: Array, way: Columns, how: PredictionNumbers,
    times: Array,
) -> None:  # fmt: skip
    """How far ahead each vehicle looks [s] for the one that it watches; `way` leads there [m]."""
    if pick[i] >= 0:
        times[i] = prediction_time(i, vehicles, load(way, i), pick[i], others, how)


def times_call(
    vehicles: VehicleColumns, others: VehicleColumns, pick: Array, way: Columns, how: Predictor
) -> tuple[Array, Call]:
    """How far ahead vehicles look [s], shape (n,), and the call that writes it; arguments as for `find_times`."""
    dtype = vehicles.mass.dtype
    times = np.zeros(len(pick), dtype)
    return times, Call(find_times, (vehicles, others, pick, way, how.numbers(dtype), times))
