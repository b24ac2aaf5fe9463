"""Metrics: measures of a run. Pure functions of vehicles or arrays, and meters that watch them during a run.

See docs/metrics.md for all of them. A metric has no memory: `Frames` (`frames.py`) makes float64 arrays `(frames, n,
d)` of its input (vehicles, recorded columns, bare arrays) and returns the answer for one frame or for several.
Neighbors come from `Nearby` (`nearby.py`): all pairs for few, the grid of the neighborhood for many. Functions with
`@metric` (`metric.py`) can be watched and have a name in documents. Measures of the past are observers that apply the
rule of a function step by step: `Contacts`, `LineWatch`, `StuckWatch`.

All functions check their arguments by `Frames`. TypeError: an argument does not consist of numbers, is of another kind, or
is left out and the vehicles do not bring it (`radius`, `velocity`). ValueError: another shape or other dimensions, NaN or
infinity, fewer frames than a derivative needs, an unknown word, or a number out of range (`dt` <= 0, a radius, mass or
distance < 0). Docstrings list only errors beyond these.
"""

from typing import NoReturn

from steersman.core.parameters.guiding import suggestion
from steersman.runs.metrics import (
    arriving,
    contacts,
    coverage,
    crossing,
    crowding,
    deciding,
    energy,
    extents,
    following,
    grouping,
    jitter,
    meters,
    motion,
    order,
    proximity,
    reading,
    spreading,
    streams,
    structure,
    stuck,
    turns,
    watching,
)
from steersman.runs.metrics.arriving import *
from steersman.runs.metrics.contacts import *
from steersman.runs.metrics.crossing import *
from steersman.runs.metrics.crowding import *
from steersman.runs.metrics.energy import *
from steersman.runs.metrics.extents import *
from steersman.runs.metrics.following import *
from steersman.runs.metrics.grouping import *
from steersman.runs.metrics.jitter import *
from steersman.runs.metrics.motion import *
from steersman.runs.metrics.order import *
from steersman.runs.metrics.proximity import *
from steersman.runs.metrics.spreading import *
from steersman.runs.metrics.streams import *
from steersman.runs.metrics.structure import *
from steersman.runs.metrics.stuck import *
from steersman.runs.metrics.turns import *

__all__ = ["coverage", "deciding", "meters", "reading", "watching"]
__all__ += arriving.__all__
__all__ += contacts.__all__
__all__ += crossing.__all__
__all__ += crowding.__all__
__all__ += energy.__all__
__all__ += extents.__all__
__all__ += following.__all__
__all__ += grouping.__all__
__all__ += jitter.__all__
__all__ += motion.__all__
__all__ += order.__all__
__all__ += proximity.__all__
__all__ += spreading.__all__
__all__ += streams.__all__
__all__ += structure.__all__
__all__ += stuck.__all__
__all__ += turns.__all__


def __getattr__(name: str) -> NoReturn:
    """Raise an error that suggests the metric that was meant."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{suggestion(name, __all__)}")
