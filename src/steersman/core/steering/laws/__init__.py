"""The bare equations, on plain arrays: the oracle that the kernels are tested against. They do not run in a step.

(But for the actuators of a Pipeline, which are written in NumPy.)

Each law returns its source's literal steering vector.

    import steersman as sm
    sm.laws.seek(position, velocity, target, max_speed)

Vectors have shape (d,) for one vehicle or (n, d) for many, in 2D or 3D, and broadcast against each other; a number is
plain or of shape (n,). The floating type that comes in goes out. Zero vectors have no direction and give zero, never
NaN.

A law returns a difference of velocities [m/s] where its source says "desired velocity minus velocity". To make a force
of it, multiply by mass / response_time (see `match`); with response_time = mass the numbers stay the same, which is the
paper's own convention. The laws know open space only: on a torus, pass nearest images.

Sources: Reynolds 1999, "Steering Behaviors for Autonomous Characters" (GDC); the "game AI lecture" (WPI IMGD 4000,
2009); the "project notes" (a reader's implementation of the paper, with forces m (v_d - v) / dt); the "Unity lecture"
(E. Soares de Lima, Artificial Intelligence, lecture 7). Where a source has an error, the law is the corrected one.
"""

from steersman.core.steering.laws.accompanying import (
    between,
    fly_by,
    fly_by_point,
    interpose,
    offset_slot,
    pursue_offset,
    shadow,
)
from steersman.core.steering.laws.arriving import RAMPS, arrive, braking_speed, hard_stop, learned_care, ramp_fraction
from steersman.core.steering.laws.avoiding import (
    avoid_obstacles,
    avoid_sideways,
    nearest_threat,
    needed_part,
    ray_sphere_crossings,
    ray_sphere_entry,
)
from steersman.core.steering.laws.combining import (
    balanced,
    context_map,
    dithered,
    faded,
    given_way,
    priority,
    round_robin,
    top_beside,
    truncated_sum,
    weighted_sum,
)
from steersman.core.steering.laws.containing import contain, contain_sideways, inside_point, way_back
from steersman.core.steering.laws.crowding import avoid_neighbors, evasion, meeting_danger, queue_speed, smooth_evasion
from steersman.core.steering.laws.docking import dock, docking_approach
from steersman.core.steering.laws.feeling import along_wall, beside_hit, feeler_directions, push_off, wall_way
from steersman.core.steering.laws.flowing import follow_flow
from steersman.core.steering.laws.flying_by import strafe
from steersman.core.steering.laws.going import go_to
from steersman.core.steering.laws.grouping import (
    alignment,
    cohesion,
    cohesion_offset,
    flocking,
    heading_alignment,
    inverse_square_separation,
    mean_site_separation,
    neighbor_mean,
    neighborhood,
    separation,
    vicsek_heading,
    zones_heading,
)
from steersman.core.steering.laws.hiding import hiding_spot, hiding_spots
from steersman.core.steering.laws.leading import (
    apart_plane,
    assign_slots,
    behind_leader,
    clear_plane,
    clear_way,
    formation_slots,
    hold_slot,
    safe_speed,
    velocity_of_slot,
)
from steersman.core.steering.laws.moving import banked_up, point_mass_step, smoothed_headings, walking_speed
from steersman.core.steering.laws.navigating import (
    parallel_course,
    parallel_navigation,
    proportional_navigation,
    target_speed,
)
from steersman.core.steering.laws.path_following import (
    bend_speed,
    follow_lane,
    follow_path,
    follow_waypoints,
    lane_target,
    path_target,
    patrol,
    project_on_segment,
    stay_on_path,
)
from steersman.core.steering.laws.predicting import (
    HEADING_FACTORS,
    NINE_CASE_FACTORS,
    approach_time,
    capped_time,
    heading_time,
    intercept_time,
    meeting_offset,
    nearest_approach,
    nearest_offset,
    nine_cases_time,
    oncoming_time,
    predict,
    proportional_time,
)
from steersman.core.steering.laws.pursuing import HEAD_ON_COSINE, evade, is_head_on, pursue
from steersman.core.steering.laws.reaching import cruise_speed, flee, landing_time, match, seek, thrust
from steersman.core.steering.laws.reciprocal import clear_ways, nearest_velocity, reciprocal_plane
from steersman.core.steering.laws.searching import sensed, sweep_order
from steersman.core.steering.laws.stopping import beveled, held_back, stop_before, stoppable_speed, way_to_stop
from steersman.core.steering.laws.turning import (
    angular_response_time,
    angular_speed,
    turn,
    turn_between_frames,
    turn_toward,
)
from steersman.core.steering.laws.vectors import (
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
from steersman.core.steering.laws.walking import (
    anticipated_direction,
    body_push,
    centrifugal_push,
    density_ahead,
    ellipse_reach,
    encounter_push,
    free_spacing,
    repelled_direction,
    spacing_speed,
    stride_push,
)
from steersman.core.steering.laws.wandering import wander, wander_lateral, wander_orientation, wander_turning

__all__ = [
    "HEADING_FACTORS", "HEAD_ON_COSINE", "NINE_CASE_FACTORS", "RAMPS", "alignment", "along_wall",
    "angular_response_time", "angular_speed", "anticipated_direction", "apart_plane", "approach_time", "arrive",
    "assign_slots", "avoid_neighbors", "avoid_obstacles", "avoid_sideways", "balanced", "banked_up",
    "behind_leader", "bend_speed", "beside_hit", "between", "beveled", "body_push", "braking_speed",
    "capped_time", "centrifugal_push", "clear_plane", "clear_way", "clear_ways", "cohesion", "cohesion_offset",
    "contain", "contain_sideways", "context_map", "cruise_speed", "density_ahead", "dithered", "dock",
    "docking_approach", "ellipse_reach", "encounter_push", "evade", "evasion", "faded", "feeler_directions",
    "flee", "flocking", "fly_by", "fly_by_point", "follow_flow", "follow_lane", "follow_path",
    "follow_waypoints", "formation_slots", "free_spacing", "given_way", "go_to", "hard_stop",
    "heading_alignment", "heading_time", "held_back", "hiding_spot", "hiding_spots", "hold_slot",
    "inside_point", "intercept_time", "interpose", "inverse_square_separation", "is_head_on", "landing_time", "lane_target",
    "lateral", "learned_care", "length", "match", "mean_site_separation", "meeting_danger", "meeting_offset",
    "nearest_approach", "nearest_offset", "nearest_threat", "nearest_velocity", "needed_part", "neighbor_mean",
    "neighborhood", "nine_cases_time", "normalize", "offset_slot", "oncoming_time", "parallel_course",
    "parallel_navigation", "path_target", "patrol", "perpendicular", "point_mass_step", "predict", "priority",
    "project_on_segment", "proportional_navigation", "proportional_time", "pursue", "pursue_offset", "push_off",
    "queue_speed", "ramp_fraction", "ray_sphere_crossings", "ray_sphere_entry", "reciprocal_plane",
    "repelled_direction", "rotate", "round_robin", "safe_speed", "seek", "sensed", "separation", "shadow",
    "smooth_evasion", "smoothed_headings", "spacing_speed", "stay_on_path", "stop_before", "stoppable_speed",
    "strafe", "stride_push", "sweep_order", "target_speed", "thrust", "to_global", "to_local", "top_beside",
    "truncate", "truncated_sum", "turn", "turn_between_frames", "turn_toward", "velocity_of_slot",
    "vicsek_heading", "walking_speed", "wall_way", "wander", "wander_lateral", "wander_orientation",
    "wander_turning", "way_back", "way_to_stop", "weighted_sum", "with_length", "zones_heading",
]  # fmt: skip
