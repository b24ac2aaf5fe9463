"""References of what vehicles know, at the start of memory: they know what they, or others of their group, see now."""

from dataclasses import replace
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import At

import steersman as sm
from steersman import laws
from steersman.core.steering.tree.knowledge import Knowledge


def in_sight(c: Any, at: At, way: Array) -> list[int]:
    """The targets that a vehicle sees, the nearest first, by the ways there."""
    distance = laws.length(way)
    angle = np.arccos(np.clip(way @ at.forward / distance, -1, 1))
    order = np.argsort(distance)
    in_view = [int(j) for j in order if distance[j] <= c.range and angle[j] <= c.angle / 2 + 1e-12]
    if c.occluders is None:
        return in_view
    return [j for j in in_view[: c.attention] if not hidden(c, at, way[j], distance[j])]


def hidden(c: Any, at: At, way: Array, distance: float) -> bool:
    """Whether the way meets a sphere whose outside the vehicle is on (quadratic equation)."""
    unit = way / distance
    for spheres in c.occluders.sets:
        for center, radius in zip(at.near(spheres.center) - at.position, spheres.radius, strict=True):
            b, c0 = float(unit @ center), float(center @ center - radius**2)
            if c0 > 0 and b * b - c0 >= 0 and 0 <= b - np.sqrt(b * b - c0) < distance:
                return True
    return False


def seen_row(known: sm.LastSeen, at: At) -> int | None:
    """The row of the vehicle that a vehicle sees."""
    others = known.population
    rows = np.arange(len(others))
    if isinstance(known.which, str) and known.which == "nearest":
        rows = rows[rows != at.i] if others is at.place.vehicles else rows
    else:
        rows = np.array([at.row(others, known.which)])
    seen = in_sight(known, at, at.near(others.position[rows]) - at.position)
    return int(rows[seen[0]]) if seen else None


def known_row(known: Any, at: At) -> int | None:
    """The row of the vehicle that a vehicle knows of: seen by it, or else by the one of its group with the lowest id."""
    if isinstance(known, sm.LastHeard):
        return None
    own, n = seen_row(known, at), len(at.place.vehicles)
    if own is not None or known.shared_by is None:
        return own
    group = np.zeros(n) if isinstance(known.shared_by, str) else known.shared_by
    fellows = [i for i in range(n) if group[i] == group[at.i] >= 0]
    told = (seen_row(known, replace(at, i=i)) for i in sorted(fellows, key=lambda i: at.place.vehicles.id[i]))
    return next((row for row in told if row is not None), None)


def informed(behavior: Any, at: At) -> Any:
    """A behavior with the vehicle that it knows of in place of its knowledge; None where it knows of none."""
    for name, value in vars(behavior).items():
        if isinstance(value, Knowledge):
            row = known_row(value, at)
            if row is None:
                return None
            behavior = behavior.replace(**{name: value.population, "which": int(value.population.id[row])})
    return behavior
