"""The keys of a scenario document, and the values that they may hold.

One declaration by `parameter` serves reading, defaults and messages, as it does for behaviors; the behaviors, domains
and obstacles of a document are described by their own classes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from steersman.core.environment.domain import Domain
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import INTEGER, TEXT, Kind
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.steering.behavior import STEERING
from steersman.core.steering.targets.target import TARGET
from steersman.core.vehicles.columns import SCALARS
from steersman.core.world.clock import LONGEST, SHORTEST
from steersman.core.world.constraint import WORLD_CONSTRAINTS
from steersman.core.world.flows.flow import FLOWS
from steersman.core.world.observers import EverySeconds
from steersman.drawing.style import Picture
from steersman.runs.documents.spread import SPREAD
from steersman.runs.metrics.watching import TRIGGER

DOMAIN = Kind("domain", "a table with its kind", base=Domain)
SPAWN = Kind("spawn", "a table with its shape", base=Parameters)
VELOCITY = Kind("velocity", "a table with its kind")
LOCOMOTION = Kind("locomotion", "the name of a body, or a table with it", base=Locomotion)
PICTURE = Kind("picture", "a table", base=Picture)
SCENERY = Kind("scenery", "tables")
POPULATIONS = Kind("populations", "tables")
MEASURES = Kind("metrics", "names of metrics, or tables")


def _as_rows(name: str, value: Any) -> Any:
    if not hasattr(value, "__len__"):
        raise TypeError(f"{name} must be {ROWS.words}, got {brief(value)}")
    return value


TABLE = Kind("table", "a table", base=Mapping)
ROWS = Kind("rows", "rows of numbers, one a vehicle", _as_rows)
MEMORY = Kind("memory", "tables of a key and columns")
TALLIES = Kind("tallies", "tables of a name, how many have passed, and columns")
REMEMBERED = Kind("remembered", "a table")

MOST_SECONDS, MOST_STEPS = 1e12, 2**53
"""The longest run: thirty thousand years [s], and the largest number of steps that a float holds exactly."""

EVERY = 0.25
"""Default time between readings of a metric [s]."""

COLORS = ("blue", "orange", "green", "red", "purple", "sky", "yellow", "gray")


@final
@dataclass(frozen=True, eq=False)
class Settings(Parameters):
    """The top of a document.

    Args:
        name: The name of the scenario.
        description: A sentence about the scenario.
        seed: Seed of everything random.
        dt: The time step [s].
        seconds: How long to run [s].
        dtype: Precision of all columns.
        dimensions: 2 or 3; the domain's, or those of most points, by default.
        steps: Steps made so far.
        time: Time since the start [s].
        rest: Time that World.advance was given and has not stepped yet [s].
        domain: The space; open by default.
        constraints: Constraints that hold for all vehicles together after every step.
        picture: How the picture looks.
        obstacles: Obstacles, a table each.
        paths: Paths, a table each.
        fields: Flow fields, a table each.
        regions: Regions, a table each.
        surfaces: Surfaces, a table each.
        resources: Sets of resources, a table each.
        populations: Populations, a table each.
    """

    name: str = parameter("scenario", kind=TEXT)
    description: str = parameter("", kind=TEXT)
    seed: int = parameter(0, kind=INTEGER, low=0)
    dt: float = parameter(1 / 60, low=SHORTEST, high=LONGEST, unit="s")
    seconds: float = parameter(10.0, above=0.0, high=MOST_SECONDS, unit="s")
    dtype: str = parameter("float32", kind=TEXT, choices=("float32", "float64"))
    dimensions: int | None = parameter(None, kind=INTEGER, low=2, high=3, optional=True)
    steps: int = parameter(0, kind=INTEGER, low=0, high=MOST_STEPS)
    time: float = parameter(0.0, low=0.0, unit="s")
    rest: float = parameter(0.0, low=0.0, unit="s")
    domain: Any = parameter(None, kind=DOMAIN, optional=True)
    constraints: Any = parameter((), kind=WORLD_CONSTRAINTS)
    picture: Any = parameter(None, kind=PICTURE, optional=True)
    obstacles: Any = parameter((), kind=SCENERY)
    paths: Any = parameter((), kind=SCENERY)
    fields: Any = parameter((), kind=SCENERY)
    regions: Any = parameter((), kind=SCENERY)
    surfaces: Any = parameter((), kind=SCENERY)
    resources: Any = parameter((), kind=SCENERY)
    populations: Any = parameter(kind=POPULATIONS)


@final
@dataclass(frozen=True, eq=False)
class Named(Parameters):
    """The name of something in the scenery; the other keys are those of its class.

    Args:
        name: Its name, for behaviors to refer to.
    """

    name: str = parameter(kind=TEXT)


@final
@dataclass(frozen=True, eq=False)
class MetricSettings(Parameters):
    """A metric of a population.

    Args:
        metric: The metric to measure.
        to: The target of the metric.
        name: Its name; the metric by default.
        every: Time between readings [s], or steps such as "6 steps"; raising it reads less often.
    """

    metric: str = parameter(kind=TEXT)
    to: Any = parameter(None, kind=TARGET, optional=True)
    name: str | None = parameter(None, kind=TEXT, optional=True)
    every: Any = parameter(EverySeconds(EVERY), kind=TRIGGER)


@final
@dataclass(frozen=True, eq=False)
class Remembered(Parameters):
    """The memory of a population's behaviors and body.

    Args:
        keys: Keys of the nodes of the tree, in the order in which it is walked.
        next_key: The first key that was never used.
        addressed: Ids of the vehicles to which the tree was assigned.
        memory: Tables of a key and columns.
        flows: Tables of a name, the number of vehicles that have passed, and columns.
    """

    keys: Any = parameter(None, kind=ROWS, optional=True)
    next_key: int | None = parameter(None, kind=INTEGER, optional=True)
    addressed: Any = parameter(None, kind=ROWS, optional=True)
    memory: Any = parameter(None, kind=MEMORY, optional=True)
    flows: Any = parameter(None, kind=TALLIES, optional=True)


@final
@dataclass(frozen=True, eq=False)
class BuiltInCall(Parameters):
    """A document that calls for a built-in scenario.

    Args:
        scenario: The name of the built-in scenario.
        n: Vehicles in its main population.
        seed: Seed of everything random.
        seconds: How long to run [s].
        dt: The time step [s].
        params: Its own parameters, a table.
    """

    scenario: str = parameter(kind=TEXT)
    n: int | None = parameter(None, kind=INTEGER, low=1, optional=True)
    seed: int = parameter(0, kind=INTEGER, low=0)
    seconds: float | None = parameter(None, above=0.0, high=MOST_SECONDS, unit="s", optional=True)
    dt: float | None = parameter(None, low=SHORTEST, high=LONGEST, unit="s", optional=True)
    params: Any = parameter(None, kind=TABLE, optional=True)


def column(name: str) -> dict[str, Any]:
    """Arguments of `parameter` for a column of numbers of the vehicles."""
    default, low, above, unit = SCALARS[name]
    return {"default": default, "kind": SPREAD, "low": low, "above": above, "unit": unit}


@final
@dataclass(frozen=True, eq=False)
class PopulationSettings(Parameters):
    """One population.

    Args:
        name: Its name.
        n: The number of vehicles.
        color: Its color in pictures.
        dtype: Its precision; that of all by default.
        spawn: Where its vehicles are at the start.
        position: Where they are [m], shape (n, d); instead of `spawn`.
        clearance: Distance to obstacles at the start [m], beyond the radius.
        velocity: How they move at the start, or velocities [m/s], shape (n, d); at rest by default.
        forward: Where they face, shape (n, d); along the velocity by default.
        up: Up directions, shape (n, 3), in 3D; along the z axis by default.
        angular_velocity: How they turn [rad/s], shape (n,), in 3D (n, 3); not at all by default.
        id: Their ids, shape (n,); 0, 1, 2, ... by default.
        next_id: The id that the next vehicle gets; one above all by default.
        newcomers: Values of vehicles that are added later, by column; the common value of all by default.
        heading: Where they face at the start [rad], in 2D; along the velocity by default.
        mass: Masses [kg]; raising one makes a vehicle sluggish.
        radius: Bounding radii [m].
        max_speed: Top speeds [m/s].
        max_force: Largest steering forces [N]; raising one turns tighter.
        response_time: Time to reach a wanted velocity [s]; raising it is softer.
        max_angular_speed: Fastest turning of bodies that turn by themselves [rad/s].
        max_angular_acceleration: Largest angular steering [rad/s^2]; raising one turns faster.
        length: Lengths of the bodies along forward [m]; up to 2 radius they are balls.
        locomotion: The body that moves them; a point mass by default.
        flows: Spawners and Sinks: how vehicles come and go.
        yields: How readily they give way to vehicles of other populations; 1 by default, and 0 without steering. Raising it
            lets others go first.
        metrics: The metrics to measure.
        remembered: The memory of its behaviors and its body, as a world writes it.
        steering: The steering tree; without one they coast.
    """

    name: str = parameter(kind=TEXT)
    n: int | None = parameter(None, kind=INTEGER, low=0, optional=True)
    color: str | None = parameter(None, kind=TEXT, optional=True, choices=COLORS)
    dtype: str | None = parameter(None, kind=TEXT, optional=True, choices=("float32", "float64"))
    spawn: Any = parameter(None, kind=SPAWN, optional=True)
    position: Any = parameter(None, kind=ROWS, unit="m", optional=True)
    clearance: float = parameter(0.0, low=0.0, unit="m")
    velocity: Any = parameter(None, kind=VELOCITY, optional=True)
    forward: Any = parameter(None, kind=ROWS, optional=True)
    up: Any = parameter(None, kind=ROWS, optional=True)
    angular_velocity: Any = parameter(None, kind=ROWS, unit="rad/s", optional=True)
    id: Any = parameter(None, kind=ROWS, optional=True)
    next_id: int | None = parameter(None, kind=INTEGER, low=0, optional=True)
    newcomers: Any = parameter(None, kind=TABLE, optional=True)
    heading: Any = parameter(None, kind=SPREAD, unit="rad", optional=True)
    mass: Any = parameter(**column("mass"))
    radius: Any = parameter(**column("radius"))
    max_speed: Any = parameter(**column("max_speed"))
    max_force: Any = parameter(**column("max_force"))
    response_time: Any = parameter(**column("response_time"), choices=("step",))
    max_angular_speed: Any = parameter(**column("max_angular_speed"))
    max_angular_acceleration: Any = parameter(**column("max_angular_acceleration"))
    length: Any = parameter(**column("length"))
    locomotion: Any = parameter(None, kind=LOCOMOTION, optional=True)
    flows: Any = parameter((), kind=FLOWS)
    yields: float | None = parameter(None, low=0.0, optional=True)
    metrics: Any = parameter((), kind=MEASURES)
    remembered: Any = parameter(None, kind=REMEMBERED, optional=True)
    steering: Any = parameter(None, kind=STEERING, optional=True)
