"""The simulations behind a server: that of the program, and one for each tab of a browser that shows a scenario.

A tab has its simulation to itself. One that has lost its connection finds its simulation again for a minute; it stands
still meanwhile.
"""

import threading
import time
from collections.abc import Callable

from steersman.core.kernels.announcing import watched_compilation
from steersman.core.world.warmup import conclude, show
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.requests import Request, unheard
from steersman.studio.viewer.simulation import Simulation

GRACE = 60.0
"""Time for which the simulation of a lost tab is kept [s]."""

BESIDE = "~"
"""Behind the name of a tab: the name of what is shown beside it."""

CLOSED = "the window is closed"
"""Why no simulation begins any more."""

MOST = 16
"""Largest number of tabs with a simulation of their own."""

Open = Callable[[Address], Simulation]


def simulation_at(address: Address, remake: Callable[..., Stage], name: str = "") -> Simulation:
    """A simulation that runs from the start, as an address says; it is not started yet.

    Args:
        address: The address.
        remake: Makes the stage, called with n and seed.
        name: The name of the scenario. Default: that of the stage.

    Raises:
        KeyError, TypeError, ValueError: n, the seed or a change is not allowed.
    """
    stage = remake(n=address.n, **({} if address.seed is None else {"seed": address.seed}))
    return Simulation(stage, remake=remake, playing=True, name=name or stage.name or "", address=address)


class Tabs:
    """The simulations of a server.

    Args:
        own: The simulation that all browsers share; or a function that makes one for the address of each tab.
    """

    def __init__(self, own: Simulation | Open) -> None:
        self.own = own
        self._spare: tuple[str, Simulation] | None = None
        self._making, self._lock = threading.Lock(), threading.Lock()
        self._open: dict[str, Simulation] = {}
        self._left: dict[str, float] = {}
        self._ended = False

    def prepare(self, address: Address) -> None:
        """Make the simulation of the first tab with an address ahead.

        Raises:
            ScenarioError: The scenario, or a number, is not allowed.
        """
        with self._making:
            self._spare = (str(address), self._make(address))

    def enter(self, tab: str, address: Address) -> Simulation:
        """The simulation of a tab, started. It may take seconds to make.

        Args:
            tab: A name that the tab has chosen.
            address: The address of the tab.

        Raises:
            ScenarioError: A number is not allowed.
            RuntimeError: Too many tabs are open, or all simulations have been ended.
        """
        if not address.scene and isinstance(self.own, Simulation):
            return self.own
        known = self._known(tab)
        if known is not None:
            return known
        with self._making:  # Another request may be making it.
            return self._known(tab) or self._made(tab, address)

    def _known(self, tab: str) -> Simulation | None:
        """The simulation that a tab has already."""
        with self._lock:
            known = self._open.get(tab)
            self._left.pop(tab, None)
            self._end_lost(0 if known else 1)
            return known

    def _made(self, tab: str, address: Address) -> Simulation:
        """A new simulation for a tab, and the one beside it."""
        if self._ended:
            raise RuntimeError(CLOSED)
        if tab.endswith(BESIDE):
            raise RuntimeError("the window beside which this is shown is closed")
        if sum(not name.endswith(BESIDE) for name in self._open) >= MOST:
            raise RuntimeError(f"{MOST} tabs are open, which is the most; close one of them")
        made = self._make(address)
        other = None if address.partner is None else self._make(address.partner)
        with self._lock:
            if self._ended:  # Meanwhile.
                raise RuntimeError(CLOSED)
            self._open[tab] = made
            if other is not None:
                other.stand_beside(made)
                self._open[tab + BESIDE] = other
        for each in (made, other):
            if each is not None:
                each.start()
        return made

    def _make(self, address: Address) -> Simulation:
        if self._spare is not None and self._spare[0] == str(address):
            made, self._spare = self._spare[1], None
            return made
        began, compiled = time.perf_counter(), list[str]()
        with watched_compilation(begins=show, done=lambda name, _: compiled.append(name)):
            if address.scene:
                made = simulation_at(address, SCENARIOS[address.scene].stage, address.scene)
            else:
                assert not isinstance(self.own, Simulation)
                made = self.own(address)
        conclude(len(compiled), began)
        return made

    def leave(self, tab: str) -> None:
        """A tab has lost its connection: its simulation stands still until it is back."""
        with self._lock:
            simulation = self._open.get(tab)
            if simulation is not None and simulation.leader is None:
                self._left[tab] = time.monotonic()
                simulation.requests.put(Request({"do": "pause"}, unheard))

    def _end_lost(self, new: int) -> None:
        """End the simulations of tabs that have been lost for long, and of the longest lost where others need room."""
        now = time.monotonic()
        lost = sorted(self._left, key=self._left.__getitem__)
        many = sum(not name.endswith(BESIDE) for name in self._open) - MOST + new
        for k, tab in enumerate(lost):
            if k < many or now - self._left[tab] > GRACE:
                self._end(tab)

    def _end(self, tab: str) -> None:
        """End the simulation of a tab, and the one beside it."""
        for name in (tab, tab + BESIDE):
            self._left.pop(name, None)
            if name in self._open:
                self._open.pop(name).end()

    def end(self) -> None:
        """End all simulations, also those that are being made; the worlds stay as they are."""
        with self._lock:
            self._ended = True
            simulations = [*self._open.values(), *([self._spare[1]] if self._spare else [])]
            self._open, self._left, self._spare = {}, {}, None
        for each in [self.own, *simulations]:
            if isinstance(each, Simulation):
                each.end()
