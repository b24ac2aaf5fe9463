"""Warn of behaviors that turn vehicles, where the body cannot turn by itself: such behaviors have no effect."""

import warnings
from collections.abc import Sequence

from steersman.core.parameters.guiding import outside
from steersman.core.steering.tree.tree import Node
from steersman.core.steering.turning.look_where_you_go import LookWhereYouGo
from steersman.core.world.plan import SteeringPlan


def warn_of_idle_turning(plans: Sequence[SteeringPlan]) -> None:
    """Warn of the first population with a Face or ReachOrientation and a body that faces where it goes.

    There is no warning of LookWhereYouGo, because such a body does the same.

    Args:
        plans: The plans of the populations of a world.
    """
    for plan in plans:
        body = plan.population.locomotion
        idle = [node.label for node in plan.population.nodes if _turns_itself(node)]
        if idle and not body.turns:
            warnings.warn(
                f"{idle[0]} of {plan.population.name!r} does nothing: a {type(body).__name__} faces where it goes. Please "
                f"give the population locomotion=sm.FreeBody(), which turns by itself, or leave {idle[0]} out.",
                RuntimeWarning,
                stacklevel=outside(),
            )
            return


def _turns_itself(node: Node) -> bool:
    """Whether a node itself turns vehicles, and not only a node below it."""
    behavior = type(node.behavior)
    return bool(behavior.turns) and behavior is not LookWhereYouGo and not node.children
