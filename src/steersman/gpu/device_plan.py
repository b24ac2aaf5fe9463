"""The plan of a step on the device.

Columns and memory stay on the device from step to step. Whoever asks vehicles for a column brings them home, once; then the
next step sends them back. The calls are those of the plan for the processor, so all that is asked between steps (forces,
explanations, sketches) is answered by that plan.

    steer    sort, sum, and make the calls of the tree and of the body; then the guards say whether every number is valid
    move     memory advances and vehicles move, in the order of launches, while the host goes on

So a step happens whole or not at all here, too. Where a guard has found something, the processor makes this step: it shortens
forces that are too large, or names the behavior and the vehicles.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.kernels.call import Call
from steersman.core.kernels.signals import Action
from steersman.core.neighborhood.deferred import Deferred, ask, begin, finish
from steersman.core.neighborhood.neighbor_pass import NeighborPass, Runner, SweepParts, to_columns
from steersman.core.neighborhood.sums import CARRY, OFFSET, REPULSION
from steersman.core.typing import Array
from steersman.core.vehicles.columns import by_name
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.population import Population
from steersman.core.world.step_plan import PopulationPlan, StepPlan
from steersman.gpu.cells import Cells, lay_out
from steersman.gpu.compiling import entry
from steersman.gpu.device import Graph, Launch, check_device, cuda, new_stream, start_all, wait, wait_for_all, zeros
from steersman.gpu.device_column import DeviceColumn
from steersman.gpu.mirror import Mirror, root_of
from steersman.gpu.rows import fused
from steersman.gpu.searching import Searches
from steersman.gpu.supported import check_supported
from steersman.gpu.sweeping import SumForms, Sweep

REVIEW: Final = 256
"""Steps between two looks at whether cells fit the density of the vehicles."""


class DevicePlan(StepPlan):
    """All calls of a step as launches on the device. The arguments are those of `StepPlan`.

    Raises:
        RuntimeError: There is no device.
        ValueError: The world has parts that do not run there; it names them.
    """

    def __init__(
        self, populations: Sequence[Population], domain: Domain, seed: int, threads: int, constraints: Sequence[Any] = (),
        older: StepPlan | None = None, moves: bool = True,
    ) -> None:  # fmt: skip
        check_device()
        check_supported(populations, domain, constraints)
        super().__init__(populations, domain, seed, threads, constraints, older, moves)
        self._domain = domain
        self._launched: _Launched | None = None
        self._home = True  # Whether the columns of the host are the present ones.
        self._by_host = False  # Whether the processor makes this step.
        self._now = (0.0, 0, 0.0)

    @property
    def stale(self) -> bool:
        """As in StepPlan. Columns of the host are not looked at while the present ones are on the device."""
        return super().stale if self._home else any(plan.replaced for plan in self.plans)

    def fit(self) -> bool:
        """False: launches are for one number of rows."""
        return False

    def plan_of(self, population: Population, dt: float, step: int, time: float) -> Any:
        """As in StepPlan, with all columns brought home."""
        self.bring_home()
        return super().plan_of(population, dt, step, time)

    def bring_home(self) -> None:
        """Copy columns and memory from the device; from now on those of the host count."""
        if self._home:
            return
        self._home = True
        for each in self.steered:
            each.plan.vehicles.leave(None)
        if self._launched is not None:
            self._launched.fetch_state()

    def begin(self, dt: float, step: int, time: float) -> None:
        """Set the clocks. Columns are looked at by the device, in `steer`."""
        self._now, self._by_host = (dt, step, time), False
        for each in self.steered:
            each.clock.set(dt, step, time)
        if any(dt != each.warned for each in self.steered):
            self.bring_home()
            StepPlan.begin(self, dt, step, time)

    def look(self) -> None:
        """Do nothing: the device looks for neighbors in `steer`."""

    def steer(self) -> None:
        """Compute the forces and propose velocities; nothing moves yet.

        Raises:
            NonFiniteError, ValueError: As in StepPlan.
        """
        if self._launched is not None and self._launched.searches and self._now[1] % REVIEW == 0:
            self.bring_home()
            self._launched = self._launched if self._launched.fits() else None
        if self._launch().steer(send=self._home):
            return
        self.bring_home()
        self._clear_flags()
        self._by_host = True
        StepPlan.begin(self, *self._now)
        StepPlan.look(self)
        StepPlan.steer(self)

    def _launch(self) -> "_Launched":
        """The launches, made where there are none; the columns of the host are the present ones where they are elsewhere."""
        if self._launched is None:
            self._launched = _Launched(self.steered, [each.call for each in self._inspections], self._domain)
        if self._home:
            for each in self.steered:
                each.plan.vehicles.bring_home()  # Another world may have taken them.
        return self._launched

    def device_column(self, vehicles: Vehicles, column: str) -> DeviceColumn:
        """A column in the memory of the device, which holds the present values until columns are brought home."""
        made = self._launch()
        if self._home:
            made.send_state()
            self._home = False
            for each in self._moved:
                each.leave(self)
        return made.column(vehicles, column)

    def refuse(self) -> None:
        """Discard the step."""
        self.bring_home()
        super().refuse()

    def motion(self, *counted: Action) -> "Iterator[None] | None":
        """None: `move` commits the step."""
        return None

    def move(self, *counted: Action) -> None:
        """Commit the step."""
        if self._by_host or self._launched is None:
            super().move(*counted)
            return
        self._launched.move()
        self._home = False
        for vehicles in self._moved:
            vehicles.moved += 1
            vehicles.leave(self)
        for function, *arguments in counted:
            function(*arguments)


class _Launched:
    """The launches of a step.

    Args:
        steered: The populations.
        checks: The calls that look at columns before anything else.
        domain: The space.
    """

    def __init__(self, steered: Sequence[PopulationPlan], checks: Sequence[Call], domain: Domain) -> None:
        self._stream = new_stream()
        self._mirror = mirror = Mirror(self._stream)
        self._steer: list[Launch] = []
        self._move: list[Launch] = []
        self._graphs: tuple[Graph, Graph] | None = None
        self._state: list[Array] = []
        self._clocks: list[Array] = []
        self._flags: list[Array] = []
        self._own: list[Array] = []
        self._whole: dict[Vehicles, Array] = {}
        self._lent = False  # Whether other libraries may write columns.
        self._searches: list[tuple[Vehicles, Searches]] = []
        for each, check in zip(steered, checks, strict=True):
            plan, n = each.plan, len(each.plan.vehicles)
            blocks = [pair for memory in plan.population.memories.values() for pair in memory.blocks]
            self._whole[plan.vehicles] = plan.vehicles.whole
            self._state += [self._whole[plan.vehicles], *(array for pair in blocks for array in pair)]
            self._clocks += each.clock
            self._flags += [np.frombuffer(each.flags, np.int64), check.arguments[-1]]
            self._own += [
                plan.force,
                plan.out.acts,
                plan.out.active,
                plan.vehicles.columns.id,
                *(array for sums in plan.around.sums.values() for array in (*sums.total, sums.count)),
            ]
            for look in plan.around.passes:
                self._take_sums_from_lines(look.runners)
                self._steer += self._neighbors(plan, look, domain)
            self._steer += fused("steer", [check, *_of_device(each.steer)], n, mirror)
            self._move += [Launch("move", copy_block, n, 256, (n, *mirror.of(pair))) for pair in blocks]
            self._move += fused("move", _of_device(each.move), n, mirror)

    def _take_sums_from_lines(self, runners: Sequence[Runner]) -> None:
        """Let behaviors read sums where searches write them. On the processor, `to_columns` copies them to columns first."""
        for call in (call for runner in runners for call in runner.column_calls):
            lines, *sums = call.arguments
            for column, components in zip((REPULSION, OFFSET, CARRY), sums, strict=True):
                if components:
                    self._mirror.replace(root_of(components[0]), lines[:, column : column + len(components)].T)

    def _neighbors(self, plan: Any, look: NeighborPass, domain: Domain) -> list[Launch]:
        """The launches of all searches of a pass."""
        launches: list[Launch] = []
        for runner in look.runners:
            if runner.parts is not None:
                self._own.append(runner.parts.lines)
                launches += self._sums(plan, look.wrap, runner.parts, domain)
        for arrangement in look.arrangements:
            runners = [each for each in look.runners if each.arrangement is arrangement and each.parts is None]
            if runners:
                vehicles = plan.vehicles
                columns, position = self._mirror.of(vehicles.columns), vehicles.position.T
                searches = Searches(arrangement, runners, columns, position, look.wrap, self._mirror)
                self._searches.append((vehicles, searches))
                launches += searches.launches
        return launches

    def _sums(self, plan: Any, wrap: Array, parts: SweepParts, domain: Domain) -> list[Launch]:
        """The launches of one sweep."""
        vehicles, mirror = plan.vehicles, self._mirror
        columns, n = mirror.of(vehicles.columns), len(vehicles)
        origin, _ = bounds(domain, vehicles.dimensions)
        axes = lay_out(vehicles.position.T, wrap, origin, parts.radius)
        own = [name for name in dict.fromkeys(parts.carried) if name != "forward"]
        forward = columns.forward if parts.turned or "forward" in parts.carried else ()
        cells = Cells(axes, columns.position, forward, columns.velocity if own else (), n)
        period = (mirror.of(wrap),) if wrap.any() else ()
        launches = list(cells.launches)
        for s in range(len(parts.lines)):
            lines = mirror.of(parts.lines[s].reshape(-1, 4))
            heads = s >= len(parts.carried) or parts.carried[s] == "forward"
            repulsion, offset, carry = _slots(parts, s, mirror)
            looks = (np.float32(0),) if parts.turned else ()
            forms = SumForms(repulsion, offset, carry, looks, period)
            cargo = cells.heads if heads else cells.loads
            most = np.float32(np.inf if axes.images else parts.radius**2 * (1 + 1e-6))
            about = (zeros(n, np.uint8), most, parts.tiny2, columns.id)
            launches += Sweep(cells, cargo, lines, forms, *about, columns.position).launches
        return launches

    def steer(self, send: bool) -> bool:
        """Make all launches before vehicles move; return whether the guards have found nothing.

        Args:
            send: Whether columns and memory are sent first.
        """
        if send:
            self.send_state()
        for array in self._clocks:
            self._mirror.send(array)
        self._mirror.send_changed()
        for flags in self._flags:
            flags[...] = 0
        if self._lent:
            wait_for_all()  # Other libraries may still write columns.
        if self._graphs is None:
            start_all(self._steer, self._stream)
        else:
            self._graphs[0].start()
        for flags in self._flags:
            self._mirror.fetch(flags)
        wait(self._stream)
        if self._graphs is None:
            self._mirror.watch([*self._state, *self._clocks, *self._flags, *self._own])
        return not any(flags.any() for flags in self._flags)

    def move(self) -> None:
        """Let memory advance, and vehicles move."""
        if self._graphs is None:
            start_all(self._move, self._stream)
            self._graphs = Graph(self._steer, self._stream), Graph(self._move, self._stream)
        else:
            self._graphs[1].start()

    @property
    def searches(self) -> bool:
        """Whether there are searches for the k nearest, whose cells are for the density of the vehicles."""
        return bool(self._searches)

    def fits(self) -> bool:
        """Whether these cells fit the positions of the host."""
        return all(searches.fits(vehicles.position.T) for vehicles, searches in self._searches)

    def send_state(self) -> None:
        """Copy columns and memory to the device, and clear its flags."""
        for array in self._state:
            self._mirror.send(array)
        for flags in self._flags:
            flags[...] = 0
            self._mirror.send(flags)

    def column(self, vehicles: Vehicles, name: str) -> DeviceColumn:
        """A column of vehicles on the device."""
        self._lent = True
        column = by_name(self._whole[vehicles], vehicles.dimensions)[name][..., : len(vehicles)]
        parts = np.atleast_2d(column)
        return DeviceColumn(self._mirror.of(parts), len(parts) == 1, self._stream)

    def fetch_state(self) -> None:
        """Copy columns and memory to the host."""
        for array in self._state:
            self._mirror.fetch(array)
        wait(self._stream)

    @property
    def launches(self) -> list[Launch]:
        """All launches, in order."""
        return [*self._steer, *self._move]


def _slots(parts: SweepParts, s: int, mirror: Mirror) -> list[tuple[Any, ...]]:
    """The numbers of each kind of sum of one slot set; empty where it has none of the kind."""
    kinds = (parts.repulsion, parts.offset, parts.carry)
    return [
        tuple(mirror.of(table[s : s + 1]) for table in tables) if s < number else ()
        for tables, number in zip(kinds, parts.number, strict=True)
    ]


def _of_device(calls: Sequence[Call]) -> list[Call]:
    """The calls that are left to the device: it searches for all rows, and copies no sums to columns.

    Raises:
        ValueError: One of them is for all rows at once.
    """
    remaining: list[Call] = []
    late = [call.kernel for call in calls if isinstance(call.kernel, Deferred)]
    flags = [id(gate) for search in late for call in search.finish_calls() for gate in call.gates]
    for call in calls:
        if call.kernel in (begin, ask, finish, to_columns) or isinstance(call.kernel, Deferred):
            continue
        if any(id(gate) in flags for gate in call.gates):
            continue
        if call.whole:
            raise ValueError(f'device="cuda" does not run {call.kernel}, which is for all rows at once')
        remaining.append(call)
    return remaining


@entry
def copy_block(n: int, now: Array, following: Array) -> None:
    """Let the next values of memory be the current ones, for each row."""
    i = cuda.grid(1)
    if i < n:
        for k in range(now.shape[0]):
            now[k, i] = following[k, i]
