"""Dimensions: whether the world of a document is 2D or 3D, if its domain leaves that open.

The majority of its points decides, so that a single point with one number too many is reported, and not all other points.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.walls import CHAINS
from steersman.core.parameters.kinds import POINTS, VECTOR
from steersman.core.parameters.parameters import describe
from steersman.runs.documents.reader import Table
from steersman.runs.documents.scenery import SECTIONS
from steersman.runs.documents.spawning import SHAPES

DECIDING, MAPS = ("obstacles",), ("paths", "regions")
"""Sections of the scenery with points of the world's dimensions; and sections that may be maps in the plane of a 3D world,
which count only if there are no other points. (Surfaces do not count: a landscape has corners in the plane.)"""


def dimensions_of(document: Table) -> int | None:
    """The dimensions of most points of a document; at a tie, those of the first point. None without points."""
    votes: Counter[int] = Counter()
    for population in _tables(document.get("populations")):
        spawn = population.get("spawn")
        votes.update(_points_of(spawn, SHAPES.get(_word(spawn, "shape"))))
        votes.update(_targets_of(population.get("steering")))
    for sections in (DECIDING, MAPS):
        for section in sections if sections is DECIDING or not votes else ():
            about = SECTIONS[section]
            for table in _tables(document.get(section)):
                votes.update(_points_of(table, about.kinds.get(_word(table, "kind") or about.usual)))
    return votes.most_common(1)[0][0] if votes else None


def _tables(value: Any) -> list[Any]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, (list, tuple)) else []


def _word(table: Any, key: str) -> str:
    word = table.get(key) if isinstance(table, Mapping) else None
    return word if isinstance(word, str) else ""


def _points_of(table: Any, cls: Any) -> Iterator[int]:
    """The dimensions of each point of a table; a disc has 2 by its shape."""
    if not isinstance(table, Mapping) or cls is None:
        return
    own = getattr(cls, "dimensions", None)
    if isinstance(own, int):
        yield own
    for each in describe(cls):
        if each.kind.is_like(VECTOR, POINTS, CHAINS):
            yield from _lengths(table.get(each.name))


def _targets_of(value: Any) -> Iterator[int]:
    """The dimensions of each target of a steering tree."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _lengths(item) if key in ("target", "goal") else _targets_of(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _targets_of(item)


def _lengths(value: Any) -> Iterator[int]:
    """The lengths of the innermost lists that may be points."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if len(value) in (2, 3) and all(isinstance(item, (int, float)) for item in value):
            yield len(value)
        else:
            for item in value:
                yield from _lengths(item)
