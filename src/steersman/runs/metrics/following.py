"""How vehicles follow a path, and whether they stay in a region."""

import itertools
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.paths.path import PATH, Path, Projection
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.shape import check_fit
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import Description
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames, mean
from steersman.runs.metrics.metric import metric

__all__ = ["off_path", "outside", "path_error", "progress", "projected"]


@explained
def projected(position: Any, path: Path, domain: Domain | None = None) -> Projection:
    """The nearest points of a path; on a torus those of the image of a vehicle that is nearest to it.

    Formula: the s that minimizes |p(s) - x_i|, p(s) the point of the path at arc length s.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        path: The path.
        domain: The space. Default: space without end.

    Returns:
        Arc lengths [m], distances [m] and segments, shape (n,) or (frames, n) each.
    """
    frames = Frames("position", position)
    return Projection(*(np.asarray(frames.answer(column)) for column in _projected(frames, path, domain)))


def _projected(frames: Frames, path: Path, domain: Domain | None) -> Projection:
    """The same, with the axis of frames."""
    spine, points = _as_spine(path), frames.values.reshape(-1, frames.dimensions)
    period = frames.space(domain).wrap(frames.dimensions, np.float64)[0]
    check_fit("path", spine, frames.dimensions)
    shifts = [np.array(s) * period for s in itertools.product(*[(0,) if not p else (-1, 0, 1) for p in period])]
    projections = [spine.project(points + shift) for shift in shifts]
    nearest = np.argmin([each.distance for each in projections], axis=0)
    rows, shape = np.arange(len(points)), frames.values.shape[:2]
    return Projection(*(np.stack(columns)[nearest, rows].reshape(shape) for columns in zip(*projections, strict=True)))


def _as_spine(path: Any) -> Path:
    """The path itself."""
    spine: Path = Description("path", PATH).normal(path)
    return spine


@metric(to="path")
def path_error(position: Any, path: Path, domain: Domain | None = None) -> Each:
    """Mean distance from the spine of a path [m]; NaN without vehicles. Robotics calls it the cross-track error.

    Formula: mean over i of min over s of |p(s) - x_i|. Arguments are those of `projected`.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(mean(_projected(frames, path, domain).distance))


@metric(to="path")
def off_path(position: Any, path: Path, domain: Domain | None = None) -> Each:
    """Fraction of the vehicles with centers outside of a path's tube, from 0 to 1; NaN without vehicles.

    Formula: mean of [min over s of |p(s) - x_i| > radius there]. Arguments are those of `projected`.

    Returns:
        The fraction; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    nearest = _projected(frames, path, domain)
    return frames.answer(mean((nearest.distance > _as_spine(path).radius[nearest.segment]).astype(float)))


@metric(to="path")
def progress(position: Any, path: Path, domain: Domain | None = None, *, velocity: Any = None) -> Each:
    """Mean speed along the tangent of a path [m/s], negative against its direction; NaN without vehicles.

    Formula: mean of v_i . t(s_i), t the unit tangent at the nearest point of the spine.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        path: The path.
        domain: The space. Default: space without end.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        The speed [m/s]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    moving = frames.vectors("velocity", velocity)
    s = _projected(frames, path, domain).s.ravel()
    tangent: Array = _as_spine(path).tangent_at(s).reshape(frames.values.shape)
    return frames.answer(mean(np.sum(tangent * moving, axis=-1)))


@metric(to="region")
def outside(position: Any, region: Any, domain: Domain | None = None) -> Each:
    """Fraction of the vehicles with centers outside of a region, from 0 to 1; NaN without vehicles.

    Formula: mean of [x_i not in the region].

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        region: The region, or closed obstacles.
        domain: The space. Default: space without end.

    Returns:
        The fraction; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    place, space = as_region("region", region), frames.space(domain)
    check_fit("region", place, frames.dimensions)
    inside = np.asarray(place.inside(frames.values.reshape(-1, frames.dimensions), space))
    return frames.answer(mean((~inside).astype(float).reshape(frames.values.shape[:2])))
