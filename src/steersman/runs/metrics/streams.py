"""Streams: density, flow and speed over place and time, by the definitions of Edie 1963."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Frames, as_dt

__all__ = ["space_time"]


class SpaceTime(NamedTuple):
    """A stream over time and place.

    Attributes:
        density: Vehicles per meter, or per square meter where the width is given, shape (times, places).
        flow: Vehicles per second (and meter of width) in the positive direction less those in the other, shape (times,
            places).
        speed: Flow over density [m/s], shape (times, places); NaN where nobody was.
        times: The borders in time [s from the first frame], shape (times + 1,).
        places: The borders along the axis [m], shape (places + 1,).
    """

    density: Array
    flow: Array
    speed: Array
    times: Array
    places: Array


@explained
def space_time(
    position: Any,
    dt: float,
    places: Any,
    domain: Domain | None = None,
    *,
    axis: int = 0,
    interval: float | None = None,
    width: float = 1.0,
) -> SpaceTime:
    """Density, flow and speed of a stream in fields of time and place: the pictures in which jams are stripes.

    Formula: in a field of length L and time T, density = sum of the times that vehicles were there / (L T), flow = sum
    of the ways along the axis that they went there / (L T), speed = flow / density; both over the width. Between two
    frames vehicles go straight. Source: Edie 1963.

    Args:
        position: Positions [m], shape (frames, n, d).
        dt: Time between two frames [s].
        places: Borders of the fields along the axis [m], ascending, shape (k + 1,).
        domain: The space. Default: space without end.
        axis: The axis of the stream: 0 for x, 1 for y, 2 for z.
        interval: Length of the fields in time [s]; a number of steps. Default: one step.
        width: The width of the stream [m]. Default: 1, so that densities are per meter.

    Returns:
        Density, flow and speed, shape (intervals, k) each, and the borders; a last interval that is not whole is left out.

    Raises:
        ValueError: Borders do not ascend, or the interval is longer than the time.
    """
    frames, step = Frames("position", position).least(2), as_dt(dt)
    rims = as_floats("places", places, np.float64)
    if rims.ndim != 1 or len(rims) < 2 or not np.all(np.diff(rims) > 0):
        raise ValueError(f"places must be at least two ascending borders, got {brief(places)}")
    if axis not in range(frames.dimensions):
        raise ValueError(f"axis must be between 0 and {frames.dimensions - 1}, got {brief(axis)}")
    steps = 1 if interval is None else round(as_number("interval", interval, above=0, unit="s") / step)
    width, count = as_number("width", width, above=0, unit="m"), (len(frames) - 1) // max(steps, 1)
    if steps < 1 or count < 1:
        most = (len(frames) - 1) * step
        raise ValueError(f"interval must be between dt and the time of the frames, {most:g} s, got {interval}")
    space = frames.space(domain)
    period = float(space.wrap(frames.dimensions, np.float64)[0, axis])
    spent, gone = np.zeros((count, len(rims) - 1)), np.zeros((count, len(rims) - 1))
    for k in range(count * steps):
        here = frames.values[k]
        way = space.difference(frames.values[k + 1], here)[:, axis]
        part = _parts(here[:, axis], way, rims, period)
        spent[k // steps] += part.sum(axis=0) * step
        gone[k // steps] += part.T @ way
    size = np.diff(rims) * steps * step * width
    density, flow = spent / size, gone / size
    speed = np.divide(gone, spent, out=np.full_like(gone, np.nan), where=spent > 0)
    return SpaceTime(density, flow, speed, steps * step * np.arange(count + 1), rims)


def _parts(start: Array, way: Array, rims: Array, period: float) -> Array:
    """The part of each way that lies in each field, shape (n, fields)."""
    total = np.zeros((len(start), len(rims) - 1))
    shifts = [0.0]
    if period > 0:  # From one round before to one after, for a way is at most half of one.
        first = np.floor((rims[0] - np.max(start, initial=0.0)) / period)
        last = np.ceil((rims[-1] - np.min(start, initial=0.0)) / period)
        shifts = [turn * period for turn in np.arange(first, last + 1)]
    for shift in shifts:
        begin, end = start + shift, start + shift + way
        low, high = np.minimum(begin, end)[:, None], np.maximum(begin, end)[:, None]
        shared = np.minimum(high, rims[1:]) - np.maximum(low, rims[:-1])
        stands = (low >= rims[:-1]) & (low < rims[1:])
        length = high - low
        total += np.where(length > 0, np.maximum(shared, 0) / np.where(length > 0, length, 1.0), stands)
    return total
