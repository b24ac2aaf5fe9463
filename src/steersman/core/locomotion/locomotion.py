"""The contract of a body: first propose a velocity, then, if all is well, move.

A body is a frozen set of parameters, with limits as parts (`limits/`). Its memory from step to step (a motion clip,
say) is declared by `init` and owned by the world, like the memory of behaviors. `bind` names the kernels and the arrays
they will be called with.
"""

import math
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.braking import keep_safe
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.limit import LIMITS, Limit
from steersman.core.locomotion.moving import face, turn
from steersman.core.maths.ground import level
from steersman.core.maths.vectors import load, store, truncate
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles


@dataclass
class Proposal:
    """The input of a body written in NumPy, and the arrays for its result.

    Assigning to it writes into the array: `to.velocity[:] = v`, `to.velocity = v` and `to.velocity += v` all do.

    Attributes:
        vehicles: The population, as it was at the start of the step. Not to be changed.
        force: Steering forces [N], shape (n, d), not truncated yet.
        angular: Angular steering [rad/s^2], shape (n,) in 2D, (n, 3) in 3D, not truncated yet.
        velocity: To be written: the new velocities [m/s], shape (n, d).
        spin: To be written by a class with `turns = True`: the new angular velocities [rad/s].
        dt: The time step [s].
        memory: The body's own columns, to be changed in place.
    """

    vehicles: Vehicles
    force: Array
    angular: Array
    velocity: Array
    spin: Array
    dt: float
    memory: MutableMapping[str, Array]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__ and name in self.__dataclass_fields__:
            object.__setattr__(self, name, value)
        elif name in ("velocity", "spin"):
            getattr(self, name)[...] = value
        else:
            raise AttributeError(f"only velocity and spin are to be written, got {brief(name)}")


@dataclass(frozen=True, eq=False)
class Locomotion(Parameters):
    """Base of all bodies: parameters only; orientation and velocity are columns of the vehicles.

    A built-in implements `bind`. A body of your own implements `propose` in NumPy instead:

        @dataclass(frozen=True, eq=False)
        class Sled(sm.Locomotion):
            def propose(self, to):
                to.velocity[:] = to.vehicles.velocity + to.dt * to.force / to.vehicles.mass[:, None]

    One that cannot turn on the spot says so, and behaviors such as Dock and AvoidObstacles leave it room:

        tightest = 2.0  # Radius of the tightest circle [m]; or a property.
        lag = 0.2  # Time that it takes to turn in [s].
        brakes = 0.5  # Part of max_force that it brakes with.
        grip = 0.5  # Part of max_force that turns it.
        steps_aside = False  # It has to turn to a side before it can go there.
        backs_up = True  # It goes backward to a goal behind it.

    Wrong arguments raise TypeError or ValueError, as `Parameters` says; a surface with other dimensions than the vehicles
    raises ValueError when the plan is made.

    Args:
        limits: Parts that change the force, the velocity or the facing, in this order, such as Drag(1.0).

    Attributes:
        turns: Whether the body turns by itself, with an angular velocity of its own; others face where they go.
        on_ground: Whether the body moves upon a surface and removes the part of a force that leads off it, across `up`.
            Then behaviors choose sides that lie in the surface, and fields, paths and regions may be of two dimensions.
        keeps_safe: Whether the body itself stops within the free way (see `braking.py`). Of others, those with limits are
            made to.
    """

    turns: ClassVar[bool] = False
    on_ground: ClassVar[bool] = False
    keeps_safe: ClassVar[bool] = False

    _: KW_ONLY
    limits: Sequence[Limit] = parameter((), kind=LIMITS)

    @property
    def tightest(self) -> float:
        """Radius of the tightest circle that the body can drive, at any speed [m]. Default: 0, it turns on the spot."""
        return 0.0

    @property
    def steps_aside(self) -> bool:
        """Whether it can go to any side without turning first. Default: where it drives no circles, and all limits let it."""
        return self.tightest == 0 and all(limit.steps_aside for limit in self.limits)

    @property
    def backs_up(self) -> bool:
        """Whether the body goes backward to a goal behind it. Default: no."""
        return False

    @property
    def needs_free_way(self) -> bool:
        """Whether the body needs to know how far it may go on, as it does not follow every force. Default: with limits."""
        return self.keeps_safe or bool(self.limits)

    @property
    def brakes(self) -> float:
        """Part of max_force that the body brakes with. Default: what its limits leave."""
        return math.prod(limit.brakes for limit in self.limits)

    @property
    def grip(self) -> float:
        """Part of max_force that it has to the side. Default: what its limits leave."""
        return math.prod(limit.grip for limit in self.limits)

    @property
    def lag(self) -> float:
        """Time that the body takes to begin its tightest circle [s]. Default: 0, at once."""
        return 0.0

    def turn_rates(self, vehicles: Vehicles) -> Array | None:
        """How fast the heading of every vehicle can turn [rad/s], shape (capacity,); None for any. Default: as limits say.

        Of several limits the lowest counts. One alone may give a column of the vehicles itself, which goes on changing.
        """
        each = [rates for limit in self.limits if (rates := limit.turn_rates(vehicles)) is not None]
        lowest: Array | None = each[0] if each else None
        return np.minimum.reduce(each) if len(each) > 1 else lowest

    def pivots(self, vehicles: Vehicles) -> bool:
        """Whether it takes time to turn, and does it on the spot. Default: where it drives no circles, as limits say."""
        return self.tightest == 0 and (
            self.turn_rates(vehicles) is not None or any(limit.pivots for limit in self.limits)
        )

    def init(self, vehicles: Vehicles) -> Mapping[str, Array]:
        """Memory columns at the start, name -> array of shape (n, ...), one row a vehicle. Default: none."""
        return {}

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population. Default: one call of `propose`, then the vehicles move as it says."""
        return Motion([Call(_Propose(self, chassis), whole=True, fits=True)], move_calls(chassis, turns=self.turns))

    def before_limits(self, chassis: Chassis) -> list[Call]:
        """Calls that change `chassis.force` [N] in place, truncated by then, before limits do. Default: none."""
        return []

    def propose(self, to: Proposal) -> None:
        """Propose velocities in NumPy.

        Raises:
            NotImplementedError: The class has neither `propose` nor `bind`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define propose(to)")

    def columns(self, vehicles: Vehicles) -> dict[str, Array]:
        """Memory columns at the start of the body and its limits."""
        columns = dict(self.init(vehicles))
        for k, limit in enumerate(self.limits):
            columns |= {f"{k} {type(limit).__name__} {name}": column for name, column in limit.init(vehicles).items()}
        return columns

    def motion(self, chassis: Chassis) -> Motion:
        """The calls that move a population, with those of the limits."""
        if not self.limits:
            motion = self.bind(chassis)
            return replace(motion, propose=[*motion.propose, *motion.reach])
        smoothed = any(limit.smooths for limit in self.limits)
        ground = chassis.columns.up if self.on_ground else ()
        requested = chassis.vectors() if ground else chassis.force
        inner = replace(
            chassis,
            force=chassis.vectors(),
            requested_force=requested,
            smoothed=smoothed,
            brakes=self.brakes,
            ground=ground,
        )
        limited = [
            (limit, replace(inner, memory=chassis.memory.part(f"{k} {type(limit).__name__} ")))
            for k, limit in enumerate(self.limits)
        ]
        motion = self.bind(inner)
        apply = [Call(apply_force, (chassis.force, chassis.columns.max_force, inner.force)), *self.before_limits(inner)]
        if ground:
            apply.append(Call(level_force, (chassis.force, ground, requested)))
        on_force = [call for limit, own in limited for call in limit.on_force(own)]
        on_velocity = [call for limit, own in limited for call in limit.on_velocity(own)]
        on_facing = [call for limit, own in limited for call in limit.on_facing(own)]
        propose = [*apply, *on_force, *motion.propose, *self._brake(inner), *on_velocity, *motion.reach]
        return replace(motion, propose=propose, move=[*motion.move, *on_facing])

    def _brake(self, chassis: Chassis) -> list[Call]:
        """Stop within the free way, where steering says how far it is."""
        if chassis.free_way is None or self.keeps_safe:
            return []
        own, brakes = chassis.columns, chassis.number(chassis.brakes)
        return [Call(keep_safe, (own, chassis.free_way, brakes, chassis.dt, chassis.proposed))]

    def memory(self, vehicles: Vehicles) -> Memory:
        """Fresh memory, to be passed to `advance` again and again."""
        return Memory(self.columns(vehicles))

    @explained
    def advance(
        self, vehicles: Vehicles, force: Any, dt: float, *, angular: Any = 0.0, memory: Memory | None = None
    ) -> None:
        """Move vehicles by one step, outside a world.

        Args:
            vehicles: The population, changed in place.
            force: Steering forces [N], shape (n, d) or (d,) for all.
            dt: The time step [s].
            angular: Angular steering [rad/s^2], shape (n,) in 2D, (n, 3) in 3D; or 0.
            memory: The body's memory, from `memory(vehicles)`, for a body that has one.

        Raises:
            ValueError: Memory is missing. After any error no vehicle has moved.
        """
        n, d = len(vehicles), vehicles.dimensions
        if not (math.isfinite(dt) and dt > 0):
            raise ValueError(f"dt must be a finite number > 0 s, got {dt}")
        if memory is None and self.columns(vehicles):
            raise ValueError(
                f"memory must be given, for {type(self).__name__} has some: memory = body.memory(vehicles)"
            )
        chassis = Chassis(
            vehicles,
            _columns("force", force, n, d, vehicles.dtype),
            _columns("angular", angular, n, turning_components(d), vehicles.dtype),
            tuple(np.zeros((d, n), vehicles.dtype)),
            tuple(np.zeros((turning_components(d), n), vehicles.dtype)),
            np.array([min(dt, float(np.finfo(vehicles.dtype).max))], vehicles.dtype),
            Memory({}) if memory is None else memory,
        )
        motion = self.motion(chassis)
        for call in motion.propose:
            call.run(n)
        try:
            check_proposal(chassis)
        except ValueError:
            chassis.memory.refuse()
            raise
        chassis.memory.accept()
        for call in motion.move:
            call.run(n)
        vehicles.moved += 1


@row_kernel
def apply_force(i: int, force: Columns, max_force: Array, applied: Columns) -> None:
    """The steering force, truncated, for limits to work on."""
    store(applied, i, truncate(load(force, i), max_force[i]))


@row_kernel
def level_force(i: int, force: Columns, ground: Columns, leveled: Columns) -> None:
    """The part of the steering force along the ground, not truncated."""
    store(leveled, i, level(load(force, i), ground, i))


def move_calls(chassis: Chassis, *, turns: bool = False) -> list[Call]:
    """Take the proposed velocity and move with it; face along it, or turn with the proposed angular velocity."""
    vehicles = chassis.columns
    if turns:
        return [Call(turn, (vehicles, chassis.turning, chassis.proposed, chassis.spin, chassis.dt))]
    return [Call(face, (vehicles, chassis.proposed, chassis.dt))]


def check_proposal(chassis: Chassis) -> None:
    """Raise ValueError when moving would leave all bounds."""
    vehicles, dt = chassis.vehicles, chassis.dt
    if not (np.isfinite(vehicles.block).all() and vehicles.mass.min(initial=1) > 0):
        raise ValueError("every column of the vehicles must be finite, and mass > 0 kg; no vehicle has moved")
    with np.errstate(over="ignore", invalid="ignore"):
        reached = np.stack(chassis.proposed, axis=1) * dt + vehicles.position
        turned = np.stack(chassis.spin, axis=1) * dt
    if not (np.isfinite(reached).all() and np.isfinite(turned).all()):
        raise ValueError(
            f"force and dt must not be so large that vehicles leave all bounds, got dt = {dt[0]:g}; no vehicle has moved"
        )


def _columns(name: str, value: Any, n: int, d: int, dtype: Any) -> Columns:
    """Steering as columns, from n rows or one for all."""
    values = as_floats(name, value, dtype)
    shape = (n,) if d == 1 else (n, d)
    if values.shape not in ((d,), shape, ()) or (values.shape == () and name == "force"):
        raise ValueError(f"{name} must have shape ({', '.join(map(str, shape))}) or ({d},), got {values.shape}")
    rows = values[:, None] if values.shape == (n,) and d == 1 else values
    return tuple(np.ascontiguousarray(np.broadcast_to(rows, (n, d)).T))


class _Propose:
    """Asks a body written in NumPy."""

    def __init__(self, body: Locomotion, chassis: Chassis) -> None:
        self.chassis, self.title = chassis, type(body).__name__
        self.ask: Callable[..., object] = body.propose
        self.force, self.angular, self.velocity, self.spin = (
            np.zeros((len(each), chassis.vehicles.capacity), chassis.vehicles.dtype)
            for each in (chassis.force, chassis.angular, chassis.proposed, chassis.spin)
        )

    def __call__(self) -> None:
        chassis = self.chassis
        n, flat = len(chassis.vehicles), chassis.vehicles.dimensions == 2
        force, angular, velocity, spin = (own[:, :n] for own in (self.force, self.angular, self.velocity, self.spin))
        for own, columns in ((force, chassis.force), (angular, chassis.angular)):
            for row, column in zip(own, columns, strict=True):
                row[...] = column[:n]
        velocity[...] = 0
        spin[...] = 0
        turning = (angular[0], spin[0]) if flat else (angular.T, spin.T)
        to = Proposal(
            chassis.vehicles, force.T, turning[0], velocity.T, turning[1], float(chassis.dt[0]), chassis.memory
        )
        if (returned := self.ask(to)) is not None:
            raise TypeError(
                f"{self.title}.propose must write velocities to to.velocity and return nothing, got {brief(returned)}"
            )
        for own, columns in ((velocity, chassis.proposed), (spin, chassis.spin)):
            for row, column in zip(own, columns, strict=True):
                column[:n] = row
