"""A world that several processes step together: each owns the vehicles in a block of space, and has the bits of one process.

A step is made in every process, with the vehicles that it owns and those around its block. Then

    positions of owned vehicles                      -> bounds of all vehicles, which lay out the cells of the next step
    have vehicles come near, that are not held?      -> vehicles are dealt out anew: some change their owner
    otherwise                                        -> vehicles around the blocks are written as their owners have them

A process holds all vehicles in the cells around those that it owns, and some meters more, so that they are dealt out anew
only after several steps. The cells are those of one process, and rows are in the order of births; so sums over neighbors have
the same terms in the same order. Vehicles around the block are steered, too, with too few neighbors; that is discarded.
"""

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core.kernels.thread_count import thread_count
from steersman.core.maths.random import key_of
from steersman.core.neighborhood.arrangement import Arrangement
from steersman.core.neighborhood.grid import INVERSE
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.kinds import FLAG, Description, as_number
from steersman.core.typing import Array
from steersman.core.vehicles.columns import by_name
from steersman.core.vehicles.share import Share
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.clock import check_dt, steps_to_run
from steersman.core.world.flows.flow import Moment
from steersman.core.world.flows.sink import Sink
from steersman.core.world.flows.spawner import Spawner
from steersman.core.world.observers import Trigger
from steersman.core.world.state_hash import state_hash
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.world import World
from steersman.scaling.blocks import Blocks, shape_of
from steersman.scaling.link import Link, link_of
from steersman.scaling.part import Part, Rows, joined
from steersman.scaling.supported import check_plan, check_supported, named_by
from steersman.scaling.surveying import survey

if TYPE_CHECKING:
    from os import PathLike

SKIN = 0.5
"""How much farther than needed vehicles are held, as a part of it: then they are dealt out anew less often."""

CELLS = 2.0
"""How far from a vehicle others decide on its sums, in cells: it may stand at the rim of its own, and next is one more."""

BALANCE = 50
"""Blocks are made anew when vehicles have been dealt out so often."""

SAMPLE = 20_000
"""The most vehicles of a process whose places decide on the blocks."""


class SplitWorld(metaclass=Explained):
    """One world that several processes step together; its bits are those of one process. `split_world` makes it.

    Args:
        world: The world, the same in every process.
        link: The messages between the processes.
        slices: Whether to cut space along the first axis alone.
        threads: The number of threads of each process.
        skin: How much more than needed is held around a block, as a part of it.

    Raises:
        ValueError: The world has parts that cannot be split.

    Attributes:
        rank: The number of this process, from 0.
        ranks: The number of processes.
        time: Time since the start [s].
        steps: Steps since the start.
        dealt: How often vehicles were dealt out to the processes.
    """

    def __init__(self, world: World, link: Link, slices: bool, threads: int, skin: float) -> None:
        if not isinstance(world, World):
            raise TypeError(f"world must be a World, got {brief(world)}")
        if not isinstance(link, Link):
            raise TypeError(f"link must be a Link, such as MPILink(), got {brief(link)}")
        skin = as_number("skin", skin, low=0.0)
        slices = bool(Description("slices", FLAG).normal(slices))
        threads = thread_count(threads)
        check_supported(world)
        self._link, self.rank, self.ranks = link, link.rank, link.ranks
        own = self._own = world.bare()
        own.threads = threads
        check_plan(own._ready())
        self._whole = world if self.rank == 0 else None
        self._flowing = {name: each.flows for name, each in world.populations.items() if each.flows}
        self._fresh, self.dealt, self._skin = True, 0, skin
        self._triggers: list[Trigger] = []
        self._parts = {name: Part(each, self.rank) for name, each in own.populations.items()}
        self._by_vehicles = {id(each.vehicles): name for name, each in own.populations.items()}
        self._named = {
            self._by_vehicles[id(each)] for population in own.populations.values() for each in named_by(population)
        }
        d = next(iter(self._parts.values())).population.vehicles.dimensions
        self._period = np.zeros(3)
        self._period[:d] = own.domain.wrap(d, np.float64)[0]
        self._slices = slices
        self._held: dict[str, Array] = {}
        self._blocks = self._balanced()
        for part in self._parts.values():
            points = part.population.vehicles.position
            part.owned = np.flatnonzero(self._blocks.owners(points) == self.rank)
            part.places = part.positions()
        self._exchange(deal=True, due=False)

    def __repr__(self) -> str:
        return f"SplitWorld(process {self.rank} of {self.ranks}, time={self.time:g} s)"

    @property
    def time(self) -> float:
        """Time since the start [s]."""
        return self._own.time

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return self._own.steps

    @property
    def owned(self) -> dict[str, int]:
        """The number of vehicles that this process owns, by population."""
        return {name: len(part.owned) for name, part in self._parts.items()}

    @property
    def held(self) -> dict[str, int]:
        """The number of vehicles that this process holds, by population."""
        return {name: len(part.population.vehicles) for name, part in self._parts.items()}

    # ------------------------------------------------------------------------------------------------ stepping

    @explained
    def step(self, dt: float | None = None) -> None:
        """Make one step, as `World.step` does; all processes have to call it.

        An error in one process ends all of them: the others would wait for it for ever.

        Args:
            dt: Its length [s]. Default: the world's.
        """
        length = self._own.dt if dt is None else check_dt(dt)
        try:
            self._make(length)
        except BaseException as error:
            self._link.fail(error)

    @explained
    def run(self, *, seconds: float | None = None, steps: int | None = None) -> None:
        """Make many steps, as `World.run` does; all processes have to call it.

        Args:
            seconds: Time to run [s]; rounded to whole steps.
            steps: The number of steps, instead of seconds.
        """
        for _ in range(steps_to_run(seconds, steps, self._own.dt)):
            self.step()

    def _make(self, dt: float) -> None:
        own, whole = self._own, self._whole
        own.step(dt)
        self._fresh = False
        due = False
        if whole is not None:
            whole.time, whole.steps = own.time, own.steps
            triggers = [*(when for _, when in whole.observers), *self._triggers]
            due = any(when.due(own.steps, own.time, dt) for when in triggers)
        changed = bool(self._flowing) and self._flow(dt)
        if self._exchange(deal=changed, due=due):
            self._collect()
            if whole is not None:
                whole._observers.notify(whole, dt)

    # ------------------------------------------------------------------------------------------------ exchange

    def _exchange(self, *, deal: bool, due: bool) -> bool:
        """Bring the vehicles around the block up to date, or deal out anew; return whether any process says `due`."""
        moved, bounds, any_due = self._surveyed(due)
        plan = self._own._ready()
        needed = self._reaches(plan, bounds)
        if deal or any(((each > 0) & (each + 2 * moved > self._held[name])).any() for name, each in needed.items()):
            self._deal(needed)
            plan = self._own._ready()
        else:
            self._refresh()
        for arrangement in _arrangements(plan):
            if not arrangement.grows_with_density:
                arrangement.grid.bounds[:] = self._bounds_of(arrangement.parties, bounds)
        return any_due

    def _surveyed(self, due: bool) -> tuple[Array, dict[str, Array], bool]:
        """How far vehicles have moved since they were dealt out, their bounds, and whether any process says `due`.

        Returns:
            The farthest way along each axis [m], shape (3,); the lowest and highest coordinates of each population [m],
            shape (2, 3); and the answer.
        """
        extremes = np.full((1 + len(self._parts), 3, 3), -np.inf)
        extremes[0, 0], extremes[0, 1, 0] = 0.0, due
        for part, own in zip(self._parts.values(), extremes[1:], strict=True):
            own[0] = 0.0
            survey(part.population.vehicles.columns.position, part.owned, part.places, self._period, own)
        most = self._link.most(extremes)
        bounds = {name: np.stack([-own[1], own[2]]) for name, own in zip(self._parts, most[1:], strict=True)}
        return most[1:, 0].max(axis=0), bounds, bool(most[0, 1, 0])

    def _bounds_of(self, parties: tuple[Vehicles, Any], bounds: dict[str, Array]) -> Array:
        """The bounds of watchers and candidates together [m], shape (2, 3)."""
        watchers, source = parties
        names = {self._by_vehicles[id(each)] for each in (watchers, *source.populations)}
        every = np.stack([bounds[name] for name in names])
        return np.stack([every[:, 0].min(axis=0), every[:, 1].max(axis=0)])

    def _reaches(self, plan: StepPlan, bounds: dict[str, Array]) -> dict[str, Array]:
        """How far around its block a process must hold the vehicles of each population [m], shape (3,)."""
        reaches = {name: np.full(3, math.inf if name in self._named else 0.0) for name in self._parts}
        for arrangement in _arrangements(plan):
            source = arrangement.parties[1]
            if not source.moves:
                continue
            if arrangement.grows_with_density:
                reach = np.full(3, arrangement.radius)
            else:
                grid = arrangement.laid_out(self._bounds_of(arrangement.parties, bounds))
                folded = (grid.wraps != 0) & (grid.shift == 0)  # Cells far apart are one: see `grid.py`.
                with np.errstate(divide="ignore"):
                    reach = np.where(folded, math.inf, CELLS / grid.axes[INVERSE])
            for each in source.populations:
                name = self._by_vehicles[id(each)]
                reaches[name] = np.maximum(reaches[name], reach)
        return reaches

    def _deal(self, needed: dict[str, Array]) -> None:
        """Send every vehicle to the processes that are to hold it."""
        self.dealt += 1
        if self.dealt % BALANCE == 0:
            self._blocks = self._balanced()
        margin = {name: each * (1.0 + self._skin) for name, each in needed.items()}
        leaving = {name: part.leaving(self._blocks, margin[name]) for name, part in self._parts.items()}
        numbers = np.array([len(part.owned) for part in self._parts.values()], np.float64)
        every = self._link.tell(self._total(numbers))
        messages = [np.concatenate([each[other].packed() for each in leaving.values()]) for other in range(self.ranks)]
        coming: dict[str, list[Rows]] = {name: [] for name in self._parts}
        for other, message in enumerate(self._link.swap(messages)):
            at = 0
            for name, rows in leaving.items():
                batch = rows[self.rank]  # Those that stay are not sent.
                if other != self.rank:
                    batch, at = batch.unpacked(message, at)
                coming[name].append(batch)
        for (name, part), whole in zip(self._parts.items(), every, strict=True):
            vehicles = part.population.vehicles
            share: Share | None = vehicles.share
            if share is not None and whole > share.capacity:
                vehicles.share = Share(whole, 2 * whole)
                self._own._plan = None  # Its cells have no room.
            part.settle(coming[name], self._blocks, margin[name], whole, vehicles.born, vehicles.next_id)
        self._held = margin

    def _total(self, numbers: Array) -> list[int]:
        """The sum of numbers over all processes, at process 0."""
        return np.sum(self._link.gather(numbers) or [numbers], axis=0).astype(int).tolist()  # type: ignore[no-any-return]

    def _refresh(self) -> None:
        """Send vehicles to the processes that hold and do not own them."""
        parts = self._parts.values()
        messages = [np.concatenate([part.shown(other) for part in parts]) for other in range(self.ranks)]
        sizes = [sum(len(part.taken[other]) * part.width for part in parts) for other in range(self.ranks)]
        for other, message in enumerate(self._link.swap(messages, sizes)):
            at = 0
            for part in parts:
                at = part.update(other, message, at)

    def _balanced(self) -> Blocks:
        """Blocks that hold equally many vehicles: of a sample, because all processes must know them."""
        sample = []
        for part in self._parts.values():
            rows = part.owned if self.dealt else part.owned[self.rank :: self.ranks]
            rows = rows[:: max(1, len(rows) // SAMPLE)]
            sample.append(part.population.vehicles.position[rows, :2].astype(np.float64))
        every = self._link.gather(np.concatenate(sample))
        points = np.concatenate(every) if every else None
        blocks = None
        if points is not None:
            finite = points[np.isfinite(points).all(axis=1)]
            extent = np.ptp(finite[:, :2], axis=0) if len(finite) else np.ones(2)
            blocks = Blocks.even(finite, shape_of(self.ranks, extent, self._slices), self._period)
        shared: Blocks = self._link.tell(blocks)
        return shared

    # ------------------------------------------------------------------------------------------------ births and deaths

    def _flow(self, dt: float) -> bool:
        """Let vehicles come and go; return whether any did.

        Process 0 does it with the whole world, as one process would. In most steps no vehicle comes or goes, and that can be
        told before.
        """
        due = float(any(self._flow_due(name, dt) for name in self._flowing))
        if not self._link.most(np.array([due]))[0]:
            self._count(dt)
            return False
        self._collect()
        turnovers = None
        if self._whole is not None:
            before = {name: each.vehicles.births for name, each in self._whole.populations.items()}
            for name in self._flowing:
                self._whole.populations[name].flowing.owed = dt
            self._whole._flow()
            turnovers = [self._turnover(name, before[name]) for name in self._parts]
        changes: list[Any] = self._link.tell(turnovers)
        for part, change in zip(self._parts.values(), changes, strict=True):
            self._apply(part, *change)
        return any(len(gone) or len(ids) for gone, _, ids in changes)

    def _flow_due(self, name: str, dt: float) -> bool:
        """Whether flows of a population need to see vehicles now."""
        for flow in self._flowing[name]:
            if isinstance(flow, Sink):
                part = self._parts[name]
                if flow.older_than is not None:
                    return True
                inside = flow.region.inside(part.positions().T, self._own.domain)
                if (inside == (flow.side == "inside")).any():
                    return True
        if self._whole is None:
            return False
        return any(not flow.waits(tally.state, moment) for flow, tally, moment in self._spawners(name, dt))

    def _spawners(self, name: str, dt: float) -> Iterable[tuple[Spawner, Any, Moment]]:
        """The spawners of a population of the whole world, with their state."""
        world = self._whole
        assert world is not None
        population = world.populations[name]
        for label, tally in population.flowing.tallies.items():
            if isinstance(tally.flow, Spawner):
                key = key_of(world.seed, "flow", name, label)
                yield tally.flow, tally, Moment(population.vehicles, (), world.domain, key, world.time, world.steps, dt)

    def _count(self, dt: float) -> None:
        """Let the spawners of the whole world count the time of a step in which no vehicle comes."""
        if self._whole is not None:
            for name in self._flowing:
                for flow, tally, moment in self._spawners(name, dt):
                    flow.run(tally.state, moment)

    def _turnover(self, name: str, before: Array) -> tuple[Array, Array, Array]:
        """The births of the vehicles that have gone, and the columns and ids of those that have come."""
        assert self._whole is not None
        vehicles = self._whole.populations[name].vehicles
        new = ~np.isin(vehicles.births, before)
        return before[~np.isin(before, vehicles.births)], vehicles.block[:, new].copy(), vehicles.id[new].copy()

    def _apply(self, part: Part, gone: Array, block: Array, ids: Array) -> None:
        """Let the vehicles of a population that this process holds come and go."""
        population = part.population
        vehicles = population.vehicles
        owned = vehicles.births[part.owned]
        if len(gone):
            vehicles.remove(np.isin(vehicles.births, gone))
        first = len(vehicles)
        if len(ids):
            vehicles.append(block, ids)
        population.keep_up()
        own = np.isin(vehicles.births, owned)
        own[first:] = self._blocks.owners(by_name(block, vehicles.dimensions)["position"].T) == self.rank
        part.owned = np.flatnonzero(own)
        part.places = part.positions()

    # ------------------------------------------------------------------------------------------------ the whole world

    def _collect(self) -> None:
        """Bring the whole world, in process 0, up to date."""
        if self._fresh:
            return
        for name, part in self._parts.items():
            vehicles = part.population.vehicles
            every = self._link.gather(Rows.of(part.population, part.owned))
            if self._whole is not None:
                rows = joined(every)
                self._whole.populations[name].hold(
                    rows.block, rows.names[0], rows.names[1], vehicles.born, vehicles.next_id, rows.memories
                )
        self._fresh = True

    def gather_when(self, when: Trigger) -> None:
        """Bring the world of process 0 up to date after steps, from now on, as for an observer. It alone need call this."""
        self._triggers.append(when)

    @explained
    def gather(self) -> World | None:
        """The whole world as it is now, in process 0; None in others. All processes have to call it.

        It is the world that was given, and is for looking: changes of its vehicles are lost.
        """
        try:
            self._collect()
        except BaseException as error:
            self._link.fail(error)
        return self._whole

    @explained
    def state_hash(self) -> str:
        """The hash of the whole state, in every process: that of the same world in one process. All have to call it."""
        world = self.gather()
        digest: str = self._link.tell("" if world is None else state_hash(world))
        return digest

    @explained
    def save(self, path: "str | PathLike[str]", **options: Any) -> dict[str, Any]:
        """Write a snapshot of the whole world, as `World.save` does; all processes have to call it.

        One process, or any number of them, can go on from it: `split_world(World.load(path))`.

        Args:
            path: The file.
            **options: As for `World.save`.
        """
        world = self.gather()
        named: dict[str, Any] = {}
        try:
            if world is not None:
                named = world.save(path, **options)
            self._link.tell(None)  # No process goes on before the file is whole.
        except BaseException as error:
            self._link.fail(error)
        return named


def _arrangements(plan: StepPlan) -> Iterator[Arrangement]:
    """All arrangements of vehicles in cells that a step makes."""
    for each in plan.plans:
        for look in each.around.passes:
            yield from look.arrangements


@explained
def split_world(
    world: World, comm: Any = None, *, slices: bool = False, threads: int = 1, skin: float = SKIN
) -> SplitWorld:
    """Let several processes step one world together, each a block of space; the bits are those of one process.

        world = make()                     # The same in every process
        split = sm.split_world(world)
        split.run(steps=600)
        whole = split.gather()             # The World, in process 0

    The program runs as `mpiexec -n 4 python program.py`. What looks at all vehicles at once is refused by name; populations
    that others name as a target are held by every process (see docs/scaling.md).

    Args:
        world: The world, made in the same way in every process. In process 0 its observers, meters and recordings go on with
            the whole world; in others they are not called.
        comm: The communicator of mpi4py. Default: all processes of `mpiexec`.
        slices: Whether to cut space along the first axis alone. Default: into blocks along two.
        threads: The number of threads of each process.
        skin: How much more than needed is held around a block, as a part of it: raising it sends more at every step, and
            deals vehicles out anew less often.

    Raises:
        ValueError: The world has parts that cannot be split.
        ImportError: mpi4py is not installed.
    """
    return SplitWorld(world, link_of(comm), slices, threads, skin)
