"""Showing: what can be drawn shows its picture in notebooks. Drawing stands above, and is loaded when it is asked for."""

from importlib import import_module
from typing import Any

from steersman.geometry.guiding import Explained


class Shown(metaclass=Explained):
    """Base of what notebooks show as a picture, where matplotlib is installed."""

    __slots__ = ()

    def _repr_png_(self) -> bytes | None:
        """The picture, for notebooks; None where there is nothing to be seen."""
        data: bytes | None = above("drawing.draw").as_png(self)
        return data


def above(module: str) -> Any:
    """A module of a layer above, which must not be imported from below: `above("drawing.draw")`."""
    return import_module(f"steersman.{module}")
