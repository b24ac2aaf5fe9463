"""Bends: how tight the turns of a path are, and which turn ahead asks a vehicle to brake first.

Of a polyline every corner has a curvature without bound. What counts is the largest arc on which a vehicle can take some
corners in a row without leaving the spine by more than a distance e:

    R = length / turn + e / (1 / cos(turn / 2) - 1)

with the turn [rad] between the direction before the first of the corners and the direction after the last, and the length
of the spine between these two. For a single corner the length is zero; for a finely sampled arc the second term is what
an arc gains that goes from the outer to the inner and back to the outer edge. The radius of a corner is the smallest R of
all runs of corners that it belongs to.

A vehicle that takes arcs of radius R at most at the speed sqrt(a R), and brakes with b, has to be slower than

    v^2 = a R + 2 b distance = a (R + 2 (b / a) distance)

before each of them. For every segment, one corner has the smallest R + 2 (b / a) arc of all that are ahead, whatever a is, so
it is found beforehand.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from steersman.core.environment.paths.path import Path
from steersman.core.typing import Array

CUT = 0.5
"""The part of the radius of the tube by which a vehicle may leave the spine in a bend."""

AROUND = 0.8
"""The largest distance of a vehicle's target beyond a corner, in radii of the corner."""

STRAIGHT = 1e-6
"""A turn [rad] below which a run of corners counts as straight."""

STEEPEST = 3.0
"""A turn [rad] beyond which the arc of a corner is taken as that of this turn: at a half turn it has no size."""


class Corners(NamedTuple):
    """The corners at the ends of the segments of a path, in the direction of travel.

    Attributes:
        before: Radii of the corners where segments begin [m], shape (m,); infinite where the path begins.
        until: Arc lengths up to which these count [m], shape (m,).
        decisive: Radii of the corners ahead that ask for braking first [m], shape (m,); infinite where there is none.
        begin: Arc lengths at which these begin to count [m], shape (m,); beyond the length of a closed path for those that
            come after its start.
        around: How far beyond the starts of segments a target may lie for vehicles that are there [m], shape (m,).
        around_next: The same for their ends [m], shape (m,).
        after: Radii of the corners where segments end [m], shape (m,); infinite where the path ends.
        part: How far before these they begin to count [m], shape (m,).
    """

    before: Array
    until: Array
    decisive: Array
    begin: Array
    around: Array
    around_next: Array
    after: Array
    part: Array


def corners_of(path: Path, direction: int, ratio: float, tightest: float = 0.0) -> Corners:
    """The corners of a path.

    Args:
        path: The path.
        direction: 1 from the first point to the last, -1 back. Arc lengths are counted in this direction, from the start of
            the way.
        ratio: Braking by turning acceleration: b / a.
        tightest: Radius of the tightest circle of the body [m]: it has to look around corners that are tighter.
    """
    _, tangent, size, arc = path.segments
    radius, m, closed = path.radius, len(size), path.closed
    if direction < 0:
        tangent, size, radius = -tangent[::-1], size[::-1], radius[::-1]
    stop, turn = np.cumsum(size), _turns(tangent, 1)
    after = np.full(m, np.inf)
    for count in _counts(m - 1):
        np.minimum(after, _least_of_last(_radii(tangent, stop, CUT * radius, count, closed), count, closed), out=after)
    arcs = np.where(np.isfinite(after), after, 0.0)
    part = arcs * np.tan(np.minimum(turn, STEEPEST) / 2)
    laps = np.arange(1 + closed)[:, None] * arc[-1]
    begin = (stop - part + laps).ravel()
    key = np.tile(after, len(laps)) + 2 * ratio * begin
    decisive = _first_least(key)[:m]
    before, until = np.roll(after, 1), np.append(0.0, stop[:-1]) + np.roll(part, 1)
    if not closed:
        before[0] = np.inf
    most = AROUND * np.maximum(after, tightest)
    near = _near_corners(most, stop, closed)
    first = near[-1] if closed else np.min(most + stop)
    radii = np.tile(after, len(laps))[decisive]
    return Corners(before, until, radii, begin[decisive], np.append(first, near[:-1]), near, after, part)


def _near_corners(most: Array, stop: Array, closed: bool) -> Array:
    """For every corner the least of what is allowed at any corner and the way there [m]."""
    laps = 3 if closed else 1
    arc = np.concatenate([stop + lap * stop[-1] for lap in range(laps)])
    every = np.tile(most, laps)
    behind = np.minimum.accumulate(every - arc) + arc
    ahead = np.minimum.accumulate((every + arc)[::-1])[::-1] - arc
    least = np.minimum(behind, ahead)
    return np.asarray(least[len(most) : 2 * len(most)] if closed else least)


def _counts(most: int) -> Iterator[int]:
    """Numbers of corners in a row to look at: all small ones, then a quarter more each time."""
    count = 1
    while count <= most:
        yield count
        count += max(1, count // 4)


def _turns(tangent: Array, count: int) -> Array:
    """Angles between the directions before and after `count` corners, the first at the end of each segment [rad]."""
    after = np.roll(tangent, -count, axis=0)
    chord, both = np.linalg.norm(after - tangent, axis=1), np.linalg.norm(after + tangent, axis=1)
    return np.asarray(2 * np.arctan2(chord, both))


def _radii(tangent: Array, stop: Array, slack: Array, count: int, closed: bool) -> Array:
    """Largest radii for `count` corners in a row, the first at the end of each segment [m]; infinite for none."""
    m = len(stop)
    turn, last = _turns(tangent, count), np.arange(m) + count - 1
    length = stop[last % m] + np.where(last >= m, stop[-1], 0.0) - stop
    room = _least_of_last(slack, count + 1, closed)[(last + 1) % m]
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.cos(turn / 2)
        radii = length / turn + room * cosine / (1 - cosine)
    bends = turn > STRAIGHT if closed else (turn > STRAIGHT) & (last + 1 < m)
    return np.where(bends, radii, np.inf)


def _least_of_last(values: Array, count: int, closed: bool) -> Array:
    """The smallest of each value and the `count` - 1 before it, round and round where the path is closed."""
    least, covered = values, 1
    while covered < count:
        step = min(covered, count - covered)
        earlier = np.roll(least, step)
        if not closed:
            earlier[:step] = np.inf
        least, covered = np.minimum(least, earlier), covered + step
    return least


def _first_least(key: Array) -> Array:
    """For every place the place of the smallest key at or after it; of several, the first."""
    least = np.minimum.accumulate(key[::-1])[::-1]
    places = np.where(key == least, np.arange(len(key)), len(key) - 1)
    return np.minimum.accumulate(places[::-1])[::-1]
