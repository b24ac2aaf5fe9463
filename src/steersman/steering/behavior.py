"""The contract of a behavior.

A behavior is a frozen set of parameters. It never holds state: per-vehicle memory is declared by `init` and owned by the
world. When a world is planned, `bind` names the compiled kernel and the arrays it will be called with; stepping then is
a walk down the list of calls.

A kernel has the signature `kernel(start, stop, *arguments)` and treats the rows start <= i < stop. For each row with
`out.active[i]` it adds `weight * limited(force)` to `out.linear` and marks `out.acts[i]` when it claims the vehicle (see
`deposit`); one that turns adds to `out.angular` in the same way (`deposit_turning`). It writes nothing else but its own next
memory, for active rows only.
"""

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Union

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.expression import as_given
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import FUNCTION, Kind
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    accumulate,
    dot,
    scale,
    truncate,
    with_length,
)  # fmt: skip
from steersman.steering.node_parameters import NodeParameters
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.steering.combining.weighted_sum import WeightedSum
    from steersman.steering.scene import Scene
    from steersman.vehicles.memory import Memory

Steering = Union["Behavior", Callable[[Vehicles], Any]]
"""A behavior, or a plain function `vehicles -> forces (n, d)`."""

EPSILON = np.float32(1e-6)
"""A force shorter than this part of max_force claims nothing by itself."""

CHOOSE, RAW, LIMIT, NORMALIZE = -1.0, 0.0, 1.0, 2.0
"""How a combinator takes a part's force: as it is but only where the part acts (CHOOSE), as it is (RAW), truncated to
max_force (LIMIT), or stretched to max_force (NORMALIZE)."""


class Out(NamedTuple):
    """Where a node of the steering tree puts its force, and how it turns the vehicle.

    Attributes:
        linear: Sum of forces [N], d arrays of shape (n,).
        angular: Sum of angular accelerations [rad/s^2], 1 array of shape (n,) in 2D, counter-clockwise, 3 in 3D; an empty
            tuple for nodes that do not turn (see `Behavior.turns`).
        acts: Whom the node claims, shape (n,), uint8.
        active: Whom the node is asked to steer, shape (n,), uint8.
        edge: Shape (2,): the weight of this node and how its force is taken (CHOOSE, RAW, LIMIT or NORMALIZE).
    """

    linear: Columns
    angular: Columns
    acts: Array
    active: Array
    edge: Array


class Amounts(NamedTuple):
    """A number for every vehicle that forces are measured by, and one for its turning: limits, or what is spent of them.

    Attributes:
        force: Of forces [N], shape (n,).
        turning: Of angular accelerations [rad/s^2], 1 array of shape (n,); an empty tuple for nodes that do not turn.
    """

    force: Array
    turning: Columns


@kernel
def deposit(out: Out, i: int, force: Vector, max_force: Any, claims: bool) -> None:
    """Add a force to row i as the edge above asks, and mark whom it claims.

    A behavior with a goal passes claims=True as long as it has the goal: a satisfied Seek returns exactly zero, and
    must not let a Priority fall through to whatever stands below. Others claim by a force longer than EPSILON.
    Comparisons are written so that NaN passes through to the step's check.
    """
    put(out.linear, out, i, force, max_force, claims)


@kernel
def deposit_turning(out: Out, i: int, turning: Vector, max_acceleration: Any, claims: bool) -> None:
    """The same with an angular acceleration. The class must say `turns = True`."""
    put(out.angular, out, i, turning, max_acceleration, claims)


@kernel
def put(sums: Columns, out: Out, i: int, vector: Vector, limit: Any, claims: bool) -> None:
    """Add a vector to row i of one of the sums."""
    acts = is_act(vector, limit, claims)
    accumulate(sums, i, weigh(vector, limit, acts, out.edge[0], out.edge[1]))
    out.acts[i] |= acts


@kernel
def is_act(force: Vector, max_force: Any, claims: bool) -> Any:
    """1 where a force is longer than EPSILON of max_force, not a number, or claimed for; else 0."""
    threshold = EPSILON * max_force
    return np.uint8(claims or not dot(force, force) <= threshold * threshold)


@kernel
def weigh(force: Vector, max_force: Any, acts: Any, weight: Any, take: Any) -> Vector:
    """What an edge lets through of a force."""
    if take == ONE:
        return scale(truncate(force, max_force), weight)
    if take > ONE:
        return scale(with_length(force, max_force), weight)
    if take < ZERO and acts == 0:
        return scale(force, ZERO)
    return scale(force, weight)


@kernel
def match(desired: Vector, velocity: Vector, mass: Any, response_time: Any, dt: Any) -> Vector:
    """The force that turns the velocity into the desired one within the response time: m (u - v) / tau."""
    tau = response_time
    if tau == ZERO:
        tau = dt
    gain = mass / tau
    if len(velocity) == 2:
        return ((desired[0] - velocity[0]) * gain, (desired[1] - velocity[1]) * gain)
    return (
        (desired[0] - velocity[0]) * gain,
        (desired[1] - velocity[1]) * gain,
        (desired[2] - velocity[2]) * gain,
    )


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

    Args:
        name: A name by which the node keeps its memory when the tree around it is replaced.

    Attributes:
        turns: Whether the class also steers the orientation: set it to be given `out.angular`.
    """

    __array_ufunc__: ClassVar[None] = None  # An array times a behavior is no array of behaviors.

    def parts(self) -> "tuple[Behavior, ...]":
        """The behaviors below this one in the tree (of a combinator). Default: none."""
        return ()

    def bind(self, scene: "Scene", memory: "Memory", out: Out) -> list[Call]:
        """The calls that compute this node's force. Default: one call of `steer`."""
        return scene.bind_steer(self, memory, out)

    def steer(self, scene: "Scene", memory: MutableMapping[str, Array], out: Any) -> None:
        """Steer in NumPy: write forces to `out.linear`, shape (n, d) [N], zero at the start.

        A class with `turns = True` may write angular accelerations to `out.angular`, shape (n,) in 2D, (n, 3) in 3D
        [rad/s^2], zero at the start.
        `scene.vehicles`, `scene.dt`, `scene.time`, `scene.step` and `scene.domain` say what there is to know;
        `scene.neighbors`, `scene.nearest`, `scene.cast` and `scene.along` say who and what is around, as arrays;
        `memory[name]` are this behavior's own columns, to be changed in place (`memory[name] -= scene.dt`); `out.acts`,
        shape (n,), bool, may be set to claim vehicles whose force is zero. Rows that the behavior is not asked to steer
        are ignored afterwards. See docs/own_behaviors.md.

        Raises:
            NotImplementedError: The class has neither `steer` nor `bind`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define steer(scene, memory, out)")

    def __add__(self, other: Any) -> "WeightedSum":
        from steersman.steering.combining.weighted_sum import summed

        return summed(self, other)

    def __radd__(self, other: Any) -> "WeightedSum":
        from steersman.steering.combining.weighted_sum import summed

        return summed(other, self)

    def __mul__(self, weight: Any) -> "WeightedSum":
        from steersman.steering.combining.weighted_sum import weighted

        return weighted(self, weight)

    __rmul__ = __mul__

    def __neg__(self) -> "WeightedSum":
        return self * -1

    def __sub__(self, other: Any) -> "WeightedSum":
        return self + as_behavior(other) * -1

    def __truediv__(self, divisor: Any) -> "WeightedSum":
        return self.__mul__(1 / divisor)


def as_law(name: str, value: Any) -> Callable[[Vehicles], Any]:
    """A function of the vehicles.

    Raises:
        TypeError: It cannot be called.
    """
    if not callable(value):
        how = "; several are combined: Priority([a, b]) or a + b" if isinstance(value, (list, tuple, dict)) else ""
        raise TypeError(f"steering must be a behavior or a function of the vehicles, got {value!r}{how}")
    return value  # type: ignore[no-any-return]


LAW = Kind("function", "a function vehicles -> forces (n, d)", as_law, like=FUNCTION)


@dataclass(frozen=True, eq=False)
class Function(Behavior):
    """A plain function `vehicles -> forces (n, d)`. Wherever a behavior is expected, the bare function will do.

    Args:
        function: vehicles -> forces (n, d).
    """

    function: Callable[[Vehicles], Any] = parameter(kind=LAW, positional=True)

    @property
    def title(self) -> str:
        """The name of the function."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    def steer(self, scene: "Scene", memory: MutableMapping[str, Array], out: Any) -> None:
        """Call the function."""
        returned = self.function(scene.vehicles)
        forces = np.asarray(returned)
        if forces.shape != out.linear.shape:
            got = "None: is there a return missing?" if returned is None else str(forces.shape)
            raise ValueError(f"{self.title} must return forces of shape {out.linear.shape}, got {got}")
        if forces.dtype.kind not in "fiub":
            raise TypeError(f"{self.title} must return numbers, got {forces.dtype}")
        out.linear[...] = forces


@as_given.register
def _(wrapped: Function) -> Any:
    return wrapped.function if wrapped.name is None else wrapped


def as_behavior(steering: Any) -> Behavior:
    """The behavior itself, or the function wrapped as one.

    Raises:
        TypeError: It is neither.
    """
    if isinstance(steering, type):
        raise TypeError(
            f"steering must be a behavior, got the class {steering.__name__}: write {steering.__name__}(...)"
        )
    return steering if isinstance(steering, Behavior) else Function(steering)


STEERING = Kind("steering", "a behavior", lambda _, value: as_behavior(value))
