"""Conditions in plain words: why a vehicle has left a mode, for readers who do not write Python."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.action_selection.after import After
from steersman.core.action_selection.arrived import Arrived
from steersman.core.action_selection.chance import Chance
from steersman.core.action_selection.change import departures, number_of
from steersman.core.action_selection.composing import AllOf, AnyOf, Not
from steersman.core.action_selection.knows import Knows
from steersman.core.action_selection.modes import Modes
from steersman.core.action_selection.near import Near
from steersman.core.action_selection.sees import Sees
from steersman.core.action_selection.where import Where
from steersman.core.parameters.expression import Names, expression, user_value
from steersman.core.world.world import World


def reasons_of(world: World, population: str) -> Mapping[int, str]:
    """The conditions of all transitions of a population in plain words, by the number of the transition."""
    names = names_in(world)
    return {
        number_of(left, entered, condition.key): plainly(condition.behavior, names)
        for node in world.populations[population].nodes
        if isinstance(node.behavior, Modes)
        for _, left, entered, condition in departures(node)
    }


def names_in(world: World) -> Names:
    """The names of the populations of a world, for conditions."""
    names = Names()
    names.known.update({name: each.vehicles for name, each in world.populations.items()})
    return names


def plainly(condition: Any, names: Names, *, holds: bool = True) -> str:
    """A condition in plain words, or its opposite.

    Args:
        condition: The condition.
        names: The names of vehicles.
        holds: Whether it holds.
    """
    if name := getattr(condition, "name", ""):
        return str(name) if holds else f"not {name}"
    return _words(condition, names, holds)


@singledispatch
def _words(condition: Any, names: Names, holds: bool) -> str:
    text = expression(condition, names).replace("sm.", "")
    return text if holds else f"not {text}"


@_words.register
def _near(condition: Near, names: Names, holds: bool) -> str:
    leave = condition.distance if condition.leave is None else condition.leave
    target = _name(condition.target, names)
    return f"{target} within {condition.distance:g} m" if holds else f"{target} farther than {leave:g} m"


@_words.register
def _sees(condition: Sees, names: Names, holds: bool) -> str:
    return f"it {'sees' if holds else 'does not see'} {_name(condition.target, names)}"


@_words.register
def _knows(condition: Knows, names: Names, holds: bool) -> str:
    return f"it {'knows' if holds else 'does not know'} of {_name(condition.target, names)}"


@_words.register
def _arrived(condition: Arrived, names: Names, holds: bool) -> str:
    return f"it {'has' if holds else 'has not'} arrived at {_name(condition.target, names)}"


@_words.register
def _after(condition: After, names: Names, holds: bool) -> str:
    return f"{condition.seconds:g} s {'are' if holds else 'are not'} over"


@_words.register
def _chance(condition: Chance, names: Names, holds: bool) -> str:
    return f"of chance ({condition.rate:.2g} times a second)" if holds else "chance did not have it"


@_words.register
def _where(condition: Where, names: Names, holds: bool) -> str:
    word = getattr(user_value(condition.function), "__name__", "").strip("_").replace("_", " ")
    subject = f"“{word}”" if word and word != "<lambda>" else "a function of the program"
    return f"{subject} holds" if holds else f"{subject} does not hold"


@_words.register
def _all(condition: AllOf, names: Names, holds: bool) -> str:
    return (" and " if holds else " or ").join(plainly(each, names, holds=holds) for each in condition.components)


@_words.register
def _any(condition: AnyOf, names: Names, holds: bool) -> str:
    return (" or " if holds else " and ").join(plainly(each, names, holds=holds) for each in condition.components)


@_words.register
def _not(condition: Not, names: Names, holds: bool) -> str:
    return plainly(condition.component, names, holds=not holds)


def _name(target: Any, names: Names) -> str:
    """Vehicles by the name of their population, a point by its numbers."""
    if isinstance(target, np.ndarray):
        points = np.atleast_2d(target)
        return (
            f"({', '.join(f'{each:g}' for each in points[0])})" if len(points) == 1 else f"one of {len(points)} places"
        )
    return expression(target, names).replace("sm.", "")
