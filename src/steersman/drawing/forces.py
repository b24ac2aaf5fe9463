"""Steering forces in pictures: an arrow for each vehicle, as `World.explain` tells them for the step that comes next."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.core.world.world import World

LONGEST = 0.075
"""Length of the longest arrow, as a part of the width of the picture."""

FAINTEST, SHORTEST = 0.05, 0.01
"""The strongest force makes the longest arrow, unless it is less than this part of the largest max_force. Arrows
shorter than this part of the longest are not drawn."""


class Forces(NamedTuple):
    """Steering forces of some vehicles.

    Attributes:
        position: Where the vehicles are [m], shape (k, d).
        force: Their steering forces [N], shape (k, d).
        full: The force that the longest arrow stands for [N].
    """

    position: Array
    force: Array
    full: float

    @property
    def strongest(self) -> float:
        """The strongest force [N], 0 without any."""
        return float(np.linalg.norm(self.force, axis=1).max(initial=0.0))

    def arrows(self, span: float) -> Array:
        """Tails and tips of those arrows that can be seen in a picture of a width [m], shape (m, 2, d)."""
        visible = np.linalg.norm(self.force, axis=1) > SHORTEST * self.full
        tail, force = self.position[visible], self.force[visible]
        return np.stack([tail, tail + force * (LONGEST * span / (self.full or 1.0))], axis=1)


def forces_of(world: World, which: Any) -> Forces:
    """The steering forces of vehicles in a world, between steps; arguments and errors are those of `selected_ids`."""
    positions, forces, limits = [], [], [np.zeros(1)]
    for name, ids in selected_ids(world, which, "forces").items():
        explanation = world.explain(name)
        force, position = explanation.force.astype(np.float64), world[name].position.astype(np.float64)
        chosen = np.isin(explanation.id, ids) & np.isfinite(position).all(axis=1) & np.isfinite(force).all(axis=1)
        positions.append(position[chosen])
        forces.append(force[chosen])
        limits.append(explanation.max_force[chosen].astype(np.float64))
    together, limit = np.concatenate(forces), np.concatenate(limits)
    strongest = float(np.linalg.norm(together, axis=1).max(initial=0.0))
    weakest = FAINTEST * float(limit[np.isfinite(limit)].max())
    return Forces(np.concatenate(positions), together, max(strongest, weakest))


def selected_ids(world: World, which: Any, argument: str) -> dict[str, Array]:
    """Ids of the vehicles to be drawn, by population.

    Args:
        world: The world.
        which: True for all steered vehicles, an id, ids (k,), or ids by the name of the population.
        argument: The name of the argument: forces, or a sketch.

    Raises:
        ValueError: No vehicle is steered.
    """
    steered = {name: world[name].id for name, population in world.populations.items() if population.tree is not None}
    if not steered:
        raise ValueError(f"{argument} must be ids of vehicles that are steered, and none is steered")
    if which is True:
        return steered
    if isinstance(which, Mapping):
        ids_of = {name: _ids(ids, argument) for name, ids in which.items()}
        missing = [(name, np.setdiff1d(ids, world[name].id)) for name, ids in ids_of.items()]
    else:
        ids_of = dict.fromkeys(steered, _ids(which, argument))
        every_id = np.concatenate(list(steered.values()))
        missing = [(", ".join(steered), np.setdiff1d(_ids(which, argument), every_id))]
    for name, ids in missing:
        if len(ids):
            raise KeyError(f"no vehicle of {name} has the id {ids[0]}")
    return ids_of


def _ids(which: Any, argument: str) -> Array:
    ids = np.atleast_1d(np.asarray(which))
    if ids.ndim != 1 or (len(ids) and not np.issubdtype(ids.dtype, np.integer)):
        raise TypeError(f"{argument} must be True, an id, ids, or ids by population, got {brief(which)}")
    return ids
