"""Words by which a scenario is found besides its name and sentence: tags, behaviors, and what else these are called."""

import re
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any

from steersman.core.steering.registry import BEHAVIORS
from steersman.gallery.making.scenario import Scenario

SYNONYMS = {
    "predator prey hunt": "Evade wolves falcon prowler hunter hunters quarry pack dog stalker",
    "chase chasing pursuit": "Pursue ConstantBearing OffsetPursuit Evade",
    "escape flight panic": "Flee Evade evacuated",
    "crowd people pedestrian": "walkers person crowd ORCA SocialForce Queue CollisionFreeSpeed AnticipationVelocity PowerLaw",
    "flock school swarm herd boids bird": "Flocking flock fish boids starlings herd sheep caribou cow Alignment",
    "car drive traffic vehicle": "car cars race motorcycle",
    "avoid avoidance collision dodge": "AvoidObstacles AvoidNeighbors AvoidWalls ORCA Whiskers ContextMap SocialForce",
    "pathfinding navigation route": "GoTo FollowPath FollowFlow maze",
    "patrol guard stealth": "Patrol guards sentry",
    "formation squad convoy": "Formation squads squadron FollowLeader wedge",
    "state machine fsm ai": "Modes",
    "boat ship sea": "ships cruiser",
    "game sport ball": "soccer puck player flag",
    "arrive parking stop brake": "Arrive Dock",
}
"""Words of visitors -> behaviors, and words of sentences, one of which a scenario has that is meant."""

WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
"""Words in the name of a behavior."""


def behaviors_of(scenario: Scenario) -> list[str]:
    """The names of the behaviors that the file of a scenario uses."""
    module = vars(sys.modules[scenario.make.__module__])
    used = {name for each in module.values() for code in _codes_of(each, module["__name__"]) for name in code.co_names}
    return sorted(used & set(BEHAVIORS))


def words_of(scenario: Scenario) -> str:
    """All words by which a scenario is found."""
    behaviors = behaviors_of(scenario)
    parts = [part for name in behaviors for part in WORDS.findall(name)]
    said = {*behaviors, *re.findall(r"\w+", f"{scenario.name.replace('_', ' ')} {scenario.shows}".lower())}
    meant = [words for words, signs in SYNONYMS.items() if not said.isdisjoint(signs.split())]
    return " ".join([*scenario.tags, *behaviors, *parts, *meant])


def _codes_of(value: Any, module: str) -> Iterator[CodeType]:
    """The code of a function of a module, of the methods of a class of it, and of all functions within."""
    if getattr(value, "__module__", None) != module:
        return
    for each in vars(value).values() if isinstance(value, type) else [value]:
        code = getattr(each, "__code__", None)
        waiting = [code] if code is not None else []
        while waiting:
            code = waiting.pop()
            yield code
            waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
