"""Warn of a population that walks through another one, because none of its behaviors looks at that one."""

import warnings
from collections.abc import Sequence

from steersman.core.parameters.guiding import outside
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.world.plan import SteeringPlan


def warn_of_unseen(plans: Sequence[SteeringPlan]) -> None:
    """Warn of the first population that avoids vehicles and has no behavior that names another population.

    There is no warning about populations that the tree names in any way, as Evade does. There is none either where `of` is a
    list or the own population, because then the user has chosen.

    Args:
        plans: The plans of the populations of a world.
    """
    for plan in plans:
        behaviors = [node.behavior for node in plan.population.nodes]
        avoiding = [each for each in behaviors if isinstance(each, Watchful) and each.avoids]
        if not avoiding or any(each.of is plan.vehicles or isinstance(each.of, (tuple, str)) for each in avoiding):
            continue
        watched = {id(each) for each in plan.watched}
        unseen = [
            repr(other.population.name)
            for other in plans
            if id(other.vehicles) not in watched
            and len(other.vehicles)
            and other.vehicles.dimensions == plan.vehicles.dimensions
        ]
        if unseen:
            warnings.warn(
                f"{avoiding[0].title} of {plan.population.name!r} ignores the vehicles of {', '.join(unseen)}: they walk "
                f'through each other. Please give of="all", or a list of the populations to avoid; of a list nothing is '
                f"warned.",
                RuntimeWarning,
                stacklevel=outside(),
            )
            return
