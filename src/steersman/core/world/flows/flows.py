"""The flows of a population, and their state from step to step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from operator import call
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.kernels.signals import at_once, run
from steersman.core.maths.random import key_of
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.flow import FLOWS, Flow, Moment


@dataclass
class Tally:
    """A flow with its state.

    Attributes:
        flow: The flow.
        passed: The number of vehicles that have come or gone.
        state: Its own state, name -> array.
    """

    flow: Flow
    passed: int = 0
    state: dict[str, Array] = field(default_factory=dict)

    @property
    def is_fresh(self) -> bool:
        """Whether no vehicle has passed, and the state is the initial one."""
        begun = self.flow.begin()
        return not self.passed and all(np.array_equal(values, begun[name]) for name, values in self.state.items())


class Flows:
    """The flows of a population.

    Attributes:
        tallies: Each flow with its state, by name; flows without a name are called "Spawner 1", "Sink 2", ...
        owed: Length of the last step, if the flows have not run for it yet [s]; else 0.
    """

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}
        self.owed = 0.0

    @property
    def all(self) -> tuple[Flow, ...]:
        """All flows, in order."""
        return tuple(tally.flow for tally in self.tallies.values())

    def replace(self, flows: Any, vehicles: Vehicles) -> None:
        """Replace the flows. A new flow with the name and class of a former one continues its count and state.

        If no flow continues a former one, the last step is no longer owed.

        Raises:
            ValueError: Two have the same name, or one does not fit the vehicles.
        """
        tallies: dict[str, Tally] = {}
        for k, flow in enumerate(FLOWS.several("flows", flows), 1):
            flow.check(vehicles)
            name = flow.name or f"{type(flow).__name__} {k}"
            if name in tallies:
                raise ValueError(f"name must be different for every flow, got {brief(name)} twice")
            before = self.tallies.get(name)
            if before is not None and type(before.flow) is type(flow):
                tallies[name] = Tally(flow, before.passed, before.state)
            else:
                tallies[name] = Tally(flow, 0, flow.begin())
        states = [each.state for each in self.tallies.values()]
        if not any(each.state is state for each in tallies.values() for state in states):
            self.owed = 0.0
        self.tallies = tallies

    def resume(self, name: str, passed: int, state: Mapping[str, Any]) -> None:
        """Continue from the state of another flow of this name.

        Raises:
            KeyError: There is no flow of this name, or its state has no such column.
        """
        if name not in self.tallies:
            raise KeyError(f"there is no flow {brief(name)}; there are: {', '.join(self.tallies) or 'none'}")
        tally = self.tallies[name]
        tally.passed = passed
        for column, values in state.items():
            tally.state[column] = np.array(values, tally.state[column].dtype)

    def passed(self, which: Any) -> int:
        """The number of vehicles that have come or gone by a flow (see `Population.passed`)."""
        for name, tally in self.tallies.items():
            if which == name or which is tally.flow:
                return tally.passed
        raise KeyError(f"there is no flow {brief(which)}; there are: {', '.join(self.tallies) or 'none'}")

    def forget(self, gone: Array) -> None:
        """Drop the state of removed vehicles, by their ids, shape (k,)."""
        for tally in self.tallies.values():
            tally.flow.forget(tally.state, gone)

    def run(
        self,
        population: str,
        vehicles: Vehicles,
        all: Sequence[Vehicles],
        domain: Domain,
        seed: int,
        time: float,
        step: int,
    ) -> None:
        """Run the flows for the last step, if they have not run for it yet.

        Either all flows run, or the step is still owed: if a flow raises an error or is interrupted, all changes are undone.
        """
        if not self.owed:
            return
        tallies = sorted(self.tallies.items(), key=lambda item: item[1].flow.adds)
        end = vehicles.undone()
        undo = [end]
        for _, tally in tallies:
            saved = {name: values.copy() for name, values in tally.state.items()}
            undo += [(setattr, tally, "passed", tally.passed), (setattr, tally, "state", saved)]
        back = starmap(call, undo)  # Made now, because a second interrupt could prevent that later.
        try:
            vehicles.undoing(undo)
            for name, tally in tallies:
                moment = Moment(vehicles, all, domain, key_of(seed, "flow", population, name), time, step, self.owed)
                tally.passed += tally.flow.run(tally.state, moment)
            at_once([end, (undo.clear,), (setattr, self, "owed", 0.0)])
        except BaseException:
            run(back)
            raise
