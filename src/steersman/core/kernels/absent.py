"""Absent: the placeholder for Numba, or for a part of it, where that is not installed or not used."""

from typing import Any


class _Anything(type):
    """Makes every attribute of the class Absent be Absent, too."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent


class Absent(metaclass=_Anything):
    """A placeholder that can be called, has any attribute, and can be a base class.

    Modules of this library do all three with parts of Numba while they are imported.
    """

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        """Return Absent itself, so that calls return it, too; a derived class makes objects as usual."""
        return Absent if cls is Absent else object.__new__(cls)
