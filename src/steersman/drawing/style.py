"""How a picture looks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.kinds import FLAG, Kind
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.drawing.glyphs import GLYPHS
from steersman.drawing.looks import GROUND, LOOKS, MATERIALS


def as_moments(name: str, value: Any) -> tuple[float, ...]:
    """Times in their normal form: in order, each once."""
    times = np.atleast_1d(as_floats(name, value, np.float64))
    if times.ndim != 1 or not (times >= 0).all():
        raise ValueError(f"{name} must be {MOMENTS.words}, got {brief(value)}")
    return tuple(float(time) for time in np.unique(times))


def as_ids(name: str, value: Any) -> dict[str, tuple[int, ...]]:
    """Ids by population in their normal form."""
    message = f"{name} must be {IDS.words}, got {brief(value)}"
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise TypeError(message)
    ids_of = {key: np.atleast_1d(np.asarray(ids)) for key, ids in value.items()}
    if any(ids.ndim != 1 or not np.issubdtype(ids.dtype, np.integer) for ids in ids_of.values()):
        raise TypeError(message)
    return {key: tuple(int(each) for each in ids) for key, ids in ids_of.items()}


def as_glyphs(name: str, value: Any) -> Any:
    """A glyph for all, or glyphs by population, in their normal form."""
    if not isinstance(value, (str, Mapping)) or (isinstance(value, Mapping) and not all(map(_is_text, value.items()))):
        raise TypeError(f"{name} must be {CHOSEN.words}, got {brief(value)}")
    for each in [value] if isinstance(value, str) else value.values():
        if each not in GLYPHS:
            raise ValueError(f"{name} must be {CHOSEN.words}, got {brief(each)}{suggestion(each, GLYPHS)}")
    return value if isinstance(value, str) else dict(value)


def _is_text(pair: tuple[Any, Any]) -> bool:
    return all(isinstance(each, str) for each in pair)


def as_looks(name: str, value: Any) -> dict[str, str]:
    """Looks by name in their normal form.

    Raises:
        ValueError: There is no such look, or the ground is to be a thing.
    """
    if not isinstance(value, Mapping) or not all(map(_is_text, value.items())):
        raise TypeError(f"{name} must be {LOOKING.words}, got {brief(value)}")
    for key, each in value.items():
        if each not in LOOKS:
            raise ValueError(f"{name} must be {LOOKING.words}, got {brief(each)}{suggestion(each, LOOKS)}")
        if key == GROUND and each not in MATERIALS:
            raise ValueError(f"the ground must be one of {', '.join(MATERIALS)}, got {brief(each)}")
    return dict(value)


def unknown_looks(looks: Mapping[str, str] | None, named: Iterable[str]) -> dict[str, str]:
    """Looks of what is not there: name -> what is wrong with it.

    Args:
        looks: The looks by name.
        named: What has a name: things of the scenery, places that have labels.
    """
    names = [*named, GROUND]
    problem = "looks must be those of the scenery, of labels or of the ground; there is no"
    unknown = [name for name in looks or {} if name not in names]
    return {name: f"{problem} {name!r}{suggestion(name, names, label='names')}" for name in unknown}


MOMENTS = Kind("moments", "a time or times >= 0 s", as_moments)
IDS = Kind("ids", 'ids by population, such as {"boids": [3]}', as_ids)
CHOSEN = Kind("glyphs", f'one of {", ".join(GLYPHS)}, or such words by population: {{"boids": "bird"}}', as_glyphs)
LOOKING = Kind("looks", f'words by name, such as {{"camp": "sand"}}, of {", ".join(LOOKS)}', as_looks)


@final
@dataclass(frozen=True, eq=False)
class Picture(Parameters):
    """How a picture looks.

    Args:
        trails: How long trails are [s]; 0 draws none. Scenarios record them for their pictures.
        size: How large vehicles are drawn, usually 1. Raising it enlarges them.
        azimuth: From where a 3D scene is seen [degrees], around the vertical (z) axis from x.
        elevation: From how high a 3D scene is seen [degrees], above the horizon.
        at: When a scenario's picture is taken [s]; of several moments, side by side. Default: at the end.
        dots: Time between dots along the trails [s]: the farther apart, the faster. Default: no dots.
        sketch: Ids of vehicles whose construction is drawn, by the name of their population. The window explains the
            first one of them at the start.
        glyphs: The shapes of vehicles: dart, arrow, disc, car, bird, fish, animal, wolf, sheep, cow, horse (with its
            rider), deer, mouse, ant, moth, person, plane, ship, footprint, leaf, motorcycle or ball, for all, or by the name
            of their population.
            Default: a car for bodies on wheels that are large enough to look like one, a dart for others.
        looks: What the surroundings look like in the plane, by the name of the scenery, of a label, or "ground" for all
            around: a material (asphalt, earth, floor, forest, grass, ice, night, paving, sand, snow, steppe, water) for
            regions, paths and the ground; "trees" for obstacles; a thing (flag, lamp, fire, cheese, food, ball, chest, buoy,
            door) that stands at a label, in a region, or wherever a resource is left. In space a box can be full of water,
            such as a tank: all is seen through it then; and a landscape can bear "trees", which are decoration.
        to_scale: Whether vehicles are no longer than the diameters of their bodies, so that those who do not touch
            are seen apart; `size` does not count then.
        close_up: How wide the view of the window is when it opens, around the vehicle that it explains, which it follows
            [m]. Default: as wide as that vehicle and what it steers by; where none is explained, everything is seen.
        opens: The instant that the window goes to when it opens [s], as fast as it can; it rests there for a moment. Raising
            it shows a later event first.
    """

    trails: float = parameter(2.0, low=0.0, unit="s")
    size: float = parameter(1.0, above=0.0)
    azimuth: float = parameter(-60.0, unit="degrees")
    elevation: float = parameter(18.0, low=-90.0, high=90.0, unit="degrees")
    at: Any = parameter((), kind=MOMENTS, unit="s")
    dots: float | None = parameter(None, above=0.0, unit="s", optional=True)
    sketch: Any = parameter(None, kind=IDS, optional=True)
    glyphs: Any = parameter(None, kind=CHOSEN, optional=True)
    looks: Any = parameter(None, kind=LOOKING, optional=True)
    to_scale: bool = parameter(False, kind=FLAG)
    close_up: float | None = parameter(None, above=0.0, unit="m", optional=True)
    opens: float = parameter(0.0, low=0.0, unit="s")

    def glyph(self, name: str) -> str | None:
        """The glyph that is chosen for a population; None where none is."""
        return self.glyphs.get(name) if isinstance(self.glyphs, Mapping) else self.glyphs
