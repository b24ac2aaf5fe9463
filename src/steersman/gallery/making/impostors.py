"""Impostors: stages in which a behavior is left out, or another one stands in its place.

A scenario names its impostors, and its check must fail with each of them:

    impostors={
        "Seek for Pursue": instead(sm.Pursue, lambda it: sm.Seek(it.quarry), of="hunters"),
        "without Evade": without(sm.Evade),
        "a sum for the Priority": instead(sm.Priority, lambda it: sm.WeightedSum(it.components)),
    }
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.walking import rewritten
from steersman.core.steering.behavior import Behavior, as_behavior
from steersman.core.steering.paths.go_to import GoTo
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.gallery.making.scenario import Impostor
from steersman.runs.documents.stage import Stage


def instead(kind: type[Parameters], other: Any, *, of: str | None = None) -> Impostor:
    """Another behavior in the place of every one of a kind.

    Args:
        kind: The class of the parts to replace: a behavior, a condition, a predictor, a limit.
        other: The part that replaces them; or a function that makes it from the replaced one.
        of: The population whose tree is changed. Default: all.
    """

    def change(stage: Stage) -> None:
        if not rewrite(stage, kind, other if callable(other) else lambda _: other, of):
            raise ValueError(f"there must be a {kind.__name__} to be replaced, there is none")

    return change


def by_another_map(**changes: Any) -> Impostor:
    """Every GoTo with other parameters of its map.

    Args:
        **changes: The parameters of the map.
    """
    return instead(GoTo, lambda way: way.replace(by=way.by.replace(**changes)))


def rewrite(stage: Stage, kind: type[Parameters], change: Callable[[Any], Any], of: str | None = None) -> int:
    """Replace every part of a kind, in the trees and bodies of a stage.

    Args:
        stage: The stage.
        kind: The class of the parts to replace.
        change: Makes the new part from the replaced one; the same object leaves it as it is.
        of: The population that is changed. Default: all.

    Returns:
        How many parts were replaced.
    """
    replaced = 0

    def is_another(value: Any) -> bool:
        return not isinstance(value, kind)

    def counted(part: Any) -> Any:
        nonlocal replaced
        made = part if is_another(part) else change(part)
        replaced += made is not part
        return made

    for name, population in stage.world.populations.items():
        if of in (None, name):
            if population.steering is not None:
                population.steering = rewritten(as_behavior(population.steering), counted, is_another)
            population.locomotion = rewritten(population.locomotion, counted, is_another)
    return replaced


def without(*kinds: type[Behavior], of: str | None = None) -> Impostor:
    """Nothing in the place of every behavior of some kinds."""
    changes = [instead(kind, lambda _: nothing, of=of) for kind in kinds]

    def change(stage: Stage) -> None:
        for each in changes:
            each(stage)

    return change


def remove_steering(stage: Stage) -> None:
    """The impostor of all scenarios."""
    for population in stage.world.populations.values():
        population.steering = None


def nothing(vehicles: Vehicles) -> Array:
    """The behavior that asks for no force."""
    return np.zeros_like(vehicles.velocity)
