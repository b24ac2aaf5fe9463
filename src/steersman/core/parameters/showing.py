"""Showing: the base class of objects that notebooks show as a picture. The drawing layer is imported at the first use."""

from typing import Any

from steersman.core import extensions
from steersman.core.parameters.guiding import Explained


class Shown(metaclass=Explained):
    """Base of objects that notebooks show as a small table and, where matplotlib is installed, a picture."""

    __slots__ = ()

    def _repr_png_(self) -> bytes | None:
        """The picture; None if there is nothing to draw."""
        data: bytes | None = extensions.PICTURE.function(self)
        return data

    def _repr_html_(self) -> str:
        """The picture beside a table."""
        text: str = extensions.TABLE.function(self, self._repr_png_())
        return text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Picture and table, drawn once, of which the notebook shows one."""
        shown: dict[str, Any] = extensions.BUNDLE.function(self)
        return shown
