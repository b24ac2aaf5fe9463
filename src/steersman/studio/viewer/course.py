"""The course: the way that the explained vehicle will go if nothing is changed.

The world itself steps on and returns, so the course has every force, every neighbor and every random number of the run to
come. A window draws it while the world stands still, and the rest of it while the world plays on.
"""

from contextlib import suppress
from dataclasses import dataclass
from time import thread_time

import numpy as np

from steersman.core.typing import Array
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.world import World
from steersman.drawing.elements import Lines, Texts
from steersman.drawing.palette import RGB
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer.element_messages import BELOW, Message, arrows_of, element_of
from steersman.studio.viewer.reset import Instant

LENGTHS = 12.0
"""How far a course leads, in diameters of the vehicle,"""

SECONDS = (3.0, 8.0)
"""but not for less time than the first one, nor for more than the second [s]."""

MOST = 40_000
"""Most steps of single vehicles that a course may take: among many vehicles it is shorter, and in a crowd there is none."""

BUSY = 0.3
"""Longest time for which it steps on [s of processor time]; a course that takes longer ends there."""

LEAST = 0.5
"""A course of less time tells nothing [s]."""

STRAIGHT = 0.06
"""A way that leaves the straight one by less, as a part of its length, tells no more than the arrows do."""

MEANS, SAYS = "its course", "its next seconds, if nothing is changed"
"""Its name, and its words in the key to the picture."""

TIP = 1.5
"""How long the arrow at its end is, in radii of the vehicle."""

WIDTH, DASH = 1.8, (4.0, 3.0)
"""Width of the line, and of its dashes and the gaps between [points]."""


@dataclass(frozen=True, eq=False)
class Course:
    """The way of one vehicle, from one instant to another.

    Attributes:
        vehicle: Its population and its id.
        branch: The number of the run: each change begins another one.
        steps: The number of steps at its beginning.
        time: The time at each place [s], shape (k,).
        place: Where the vehicle is then [m], shape (k, d).
        joined: Whether it comes there from the place before without a jump, such as that at a seam, shape (k,).
        radius: Its radius [m].
    """

    vehicle: tuple[str, int]
    branch: int
    steps: int
    time: Array
    place: Array
    joined: Array
    radius: float

    @property
    def bends(self) -> bool:
        """Whether it leaves the straight way, and the vehicle itself, by a length that can be seen."""
        steps = np.where(self.joined[1:, None], np.diff(self.place, axis=0), 0.0)
        way = np.concatenate([np.zeros_like(self.place[:1]), np.cumsum(steps, axis=0)])
        length = np.linalg.norm(steps, axis=1).sum()
        along = way[-1] / max(np.linalg.norm(way[-1]), np.finfo(float).tiny)
        ahead = np.clip(way @ along, 0.0, np.linalg.norm(way[-1]))
        return bool(np.linalg.norm(way - ahead[:, None] * along, axis=1).max() > max(self.radius, STRAIGHT * length))

    def messages(self, time: float, color: RGB) -> list[Message]:
        """The rest of it after a time [s], as elements in a color: line, tip, seconds; none if it is straight."""
        rest = self.time >= time - 1e-9
        place, joined = self.place[rest], self.joined[rest]
        away = np.linalg.norm(place - place[-1], axis=1) if len(place) else np.zeros(0)
        if len(place) < 2 or away.max() <= self.radius or not self.bends:
            return []
        pieces = [each for each in np.split(place, np.flatnonzero(~joined[1:]) + 1) if len(each) > 1]
        layer = BELOW if place.shape[1] == 2 else 5.0
        far = np.flatnonzero(np.linalg.norm(pieces[-1] - place[-1], axis=1) >= TIP * self.radius)
        tail = pieces[-1][far[-1] if len(far) else 0]
        words = [f"its next {self.time[-1] - time:.0f} s"]
        made = [
            element_of(Lines(points=pieces, color=(*color, 1.0), width=WIDTH, dash=DASH, layer=layer)),
            arrows_of(tail[None], place[-1:], (*color, 1.0), WIDTH, layer),
            element_of(Texts(position=place[-1:], words=words, color=color, layer=6.0)),
        ]
        return [{**each, "means": MEANS, "says": SAYS, "count": 1, "ring": True} for each in made]


def course_of(stage: Stage, vehicle: tuple[str, int], branch: int, *, pure: bool) -> Course | None:
    """The course of a vehicle from the present instant. The world steps on and returns, with all its observers.

    Args:
        stage: The stage.
        vehicle: Its population and its id; it must be there.
        branch: The number of the run.
        pure: Whether its functions are known to have no state of their own, as those of the built-in scenarios.

    Returns:
        None where there are too many vehicles, or the world cannot return with all of its state.
    """
    world = stage.world
    number = sum(len(each.vehicles) for each in world.populations.values())
    seconds = min(SECONDS[1], MOST / max(number, 1) * world.dt)
    if seconds < LEAST:
        return None
    try:
        now = Instant(stage)
    except SnapshotError:
        return None
    if now.forgetful and not pure:
        return None
    try:
        return _followed(world, vehicle, branch, seconds)
    finally:
        now.restore()


def _followed(world: World, vehicle: tuple[str, int], branch: int, seconds: float) -> Course:
    """Step the world on, and follow the vehicle until it has gone far enough, or has left."""
    (name, number), steps, began = vehicle, world.steps, world.time
    time, place, joined, way = list[float](), list[Array](), list[bool](), 0.0
    until = thread_time() + BUSY
    with suppress(Exception):  # A step that fails tells so when it is made.
        while True:
            vehicles = world[name]
            row = np.flatnonzero(vehicles.id == number)
            if not len(row):
                break
            radius = float(vehicles.radius[row[0]])
            here = vehicles.position[row[0]].astype(float)
            step = float(np.linalg.norm(here - place[-1])) if place else 0.0
            joined.append(step <= 2.0 * world.dt * float(vehicles.max_speed[row[0]]) + radius)
            time.append(world.time)
            place.append(here)
            way += step if joined[-1] else 0.0
            gone = world.time - began + 0.5 * world.dt
            if gone >= seconds or thread_time() >= until or (gone >= SECONDS[0] and way >= 2.0 * LENGTHS * radius):
                break
            world.step()
    return Course(vehicle, branch, steps, np.array(time), np.array(place), np.array(joined), radius)
