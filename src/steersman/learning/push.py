"""Push: a force that a program writes, for every vehicle."""

from dataclasses import dataclass

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles


@row_kernel
def push(i: int, force: Columns, max_force: Array, out: Out) -> None:
    """The force that was written."""
    deposit(out, i, load(force, i), max_force[i], True)


@dataclass(frozen=True, eq=False)
class Push(Behavior):
    """The force in the column "command" of its memory [N], which no step changes; zero at the start."""

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The column."""
        return {"command": np.zeros((len(vehicles), vehicles.dimensions), vehicles.dtype)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        return [Call(push, (memory.now("command"), scene.columns.max_force, out))]
