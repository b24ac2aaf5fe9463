"""Near: a target, a vehicle or a point, is within a distance.

    holds = distance <= the distance,   or, once it holds:   distance <= the leaving distance

Reynolds 1999, "Combining Behaviors": caribou graze until they sense that wolves are near. A leaving distance larger than
the distance is a hysteresis: a wolf near the border does not make them start and stop at every step.

The neighborhood pass, which all behaviors share, counts the members of a population that are near, so it may be large.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.numbers import squared
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle
from steersman.core.maths.vectors import ZERO, difference, dot, load
from steersman.core.neighborhood.request import NeighborSum
from steersman.core.parameters.brief import brief
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH, anybody
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


class NearNumbers(NamedTuple):
    """The distances that count as near.

    Attributes:
        distance2: The square of `distance` [m^2].
        leave2: The square of `leave` [m^2].
    """

    distance2: Any
    leave2: Any


@row_kernel
def near_mark(i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, numbers: NearNumbers, near: Array) -> None:
    """Set bit 0 if the mark of a vehicle is within the distance, and bit 1 if it is within the leaving distance."""
    j = mark.pick[i]
    near[i] = 0
    if j >= 0:
        way = difference(load(mark.position, j), load(vehicles.position, i), wrap)
        d2 = dot(way, way)
        near[i] = np.uint8(d2 <= numbers.distance2) | np.uint8(2 * (d2 <= numbers.leave2))


@row_kernel
def near_some(i: int, within: Array, leaving: Array, near: Array) -> None:
    """Set the same bits from the counts of neighbors within the two distances."""
    near[i] = np.uint8(within[i] > ZERO) | np.uint8(2 * (leaving[i] > ZERO))


@row_kernel
def judge(i: int, near: Array, was: Array, will: Array, truth: Truth) -> None:
    """Judge by the distance, or by the leaving distance if the target was near before."""
    bit = np.uint8(1)
    if was.size > 0 and was[i]:
        bit = np.uint8(2)
    truth.holds[i] = near[i] & bit != 0
    if will.size > 0:
        will[i] = truth.holds[i]


@condition
class Near(Condition):
    """Holds while the target is near.

    Args:
        target: The target that may be near: Vehicles, a point (d,) [m], points (n, d), or a function that returns
            points. In the vehicles' own population no vehicle is near itself.
        distance: How near [m]. Raising it notices sooner.
        leave: Distance beyond which it no longer holds, once it does [m], >= distance. Raising it switches less often.
            Default: the distance itself.
        which: The members of a population that count: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    distance: float = parameter(above=0.0, unit="m", positional=True)
    leave: float | None = parameter(None, above=0.0, unit="m", optional=True)
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def validate(self) -> None:
        """Check that the leaving distance is not smaller than the distance."""
        if self.leave is not None and self.leave < self.distance:
            raise ValueError(f"leave must be >= distance ({self.distance:g} m), got {brief(self.leave)}")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With a leaving distance: whether the target was near."""
        return {} if self.leave is None else {"near": np.zeros(len(vehicles), np.uint8)}

    @property
    def _is_any_member(self) -> bool:
        return isinstance(self.target, Vehicles) and anybody(self.which)

    def needs(self) -> tuple[NeighborSum, ...]:
        """The numbers of members of a population within the two distances."""
        if not self._is_any_member:
            return ()
        radii = {float(self.distance), float(self.distance if self.leave is None else self.leave)}
        return tuple(NeighborSum("offset", radius, of=self.target) for radius in sorted(radii))

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """Measure, then judge."""
        near = np.zeros(scene.capacity, np.uint8)
        if self._is_any_member:
            counts = [scene.sum(request).count for request in self.needs()]
            calls = [Call(near_some, (counts[0], counts[-1], near))]
        else:
            mark, calls = scene.mark(self.target, self.which)
            dtype, leave = scene.vehicles.dtype, self.distance if self.leave is None else self.leave
            numbers = NearNumbers(squared(dtype, self.distance), squared(dtype, leave))
            calls = [*calls, Call(near_mark, (scene.columns, mark, scene.wrap, numbers, near))]
        nothing = np.zeros(0, np.uint8)
        was, will = (memory.now("near"), memory.next("near")) if self.leave is not None else (nothing, nothing)
        return [*calls, Call(judge, (near, was, will, truth))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The distances."""
        yield Circle(context.position, self.distance, means="near inside")
        if self.leave is not None:
            yield Circle(context.position, self.leave, means="no longer near outside")
