"""Showing: objects with a picture show it in notebooks. Drawing stands above, and is loaded when it is asked for."""

from typing import Any

from steersman.core import extensions
from steersman.core.parameters.guiding import Explained


class Shown(metaclass=Explained):
    """Base of objects that notebooks show as a picture, where matplotlib is installed, beside a small table."""

    __slots__ = ()

    def _repr_png_(self) -> bytes | None:
        """The picture, for notebooks; None where there is nothing to be seen."""
        data: bytes | None = extensions.PICTURE.function(self)
        return data

    def _repr_html_(self) -> str:
        """The picture beside a table."""
        text: str = extensions.TABLE.function(self, self._repr_png_())
        return text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Both, drawn once; the notebook chooses."""
        shown: dict[str, Any] = extensions.BUNDLE.function(self)
        return shown
