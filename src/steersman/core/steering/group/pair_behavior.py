"""PairBehavior: a law of your own about a vehicle and one of its neighbors, at the speed of the built-in ones.

    force = sum over neighbors of law(own, other, to, distance, p)

The law is a plain function. It is compiled, and called for every pair of neighbors in the pass over the cells that the
built-in behaviors use; what it returns is summed. With `finish` the sums become a force and the next values of columns of
your own.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import record_class
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.kernels.user_function import user_kernel
from steersman.core.maths.vectors import load, scale, store
from steersman.core.neighborhood.coincident import tie_of
from steersman.core.neighborhood.pairs import (
    SCALARS,
    VECTORS,
    pair_kernels,
    record_kernel,
    tuple_kernels,
    view_of,
    written,
)
from steersman.core.neighborhood.request import NeighborCells, NeighborList
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import FLAG, INTEGER, NUMBER
from steersman.core.parameters.parameters import describe
from steersman.core.parameters.per_vehicle import PerVehicle, largest, plain
from steersman.core.steering.group.neighborly import Neighborly
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

Law = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class PairBehavior(Neighborly):
    """Base of behaviors that sum a law of your own over the neighbors.

        @dataclass(frozen=True, eq=False)
        class Shove(sm.PairBehavior):
            strength: float = sm.parameter(3.0, unit="N")
            range: float = sm.parameter(1.0, above=0.0, unit="m")

            @staticmethod
            def law(own, other, to, distance, p):
                return -p.strength * math.exp(-distance / p.range)

    `law` gets records of a vehicle and of a neighbor, the way to the neighbor [m], a tuple of d numbers, its length [m], and
    the numbers among the parameters (None is -1). A record has the columns of the vehicle: `position`, `velocity`,
    `forward`, in 3D `up`, tuples of d numbers; `mass`, `radius`, `max_speed`, `max_force`, `response_time`, `id`; and those
    that `init` declares, as they were at the start of the step. Where the neighbors are fixed points or obstacles, they
    have a `position`. The law returns a force [N]: a tuple of d numbers, or a number along the way to the neighbor (negative
    for away). Both are summed over all neighbors. It is compiled by Numba: numbers, tuples and `math`, no arrays, and no
    state.

    A class may define `finish(own, total, count, p, dt)`, which is called once for each vehicle. Then `law` returns
    numbers of any kind, one or a tuple; `finish` gets their sums, a tuple, and the number of neighbors, and returns the
    force, or a tuple of the force and of the next value of each column of `init`, in order.

    Neighbors in the place of a vehicle are given a direction, opposite for the two, and the distance of a millionth of
    the radius, at most of a meter.

    Raises:
        TypeError: `law` or `finish` is missing, asks for a column that there is not, or returns no numbers.
        ValueError: A force has another number of components than the vehicles have dimensions.
    """

    law: ClassVar[Law | None] = None
    finish: ClassVar[Law | None] = None

    def needs(self) -> tuple[NeighborCells | NeighborList, ...]:
        """The cells around every vehicle, or a list of the nearest."""
        if self.k is None:
            return (NeighborCells(plain(self.radius), of=self.of),)
        return (NeighborList(plain(self.radius), int(self.k), plain(self.angle), plain(self.inner_radius), self.of),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The sum over the neighbors of each row, and the force that comes of it."""
        d, dtype, request = scene.dimensions, scene.vehicles.dtype, self.needs()[0]
        vehicles, others = self._encounter(scene, request)
        same, points = others is vehicles, isinstance(others, Places)
        names = VECTORS[: 4 if d == 3 else 3]
        own = tuple((name, _components(memory.now(name))) for name in memory)
        columns = tuple(memory.now(name) for name in memory)
        own_record = record_kernel(names, SCALARS, own)
        other_record = (
            record_kernel(("position",), (), ()) if points else record_kernel(names, SCALARS, own if same else ())
        )
        numbers = scene.own(*self._numbers())
        sample = Sample(self.title, d, own, () if points else SCALARS, own if same else (), numbers)
        finish = type(self).finish
        law, size = sample.law(type(self).law, sums=finish is not None)
        totals, count = tuple(np.zeros((size, scene.capacity), dtype)), np.zeros(scene.capacity, dtype)
        around, listed = pair_kernels(law, own_record, other_record, size)
        about, results = (vehicles, columns, others, columns if same else ()), (numbers, totals, count, out.active)
        view = view_of(dtype, self.radius, self.angle, self.inner_radius)
        if isinstance(request, NeighborCells):
            cells, period, _ = scene.cells(request)
            ahead = vehicles.forward if largest(self.angle) < 2 * math.pi else ()
            calls = [Call(around, (*about, cells, period, view, ahead, *results))]
        else:
            ids = (vehicles.id, others.id, tie_of(scene.vehicles, self.of))
            calls = [Call(listed, (*about, scene.neighbors(request), ids, view, scene.wrap, *results))]
        if finish is None:
            return [*calls, Call(push, (vehicles, totals, out))]
        finish_sums = finish_kernel(sample.finish(finish, size), own_record, size, tuple(k for _, k in own))
        following = tuple(memory.next(name) for name in memory)
        return [*calls, Call(finish_sums, (vehicles, columns, totals, count, numbers, scene.clock, following, out))]

    def _numbers(self) -> list[str]:
        """The names of the parameters that are numbers."""
        others = {each.name for each in fields(Neighborly)} - {"radius"}
        kinds = {each.name: each.kind for each in describe(type(self))}
        return [
            name
            for name in (each.name for each in fields(self) if each.name not in others)
            if kinds.get(name, NUMBER) in (NUMBER, INTEGER, FLAG) and not isinstance(getattr(self, name), str)
        ]

    def _encounter(self, scene: Scene, request: Any) -> tuple[VehicleColumns, Any]:
        """The columns of the vehicles and of the neighbors."""
        if isinstance(self.of, (Vehicles, tuple, str)) or self.of is None:
            own, others, *_ = scene.encounter(self.of, *VECTORS[1 : scene.dimensions + 1], *SCALARS)
            return own, others
        if not isinstance(request, NeighborCells):
            raise ValueError(f"k must be None where the neighbors are no vehicles, got {self.k}")
        return scene.columns, Places(scene.cells(request).points)


class Places(NamedTuple):
    """Bare points as neighbors: their positions [m], d arrays of shape (m,)."""

    position: Columns


@row_kernel
def push(i: int, vehicles: VehicleColumns, totals: Columns, out: Out) -> None:
    """The sum of the forces of all neighbors."""
    deposit(out, i, load(totals, i), vehicles.max_force[i], False)


@cache
def finish_kernel(finish: Any, own_record: Any, size: int, components: tuple[int, ...]) -> Any:
    """The kernel that makes a force, and the next values of columns, of the sums.

    Args:
        finish: A kernel `(own, total, count, numbers, dt)`.
        own_record: The kernel that makes the record of a vehicle.
        size: The number of the sums.
        components: The number of components of each column, 0 for a plain number.
    """
    take = tuple_kernels(size)[3]
    if not components:

        @row_kernel
        def finished(
            i: int, vehicles: Any, columns: Any, totals: Any, count: Any, numbers: Any, clock: Any, following: Any, out: Any
        ) -> None:  # fmt: skip
            """The force."""
            force = finish(own_record(vehicles, columns, i), take(totals, i), count[i], numbers, clock.dt[0])
            deposit(out, i, force, vehicles.max_force[i], False)

        return finished
    stored = (
        f"store(following[{k}], i, a[{k + 1}])" if d else f"following[{k}][i] = a[{k + 1}]"
        for k, d in enumerate(components)
    )
    keep = written("keep", "following, i, a", "; ".join(stored), store=store)

    @row_kernel
    def finished_and_stored(
        i: int, vehicles: Any, columns: Any, totals: Any, count: Any, numbers: Any, clock: Any, following: Any, out: Any
    ) -> None:  # fmt: skip
        """The force, and the next values of the columns."""
        results = finish(own_record(vehicles, columns, i), take(totals, i), count[i], numbers, clock.dt[0])
        keep(following, i, results)
        deposit(out, i, results[0], vehicles.max_force[i], False)

    return finished_and_stored


def _components(column: Any) -> int:
    """The number of components of a column of memory, 0 for plain numbers."""
    return len(column) if isinstance(column, tuple) else 0


# ------------------------------------------------------------------------------------------------ laws


def compiled(function: Law) -> Any:
    """A function of the user as a kernel."""
    return user_kernel(getattr(function, "py_func", function))


@cache
def in_a_tuple(law: Any) -> Any:
    """A law that returns a number, as one that returns a tuple."""

    @kernel
    def single(own: Any, other: Any, to: Any, distance: Any, numbers: Any) -> Any:
        return (law(own, other, to, distance, numbers),)

    return single


@cache
def along_the_way(law: Any) -> Any:
    """A law that returns a number along the way to the neighbor, as one that returns a vector."""

    @kernel
    def radial(own: Any, other: Any, to: Any, distance: Any, numbers: Any) -> Any:
        return scale(to, law(own, other, to, distance, numbers) / distance)

    return radial


class Pair(NamedTuple):
    """The arguments of laws without the parameters: two vehicles, the way between them [m] and its length [m]."""

    own: Any
    other: Any
    to: tuple[float, ...]
    distance: float


ARGUMENTS = {"law": "own, other, to, distance, p", "finish": "own, total, count, p, dt"}
"""The arguments of the functions of a class."""

HEADINGS = ((0.6, 0.48, 0.64), (-0.64, 0.6, 0.48), (0.48, -0.64, 0.6), (0.8, -0.36, 0.48), (-0.48, 0.8, -0.36))
"""Unit vectors of the sample pairs; all their components differ from each other and from zero."""

PARTS = (0.5, 0.1, 0.9, 0.3)
"""The distances of the sample pairs, in parts of the radius."""


class Sample:
    """Calls laws in Python for a few pairs of vehicles, and checks their results before they are compiled.

    Args:
        title: The name of the behavior, for messages.
        d: The number of dimensions.
        own: The columns of `init`: names, and the number of components, 0 for a plain number.
        scalars: The columns of numbers of the neighbor; none where it is a point.
        theirs: The columns of `init` that the neighbor has.
        numbers: The numbers of the behavior.
    """

    def __init__(
        self, title: str, d: int, own: Sequence[tuple[str, int]], scalars: Sequence[str],
        theirs: Sequence[tuple[str, int]], numbers: Any,
    ) -> None:  # fmt: skip
        self.title, self.d = title, d
        self.numbers = type(numbers)(*(0.75 if isinstance(each, PerVehicle) else each for each in numbers))
        reach = float(self.numbers.radius)
        vectors = VECTORS[: 4 if d == 3 else 3]
        self.pairs = []
        for k, part in enumerate(PARTS):
            length = part * (reach if 0 < reach < math.inf else 1.0)
            to = tuple(length * x for x in _unit(HEADINGS[k], d))
            place = tuple(0.25 * x for x in HEADINGS[k + 1][:d])
            there = tuple(x + y for x, y in zip(place, to, strict=True))
            size = 0.1 * length if k % 2 else 0.6 * length  # Apart, or overlapping.
            own_record = self._record(0.5 + 0.25 * k, place, HEADINGS[k], size, k + 1, vectors, SCALARS, own)
            other = self._record(
                1.5 - 0.25 * k, there, HEADINGS[k + 1], 0.8 * size, k + 2,
                vectors if scalars else ("position",), scalars, theirs,
            )  # fmt: skip
            self.pairs.append(Pair(own_record, other, to, length))

    def _record(
        self, x: float, place: tuple[float, ...], heading: tuple[float, ...], size: float, number: int,
        vectors: Sequence[str], scalars: Sequence[str], more: Sequence[tuple[str, int]],
    ) -> Any:  # fmt: skip
        ahead = _unit(heading, self.d)
        up = _unit((-heading[1], heading[0], 0.0), 3)
        known = {"position": place, "velocity": tuple(x * each for each in ahead), "forward": ahead, "up": up}
        values: dict[str, Any] = {name: known[name] for name in vectors} | dict.fromkeys(scalars, x)
        values |= {name: value for name, value in (("radius", size), ("id", number)) if name in values}
        values |= {name: (x,) * k if k else x for name, k in more}
        return record_class(tuple(values))(**values)

    def _results(self, name: str, function: Any, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The results of a function for those arguments that it has one for.

        Raises:
            TypeError: It is no function, cannot be called so, or asks for something that is not there.
            ValueError: It has no result for any of the arguments.
        """
        if not callable(function):
            raise TypeError(f"{self.title} must define {name}(...) as a function, got {brief(function)}")
        results, fault = [], None
        for each in arguments:
            try:
                results.append(getattr(function, "py_func", function)(*each))
            except AttributeError as error:
                holders = {"own": self.pairs[0].own, "other": self.pairs[0].other, "p": self.numbers}
                has = "; ".join(f"{each} has {', '.join(record._fields)}" for each, record in holders.items())
                raise TypeError(f"{name} of {self.title}: {error}: {has}") from error
            except TypeError as error:
                called = f"it is called as {name}({ARGUMENTS[name]}), and is a @staticmethod of the class"
                raise TypeError(f"{name} of {self.title}: {error}: {called}") from error
            except (ArithmeticError, ValueError) as error:  # Others may have one: the root of a number of any sign.
                fault = error
        if not results:
            raise ValueError(f"{name} of {self.title} fails for each of {len(arguments)} pairs: {fault}") from fault
        return results

    def law(self, function: Any, *, sums: bool) -> tuple[Any, int]:
        """The law as a kernel that returns a tuple, and the length of the tuple.

        Args:
            function: The law.
            sums: Whether its sums go to `finish`; otherwise it returns forces.
        """
        expected = "a number or a tuple of numbers" if sums else f"a number or a tuple of {self.d} numbers, a force"
        results = self._results("law", function, [(*pair, self.numbers) for pair in self.pairs])
        for result in results:
            numbers = result if isinstance(result, tuple) else (result,)
            if not (numbers and all(isinstance(each, Real) for each in numbers)):
                raise TypeError(f"law of {self.title} must return {expected}, got {brief(result)}")
            if isinstance(result, tuple) and not sums and len(result) != self.d:
                raise ValueError(f"law of {self.title} must return {expected}, got {len(result)}")
            if _length(result) != _length(results[0]):
                both = f"{brief(results[0])} for one pair and {brief(result)} for another"
                raise TypeError(f"law of {self.title} must return as many numbers for all pairs, got {both}")
        law_kernel, size = compiled(function), _length(results[0])
        if not size:
            return (in_a_tuple(law_kernel), 1) if sums else (along_the_way(law_kernel), self.d)
        return law_kernel, size

    def finish(self, function: Any, size: int) -> Any:
        """The function that makes forces of sums, as a kernel."""
        arguments = [(pair.own, (0.5,) * size, 2.0, self.numbers, 0.1) for pair in self.pairs]
        result = self._results("finish", function, arguments)[0]
        own = self.pairs[0].own
        columns = own._fields[len(VECTORS[: 4 if self.d == 3 else 3]) + len(SCALARS) :]
        expected = f"a force, {self.d} numbers"
        force = result
        if columns:
            expected = f"({expected}, {', '.join(f'next {name}' for name in columns)})"
            if not isinstance(result, tuple) or len(result) != 1 + len(columns):
                raise TypeError(f"finish of {self.title} must return {expected}, got {brief(result)}")
            force = result[0]
        if not isinstance(force, tuple) or len(force) != self.d:
            raise TypeError(f"finish of {self.title} must return {expected}, got {brief(result)}")
        return compiled(function)


def _length(result: Any) -> int:
    """The length of a tuple, 0 for a plain number."""
    return len(result) if isinstance(result, tuple) else 0


def _unit(vector: Sequence[float], d: int) -> tuple[float, ...]:
    """The first d components, as a unit vector."""
    length = math.hypot(*vector[:d])
    return tuple(x / length for x in vector[:d])
