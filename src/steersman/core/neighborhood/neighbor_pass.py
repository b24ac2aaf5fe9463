"""One pass over the neighbors of a population, for all sums and lists that its behaviors ask for.

    neighborhood = NeighborPass(vehicles, requests, domain, None)
    neighborhood.fit()                                            # when vehicles have come or gone
    neighborhood.build()                                          # once a step
    neighborhood.run()
    neighborhood.sums[request].total                              # always the same arrays
    neighborhood.lists[request].row

Sums over all neighbors within a finite radius share a grid and a loop; so do those with an infinite radius. Sums over the k
nearest and lists of them are searched for one by one in another grid, with cells that depend on the density and not on the
radius.

A step does the same in stages that threads share: `build_stages`, `run_stages`, and then `column_calls`. The search visits
watchers in random order, so it writes all sums of a vehicle to one cache line, a *line*. The last calls copy lines to
columns, because laws go through the rows in order, and read columns several times as fast.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.kernels.bound import Bound, Stage, bind, go_through
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.numbers import named_numbers
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.neighborhood.arrangement import Arrangement, aligned, needs_images
from steersman.core.neighborhood.bodies import longest
from steersman.core.neighborhood.gather import Buffer
from steersman.core.neighborhood.joined import Joined
from steersman.core.neighborhood.nearest import Best, Searched, Terms, search_all
from steersman.core.neighborhood.pairs import Cells, Surrounding
from steersman.core.neighborhood.request import Listing, NeighborCells, NeighborList, NeighborSum, Request, Sum
from steersman.core.neighborhood.slots import (
    OwnNumbers,
    Slot,
    form_of,
    is_each_own,
    sees_all_around,
    several_of,
    table,
)
from steersman.core.neighborhood.source import Source
from steersman.core.neighborhood.sums import CARRY, HIDDEN, OFFSET, REPULSION, WIDTH
from steersman.core.neighborhood.sweep import SweepLimits, sweep
from steersman.core.parameters.brief import brief
from steersman.core.parameters.per_vehicle import LiveColumn, largest, smallest
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicles import Vehicles

FEW: Final = 96
"""The most candidates for which all pairs are tested; with more a grid is faster."""

CARRIED: Final = ("velocity", "forward")


class SweepParts(NamedTuple):
    """The parts of a sweep, from which the GPU makes its own search.

    Attributes:
        lines: The array of sums, shape (slot sets, capacity, WIDTH).
        repulsion, offset, carry: See `sums.sum_cell`.
        number: The number of requests of each of these kinds.
        carried: For each slot set the name of the column that `carry` sums.
        radius: The largest radius [m].
        tiny2: Squared distance [m^2] up to which two vehicles coincide.
        turned: Whether any field of view is limited.
    """

    lines: Array
    repulsion: tuple[Array, ...]
    offset: tuple[Array, ...]
    carry: tuple[Array, ...]
    number: tuple[int, int, int]
    carried: tuple[str, ...]
    radius: float
    tiny2: Any
    turned: bool


class NeighborPass:
    """The sums over the neighbors of one population, where the neighbors are from one population or set of points.

    Args:
        vehicles: The watchers (the vehicles that look for neighbors).
        requests: The sums and lists that their behaviors ask for, all about `of`.
        domain: The space.
        of: The possible neighbors: None for the vehicles themselves, another Vehicles, several as Joined, or any object
            with a `position` of shape (m, d) [m], which is read anew by every `build`.
        tie: +1 or -1. Of two populations that are neighbors of each other, one should have -1: then coincident vehicles
            with equal ids are pushed in opposite directions.
        late: The deferred requests, which are computed only for the rows that ask, in the middle of steering (see
            `deferred.py`). A deferred sum that shares a loop with a sum that is not deferred is computed with that one.
        addressed: Ids of the vehicles that radii and angles per vehicle are for, in order. Default: the watchers now.
        ids: Ids of the watchers from which directions between vehicles in one place are made, shape (capacity,), int64, live.
            Default: their own ids.

    Attributes:
        sums: The sums. Arrays stay the same for the life of the pass, which ends when the columns of the watchers or the
            candidates run out of room; they are of shape (capacity,).
        lists: The lists; their arrays stay the same, too.
        cells: The cells around each vehicle.
        late: The deferred searches, and the requests that each of them computes.

    Raises:
        ValueError: A request asks for the velocity or forward vector of bare points.
    """

    def __init__(
        self, vehicles: Vehicles, requests: tuple[Request, ...], domain: Domain, of: Any = None, *, tie: int = 1,
        late: Collection[Request] = (), addressed: Array | None = None, ids: Array | None = None,
    ) -> None:  # fmt: skip
        for request in requests:
            check(request if isinstance(request, NeighborSum) else request.as_sum)
        same = of is None or of is vehicles
        self._late = frozenset(late)
        self._addressed = vehicles.id if addressed is None else addressed
        self._own: list[OwnNumbers] = []
        self._vehicles, self._same, self._tie = vehicles, same, tie
        self._ids = vehicles.columns.id if ids is None else ids
        self._wrap = domain.wrap(vehicles.dimensions, vehicles.dtype)
        self._source = Source(vehicles, None if same else of)
        self.sums: dict[NeighborSum, Sum] = {}
        self.lists: dict[NeighborList, Listing] = {}
        self.cells: dict[NeighborCells, Surrounding] = {}
        self._arrangements: list[Arrangement] = []
        self._cell_arrangements: list[Arrangement] = []
        self._runners: list[Runner] = []
        self.late: list[tuple[Runner, list[Request]]] = []
        self._counts = self._fitted = (len(vehicles), *self._source.counts)
        self._storages = [(each, each.storage) for each in (vehicles, *self._source.populations)]
        unique = tuple(dict.fromkeys(requests))
        self._widest = [(each, largest(each)) for request in unique for each in live_columns(request)]
        self._reach = self._longest() if any(map(is_about_bodies, unique)) else math.inf
        for group, reach in self._groups(unique):
            self._arrange(group, reach)

    def _groups(self, requests: Sequence[Request]) -> Iterator[tuple[Sequence[Request], float]]:
        """The requests in groups that share a grid, each with the length to add to its radii [m].

        Pushes of bodies of length have a grid each: the middles of two bodies may be farther apart than the radius.
        """
        cells = [each for each in requests if isinstance(each, NeighborCells)]
        searched = [each for each in requests if not isinstance(each, NeighborCells)]
        around = [each for each in searched if each.k is None]
        if 0 < self._reach < math.inf:
            yield from (([each], self._reach) for each in around if is_about_bodies(each))
            around = [each for each in around if not is_about_bodies(each)]
        nearest = [each for each in searched if each.k is not None]
        for group in (*by_finite_radius(around), nearest, *by_finite_radius(cells)):
            if group:
                yield group, 0.0

    @property
    def lasts(self) -> bool:
        """Whether the pass is still valid: the candidates are vehicles, in the same arrays, and no reach has grown."""
        same = all(vehicles.storage is storage for vehicles, storage in self._storages)
        return self._source.moves and same and self._longest() <= self._reach and not self._is_wider()

    def _is_wider(self) -> bool:
        """Whether a column of radii holds a larger radius than the cells were made for."""
        return any(largest(each) > most for each, most in self._widest)

    def _longest(self) -> float:
        """The largest possible difference between the distance of the middles of two bodies and that of their axes [m]."""
        if not self._source.moves:
            return longest(self._vehicles)
        return longest(self._vehicles) + max(map(longest, self._source.populations), default=0.0)

    def fit(self) -> None:
        """Adapt to the present numbers of watchers and candidates. To be called when vehicles have come or gone."""
        self._source.fit()
        self._counts = (len(self._vehicles), *self._source.counts)
        for numbers in self._own:
            numbers.fit()

    def _own_numbers(
        self, arrangement: Arrangement, places: Mapping[int, NeighborSum], capacity: int = 1
    ) -> tuple[Array, ...]:
        """The argument `own` of kernels (see `sums.own_numbers`): an empty tuple unless a request has numbers per vehicle.

        Args:
            arrangement: The cells.
            places: Place -> request (see `OwnNumbers`).
            capacity: The number of places.
        """
        if not any(is_each_own(each) for each in places.values()):
            return ()
        own = OwnNumbers(places, self._vehicles, self._addressed, capacity)
        self._own.append(own)
        return arrangement.in_order(own.near), own.rare

    def _fit(self) -> None:
        """Cut arrays to the present numbers of vehicles, where these have changed."""
        if self._counts == self._fitted:
            return
        for arrangement in self._arrangements:
            arrangement.fit()
        for runner in self._runners:
            runner.fit()
        self._fitted = self._counts

    def build(self) -> None:
        """Sort watchers and candidates into cells. To be called once a step, before `run`.

        Raises:
            ValueError: There are more or fewer points than before.
        """
        self._refresh()
        go_through(self.build_stages(1))

    def run(self, workers: int = 1) -> None:
        """Compute sums and lists, in the shares of `workers` workers one after the other. The bits do not depend on these."""
        go_through([*self.run_stages(workers), self.column_stage(workers)])

    def look(self) -> None:
        """Do the first half of `run`, for callers that then make the `column_calls`."""
        go_through(self.run_stages(1))

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of watchers, and of the candidates of each population, that stages are made for."""
        return self._counts

    @property
    def arrangements(self) -> Sequence[Arrangement]:
        """The vehicles in the order of cells, for each grid."""
        return self._arrangements

    @property
    def wrap(self) -> Array:
        """The space, see `Domain.wrap`."""
        return self._wrap

    @property
    def runners(self) -> "Sequence[Runner]":
        """All searches."""
        return self._runners

    @property
    def reads_points(self) -> bool:
        """Whether the candidates are not vehicles but bare points, which are read from their owner."""
        return not self._source.moves

    @property
    def joined(self) -> Joined | None:
        """The candidates, if they are several populations: to be refreshed before the pass is built in stages."""
        return self._source.joined

    @property
    def _early(self) -> "list[Runner]":
        return [runner for runner in self._runners if not runner.row_flags.size]

    def _is_early(self, arrangement: Arrangement) -> bool:
        return arrangement in self._cell_arrangements or any(
            runner.arrangement is arrangement for runner in self._early
        )

    def _refresh(self) -> None:
        """Copy anew all that is copied: columns and points of the candidates, and columns of numbers of the watchers."""
        self._source.refresh()
        for own in self._own:
            if own.reads_columns:
                own.refresh()

    def _refresh_stages(self) -> list[Stage]:
        reads = self._source.copies or any(own.reads_columns for own in self._own)
        return [[[bind(self._refresh)]]] if reads else []

    def build_stages(self, workers: int) -> list[Stage]:
        """What `build` does, as stages of shares."""
        self._fit()
        needed = [each for each in self._arrangements if self._is_early(each)]
        refresh = self._refresh_stages() if needed else []
        return refresh + [stage for arrangement in needed for stage in arrangement.stages(workers)]

    def late_build_stages(self, search: "Runner", workers: int) -> list[Stage]:
        """The stages that build the grid of a deferred search, unless `build` does it."""
        self._fit()
        if self._is_early(search.arrangement):
            return []
        return self._refresh_stages() + search.arrangement.stages(workers)

    def run_stages(self, workers: int) -> list[Stage]:
        """The first half of `run`, which writes lists, and lines of sums. The bits do not depend on the number of workers."""
        self._fit()
        if not self._early:
            return []
        return [[[runner.call(worker, workers) for runner in self._early] for worker in range(workers)]]

    def column_calls(self) -> list[Call]:
        """The second half of `run`: calls that copy the sums from lines to columns."""
        return [call for runner in self._early for call in runner.column_calls]

    def column_stage(self, workers: int) -> Stage:
        """The second half of `run`, as a stage of shares of rows."""
        cuts = [worker * len(self._vehicles) // workers for worker in range(workers + 1)]
        calls = [call.bound() for call in self.column_calls()]
        return [[each.at(*rows) for each in calls] for rows in pairwise(cuts)]

    def _sums_of(self, lines: Array, requests: Mapping[int, NeighborSum]) -> Call:
        """The call that copies sums from lines to columns, which are made here.

        Args:
            lines: The lines, shape (capacity, WIDTH).
            requests: The first column of its sum in the lines -> request.
        """
        to = {column: tuple(np.zeros((self._wrap.shape[1] + 1, len(lines)), lines.dtype)) for column in requests}
        self.sums |= {request: Sum(to[column][:-1], to[column][-1]) for column, request in requests.items()}
        kinds = (to.get(column, ()) for column in (REPULSION, OFFSET, CARRY))
        return Call(to_columns, (lines, *kinds))

    def _add(self, runner: "Runner", requests: Sequence[Request]) -> None:
        self._runners.append(runner)
        if runner.row_flags.size:
            self.late.append((runner, list(requests)))

    def _flags(self, requests: Iterable[Request]) -> Array:
        """Flags of the rows that ask, if all of these requests are deferred; else an empty array: all rows ask."""
        return np.zeros(max(self._vehicles.capacity, 1) if self._late.issuperset(requests) else 0, np.uint8)

    def _arrange(self, requests: Sequence[Request], reach: float) -> None:
        """Make a grid for a group of requests (see `_groups`), and the runners that search it."""
        nearest = not isinstance(requests[0], NeighborCells) and requests[0].k is not None
        radius = max(largest(request.radius) for request in requests) + reach
        images = nearest or needs_images(self._wrap, radius)

        def cells(m: int) -> int:
            """The largest number of cells for m candidates."""
            few = m <= FEW and (images or not self._wrap.any())
            return 1 if few or not (nearest or math.isfinite(radius)) else 2 * m + 64

        sums = [request for request in requests if isinstance(request, NeighborSum)]
        payload = tuple(name for name in CARRIED if any(request.quantity == name for request in sums))
        arrangement = Arrangement(
            self._vehicles,
            self._source,
            same=self._same,
            ids=self._ids,
            wrap=self._wrap,
            radius=radius,
            by_density=nearest,
            cells=cells,
            payload=payload,
            turned=any(not isinstance(each, NeighborCells) and not sees_all_around(each) for each in requests),
            tie=self._tie,
        )
        self._arrangements.append(arrangement)
        if reach:
            self._add(self._body_runner(arrangement, requests[0]), requests)  # type: ignore[arg-type]
            return
        if isinstance(requests[0], NeighborCells):
            self._add_cells(arrangement, requests, images)
            return
        if not nearest:
            self._add(self._sweep_runner(arrangement, sums, payload, images), sums)
            return
        for request in requests:
            make = self._nearest_sum_runner if isinstance(request, NeighborSum) else self._nearest_list_runner
            self._add(make(arrangement, request), [request])  # type: ignore[arg-type]

    def _sweep_runner(
        self, arrangement: Arrangement, requests: Sequence[NeighborSum], payload: Sequence[str], images: bool
    ) -> "Runner":
        """The runner that computes all sums over all neighbors within a radius."""
        dtype = self._wrap.dtype
        kinds = {
            REPULSION: [request for request in requests if request.quantity == "repulsion"],
            OFFSET: [request for request in requests if request.quantity == "offset"],
            CARRY: [request for request in requests if request.quantity in CARRIED],
        }
        sets = max(len(kind) for kind in kinds.values())
        tables = [table(kind, sets, dtype) for kind in kinds.values()]
        repeats = [form_of(kinds[REPULSION]), 1, 1]
        slots = [
            (numbers,) * times if kind else ()
            for numbers, times, kind in zip(tables, repeats, kinds.values(), strict=True)
        ]
        used = [kind for kind in kinds.values() if kind]
        places = {k * sets + s: each for k, kind in enumerate(used) for s, each in enumerate(kind)}
        own = self._own_numbers(arrangement, places, sets * len(used))
        which = np.zeros(sets, np.int64)
        which[: len(kinds[CARRY])] = [payload.index(request.quantity) for request in kinds[CARRY]]
        block, row_flags = aligned((sets, self._vehicles.capacity, WIDTH), dtype), self._flags(requests)
        columns = [
            self._sums_of(block[s], {column: kind[s] for column, kind in kinds.items() if s < len(kind)})
            for s in range(sets)
        ]
        tiny2 = max(Slot(*numbers.T).tiny2.max() for numbers in tables)
        limits = named_numbers(
            SweepLimits, dtype, tiny2=tiny2, crowd=float(HIDDEN * (0.5 if self._source.first < 0 else 1.5))
        )
        period = (self._wrap,) if images else ()

        def arguments(buffer: Buffer) -> tuple[Any, ...]:
            return (
                *(arrangement.arranged, arrangement.ahead, buffer, block),
                *(period, *slots, which, limits, row_flags, own),
            )

        number = (len(kinds[REPULSION]), len(kinds[OFFSET]), len(kinds[CARRY]))
        carried = tuple(request.quantity for request in kinds[CARRY])
        radius, turned = max(largest(request.radius) for request in requests), arrangement.turned
        parts = SweepParts(block, slots[0], slots[1], slots[2], number, carried, radius, limits.tiny2, turned)
        return Runner(sweep, lambda: arrangement.buffer(sets), arguments, arrangement, row_flags, columns, parts)

    def _add_cells(self, arrangement: Arrangement, requests: Sequence[Any], images: bool) -> None:
        """Make the cells of an arrangement available as `cells`."""
        cell, start, row, position = arrangement.whole
        first = np.array([self._source.first]) if self._source.segment is None else self._source.segment
        cells = Cells(arrangement.grid, cell, start, row, position, self._ids, self._source.id, self._tie, first)
        points = () if self._source.moves else self._source.columns("position")
        self.cells |= dict.fromkeys(requests, Surrounding(cells, (self._wrap,) if images else (), points))
        self._cell_arrangements.append(arrangement)

    def _nearest_sum_runner(self, arrangement: Arrangement, request: NeighborSum) -> "Runner":
        """The runner that computes one sum over the k nearest."""
        assert request.k is not None
        dtype, k = self._wrap.dtype, most(request.k, self._source)
        block, row_flags = aligned((1, self._vehicles.capacity, 4), dtype), self._flags([request])
        columns = [self._sums_of(block[0], {0: request})]
        slot, own = table([request], 1, dtype), self._own_numbers(arrangement, {0: request})
        pushes = request.quantity == "repulsion"
        form, axes = ((slot,) * form_of([request]), self._axes()) if pushes else ((), ())

        def arguments(best: Best) -> tuple[Any, ...]:
            terms = Terms(form, arrangement.payload.get(request.quantity, ()), axes)
            return (*self._searched(arrangement, slot), best, (), terms, block, (), row_flags, own)

        return Runner(search_all, lambda: best_of(k, dtype), arguments, arrangement, row_flags, columns)

    def _searched(self, arrangement: Arrangement, slot: Array) -> tuple[Searched, Columns]:
        """The arguments of a search about the cells and the vehicles in them."""
        return Searched(arrangement.arranged, self._wrap, slot), arrangement.ahead

    def _axes(self) -> tuple[Any, ...]:
        """The columns of both populations and the lengths of their bodies; empty where no body is longer than wide."""
        if not 0 < self._reach < math.inf or not self._source.moves:
            return ()
        of = self._source.of
        if self._source.joined is not None:
            self._source.joined.need("forward", "radius", "length")
        return (self._vehicles.columns, of.columns, (self._vehicles.body_lengths, of.body_lengths))

    def _body_runner(self, arrangement: Arrangement, request: NeighborSum) -> "Runner":
        """The runner that computes one sum of pushes of bodies of length."""
        dtype = self._wrap.dtype
        block, row_flags = aligned((1, self._vehicles.capacity, 4), dtype), self._flags([request])
        columns = [self._sums_of(block[0], {0: request})]
        slot, own = table([request], 1, dtype), self._own_numbers(arrangement, {0: request})
        terms = Terms((slot,) * form_of([request]), (), self._axes())

        def arguments(runs: Array) -> tuple[Any, ...]:
            return (*self._searched(arrangement, slot), (), (runs,), terms, block, (), row_flags, own)

        return Runner(search_all, lambda: np.zeros((27, 2), np.int64), arguments, arrangement, row_flags, columns)

    def _nearest_list_runner(self, arrangement: Arrangement, request: NeighborList) -> "Runner":
        """The runner that writes one list of the k nearest."""
        dtype, n, k = self._wrap.dtype, self._vehicles.capacity, most(request.k, self._source)
        listing = Listing(np.full((n, k), -1, np.int32), np.zeros(n, np.int32))
        self.lists[request], row_flags = listing, self._flags([request])
        slot, own = table([request.as_sum], 1, dtype), self._own_numbers(arrangement, {0: request.as_sum})

        def arguments(best: Best) -> tuple[Any, ...]:
            return (*self._searched(arrangement, slot), best, (), (), (), (listing,), row_flags, own)

        return Runner(search_all, lambda: best_of(k, dtype), arguments, arrangement, row_flags)


def most(k: int, source: Source) -> int:
    """The largest possible number of neighbors among the k nearest; at least one, so that arrays are not empty."""
    return max(1, min(k, source.capacity))


def by_finite_radius(requests: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The requests with a finite radius, and those with an infinite one."""
    finite = [each for each in requests if math.isfinite(largest(each.radius))]
    return finite, [each for each in requests if not math.isfinite(largest(each.radius))]


def is_about_bodies(request: Request) -> bool:
    """Whether the lengths of bodies count: in pushes, and for laws that look at neighbors one by one."""
    if isinstance(request, NeighborSum):
        return request.quantity == "repulsion"
    return isinstance(request, NeighborList)


def live_columns(request: Request) -> Iterable[LiveColumn]:
    """The columns that the radius of a request is read from; cells are made for the largest radius."""
    return (each for name, each in several_of(request).items() if name == "radius" and isinstance(each, LiveColumn))


def best_of(k: int, dtype: Any) -> Best:
    """Scratch for the search for the k nearest."""
    return Best(np.zeros(k, dtype), np.zeros(k, np.int64), np.zeros(k, np.int64))


class Runner:
    """One search: a kernel with its arguments for every worker, scratch included.

    Args:
        kernel: Called as `kernel(worker, workers, *arguments)`.
        scratch: Makes the scratch arrays of a worker.
        arguments: Makes the arguments from the scratch, for the present numbers of vehicles.
        arrangement: The cells in which it searches.
        row_flags: The flags of the rows that ask, shape (capacity,), uint8, for a deferred search; else empty.
        column_calls: The calls that then copy the sums to columns.
        parts: The parts of a sweep; None for other searches.
    """

    def __init__(
        self, kernel: Any, scratch: Callable[[], Any], arguments: Callable[[Any], tuple[Any, ...]],
        arrangement: Arrangement, row_flags: Array, column_calls: Sequence[Call] = (),
        parts: SweepParts | None = None,
    ) -> None:  # fmt: skip
        self._scratch, self._arguments = scratch, arguments
        self.arrangement, self.row_flags, self.column_calls, self.parts = arrangement, row_flags, column_calls, parts
        self._scratch_of = {0: scratch()}
        self.fit()
        self._entry = entry_point(kernel, (0, 1, *self._bound[0]))

    def fit(self) -> None:
        """Adapt to the present numbers of vehicles."""
        self._bound = {worker: self._arguments(scratch) for worker, scratch in self._scratch_of.items()}

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of the kernel for the first worker, after `worker` and `workers`."""
        return self._bound[0]

    def call(self, worker: int, workers: int) -> Bound:
        """The machine code, and its arguments for a worker."""
        if worker not in self._bound:
            self._scratch_of[worker] = self._scratch()
            self._bound[worker] = self._arguments(self._scratch_of[worker])
        return bind(self._entry, (worker, workers, *self._bound[worker]))


@row_kernel
def to_columns(i: int, lines: Array, repulsion: Columns, offset: Columns, carry: Columns) -> None:
    """Copy sums from lines to columns: components and count of each kind, () for a kind not wanted."""
    take(lines, i, REPULSION, repulsion)
    take(lines, i, OFFSET, offset)
    take(lines, i, CARRY, carry)


@kernel
def take(lines: Array, i: int, column: int, to: Columns) -> None:
    """Copy one sum of row i, which begins at a column of its line, to columns."""
    if len(to) > 0:
        to[0][i], to[1][i], to[2][i] = lines[i, column], lines[i, column + 1], lines[i, column + 2]
    if len(to) > 3:
        to[3][i] = lines[i, column + 3]


def check(request: NeighborSum) -> None:
    """Raise ValueError when a request is invalid."""
    quantities: Iterable[str] = ("offset", "repulsion", *CARRIED)
    if request.quantity not in quantities:
        raise ValueError(f"quantity must be one of {', '.join(quantities)}, got {brief(request.quantity)}")
    if request.k is not None and request.k < 1:
        raise ValueError(f"k must be >= 1, got {request.k}")
    for name, unit, good in (
        ("radius", "> 0 m", smallest(request.radius) > 0),
        ("angle", ">= 0 rad", smallest(request.angle) >= 0),
        ("inner_radius", ">= 0 m", smallest(request.inner_radius) >= 0),
        ("falloff", "a finite number >= 0", 0 <= request.falloff < math.inf),
        ("limit", ">= 0", smallest(request.limit) >= 0),
    ):
        if not good:
            raise ValueError(f"{name} must be {unit}, got {getattr(request, name)}")
