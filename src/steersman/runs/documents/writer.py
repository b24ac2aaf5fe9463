"""Writing: objects become tables, guided by the declared parameters of their classes; the mirror of `reader`.

A table holds the values that differ from the defaults. Items of the scenery are written into their sections, and referred to
by name; an item without a name gets one. Short arrays become lists; long arrays stay arrays, which `files` writes into a
second file.
"""

from collections.abc import Mapping
from functools import singledispatchmethod
from typing import Any

import numpy as np

from steersman.core.action_selection.condition import Condition
from steersman.core.action_selection.modes import Transition
from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.environment.resources import Resources
from steersman.core.environment.shape import Shape
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.parameters.expression import user_value
from steersman.core.parameters.parameters import Parameters, describe
from steersman.core.steering.behavior import Behavior, Function
from steersman.core.steering.registry import BEHAVIORS
from steersman.core.steering.targets.selection import Among
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.writing import NoDocumentError
from steersman.runs.documents.problems import Place, before, in_words
from steersman.runs.documents.reader import key_of
from steersman.runs.documents.scenery import SECTIONS
from steersman.runs.documents.spawning import SHAPES
from steersman.runs.documents.spawning import Shape as SpawnShape
from steersman.runs.documents.spread import Spread
from steersman.runs.documents.starting import STARTS, Start
from steersman.runs.documents.trees import COMPOSED

MANY = 200
"""The most numbers of an array that becomes a list."""

PARTS = ("parts", "interest", "danger")
"""Keys with parts that may have weights, in the order of the weights."""


class Writer:
    """Writes one document.

    Args:
        names: The names of things and populations.
        sections: The lists to which new tables of things are added; None where there are no sections, as around a single
            behavior: a thing without a name is then written where it is used.
    """

    def __init__(self, names: Mapping[str, Any], sections: dict[str, list[Any]] | None) -> None:
        self.names = dict(names)
        self.sections = sections
        self.written: set[str] = set()
        self.inlined: list[Resources] = []

    # -------------------------------------------------------------------------------------------- values

    def value(self, value: Any, place: Place) -> Any:
        """The form that a value has in a document.

        Args:
            value: The value.
            place: Its place in the document.

        Raises:
            NoDocumentError: The value has no form in a document.
        """
        return self._value(value if isinstance(value, Transition) else user_value(value), place)

    @singledispatchmethod
    def _value(self, value: Any, place: Place) -> Any:
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if callable(value):
            raise NoDocumentError(f"{before(place)}{in_python(value)} has no document, got {called(value)}")
        raise NoDocumentError(f"{before(place)}a document has no form for {value!r}")

    @_value.register
    def _(self, value: np.generic, place: Place) -> Any:
        return value.item()

    @_value.register
    def _(self, value: np.ndarray, place: Place) -> Any:
        return numbers_of(value.astype(np.float64) if value.dtype == np.float32 else value)

    @_value.register(tuple)
    @_value.register(list)
    def _(self, value: Any, place: Place) -> list[Any]:
        return [self.value(item, (*place, index)) for index, item in enumerate(value)]

    @_value.register(dict)
    def _(self, value: Mapping[Any, Any], place: Place) -> dict[str, Any]:
        if not all(isinstance(key, str) for key in value):
            return {"own": list(value), "whom": list(value.values())}
        return {key: self.value(item, (*place, key)) for key, item in value.items()}

    @_value.register
    def _(self, value: Among, place: Place) -> dict[str, Any]:
        return {"among": numbers_of(value.ids)}

    @_value.register
    def _(self, value: Vehicles, place: Place) -> str:
        for name, known in self.names.items():
            if known is value:
                return name
        raise NoDocumentError(
            f"{before(place)}these vehicles have no name here, got {value!r}; add them to the world, or give names="
        )

    # -------------------------------------------------------------------------------------------- parameters

    @_value.register
    def _(self, value: Parameters, place: Place) -> Any:
        """An object with parameters that is a part of another one: its kind is its class."""
        if not type(value).__module__.startswith(f"{__name__.partition('.')[0]}."):
            raise NoDocumentError(f"{before(place)}a class of your own has no document, got {type(value).__name__}")
        return short("kind", type(value).__name__, self.parameters(value, place))

    @_value.register
    def _(self, value: Locomotion, place: Place) -> Any:
        return short("body", self.registered(value, LOCOMOTIONS, place), self.parameters(value, place))

    @_value.register
    def _(self, value: Behavior, place: Place) -> dict[str, Any]:
        if isinstance(value, Function):
            return self.value(value.function, place)  # type: ignore[no-any-return]
        table = {"behavior": self.registered(value, BEHAVIORS, place), **self.parameters(value, place)}
        parts = [part for key in PARTS for part in table.get(key, ())]
        for part, weight in zip(parts, getattr(value, "weights", None) or (1.0,) * len(parts), strict=True):
            if weight != 1:
                part["weight"] = self.value(weight, (*place, "weight"))
        return table

    @_value.register
    def _(self, value: Condition, place: Place) -> dict[str, Any]:
        name, table = self.registered(value, CONDITIONS, place), self.parameters(value, place)
        key = next((key for key, cls in COMPOSED.items() if cls is type(value)), None)
        if key is None:
            return {"condition": name, **table}
        return {key: table.pop("component" if key == "not" else "components"), **table}

    @_value.register
    def _(self, value: Transition, place: Place) -> dict[str, Any]:
        leaves, enters, when = user_value(value)
        return {"from": leaves, "to": enters, "when": self.value(when, (*place, "when"))}

    @_value.register
    def _(self, value: SpawnShape, place: Place) -> dict[str, Any]:
        name = next(name for name, cls in SHAPES.items() if cls is type(value))
        return {"shape": name, **self.parameters(value, place)}

    @_value.register
    def _(self, value: Start, place: Place) -> dict[str, Any]:
        name = next(name for name, cls in STARTS.items() if cls is type(value))
        return {"kind": name, **self.parameters(value, place)}

    @_value.register
    def _(self, value: Spread, place: Place) -> Any:
        return value.low if value.low == value.high else {"low": value.low, "high": value.high}

    def parameters(self, value: Parameters, place: Place) -> dict[str, Any]:
        """The table of the parameters that differ from the defaults."""
        keys = {each.name: key_of(each) for each in describe(type(value))}
        table = {}
        for name, item in value.chosen().items():
            if name not in keys and name not in ("weights", "flattens"):
                raise NoDocumentError(
                    f"{in_words((*place, name))}: only fields that `parameter` declares have a document"
                )
            if keys.get(name):
                table[keys[name]] = self.value(item, (*place, keys[name]))
        return table

    def registered(self, value: Any, known: Mapping[str, type], place: Place) -> str:
        """The name of the class of a value; the class must be registered under this name."""
        name = type(value).__name__
        if known.get(name) is not type(value):
            raise NoDocumentError(f"{before(place)}a class of your own has no document, got {name}")
        return name

    # -------------------------------------------------------------------------------------------- scenery

    @_value.register(Obstacles)
    @_value.register(Path)
    @_value.register(FlowField)
    @_value.register(Shape)
    @_value.register(Resources)
    def _(self, value: Any, place: Place) -> Any:
        """An item of the scenery: its name; or its table, if the document has no sections."""
        section, kind = kind_of(value, place)
        name = self.name_of(value)
        if name is None and self.sections is None:
            return self.inline(value, section, kind, place)
        if name is None:
            name = self.new_name(kind)
            self.names[name] = value
        if self.sections is not None and name not in self.written:
            self.written.add(name)
            self.sections[section].append({"name": name, **self.scenery_item(value, section, kind, (section, name))})
        return name

    def name_of(self, value: Any) -> str | None:
        """The name of an item, or of an equal item; None without a name."""
        same = (name for name, known in self.names.items() if known is value)
        alike = (name for name, known in self.names.items() if isinstance(value, Parameters) and known == value)
        return next(same, None) or next(alike, None)

    def inline(self, value: Any, section: str, kind: str, place: Place) -> dict[str, Any]:
        """The table of an item that is written where it is used."""
        if isinstance(value, Resources):
            if any(value is each for each in self.inlined):
                raise NoDocumentError(f"{before(place)}these resources stand there twice; give names={{'food': ...}}")
            self.inlined.append(value)
        return {"kind": kind} | self.scenery_item(value, section, kind, place)

    def scenery_item(self, value: Any, section: str, kind: str, place: Place) -> dict[str, Any]:
        """The table of an item, without its name; the usual kind is left out."""
        usual = {} if kind == SECTIONS[section].usual else {"kind": kind}
        if isinstance(value, Resources):
            amount = value.amount
            same = {} if (amount == 1).all() else {"amount": numbers_of(amount)}
            return {**usual, "position": numbers_of(value.position), **same}
        return {**usual, **self.parameters(value, place)}

    def new_name(self, preferred: str) -> str:
        """The preferred name, or a similar one that is not used yet."""
        names = [preferred, *(f"{preferred} {k}" for k in range(2, len(self.names) + 3))]
        return next(name for name in names if name not in self.names)


def kind_of(value: Any, place: Place) -> tuple[str, str]:
    """The section of an item, and its kind there."""
    for section, about in SECTIONS.items():
        for kind, cls in about.kinds.items():
            if type(value) is (Resources if section == "resources" else cls):
                return section, kind
    raise NoDocumentError(f"{before(place)}a class of your own has no document, got {type(value).__name__}")


def short(tag: str, name: str, table: dict[str, Any]) -> Any:
    """A table with its kind; if the table is empty, only the name of the kind."""
    return {tag: name, **table} if table else name


def number_of(value: Any) -> Any:
    """A number of a column as a Python number; a float32 with the fewest digits that give the same float32."""
    if isinstance(value, np.float32):
        few = float(str(value))
        return few if np.float32(few) == value else float(value)
    return value.item()


def numbers_of(array: Array) -> Any:
    """A column as nested lists. It stays an array if it is long, or if it has no rows, because then lists lose its shape."""
    if array.size > MANY or (array.size == 0 and array.ndim > 1):
        return np.array(array, order="C")
    if array.dtype == np.float32:
        return np.array([number_of(each) for each in array.ravel()], object).reshape(array.shape).tolist()
    return array.tolist()


def called(value: Any) -> str:
    """The name of an object in Python: `push`, `Team.places`, `Drift`."""
    name = getattr(value, "__qualname__", None) or getattr(type(value), "__qualname__", "")
    return str(name).rpartition("<locals>.")[2].replace("<lambda>", "lambda")


def in_python(value: Any) -> str:
    """The kind of a Python object in words: a function, or an object."""
    return "a Python function" if hasattr(value, "__qualname__") else "a Python object"
