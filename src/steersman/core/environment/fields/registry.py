"""The registered flow fields, by class name: `FlowField.grid`, `.function` and `.image` make them."""

from typing import TypeVar, dataclass_transform

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import Registry, enter

P = TypeVar("P", bound=type[Parameters])

FIELDS = Registry()
"""Class name -> class."""


@dataclass_transform(frozen_default=True, eq_default=False)
def flow_field(cls: P) -> P:
    """Class decorator: make a flow field a frozen dataclass, known by its name."""
    return enter(FIELDS, cls, "flow field")
