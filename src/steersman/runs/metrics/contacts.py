"""Contacts: which vehicles have collided, and how deep.

Bounding circles or spheres i and j overlap by

    depth = r_i + r_j - |x_j - x_i|

where x_j - x_i is the shortest way on a torus. A collision is a pair with a depth > 0. SteerBench (Singh, Kapadia,
Faloutsos and Reinman 2009) counts the pairs that collide in a run, each once.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.holding import Holder, as_vehicles
from steersman.core.vehicles.vehicles import Vehicles
from steersman.runs.metrics.frames import Each, Frames, mean
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.nearby import Nearby

__all__ = ["Contacts", "collided_pairs", "collisions", "overlap", "overlapping", "overlaps"]

if TYPE_CHECKING:
    from steersman.core.world.world import World


@explained
def overlaps(position: Any, domain: Domain | None = None, *, radius: Any = None) -> tuple[Array, Array]:
    """Pairs of vehicles with overlapping bounding circles or spheres, and the depths of the overlaps.

    Formula: depth = r_i + r_j - |x_j - x_i| > 0, for i < j.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.
        radius: Bounding radii [m], one number, or shape (n,) or (frames, n). Default: those of the vehicles.

    Returns:
        Rows of the pairs, the lower first, shape (k, 2), and depths [m], shape (k,). Of several frames all pairs in turn:
        the number of the frame comes before the two rows, shape (k, 3).
    """
    frames, pairs = _overlaps(position, domain, radius)
    frame = np.repeat(np.arange(len(pairs)), [len(depth) for _, depth in pairs])
    rows = np.concatenate([np.zeros((0, 2), np.int64), *(rows for rows, _ in pairs)])
    depth = np.concatenate([np.zeros(0), *(depth for _, depth in pairs)])
    return (np.column_stack([frame, rows]) if frames.several else rows), depth


def _overlaps(position: Any, domain: Domain | None, radius: Any) -> tuple[Frames, list[tuple[Array, Array]]]:
    """The frames, and rows and depths of the pairs of each."""
    frames = Frames("position", position)
    radii = frames.numbers("radius", radius)
    near, reach = Nearby(frames.space(domain)), 2 * float(radii.max(initial=0.0))
    return frames, [_deep(near, where, size, reach) for where, size in zip(frames.values, radii, strict=True)]


def _deep(near: Nearby, position: Array, radius: Array, reach: float) -> tuple[Array, Array]:
    """Rows and depths [m] of the pairs of one frame."""
    first, second, distance = near.pairs(position, reach)
    depth = radius[first] + radius[second] - distance
    deep = depth > 0
    return np.stack([first[deep], second[deep]], axis=1), depth[deep]


@metric()
def collisions(position: Any, domain: Domain | None = None, *, radius: Any = None, slack: float = 0.0) -> Each:
    """The number of pairs that overlap.

    Formula: number of pairs i < j with r_i + r_j - |x_j - x_i| > slack. Source: SteerBench (Singh et al. 2009).

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.
        radius: Bounding radii [m], one number, or shape (n,) or (frames, n). Default: those of the vehicles.
        slack: Overlaps up to this depth do not count [m].

    Returns:
        The number; for several frames shape (frames,).
    """
    slack = as_number("slack", slack, low=0, unit="m")
    frames, pairs = _overlaps(position, domain, radius)
    return frames.answer(np.array([np.count_nonzero(depth > slack) for _, depth in pairs], np.int64))


@explained
def collided_pairs(position: Any, domain: Domain | None = None, *, radius: Any = None, slack: float = 0.0) -> Array:
    """The pairs that overlap in at least one of the frames, each once: the unique collisions of a run.

    Formula: all i < j with r_i + r_j - |x_j - x_i| > slack in some frame. Source: SteerBench (Singh et al. 2009).
    Overlaps between frames are missed; `Contacts` watches every step. Arguments are those of `collisions`.

    Returns:
        Rows of the pairs, the lower first, in order, shape (k, 2).
    """
    slack = as_number("slack", slack, low=0, unit="m")
    _, pairs = _overlaps(position, domain, radius)
    deep = [rows[depth > slack] for rows, depth in pairs]
    return np.unique(np.concatenate([np.zeros((0, 2), np.int64), *deep]), axis=0)


@metric()
def overlap(position: Any, domain: Domain | None = None, *, radius: Any = None) -> Each:
    """Depth of the deepest overlap of two vehicles [m]; 0 when no vehicles touch.

    Formula: max(0, max over pairs of r_i + r_j - |x_j - x_i|). Arguments are those of `overlaps`.

    Returns:
        The depth [m]; for several frames shape (frames,).
    """
    frames, pairs = _overlaps(position, domain, radius)
    return frames.answer(np.array([depth.max(initial=0.0) for _, depth in pairs]))


@metric()
def overlapping(position: Any, domain: Domain | None = None, *, radius: Any = None) -> Each:
    """Fraction of the vehicles that overlap another one, from 0 to 1; NaN without vehicles.

    Formula: mean over i of [r_i + r_j - |x_j - x_i| > 0 for some j != i]. Arguments are those of `overlaps`.

    Returns:
        The fraction; for several frames shape (frames,).
    """
    frames, pairs = _overlaps(position, domain, radius)
    hit = np.zeros((len(frames), frames.n))
    for k, (rows, _) in enumerate(pairs):
        hit[k, rows.ravel()] = 1
    return frames.answer(mean(hit))


class Contacts(metaclass=Explained):
    """Counts pairs of vehicles that touch, at every step: an observer.

        contacts = sm.metrics.Contacts(people)
        world.on_step(contacts)
        world.run(seconds=60)
        print(len(contacts.pairs), contacts.deepest)

    Args:
        vehicles: The population.
        slack: Overlaps up to this depth do not count as contacts [m], >= 0.

    Attributes:
        pairs: The ids of all pairs that have touched so far.
        deepest: The deepest overlap so far [m], regardless of the slack.
    """

    only_watches = True

    def __init__(self, vehicles: Vehicles | Holder, *, slack: float = 0.0) -> None:
        self.vehicles, self.slack = as_vehicles("vehicles", vehicles), as_number("slack", slack, low=0, unit="m")
        self.pairs: set[tuple[int, int]] = set()
        self.deepest = 0.0

    def saved(self) -> dict[str, Any]:
        """The pairs that have touched so far, and the deepest overlap."""
        return {"pairs": [list(pair) for pair in sorted(self.pairs)], "deepest": self.deepest}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on counting."""
        self.pairs, self.deepest = {(a, b) for a, b in saved["pairs"]}, saved["deepest"]

    def __call__(self, world: "World") -> None:
        """Look at the present state."""
        rows, depth = overlaps(self.vehicles, world.domain)
        self.deepest = max(self.deepest, float(depth.max(initial=0.0)))
        touching = self.vehicles.id[rows[depth > self.slack]].tolist()
        self.pairs.update((a, b) for a, b in touching if (b, a) not in self.pairs)  # Rows may have changed their order.
