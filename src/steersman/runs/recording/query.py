"""Columns on request: columns of vehicles, the memory of behaviors, and the forces that behaviors ask for.

"mass"                  a column of the vehicles; in 3D "quaternion", too
"Wander.point"          a value in the memory of a behavior, of a condition's behavior or of a body: NODE.COLUMN
"force"                 the steering force of the next step [N], as `World.explain` returns it
"Separation.force"      the part of one behavior's force that is applied [N]
"unwrapped"             positions that go on over the seams of a torus [m] (`unwrapping.py`)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import suggestion
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS, turning_components
from steersman.core.world.explain import Explanation
from steersman.core.world.population import LOCOMOTION_KEY, Population
from steersman.runs.recording.unwrapping import WORD

AXES = ("x", "y", "z")

OF_VEHICLES = {
    **{name: about[3] for name, about in SCALARS.items() if name != "radius"},
    "angular_velocity": "rad/s",
    "quaternion": "",
}
"""Columns of vehicles that can be asked for, with their units; the radius is always there."""


@dataclass(frozen=True)
class ColumnRequest:
    """A request for additional columns.

    Attributes:
        word: The text of the request.
        names: Its columns in the table.
        unit: Its unit; "" where it is unknown.
        kind: The NumPy type of its columns: float32, of whole numbers and truth values float64, which holds them exactly.
    """

    word: str
    names: tuple[str, ...]
    unit: str
    kind: "np.dtype[Any]"

    def of(self, population: Population, explanation: Explanation | None) -> Array | None:
        """The values of a population, shape (n, columns); None where it has no such column."""
        if self.word == "quaternion" and population.vehicles.dimensions == 2:
            return None
        if self.word in OF_VEHICLES:
            values = _as_rows(getattr(population.vehicles, self.word))
            return np.pad(values, ((0, 0), (len(self.names) - values.shape[1], 0)))  # Turning in the plane is about z.
        if is_force(self.word):
            return None if explanation is None else _force(explanation, population, node_of(self.word))
        names = _remembered(population, self.word)
        if names is None:
            return None
        return aligned(names[0], _as_rows(names[1]).astype(self.kind), population.vehicles.id)


def as_column_requests(populations: Sequence[Population], columns: Any) -> tuple[ColumnRequest, ...]:
    """The requests for these columns, checked against the present populations.

    Raises:
        ValueError: No population has such a column, or it is asked for twice.
    """
    if not isinstance(columns, (list, tuple)) or not all(isinstance(word, str) for word in columns):
        raise TypeError(
            f'columns must be a list of texts such as ["mass", "Wander.point", "force"], got {brief(columns)}'
        )
    words = list(columns)
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"columns must be different, got {word!r} more than once")
    return tuple(_column_request(word, populations) for word in words)


def _column_request(word: str, populations: Sequence[Population]) -> ColumnRequest:
    d = max((each.vehicles.dimensions for each in populations), default=2)
    single = np.dtype(np.float32)
    if word == WORD:
        return ColumnRequest(word, _names(word, AXES[:d]), "m", np.dtype(np.float64))
    if word == "quaternion" and d == 2:
        raise ValueError(
            "columns must be those of a population, got 'quaternion', which vehicles in the plane have not"
        )
    if word in OF_VEHICLES:
        endings = {"angular_velocity": AXES[: turning_components(d)], "quaternion": "wxyz"}.get(word, ("",))
        return ColumnRequest(word, _names(word, endings), OF_VEHICLES[word], single)
    steered = [each for each in populations if each.tree is not None]
    if is_force(word) and any(_path(each, node_of(word)) is not None for each in steered):
        return ColumnRequest(word, _names(word, AXES[:d]), "N", single)
    for each in populations:
        if names := _remembered(each, word):
            values = _as_rows(names[1])
            kind = single if values.dtype.kind == "f" else np.dtype(np.float64)
            return ColumnRequest(word, _names(word, [*map(str, range(values.shape[1]))]), "", kind)
    of_vehicles = [name for name in OF_VEHICLES if d == 3 or name != "quaternion"]
    known = [*of_vehicles, "force", WORD, *dict.fromkeys(name for each in populations for name in _known(each))]
    raise ValueError(f"columns must be those of a population, got {word!r}{suggestion(word, known)}")


def _names(word: str, endings: Sequence[str]) -> tuple[str, ...]:
    return (word,) if len(endings) == 1 else tuple(f"{word}_{ending}" for ending in endings)


def is_force(word: str) -> bool:
    """Whether a force is asked for."""
    return word == "force" or word.endswith(".force")


def node_of(word: str) -> str:
    """The name of the node in a request; "" for the whole tree."""
    return word.rpartition(".")[0]


def _as_rows(values: Array) -> Array:
    return values.reshape(len(values), int(np.prod(values.shape[1:])))


def _node(population: Population, which: str) -> Node | None:
    """The node of a name or a class; None where there is none."""
    try:
        return population.node(which)
    except KeyError as error:
        if any(which in (node.behavior.name, type(node.behavior).__name__) for node in population.nodes):
            raise ValueError(f"columns must say which node is meant: {error.args[0]}") from None
        return None


def _path(population: Population, which: str) -> list[int] | None:
    """The way down the tree to a behavior, as indices of parts; None where there is no such behavior."""
    node = _node(population, which) if which else population.tree
    places: list[int] = []
    while node is not None and node.parent is not None:
        if node not in node.parent.children:
            return None  # A condition.
        places.insert(0, node.parent.children.index(node))
        node = node.parent
    return None if node is None else places


def _force(explanation: Explanation, population: Population, which: str) -> Array | None:
    """The part of a node's force that is applied, shape (n, d)."""
    places = _path(population, which)
    if places is None:
        return None
    for place in places:
        explanation = explanation.parts[place]
    return explanation.contribution if places else explanation.force


def _known(population: Population) -> list[str]:
    """The requests that a population's memory and forces can answer."""
    names = []
    for node in population.nodes:
        columns = population.memories.get(node.key, ())
        names += [f"{node.label}.{name}" for name in columns]
        names += [] if node.parent is not None and node not in node.parent.children else [f"{node.label}.force"]
    body = type(population.locomotion).__name__
    return names + [f"{body}.{name}" for name in population.memories.get(LOCOMOTION_KEY, ())]


def _remembered(population: Population, word: str) -> tuple[Array, Array] | None:
    """Ids of the vehicles that have this memory, shape (m,), and their values, shape (m, ...); None without any."""
    which, _, column = word.rpartition(".")
    if which == type(population.locomotion).__name__:
        key = LOCOMOTION_KEY
    else:
        node = _node(population, which) if which else None
        if node is None:
            return None
        key = node.key
    ids, columns = population.recalled(key)
    return (ids, columns[column]) if column in columns else None


def aligned(ids: Array, values: Array, chosen: Array) -> Array:
    """Rows by id, shape (n, ...). New vehicles have no memory before their first step: their values are NaN, or 0."""
    if ids is chosen or np.array_equal(ids, chosen):
        return values
    order = np.argsort(ids, kind="stable")
    at = np.searchsorted(ids, chosen, sorter=order)
    there = at < len(ids)
    there[there] = ids[order[at[there]]] == chosen[there]
    names = np.full((len(chosen), *values.shape[1:]), np.nan if values.dtype.kind == "f" else 0, values.dtype)
    names[there] = values[order[at[there]]]
    return names
