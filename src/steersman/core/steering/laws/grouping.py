"""Groups: neighborhoods, and separation, cohesion, alignment and flocking with respect to the neighbors.

Reynolds 1999, "Separation", "Cohesion", "Alignment", "Flocking". Neighbors are given as arrays of shape (m, d), and the
ones that each vehicle sees as a mask `visible`, shape (m,) or (n, m): the result of `neighborhood`, or True for all. A
vehicle that sees none gets zero.
"""

import math
from typing import Any

import numpy as np

from steersman.core.parameters.renaming import renamed_arguments
from steersman.core.steering.laws.combining import weighted_sum
from steersman.core.steering.laws.reaching import cruise_speed
from steersman.core.steering.laws.vectors import (
    Number,
    direction_or,
    dot,
    lateral,
    length,
    normalize,
    per_vehicle,
    ratio,
    with_length,
)
from steersman.core.typing import Array


def neighborhood(
    position: Array,
    forward: Array,
    radius: Number,
    *,
    angle: float = 2 * math.pi,
    inner_radius: Number = 0.0,
    others: Array | None = None,
) -> Array:
    """The neighbors of each vehicle: near enough, and within the field of view or nearer still. Edges count as inside.

    Source: Reynolds 1999, "Separation" and Figure 13.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        radius: Distance up to which others are neighbors [m], a number or shape (n,).
        angle: Full field of view [rad]; 2 pi sees all around.
        inner_radius: Distance within which neighbors are seen at any angle [m], a number or shape (n,).
        others: Positions of the others [m], shape (m, d). Default: the vehicles themselves, (n, d), none of which is
            its own neighbor.

    Returns:
        Booleans, shape (m,) or (n, m).
    """
    positions = np.asarray(position)
    offset = (positions if others is None else np.asarray(others)) - positions[..., None, :]
    distance = length(offset)
    near = distance <= per_vehicle(radius)
    if angle < 2 * math.pi:
        ahead = dot(offset, np.asarray(forward)[..., None, :])
        near &= (distance <= per_vehicle(inner_radius)) | (ahead >= math.cos(angle / 2) * distance)
    return np.asarray(near & ~np.eye(len(positions), dtype=bool) if others is None else near)


@renamed_arguments(seen="visible")
def neighbor_mean(values: Array, visible: bool | Array = True) -> tuple[Array, Array]:
    """The mean of the neighbors' vectors, and how many there are; zero without neighbors.

    Args:
        values: Positions, velocities or forward vectors of the neighbors, shape (m, d).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).

    Returns:
        Means, shape (d,) or (n, d); counts, shape () or (n,).
    """
    values, visible = np.asarray(values), np.asarray(visible)
    total = np.sum(np.where(visible[..., None], values, 0), axis=-2)
    count = np.sum(np.broadcast_to(visible, np.broadcast_shapes(visible.shape, values.shape[:1])), axis=-1)
    return np.asarray(total / np.maximum(count, 1)[..., None].astype(total.dtype)), count


@renamed_arguments(seen="visible")
def separation(
    position: Array,
    neighbors: Array,
    visible: bool | Array = True,
    *,
    strength: Number = 1.0,
    falloff: float = 1.0,
    fade: float = math.inf,
) -> Array:
    """Every neighbor pushes away: strength * sum of unit(offset) / r^falloff, offset = position - neighbor.

    Source: Reynolds 1999, "Separation" (falloff 1, "a setting that has worked well, not a fundamental value"). A
    neighbor in the very same place has no direction and does not push. With `fade`, the distance at which they end,
    pushes are multiplied by 1 - (r / fade)^2: they begin at zero instead of with a jump, at which vehicles would
    tremble.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        neighbors: Positions of the neighbors [m], shape (m, d).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).
        strength: Push of a neighbor at a distance of 1 m, a number or shape (n,).
        falloff: How fast the push falls off with distance.
        fade: Distance at which pushes have faded to nothing [m].

    Returns:
        Steering vectors [strength per m^falloff], shape (d,) or (n, d).
    """
    offset = np.asarray(position)[..., None, :] - np.asarray(neighbors)
    push = normalize(offset) * (ratio(1.0, length(offset) ** falloff) * _fading(offset, fade))[..., None]
    return np.asarray(per_vehicle(strength) * _sum_over(push, visible))


@renamed_arguments(seen="visible")
def inverse_square_separation(
    position: Array,
    neighbors: Array,
    visible: bool | Array = True,
    *,
    strength: Number = 25.0,
    limit: Number = np.inf,
    fade: float = math.inf,
) -> Array:
    """Every neighbor pushes away with min(strength / r^2, limit).

    Source: Unity lecture, "Separation Behavior" (neighbors within 2 m; strength 25, limited to the greatest
    acceleration; with the printed negative sign the limit never holds).

    Args:
        position: Positions [m], shape (d,) or (n, d).
        neighbors: Positions of the neighbors [m], shape (m, d).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).
        strength: Push of a neighbor at a distance of 1 m, a number or shape (n,).
        limit: Largest push of one neighbor, a number or shape (n,).
        fade: Distance at which pushes have faded to nothing [m], as in `separation`.

    Returns:
        Steering vectors, in the unit of `limit`, shape (d,) or (n, d).
    """
    offset = np.asarray(position)[..., None, :] - np.asarray(neighbors)
    size = ratio(per_vehicle(strength), length(offset) ** 2)
    return _sum_over(with_length(offset, np.minimum(size, per_vehicle(limit)) * _fading(offset, fade)), visible)


@renamed_arguments(seen="visible")
def mean_site_separation(
    position: Array,
    velocity: Array,
    sites: Array,
    max_speed: Number,
    visible: bool | Array = True,
    *,
    speed: Any = "max",
) -> Array:
    """Flee the mean of the repulsion sites; brake where there are none.

    Source: project notes, "Separate". (Its program flees the sum; the mean is meant.)

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        sites: Positions of the sites [m], shape (m, d): vehicles or fixed points.
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        visible: The sites that each vehicle sees, shape (m,) or (n, m).
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    mean, count = neighbor_mean(sites, visible)
    offset = np.subtract(position, mean)
    desired = with_length(offset, cruise_speed(offset, velocity, max_speed, speed))
    return np.where((count > 0)[..., None], desired, 0) - velocity


@renamed_arguments(seen="visible")
def cohesion(
    position: Array,
    velocity: Array,
    neighbors: Array,
    max_speed: Number,
    visible: bool | Array = True,
    *,
    speed: Any = "max",
) -> Array:
    """Seek the centroid of the neighbors.

    Source: Reynolds 1999, "Cohesion", second form.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        neighbors: Positions of the neighbors [m], shape (m, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    offset = cohesion_offset(position, neighbors, visible)
    count = neighbor_mean(neighbors, visible)[1]
    desired = with_length(offset, cruise_speed(offset, velocity, max_speed, speed))
    return np.where((count > 0)[..., None], desired - velocity, 0)


@renamed_arguments(seen="visible")
def cohesion_offset(position: Array, neighbors: Array, visible: bool | Array = True) -> Array:
    """The way to the centroid of the neighbors, centroid - position [m], shape (d,) or (n, d).

    Source: Reynolds 1999, "Cohesion", first form (that of the original boids). Arguments as for `cohesion`.
    """
    mean, count = neighbor_mean(neighbors, visible)
    return np.where((count > 0)[..., None], np.subtract(mean, position), 0)


@renamed_arguments(seen="visible")
def alignment(own: Array, theirs: Array, visible: bool | Array = True) -> Array:
    """The mean of the neighbors' velocities less the vehicle's own; or the same of unit forward vectors.

    Source: Reynolds 1999, "Alignment": velocities, or unit forward vectors as in the game AI lecture, "Alignment".

    Args:
        own: Velocities [m/s] or unit forward vectors, shape (d,) or (n, d).
        theirs: The same of the neighbors, shape (m, d).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).

    Returns:
        Steering vectors, in the unit of `own`, shape (d,) or (n, d).
    """
    mean, count = neighbor_mean(theirs, visible)
    return np.where((count > 0)[..., None], np.subtract(mean, own), 0)


@renamed_arguments(seen="visible")
def heading_alignment(
    forward: Array,
    velocity: Array,
    theirs: Array,
    max_speed: Number,
    visible: bool | Array = True,
    *,
    speed: Any = "max",
) -> Array:
    """Turn toward the mean heading of the neighbors, as far as they agree, and hold a speed.

    Desired is speed * forward + |velocity along forward| * lateral(mean of the neighbors' forward). Zero without
    neighbors.

    Source: after Reynolds 1999, "Alignment", for unit forward vectors; no vehicle brakes for one that heads elsewhere.

    Args:
        forward: Unit forward vectors, shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        theirs: Unit forward vectors of the neighbors, shape (m, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).
        speed: The speed to hold: "max", "current" or a number [m/s].

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    mean, count = neighbor_mean(theirs, visible)
    now = dot(velocity, forward)
    hold = now if speed == "current" else cruise_speed(forward, velocity, max_speed, speed)
    desired = per_vehicle(hold) * np.asarray(forward) + per_vehicle(np.abs(now)) * lateral(mean, forward)
    return np.where((count > 0)[..., None], desired - velocity, 0)


@renamed_arguments(seen="visible")
def vicsek_heading(forward: Array, theirs: Array, visible: bool | Array = True) -> Array:
    """The mean heading of the neighbors and the vehicle; its own where they cancel. Vicsek turns it by a random angle.

    Source: Vicsek et al. 1995, equation 2.

    Args:
        forward: Unit forward vectors, shape (d,) or (n, d).
        theirs: Unit forward vectors of the neighbors, without the vehicle, shape (m, d).
        visible: The neighbors that each vehicle sees, shape (m,) or (n, m).

    Returns:
        Unit vectors, shape (d,) or (n, d).
    """
    mean, count = neighbor_mean(theirs, visible)
    total = mean * count[..., None] + forward
    return np.asarray(direction_or(total, count + 1.0, np.asarray(forward)))


def zones_heading(
    position: Array,
    forward: Array,
    neighbors: Array,
    theirs: Array,
    radii: tuple[float, float, float],
    *,
    angle: float = 2 * math.pi,
    visible: bool | Array = True,
) -> Array:
    """The heading that zones of repulsion, orientation and attraction ask for; the own one where they ask for none.

    Source: Couzin et al. 2002, equations 1 to 3, without the error. Their 1/2 before the sum of the last two is left out:
    it changes no direction.

    Args:
        position: Position of the vehicle [m], shape (d,).
        forward: Its unit forward vector, shape (d,).
        neighbors: Positions of the others [m], shape (m, d).
        theirs: Their unit forward vectors, shape (m, d).
        radii: Where the zones of repulsion, orientation and attraction end [m].
        angle: Full field of view of orientation and attraction [rad].
        visible: The others that count, shape (m,).

    Returns:
        A unit vector, shape (d,).
    """
    to = normalize(np.asarray(neighbors) - position)

    def within(radius: float, view: float) -> Array:
        return neighborhood(position, forward, radius, angle=view, others=neighbors) & visible

    near, inside, all_around = within(radii[0], 2 * math.pi), within(radii[1], angle), within(radii[2], angle)
    if near.any():
        way = -to[near].sum(axis=0)
    else:
        way = np.asarray(theirs)[inside].sum(axis=0) + to[all_around & ~inside].sum(axis=0)
    return np.asarray(direction_or(way, np.asarray(near.sum() + all_around.sum(), float), np.asarray(forward)))


def flocking(
    separation: Array,
    cohesion: Array,
    alignment: Array,
    *,
    weights: tuple[float, float, float],
    max_force: Number = 1.0,
    each: str = "normalize",
) -> Array:
    """The three steering vectors, each normalized, then weighted, then summed.

    Source: Reynolds 1999, "Flocking". With three distances and three angles (see `neighborhood`) these three weights
    make its nine parameters. The Unity lecture ranks them: separation before cohesion before alignment.

    Args:
        separation: Steering vectors of `separation`, shape (d,) or (n, d).
        cohesion: Steering vectors of `cohesion` or `cohesion_offset`, shape (d,) or (n, d).
        alignment: Steering vectors of `alignment`, shape (d,) or (n, d).
        weights: The weights of the three.
        max_force: Length to which a part is stretched, or truncated [N], a number or shape (n,).
        each: "normalize" as above, "limit": each truncated, so that a nearly balanced one stays small, or "raw".

    Returns:
        Steering vectors [N], shape (d,) or (n, d).
    """
    a, b, c = weights
    return weighted_sum([separation, cohesion, alignment], (a, b, c), each=each, max_force=max_force)


def _fading(offset: Array, fade: float) -> Array:
    return np.asarray(1.0 - (length(offset) / fade) ** 2)


def _sum_over(vectors: Array, visible: bool | Array) -> Array:
    return np.asarray(np.sum(np.where(np.asarray(visible)[..., None], vectors, 0), axis=-2))
