"""Python objects that a file cannot hold: functions, classes of a user's own, vehicles outside of the world.

Each has a name in the snapshot, and is passed under this name when the snapshot is read. The name is only a label: nothing is
imported by it. The state of objects with the methods `saved()` and `resume(saved)` is saved along with the world.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

from steersman.core.parameters.expression import user_value
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.writing import NoDocumentError
from steersman.runs.documents.problems import Place, in_words
from steersman.runs.documents.writer import Writer, called
from steersman.runs.metrics.metric import Metric

KEY = "$python"
"""The key of a table that stands for a Python object."""


class Mark(dict[str, Any]):
    """The table that stands for a Python object: its name."""


@dataclass
class Named:
    """A Python object in a snapshot.

    Attributes:
        value: The object.
        places: Its places in the document.
    """

    value: Any
    places: list[str] = field(default_factory=list)


class Book:
    """The list of the Python objects in a world.

    Args:
        given: Names that were chosen for some of them.

    Raises:
        SnapshotError: A name is no text.
    """

    def __init__(self, functions: Mapping[str, Any] | None) -> None:
        self.objects = {name: Named(value) for name, value in (functions or {}).items()}
        for name in self.objects:
            if not isinstance(name, str):
                raise SnapshotError(f"functions must be a table of names and functions, got the name {name!r}")

    def mark(self, value: Any, place: Place, preferred: str | None = None) -> Mark:
        """The mark that stands for a Python object in a document; the object is added to the list.

        Args:
            value: The object.
            place: Its place in the document.
            preferred: Its name. Default: its name in Python.
        """
        name = self.name_of(value)
        if name is None:
            preferred = preferred or called(value)
            names = [preferred, *(f"{preferred} {k}" for k in range(2, len(self.objects) + 3))]
            name = next(each for each in names if each not in self.objects)
            self.objects[name] = Named(value)
        self.objects[name].places.append(in_words(place))
        return Mark({KEY: name})

    def name_of(self, value: Any) -> str | None:
        """The name of an object that has one already; methods are compared by value, as Python makes them anew."""
        for name, known in self.objects.items():
            if known.value is value or (type(value) is MethodType and known.value == value):
                return name
        return None

    @property
    def used(self) -> dict[str, Named]:
        """The objects with a place in the document."""
        return {name: item for name, item in self.objects.items() if item.places}

    def document(self) -> list[dict[str, Any]]:
        """The record of each object, with its saved state, if it has `saved`."""
        keepers = dict(keepers_of({name: item.value for name, item in self.used.items()}))
        return [
            {"name": name, "what": described(item.value), "places": item.places}
            | ({"saved": keepers[name].saved()} if name in keepers else {})
            for name, item in self.used.items()
        ]


class NamingWriter(Writer):
    """A writer that puts a mark in place of a Python object, where the base class raises an error.

    Args:
        names, sections: As for Writer.
        book: The list of Python objects.
    """

    def __init__(self, names: Mapping[str, Any], sections: dict[str, list[Any]] | None, book: Book) -> None:
        super().__init__(names, sections)
        self.book = book

    def value(self, value: Any, place: Place) -> Any:
        """The form that a value has in a document, or the mark that stands for it."""
        try:
            return super().value(value, place)
        except NoDocumentError:
            return self.book.mark(user_value(value), place)


def described(value: Any) -> str:
    """An object in words, for messages."""
    item = getattr(value, "__func__", value)
    if isinstance(item, type) or not hasattr(item, "__qualname__"):
        cls = type(value)
        return f"an object of the class {cls.__module__}.{cls.__qualname__}"
    return f"the function {item.__module__}.{item.__qualname__}"


def keepers_of(objects: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Objects with a saved state in a table of objects, or behind their methods; each once, by its first name."""
    passed: list[Any] = []
    for name, value in objects.items():
        keeper = _behind(value)
        if keeps(keeper) and not any(keeper is each for each in passed):
            passed.append(keeper)
            yield name, keeper


def _behind(value: Any) -> Any:
    """The object of a method."""
    if isinstance(value, Metric):
        return _behind(value.measure)
    return value.__self__ if isinstance(value, MethodType) else value


def keeps(item: Any) -> bool:
    """Whether the state of an object is saved."""
    return not isinstance(item, type) and all(callable(getattr(item, name, None)) for name in ("saved", "resume"))
