"""Ships strafe a cruiser: each passes beside it at full speed, no nearer than agreed, flies on, and comes around.

Reynolds 1999, "Offset pursuit". It is pursuit of a point beside the quarry: near, but not into it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended, largest, smallest
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

RADIUS, FAST = 10, 14
"""How near ships pass [m], and how fast they fly [m/s]."""


class Passes(sm.Keeping):
    """How near each ship came to the cruiser, and how often it passed: an observer of every step.

    Attributes:
        now: The distance at the last look [m], by id; infinite before the first one.
        nearest: The least distance so far [m], by id.
        comes: Whether it came nearer at the last look, by id.
        count: How often the distance was least, and less than twice the radius; by id.
    """

    only_watches, saved_attributes = True, ("now", "nearest", "comes", "count")

    def __init__(self, ships: sm.Vehicles, cruiser: sm.Vehicles) -> None:
        self.ships, self.cruiser = ships, cruiser
        self.now, self.nearest = self._distances(), self._distances()
        self.comes, self.count = np.zeros(len(ships), bool), np.zeros(len(ships), int)

    def __call__(self, world: sm.World) -> None:
        """Look at them once."""
        if not len(self.cruiser):
            return
        ids, now, far = self.ships.id, self._distances(), (self.now, self.nearest)
        self.now, self.nearest = (extended(each, self.ships, np.inf) for each in far)
        self.comes, self.count = (extended(each, self.ships) for each in (self.comes, self.count))
        before = self.now[ids]
        self.count[ids] += self.comes[ids] & (now > before) & (before < 2 * RADIUS)
        self.comes[ids], self.nearest[ids], self.now[ids] = now < before, np.minimum(self.nearest[ids], now), now

    def _distances(self) -> Any:
        return np.linalg.norm(self.ships.position - self.cruiser.position[0], axis=1)


DIAMOND = 2 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
"""A frame around a ship [m]."""


def make(*, n: int = 6, seed: int = 0) -> sm.Stage:
    """Put n ships around a cruiser that goes straight on."""
    rng = np.random.default_rng(seed)
    start, velocity = sm.spawn.ring(n, radius=60, rng=rng), sm.spawn.any_direction(n, speed=8, rng=rng)
    ships = sm.Vehicles(start, velocity, max_speed=FAST, max_force=30, response_time=0.15)
    cruiser = sm.Vehicles([[-20, 0]], [2, 0], max_speed=4, max_force=10, radius=2)

    world = sm.World(seed=seed)
    world.add(ships, name="ships", steering=sm.OffsetPursuit(cruiser, radius=RADIUS))
    world.add(cruiser, name="cruiser", steering=sm.MatchVelocity([2, 0]))

    passes = Passes(ships, cruiser)
    world.on_step(passes)
    world.watch("cruiser", "mean_speed")
    world.watch("ships", "mean_speed", passes=lambda ships: smallest(passes.count[ships.id]))
    world.watch("ships", nearest=lambda ships: smallest(passes.nearest[ships.id]))
    world.watch("ships", missed=lambda ships: largest(passes.nearest[ships.id]))

    def passed() -> Iterator[sm.shapes.Shape]:
        """How often the first ships have passed."""
        for row in range(min(len(ships), 3)):
            times = int(passes.count[ships.id[row]]) if ships.id[row] < len(passes.count) else 0
            if times:
                words = f"has passed {times} time{'s' if times > 1 else ''}"
                yield sm.shapes.Line(ships.position[row] + DIAMOND, closed=True, label=words)

    return sm.Stage(
        world,
        seconds=24,
        notes=[passed],
        picture=sm.Picture(
            looks={"ground": "water"},
            trails=3.5,
            size=1.5,
            glyphs="ship",
            dots=0.5,
            at=[5, 8],
            sketch={"ships": [4]},
            opens=7.2,
        ),
        colors={"ships": "blue", "cruiser": "red"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Every ship passed the cruiser at the radius, no nearer, and more than once; and they are fast."""
    if not (speed := stage.meters["cruiser.mean_speed"].values.mean()) > 1.5:
        yield f"the cruiser must go on, but did so at {speed:.1f} m/s"
    nearest, missed = stage.meters["ships.nearest"].now, stage.meters["ships.missed"].now
    if not nearest > 0.9 * RADIUS:
        yield f"no vehicle may come nearer than {0.9 * RADIUS:.1f} m, but one came to {nearest:.2f} m"
    if not missed < 1.1 * RADIUS:
        yield f"all vehicles must pass within {1.1 * RADIUS:.1f} m, but one stayed {missed:.1f} m off"
    if not (passes := stage.meters["ships.passes"].now) >= 3:
        yield f"all vehicles must fly by three times, but one did so {passes:.0f} times only"
    if not (speed := stage.meters["ships.mean_speed"].now) > 0.8 * FAST:
        yield f"they must fly by at speed, but go at {speed:.1f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999"),
    exempt={"cruiser: drift": "it goes straight on, as it began"},
    impostors={
        "without OffsetPursuit": without(sm.OffsetPursuit),
        "Shadow": instead(sm.OffsetPursuit, lambda old: sm.Shadow(old.quarry, distance=RADIUS)),
        "Pursue": instead(sm.OffsetPursuit, lambda old: sm.Pursue(old.quarry)),
        "Seek": instead(sm.OffsetPursuit, lambda old: sm.Seek(old.quarry)),
        "a slot beside the cruiser": instead(
            sm.OffsetPursuit, lambda old: sm.OffsetPursuit(old.quarry, offset=[0, 10])
        ),
        "the paper's point beside it": instead(sm.OffsetPursuit, lambda old: old.replace(law="literal")),
    },
)
