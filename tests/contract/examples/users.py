"""Examples of what users write: behaviors and functions in NumPy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.examples.example import Example

import steersman as sm


@dataclass(frozen=True, eq=False)
class Drift(sm.Behavior):
    """A user's behavior without memory: a force that is the same everywhere."""

    wind: tuple[float, ...] = (1.0, 0.0)

    def steer(self, scene: Any, memory: Mapping[str, Any], out: Any) -> None:
        out.linear[:] = scene.vehicles.mass[:, None] * np.array(self.wind, scene.vehicles.dtype)


@dataclass(frozen=True, eq=False)
class Tiring(sm.Behavior):
    """A user's behavior with memory: pushes ahead, ever less; who rests is claimed all the same."""

    loss: float = sm.parameter(0.25, low=0.0, high=1.0)

    def init(self, vehicles: sm.Vehicles) -> dict[str, Any]:
        return {"strength": np.ones(len(vehicles), vehicles.dtype), "steps": np.zeros((len(vehicles), 1), np.int64)}

    def steer(self, scene: Any, memory: Mapping[str, Any], out: Any) -> None:
        out.linear[:] = memory["strength"][:, None] * scene.vehicles.forward
        memory["strength"][...] *= 1 - self.loss
        memory["steps"][...] += 1
        out.acts[:] = True


def drag(vehicles: sm.Vehicles) -> Any:
    """A user's function."""
    return -vehicles.velocity * vehicles.mass[:, None]


EXAMPLES: dict[str, Example] = {
    "function": lambda p: drag,
    "behavior": lambda p: Drift(wind=tuple(p.state.wind)),
    "behavior with memory": lambda p: Tiring(loss=0.1),
    "users' behaviors combined": lambda p: sm.Priority([sm.Flee(p.state.points, panic_distance=6.0), drag + Tiring()]),
}
