"""The kinds of parameters that take conditions. A function of the vehicles is accepted as a condition, too."""

from typing import Any

from steersman.core.action_selection.condition import Condition
from steersman.core.action_selection.where import Where
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind


def as_condition(value: Any, name: str = "condition") -> Condition:
    """The condition itself; a function of the vehicles is wrapped as one. `name` is its name in messages."""
    if isinstance(value, Condition):
        return value
    if isinstance(value, type) or not callable(value):
        raise TypeError(
            f"{name} must be a condition such as Near(...) or a function vehicles -> bool (n,), "
            f"got {value.__name__ + ': write ' + value.__name__ + '(...)' if isinstance(value, type) else brief(value)}"
        )
    return Where(function=value)


CONDITIONS = Kind("conditions", "conditions")
CONDITION = Kind("condition", "a condition", lambda name, value: as_condition(value, name))
