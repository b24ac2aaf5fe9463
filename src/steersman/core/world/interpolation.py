"""Interpolation: the poses of vehicles between the last two steps, for drawing.

    position = before + fraction (now - before), over the seam of a torus the short way
    orientation = the rotation from before to now, the same fraction of the way, about one axis

A world keeps the state before the last step only from the first call of `World.drawn` on, so other worlds copy nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.maths.angles import wrap_angles
from steersman.core.maths.frames import rotation_matrices
from steersman.core.typing import Array
from steersman.core.vehicles.turnover import turnover
from steersman.core.vehicles.vehicles import Vehicles


@dataclass(frozen=True, eq=False)
class Pose:
    """Places and orientations of n vehicles at one moment, in the order of their rows.

    Attributes:
        id: The ids, shape (n,).
        position: Positions [m], shape (n, d).
        forward: Directions in which they face, unit vectors, shape (n, d).
        heading: Heading angles [rad] in 2D, shape (n,); None in 3D.
        up: Up directions in 3D, shape (n, 3); None in 2D.
        quaternion: Orientations (w, x, y, z) in 3D, shape (n, 4), which never change their sign from one moment to the
            next; None in 2D.
    """

    id: Array
    position: Array
    forward: Array
    heading: Array | None
    up: Array | None
    quaternion: Array | None


class _State(NamedTuple):
    """Vehicles before a step, or after it.

    Attributes:
        births: Numbers of their births, by row, shape (n,).
        position: Positions [m], shape (n, d).
        turn: Heading angles [rad], shape (n,); in 3D quaternions, shape (n, 4).
    """

    births: Array
    position: Array
    turn: Array


class Interpolation:
    """Keeps the states of populations before the last step."""

    def __init__(self) -> None:
        self._before: dict[int, _State] = {}

    def look(self, populations: Iterable[Vehicles]) -> dict[int, _State]:
        """The present states, before a step. When the step is made, they are passed to `keep`."""
        return {id(vehicles): self._now(vehicles) for vehicles in populations}

    def keep(self, states: dict[int, _State]) -> None:
        """Keep the states before the step that was just made."""
        self._before = states

    def pose(self, vehicles: Vehicles, fraction: float, domain: Domain) -> Pose:
        """The vehicles at a fraction of the way from the state before the last step to the present one.

        Vehicles that came with the last step have their present pose.
        """
        now = self._now(vehicles)
        before = self._before.get(id(vehicles), now)
        change = turnover(before.births, now.births)
        rows, stayed = change.from_rows(len(before.births)), slice(0, change.stayed)
        position, turn = now.position, now.turn.copy()
        moved = np.zeros_like(position)
        moved[stayed] = domain.difference(position[stayed], before.position[rows])
        position = position - (1 - fraction) * moved
        if vehicles.dimensions == 2:
            turn[stayed] -= (1 - fraction) * wrap_angles(turn[stayed] - before.turn[rows])
            turn = wrap_angles(turn)
            forward = np.stack([np.cos(turn), np.sin(turn)], axis=1)
            return Pose(vehicles.id, _inside(position, domain), forward, turn, None, None)
        turn[stayed] = _between(before.turn[rows], turn[stayed], fraction)
        matrix = rotation_matrices(turn)
        return Pose(vehicles.id, _inside(position, domain), matrix[:, :, 0], None, matrix[:, :, 2], turn)

    def _now(self, vehicles: Vehicles) -> _State:
        """The present state; quaternions have the sign that is nearer to those of the kept state."""
        position = vehicles.position.astype(np.float64)
        if vehicles.dimensions == 2:
            return _State(vehicles.births, position, vehicles.heading.astype(np.float64))
        turn = vehicles.quaternion.astype(np.float64)
        before = self._before.get(id(vehicles))
        if before is not None:
            change = turnover(before.births, vehicles.births)
            rows = change.from_rows(len(before.births))
            stayed = turn[: change.stayed]
            stayed[np.einsum("ij,ij->i", stayed, before.turn[rows]) < 0] *= -1
        return _State(vehicles.births, position, turn)


def _between(before: Array, now: Array, fraction: float) -> Array:
    """Unit quaternions a fraction of the way from one to the other, shape (n, 4) each; they enclose a right angle at most."""
    angle = np.arccos(np.clip(np.einsum("ij,ij->i", before, now), -1, 1))[:, None]
    small = angle < 1e-4  # Where the straight line is the arc, but for rounding.
    sine = np.where(small, 1, np.sin(angle))
    first = np.where(small, 1 - fraction, np.sin((1 - fraction) * angle) / sine)
    second = np.where(small, fraction, np.sin(fraction * angle) / sine)
    mixed = first * before + second * now
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True))


def _inside(position: Array, domain: Domain) -> Array:
    """Positions along periodic axes, brought back between their ends."""
    period = domain.wrap(position.shape[1], np.float64)[0]
    if not period.any():
        return position
    low = bounds(domain, position.shape[1])[0]
    around = low + np.mod(position - low, np.where(period > 0, period, 1.0))
    return np.asarray(np.where(period > 0, around, position))
