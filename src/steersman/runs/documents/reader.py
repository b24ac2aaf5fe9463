"""Reads tables of a document into objects, guided by the declared parameters of the classes.

Nothing stops at the first mistake: every wrong key, type, range and reference is noted with its place.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from steersman.core.environment.domain import Domain
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.kinds import FLAG, INTEGER, NUMBER, TEXT, Description, Kind
from steersman.core.parameters.parameters import Parameters, describe
from steersman.core.steering.combining.weighted_sum import PARTS, WEIGHTS
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.runs.documents.files import load_array
from steersman.runs.documents.limits import check_regular
from steersman.runs.documents.problems import Place, Problems

Table = Mapping[str, Any]


class Failed:
    """A placeholder for a value that could not be read; the reason is among the problems."""


FAILED = Failed()


@dataclasses.dataclass
class Reader:
    """Reads one document.

    Attributes:
        folder: The folder of the files that the document names.
        trust: Whether the document may also name files outside of the folder.
        files: Whether the document may name files at all.
        taken: Memory that the arrays of these files take so far [bytes].
        problems: The problems so far.
        dimensions: Dimensions of the world; None while unknown.
        domain: The space; None while unknown.
        on_map: Whether the current value may have 2 dimensions in 3D too: vehicles then steer by x and y.
        scenery: Obstacles, paths and so on by name; FAILED where they could not be read.
        sections: The section of the document of each of them.
        populations: Vehicles by name; FAILED where they could not be read.
    """

    folder: Path = dataclasses.field(default_factory=Path)
    trust: bool = False
    files: bool = True
    taken: int = 0
    problems: Problems = dataclasses.field(default_factory=lambda: Problems([]))
    dimensions: int | None = None
    domain: Domain | None = None
    on_map: bool = False
    scenery: dict[str, Any] = dataclasses.field(default_factory=dict)
    sections: dict[str, str] = dataclasses.field(default_factory=dict)
    populations: dict[str, Vehicles | Failed] = dataclasses.field(default_factory=dict)

    def table(self, value: Any, place: Place, label: str) -> Table | None:
        """The value if it is a table, else None and a problem."""
        if isinstance(value, Mapping):
            return value
        self.problems.add(place, f"{label} must be a table, got {value!r}")
        return None

    def tables(self, value: Any, place: Place, label: str) -> list[tuple[Table, Place]]:
        """The items of a list of tables, with their places."""
        if not isinstance(value, (list, tuple)):
            self.problems.add(place, f"{label} must be a list of tables, got {value!r}")
            return []
        values = [(self.table(item, (*place, k), label), (*place, k)) for k, item in enumerate(value)]
        return [(item, where) for item, where in values if item is not None]

    def of_section(self, section: str) -> dict[str, Any]:
        """The things of a section of the document, by name."""
        return {name: each for name, each in self.scenery.items() if self.sections[name] == section}

    def chosen(self, table: Table, tag: str, classes: Mapping[str, Any], place: Place) -> Any:
        """The class that a table names under the key `tag`."""
        if tag not in table:
            self.problems.add(place, f"{tag} must be given: {', '.join(classes)}")
            return None
        name = table[tag]
        if not isinstance(name, str) or name not in classes:
            self.problems.add((*place, tag), f"there is no {tag} {name!r}{suggestion(str(name), classes)}")
            return None
        return classes[name]

    def check_keys(self, table: Table, known: Iterable[str], place: Place) -> None:
        """Note every key that is not known."""
        names = list(known)
        for key in table:
            if key not in names:
                self.problems.add((*place, key), f"there is no key {key!r} here{suggestion(key, names, label='keys')}")

    def fields(
        self,
        cls: type[Parameters],
        table: Table,
        place: Place,
        *,
        besides: tuple[str, ...] = (),
        later: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """The parameters of a class, read from a table; FAILED for each that could not be read.

        Args:
            cls: The class.
            table: The table.
            place: Where it stands.
            besides: Keys that are known too, but not read here.
            later: Parameters that are not read here.
        """
        known = {key_of(each): each for each in describe(cls) if key_of(each)}
        self.check_keys(table, [*known, *besides], place)
        values = {}
        for key, description in known.items():
            if description.name in later:
                continue
            if key in table:
                values[description.name] = self.value(description, table[key], (*place, key))
            elif description.default is dataclasses.MISSING:
                self.problems.add(place, f"{key} must be given: {sentence(description.doc)}")
                values[description.name] = FAILED
            else:
                values[description.name] = description.default
        return values

    def value(self, description: Description, value: Any, place: Place) -> Any:
        """One parameter, or FAILED. Objects that no file can hold are checked, and passed to the class unchanged."""
        if value is None and description.optional:
            return None

        def read() -> Any:
            ready = self.loaded(value)
            if ready is not value and description.kind.base is not None:
                raise TypeError(f"{description.name} must be {description.words(named=True)}, got an array")
            if is_plain(ready):
                return reader_of(description.kind)(self, description, ready, place)
            if not description.of:  # The class checks it beside the parameter that it is about.
                description.normal(ready)
            return ready

        return self.attempt(place, read)

    def attempt(self, place: Place, make: Callable[[], Any], table: Table | None = None) -> Any:
        """The result of a call; if it raises any exception, FAILED, and the exception is noted as a problem.

        Args:
            place: The place that is read.
            make: The call.
            table: The table at this place, if it is one: a message that begins with one of its keys is about that key.
        """
        try:
            return make()
        except Exception as error:
            word = str(error).split(" ", 1)[0]
            self.problems.failed((*place, word) if table is not None and word in table else place, error)
            return FAILED

    def loaded(self, value: Any) -> Any:
        """A value; for a table that names a file, the array in that file (see `load_array`)."""
        named = isinstance(value, Mapping) and set(value) == {"file", "array"}
        return self.array(value) if named else value

    def array(self, where: Table) -> Array:
        """The array of a table with a file and the name of an array.

        Raises:
            OSError, TypeError, ValueError: As for `file` and `load_array`.
        """
        for key, text in where.items():
            if not isinstance(text, str):
                raise TypeError(f"{key} must be a text, got {text!r}")
        values = load_array(self.file(where["file"]), where, self.taken)
        self.taken += values.nbytes + 8 * values.size
        return values

    def file(self, name: str) -> Path:
        """The file that a document names, in its folder or below; anywhere, if it is trusted.

        Raises:
            ValueError: It is outside of the folder, no name or no plain file, or no files may be named here.
        """
        if not self.files:
            raise ValueError(f"no file may be named here, got {name!r}")
        if "\0" in name:
            raise ValueError(f"{name!r} must be the name of a file")
        folder = self.folder.resolve()
        try:
            path = (folder / name).resolve()
            there = path.exists()
        except OSError as error:
            raise ValueError(f"{brief(name)} must be the name of a file: {error.strerror}") from error
        if not self.trust and not path.is_relative_to(folder):
            raise ValueError(
                f"{name!r} must be a file in the folder of the document, or below; it is {str(path)!r}. Documents that you "
                "trust may name it: steersman run --trust, or from_document(..., trust=True)"
            )
        if there:
            check_regular(name, path.stat().st_mode)
        return path

    def construct(
        self, cls: type[Parameters], table: Table, place: Place, *, besides: tuple[str, ...] = (), **ready: Any
    ) -> Any:
        """An object of a class, from a table; FAILED if any parameter is wrong.

        Args:
            cls: The class.
            table: The table.
            place: Where it stands.
            besides: Keys that are known too, but not read here.
            **given: Parameters that do not come from the table.
        """
        values = self.fields(cls, table, place, besides=besides)
        return self.make(cls, {**values, **ready}, table, place)

    def make(self, cls: type[Parameters], values: Mapping[str, Any], table: Table, place: Place) -> Any:
        """Call a class with the parameters that were read; FAILED if one of them failed, or if the class refuses them."""
        if whole(list(values.values())) is FAILED:
            return FAILED
        return self.attempt(place, lambda: cls(**values), table)


Read = Callable[[Reader, Description, Any, Place], Any]

KINDS: dict[Kind, Read] = {}
"""Kind -> the function that reads its parameters. Values of other kinds are passed to the class as they are in the
document."""


def reader_of(kind: Kind) -> Read:
    """The function that reads parameters of a kind, or of the kind that it is like."""
    read = KINDS.get(kind)
    return read or (_as_is if kind.like is None else reader_of(kind.like))


def reads(*kinds: Kind) -> Callable[[Read], Read]:
    """Decorate a function as the one that reads parameters of these kinds."""

    def register(read: Read) -> Read:
        KINDS.update(dict.fromkeys(kinds, read))
        return read

    return register


@reads(NUMBER, INTEGER, FLAG, TEXT)
def _simple(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    dataclasses.replace(description, optional=False).normal(value)  # A document has no word for None.
    return value


def _as_is(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    return value


def whole(items: list[Any]) -> Any:
    """The items that were read, or FAILED if one of them failed."""
    return FAILED if any(each is FAILED for each in items) else items


def is_plain(value: Any) -> bool:
    """Whether a file could hold such a value."""
    return value is None or isinstance(value, (str, bool, int, float, list, tuple, Mapping))


def key_of(description: Description) -> str:
    """The key of a parameter in a document; "" for weights, which are keys of the parts that they weigh."""
    if description.kind.is_like(PARTS):
        return "parts"
    return "" if description.kind is WEIGHTS else description.name


def sentence(doc: str) -> str:
    """The first sentence of a text, for a message: without a full stop, beginning in lower case."""
    text = doc.split(". ")[0].rstrip(".")
    return text[:1].lower() + text[1:]
