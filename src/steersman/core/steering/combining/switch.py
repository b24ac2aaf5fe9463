"""Switch: a part that can be turned on and off while running.

    force = force of the part where on, else 0

Game AI lecture, "Turning Steering Methods On & Off": flags that the character's thinking sets (`wanderOn`), read anew at
every step. A part that is off costs nothing, and its memory rests. For changes of mode by conditions, see Modes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.weighted_sum import PARTS, as_parts
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

On = bool | Array | Callable[[Vehicles], Any]
"""On or off, flags for all vehicles, or a function that returns either."""


@row_kernel(every=True, some=True)
def let_through(i: int, active: Array, on: Array, part_active: Array) -> Any:
    """Ask the part to steer the vehicles for which it is on."""
    part_active[i] = active[i] & on[i]
    return part_active[i]


def as_one_part(name: str, value: Any) -> tuple[Behavior, ...]:
    """The part of a switch, as a tuple of one."""
    parts = as_parts([value] if isinstance(value, Behavior) or callable(value) else value, name)
    if len(parts) != 1:
        raise ValueError(f"{name} of a Switch must be exactly one part, got {len(parts)}; make a sum of them, say")
    return parts


def as_on(name: str, value: Any) -> On:
    """True or false; flags, of which an array is not copied; or a function."""
    value = np.array(value) if isinstance(value, list) else value
    if isinstance(value, np.ndarray):
        check_flags(value)
    elif isinstance(value, (bool, np.bool_)):
        return bool(value)
    elif not callable(value):
        raise TypeError(
            f"{name} must be true or false, an array of flags or a function of the vehicles, got {brief(value)}"
        )
    return value  # type: ignore[no-any-return]


ONE_PART = Kind("parts", "a behavior", as_one_part, like=PARTS)
SWITCH = Kind("switch", "true, false, flags (n,), or a function of the vehicles that says either", as_on)


@registered
class Switch(Behavior):
    """One part, on or off.

    Args:
        components: The part: a behavior or a function (or a list of one).
        on: Whether it is on: True or False; or flags, shape (n,), bool, one a vehicle, which as an array are read anew at
            every step, so change them in place; or a function `vehicles -> True, False or flags (n,)`, asked once a step.

    Raises:
        ValueError: There is not exactly one part; or, while steering, there are not as many flags as vehicles.
    """

    components: Any = parameter(kind=ONE_PART, positional=True)
    on: On = parameter(True, kind=SWITCH)

    def parts(self) -> tuple[Behavior, ...]:
        """The part."""
        return tuple(self.components)

    def defers(self, index: int) -> bool:
        """Whether the part is not always on."""
        return self.on is not True

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The calls of the part, if it is not off; where that varies, first the call that asks for which vehicles."""
        if self.on is True:
            return scene.part(0, out)
        if self.on is False:  # A trace records the part, though it gives no force.
            return scene.part(0, out._replace(active=np.zeros_like(out.active))) if scene.traced else []
        on, part_active = np.zeros((2, scene.capacity), np.uint8)
        some = flags_of(part_active)
        return [
            Call(_Ask(self.on, scene.vehicles, on), whole=True, fits=True),
            Call(let_through, (out.active, on, part_active, some)),
            *scene.look_calls([(scene.node.children[0], part_active)]),
            *gated(some, scene.part(0, out._replace(active=part_active))),
        ]


class _Ask:
    """Asks for which vehicles the part is on."""

    def __init__(self, on: Any, vehicles: Vehicles, flags: Array) -> None:
        self.on, self.vehicles, self.flags = on, vehicles, flags

    def __call__(self) -> None:
        flags = self.on if isinstance(self.on, np.ndarray) else np.asarray(self.on(self.vehicles))
        n = len(self.vehicles)
        check_flags(flags)
        if flags.ndim == 1 and flags.shape != (n,):
            raise ValueError(f"on must be one flag a vehicle, shape {(n,)}, got {flags.shape}")
        self.flags[:n] = flags


def check_flags(flags: Array) -> None:
    """Raise TypeError when an array holds no flags, ValueError when it has a wrong shape."""
    if flags.dtype != np.bool_:
        raise TypeError(f"on must hold true or false, got {flags.dtype}")
    if flags.ndim > 1:
        raise ValueError(f"on must be one flag, or flags of shape (n,), got shape {flags.shape}")
