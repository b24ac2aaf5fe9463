"""The contract of a behavior.

A behavior is a frozen set of parameters. It never holds state: per-vehicle memory is declared by `init` and owned by the
world. When a world is planned, `bind` names the compiled kernel and the arrays it will be called with; stepping then is
a walk down the list of calls.

A kernel has the signature `kernel(start, stop, *arguments)` and treats the rows start <= i < stop; `row_kernel` makes one
of the law of a row. For each row with `out.active[i]` it adds `weight * limited(force)` to `out.linear` and marks
`out.acts[i]` when it claims the vehicle (see `deposit`); a behavior that turns adds to `out.angular` in the same way
(`deposit_turning`). It writes nothing else but its next memory, for active rows only.
"""

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, ClassVar, Union

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.parameters.brief import brief
from steersman.core.parameters.expression import user_value
from steersman.core.parameters.kinds import FUNCTION, NUMBER, Description, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import PerVehicle
from steersman.core.steering.registry import BEHAVIORS
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out
from steersman.core.steering.tree.node_parameters import NodeParameters
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

Steering = Union["Behavior", Callable[[Vehicles], Any]]
"""A behavior, or a plain function `vehicles -> forces (n, d)`."""


@dataclass(frozen=True, eq=False)
class Behavior(NodeParameters):
    """Base of all behaviors and combinators.

    A built-in implements `bind`. A behavior of your own implements `steer` in NumPy instead:

        @dataclass(frozen=True, eq=False)
        class Drift(sm.Behavior):
            wind: tuple[float, float] = (1.0, 0.0)

            def steer(self, scene, memory, out):
                out.linear[:] = scene.vehicles.mass[:, None] * self.wind

    Weights and sums read as in the equations: `1.6 * Separation(radius=4) + Cohesion(radius=9)`.

    Wrong arguments raise TypeError or ValueError, as `Parameters` says. Scenery, targets and numbers per vehicle that do not
    fit the vehicles raise ValueError when the tree is planned: when a world or a controller gets it.

    Args:
        name: A name by which the node keeps its memory when the tree around it is replaced.

    Attributes:
        turns: Whether the class also steers the orientation: set it to be given `out.angular`.
        per_vehicle: Whether its numbers may be given one per vehicle.
        sources: The publications of its law, which `Run.cite` names.
    """

    per_vehicle: ClassVar[bool] = True
    sources: ClassVar[tuple[Source, ...]] = ()

    __array_ufunc__: ClassVar[None] = None  # An array times a behavior is no array of behaviors.

    def parts(self) -> "tuple[Behavior, ...]":
        """The behaviors below this one in the tree (of a combinator). Default: none."""
        return ()

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The calls that compute this node's force, on arrays of `scene.capacity` rows. Default: one call of `steer`."""
        return scene.bind_steer(self, memory, out)

    def steer(self, scene: Scene, memory: MutableMapping[str, Array], out: Any) -> None:
        """Steer in NumPy: write forces to `out.linear`, shape (n, d) [N], zero at the start.

        A class with `turns = True` may write angular accelerations to `out.angular`, shape (n,) in 2D, (n, 3) in 3D
        [rad/s^2], zero at the start. `scene.vehicles`, `scene.dt`, `scene.time`, `scene.step` and `scene.domain`
        describe the vehicles, the time and the space; `scene.neighbors`, `scene.nearest`, `scene.cast` and
        `scene.along` give the surroundings as arrays; `memory[name]` are this behavior's own columns, to be changed in
        place (`memory[name] -= scene.dt`); `out.acts`, shape (n,), bool, may be set to claim vehicles that get zero
        force. Rows that the behavior is not asked to steer are ignored afterwards. See docs/own_behaviors.md.

        Raises:
            NotImplementedError: The class has neither `steer` nor `bind`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define steer(scene, memory, out)")

    def __add__(self, other: Any) -> "Behavior":
        return added(self, other)

    def __radd__(self, other: Any) -> "Behavior":
        return added(other, self)

    def __mul__(self, weight: Any) -> "Behavior":
        return weighted([self], (as_weight("weight", weight),))

    __rmul__ = __mul__

    def __neg__(self) -> "Behavior":
        return self * -1

    def __sub__(self, other: Any) -> "Behavior":
        return self + as_behavior(other) * -1

    def __truediv__(self, divisor: Any) -> "Behavior":
        return self.__mul__(1 / divisor)


def as_weight(name: str, value: Any) -> Any:
    """A weight in its normal form: a number, or one per vehicle."""
    number: Any = Description(name, NUMBER, owner=Behavior).normal(value)
    return number if isinstance(number, PerVehicle) else float(number)


def added(a: Any, b: Any) -> Behavior:
    """`a + b`. Zero, with which `sum(behaviors)` begins, adds no part."""
    return weighted([as_behavior(part) for part in (a, b) if not (type(part) is int and part == 0)])


def weighted(parts: list[Behavior], weights: tuple[Any, ...] | None = None) -> Behavior:
    """A sum as `+` and `*` write it: a WeightedSum, which is defined in a module that imports this one."""
    cls: Any = BEHAVIORS["WeightedSum"]
    weighted_sum: Behavior = cls(parts, weights=weights, flattens=True)
    return weighted_sum


def as_law(name: str, value: Any) -> Callable[[Vehicles], Any]:
    """A function of the vehicles."""
    if not callable(value):
        how = "; several are combined: Priority([a, b]) or a + b" if isinstance(value, (list, tuple, dict)) else ""
        raise TypeError(f"{name} must be a behavior or a function of the vehicles, got {brief(value)}{how}")
    return value  # type: ignore[no-any-return]


LAW = Kind("function", "a function vehicles -> forces (n, d)", as_law, like=FUNCTION)


@dataclass(frozen=True, eq=False)
class Function(Behavior):
    """A plain function `vehicles -> forces (n, d)`. The bare function can stand wherever a behavior is expected.

    Args:
        function: vehicles -> forces (n, d).
    """

    function: Callable[[Vehicles], Any] = parameter(kind=LAW, positional=True)

    @property
    def title(self) -> str:
        """The name of the function; "lambda" where it has none."""
        name: str = getattr(self.function, "__name__", type(self.function).__name__)
        return "lambda" if name == "<lambda>" else name

    def steer(self, scene: Scene, memory: MutableMapping[str, Array], out: Any) -> None:
        """Call the function."""
        returned = self.function(scene.vehicles)
        forces = np.asarray(returned)
        if forces.shape != out.linear.shape:
            got = "None: is there a return missing?" if returned is None else str(forces.shape)
            raise ValueError(f"{self.title} must return forces of shape {out.linear.shape}, got {got}")
        if forces.dtype.kind not in "fiub":
            raise TypeError(f"{self.title} must return numbers, got {forces.dtype}")
        out.linear[...] = forces


@user_value.register
def _(wrapped: Function) -> Any:
    return wrapped.function if wrapped.name is None else wrapped


def as_behavior(steering: Any, name: str = "steering") -> Behavior:
    """The behavior itself, or the function wrapped as one; `name` is its name in messages."""
    if isinstance(steering, type):
        raise TypeError(f"{name} must be a behavior, got the class {steering.__name__}: write {steering.__name__}(...)")
    if isinstance(steering, Behavior):
        return steering
    return Function(as_law(name, steering))


STEERING = Kind("steering", "a behavior", lambda name, value: as_behavior(value, name))
