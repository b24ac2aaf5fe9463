"""The contract of a kind of obstacles: a set of parts of one kind.

A new kind has its parts as rows for kernels and as hulls, and two kernels that answer queries for one part (see `Kernels`).
Pictures show its hulls, unless `drawing/scenery_flat.py` and `scenery_solid.py` have functions for the kind.
"""

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.environment.box_tree import BOTH, Boxed
from steersman.core.environment.obstacles.answers import Balls, Bars, Hits, Nearest, Rays, Sight, new_hits, new_nearest
from steersman.core.environment.obstacles.barring import bar_braking, bar_ways
from steersman.core.environment.obstacles.hulls import Hulls
from steersman.core.environment.obstacles.obstacle import Obstacles, nothing_call
from steersman.core.environment.obstacles.searching import cast_with, nearest_with
from steersman.core.environment.obstacles.seeing import reach_around, see_contact
from steersman.core.environment.obstacles.switching import OFF, Switches, as_parts
from steersman.core.kernels.call import Call
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns

SIDES = ("outside", "inside", "both")


class Kernels(NamedTuple):
    """The kernels that answer queries for one part of a kind.

    Attributes:
        touch: `touch(ball, rows, k, side, wrap)`: how far a ball (see `searching.Ball`) moves until it touches part k [m],
            infinite for never, and the unit normal there, toward the ball.
        distance: `distance(place, rows, k)`: how far part k is [m], its signed distance [m], and the unit vector in which
            that grows. The first number decides which part is nearest: for bodies it is the signed distance, for
            surfaces it has no sign.
        sweep: The kernel that finds the part in the way, seen from outside; None where the first contact decides.
    """

    touch: Any
    distance: Any
    sweep: Any = None


@dataclass(frozen=True, eq=False)
class ObstacleSet(Obstacles):
    """Base of the kinds of obstacles: a set of parts of one kind.

    Args:
        seen_from: From which side the surface is an obstacle: "outside", "inside" or "both". Default: "outside" where there
            is an inside, else "both".

    Attributes:
        seen_from: From which side the surface is an obstacle: "outside", "inside" (a tank) or "both". Default: "outside"
            where there is an inside, else "both"; the outside of a set without an inside is its front.
    """

    _: KW_ONLY
    seen_from: str | None = parameter(None, kind=TEXT, choices=SIDES, optional=True)

    @property
    @abstractmethod
    def kernels(self) -> Kernels:
        """The kernels that answer for a part."""

    @abstractmethod
    def parts(self, dtype: Any) -> Boxed:
        """The parts for kernels, in the dtype of the vehicles, numbered from 0."""

    @abstractmethod
    def hulls(self, dtype: Any) -> Hulls:
        """The parts as convex bodies for kernels, in the dtype of the vehicles."""

    @property
    def sets(self) -> "tuple[ObstacleSet, ...]":
        """The set itself."""
        return (self,)

    def viewed_from(self, side: str) -> Self:
        """The same obstacles, seen from a side, with the same switches."""
        if self.seen_from == side:
            return self
        same = self.replace(seen_from=side)
        same._put(switches=self.switches)
        return same

    @property
    def united(self) -> "ObstacleSet":
        """The same obstacles, of which the nearest part says whether a point is inside of any."""
        return self

    # ------------------------------------------------------------------------------------------------ switching

    @cached_property
    def group_numbers(self) -> Array:
        """The group of each part, numbered in order from 0, shape (n,)."""
        return np.unique(self.groups, return_inverse=True)[1].ravel()

    def whole(self) -> Self:
        """The same set with all parts switched on."""
        return self if self.switches.enabled.all() else self.replace()

    @cached_property
    def switches(self) -> Switches:
        """The switches of the parts."""
        return Switches(len(self))

    @property
    def enabled(self) -> Array:
        """Whether each part is switched on, shape (m,), bool, a copy."""
        return self.switches.enabled.copy()

    @explained
    def enable(self, parts: Any = None) -> None:
        """Put parts back in place, from the next step on.

        Args:
            parts: The number of a part, several, or a flag for each (m,). Default: all.

        Raises:
            ValueError: There are not as many flags as parts.
        """
        self._switch(parts, True)

    @explained
    def disable(self, parts: Any = None) -> None:
        """Take parts away from the next step on, as a door that opens: nothing sees them or keeps off them any more.

        Nothing is built anew. Maps of routes do not notice, but for doors with `leaves`.
        `Worlds` step copies of their worlds, with the obstacles that there were when they were made.

        Args:
            parts: The number of a part, several, or a flag for each (m,). Default: all.

        Raises:
            ValueError: There are not as many flags as parts.
        """
        self._switch(parts, False)

    def present_spheres(self) -> tuple[Array, Array]:
        """The spheres around the groups; the radius is -1 if all parts of a group are switched off."""
        center, radius = self.bounding_spheres()
        count = np.bincount(self.group_numbers[self.switches.enabled], minlength=len(radius))
        return center, np.where(count > 0, radius, -1.0)

    def _switch(self, parts: Any, on: bool) -> None:
        enabled = self.enabled
        enabled[as_parts(parts, len(self))] = on
        self.switches.set(enabled)

    def sweep_further(self, rays: Rays, active: Array, wrap: Array, first: int, sight: Sight) -> list[Call]:
        """The calls that replace the obstacle in the way by a nearer one; `first` is the number of the first part."""
        dtype = rays.reach.dtype
        if self.is_round:
            return [Call(self.kernels.sweep, (rays, active, wrap, self.tree(dtype, first), sight))]
        hits, groups = new_hits(len(rays.reach), len(rays.origin), dtype), self.groups.astype(np.int64)
        radii = self.bounding_spheres()[1]
        sizes = np.where(radii > 0, radii, 1.0).astype(dtype)[self.group_numbers]
        return [
            nothing_call(active, hits),
            self.cast_further(rays, active, wrap, first, hits),
            Call(see_contact, (active, rays.radius, hits, sizes, groups, first, sight)),
        ]

    def cast_further(self, rays: Rays, active: Array, wrap: Array, first: int, hits: Hits) -> Call:
        """The call that replaces the hits of rays by nearer ones."""
        return Call(cast_with(self.kernels.touch), (rays, active, wrap, self.tree(rays.reach.dtype, first), hits))

    def nearest_further(
        self, points: Columns, reach: Array, active: Array, wrap: Array, first: int, rank: Array, nearest: Nearest
    ) -> Call:
        """The call that replaces the nearest parts by nearer ones; `rank` is what sets compare (see `nearest_with`)."""
        tree = self.tree(reach.dtype, first)
        return Call(nearest_with(self.kernels.distance), (points, reach, active, wrap, tree, rank, nearest))

    def bar_further(self, balls: Balls, active: Array, wrap: Array, bars: Bars, *, braking: bool) -> list[Call]:
        """The calls that add the half-spaces of this set to those of the sets before."""
        n, d, dtype = len(balls.reach), len(balls.place), balls.reach.dtype
        nearest, around = new_nearest(n, d, dtype), np.zeros(n, dtype)
        return [
            Call(reach_around, (active, balls.reach, balls.radius, around)),
            *self.nearest_calls(balls.place, around, active, wrap, nearest),
            Call(bar_braking if braking else bar_ways, (balls, active, wrap, self._bars(dtype), nearest, bars)),
        ]

    def tree(self, dtype: Any, first: int) -> Boxed:
        """The parts for kernels, numbered from `first`."""
        kind = np.dtype(dtype)
        if kind not in self._made:
            self._made[kind] = self.parts(dtype)
        parts = self._made[kind]
        return parts._replace(order=self.switches.hold(parts.order + first, parts.order, OFF))

    def _bars(self, dtype: Any) -> Hulls:
        """The hulls, without those that are switched off."""
        hulls = self.hulls(dtype)
        if hulls.triangles:
            return hulls  # They are those of the tree.
        order = hulls.parts.order
        # Hulls may be faces: the first of each part, then the second of each.
        return hulls._replace(parts=hulls.parts._replace(order=self.switches.hold(order, order % len(self), OFF)))

    @cached_property
    def _made(self) -> dict[Any, Boxed]:
        """The parts for kernels, by dtype."""
        return {}

    @property
    def side(self) -> int:
        """`seen_from` for kernels: OUTSIDE, INSIDE or BOTH."""
        return SIDES.index(self.seen_from or "outside")

    def settle_side(self) -> None:
        """Put the default of `seen_from` in place; for `validate`.

        Raises:
            ValueError: `seen_from` is "inside", and there is no inside.
        """
        if self.seen_from is None:
            self._put(seen_from="outside" if self.is_closed else "both")


@dataclass(frozen=True, eq=False)
class Solids(ObstacleSet):
    """Base of the sets in which every part is a closed body of its own."""

    def __len__(self) -> int:
        return len(self.bounding_spheres()[0])

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.bounding_spheres()[0].shape[1])

    @property
    def opening(self) -> str:
        """Empty: there is an inside, as all parts are closed."""
        return ""

    @property
    def groups(self) -> Array:
        """Each part is a group of its own."""
        return np.arange(len(self))

    @property
    def united(self) -> ObstacleSet:
        """Seen from both sides they are shells, and the nearest of two that overlap may be one that a point is outside of."""
        return self.viewed_from("outside") if self.side == BOTH else self
