"""Many small worlds, stepped together: each has the bits that it has alone."""

import copy
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import has_programs
from steersman.core.kernels.thread_count import thread_count
from steersman.core.maths.random import key_of
from steersman.core.parameters.arrays import as_array, as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array
from steersman.core.vehicles.columns import by_name
from steersman.core.world.clock import check_dt, check_seed, check_steps, steps_to_run
from steersman.core.world.guard import LONG, NonFiniteError
from steersman.core.world.many.comparing import (
    address_of,
    changing,
    differing,
    leaves_of,
    mismatch,
    other_number,
    same_parts,
)
from steersman.core.world.many.slot import Batch, Layout, Slot
from steersman.core.world.many.supported import check_calls, check_supported
from steersman.core.world.section import SHARES, Section
from steersman.core.world.world import World


class Constant(NamedTuple):
    """An array that steps read, in which worlds may differ.

    Attributes:
        leaf: Its number among the leaves of a plan.
        key: If the array is the key of random numbers, their population and node; else None.
    """

    leaf: int
    key: tuple[str, int] | None


class ManyVehicles(Shown):
    """A population of every world: its columns are live arrays with the world first.

    `position`, `velocity`, `forward` (and `up` in 3D) have shape (n, k, d), `angular_velocity` (n, k, 1) or (n, k, 3), and
    `mass`, `radius`, `max_speed` and the other numbers of `Vehicles` (n, k), for n worlds of k vehicles. They may be read and
    written between steps.

    Args:
        name: Its name.
        block: The columns of all worlds, shape (n, columns, capacity).
        dimensions: The number of dimensions.
        id: The ids of the vehicles, shape (k,), the same in every world.
    """

    __slots__ = ("_columns", "id", "name")

    def __init__(self, name: str, block: Array, dimensions: int, id: Array) -> None:
        present = by_name(block[..., : len(id)], dimensions)
        columns = {each: column if column.ndim == 2 else column.transpose(0, 2, 1) for each, column in present.items()}
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "_columns", columns)

    def __len__(self) -> int:
        return len(self._columns["position"])

    def __repr__(self) -> str:
        n, k, d = self._columns["position"].shape
        return f"ManyVehicles({self.name!r}: {n} worlds of {k} vehicles, dimensions={d})"

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(f"there is no column {name!r}; there are: {', '.join(self._columns)}")
        return self._columns[name][...]

    def __setattr__(self, name: str, value: Any) -> None:
        column = getattr(self, name)
        values = as_floats(name, value, column.dtype)
        try:
            column[...] = values
        except ValueError:
            raise ValueError(f"{name} must fit into shape {column.shape}, got {values.shape}") from None


class Worlds(Shown):
    """Many small worlds of the same parts, stepped together. Each has the bits that it has when stepped alone.

        def make(seed):
            world = sm.World(domain=sm.Torus((40, 40)), seed=seed)
            rng = np.random.default_rng(seed)
            world.add(sm.Vehicles(rng.uniform(0, 40, (20, 2)), max_speed=3), steering=sm.Flocking() + 0.5 * sm.Wander())
            return world

        worlds = sm.Worlds(make, 1000)
        worlds.run(steps=600)
        worlds.position  # (1000, 20, 2), live

    Worlds have their own columns, memory, seed and clock; and they may have their own obstacles, paths, sizes of a torus or
    box, and numbers per vehicle, where these come to as many numbers in every world. The trees, bodies and constraints are
    the same, as are the numbers of vehicles and their ids. Parts that ask Python during a step are refused by name:
    behaviors and conditions in NumPy, functions, flows, observers.

    Args:
        make: Called with each seed; gives a World.
        n: The number of worlds; their seeds are then 0, 1, ... Or the seeds themselves.
        threads: The number of threads; no result depends on it. Default: as for World.

    Attributes:
        seeds: The seed of each world, shape (n,), int64; `reset` and `reseed` change it.
        steps: Steps of each world since its start, shape (n,), uint64, live.
        time: Time of each world since its start [s], shape (n,), live.

    Raises:
        TypeError: `make` gives no World.
        ValueError: There is no world, a world has other parts than the first, or parts that ask Python.
    """

    def __init__(
        self, make: Callable[[int], World], n: int | Sequence[int] | Array, *, threads: int | None = None
    ) -> None:
        self._make = make
        array = as_array("n", n)
        if array.ndim > 1 or array.dtype.kind not in "iu":
            raise TypeError(f"n must be the number of worlds, or their seeds, whole numbers, got {brief(n)}")
        if not callable(make):
            raise TypeError(f"make must be a function that makes the World of a seed, got {brief(make)}")
        seeds = (
            range(check_steps(n, "n", least=1)) if array.ndim == 0 else [check_seed(each) for each in array.tolist()]
        )
        if len(seeds) == 0:
            raise ValueError("n must be the number of worlds, or their seeds: got none")
        self._threads = thread_count(threads)
        self._worlds = [self._made(each) for each in seeds]
        self._first = first = self._worlds[0]
        check_supported(first)
        self.dt = first.dt
        n = len(seeds)
        self.seeds = np.array([each.seed for each in self._worlds], np.int64)
        self._slots = [Slot(self._alone())]
        slot = self._slots[0]
        if has_programs():
            check_calls(slot.plan)
        self._pattern = [each.copy() if isinstance(each, np.ndarray) else each for each in slot.leaves]
        self._layout = Layout(slot.sizes)
        self._constants: list[Constant] = []
        self._own: dict[int, dict[int, Array]] = {}
        self._batch = Batch(
            self._layout.rows(n), Layout([]).rows(n), np.zeros(n, np.uint64), np.zeros(n),
            np.ones(n, np.uint8), np.zeros(n, np.int64), np.ones(1, np.int64), np.array([self.dt]),
        )  # fmt: skip
        self._start = self._batch.state
        self._keys = self._keys_of_nodes()
        for number, world in enumerate(self._worlds):
            self._take(number, world, self._own_of(number, world))
        self._first = self._alone()  # As it was made, whatever becomes of world 0.
        self._start = self._batch.state.copy()
        self._began = self.seeds.copy(), self._batch.steps.copy(), self._batch.time.copy()
        self._columns = self._views()
        self._arrange(self._own)
        self._set_constants(range(n))

    # ------------------------------------------------------------------------------------------------ making

    def _made(self, seed: int) -> World:
        """A world from `make`."""
        world = self._make(int(seed))
        if not isinstance(world, World):
            raise TypeError(f"make must give a World, got {brief(world)}")
        return world

    def _alone(self) -> World:
        """A copy of the first world for a slot."""
        world = copy.deepcopy(self._first)
        world.threads = 1
        return world

    def _keys_of_nodes(self) -> dict[int, tuple[str, int]]:
        """The leaves that are keys of random numbers, with the population and the node that they are of.

        Raises:
            ValueError: Something else depends on the seed.
        """
        other = self._alone()
        other.seed = self._first.seed + 1
        plan = other._ready()
        leaves = leaves_of(plan)
        varying = differing(self._pattern, leaves, changing(other, plan))
        nodes = [(name, each.key) for name, population in other.populations.items() for each in population.nodes]
        known = {key_of(other.seed, *each).tobytes(): each for each in nodes}
        keys = {} if varying is None else {leaf: known.get(leaves[leaf].tobytes()) for leaf in varying}
        if varying is None or None in keys.values():
            raise ValueError("Worlds cannot step parts whose numbers depend on the seed in ways of their own")
        return {leaf: key for leaf, key in keys.items() if key is not None}

    def _take(self, number: int, world: World, own: dict[int, Array]) -> None:
        """Take the state of a world over, and the constants that are its own."""
        self._own[number] = own
        self.seeds[number] = world.seed
        self._keep(number, world)

    def _own_of(self, number: int, world: World) -> dict[int, Array]:
        """The constants that a world has of its own, in the place of world `number`."""
        first = self._first
        problem = mismatch(first, world)
        own: dict[int, Array] = {}
        if problem is None and world is not first:
            check_supported(world)
            if not same_parts(first, world):
                plan = world._ready()
                leaves = leaves_of(plan)
                varying = differing(self._pattern, leaves, changing(world, plan))
                if varying is None:
                    problem = other_number(first, world)
                else:
                    own = {leaf: leaves[leaf].copy() for leaf in varying if leaf not in self._keys}
                world._plan = None
        if problem is not None:
            raise ValueError(f"worlds that are stepped together must have the same parts: world {number} has {problem}")
        return own

    def _arrange(self, owns: Mapping[int, Mapping[int, Array]]) -> None:
        """Make slots and programs for the constants in which worlds differ, which are to be written next.

        Args:
            owns: The constants that each world has of its own.

        Raises:
            ValueError: There can be none. Nothing has changed.
        """
        leaves = sorted(self._keys.keys() | {leaf for own in owns.values() for leaf in own})
        n = len(self)
        layout = Layout([self._pattern[leaf].nbytes for leaf in leaves])
        batch = self._batch._replace(constants=layout.rows(n))
        if has_programs():
            shares = min(n, 1 if self._threads == 1 else self._threads * SHARES)
            while len(self._slots) < shares:
                self._slots.append(Slot(self._alone()))
            if any(len({address_of(each.leaves[leaf]) for each in self._slots}) < shares for leaf in leaves):
                raise ValueError("Worlds cannot step worlds that share an array in which they differ")
            cuts = [n * k // shares for k in range(shares + 1)]
            programs = [each.program(batch, self._layout, layout, leaves) for each in self._slots[:shares]]
            shared = zip(programs, cuts[:-1], cuts[1:], strict=True)
            self._section = Section([[[program.at(begin, end)] for program, begin, end in shared]], self._threads)
            self._programs, self._told = programs, 0.0
        self._constants = [Constant(leaf, self._keys.get(leaf)) for leaf in leaves]
        self._layout_of_constants, self._batch = layout, batch

    def _set_constants(self, numbers: Iterable[int]) -> None:
        """Write the constants of worlds: the keys of their random numbers, and their own or those of the first world."""
        for number in numbers:
            row, own, seed = self._batch.constants[number], self._own[number], int(self.seeds[number])
            for k, (leaf, key) in enumerate(self._constants):
                constant = own.get(leaf, self._pattern[leaf]) if key is None else key_of(seed, *key)
                self._layout_of_constants.part(row, k)[:] = _bytes(constant)

    def _views(self) -> dict[str, ManyVehicles]:
        """The populations of all worlds."""
        first, views = self._worlds[0], {}
        for k, (name, population) in enumerate(first.populations.items()):
            vehicles = population.vehicles
            block = self._layout.part(self._batch.state, k, vehicles.dtype)
            rows = len(vehicles.block)
            views[name] = ManyVehicles(name, block.reshape(len(self), rows, -1), vehicles.dimensions, vehicles.id)
        return views

    # ------------------------------------------------------------------------------------------------ reading

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        each = ", ".join(f"{name!r}: {len(each.id)} vehicles" for name, each in self._columns.items())
        return f"Worlds({len(self)} of {{{each}}})"

    @property
    def steps(self) -> Array:
        """Steps of each world since its start, shape (n,), uint64, live."""
        return self._batch.steps[:]

    @property
    def time(self) -> Array:
        """Time of each world since its start [s], shape (n,), live."""
        return self._batch.time[:]

    @property
    def populations(self) -> dict[str, ManyVehicles]:
        """The populations by name, each with the vehicles of all worlds."""
        return dict(self._columns)

    @property
    def vehicles(self) -> ManyVehicles:
        """The vehicles of all worlds, where these have one population.

        Raises:
            ValueError: They have several.
        """
        if len(self._columns) > 1:
            raise ValueError(f"there are several populations: {', '.join(self._columns)}; ask for worlds[name]")
        return next(iter(self._columns.values()))

    @property
    def position(self) -> Array:
        """Positions [m], shape (n, k, d), live, where worlds have one population."""
        return self.vehicles.position

    @property
    def velocity(self) -> Array:
        """Velocities [m/s], shape (n, k, d), live, where worlds have one population."""
        return self.vehicles.velocity

    def __getitem__(self, which: Any) -> Any:
        """The vehicles of a population in all worlds, by its name; or one world alone, by its number.

        The world is brought up to date when it is asked for, not later; changes to it count from
        `worlds[number] = world`.

        Raises:
            KeyError, IndexError: There is none.
        """
        if isinstance(which, str):
            if which not in self._columns:
                raise KeyError(f"no population is called {brief(which)}; there are: {', '.join(self._columns)}")
            return self._columns[which]
        return self._up_to_date(self._number(which))

    def __setitem__(self, which: int, world: World) -> None:
        """Replace one of the worlds by another one of the same parts, state, seed and clock included.

        `reset` then begins it as it is now. The world from `worlds[number]`, changed and put back, keeps its beginning.

        Raises:
            ValueError: It has other parts.
        """
        number = self._number(which)
        if not isinstance(world, World):
            raise TypeError(f"worlds take a World, got {brief(world)}")
        self._replace({number: world}, {number: self._own_of(number, world)})

    def _replace(self, worlds: Mapping[int, World], owns: Mapping[int, dict[int, Array]]) -> None:
        """Replace worlds by other ones, which have these constants of their own: all of them or none.

        Raises:
            ValueError: They cannot be stepped together.
        """
        whole = {**self._own, **owns}
        another = not {leaf for own in owns.values() for leaf in own} <= {each.leaf for each in self._constants}
        if another:
            self._arrange(whole)
        for number, world in worlds.items():
            self._take(number, world, owns[number])
            if world is not self._worlds[number]:
                self._start[number] = self._batch.state[number]
                for began, now in zip(self._began, self._clocks, strict=True):
                    began[number] = now[number]
            self._worlds[number] = world
        self._set_constants(whole if another else worlds)

    @property
    def _clocks(self) -> tuple[Array, Array, Array]:
        """Seeds, steps and times of all worlds, live."""
        return self.seeds, self._batch.steps, self._batch.time

    def _number(self, which: Any) -> int:
        number = int(as_array("which", which))
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} worlds, got {brief(which)}")
        return number % len(self)

    def _up_to_date(self, number: int) -> World:
        """A world with its present state."""
        world = self._worlds[number]
        columns, memory, following = _state(world)
        for to, stored in self._kept(number, [*columns, *memory]):
            to[...] = stored
        for now, after in zip(memory, following, strict=True):
            after[...] = now
        if world.seed != self.seeds[number]:
            world.seed = int(self.seeds[number])
        world.steps, world.time = int(self._batch.steps[number]), float(self._batch.time[number])
        return world

    def memory(self, name: str, which: Any) -> dict[str, Array]:
        """The memory of a behavior in all worlds: a wander angle, a mode, the columns of Orders.

        Args:
            name: The name of the population.
            which: The behavior, as for `World.memory`.

        Returns:
            Column -> its values, live, shape (n, k, ...). They may be written between steps.

        Raises:
            KeyError: There is no such population or behavior, the name is ambiguous, or the behavior has no memory.
        """
        first = self._worlds[0]
        population = first._population(name)
        key = population.node(which).key
        if key not in population.memories:
            raise KeyError(f"{brief(which)} remembers nothing")
        part = itertools.count(len(self._columns))  # Memory lies behind the columns.
        for each in first.populations.values():
            for own in sorted(each.memories):
                parts = [next(part) for _ in each.memories[own].blocks]
                if each is population and own == key:
                    return self._memory_views(each.memories[own].schema(), parts, len(population.vehicles))
        raise AssertionError

    def _memory_views(self, schema: Any, parts: Sequence[int], count: int) -> dict[str, Array]:
        """The columns of a memory in all worlds, which are in one part of a state for each dtype."""
        views = {}
        types = list(dict.fromkeys(dtype for _, dtype in schema.values()))
        for dtype, k in zip(types, parts, strict=True):
            names = [name for name, (_, its) in schema.items() if its == dtype]
            rows = sum(int(np.prod(schema[name][0], dtype=int)) for name in names)
            block = self._layout.part(self._batch.state, k, dtype).reshape(len(self), rows, -1)
            first = 0
            for name in names:
                shape = schema[name][0]
                many = int(np.prod(shape, dtype=int))
                part = block[:, first : first + many, :count]
                views[name] = part[:, 0] if shape == () else np.moveaxis(part, 1, 2)
                first += many
        return {name: views[name] for name in schema}

    # ------------------------------------------------------------------------------------------------ stepping

    @explained
    def step(self, dt: float | None = None, *, only: Any = None) -> None:
        """Make one step of all worlds.

        Args:
            dt: Its length [s]. Default: the worlds'.
            only: The worlds to step: a mask of shape (n,), or numbers. Default: all.

        Raises:
            NonFiniteError, ValueError: As for `World.step`, for one of the worlds, which stays as it was. The others have
                made the step.
        """
        self._go(1, self.dt if dt is None else check_dt(dt), only)

    @explained
    def run(
        self, *, seconds: float | None = None, steps: int | None = None, dt: float | None = None, only: Any = None
    ) -> None:
        """Make several steps of all worlds: each world makes all of them before the next one begins.

        Args:
            seconds: Time to run [s]; rounded to whole steps.
            steps: The number of steps, instead of seconds.
            dt, only: As for `step`.

        Raises:
            ValueError: Not exactly one of seconds and steps is given; or as for `step`.
            NonFiniteError: As for `step`.
        """
        step = self.dt if dt is None else check_dt(dt)
        self._go(steps_to_run(seconds, steps, step), step, only)

    def _go(self, count: int, dt: float, only: Any) -> None:
        batch = self._batch
        batch.goes[:] = 0
        batch.goes[self._rows(only)] = 1
        batch.due[0], batch.dt[0] = count, dt
        if not has_programs() or dt > LONG:
            batch.left[:] = np.where(batch.goes, count, 0)
        else:
            if dt != self._told:
                for slot in self._slots:
                    slot.set_dt(dt)
                self._told = dt
            self._section.run()
        if batch.left.any():
            self._go_alone(dt)

    def _go_alone(self, dt: float) -> None:
        """Make the steps that worlds have not made, world by world, so that errors are those of one world.

        Raises:
            NonFiniteError, ValueError: The first error, with the number of its world.
        """
        errors: list[tuple[int, NonFiniteError | ValueError]] = []
        for number in np.flatnonzero(self._batch.left).tolist():
            world = self._up_to_date(number)
            try:
                for _ in range(self._batch.left[number]):
                    world.step(dt)
            except (NonFiniteError, ValueError) as error:
                errors.append((number, error))
            self._keep(number, world)
        for number, first in errors[:1]:
            more = f" (and {len(errors) - 1} other worlds)" if len(errors) > 1 else ""
            raise type(first)(f"world {number}{more}: {first}") from first

    def _keep(self, number: int, world: World) -> None:
        """Write the state of a world to its row."""
        columns, memory, _ = _state(world)
        for source, stored in self._kept(number, [*columns, *memory]):
            stored[...] = source
        self._batch.steps[number], self._batch.time[number] = world.steps, world.time

    def _kept(self, number: int, arrays: Sequence[Array]) -> list[tuple[Array, Array]]:
        """The arrays of a state of a world, each with the view of the row of this world that has its numbers."""
        parts = [self._layout.part(self._batch.state[number], k, each.dtype) for k, each in enumerate(arrays)]
        return [
            (each, part.reshape(len(each), -1)[:, : each.shape[1]]) for each, part in zip(arrays, parts, strict=True)
        ]

    def _rows(self, which: Any) -> Array:
        """The numbers of worlds, in the order in which they are given; those of a mask, or of all worlds, from 0 up."""
        if which is None:
            return np.arange(len(self))
        chosen = np.atleast_1d(as_array("which", which))
        if chosen.dtype == bool and chosen.shape != (len(self),):
            raise ValueError(f"a mask of worlds must have shape {(len(self),)}, got {chosen.shape}")
        if chosen.dtype != bool and chosen.size and (chosen.min() < -len(self) or chosen.max() >= len(self)):
            raise IndexError(f"there are {len(self)} worlds, got {brief(which)}")
        return np.arange(len(self))[chosen if chosen.size else []]

    @explained
    def reset(self, which: Any = None, *, seeds: Any = None) -> None:
        """Begin some worlds anew, at once; the others go on untouched.

        Args:
            which: A mask of shape (n,), or numbers. Default: all.
            seeds: New seeds of these worlds, of which `make` then makes them. Default: each begins as it began before, with
                the seed that it had then, and so makes the same steps again; `reseed` after that changes the steps alone.

        Raises:
            ValueError: There are more or fewer seeds than worlds, or a new world has other parts.
        """
        rows = self._rows(which)
        if seeds is None:
            self._batch.state[rows] = self._start[rows]
            reseeded = rows[self.seeds[rows] != self._began[0][rows]]
            for began, now in zip(self._began, self._clocks, strict=True):
                now[rows] = began[rows]
            self._set_constants(reseeded.tolist())
            return
        new_seeds = np.atleast_1d(as_array("seeds", seeds))
        if new_seeds.shape != rows.shape:
            raise ValueError(f"seeds must have shape {rows.shape}, one for each world, got {new_seeds.shape}")
        made = [self._made(check_seed(seed)) for seed in new_seeds.tolist()]
        worlds = dict(zip(rows.tolist(), made, strict=True))
        self._replace(worlds, {row: self._own_of(row, world) for row, world in worlds.items()})

    def reseed(self, which: Any, seeds: Any) -> None:
        """Give some worlds other seeds, from which all random numbers come from now on; nothing else changes.

        As with `World.seed`, vehicles stay where they are. `reset` takes back the seeds with which worlds began.

        Args:
            which: A mask of shape (n,), or numbers.
            seeds: Their seeds, one for each of these worlds.

        Raises:
            ValueError: There are more or fewer seeds than worlds.
        """
        rows = self._rows(which)
        new_seeds = np.atleast_1d(as_array("seeds", seeds))
        if new_seeds.shape != rows.shape:
            raise ValueError(f"seeds must have shape {rows.shape}, one for each world, got {new_seeds.shape}")
        self.seeds[rows] = [check_seed(each) for each in new_seeds.tolist()]
        self._set_constants(rows.tolist())


def _state(world: World) -> tuple[list[Array], list[Array], list[Array]]:
    """The columns, the memory and the next memory of a world, arrays of shape (columns, k)."""
    columns, memory, following = [], [], []
    for population in world.populations.values():
        population.keep_up()
        n = len(population.vehicles)
        columns.append(population.vehicles.block)
        for key in sorted(population.memories):
            for now, after in population.memories[key].blocks:
                memory.append(now[:, :n])
                following.append(after[:, :n])
    return columns, memory, following


def _bytes(array: Array) -> Array:
    return np.frombuffer(array.tobytes(), np.uint8)
