"""The contract of a region: a part of space with an inside. Reynolds 1999, "Containment", "explore"."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.shape import Shape, SurfaceProjection, new_foot
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_points, columns_of
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array, Columns


@dataclass(frozen=True, eq=False)
class Region(Shape):
    """Base of all regions. The boundary is the shape; its distance is negative inside."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner of a box around it [m], shape (d,) each."""

    @property
    @abstractmethod
    def depth(self) -> float:
        """A lower bound of the largest distance of a point inside from the boundary [m]."""

    @property
    @abstractmethod
    def is_convex(self) -> bool:
        """Whether every straight way from inside to inside stays inside."""

    @property
    def is_sharp(self) -> bool:
        """Whether two walls may meet at less than a right angle. Default: they may."""
        return True

    def some_foot_calls(self, points: Columns, foot: SurfaceProjection, active: Array) -> list[Call]:
        """The calls that find the nearest points of the boundary for some of many points.

        Args:
            points: Points [m], d arrays of shape (n,), read when the calls are run.
            foot: Written by the calls, for the `active` rows; others may be written too, where that costs no more.
            active: Flags of the rows to compute, shape (n,), uint8, read when the calls are run.
        """
        return self.foot_calls(points, foot)

    @abstractmethod
    def leaving_calls(
        self, origin: Columns, points: Columns, foot: SurfaceProjection, leaving: SurfaceProjection
    ) -> list[Call]:
        """The calls that find where straight ways first leave the region, in open space.

        Args:
            origin: Where the ways begin [m], d arrays of shape (n,).
            points: Where they end [m]; a way may end inside and still have left on the way.
            foot: The feet of the ends.
            leaving: Written by the calls: the outward normal where a way leaves, and how far beyond the boundary's
                tangent there it ends, > 0. For ways that do not leave: the normal of the end, and a distance of 0. A way
                that begins outside does not leave, wherever it leads.
        """

    @explained
    def inside(self, points: Any, domain: Domain | None = None) -> Any:
        """Whether points lie inside or on the boundary.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.
            domain: The space, if it is a torus.

        Returns:
            Truth values, shape (n,), or ().
        """
        return self.nearest(points, domain).distance <= 0

    @explained
    def nearest_inside(self, points: Any, domain: Domain | None = None) -> Array:
        """The nearest points inside or on the boundary [m]: the points themselves, where they are inside.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.
            domain: The space; on a torus images near the region are returned.
        """
        projections = self.nearest(points, domain)
        places = self.images(points, domain).reshape(projections.point.shape)
        return np.where((projections.distance <= 0)[..., None], places, projections.point)

    def leaving(self, origin: Any, points: Any) -> tuple[Any, Array]:
        """Where the straight ways from origin to points first leave the region.

        Args:
            origin: Where the ways begin [m], shape (n, d), or (d,) for all of them.
            points: Where they end [m], shape (n, d), or (d,) for one.

        Returns:
            How far beyond the boundary's tangent there they end [m], shape (n,) or (), 0 for ways that do not leave; and
            the outward normals there, of the shape of the points, for ways that do not leave those nearest to their ends.
            A way that begins outside does not leave, wherever it leads.

        Raises:
            ValueError: There are not as many origins as points.
        """
        places = as_points("points", points, np.float64, self.dimensions)
        origins = as_points("origin", origin, np.float64, self.dimensions)
        if len(origins) not in (1, len(places)):
            raise ValueError(f"origin must be one place or {len(places)}, as many as points, got {len(origins)}")
        begin = columns_of(np.broadcast_to(origins, places.shape), np.float64)
        foot, leaving = self._run(places), new_foot(len(places), self.dimensions, np.float64)
        for call in self.leaving_calls(begin, columns_of(places, np.float64), foot, leaving):
            call.run(len(places))
        normal = np.stack(leaving.normal, axis=1)
        return (leaving.distance, normal) if np.ndim(points) == 2 else (leaving.distance[0], normal[0])
