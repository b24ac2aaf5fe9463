"""The scenarios of the gallery at an early instant: where their vehicles are, what meters read, and what is drawn."""

import inspect
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import groupby
from string import ascii_lowercase
from typing import Any
from zlib import crc32

import numpy as np

import steersman as sm
from steersman.core.maths.shapes import Shape
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Areas, Element
from steersman.drawing.forces import forces_of
from steersman.drawing.sketch_elements import sketch_elements
from steersman.drawing.sketches import sketches_of
from steersman.gallery.registry import SCENARIOS

from .examples import add_shape
from .table import Rows, Section, digest, vectors

STEPS, MOST = 4, 12

USUAL = {"seed": 0, "dimensions": 2, "least": 1}
"""What scenarios are unless they say something else; of the rest, nothing."""

FAINT = 0.05
"""Less dense areas are those of a pool of light."""

COLORS = ("face", "edge", "color", "rim")
"""Fields of elements that are colors."""

READINGS = (np.nan, -20.0, -0.7, 0.0, *0.00123 * 1.35 ** np.arange(48))
"""Readings of meters that are shown to checks: up to a few thousand."""

SKETCHED = 8
"""Of so many scenarios the construction of a vehicle is drawn of one."""


def staged(name: str) -> sm.Stage:
    """A scenario with few vehicles, after a few steps."""
    scenario = SCENARIOS[name]
    stage = scenario.stage(n=min(scenario.quick or scenario.n, MOST), seed=3, threads=1)
    stage.world.run(steps=STEPS)
    return stage


def rows_of(name: str) -> Rows:
    """The rows of one scenario."""
    scenario, section, stage = SCENARIOS[name], Section(), staged(name)
    given = {each.name: each.default for each in inspect.signature(scenario.make).parameters.values()}
    given |= {each: getattr(scenario, each) for each in ("dimensions", "least", "most", "quick")}
    given |= {each: getattr(stage, each) for each in ("seconds", "picture", "colors")}
    section.add("says", ", ".join(f"{each}={value!r}" for each, value in given.items() if value != USUAL.get(each)))
    for each, population in stage.world.populations.items():
        vehicles = population.vehicles
        section.add(each, f"{len(vehicles)}; {digest(vehicles.position)}; {digest(vehicles.velocity)}")
    stage.meters(stage.world)
    for label, meter in stage.meters.items():
        section.add(f"meter {label}", vectors([meter.now]))
    notes = (*(each for each in stage.notes if isinstance(each, Shape)), *stage.moving_notes())
    for note in notes:
        add_shape(section, "note", note)
    for word, place in stage.labels.items():
        section.add(f"label {word}", vectors(place))
    add_pictures(section, stage)
    section.add("complaints", complaints(scenario, stage))
    return section.rows


def complaints(scenario: Any, stage: Any) -> str:
    """How many complaints its check has where all meters read the same: a letter for each reading, `a` for none.

    Where the letter changes, there is a bound. The last, first, mean, least and greatest values of a meter are farther from
    each other than two readings: where a check looks at another of them, the letter changes at another place.
    """
    counts, times, pattern = [], array("d", range(1000)), np.resize([0.5, 2.0, 0.65, 0.85], 1000)
    for reading in READINGS:
        for meter in stage.meters.values():
            meter.start, meter.now = 0.7 * reading, 1.4 * reading
            meter.least, meter.greatest = 0.5 * reading, 2.0 * reading
            meter._times, meter._values = times, array("d", (reading * pattern).tobytes())
        counts.append(ascii_lowercase[len(list(scenario.check(stage)))])
    return "".join(counts)


def add_pictures(section: Section, stage: Any) -> None:
    """What is drawn of a stage, with the force and the construction of its first vehicle."""
    contents = contents_of(stage)
    first, population = next(iter(stage.world.populations.items()))
    ids = {first: population.vehicles.id[:1].tolist()}
    if population.tree is not None:
        contents = replace(contents, forces=forces_of(stage.world, ids))
    drawn = describe(contents)
    section.add("drawn from, to", f"{vectors([drawn.low, drawn.high])}; {vectors([drawn.reach])}")
    add_elements(section, "drawn", drawn.elements)
    if population.tree is not None and crc32(stage.name.encode()) % SKETCHED == 0:
        marks = sketch_elements(sketches_of(stage.world, ids), 0.02 * drawn.span, 0.7)
        add_elements(section, "sketched", marks)


def add_elements(section: Section, about: str, elements: Iterable[Element]) -> None:
    """The elements of a picture: their kind, and each of their fields in short, but for those that are as usual."""
    for each in joined(elements):
        words, places = [], []
        for field in fields(each):
            value = getattr(each, field.name)
            if isinstance(value, (bool, int, float)) and value == field.default:
                continue
            if field.name in COLORS and value is not None and np.ndim(value) == 1:
                words.append("#" + "".join(f"{round(255 * x):02x}" for x in value))
            elif isinstance(value, str):
                words.append(value)
            elif value is not None and len(value := flat(value)):
                places.append(value if isinstance(value, str) else digest(value, spread=False))
        section.add(f"{about} {type(each).__name__}", " ".join([*words, "; ".join(places)]))


def joined(elements: Iterable[Element]) -> Iterator[Element]:
    """Elements; the areas of a pool of light, each nearly seen through, as one."""
    for look, group in groupby(elements, lambda it: pool_of(it) or id(it)):
        first, *others = group
        if isinstance(first, Areas) and isinstance(look, tuple):
            yield replace(first, rings=[ring for each in (first, *others) for ring in each.rings])
        else:
            yield first


def pool_of(element: Element) -> tuple[Any, ...] | None:
    """The look of an area of a pool of light; None of another element."""
    faint = isinstance(element, Areas) and element.opacity < FAINT
    return (element.face, element.opacity) if faint else None


def flat(value: Any) -> Any:
    """A field as rows of numbers: lists of lines are laid end to end."""
    if isinstance(value, (bool, int, float)):
        return np.array([[float(value)]])
    if isinstance(value, Sequence) and len(value) and isinstance(value[0], str):
        return " ".join(repr(each) for each in value[:6])
    if isinstance(value, Sequence) and len(value) and isinstance(value[0], np.ndarray):
        return np.concatenate([each.reshape(-1, each.shape[-1]) for each in value])
    array = np.asarray(value, float)
    return array[None] if array.ndim == 1 and array.size <= 4 else array


SECTIONS: dict[str, Callable[[], Rows]] = {name: partial(rows_of, name) for name in SCENARIOS}
