"""Keeping: the base class of objects with a state that `World.save` saves."""

from collections.abc import Mapping
from typing import Any, ClassVar
from warnings import warn

from steersman.core.parameters.renaming import RenamedAttribute


class Keeping:
    """Base of objects of which some attributes are saved. Any class with the methods `saved` and `resume` will do, too.

    Attributes:
        saved_attributes: The names of the attributes: texts, numbers, lists, tables, arrays.
    """

    saved_attributes: ClassVar[tuple[str, ...]] = ()
    kept = RenamedAttribute("saved_attributes")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if isinstance(old := cls.__dict__.get("kept"), tuple):
            warn("Keeping.kept is called saved_attributes now", DeprecationWarning, stacklevel=2)
            cls.saved_attributes = old
            del cls.kept

    def saved(self) -> dict[str, Any]:
        """The values of the saved attributes."""
        return {name: getattr(self, name) for name in self.saved_attributes}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Set the saved attributes to saved values."""
        for name in self.saved_attributes:
            setattr(self, name, saved[name])
