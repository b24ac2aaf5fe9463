"""The purpose of a behavior as the end of a sentence: "It turns left to ..."."""

import re

from steersman.core.steering.behavior import Behavior

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
    "GoTo": "take the shortest way to its goal",
    "Hide": "keep an obstacle between itself and its pursuer",
    "MatchVelocity": "have the velocity that it is to match",
    "OffsetPursuit": "pass its quarry at a distance",
    "ORCA": "meet no other vehicle",
    "Patrol": "reach its next checkpoint",
    "Pursue": "be where its quarry will be",
    "Queue": "wait for its turn at a doorway",
    "Seek": "reach its target",
    "StayOnPath": "stay on its path",
    "TargetSpeed": "reach its usual speed",
    "Wander": "stroll about at random",
    "Whiskers": "steer clear of an obstacle",
}
"""Purposes of behaviors whose docstrings begin with more than that, by the names of their classes."""

CHOOSING = {"ContextMap": "in the best of many directions", "ORCA": "without meeting others"}
"""How behaviors with parts serve the purpose of a part by a motion that they choose, by the names of their classes."""

CLAUSE = re.compile(r"[^.;:(]+")
"""The first clause of a docstring."""


def purpose_of(behavior: object, parts: bool = False) -> str:
    """What follows "to" in a sentence about what a behavior does; "" where nothing is known, as of a plain function.

    Args:
        behavior: A behavior of the library, or one of a user: its docstring begins with what it does, as an order.
        parts: Whether it has parts. Then these have purposes, and the text says how a behavior that chooses another motion
            than they serves them; "" for others.
    """
    name = type(behavior).__name__
    known = PURPOSES.get(name)
    if parts:
        return CHOOSING.get(name, "")
    if known is not None or not isinstance(behavior, Behavior):
        return known or ""
    clause = CLAUSE.match((type(behavior).__doc__ or "").strip().replace("\n", " "))
    words = clause.group().strip() if clause else ""
    return words[:1].lower() + words[1:]
