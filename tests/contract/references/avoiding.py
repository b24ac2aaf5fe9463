"""References of the behaviors about obstacles."""

from typing import Any

import numpy as np
from contract.references.vehicle import Answer, At, Reference

from steersman import laws


def avoid(b: Any, at: At) -> Answer:
    centers, radii, forward = at.near(b.obstacles.center), b.obstacles.radius, at.forward
    shortest = at.place.vehicles.radius.max() if b.min_length is None else b.min_length
    reach = max(shortest, b.lookahead * laws.length(at.velocity))
    if b.goal is not None:
        reach = min(reach, laws.length(at.target(b.goal, b.which) - at.position))
    row, distance = laws.nearest_threat(at.position, forward, at.radius, centers, radii, reach)
    if row < 0:
        return np.zeros_like(forward), False
    nearness = 1 - distance / reach
    scale = b.strength if b.magnitude == "literal" else 1.0
    force = scale * laws.avoid_sideways(
        centers[row] - at.position, forward, at.max_force, magnitude=b.magnitude, nearness=nearness
    )
    return force - b.braking * nearness * at.max_force * forward, True


REFERENCES: dict[str, Reference] = {"AvoidObstacles": avoid}
