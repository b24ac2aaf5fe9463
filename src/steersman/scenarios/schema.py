"""The keys of a scenario document, and what they may hold.

One declaration by `parameter` serves reading, defaults and messages, as it does for behaviors; the behaviors, domains
and obstacles of a document are described by their own classes.
"""

from dataclasses import dataclass
from typing import Any, final

from steersman.geometry.parameters import Parameters, parameter
from steersman.vehicles.vehicles import SCALARS

COLORS = ("blue", "orange", "green", "red", "purple", "sky", "yellow", "gray")


@final
@dataclass(frozen=True, eq=False)
class Settings(Parameters):
    """The top of a document."""

    name: str = parameter("scenario", kind="text", doc="What the scenario is called.")
    description: str = parameter("", kind="text", doc="What it shows, in a sentence.")
    seed: int = parameter(0, kind="integer", low=0, doc="Seed of everything random.")
    dt: float = parameter(1 / 60, above=0.0, unit="s", doc="The time step.")
    seconds: float = parameter(10.0, above=0.0, unit="s", doc="How long to run.")
    dtype: str = parameter("float32", kind="text", choices=("float32", "float64"), doc="Precision of all columns.")
    domain: Any = parameter(None, kind="domain", optional=True, doc="The space; open by default.")
    picture: Any = parameter(None, kind="picture", optional=True, doc="How the picture looks.")
    obstacles: Any = parameter((), kind="obstacle sets", doc="Obstacles, a table each.")
    populations: Any = parameter(kind="populations", doc="Populations, a table each.")


@final
@dataclass(frozen=True, eq=False)
class Picture(Parameters):
    """How the picture looks."""

    trails: float = parameter(2.0, low=0.0, unit="s", doc="How long trails are; 0 draws none.")
    size: float = parameter(1.0, above=0.0, doc="How large vehicles are drawn; raising it enlarges them.")
    azimuth: float = parameter(-60.0, unit="degrees", doc="From where a 3D scene is seen, around the vertical axis.")
    elevation: float = parameter(18.0, low=-90.0, high=90.0, unit="degrees", doc="From how high a 3D scene is seen.")


@final
@dataclass(frozen=True, eq=False)
class ObstacleSet(Parameters):
    """One set of obstacles; its center and radius are those of `Spheres`."""

    name: str = parameter(kind="text", doc="Its name, for behaviors to refer to.")


def column(name: str) -> dict[str, Any]:
    """What is known about a column of numbers of the vehicles."""
    default, low, above, unit = SCALARS[name]
    return {"default": default, "kind": "spread", "low": low, "above": above, "unit": unit}


@final
@dataclass(frozen=True, eq=False)
class PopulationSettings(Parameters):
    """One population."""

    name: str = parameter(kind="text", doc="Its name.")
    n: int | None = parameter(None, kind="integer", low=1, optional=True, doc="How many vehicles.")
    color: str | None = parameter(None, kind="text", optional=True, choices=COLORS, doc="Its color in pictures.")
    spawn: Any = parameter(kind="spawn", doc="Where its vehicles are at the start.")
    clearance: float = parameter(0.0, low=0.0, unit="m", doc="Distance to obstacles at the start, beyond the radius.")
    velocity: Any = parameter(
        None, kind="velocity", optional=True, doc="How they move at the start; at rest by default."
    )
    mass: Any = parameter(**column("mass"), doc="Masses; raising one makes a vehicle sluggish.")
    radius: Any = parameter(**column("radius"), doc="Bounding radii.")
    max_speed: Any = parameter(**column("max_speed"), doc="Top speeds.")
    max_force: Any = parameter(**column("max_force"), doc="Largest steering forces; raising one turns tighter.")
    response_time: Any = parameter(
        **column("response_time"), doc="Time to reach a wanted velocity; raising it is softer.", choices=("step",)
    )
    metrics: Any = parameter((), kind="metrics", doc="What to measure.")
    steering: Any = parameter(None, kind="steering", optional=True, doc="The steering tree; without one they coast.")
