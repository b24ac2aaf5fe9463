"""The scenes: who begins where, where everybody wants to go, and what stands in the way.

After the descriptions of SteerBench's test cases (Singh, Kapadia, Faloutsos and Reinman 2009), with numbers of our own. With
seed 0 every scene begins exactly as it is written, which is exactly symmetrical where it can be; other seeds shift
everybody by up to SHIFT to any side.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import steersman as sm

RADIUS, SPEED, FORCE, RESPONSE = 0.3, 1.3, 5.0, 0.1
"""Of a walker: [m], [m/s], [N] at 1 kg, [s]."""

SHIFT = 0.15
"""How far seeds shift a start along each axis [m]."""

NEAR = 0.5
"""How near the last place of a way counts as there [m]."""

FAR = np.array([1000.0, 0.0])
"""Where those are put who have arrived [m]."""

NO_WALLS, NO_ROCKS = np.zeros((0, 2, 2)), (np.zeros((0, 2)), np.zeros(0))


@dataclass(frozen=True)
class Scene:
    """Who begins where, and wants where.

    Attributes:
        start: Where walkers begin [m], shape (n, 2).
        ways: The places that each has to come to, to the last within NEAR [m], shape (n, k, 2).
        seconds: How long they have [s].
        reach: How near a place on the way counts as passed [m].
        walls: Segments [m], shape (m, 2, 2).
        rocks: Centers [m], shape (m, 2), and radii [m].
        team: Which color a walker gets, shape (n,).
    """

    start: Any
    ways: Any
    seconds: float
    reach: float = NEAR
    walls: Any = field(default_factory=lambda: NO_WALLS)
    rocks: Any = NO_ROCKS
    team: Any = None

    @property
    def stays(self) -> Any:
        """Who begins where it wants to be, shape (n,)."""
        return np.linalg.norm(self.ways[:, -1] - self.start, axis=1) < NEAR

    @property
    def obstacles(self) -> list[Any]:
        """What the library calls them: a list of sets, which may be empty."""
        walls = [sm.Walls(self.walls)] if len(self.walls) else []
        return walls + ([sm.Spheres(*self.rocks)] if len(self.rocks[1]) else [])


def grid(x: Any, y: Any) -> Any:
    """Places in rows and columns [m]."""
    return np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2).astype(float)


def straight(start: Any, goal: Any, seconds: float, **more: Any) -> Scene:
    """Everybody goes straight to a goal."""
    return Scene(np.asarray(start, float), np.asarray(goal, float)[:, None], seconds, **more)


def turned(points: Any, degrees: float) -> Any:
    """Points around the origin, counterclockwise; exact for right angles."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    if degrees % 90 == 0:
        cosine, sine = np.round(cosine), np.round(sine)
    return points @ np.array([[cosine, sine], [-sine, cosine]])


def head_on() -> Scene:
    """Three pairs meet: dead on, half a radius off, and a radius off, far from each other."""
    off = np.array([0.0, 0.15, 0.3])
    lanes = np.array([-6.0, 0.0, 6.0])
    left = np.stack([np.full(3, -7.0), lanes + off / 2], axis=1)
    right = np.stack([np.full(3, 7.0), lanes - off / 2], axis=1)
    start = np.concatenate([left, right])
    return straight(start, start * [-1, 1], 25, team=np.repeat([0, 1], 3))


def streams(degrees: float) -> Scene:
    """Two streams of twelve cross at an angle."""
    one = grid([-8.0, -9.2, -10.4, -11.6], [-1.2, 0.0, 1.2])
    start = np.concatenate([one, turned(one, degrees)])
    along = np.array([[19.0, 0.0]])
    goal = start + np.repeat(np.concatenate([along, turned(along, degrees)]), 12, axis=0)
    return straight(start, goal, 35, team=np.repeat([0, 1], 12))


def crossing_45() -> Scene:
    """Two streams of twelve join at 45 degrees, and part again."""
    return streams(45)


def crossing_90() -> Scene:
    """Two streams of twelve cross at a right angle."""
    return streams(90)


def crossing_135() -> Scene:
    """Two streams of twelve come at each other at 135 degrees."""
    return streams(135)


def four_way() -> Scene:
    """Four groups of four meet in the middle, where they exchange places."""
    one = grid([-7.0, -8.2], [-0.6, 0.6])
    start = np.concatenate([turned(one, 90 * k) for k in range(4)])
    return straight(start, -start, 40, team=np.repeat(np.arange(4), 4))


def circle_swap() -> Scene:
    """Twenty-four on a circle go to the opposite side."""
    angle = np.arange(24) * np.pi / 12
    start = 8.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return straight(start, -start, 45, team=np.arange(24) // 6)


def squeeze() -> Scene:
    """Two meet in a corridor a little wider than both."""
    walls = [[[-4.0, y], [4.0, y]] for y in (-0.8, 0.8)]
    start = np.array([[-7.0, 0.0], [7.0, 0.0]])
    return straight(start, -start, 30, walls=np.array(walls), team=np.array([0, 1]))


def doorway() -> Scene:
    """Sixteen leave by a door that two can pass side by side."""
    walls = np.array([[[0.0, -8.0], [0.0, -0.6]], [[0.0, 0.6], [0.0, 8.0]]])
    start = grid([-1.6, -2.6, -3.6, -4.6], [-1.5, -0.5, 0.5, 1.5])
    door = np.tile([0.5, 0.0], (16, 1))
    return Scene(start, np.stack([door, start + np.array([10.0, 0.0])], axis=1), 40, 0.6, walls, team=np.arange(16) % 4)


def corridor() -> Scene:
    """Twelve in either direction along a corridor of 4 m."""
    walls = np.array([[[-20.0, y], [20.0, y]] for y in (-2.0, 2.0)])
    left = grid([-5.0, -6.4, -7.8, -9.2], [-1.1, 0.0, 1.1])
    start = np.concatenate([left, left * [-1, 1]])
    goal = start + np.repeat([[19.0, 0.0], [-19.0, 0.0]], 12, axis=0)
    return straight(start, goal, 45, walls=walls, team=np.repeat([0, 1], 12))


def cluttered() -> Scene:
    """Ten cross a field of rocks; one stands exactly in the way of each second."""
    start = np.stack([np.full(10, -9.0), np.arange(10) * 1.25 - 5.625], axis=1)
    rows = [
        grid([x], np.arange(5) * 2.5 - 5.625 + shift) for x, shift in ((-4.5, 0), (-1.5, 1.25), (1.5, 0), (4.5, 1.25))
    ]
    centers = np.concatenate(rows)
    radii = 0.5 + 0.15 * (np.arange(20) * 7 % 3)
    return straight(start, start * [-1, 1], 35, rocks=(centers, radii), team=np.arange(10) % 4)


def winding() -> Scene:
    """Six in either direction along a way that winds."""
    bends = np.array([[-10.0, 0.0], [-6.0, 3.0], [-2.0, -3.0], [2.0, 3.0], [6.0, -3.0], [10.0, 0.0]])
    queue = 1.4 * np.arange(6)[:, None] * [1.0, 0.0]
    left, right = -np.array([11.0, 0.0]) - queue, np.array([11.0, 0.0]) + queue
    ways = np.concatenate([np.tile(bends, (6, 1, 1)), np.tile(bends[::-1], (6, 1, 1))])
    return Scene(np.concatenate([left, right]), ways, 60, 1.2, team=np.repeat([0, 1], 6))


def standing_crowd() -> Scene:
    """Eight walk through twenty-five who stand about, dead on toward the first of them."""
    stand = grid(np.arange(5) * 1.7 - 3.4, np.arange(5) * 1.7 - 3.4)
    walk = grid([-7.0, -8.7], [-1.7, 0.0, 1.7, 3.4])
    start = np.concatenate([walk, stand])
    return straight(start, np.concatenate([walk + np.array([17.0, 0.0]), stand]), 40, team=np.repeat([0, 3], [8, 25]))


SCENES: dict[str, Callable[[], Scene]] = {
    each.__name__: each
    for each in (
        head_on, crossing_45, crossing_90, crossing_135, four_way, circle_swap, squeeze, doorway, corridor, cluttered,
        winding, standing_crowd,
    )
}  # fmt: skip
"""Name -> scene."""


def scene_of(name: str, seed: int) -> Scene:
    """A scene with its start shifted; seed 0 shifts nobody."""
    scene = SCENES[name]()
    if seed == 0:
        return scene
    shift = np.random.default_rng([seed, len(scene.start)]).uniform(-SHIFT, SHIFT, scene.start.shape)
    return Scene(**{**scene.__dict__, "start": scene.start + shift})


class Errand:
    """Who wants to which place of its way next, and who has been everywhere.

    Who has is taken out of the scene, as in SteerBench: it is put far away, where it stays. Who began where it wants to be
    stands there for ever.
    """

    def __init__(self, scene: Scene) -> None:
        self.ways, self.reach = scene.ways, scene.reach
        self.at = np.zeros(len(self.ways), int)
        self.last = self.ways.shape[1] - 1
        self.stays = scene.stays
        self.gone = np.zeros(len(self.ways), bool)
        self.away = FAR + 50.0 * np.arange(len(self.ways))[:, None] * [1.0, 0.0]

    @property
    def next(self) -> Any:
        """Where each wants to go now [m], shape (n, 2)."""
        return np.where(self.gone[:, None], self.away, self.ways[np.arange(len(self.ways)), self.at])

    def advance(self, position: Any) -> Any:
        """Who has come to a place wants to the next one; returns who has been everywhere only now, shape (n,)."""
        distance = np.linalg.norm(position - self.next, axis=1)
        over = (distance < NEAR) & (self.at == self.last) & ~self.gone & ~self.stays
        self.at = np.minimum(self.at + (distance < self.reach), self.last)
        self.gone |= over
        return over

    def wanted(self, position: Any) -> Any:
        """The velocity that leads there at full speed; those who stand slow down before their place [m/s], shape (n, 2)."""
        way = self.next - position
        distance = np.linalg.norm(way, axis=1)
        speed = np.where(self.stays | self.gone, np.minimum(SPEED, distance / 0.6), SPEED)
        return way * (speed / np.maximum(distance, 1e-9))[:, None]
