"""Splines: smooth curves through points, as polylines that stay within a stated distance of them."""

import math

import numpy as np

from steersman.core.typing import Array

MOST_SAMPLES = 10_000_000
"""The most samples of a curve."""


def catmull_rom(points: Array, *, closed: bool, tolerance: float) -> tuple[Array, Array]:
    """The centripetal Catmull-Rom spline through points, sampled.

    Yuksel, Schaefer and Keyser 2011, "Parameterization and applications of Catmull-Rom curves": with the square root of the
    distance as parameter there are neither loops nor cusps between two points. An open curve goes on straight at its ends.
    A chord over the step h of a cubic is nowhere farther from it than h^2 / 8 times its largest second derivative, which
    is at one of the ends: so many samples are taken.

    Args:
        points: Points [m], shape (k, d), no two consecutive ones (nor, if closed, the last and first) the same.
        closed: Whether the curve leads back to the first point.
        tolerance: Largest distance between polyline and curve [m], > 0.

    Returns:
        Samples [m], shape (m, d), the points among them; and for each step between samples, to the first one again if
        closed, the number of the span between two points that it lies in, shape (m,) or (m - 1,).

    Raises:
        ValueError: It would take more than MOST_SAMPLES.
    """
    if len(points) < 2:
        return points, np.zeros(1 if closed else 0, np.int64)
    around = _with_neighbors(points, closed)
    curves = [_as_bezier(around[span : span + 4]) for span in range(len(around) - 3)]
    steps_of = [_steps(curve, tolerance) for curve in curves]
    if not sum(steps_of) <= MOST_SAMPLES:
        raise ValueError(
            f"tolerance must be larger: {tolerance:g} m would take {sum(steps_of):,.0f} segments, of at most "
            f"{MOST_SAMPLES:,}"
        )
    counts = [int(steps) for steps in steps_of]
    samples, spans = [], []
    for span, (curve, steps) in enumerate(zip(curves, counts, strict=True)):
        t = (np.arange(steps) / steps)[:, None]
        samples.append(
            (1 - t) ** 3 * curve[0] + 3 * (1 - t) ** 2 * t * curve[1] + 3 * (1 - t) * t**2 * curve[2] + t**3 * curve[3]
        )
        spans += [span] * steps
    if not closed:
        samples.append(points[-1:])
    return np.concatenate(samples), np.array(spans)


def _steps(curve: Array, tolerance: float) -> float:
    """Steps in which a curve, given by its control points, is sampled: a whole number, or infinitely many."""
    bend = 6 * float(np.linalg.norm(curve[:-2] - 2 * curve[1:-1] + curve[2:], axis=1).max())
    ratio = bend / 8 / tolerance if tolerance * 1e300 > bend else math.inf
    return max(1.0, float(np.ceil(math.sqrt(ratio))))


def _with_neighbors(points: Array, closed: bool) -> Array:
    """The points with one before the first, and one (two, if closed) after the last."""
    if closed:
        return np.concatenate([points[-1:], points, points[:2]])
    return np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])


def _as_bezier(four: Array) -> Array:
    """Control points, shape (4, d), of the curve between the second and the third of four points."""
    before, span, after = np.sqrt(np.linalg.norm(np.diff(four, axis=0), axis=1))
    slope = (four[2] - four[1]) / span
    out = (four[1] - four[0]) / before - (four[2] - four[0]) / (before + span) + slope
    into = slope - (four[3] - four[1]) / (span + after) + (four[3] - four[2]) / after
    return np.array([four[1], four[1] + out * span / 3, four[2] - into * span / 3, four[2]])
