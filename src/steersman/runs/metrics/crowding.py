"""Crowding: how densely vehicles stand.

The classical density counts vehicles in an area, and jumps whenever one enters. Steffen and Seyfried 2010 give each vehicle
the part of the floor that is nearer to it than to any other, its Voronoi cell: the density there is one over its area.
"""

import itertools
import math
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.domains.box import Box
from steersman.core.environment.open import Open
from steersman.core.environment.regions.polygon import Polygon
from steersman.core.environment.regions.region import Region
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.environment.shape import check_fit
from steersman.core.kernels.kernel import kernel
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.runs.metrics.dented import dented_cells
from steersman.runs.metrics.frames import Each, Frames
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.nearby import Nearby

__all__ = ["density", "voronoi_areas", "voronoi_density"]

FIRST = 24
"""Number of neighbors that are used first; cells that they do not close use twice as many, and so on."""


def extent(name: str, region: Any) -> float:
    """The area of a region [m^2], or its volume [m^3]."""
    if isinstance(region, Box):
        return float(np.prod(region.size))
    if isinstance(region, Polygon):
        return region.area
    if isinstance(region, Sphere):
        radius = float(region.radius)
        return math.pi * radius**2 if region.dimensions == 2 else 4 / 3 * math.pi * radius**3
    raise TypeError(f"{name} must be a Box, Sphere or Polygon, got {brief(region)}")


def as_area(name: str, value: Any) -> Region:
    """A region of known size."""
    extent(name, value)
    region: Region = value
    return region


def as_floor(name: str, value: Any) -> Region:
    """A region of the plane with straight edges.

    Raises:
        ValueError: It is not in the plane.
    """
    corners_of(name, value)
    region: Region = value
    return region


@metric(to="area")
def density(position: Any, region: Region, domain: Domain | None = None) -> Each:
    """The number of vehicles in a region per square (cubic) meter: the classical density.

    Formula: rho = N / A, N centers inside or on the boundary. Source: Fruin 1971.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        region: A Box, a Sphere or a Polygon.
        domain: The space. Default: space without end.

    Returns:
        The density [1/m^d] in d dimensions; for several frames shape (frames,).
    """
    frames, size = Frames("position", position), extent("region", region)
    check_fit("region", region, frames.dimensions)
    inside = np.asarray(region.inside(frames.values.reshape(-1, frames.dimensions), frames.space(domain)))
    return frames.answer(inside.reshape(len(frames), frames.n).sum(axis=1) / size)


@explained
def voronoi_areas(position: Any, within: Region | None = None, domain: Domain | None = None) -> Array:
    """The area of the Voronoi cell of each vehicle: of the floor that is nearer to it than to any other.

    Formula: |A_i|, A_i the places p of the floor with |p - x_i| <= |p - x_j| for all j. Source: Steffen and Seyfried 2010.
    Vehicles at the same place share a cell evenly. Together the cells cover the floor. On a floor with dents (a room with its
    door) a cell is the part that hangs together with the place of the vehicle, as by PedPy, and the rest is nobody's.

    Args:
        position: Vehicles, or positions [m], shape (n, 2) or (frames, n, 2).
        within: The floor: a Box or a Polygon in the plane; one with a dent needs Shapely. Default: the domain. On a
            Torus and in a periodic Box nothing else is allowed.
        domain: The space: Torus and Box are floors themselves.

    Returns:
        Areas [m^2], shape (n,) or (frames, n); NaN for vehicles outside of the floor, which take no area from others.

    Raises:
        ImportError: The floor has a dent, and Shapely is not installed.
        ValueError: The vehicles are in 3D.
    """
    frames = Frames("position", position)
    floor = _Floor(frames, within, domain)
    result = np.empty((len(frames), frames.n))
    for k, where in enumerate(frames.values):
        result[k] = floor.cells(where)[0]
    return np.asarray(frames.answer(result))


@metric(to="floor")
def voronoi_density(position: Any, area: Region, domain: Domain | None = None, *, within: Region | None = None) -> Each:
    """The density in an area by Voronoi cells.

    Formula: rho = (1 / |M|) sum over i of |A_i and M| / |A_i|, the mean over the area M of the density 1 / |A_i| that holds
    in the cell A_i. Source: Steffen and Seyfried 2010. It does not jump when a vehicle enters.

    Args:
        position: Vehicles, or positions [m], shape (n, 2) or (frames, n, 2).
        area: Where it is measured: a Box or a Polygon in the plane, inside of the floor.
        domain: The space: a Torus and a periodic Box are floors themselves.
        within: The floor: a Box or a Polygon in the plane. Dents need Shapely. Default: the
            area; on a Torus and in a periodic Box all of the domain, and nothing else is allowed.

    Returns:
        The density [1/m^2]; for several frames shape (frames,).

    Raises:
        ImportError: Floor or area have a dent, and Shapely is not installed.
        ValueError: The vehicles are in 3D, or an area with a dent is on a torus.
    """
    frames = Frames("position", position)
    wraps = bool(frames.space(domain).wrap(frames.dimensions, np.float64).any())
    floor = _Floor(frames, area if within is None and not wraps else within, domain)
    corners = corners_of("area", area)
    result = np.zeros(len(frames))
    for k, where in enumerate(frames.values):
        cell, part = floor.cells(where, corners)
        there = cell > 0
        result[k] = np.sum(part[there] / cell[there])
    return frames.answer(result / extent("area", area))


def corners_of(name: str, region: Any) -> Array:
    """The corners of a floor [m], counterclockwise, shape (k, 2).

    Raises:
        ValueError: It is not in the plane.
    """
    if isinstance(region, Box) and region.dimensions == 2:
        (x, y), (far_x, far_y) = region.bounds
        return np.array([[x, y], [far_x, y], [far_x, far_y], [x, far_y]])
    if isinstance(region, Box):
        raise ValueError(f"{name} must be in the plane, got a Box in 3D")
    if not isinstance(region, Polygon):
        raise TypeError(f"{name} must be a Box or a Polygon, got {brief(region)}")
    return np.array(region.points)


def half_planes(corners: Array) -> Array:
    """The half-planes a x + b y <= c with a convex outline as their intersection, shape (k, 3)."""
    along = np.roll(corners, -1, axis=0) - corners
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    return np.column_stack([outward, np.sum(outward * corners, axis=1)])


class _Floor:
    """The floor that is divided among vehicles."""

    def __init__(self, frames: Frames, within: Any, domain: Domain | None) -> None:
        if frames.dimensions != 2:
            raise ValueError(
                f"position must be in the plane, shape (n, 2) or (frames, n, 2), got d = {frames.dimensions}"
            )
        self._space = frames.space(domain)
        self._period = self._space.wrap(2, np.float64)[0]
        if self._period.any():
            if within is not None:
                raise ValueError(
                    "within must be None on a Torus or in a periodic Box: such a domain is the floor itself"
                )
            x, y = self._period / 2
            self._outline = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
            # Walls along one axis: the other is three periods long, as images lie there.
            if isinstance(self._space, Box):
                low, high = self._space.origin - self._period, self._space.origin + self._space.size + self._period
                self._outline = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        elif within is None and not isinstance(self._space, Box):
            raise ValueError("within must be a Box or a Polygon where space has no end, got None")
        else:
            region: Any = self._space if within is None else within
            self._outline = corners_of("within", region)
            self._within: Region = region

    def _between_walls(self, position: Array) -> Array:
        """Whether vehicles are inside of the space along its axes that do not wrap, shape (n,), bool."""
        low, size = bounds(self._space, 2)
        walls = self._period == 0
        return np.asarray(((position >= low) & (position <= low + size))[:, walls].all(axis=1))

    def cells(self, position: Array, area: Array | None = None) -> tuple[Array, Array]:
        """The areas of all cells and of their parts in another outline [m^2], shape (n,) each."""
        dents = area is not None and not Polygon(area).is_convex
        if self._period.any() and dents:
            raise ValueError(
                "area must be a Box or a convex Polygon on a Torus or in a periodic Box, got one with a dent"
            )
        if not self._period.any() and (dents or not self._within.is_convex):
            return dented_cells(position, self._within, self._outline, area)
        cell, part = np.full(len(position), np.nan), np.zeros(len(position))
        wraps = bool(self._period.any())
        inside = self._between_walls(position) if wraps else np.asarray(self._within.inside(position))
        if not inside.any():
            return cell, part
        # Coordinates are relative to a vehicle or the middle of the floor, so that later differences are of small numbers.
        origin = position[0] if self._period.all() else self._outline.mean(axis=0)
        offset = self._space.difference(position[inside], origin)
        offset = np.where(
            (self._period > 0) & (offset >= self._period / 2), offset - self._period, offset
        )  # One image of each place.
        places, which, crowd = np.unique(offset, axis=0, return_inverse=True, return_counts=True)
        which = which.ravel()
        others, outline, shifts, moves = places, self._outline - origin, np.zeros((1, 2)), bool(self._period.all())
        if wraps:
            turns = [(0, -1, 1) if each else (0,) for each in self._period]
            shifts = np.array(list(itertools.product(*turns))) * self._period
            others = (places[None] + shifts[:, None]).reshape(-1, 2)
        if moves:
            outline = self._outline
        window = np.zeros((0, 3))
        if area is not None:
            middle = area.mean(axis=0)
            window = half_planes(area - middle + self._space.difference(middle, origin))
        whole, share = _shares(places, others, outline, moves, shifts, window)
        cell[inside], part[inside] = (whole / crowd)[which], (share / crowd)[which]
        return cell, part


def _shares(
    places: Array, others: Array, outline: Array, moves: bool, shifts: Array, window: Array
) -> tuple[Array, Array]:
    """Areas of cells and of their parts in a window [m^2], shape (n,) each; for the arguments see `cut_cells`."""
    whole, part = np.zeros(len(places)), np.zeros(len(places))
    left, count, near = np.arange(len(places)), min(FIRST, len(others)), Nearby(Open())
    while len(left):
        rows, _ = near.nearest(places[left], count, others)
        size = len(outline) + count + len(window) + 2
        hands, result, closed = np.zeros((3, size, 2)), np.zeros((len(left), 2)), np.zeros(len(left), np.uint8)
        cut_cells(places[left], others, rows, outline, moves, shifts, window, hands, result, closed)
        done = (closed > 0) | (count == len(others))
        whole[left[done]], part[left[done]] = result[done, 0], result[done, 1]
        left, count, near = left[~done], min(2 * count, len(others)), Nearby(Open())
    return whole, part


@kernel
def cut_cells(
    places: Array, others: Array, rows: Array, outline: Array, moves: bool, shifts: Array, window: Array, hands: Array,
    result: Array, closed: Array,
) -> None:  # fmt: skip
    """Cut the cells of vehicles out of the floor.

    Args:
        places: The vehicles [m], shape (n, 2).
        others: All vehicles on the floor, themselves and images included [m], shape (m, 2).
        rows: Rows of the nearest others of each vehicle, the nearest first, shape (n, k).
        outline: The corners of the floor [m], shape (c, 2); relative to the vehicle if the floor moves.
        moves: Whether the floor moves with the vehicle.
        shifts: Offsets of the images of the window [m], shape (s, 2).
        window: Half-planes; the part of each cell in all of them is measured, too, shape (w, 3).
        hands: Scratch, shape (3, c + k + w + 2, 2).
        result: Output: the areas of the cell and of its part in the window [m^2], shape (n, 2).
        closed: Output: 1 where no vehicle farther away can take more of the cell, shape (n,), uint8.
    """
    for i in range(places.shape[0]):
        x, y = places[i, 0], places[i, 1]
        count, now = outline.shape[0], 0
        for c in range(count):
            hands[0, c, 0] = outline[c, 0] - (0.0 if moves else x)
            hands[0, c, 1] = outline[c, 1] - (0.0 if moves else y)
        for k in range(rows.shape[1]):
            a, b = others[rows[i, k], 0] - x, others[rows[i, k], 1] - y
            d2 = a * a + b * b
            if d2 == 0.0:
                continue
            if d2 > 4.0 * farthest(hands[now], count):
                closed[i] = 1
                break
            count = cut(hands[now], count, a, b, d2 / 2.0, hands[1 - now])
            now = 1 - now
        result[i, 0] = area_of(hands[now], count)
        for s in range(shifts.shape[0] if window.shape[0] > 0 else 0):
            source, to, left = now, 2, count
            for w in range(window.shape[0]):
                limit = window[w, 2] - window[w, 0] * (x + shifts[s, 0]) - window[w, 1] * (y + shifts[s, 1])
                left = cut(hands[source], left, window[w, 0], window[w, 1], limit, hands[to])
                source, to = to, (1 - now if to == 2 else 2)
            result[i, 1] += area_of(hands[source], left)


@kernel
def farthest(corners: Array, count: int) -> float:
    """The squared distance of the farthest corner [m^2]."""
    most = 0.0
    for k in range(count):
        most = max(most, corners[k, 0] * corners[k, 0] + corners[k, 1] * corners[k, 1])
    return most


@kernel
def cut(corners: Array, count: int, a: float, b: float, limit: float, out: Array) -> int:
    """Write the part of a convex outline with a x + b y <= limit; returns its number of corners."""
    count_left = 0
    for k in range(count):
        px, py = corners[k, 0], corners[k, 1]
        following = k + 1 if k + 1 < count else 0
        qx, qy = corners[following, 0], corners[following, 1]
        p, q = a * px + b * py - limit, a * qx + b * qy - limit
        if p <= 0.0:
            out[count_left, 0], out[count_left, 1] = px, py
            count_left += 1
        if (p < 0.0 and q > 0.0) or (p > 0.0 and q < 0.0):
            t = p / (p - q)
            out[count_left, 0], out[count_left, 1] = px + t * (qx - px), py + t * (qy - py)
            count_left += 1
    return count_left


@kernel
def area_of(corners: Array, count: int) -> float:
    """The area of an outline [m^2], counterclockwise."""
    twice = 0.0
    for k in range(1, count - 1):
        ax, ay = corners[k, 0] - corners[0, 0], corners[k, 1] - corners[0, 1]
        bx, by = corners[k + 1, 0] - corners[0, 0], corners[k + 1, 1] - corners[0, 1]
        twice += ax * by - ay * bx
    return twice / 2.0
