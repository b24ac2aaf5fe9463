"""How a picture looks."""

from dataclasses import dataclass
from typing import final

from steersman.geometry.parameters import Parameters, parameter


@final
@dataclass(frozen=True, eq=False)
class Picture(Parameters):
    """How a picture looks.

    Args:
        trails: How long trails are [s]; 0 draws none. Scenarios record them for their pictures.
        size: How large vehicles are drawn, usually 1. Raising it enlarges them.
        azimuth: From where a 3D scene is seen [degrees], around the vertical (z) axis from x.
        elevation: From how high a 3D scene is seen [degrees], above the horizon.
    """

    trails: float = parameter(2.0, low=0.0, unit="s")
    size: float = parameter(1.0, above=0.0)
    azimuth: float = parameter(-60.0, unit="degrees")
    elevation: float = parameter(18.0, low=-90.0, high=90.0, unit="degrees")
