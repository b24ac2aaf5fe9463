"""The keys of a scenario document, and what they may hold.

One declaration by `parameter` serves reading, defaults and messages, as it does for behaviors; the behaviors, domains
and obstacles of a document are described by their own classes.
"""

from dataclasses import dataclass
from typing import Any, final

from steersman.geometry.parameters import Parameters, parameter
from steersman.vehicles.columns import SCALARS

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
    constraints: Any = parameter(
        (), kind="world constraints", doc="What holds for all vehicles together after every step."
    )
    picture: Any = parameter(None, kind="picture", optional=True, doc="How the picture looks.")
    obstacles: Any = parameter((), kind="scenery", doc="Obstacles, a table each.")
    paths: Any = parameter((), kind="scenery", doc="Paths, a table each.")
    fields: Any = parameter((), kind="scenery", doc="Flow fields, a table each.")
    regions: Any = parameter((), kind="scenery", doc="Regions, a table each.")
    surfaces: Any = parameter((), kind="scenery", doc="Surfaces, a table each.")
    resources: Any = parameter((), kind="scenery", doc="Sets of resources, a table each.")
    populations: Any = parameter(kind="populations", doc="Populations, a table each.")


@final
@dataclass(frozen=True, eq=False)
class Named(Parameters):
    """The name of something in the scenery; the other keys are those of its class."""

    name: str = parameter(kind="text", doc="Its name, for behaviors to refer to.")


@final
@dataclass(frozen=True, eq=False)
class Recall(Parameters):
    """A document that calls for a built-in scenario."""

    scenario: str = parameter(kind="text", doc="The name of the built-in scenario.")
    n: int | None = parameter(None, kind="integer", low=1, optional=True, doc="Vehicles in its main population.")
    seed: int = parameter(0, kind="integer", low=0, doc="Seed of everything random.")
    seconds: float | None = parameter(None, above=0.0, unit="s", optional=True, doc="How long to run.")
    dt: float | None = parameter(None, above=0.0, unit="s", optional=True, doc="The time step.")
    params: Any = parameter(None, kind="table", optional=True, doc="Its own parameters, a table.")


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
    heading: Any = parameter(
        None,
        kind="spread",
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
        None, kind="locomotion", optional=True, doc="The body that moves them; a point mass by default."
    )
    metrics: Any = parameter((), kind="metrics", doc="What to measure.")
    steering: Any = parameter(None, kind="steering", optional=True, doc="The steering tree; without one they coast.")
