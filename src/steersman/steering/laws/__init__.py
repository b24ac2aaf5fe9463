"""The bare equations, on plain arrays: each law returns its source's literal steering vector.

    import steersman as sm
    sm.laws.seek(position, velocity, target, max_speed)

Vectors have shape (d,) for one vehicle or (n, d) for many, in 2D or 3D, and broadcast against each other; a number is
plain or of shape (n,). The floating type that comes in goes out. Zero vectors have no direction and give zero, never
NaN.

What a law returns is a difference of velocities [m/s] where its source says "desired velocity minus velocity". To make
a force of it, multiply by mass / response_time (see `match`); with response_time = mass nothing changes in numbers,
which is the paper's own convention. The laws know open space only: on a torus, pass nearest images.

Sources: Reynolds 1999, "Steering Behaviors for Autonomous Characters" (GDC); the "game AI lecture" (WPI IMGD 4000,
2009); the "project notes" (a reader's implementation of the paper, with forces m (v_d - v) / dt); the "Unity lecture"
(E. Soares de Lima, Artificial Intelligence, lecture 7). Where a source has an error, the law is the corrected one.
"""

from steersman.steering.laws.arriving import RAMPS, arrive, braking_speed, ramp_fraction
from steersman.steering.laws.avoiding import (
    avoid_obstacles,
    avoid_sideways,
    nearest_threat,
    ray_sphere_crossings,
    ray_sphere_entry,
)
from steersman.steering.laws.combining import priority, weighted_sum
from steersman.steering.laws.grouping import (
    alignment,
    cohesion,
    cohesion_offset,
    flocking,
    inverse_square_separation,
    mean_site_separation,
    neighbor_mean,
    neighborhood,
    separation,
)
from steersman.steering.laws.moving import point_mass_step
from steersman.steering.laws.path_following import (
    follow_path,
    follow_waypoints,
    path_target,
    patrol,
    project_on_segment,
    stay_on_path,
)
from steersman.steering.laws.predicting import (
    HEADING_FACTORS,
    approach_time,
    capped_time,
    heading_time,
    intercept_time,
    nearest_approach,
    predict,
    proportional_time,
)
from steersman.steering.laws.pursuing import HEAD_ON_COSINE, evade, is_head_on, pursue
from steersman.steering.laws.reaching import cruise_speed, flee, match, seek, thrust
from steersman.steering.laws.vectors import (
    lateral,
    length,
    normalize,
    perpendicular,
    rotate,
    to_global,
    to_local,
    truncate,
    with_length,
)
from steersman.steering.laws.wandering import wander, wander_orientation, wander_turning

__all__ = [
    "HEADING_FACTORS",
    "HEAD_ON_COSINE",
    "RAMPS",
    "alignment",
    "approach_time",
    "arrive",
    "avoid_obstacles",
    "avoid_sideways",
    "braking_speed",
    "capped_time",
    "cohesion",
    "cohesion_offset",
    "cruise_speed",
    "evade",
    "flee",
    "flocking",
    "follow_path",
    "follow_waypoints",
    "heading_time",
    "intercept_time",
    "inverse_square_separation",
    "is_head_on",
    "lateral",
    "length",
    "match",
    "mean_site_separation",
    "nearest_approach",
    "nearest_threat",
    "neighbor_mean",
    "neighborhood",
    "normalize",
    "path_target",
    "patrol",
    "perpendicular",
    "point_mass_step",
    "predict",
    "priority",
    "project_on_segment",
    "proportional_time",
    "pursue",
    "ramp_fraction",
    "ray_sphere_crossings",
    "ray_sphere_entry",
    "rotate",
    "seek",
    "separation",
    "stay_on_path",
    "thrust",
    "to_global",
    "to_local",
    "truncate",
    "wander",
    "wander_orientation",
    "wander_turning",
    "weighted_sum",
    "with_length",
]
