"""Keeping: objects with a state that is saved along with the world (see `World.save`)."""

from collections.abc import Mapping
from typing import Any, ClassVar


class Keeping:
    """Base of objects with kept attributes. Any class with two such methods will do; this one writes them.

    Attributes:
        kept: The names of the attributes: texts, numbers, lists, tables, arrays.
    """

    kept: ClassVar[tuple[str, ...]] = ()

    def saved(self) -> dict[str, Any]:
        """The kept attributes, in texts, numbers, lists, tables and arrays."""
        return {name: getattr(self, name) for name in self.kept}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on with the saved attributes."""
        for name in self.kept:
            setattr(self, name, saved[name])
