"""Warn of people who walk into the walls of a Box: models of pedestrian research see only the walls that are obstacles."""

import warnings
from collections.abc import Sequence

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.guiding import outside
from steersman.core.steering.pedestrians.walking import Pedestrian
from steersman.core.world.plan import SteeringPlan


def warn_of_unseen_walls(plans: Sequence[SteeringPlan], domain: Domain) -> None:
    """Warn of the first population that walks by a model of pedestrian research in a Box, and knows no walls.

    There is no warning where a behavior of the tree has obstacles, or a region to stay in.

    Args:
        plans: The plans of the populations of a world.
        domain: The space.
    """
    if not isinstance(domain, Box) or domain.wraps[:2].all():
        return
    for plan in plans:
        behaviors = [node.behavior for node in plan.population.nodes]
        walking = [each for each in behaviors if isinstance(each, Pedestrian)]
        known = (value for each in behaviors for value in vars(each).values())
        if walking and not any(isinstance(value, (Obstacles, Region)) for value in known):
            warnings.warn(
                f"{walking[0].title} of {plan.population.name!r} does not see the walls of the Box: people walk with their "
                f"centers on them. Please give the walls as obstacles, too: obstacles=sm.Walls([...]).",
                RuntimeWarning,
                stacklevel=outside(),
            )
            return
