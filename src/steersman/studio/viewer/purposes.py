"""The purpose of a behavior as the end of a sentence: "It turns left to ..."."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from steersman.core.parameters.expression import user_value
from steersman.core.steering.behavior import Behavior, Function
from steersman.core.steering.combining.orders import Orders
from steersman.core.steering.laws.leading import clear_way
from steersman.core.steering.paths.patrol import Patrol
from steersman.core.steering.targets.target import PointColumn
from steersman.core.typing import Array
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World

PURPOSES = {
    "Alignment": "head the same way as its neighbors",
    "Arrive": "arrive at its goal",
    "AvoidObstacles": "go around what is in its way",
    "AvoidNeighbors": "avoid a neighbor",
    "AvoidWalls": "stay clear of a wall",
    "Cohesion": "come closer to its neighbors",
    "Contain": "stay in its region",
    "Dock": "arrive at its berth, facing the right way",
    "Evade": "get away from its pursuer",
    "Explore": "search the next part of its region",
    "Face": "face its target",
    "Flee": "get away",
    "FollowFlow": "go with the flow",
    "FollowLeader": "get to its place behind its leader",
    "FollowPath": "follow its path",
    "FollowWall": "follow a wall",
    "Forage": "reach what it has found",
    "Formation": "take its place in the formation",
    "GoTo": "take the shortest way to its goal",
    "Hide": "keep an obstacle between itself and its pursuer",
    "MatchVelocity": "keep its usual speed and direction",
    "OffsetPursuit": "pass its quarry at a distance",
    "ORCA": "avoid its neighbors",
    "Patrol": "reach its next checkpoint",
    "Pursue": "intercept its quarry",
    "Queue": "take its turn at the door",
    "Seek": "reach its goal",
    "Separation": "keep apart from its neighbors",
    "StayOnPath": "stay on its path",
    "TargetSpeed": "keep its usual speed",
    "Wander": "wander at random",
    "Whiskers": "stay clear of an obstacle",
}
"""Purposes of behaviors whose docstrings begin with more than that, by the names of their classes."""

NAMED = {
    "Arrive": "arrive at {target}",
    "AvoidObstacles": "go around {obstacles}",
    "Contain": "stay within {region}",
    "Dock": "arrive at {target}, facing the right way",
    "Evade": "get away from {pursuer}",
    "Face": "face {target}",
    "Flee": "get away from {target}",
    "FollowLeader": "get to its place behind {leader}",
    "FollowPath": "follow {path}",
    "FollowWall": "follow {walls}",
    "Forage": "reach {resources}",
    "Formation": "take its place around {around}",
    "GoTo": "take the shortest way to {goal}",
    "Hide": "hide from {pursuer} behind {obstacles}",
    "Interpose": "get between {a} and {b}",
    "OffsetPursuit": "pass {quarry} at a distance",
    "Patrol": "reach {checkpoints}",
    "Pursue": "intercept {quarry}",
    "Seek": "reach {target}",
    "Shadow": "go along beside {quarry}",
    "StayOnPath": "stay on {path}",
}
"""The purposes of behaviors for which targets or things have names, with the parameters that hold these."""

GOALS = {
    "Arrive": "its goal",
    "Dock": "its berth",
    "Forage": "what it has found",
    "GoTo": "its goal",
    "Patrol": "next checkpoint",
    "Seek": "its goal",
}
"""What behaviors lead to that react to the very place, where it has no name of its own, by the names of their classes."""

REACTED = {
    **dict.fromkeys(("Alignment", "AvoidNeighbors", "Cohesion", "ORCA", "Separation", "Zones"), "neighbor"),
    **dict.fromkeys(("AvoidObstacles", "ContextMap", "Whiskers"), "obstacle"),
    **dict.fromkeys(("AvoidWalls", "FollowWall"), "wall"),
}
"""What behaviors react to where it has no name of its own, by the names of their classes."""

UNNAMED = {"obstacles": "obstacle"}
"""What the things of a parameter are called that have no name of their own."""

CHOOSING = {"ContextMap": "without hitting {obstacles}", "ORCA": "without colliding"}
"""How behaviors with parts serve the purpose of a part by a motion that they choose, by the names of their classes."""

UNKNOWN = "anything"
"""What is not hit where it has no name."""

AT_PLACE = "take its place at {around}"
"""The purpose of a Formation at a place, with its name."""

TARGETS = re.compile(r"{(\w+)}")
"""The parameters in a purpose with names."""

ARTICLE = re.compile("^(?:the|an?|its) ")

CLAUSE = re.compile(r"[^.;:(]+")
"""The first clause of a docstring."""


Namer = Callable[[Behavior, str], str]
"""Says what a parameter of a behavior is called: "the lamp"; "" where it has no name."""

ONES = {
    "caribou": "caribou", "cattle": "cow", "fish": "fish", "leaves": "leaf", "mice": "mouse", "people": "person",
    "sheep": "sheep", "thieves": "thief", "wolves": "wolf",
}  # fmt: skip
"""Plurals that do not end in the s of their singular, and names of groups -> the singular."""

BEINGS = (
    "animal", "ant", "bird", "car", "cow", "deer", "fish", "leaf", "moth", "motorcycle", "mouse", "person", "plane", "sheep",
    "ship", "wolf",
)  # fmt: skip
"""The glyphs that look like one kind of being or thing."""

ANYTHING = {"vehicle", "agent", "boid"}
"""Nouns that say less of a vehicle than a glyph."""

NOUN = re.compile(r"(?:The|An?|Its) [^.;:,()]+")
"""What a function returns, at the beginning of its docstring."""

WAY = "way"
"""What a namer is asked about a FollowLeader, beside its parameters: in the way of which leader the vehicle is."""

SENT = "the place that it was sent to"
"""What the target of a column is called at a place that has no name."""


def namer(world: World, population: str, known: Mapping[str, Any], row: int) -> Namer:
    """The names of targets of a vehicle: of populations, of places and things that have names, and of functions.

    Args:
        world: The world.
        population: The name of its population.
        known: Names -> place [m], or thing, as the labels and the scenery of a stage.
        row: The row of the vehicle, which of points for each of a population has its own.
    """

    def placed(place: Array) -> str:
        return next((with_article(words) for words, at in known.items() if at_place(at, place)), "")

    def name(behavior: Behavior, word: str) -> str:
        if word == WAY:
            return name(behavior, "leader") if in_way(world, population, row, behavior) else ""
        value = getattr(behavior, word, None)
        if isinstance(behavior, Patrol):
            value = behavior.checkpoints[world.memory(population, behavior)["checkpoint"][row]]
        members = getattr(value, "population", value)  # Of what is known of a population, too.
        for words in world.populations:
            if members is world[words]:
                which = getattr(behavior, f"which_{word}", getattr(behavior, "which", "first"))
                return _member(words.rpartition(": ")[2], len(world[words]), which)
        if isinstance(value, PointColumn):
            return placed(_ordered(world, population, value.column, row)) or SENT
        if not isinstance(value, np.ndarray) or not value.size:
            parts = (value, *getattr(value, "sets", ()))
            things = [words for words, each in known.items() if any(each is part for part in parts)]
            if not things or value is None:
                return _returned(value)
            return " or ".join(_any(each) for each in things) if word == "obstacles" else with_article(things[0])
        return placed(value[row % len(value)] if value.ndim == 2 else value)

    return name


def _ordered(world: World, population: str, column: str, row: int) -> Array:
    """The point of a vehicle in a column of Orders [m]; no number of a behavior that has none above it."""
    orders = (node.behavior for node in world.populations[population].nodes if isinstance(node.behavior, Orders))
    points = (world.memory(population, each)[column][row] for each in orders if column in each.columns)
    return np.asarray(next(points, ()))


def in_way(world: World, population: str, row: int, behavior: Any) -> bool:
    """Whether the body of a vehicle reaches into the way of a leader that is kept clear."""
    leaders, vehicles = without_holder(behavior.leader), world[population]
    offset = world.domain.difference(vehicles.position[row], leaders.position)
    width = behavior.clear_width + 2 * vehicles.radius[row]
    return bool(clear_way(offset, leaders.forward, behavior.clear_length, width).any())


def at_place(one: Any, place: Array) -> bool:
    """Whether what has a name is this place; False of other things."""
    return isinstance(one, (np.ndarray, Sequence)) and np.array_equal(np.asarray(one, float), place)


def _member(words: str, size: int, which: Any) -> str:
    """One vehicle of a population: "the dog", "the nearest wolf"; also the ward that each guard has of its own."""
    if size > 1 and isinstance(which, str) and which == "nearest":
        return f"the nearest {one_of(words)}"
    return with_article(one_of(words))


def one_of(words: str) -> str:
    """The singular of the name of a population or of things: "wolf" of "wolves"; other words as they are."""
    before, space, last = words.rpartition(" ")
    if last in ONES:
        return before + space + ONES[last]
    if last.endswith("ies"):
        return words[:-3] + "y"
    return words[:-1] if last.endswith("s") and not last.endswith(("ss", "us")) else words


def noun_of(population: str, size: int, glyph: str | None = None) -> str:
    """The noun of a vehicle: "wolf" of "wolves", "ship" of vehicles that look like ships; "" where none is known.

    Args:
        population: The name of its population.
        size: How many there are: the name of a single one is its noun, "dog".
        glyph: The glyph that was chosen for them.
    """
    words = population.rpartition(": ")[2]
    one = one_of(words)
    named = one != words or words in ONES or (size == 1 and len(words) > 1)
    if named and not (glyph in BEINGS and one in ANYTHING):
        return one
    return glyph if glyph in BEINGS else ""


def _any(words: str) -> str:
    """Any one of things: "a rock" of "rocks"; "the trap" where they are one."""
    one = one_of(words)
    return with_article(words) if one == words else f"{'an' if one[0] in 'aeiou' else 'a'} {one}"


def _at_place(behavior: Any) -> bool:
    """Whether a Formation stands at a place, and neither around it nor around a leader."""
    return behavior.slots != "circle" and not isinstance(behavior.around, Vehicles)


def _returned(value: Any) -> str:
    """What a function returns, by its docstring: "the place behind the cow"; "" where this says nothing of the kind."""
    doc = " ".join((getattr(user_value(value), "__doc__", None) or "").split()) if callable(value) else ""
    noun = NOUN.match(doc)
    return doc[:1].lower() + noun.group()[1:].rstrip() if noun else ""


def with_article(words: str) -> str:
    """A label as a noun: "the lamp", "post 2", "place 3", "home"."""
    if words.isdigit():
        return f"place {words}"
    return words if words == "home" or words.startswith("the ") or words[-1:].isdigit() else f"the {words}"


def reacts_to(behavior: object, named: Namer) -> tuple[str, ...]:
    """What a behavior reacts to, without articles, as labels beside it: "dog"; none where this is not known.

    Args:
        behavior: The behavior.
        named: Says what its targets are called.
    """
    name = type(behavior).__name__
    words = TARGETS.findall(NAMED.get(name, "") + CHOOSING.get(name, ""))
    if not isinstance(behavior, Behavior):
        return ()
    reacted = tuple(ARTICLE.sub("", named(behavior, each)) or UNNAMED.get(each, "") for each in words)
    return reacted if reacted and all(reacted) else tuple(each for each in [REACTED.get(name, "")] if each)


def goal_of(behavior: object, reacted: Sequence[str]) -> str:
    """The name of the place that a behavior leads to, without its article; "" where it does not react to this place.

    Args:
        behavior: The behavior.
        reacted: The answer of `reacts_to`.
    """
    name, words = type(behavior).__name__, next(iter(reacted), "")
    if name == "FollowPath":
        return f"ahead on the {words or 'path'}"
    if name == "GoTo" and words and getattr(behavior, "by", None) is not None:
        return f"ahead on the way to the {words}"
    return words or GOALS[name] if name in GOALS else ""


def purpose_of(behavior: object, parts: bool = False, named: Namer = lambda *_: "") -> str:
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
        known = named(behavior, "obstacles") if isinstance(behavior, Behavior) else ""
        return CHOOSING.get(name, "").format(obstacles=known or UNKNOWN)
    if isinstance(behavior, Function):
        noun = _returned(behavior.function)
        return f"because {noun} pushes it" if noun else ""
    if not isinstance(behavior, Behavior):
        return ""
    speed: Any = getattr(behavior, "speed", None)
    if name == "TargetSpeed" and np.array_equal(speed, 0):
        return "stand still"
    if name == "FollowLeader" and (leader := named(behavior, WAY)):
        return f"get out of the way of {leader}"
    names = {word: named(behavior, word) for word in TARGETS.findall(NAMED.get(name, ""))}
    if names and all(names.values()):
        return (AT_PLACE if name == "Formation" and _at_place(behavior) else NAMED[name]).format(**names)
    if known is not None:
        return known
    clause = CLAUSE.match((type(behavior).__doc__ or "").strip().replace("\n", " "))
    words = clause.group().strip() if clause else ""
    return words[:1].lower() + words[1:]
