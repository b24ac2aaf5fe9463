"""Colors of vehicles: the quantities that they can show besides the population, and the values of all vehicles."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steersman.core.steering.laws.vectors import length
from steersman.core.typing import Array
from steersman.core.world.explain import Explanation
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.runs.metrics.following import projected
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.proximity import distances_from
from steersman.runs.recording.capture import modes_in
from steersman.studio.viewer.element_messages import packed, packed_ids

Message = dict[str, Any]
Explanations = Mapping[str, Explanation]


class Coloring(NamedTuple):
    """A number of each vehicle that gives its color.

    Attributes:
        title: A description for the user.
        unit: Its unit.
        of: The numbers of a population, shape (n,); None where it has none.
    """

    title: str
    unit: str
    of: Callable[[World, Population], Array | None]


def _column(name: str, world: World, population: Population) -> Array:
    return np.asarray(getattr(population.vehicles, name), np.float64)


def _nearest(world: World, population: Population) -> Array | None:
    """The distance to the nearest other vehicle, infinite for a single vehicle."""
    colorings = world.neighbors(population.name, np.inf, k=1)
    distance = np.full(len(population.vehicles), np.inf)
    distance[np.diff(colorings.indptr) > 0] = colorings.distances
    return distance


OWN: dict[str, Coloring] = {
    "nearest distance": Coloring("Distance to the nearest other one of the population", "m", _nearest),
    "max speed": Coloring("The most that each can go", "m/s", partial(_column, "max_speed")),
    "max force": Coloring("The largest force of each", "N", partial(_column, "max_force")),
    "mass": Coloring("The mass of each", "kg", partial(_column, "mass")),
    "radius": Coloring("The radius of each", "m", partial(_column, "radius")),
}
"""Name -> coloring that is available for all vehicles."""

WORDS = {"mode": "The mode that each is in", "decision": "The behavior that decides for each"}
"""Name -> title of the colorings that have words instead of numbers."""

FORCE = "force"


def colorings(world: World) -> dict[str, str]:
    """The colorings of a world, besides those that a page makes itself: name -> title."""
    colorings = {
        "decision": WORDS["decision"],
        FORCE: "The steering force of each, as a part of the largest that it can have",
    }
    if any(modes_in(each) is not None for each in world.populations.values()):
        colorings = {"mode": WORDS["mode"], **colorings}
    return colorings | {name: each.title for name, each in {**OWN, **metered(world)}.items()}


def metered(world: World) -> dict[str, Coloring]:
    """The colorings of the meters of a world that have a value for each vehicle, by label."""
    colorings = {}
    for label, meter in (world.meters or {}).items():
        each = _metered(meter)
        if each is not None:
            colorings[label] = each
    return colorings


def _metered(meter: Meter) -> Coloring | None:
    subject, metric = meter.subject, meter.metric
    if metric.to not in ("target", "path", "region") or metric.unit == "m/s":
        return None

    def of(world: World, population: Population) -> Array | None:
        if population.vehicles is not subject.vehicles:
            return None
        if metric.to == "target":
            return distances_from(subject.vehicles.position.astype(np.float64), subject.to, subject.domain)
        if metric.to == "path":
            return np.asarray(projected(subject.vehicles, subject.to, subject.domain).distance)
        return np.asarray(subject.to.inside(subject.vehicles.position, subject.domain), np.float64)

    label = {"target": "Distance to it", "path": "Distance from the path", "region": "Whether it is inside (1)"}[
        metric.to
    ]
    return Coloring(f"{label}: {metric.doc}", "" if metric.to == "region" else "m", of)


def colors_by(world: World, by: str, explanations: Explanations) -> Message:
    """The data of the colors of all vehicles.

    Args:
        world: The world, between steps.
        by: One of `colorings`.
        explanations: The explanations of the steered populations, for colorings that need them.
    """
    if by in WORDS:
        colorings = {name: _words(by, each, explanations.get(name)) for name, each in world.populations.items()}
        return {"by": by, "populations": {name: each for name, each in colorings.items() if each is not None}}
    if by == FORCE:
        values = {name: length(each.force) / np.maximum(each.max_force, 1e-12) for name, each in explanations.items()}
        return _ramp(world, by, "", values, (0.0, 1.0))
    known = {**OWN, **metered(world)}
    if by not in known:
        raise KeyError(f"colors cannot mean {by!r} here")
    colored = {name: known[by].of(world, each) for name, each in world.populations.items() if len(each.vehicles)}
    return _ramp(world, by, known[by].unit, {name: each for name, each in colored.items() if each is not None}, None)


def _words(by: str, population: Population, explanations: Explanation | None) -> Message | None:
    """A word for each vehicle: the words, and the number of the word of each vehicle."""
    if by == "decision":
        words = None if explanations is None else explanations.winner
    else:
        modes = modes_in(population)
        if modes is None:
            return None
        start = next(iter(modes.names.values()))
        words = np.array([modes.names.get(int(each), start) for each in modes.mode], dtype=np.str_)
    if words is None or not len(words):
        return None
    names, codes = np.unique(words, return_inverse=True)
    return {"names": names.tolist(), "ids": packed_ids(population.vehicles.id), "values": packed(codes)}


def _ramp(world: World, by: str, unit: str, values: Mapping[str, Array], limits: tuple[float, float] | None) -> Message:
    """Numbers along a ramp from the smallest to the largest."""
    everything = np.concatenate([np.zeros(0), *values.values()])
    finite = everything[np.isfinite(everything)]
    low, high = limits or (float(finite.min(initial=np.inf)), float(finite.max(initial=-np.inf)))
    if not low <= high:
        low, high = 0.0, 1.0
    wide = (high - low) or 1.0
    parts = {
        name: np.clip(np.nan_to_num((each - low) / wide, nan=0.0, posinf=1.0), 0, 1) for name, each in values.items()
    }
    columns = {name: {"ids": packed_ids(world[name].id), "values": packed(each)} for name, each in parts.items()}
    return {"by": by, "low": low, "high": high, "unit": unit, "populations": columns}
