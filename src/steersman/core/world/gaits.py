"""Reading the gait of vehicles, for animation."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.locomotion.limits.gait import MOST, Gait
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.core.world.population import LOCOMOTION_KEY, Population


class Strides(NamedTuple):
    """How vehicles stride, one row a vehicle.

    Attributes:
        phase: The phase in the cycle of their gait, from 0 up to 1, shape (n,).
        rate: Cycles in a second [1/s], shape (n,): the speed at which to play them.
        turning: Rate of turning in the last step [rad/s], positive to the left, in 3D about their up; shape (n,).
    """

    phase: Array
    rate: Array
    turning: Array


@explained
def gait_of(population: Population) -> Strides:
    """How the vehicles of a population stride: `sm.gait_of(world.populations["walkers"]).phase`.

    Args:
        population: A population (from `world.add` or `world.populations[name]`) with a body that has a Gait among its limits.

    Returns:
        Phase, rate and turning of every vehicle; copies.

    Raises:
        ValueError: Its body has no Gait, or several.
    """
    if not isinstance(population, Population):
        raise TypeError(
            f"population must be a Population (world.add returns it) or world.populations[name], got {brief(population)}"
        )
    gaits = [(k, limit) for k, limit in enumerate(population.locomotion.limits) if isinstance(limit, Gait)]
    if len(gaits) != 1:
        raise ValueError(
            f"population must have one Gait among the limits of its body, got {len(gaits)}; give it one: "
            f"world.add(..., locomotion=sm.PointMass(limits=[sm.Gait(stride=1.4)]))"
        )
    population.keep_up()
    place, gait = gaits[0]
    own = f"{place} Gait "
    memory: dict[str, Any] = population.recalled(LOCOMOTION_KEY)[1]
    vehicles = population.vehicles
    turn = _angle(memory[own + "facing"], vehicles.forward, vehicles.up if vehicles.dimensions == 3 else None)
    rate, took = vehicles.speed / gait.stride, memory[own + "took"]
    phase = memory[own + "phase"] + np.minimum(rate * took, MOST)
    return Strides(phase - np.floor(phase), rate, turn / np.where(took > 0, took, 1))


def _angle(before: Array, after: Array, up: Array | None) -> Array:
    """The angles from one direction to another [rad], counter-clockwise, in 3D about up; shape (n,)."""
    if up is None:
        across: Array = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    else:
        before = before - up * np.sum(before * up, axis=1, keepdims=True)
        across = np.sum(np.cross(before, after) * up, axis=1)
    return np.asarray(np.arctan2(across, np.sum(before * after, axis=1)))
