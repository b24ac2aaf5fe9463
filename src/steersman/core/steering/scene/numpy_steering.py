"""Behaviors written in NumPy: their turn in a step, the arrays that they write to, and their errors."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.per_vehicle import FROM_COLUMNS, PerVehicle
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory

if TYPE_CHECKING:
    from steersman.core.steering.scene.scene import Scene


class SteerOut:
    """Where a behavior written in NumPy puts its result.

    Assigning writes into the array: `out.linear[:] = force`, `out.linear = force` and `out.linear += force` all do.
    """

    __slots__ = ("_active", "_acts", "_angular", "_linear")  # A misspelled name is an error.

    def __init__(self, linear: Array, acts: Array, active: Array, angular: Array | None) -> None:
        self._linear, self._acts, self._active, self._angular = linear, acts, active, angular

    @property
    def linear(self) -> Array:
        """Forces [N], shape (n, d), zero at the start."""
        return self._linear

    @linear.setter
    def linear(self, forces: Any) -> None:
        self._linear[...] = forces

    @property
    def acts(self) -> Array:
        """The vehicles that the behavior claims even if their force is zero, shape (n,), bool, False at the start."""
        return self._acts

    @acts.setter
    def acts(self, claimed: Any) -> None:
        self._acts[...] = claimed

    @property
    def active(self) -> Array:
        """The vehicles that the behavior is asked to steer, shape (n,), bool; others are ignored."""
        return self._active

    @property
    def angular(self) -> Array:
        """Angular accelerations [rad/s^2], shape (n,) in 2D, (n, 3) in 3D, zero at the start.

        Raises:
            AttributeError: The class of the behavior does not say `turns = True`.
        """
        if self._angular is None:
            raise AttributeError("only a behavior with `turns = True` in its class has out.angular")
        return self._angular

    @angular.setter
    def angular(self, accelerations: Any) -> None:
        self.angular[...] = accelerations


def block_of(columns: Columns) -> Array:
    """The array that has these columns as its rows, shape (d, capacity)."""
    block = columns[0].base
    assert block is not None
    return block


class Steer:
    """Runs `behavior.steer` and hands its force up."""

    def __init__(self, scene: "Scene", behavior: Any, memory: Memory, out: Out) -> None:
        self.scene, self.memory, self.title = replace(scene, shown=True), memory, behavior.title
        self.ask: Callable[..., object] = behavior.steer
        varied = (PerVehicle, *FROM_COLUMNS)
        self.by_row = [name for name, value in vars(behavior).items() if isinstance(value, varied)]
        self.active, self.scratch = out.active, scene.scratch(out.active)
        call = scene.hand_up_call(self.scratch, out)
        self.hand_up, self.handed = call.compiled(), call.arguments
        self.columns = [block_of(sums) for sums in (self.scratch.linear, self.scratch.angular) if sums]
        self.fit()
        scene.recount(self.fit)

    def fit(self) -> None:
        """Show as many rows as there are vehicles."""
        n, flat = len(self.scene.vehicles), self.scene.vehicles.dimensions == 2
        self.arguments = (0, n, *self.handed)
        self.blocks = [block[:, :n] for block in self.columns]
        turning = [block[0] if flat else block.T for block in self.blocks[1:]]
        self.result = SteerOut(
            self.blocks[0].T,
            self.scratch.acts[:n].view(np.bool_),
            self.active[:n].view(np.bool_),
            turning[0] if turning else None,
        )

    def __call__(self) -> None:
        """Steer, if any row is asked."""
        if not self.result.active.any():
            return
        try:
            self.steer()
        finally:
            self.active[:] = 0

    def steer(self) -> None:
        """Steer the rows that are asked."""
        for block in self.blocks:
            block[...] = 0
        self.result.acts[...] = False
        try:
            returned = self.ask(self.scene, self.memory, self.result)
        except (TypeError, ValueError) as error:
            for name in self.by_row:
                means = f"scene.by_row(self.{name}) gives its numbers, shape (n,)"
                error.add_note(f"{name} of {self.title} is one number per vehicle: {means}")
            raise refused_write(error, self.title) or error from None
        if returned is not None:
            raise TypeError(
                f"{self.title}.steer must write forces to out.linear and return nothing, got {brief(returned)}"
            )
        if self.memory:
            self.memory.refuse_rows(~self.result.active)
        self.hand_up(*self.arguments)


class Named:
    """Calls a function of a behavior, and names the behavior in the error when it writes to read-only columns."""

    def __init__(self, title: str, function: Callable[..., object]) -> None:
        self.title, self.function = title, function

    def __call__(self, *arguments: Any) -> None:
        """Call it."""
        try:
            self.function(*arguments)
        except ValueError as error:
            raise refused_write(error, self.title) or error from None


def refused_write(error: Exception, called: str) -> ValueError | None:
    """The message for a behavior that has written to read-only columns; None for any other error."""
    if "read-only" not in str(error):
        return None
    return ValueError(
        f"{called} must not write to what it looks at while vehicles are steered: return forces instead, or change vehicles "
        f"between steps (NumPy: {error}); the world is unchanged"
    )
