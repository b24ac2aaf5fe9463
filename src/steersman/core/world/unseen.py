"""Warn of populations that walk through each other, because a behavior that avoids others looks at its own alone."""

import warnings
from collections.abc import Sequence

from steersman.core.steering.sensing.neighbor_watching import Watchful
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.response import outside


def warn_of_unseen(plans: Sequence[SteeringPlan]) -> None:
    """Warn of the first population that avoids its own vehicles, and of which no behavior names another population.

    A tree that names a population in any way, as Evade does, is not warned of it; neither is one in which `of` names the own
    population alone, since that is on purpose.

    Args:
        plans: The plans of the populations of a world.
    """
    for plan in plans:
        avoiding = [node for node in plan.population.nodes if is_avoiding(node.behavior)]
        if not avoiding or any(node.behavior.of in (plan.vehicles, (plan.vehicles,)) for node in avoiding):
            continue
        seen = {id(each) for each in plan.watched}
        unseen = [
            repr(other.population.name)
            for other in plans
            if id(other.vehicles) not in seen
            and len(other.vehicles)
            and other.vehicles.dimensions == plan.vehicles.dimensions
        ]
        if unseen:
            warnings.warn(
                f"{avoiding[0].label} of {plan.population.name!r} avoids vehicles of its own population alone, and walks "
                f'through those of {", ".join(unseen)}. Please give of="all", or a list of the populations to avoid. '
                f"(of=[the own vehicles] ignores the others on purpose.)",
                RuntimeWarning,
                stacklevel=outside(),
            )
            return


def is_avoiding(behavior: object) -> bool:
    """Whether a behavior keeps vehicles from running into each other."""
    return isinstance(behavior, Watchful) and behavior.avoids
