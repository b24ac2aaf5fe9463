"""Absent: stands for Numba, or for a part of it, where it is not there or not used."""

from typing import Any


class _Anything(type):
    """Attributes of Absent are Absent, too."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent


class Absent(metaclass=_Anything):
    """Modules of this library name its attributes, call them and derive classes from them when they are imported."""

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        """Itself; of a derived class an object, as usual."""
        return Absent if cls is Absent else object.__new__(cls)
