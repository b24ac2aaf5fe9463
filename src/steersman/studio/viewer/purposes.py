"""The purpose of a behavior as the end of a sentence: "It turns left to ..."."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from steersman.core.steering.behavior import Behavior
from steersman.core.typing import Array
from steersman.core.world.world import World

PURPOSES = {
    "Alignment": "head as its neighbors do",
    "Arrive": "get to its goal",
    "AvoidObstacles": "go around what is in its way",
    "AvoidNeighbors": "keep out of the way of others",
    "AvoidWalls": "stay off a wall",
    "Contain": "stay in its region",
    "Dock": "arrive at its berth, facing the right way",
    "Evade": "get away from where its pursuer will be",
    "Explore": "see what it has not seen yet",
    "Face": "face its target",
    "Flee": "get away",
    "FollowFlow": "go with the flow",
    "FollowLeader": "stay behind its leader",
    "FollowPath": "stay on its path",
    "Function": "do as its function says",
    "FollowWall": "keep its distance to a wall",
    "Forage": "go to what it has found",
    "GoTo": "take the shortest way to its goal",
    "Hide": "keep an obstacle between itself and its pursuer",
    "MatchVelocity": "have the velocity that it is to match",
    "OffsetPursuit": "pass its quarry at a distance",
    "ORCA": "meet no other vehicle",
    "Patrol": "reach its next checkpoint",
    "Pursue": "be where its quarry will be",
    "Queue": "take its turn at a doorway",
    "Seek": "reach its target",
    "StayOnPath": "stay on its path",
    "TargetSpeed": "reach its usual speed",
    "Wander": "stroll about at random",
    "Whiskers": "steer clear of an obstacle",
}
"""Purposes of behaviors whose docstrings begin with more than that, by the names of their classes."""

NAMED = {
    "Arrive": "get to {target}",
    "AvoidObstacles": "go around {obstacles}",
    "Contain": "stay within {region}",
    "Dock": "arrive at {target}, facing the right way",
    "Evade": "get away from where {pursuer} will be",
    "Face": "face {target}",
    "Flee": "get away from {target}",
    "FollowLeader": "stay behind {leader}",
    "FollowPath": "stay on {path}",
    "FollowWall": "keep its distance to {walls}",
    "GoTo": "take the shortest way to {goal}",
    "Hide": "hide from {pursuer} behind {obstacles}",
    "Interpose": "get between {a} and {b}",
    "OffsetPursuit": "pass {quarry} at a distance",
    "Pursue": "be where {quarry} will be",
    "Seek": "reach {target}",
    "Shadow": "go along with {quarry}",
    "StayOnPath": "stay on {path}",
}
"""The purposes of behaviors for which targets or things have names, with the parameters that hold these."""

CHOOSING = {"ContextMap": "in the best of many directions", "ORCA": "without meeting others"}
"""How behaviors with parts serve the purpose of a part by a motion that they choose, by the names of their classes."""

TARGETS = re.compile(r"{(\w+)}")
"""The parameters in a purpose with names."""

CLAUSE = re.compile(r"[^.;:(]+")
"""The first clause of a docstring."""


Namer = Callable[[Any], str]
"""Says what a target is called: "the lamp"; "" where it has no name."""


def namer(world: World, known: Mapping[str, Any], row: int) -> Namer:
    """The names of targets of a vehicle: of populations, and of places and things that have names.

    Args:
        world: The world.
        known: Names -> place [m], or thing, as the labels and the scenery of a stage.
        row: The row of the vehicle, which of points for each of a population has its own.
    """

    def name(value: Any) -> str:
        members = getattr(value, "population", value)  # Of what is known of a population, too.
        for words in world.populations:
            if members is world[words]:
                return _with_article(words.rpartition(": ")[2])
        if not isinstance(value, np.ndarray) or not value.size:
            parts = (value, *getattr(value, "sets", ()))
            things = [words for words, each in known.items() if any(each is part for part in parts)]
            return _with_article(" and ".join(things)) if things and value is not None else ""
        place = value[row % len(value)] if value.ndim == 2 else value
        found = [words for words, at in known.items() if at_place(at, place)]
        return _with_article(found[0]) if found else ""

    return name


def at_place(one: Any, place: Array) -> bool:
    """Whether what has a name is this place; False of other things."""
    return isinstance(one, (np.ndarray, Sequence)) and np.array_equal(np.asarray(one, float), place)


def _with_article(words: str) -> str:
    """A label as a noun: "the lamp", "post 2", "place 3", "home"."""
    if words.isdigit():
        return f"place {words}"
    return words if words == "home" or words.startswith("the ") or words[-1:].isdigit() else f"the {words}"


def purpose_of(behavior: object, parts: bool = False, named: Namer = lambda _: "") -> str:
    """What follows "to" in a sentence about what a behavior does; "" where nothing is known, as of a plain function.

    Args:
        behavior: A behavior of the library, or one of a user: its docstring begins with what it does, as an order.
        parts: Whether it has parts. Then these have purposes, and the text says how a behavior that chooses another motion
            than they serves them; "" for others.
        named: Says what its targets are called; "" of those without a name.
    """
    name = type(behavior).__name__
    known = PURPOSES.get(name)
    if parts:
        return CHOOSING.get(name, "")
    names = {word: named(getattr(behavior, word, None)) for word in TARGETS.findall(NAMED.get(name, ""))}
    if names and all(names.values()):
        return NAMED[name].format(**names)
    if known is not None or not isinstance(behavior, Behavior):
        return known or ""
    clause = CLAUSE.match((type(behavior).__doc__ or "").strip().replace("\n", " "))
    words = clause.group().strip() if clause else ""
    return words[:1].lower() + words[1:]
