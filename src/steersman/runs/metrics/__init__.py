"""Metrics: measures of a run. Pure functions of vehicles or arrays, and meters that watch them during a run.

See docs/metrics.md for all of them. A metric has no memory: `Frames` (`frames.py`) makes float64 arrays `(frames, n,
d)` of its input (vehicles, recorded columns, bare arrays) and returns the answer for one frame or for several.
Neighbors come from `Nearby` (`nearby.py`): all pairs for few, the grid of the neighborhood for many. `METRICS`
(`meters.py`) lists those with a name for `watch` and documents, each with the kind of thing that it measures toward
(`MEASURED`). Measures of the past are observers that apply the rule of a function step by step: `Contacts`,
`LineWatch`, `StuckWatch`.
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
    following,
    grouping,
    jitter,
    meters,
    motion,
    order,
    proximity,
    reading,
    stuck,
    watching,
)
from steersman.runs.metrics.arriving import arrival_times, arrived, detour, path_lengths
from steersman.runs.metrics.contacts import Contacts, collided_pairs, collisions, overlap, overlapping, overlaps
from steersman.runs.metrics.crossing import Crossings, LineWatch, crossings, flow, specific_flow
from steersman.runs.metrics.crowding import density, voronoi_areas, voronoi_density
from steersman.runs.metrics.energy import effort, kinetic_energy, walking_energy, walking_power, work
from steersman.runs.metrics.following import off_path, outside, path_error, progress, projected
from steersman.runs.metrics.grouping import cluster_count, cluster_labels, largest_cluster
from steersman.runs.metrics.jitter import acceleration, accelerations, jerk, jerks, turn_accelerations, turn_jitter
from steersman.runs.metrics.motion import (
    center,
    cohesion_radius,
    directions,
    dispersion,
    mean_speed,
    milling,
    polarization,
)
from steersman.runs.metrics.order import lane_order, local_polarization
from steersman.runs.metrics.proximity import (
    closest_approach,
    closest_to,
    distance_to,
    distances_to,
    farthest_from,
    nearest_distance,
    nearest_distances,
    obstacle_collisions,
    penetration,
    penetrations,
    retreat,
)
from steersman.runs.metrics.stuck import is_deadlocked, is_stuck

__all__ = [
    "Contacts",
    "Crossings",
    "LineWatch",
    "acceleration",
    "accelerations",
    "arrival_times",
    "arrived",
    "arriving",
    "center",
    "closest_approach",
    "closest_to",
    "cluster_count",
    "cluster_labels",
    "cohesion_radius",
    "collided_pairs",
    "collisions",
    "contacts",
    "coverage",
    "crossing",
    "crossings",
    "crowding",
    "deciding",
    "density",
    "detour",
    "directions",
    "dispersion",
    "distance_to",
    "distances_to",
    "effort",
    "energy",
    "farthest_from",
    "flow",
    "following",
    "grouping",
    "is_deadlocked",
    "is_stuck",
    "jerk",
    "jerks",
    "jitter",
    "kinetic_energy",
    "lane_order",
    "largest_cluster",
    "local_polarization",
    "mean_speed",
    "meters",
    "milling",
    "motion",
    "nearest_distance",
    "nearest_distances",
    "obstacle_collisions",
    "off_path",
    "order",
    "outside",
    "overlap",
    "overlapping",
    "overlaps",
    "path_error",
    "path_lengths",
    "penetration",
    "penetrations",
    "polarization",
    "progress",
    "projected",
    "proximity",
    "reading",
    "retreat",
    "specific_flow",
    "stuck",
    "turn_accelerations",
    "turn_jitter",
    "voronoi_areas",
    "voronoi_density",
    "walking_energy",
    "walking_power",
    "watching",
    "work",
]


def __getattr__(name: str) -> NoReturn:
    """Raise an error that suggests the metric that was meant."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{suggestion(name, __all__)}")
