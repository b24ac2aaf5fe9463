"""The keys of a scenario document, and what they may hold.

One declaration by `parameter` serves reading, defaults and messages, as it does for behaviors; the behaviors, domains
and obstacles of a document are described by their own classes.
"""

from dataclasses import dataclass
from typing import Any, final

from steersman.drawing.style import Picture
from steersman.environment.domains.domain import Domain
from steersman.geometry.kinds import INTEGER, TEXT, Kind
from steersman.geometry.parameters import Parameters, parameter
from steersman.locomotion.locomotion import Locomotion
from steersman.scenarios.spread import SPREAD
from steersman.steering.behavior import STEERING
from steersman.vehicles.columns import SCALARS
from steersman.world.constraints.constraint import WORLD_CONSTRAINTS

DOMAIN = Kind("domain", "a table with its kind", base=Domain)
SPAWN = Kind("spawn", "a table with its shape")
VELOCITY = Kind("velocity", "a table with its kind")
LOCOMOTION = Kind("locomotion", "the name of a body, or a table with it", base=Locomotion)
PICTURE = Kind("picture", "a table", base=Picture)
SCENERY = Kind("scenery", "tables")
POPULATIONS = Kind("populations", "tables")
METRICS = Kind("metrics", "names of metrics, or tables")
TABLE = Kind("table", "a table")

COLORS = ("blue", "orange", "green", "red", "purple", "sky", "yellow", "gray")


@final
@dataclass(frozen=True, eq=False)
class Settings(Parameters):
    """The top of a document."""

    name: str = parameter("scenario", kind=TEXT, doc="What the scenario is called.")
    description: str = parameter("", kind=TEXT, doc="What it shows, in a sentence.")
    seed: int = parameter(0, kind=INTEGER, low=0, doc="Seed of everything random.")
    dt: float = parameter(1 / 60, above=0.0, unit="s", doc="The time step.")
    seconds: float = parameter(10.0, above=0.0, unit="s", doc="How long to run.")
    dtype: str = parameter("float32", kind=TEXT, choices=("float32", "float64"), doc="Precision of all columns.")
    domain: Any = parameter(None, kind=DOMAIN, optional=True, doc="The space; open by default.")
    constraints: Any = parameter(
        (), kind=WORLD_CONSTRAINTS, doc="What holds for all vehicles together after every step."
    )
    picture: Any = parameter(None, kind=PICTURE, optional=True, doc="How the picture looks.")
    obstacles: Any = parameter((), kind=SCENERY, doc="Obstacles, a table each.")
    paths: Any = parameter((), kind=SCENERY, doc="Paths, a table each.")
    fields: Any = parameter((), kind=SCENERY, doc="Flow fields, a table each.")
    regions: Any = parameter((), kind=SCENERY, doc="Regions, a table each.")
    surfaces: Any = parameter((), kind=SCENERY, doc="Surfaces, a table each.")
    resources: Any = parameter((), kind=SCENERY, doc="Sets of resources, a table each.")
    populations: Any = parameter(kind=POPULATIONS, doc="Populations, a table each.")


@final
@dataclass(frozen=True, eq=False)
class Named(Parameters):
    """The name of something in the scenery; the other keys are those of its class."""

    name: str = parameter(kind=TEXT, doc="Its name, for behaviors to refer to.")


@final
@dataclass(frozen=True, eq=False)
class Recall(Parameters):
    """A document that calls for a built-in scenario."""

    scenario: str = parameter(kind=TEXT, doc="The name of the built-in scenario.")
    n: int | None = parameter(None, kind=INTEGER, low=1, optional=True, doc="Vehicles in its main population.")
    seed: int = parameter(0, kind=INTEGER, low=0, doc="Seed of everything random.")
    seconds: float | None = parameter(None, above=0.0, unit="s", optional=True, doc="How long to run.")
    dt: float | None = parameter(None, above=0.0, unit="s", optional=True, doc="The time step.")
    params: Any = parameter(None, kind=TABLE, optional=True, doc="Its own parameters, a table.")


def column(name: str) -> dict[str, Any]:
    """What is known about a column of numbers of the vehicles."""
    default, low, above, unit = SCALARS[name]
    return {"default": default, "kind": SPREAD, "low": low, "above": above, "unit": unit}


@final
@dataclass(frozen=True, eq=False)
class PopulationSettings(Parameters):
    """One population."""

    name: str = parameter(kind=TEXT, doc="Its name.")
    n: int | None = parameter(None, kind=INTEGER, low=1, optional=True, doc="How many vehicles.")
    color: str | None = parameter(None, kind=TEXT, optional=True, choices=COLORS, doc="Its color in pictures.")
    spawn: Any = parameter(kind=SPAWN, doc="Where its vehicles are at the start.")
    clearance: float = parameter(0.0, low=0.0, unit="m", doc="Distance to obstacles at the start, beyond the radius.")
    velocity: Any = parameter(None, kind=VELOCITY, optional=True, doc="How they move at the start; at rest by default.")
    heading: Any = parameter(
        None,
        kind=SPREAD,
        unit="rad",
        optional=True,
        doc="Where they face at the start, in 2D; along the velocity by default.",
    )
    mass: Any = parameter(**column("mass"), doc="Masses; raising one makes a vehicle sluggish.")
    radius: Any = parameter(**column("radius"), doc="Bounding radii.")
    max_speed: Any = parameter(**column("max_speed"), doc="Top speeds.")
    max_force: Any = parameter(**column("max_force"), doc="Largest steering forces; raising one turns tighter.")
    response_time: Any = parameter(
        **column("response_time"), doc="Time to reach a wanted velocity; raising it is softer.", choices=("step",)
    )
    max_angular_speed: Any = parameter(
        **column("max_angular_speed"), doc="Fastest turning of bodies that turn by themselves."
    )
    max_angular_acceleration: Any = parameter(
        **column("max_angular_acceleration"), doc="Largest angular steering; raising one turns faster."
    )
    locomotion: Any = parameter(
        None, kind=LOCOMOTION, optional=True, doc="The body that moves them; a point mass by default."
    )
    metrics: Any = parameter((), kind=METRICS, doc="What to measure.")
    steering: Any = parameter(None, kind=STEERING, optional=True, doc="The steering tree; without one they coast.")
