"""Setting: space and time of a step, as one argument of a kernel."""

from typing import NamedTuple

from steersman.core.steering.scene.clock import Clock
from steersman.core.typing import Array, Columns


class Setting(NamedTuple):
    """Space and time of a step.

    Attributes:
        wrap: Periods of a torus [m].
        ground: The normals of the ground on which vehicles walk; empty where there is none.
        clock: Time and step.
    """

    wrap: Array
    ground: Columns
    clock: Clock
