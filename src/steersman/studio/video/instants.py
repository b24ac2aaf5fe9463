"""Instants: the contents of a run at equal times, also between its steps, or between recorded frames."""

import math
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.resources import Resources
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.description import drawable
from steersman.drawing.sketches import sketches_of
from steersman.drawing.trails import FOLLOWED, Ways
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.run import Run

SLACK = 1e-6
"""Tolerance within which a time counts as that of a step [steps]."""

SAMPLES = 400
"""Largest number of points on a trail."""

Selection = Mapping[str, Sequence[int]]
"""Ids by the name of the population."""


def of_world(subject: World | Stage, times: Iterable[float], selection: Selection) -> Iterator[Contents]:
    """The contents of a world at some times, while it runs on.

    Args:
        subject: The World or the Stage.
        times: Times [s since its start], in ascending order, none before now. Between two steps positions are
            interpolated.
        selection: Ids of the vehicles with sketches of their behaviors, by population.
    """
    world = subject if isinstance(subject, World) else subject.world
    before: Contents | None = None
    for time in times:
        while world.time < time - SLACK * world.dt:
            if world.time + world.dt > time + SLACK * world.dt:
                before = _still(now(subject, selection))
            world.step()
        present = now(subject, selection)
        if before is None or world.time <= time + SLACK * world.dt:
            yield present
        else:
            yield between(before, present, time)


def now(subject: World | Stage, selection: Selection) -> Contents:
    """The present contents, with sketches of the vehicles that are still present."""
    world = subject if isinstance(subject, World) else subject.world
    there = {name: np.intersect1d(ids, world[name].id) for name, ids in selection.items()}
    present = {name: ids for name, ids in there.items() if len(ids)}
    return replace(contents_of(subject), sketches=sketches_of(world, present) if present else ())


def of_run(run: Run, times: Iterable[float]) -> Iterator[Contents]:
    """The contents of a recorded run at some times [s since its start]."""
    frames: dict[int, Contents] = {}

    def frame(number: int) -> Contents:
        if number not in frames:
            for old in [each for each in frames if each < number - 1]:
                del frames[old]
            frames[number] = contents_of(run.frame(number))
        return frames[number]

    slack = SLACK * float(run.meta["dt"])
    for time in times:
        after = min(int(np.searchsorted(run.times, time - slack)), run.frames - 1)
        if after == 0 or run.times[after] <= time + slack:
            yield frame(after)
        else:
            yield between(frame(after - 1), frame(after), time)


# ---------------------------------------------------------------------------------------------------- on the way


def between(before: Contents, after: Contents, time: float) -> Contents:
    """The contents at a time between two: vehicles present at both are interpolated, others keep their positions."""
    assert before.time is not None
    assert after.time is not None
    part = (time - before.time) / (after.time - before.time)
    vehicles = {
        name: _on_the_way(each, after.vehicles[name], part, before.domain) if name in after.vehicles else each
        for name, each in before.vehicles.items()
    }
    return replace(before, vehicles=vehicles, time=time, world=None)


def _on_the_way(before: Vehicles, after: Vehicles, part: float, domain: Domain) -> Vehicles:
    old, new = _rows(before), _rows(after)
    _, one, other = np.intersect1d(before.id[old], after.id[new], return_indices=True)
    one, other = old[one], new[other]
    position, forward = (each.astype(np.float64) for each in (before.position, before.forward))
    up = None if before.dimensions == 2 else before.up.astype(np.float64)
    if len(one):
        position[one] += part * domain.difference(after.position[other].astype(np.float64), position[one])
        forward[one] = _turned(forward[one], after.forward[other], part)
        if up is not None:
            up[one] = _turned(up[one], after.up[other], part)
    return _vehicles(before, old, _inside(position, domain), forward, up)


def _inside(position: Array, domain: Domain) -> Array:
    """Places on a torus, none of them across its seam."""
    d = position.shape[1]
    period = domain.wrap(d, np.float64)[0]
    low = np.where(np.isfinite(bounds(domain, d)[0]), bounds(domain, d)[0], 0.0)
    around = np.where(period > 0, period, 1.0)
    return np.asarray(np.where(period > 0, low + np.mod(position - low, around), position))


def _turned(before: Array, after: Array, part: float) -> Array:
    """Unit vectors between two, shape (k, d); where the two are opposite, the first."""
    mixed = (1 - part) * before + part * after
    size = np.linalg.norm(mixed, axis=1, keepdims=True)
    return np.asarray(np.where(size > 1e-6, mixed / np.maximum(size, 1e-12), before))


def _rows(vehicles: Vehicles) -> Array:
    """Rows of vehicles with finite positions."""
    return drawable(vehicles, len(vehicles))


def _vehicles(like: Vehicles, rows: Array, position: Array, forward: Array, up: Array | None) -> Vehicles:
    """Some vehicles with other positions and orientations."""
    some = len(rows) > 0
    return Vehicles(
        position[rows], forward=forward[rows] if some else None, up=None if up is None or not some else up[rows],
        radius=like.radius[rows], length=like.length[rows], id=like.id[rows],
    )  # fmt: skip


def _still(contents: Contents) -> Contents:
    """A copy of the present contents, which does not change when the world goes on."""
    vehicles = {}
    for name, each in contents.vehicles.items():
        up = None if each.dimensions == 2 else each.up
        vehicles[name] = _vehicles(each, _rows(each), each.position, each.forward, up)
    return replace(contents, vehicles=vehicles, world=None)


# ---------------------------------------------------------------------------------------------------- all of a run


class Spool:
    """Keeps instants in a file until the extent of the run is known; trails are not kept.

    Args:
        instants: The instants.
        on_instant: Called after each instant, with the number of instants that are kept.
    """

    def __init__(self, instants: Iterable[Contents], on_instant: Callable[[int], object]) -> None:
        self._file: Any = tempfile.TemporaryFile()  # noqa: SIM115 -- it is closed when all have been read.
        self._count = 0
        self._low, self._high = math.inf, -math.inf
        lows: list[Array] = []
        highs: list[Array] = []
        for each in instants:
            pickle.dump(_packed(each), self._file, pickle.HIGHEST_PROTOCOL)
            self._count += 1
            if self._count == 1:
                self.first = _still(each)
            for corners in _corners(each):
                lows.append(corners[0])
                highs.append(corners[1])
            on_instant(self._count)
        self.been = (np.min(lows, axis=0)[None], np.max(highs, axis=0)[None]) if lows else ()

    def close(self) -> None:
        """Delete the file."""
        self._file.close()

    def __iter__(self) -> Iterator[Contents]:
        self._file.seek(0)
        for _ in range(self._count):
            yield _unpacked(self.first, pickle.load(self._file))


def _packed(contents: Contents) -> tuple[Any, ...]:
    vehicles = {name: _seen(each) for name, each in _still(contents).vehicles.items()}
    amounts = [each.amount.copy() for each in contents.scenery if isinstance(each, Resources)]
    return contents.time, vehicles, amounts, contents.sketches


def _seen(vehicles: Vehicles) -> dict[str, Array]:
    """The columns of vehicles that are seen, by name."""
    turned = ("forward", "up")[: vehicles.dimensions - 1] if len(vehicles) else ()
    return {name: getattr(vehicles, name) for name in ("position", "radius", "length", "id", *turned)}


def _unpacked(first: Contents, packed: tuple[Any, ...]) -> Contents:
    time, columns, amounts, sketches = packed
    left = iter(amounts)
    scenery = tuple(
        Resources(each.position, next(left)) if isinstance(each, Resources) else each for each in first.scenery
    )
    vehicles = {name: Vehicles(**each) for name, each in columns.items()}
    return replace(first, time=time, vehicles=vehicles, scenery=scenery, sketches=sketches)


def _corners(contents: Contents) -> Iterator[tuple[Array, Array]]:
    """Corners of the boxes around each population [m]; in 3D without a few far vehicles."""
    for each in contents.vehicles.values():
        places = each.position[_rows(each)].astype(np.float64)
        if len(places):
            few = 1.0 if contents.dimensions == 3 else 0.0
            low, high = np.percentile(places, [few, 100 - few], axis=0)
            yield low, high


def is_limited(contents: Contents) -> bool:
    """Whether the view of a run is known before it starts."""
    return contents.frame is not None or bool(np.isfinite(bounds(contents.domain, contents.dimensions)[1]).all())


# ---------------------------------------------------------------------------------------------------- trails


def with_trails(instants: Iterable[Contents], every: float, always: Mapping[str, int]) -> Iterator[Contents]:
    """Instants with the trails of the time before each, of the length that their pictures ask for.

    Args:
        instants: The instants.
        every: Time between two instants [s].
        always: Vehicles that always leave a trail: ids by population.
    """
    ways: Ways | None = None
    stride = 1
    for number, each in enumerate(instants):
        if ways is None:
            seconds = each.style.trails
            stride = max(1, math.ceil(seconds / every / (SAMPLES - 2)))
            ways = Ways(each.vehicles, each.domain, seconds, FOLLOWED, SAMPLES, always)
        if number % stride == 0:
            ways.note(float(each.time or 0.0), each.vehicles)
        yield replace(each, trails=ways)
