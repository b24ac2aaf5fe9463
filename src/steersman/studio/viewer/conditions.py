"""Conditions in plain words: why a vehicle has left a mode, for readers who do not write Python."""

import math
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
from steersman.core.steering.sensing.last_seen import LastSeen
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.world.world import World
from steersman.studio.viewer.purposes import at_place, with_article

NONE: Mapping[str, Any] = {}
"""Nothing has a name."""


class PlainNames(Names):
    """The names of vehicles and places, for conditions.

    Args:
        vehicles: Names -> vehicles.
        places: Names -> place [m], shape (d,), or thing, as the labels and the scenery of a stage.
    """

    def __init__(self, vehicles: Mapping[str, Any] = NONE, places: Mapping[str, Any] = NONE) -> None:
        super().__init__()
        self.known.update(vehicles)
        self.places = places


def names_in(world: World, places: Mapping[str, Any] = NONE) -> PlainNames:
    """The names of the populations of a world, and of places."""
    return PlainNames({name: each.vehicles for name, each in world.populations.items()}, places)


def reasons_of(world: World, population: str, places: Mapping[str, Any] = NONE) -> Mapping[int, str]:
    """The conditions of all transitions of a population in plain words, by the number of the transition."""
    names = names_in(world, places)
    return {
        number_of(left, entered, condition.key): plainly(condition.behavior, names)
        for node in world.populations[population].nodes
        if isinstance(node.behavior, Modes)
        for _, left, entered, condition in departures(node)
    }


def plainly(condition: Any, names: PlainNames, *, holds: bool = True) -> str:
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
def _words(condition: Any, names: PlainNames, holds: bool) -> str:
    text = expression(condition, names).replace("sm.", "")
    return text if holds else f"not {text}"


@_words.register
def _near(condition: Near, names: PlainNames, holds: bool) -> str:
    leave = condition.distance if condition.leave is None else condition.leave
    target = _name(condition.target, names)
    return f"{target} within {condition.distance:g} m" if holds else f"{target} farther than {leave:g} m"


@_words.register
def _sees(condition: Sees, names: PlainNames, holds: bool) -> str:
    return f"it {'sees' if holds else 'does not see'} {_name(condition.target, names)}"


@_words.register
def _knows(condition: Knows, names: PlainNames, holds: bool) -> str:
    subject = _subject(condition.target, names)
    if math.isinf(condition.within):
        return f"it knows where {subject} may be" if holds else f"it has forgotten {subject}"
    age = f"{condition.within:g} s"
    return f"it has news of {subject}, at most {age} old" if holds else f"it has had no news of {subject} for {age}"


@_words.register
def _arrived(condition: Arrived, names: PlainNames, holds: bool) -> str:
    return f"it {'has' if holds else 'has not'} arrived at {_name(condition.target, names)}"


@_words.register
def _after(condition: After, names: PlainNames, holds: bool) -> str:
    return f"{condition.seconds:g} s {'are' if holds else 'are not'} over"


@_words.register
def _chance(condition: Chance, names: PlainNames, holds: bool) -> str:
    return f"of chance ({condition.rate:.2g} times a second)" if holds else "chance did not have it"


@_words.register
def _where(condition: Where, names: PlainNames, holds: bool) -> str:
    word = getattr(user_value(condition.function), "__name__", "").strip("_").replace("_", " ")
    subject = f"“{word}”" if word and word != "<lambda>" else "a function of the program"
    return f"{subject} holds" if holds else f"{subject} does not hold"


@_words.register
def _all(condition: AllOf, names: PlainNames, holds: bool) -> str:
    return (" and " if holds else " or ").join(plainly(each, names, holds=holds) for each in condition.components)


@_words.register
def _any(condition: AnyOf, names: PlainNames, holds: bool) -> str:
    return (" or " if holds else " and ").join(plainly(each, names, holds=holds) for each in condition.components)


@_words.register
def _not(condition: Not, names: PlainNames, holds: bool) -> str:
    return plainly(condition.component, names, holds=not holds)


def _subject(knowledge: Knowledge, names: PlainNames) -> str:
    """The population that is looked for, or the noise that may be of any."""
    return _name(knowledge.population, names) if isinstance(knowledge, LastSeen) else "a noise"


def _name(target: Any, names: PlainNames) -> str:
    """Vehicles by the name of their population, a point by its name or its numbers, and what is known by its last place."""
    if isinstance(target, Knowledge):
        return f"the last known place of {_subject(target, names)}"
    if isinstance(target, np.ndarray):
        points = np.atleast_2d(target)
        named = [words for words, place in names.places.items() if len(points) == 1 and at_place(place, points[0])]
        if named:
            return with_article(named[0])
        return (
            f"({', '.join(f'{each:g}' for each in points[0])})" if len(points) == 1 else f"one of {len(points)} places"
        )
    return expression(target, names).replace("sm.", "")
