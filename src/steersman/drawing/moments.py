"""Moments: the contents of a picture at some times of a run, kept for one picture."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace

from steersman.core.environment.resources import Resources
from steersman.core.world.world import World
from steersman.drawing.contents import Contents

SLACK = 1e-9
"""How much too early a step may end, in steps."""


class Moments:
    """Keeps the contents of a picture at some times: an observer.

    Args:
        world: The world; it is observed from now on.
        seen: Returns the contents now.
        times: The times [s]. Those in the past are left out.

    Attributes:
        kept: The contents, as they were then.
    """

    def __init__(self, world: World, contents: Callable[[], Contents], times: Sequence[float]) -> None:
        self.moments: list[Contents] = []
        self._contents, self._times = contents, sorted(times)
        while self._times and self._times[0] < world.time:
            self._times.pop(0)
        if self._times:
            self(world)
            world.on_step(self)

    def __call__(self, world: World) -> None:
        """Keep the present, if it is one of the times, or the first step after it."""
        while self._times and world.time >= self._times[0] - SLACK * world.dt:
            self._times.pop(0)
            self.moments.append(snapshot_of(self._contents()))


def snapshot_of(contents: Contents) -> Contents:
    """A copy of contents that does not change when the world goes on."""
    return replace(
        contents,
        vehicles={name: copy.deepcopy(each) for name, each in contents.vehicles.items()},
        scenery=tuple(copy.deepcopy(each) if isinstance(each, Resources) else each for each in contents.scenery),
        trails=copy.deepcopy(contents.trails),
        world=None,
    )
