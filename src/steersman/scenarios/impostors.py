"""Impostors: stages in which a behavior is left out, or another one stands in its place.

A scenario names those that must not pass for it, and its check fails for each of them:

    impostors={
        "Seek for Pursue": instead(sm.Pursue, lambda it: sm.Seek(it.quarry), of="hunters"),
        "without Evade": without(sm.Evade),
        "a sum for the Priority": instead(sm.Priority, lambda it: sm.WeightedSum(it.components)),
    }
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.geometry.parameters import Parameters
from steersman.geometry.vectors import Array
from steersman.scenarios.scenario import Impostor
from steersman.scenarios.stage import Stage
from steersman.steering.behavior import Behavior, as_behavior
from steersman.vehicles.vehicles import Vehicles


def instead(kind: type[Parameters], other: Any, *, of: str | None = None) -> Impostor:
    """Another behavior in the place of every one of a kind.

    Args:
        kind: The class of what is replaced: a behavior, a condition, a predictor, a limit.
        other: What stands there instead; or a function that makes it of what stood there.
        of: The population whose tree is changed. Default: all.
    """

    def change(stage: Stage) -> None:
        found = 0

        def swapped(value: Any) -> Any:
            nonlocal found
            if isinstance(value, kind):
                found += 1
                return other if isinstance(other, Parameters) else other(value)
            if isinstance(value, Parameters):
                fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
                made = {name: swapped(each) for name, each in fields.items()}
                return value.replace(**made) if any(made[name] is not fields[name] for name in made) else value
            if isinstance(value, (tuple, list)):
                items = [swapped(each) for each in value]
                changed = any(new is not old for new, old in zip(items, value, strict=True))
                make = getattr(type(value), "_make", type(value))  # A named tuple has a way of its own.
                return make(items) if changed else value
            if isinstance(value, Mapping):
                table = {key: swapped(each) for key, each in value.items()}
                return table if any(table[key] is not value[key] for key in table) else value
            return value

        for name, population in stage.world.populations.items():
            if of in (None, name) and population.steering is not None:
                population.steering = swapped(as_behavior(population.steering))
            if of in (None, name):
                population.locomotion = swapped(population.locomotion)
        if not found:
            raise ValueError(f"there must be a {kind.__name__} to be replaced, there is none")

    return change


def without(*kinds: type[Behavior], of: str | None = None) -> Impostor:
    """Nothing in the place of every behavior of some kinds."""
    changes = [instead(kind, lambda _: nothing, of=of) for kind in kinds]

    def change(stage: Stage) -> None:
        for each in changes:
            each(stage)

    return change


def nobody_steers(stage: Stage) -> None:
    """The impostor of all scenarios."""
    for population in stage.world.populations.values():
        population.steering = None


def nothing(vehicles: Vehicles) -> Array:
    """The behavior that wants nothing."""
    return np.zeros_like(vehicles.velocity)
