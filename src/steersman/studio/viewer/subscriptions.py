"""Wanted: data that pages subscribe to beyond the frames: forces and sketches of all vehicles, colors, times of phases.

Each kind costs time, so it is sent only while a page subscribes to it, and takes at most a fraction of the time.
"""

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.core.world.explain import Explanation
from steersman.core.world.timings import PHASES, Timings
from steersman.core.world.world import World
from steersman.studio.viewer.coloring import FORCE, colors_by
from steersman.studio.viewer.populations import MOST_SKETCHED, forces_of_all, sketches_of_all

OFTEN, RARELY = 0.05, 0.2
"""Least time between two messages of data that move with the vehicles, and of other data [s]."""

PART = 0.25
"""Largest fraction of the time that each kind of data may take."""

LONG, FEWEST = 0.1, 6
"""Longest time for the sketches of all vehicles [s], and the number of vehicles that have sketches in any case."""

PLANES = 8
"""Largest number of planes around a view."""

FLAGS = ("forces", "sketches", "velocity", "timings")

EXPLAINED = ("decision", FORCE)
"""Colors that need an explanation of the steering."""

Say = Callable[..., None]


class Subscriptions:
    """The subscriptions of all pages.

    Args:
        say: Sends a message to all pages: `say(kind, message, key)`.
    """

    def __init__(self, say: Say) -> None:
        self._say = say
        self._wanted: dict[Any, Mapping[str, Any]] = {}
        self._views: dict[Any, Array | None] = {}
        self._due: dict[str, float] = {}
        self._timed: tuple[World, Timings] | None = None
        self._then: dict[str, float] = {}
        self._sketched = FEWEST

    def want(self, sender: Any, message: Mapping[str, Any]) -> None:
        """Replace the subscriptions of a page; an empty message ends all of them."""
        colors = message.get("colors")
        wanted = {name: True for name in FLAGS if message.get(name) is True}
        if colors is not None and not isinstance(colors, str):
            raise TypeError(f"colors must be a word, got {colors!r}")
        pixel = message.get("pixel")
        fine = isinstance(pixel, (int, float)) and 0 < pixel < math.inf
        self._wanted[sender] = wanted | ({"colors": colors} if colors else {}) | ({"pixel": pixel} if fine else {})
        if not self._wanted[sender]:
            del self._wanted[sender]

    def look(self, sender: Any, planes: Any, d: int) -> None:
        """Note the view of a page: planes (normal, offset) of `d` dimensions; None for everything."""
        view = None
        if planes is not None:
            problem = f"a view is up to {PLANES} planes of {d + 1} numbers each, or null"
            try:
                view = np.array(planes, np.float64)
            except (TypeError, ValueError):
                raise TypeError(problem) from None
            if not (view.ndim == 2 and 0 < len(view) <= PLANES and view.shape[1] == d + 1 and np.isfinite(view).all()):
                raise TypeError(problem)
        self._views[sender] = view

    def reset_views(self) -> None:
        """Every page sees everything, until it tells otherwise: another world is shown."""
        self._views = dict.fromkeys(self._views)

    def leave(self, sender: Any) -> None:
        """End all subscriptions of a page."""
        self._wanted.pop(sender, None)
        self._views.pop(sender, None)

    @property
    def watched(self) -> bool:
        """Whether a page watches."""
        return bool(self._views)

    def any(self, name: str) -> bool:
        """Whether a page subscribes to this kind of data."""
        return any(name in each for each in self._wanted.values())

    @property
    def velocity(self) -> bool:
        """Whether frames need velocities."""
        return self.any("velocity")

    @property
    def pixel(self) -> float:
        """The smallest pixel of a page [m]; 0 where it is not known."""
        return min((each["pixel"] for each in self._wanted.values() if "pixel" in each), default=0.0)

    @property
    def views(self) -> list[Array] | None:
        """The views of pages, as planes; None where one sees everything."""
        views = [each for each in self._views.values() if each is not None]
        return views if views and len(views) == len(self._views) else None

    @property
    def colors(self) -> set[str]:
        """The colorings that pages subscribe to."""
        return {each["colors"] for each in self._wanted.values() if "colors" in each}

    def tell(self, world: World, span: float, *, now: bool = False) -> None:
        """Send the data that are due, or all data with a subscription; between steps.

        Args:
            world: The world.
            span: Width of the picture [m].
            now: Whether all data are due.
        """
        explanations: dict[str, Explanation] = {}
        if self.any("forces"):
            self._one("forces", OFTEN, now, lambda: forces_of_all(world, _explained(world, explanations), span))
        if self.any("sketches"):
            self._one("sketches", OFTEN, now, lambda: self._sketches(world, span))
        for by in self.colors:
            self._one("colors", RARELY, now, partial(self._colors, world, by, explanations), by)
        if self.any("timings"):
            self._one("timings", RARELY, now, lambda: self._phases(world))
        else:
            self.end()

    def _one(self, kind: str, often: float, now: bool, make: Callable[[], Mapping[str, Any]], by: str = "") -> None:
        """Send one kind of data if it is due."""
        key, began = f"{kind} {by}".strip(), time.perf_counter()
        if not now and began < self._due.get(key, 0.0):
            return
        try:
            message = make()
        except Exception as error:  # A behavior of a user's own cannot say, or there is no such coloring.
            message = {"problem": str(error), **({"by": by} if by else {})}
        self._say(kind, message, key)
        ended = time.perf_counter()
        self._due[key] = began + max(often, (ended - began) / PART)

    def _sketches(self, world: World, span: float) -> dict[str, Any]:
        """Sketches of as many vehicles as the time allows; in a crowd each takes longer, because it has many neighbors."""
        while True:
            began, tried = time.perf_counter(), self._sketched
            sketches = sketches_of_all(world, span, tried)
            took = time.perf_counter() - began
            self._sketched = int(min(max(tried * LONG / max(took, 1e-9), FEWEST), 4 * tried, MOST_SKETCHED))
            if not sketches["note"] or self._sketched < 2 * tried:
                return sketches

    def _colors(self, world: World, by: str, explanations: dict[str, Explanation]) -> dict[str, Any]:
        return colors_by(world, by, _explained(world, explanations) if by in EXPLAINED else {})

    def _phases(self, world: World) -> dict[str, Any]:
        """The times of the phases of steps since the last call."""
        if self._timed is None or self._timed[0] is not world:
            self.end()
            self._timed, self._then = (world, world.timings()), {}
        timings = self._timed[1]
        now = {"steps": float(timings.steps), **timings.seconds}
        new = {name: value - self._then.get(name, 0.0) for name, value in now.items()}
        if not new["steps"]:
            return {"steps": 0, "phases": {}}
        self._then = now
        return {"steps": int(new["steps"]), "phases": {name: 1000 * new[name] / new["steps"] for name in PHASES}}

    def end(self) -> None:
        """Stop the timing of steps."""
        if self._timed is not None:
            self._timed[1].end()
            self._timed = None


def _explained(world: World, explanations: dict[str, Explanation]) -> dict[str, Explanation]:
    """The explanations of all steered populations, which are made once and cached in `explanations`."""
    if not explanations:
        for name, each in world.populations.items():
            if each.tree is not None and len(each.vehicles):
                explanations[name] = world.explain(name)
    return explanations
