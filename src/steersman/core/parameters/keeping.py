"""Keeping: objects with a state that is saved along with the world (see `World.save`)."""

from collections.abc import Mapping
from typing import Any, ClassVar
from warnings import warn

from steersman.core.parameters.renaming import RenamedAttribute


class Keeping:
    """Base of objects with attributes that are saved. Any class with two such methods will do; this one writes them.

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
        """The values of these attributes."""
        return {name: getattr(self, name) for name in self.saved_attributes}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on with the saved values."""
        for name in self.saved_attributes:
            setattr(self, name, saved[name])
