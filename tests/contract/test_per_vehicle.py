"""Numbers with one value per vehicle: every number of every behavior, or a message that says that it takes one.

Each is a kernel of its own to compile. Two numbers of the first example of every behavior are tried, chosen by its name,
and one in twelve of those of its other examples; with STEERSMAN_ALL=1 all are.
"""

from dataclasses import MISSING
from functools import partial
from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import Place, State
from contract.running import DT, controller, forces
from contract.trying import FIRST, INSTANCES, family_of, whole
from sampling import drawn, is_drawn

import steersman as sm
from steersman.core.parameters.kinds import NUMBER, Description
from steersman.core.parameters.parameters import describe
from steersman.core.steering.behavior import as_behavior

REFUSED = "must be one number for all vehicles here, not one per vehicle"

ONE_FOR_ALL = {
    "Alignment": {"radius", "turbulence"},
    "Arrive": {"calibrate"},
    "Dithered": {"period"},
    "Explore": {"reach"},
    "Flocking": {"alignment_radius", "turbulence"},
    "GoTo": {"congestion"},
    "Forage": {"rate"},
    "Formation": {"reassign", "spacing"},
    "RoundRobin": {"period"},
    "Separation": {"falloff"},
    "Tiring": {"loss"},
}
"""The numbers by class that are the same for all vehicles, by every law of the class or by some."""


def numbers() -> dict[str, list[tuple[str, dict[str, str]]]]:
    """The numbers of the behaviors of examples, by the family of the example."""
    families: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for name, behavior in INSTANCES.items():
        own = [each.name for each in describe(type(behavior)) if each.kind is NUMBER]
        tried = (
            drawn(own, 2, name) if name in FIRST else [each for each in own if is_drawn(f"{name} {each}", 12, "rows")]
        )
        if tried:
            families.setdefault(family_of(name), []).extend((name, {"number": each}) for each in tried)
    return families


NUMBERS = numbers()


def allowed(about: Description, value: Any) -> Any:
    """The value where it is a number, or one that is allowed."""
    if isinstance(value, (int, float)):
        return float(value)
    usual = about.default if isinstance(about.default, (int, float)) and about.default is not MISSING else 0.75
    return float(usual)


def outcome(place: Place, make: Any, **changes: Any) -> Any:
    """Forces, or what was wrong."""
    try:
        return forces(place, as_behavior(make(place)).replace(**changes), steps=3)
    except (TypeError, ValueError) as error:
        return str(error)


@pytest.mark.one_in(4)
@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@pytest.mark.parametrize("family", NUMBERS)
@partial(whole, families=NUMBERS)
def test_a_column_is_the_number_of_each_vehicle(name: str, number: str) -> None:
    """A column is read where an array is, also where the law computes with it before a step."""
    state, make = State.random(3, 2), EXAMPLES[name]
    behavior = as_behavior(make(state.place(np.float32)))
    about = next(each for each in describe(type(behavior)) if each.name == number)
    value = allowed(about, getattr(behavior, number))
    if not np.isfinite(value):
        value = 3.0
    n = len(state.position)
    each = value * np.where(np.arange(n) % 2 == 0, 1, 0.5 if about.holds(0.5 * value) else 1)
    later = np.roll(each, 1)

    def found(value: Any, then: Any) -> Any:
        place = state.place(np.float32)

        def tree(value: Any) -> Any:
            return sm.Orders(as_behavior(make(place)).replace(**{number: value}), {"own": float(each[0])})

        try:
            steered = controller(place, tree(value))
            steered.order(place.vehicles.id, own=each)
            forces = [steered.steer(DT).copy() for _ in range(3)]
            steered.order(place.vehicles.id, own=later)
            if then is not None:
                steered.steering = tree(then)
            return np.array([*forces, steered.steer(DT)])
        except (TypeError, ValueError) as error:
            return str(error)

    array, column = found(each, later), found("column:own", None)
    if isinstance(array, str):
        assert isinstance(column, str)
        return
    assert not isinstance(column, str), column
    np.testing.assert_allclose(column, array, rtol=4e-6, atol=ROUNDING * np.abs(array).max(initial=0.0))


ROUNDING = 1e-6
"""The program for numbers by row is another one than that for one number, and multiply-adds are fused in other places."""


@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@pytest.mark.parametrize("family", NUMBERS)
@partial(whole, families=NUMBERS)
def test_one_number_per_vehicle_is_the_number_itself(name: str, number: str) -> None:
    state, make = State.random(3, 2), EXAMPLES[name]
    place = state.place(np.float32)
    behavior = as_behavior(make(place))
    about = next(each for each in describe(type(behavior)) if each.name == number)
    value = allowed(about, getattr(behavior, number))
    n = len(state.position)
    one = outcome(place, make, **{number: value})
    all_alike = outcome(state.place(np.float32), make, **{number: np.full(n, value)})
    if isinstance(all_alike, str) and REFUSED in all_alike:
        assert number in ONE_FOR_ALL[type(behavior).__name__]
        return
    if isinstance(one, str):
        assert str(all_alike).partition(", got")[0] == one.partition(", got")[0]
        return
    np.testing.assert_allclose(all_alike, one, rtol=4e-6, atol=ROUNDING * np.abs(one).max(initial=0.0))
    if not about.holds(0.5 * value):
        return
    other = outcome(state.place(np.float32), make, **{number: np.full(n, 0.5 * value)})
    if isinstance(other, str):
        return
    half = np.arange(n) % 2 == 0
    mixed = outcome(state.place(np.float32), make, **{number: np.where(half, value, 0.5 * value)})
    np.testing.assert_array_equal(mixed, np.where(half[:, None], all_alike, other))
