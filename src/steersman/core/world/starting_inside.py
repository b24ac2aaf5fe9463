"""Warn of vehicles that start inside an obstacle. Most behaviors let such vehicles leave it, and do not keep them inside."""

import warnings
from collections.abc import Iterable, Iterator

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.answers import new_nearest
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.guiding import outside
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.plan import SteeringPlan


def warn_of_starting_inside(plans: Iterable[SteeringPlan], domain: Domain) -> None:
    """Warn of the first population with vehicles inside an obstacle of its tree, on the side from which it is not seen.

    Args:
        plans: The plans of the populations.
        domain: The space.
    """
    for plan in plans:
        vehicles, population = plan.vehicles, plan.population
        for obstacles in one_sided_obstacles(plan):
            if obstacles.dimensions == vehicles.dimensions and len(obstacles) and len(vehicles):
                lost = np.flatnonzero(starts_inside(vehicles, obstacles, domain))
                if len(lost):
                    where = "inside of" if obstacles.seen_from == "outside" else "outside of"
                    warnings.warn(
                        f"vehicle {vehicles.id[lost[0]]} of {population.name!r} starts {where} {type(obstacles).__name__}, "
                        f"at {vehicles.position[lost[0]].tolist()} m ({len(lost)} of {len(vehicles)} vehicles in all). These "
                        f'obstacles are seen from {obstacles.seen_from} alone. Please use seen_from="both" or '
                        f"sm.spawn.inside(..., obstacles=...).",
                        RuntimeWarning,
                        stacklevel=outside(),
                    )
                    return


def one_sided_obstacles(plan: SteeringPlan) -> Iterator[ObstacleSet]:
    """The closed sets of obstacles in the tree of a population that are seen from one side only, each once."""
    sets: dict[int, ObstacleSet] = {}
    for node in plan.population.nodes:
        for value in vars(node.behavior).values():
            if isinstance(value, Obstacles):
                sets |= {id(each): each for each in value.sets if each.seen_from != "both" and each.is_closed}
    yield from sets.values()


def starts_inside(vehicles: Vehicles, obstacles: ObstacleSet, domain: Domain) -> Array:
    """Whether the center of each vehicle lies on the side from which a set is not seen, shape (n,), bool."""
    n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
    nearest, all_rows = new_nearest(n, d, dtype), np.ones(n, np.uint8)
    points, reach = columns_of(vehicles.position, dtype), np.full(n, np.inf, dtype)
    for call in obstacles.nearest_calls(points, reach, all_rows, domain.wrap(d, dtype), nearest):
        call.run(n)
    return nearest.distance > 0 if obstacles.seen_from == "inside" else nearest.distance < 0
