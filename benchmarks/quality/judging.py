"""What a walk is judged by: numbers from where everybody was.

Who has arrived is out of the scene, and where it was then is NaN. Of those who only stand there, collisions count.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.quality.scenes import RADIUS, SPEED, Scene
from benchmarks.quality.steerings import DT, Walked
from steersman.runs.metrics.jitter import turn_jitter

TOUCH = 0.001
"""Overlaps up to this depth do not count as a collision [m]."""

SLOW, WINDOW = 0.25, 2.0
"""Stuck is who got on at less than this part of its speed over so long [s]."""

STANDS = 0.1
"""Below this part of its speed a walker has no direction."""


class Judged(NamedTuple):
    """What a walk came to.

    Attributes:
        collisions: Pairs that ever touched, and walkers who ever touched an obstacle.
        deepest: The deepest of all overlaps [m].
        success: Part of the walkers who came to where they wanted, in time.
        late: Time beyond what the free way takes, the mean; who does not arrive takes all the time there is [s].
        effort: All changes of velocity, whichever way, of a walker: the mean [m/s].
        jitter: Root mean square of the turn acceleration [rad/s^2].
        stuck: For how long a walker got on at less than SLOW of its speed, the mean [s].
    """

    collisions: float
    deepest: float
    success: float
    late: float
    effort: float
    jitter: float
    stuck: float


LESS_IS_BETTER = Judged(True, True, False, True, True, True, True)


def clearances(scene: Scene, position: Any) -> Iterator[Any]:
    """For each set of obstacles, how far everybody's middle was from it [m], shape (steps + 1, n); negative: inside."""
    for obstacles in scene.obstacles:
        away = obstacles.nearest(np.nan_to_num(position, nan=1e6).reshape(-1, 2)).distance
        yield (away if obstacles.seen_from == "outside" else np.abs(away)).reshape(position.shape[:2])


def touching(scene: Scene, position: Any) -> tuple[int, float]:
    """How many pairs, and walkers and obstacles, ever touched; and how deep the deepest did [m]."""
    there = np.nan_to_num(position, nan=np.inf)
    first, second = np.triu_indices(position.shape[1], 1)
    with np.errstate(invalid="ignore"):  # Of two who are both gone: inf - inf.
        apart = np.linalg.norm(there[:, first] - there[:, second], axis=2)
    depths = [2 * RADIUS - np.nanmin(apart, axis=0)]
    depths += [RADIUS - away.min(axis=0) for away in clearances(scene, position)]
    depth = np.concatenate(depths)
    return int(np.sum(depth > TOUCH)), float(max(depth.max(initial=0.0), 0.0))


def judge(scene: Scene, walked: Walked, free: Any, dt: float = DT) -> Judged:
    """All of it; `free` says how long the free ways take [s], shape (n,)."""
    position, velocity = walked
    count, deepest = touching(scene, position)
    goes, here = ~scene.stays, np.isfinite(position[..., 0])
    spent = here.sum(axis=0) - 1
    window = round(WINDOW / dt)
    far = np.linalg.norm(position[window:] - position[:-window], axis=2)
    speed = np.linalg.norm(np.nan_to_num(velocity), axis=2)
    moving = goes & (speed > STANDS * SPEED)
    effort = np.nansum(np.linalg.norm(np.diff(velocity, axis=0), axis=2), axis=0)
    return Judged(
        collisions=count,
        deepest=deepest,
        success=float(np.mean(~here[-1, goes])),
        late=float((spent * dt - free)[goes].mean()),
        effort=float(effort[goes].mean()),
        jitter=turn_jitter(np.where(moving[..., None], np.nan_to_num(velocity), 0.0), dt),
        stuck=float(np.sum(far < SLOW * SPEED * WINDOW, axis=0)[goes].mean() * dt),
    )
