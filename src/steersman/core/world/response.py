"""Warn of steps that are too long for the response time, where a behavior steers by it.

    force = m (u - velocity) / tau     in a step, the difference of the velocity from u changes by the factor 1 - dt / tau

From dt = 2 tau on, the difference grows. This concerns only behaviors that read `response_time`: Seek does; Wander("sphere"),
AvoidObstacles and most functions do not. Whether a tree reads it is found in the code of its kernels and functions, so no
behavior has to declare it.
"""

import functools
import warnings
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from steersman.core.parameters.guiding import outside
from steersman.core.world.plan import SteeringPlan

COLUMN = "response_time"


def warn_of_response(plan: SteeringPlan, dt: float) -> None:
    """Warn when a step is too long for the response time that a population's tree steers by.

    Args:
        plan: The plan of the population.
        dt: The time step [s].
    """
    times = plan.vehicles.response_time
    if 0 < dt < 2 * float(times.min(initial=np.inf)):
        return
    shortest = float(times[times > 0].min(initial=np.inf))
    if dt >= 2 * shortest and steers_by_response(plan):
        warnings.warn(
            f"dt = {dt:g} s is not below twice the shortest response_time of {plan.population.name!r} "
            f"({shortest:g} s): velocities will oscillate ever wider. Take a smaller dt, a larger "
            f'response_time, or response_time="step".',
            RuntimeWarning,
            stacklevel=outside(),
        )


def steers_by_response(plan: SteeringPlan) -> bool:
    """Whether a kernel or function of the tree reads the response time."""
    return any(reads(function) for call in plan.calls for function in functions_of(call.kernel))


def functions_of(called: Any) -> Iterator[FunctionType]:
    """The plain functions behind a kernel, a function, a method, or an object that can be called.

    Such objects are those of this library that call a function of the user, their attribute `ask` or `function`.
    """
    if isinstance(called, functools.partial):
        called = called.func
    called = getattr(called, "py_func", called)
    if isinstance(called, MethodType):
        # A behavior's own `steer`, and the functions that it was given to call.
        yield called.__func__  # type: ignore[misc]
        yield from functions_of(getattr(called.__self__, "function", None))
    elif isinstance(called, FunctionType):
        yield called
    elif called is not None:
        yield from functions_of(getattr(called, "ask", None))
        own = vars(type(called)).get("__call__")
        if isinstance(own, FunctionType):
            yield own


@functools.lru_cache(maxsize=1024)
def reads(function: FunctionType) -> bool:
    """Whether a function, or one of this library that it calls, reads the response time."""
    visited: set[Any] = set()
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if each in visited:
            continue
        visited.add(each)
        names = names_in(each.__code__)
        if COLUMN in names:
            return True
        for name in names:
            value = each.__globals__.get(name)
            plain = getattr(value, "py_func", value)
            if isinstance(plain, FunctionType) and (plain.__module__ or "").partition(".")[0] != "numpy":
                waiting.append(plain)
    return False


def names_in(code: CodeType) -> set[str]:
    """All names that code looks up, including those in functions inside it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
        elif isinstance(constant, str):
            names.add(constant)
    return names
