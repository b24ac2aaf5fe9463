"""Stepping: the common base of World and Controller. Steps are made one at a time, and each step as a whole or not at all."""

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from steersman.core.environment.domain import Domain
from steersman.core.kernels.signals import Action, deferred_signals, run
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.steering.sensing.last_heard import as_place, check_loudness
from steersman.core.vehicles.turns import Turn
from steersman.core.world.plan import watched_by
from steersman.core.world.population import Population
from steersman.core.world.rounding import STEPS, warn_of_rounding
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.timings import TimedStepPlan, Timings

R = TypeVar("R")


class Stepping(metaclass=Explained):
    """Makes steps, and counts them.

    Attributes:
        time: Time since the start [s].
        steps: Steps since the start.
    """

    __slots__ = ("_next_rounding_check", "_plan", "_stepping", "_timings", "_torn", "_turn", "steps", "time")

    called: ClassVar[str]
    """The noun for such an object in messages."""

    step_method: ClassVar[str]
    """The name of the method that makes a step, for messages."""

    def __init__(self) -> None:
        self.time, self.steps = 0.0, 0
        self._stepping = False
        self._torn = False  # Whether an interrupt ended the discarding of a step, which the next step then completes.
        self._turn = Turn()
        self._next_rounding_check = 0.0  # The step at which to look for vehicles that do not move because of rounding.
        self._plan: StepPlan | None = None
        self._timings: tuple[Timings, ...] = ()

    def __getstate__(self) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        self._check_between("copy it between steps: in a loop of your own, or in a function given to on_step")
        names = {name for kind in type(self).__mro__ for name in vars(kind).get("__slots__", ()) if hasattr(self, name)}
        own = {name: getattr(self, name) for name in sorted(names - {"__weakref__"})}
        return getattr(self, "__dict__", None), own | {"_plan": None, "_timings": ()}

    def _ready(self) -> StepPlan:
        """The plan, rebuilt when a tree or a population has changed."""
        raise NotImplementedError

    @property
    def turns(self) -> tuple[Turn]:
        """The turn of the thread that steps this object."""
        return (self._turn,)

    def _made(self, populations: Sequence[Population], *about: Any, **more: Any) -> StepPlan:
        """A new plan, with the arguments of StepPlan; a timed one if there are timings."""
        for population in populations:
            for vehicles in watched_by(population):
                vehicles.stepped_in(self._turn)
        arguments, kind = (populations, *about), self._kind_of_plan()
        if not self._timings:
            return kind(*arguments, **more)
        if kind is not StepPlan:
            raise RuntimeError('timings are of steps on the processor: assign device="cpu" first')
        return TimedStepPlan(*arguments, **more).start(self._timings)

    def _kind_of_plan(self) -> Callable[..., StepPlan]:
        """The class, or function, that makes plans that are not timed."""
        return StepPlan

    @property
    def domain(self) -> Domain:
        """The space."""
        raise NotImplementedError

    def _hearing(self) -> tuple[Population, ...]:
        """The populations that hear noises."""
        raise NotImplementedError

    @explained
    def noise(self, at: Any, loudness: float) -> None:
        """Make a noise, which is heard at once by all vehicles in its range that have a LastHeard.

        Args:
            at: Where it is made [m], shape (d,): of several noises each is a call.
            loudness: How loud it is: the distance at which it can just be heard in the open [m].

        Raises:
            RuntimeError: In the middle of a step.
        """
        self._check_between("noises are made between steps")
        loud = check_loudness(loudness)
        as_place("at", at)
        for population in self._hearing():
            population.hear(self.domain, self.time, at, loud)

    @explained
    def timings(self) -> Timings:
        """Measure the times of the phases of steps from now on, for benchmarks.

            with world.timings() as timings:
                world.run(seconds=10)
            print(timings)  # Timings of 600 steps of 1.234 ms: begin 2%, look 41%, steer 48%, move 7%, after 2%

        Returns:
            Timings: `seconds` and `shares` by phase, `step` and `steps`. They end with the block, or with their `end`.
            Without them steps are not timed, at no cost. They do not include making a plan, which follows a change of a
            tree.

        Raises:
            RuntimeError: In the middle of a step.
        """
        self._check_between("timings begin between steps")
        timings = Timings(self)
        self._timings, self._plan = (*self._timings, timings), None
        return timings

    def untime(self, timings: Timings) -> None:
        """End these timings."""
        if timings in self._timings:
            self._timings, self._plan = tuple(each for each in self._timings if each is not timings), None

    def _prepare(self, dt: float) -> None:
        """A hook that is called when all columns have been checked, before neighbors are found. Default: do nothing."""

    def _step(self, dt: float, *counted: Action) -> StepPlan:
        """Make a step of a checked length, without notifying behaviors and observers.

        Args:
            dt: Its length [s].
            *counted: Other actions that count the step, which are made together with it or not at all.
        """
        if self._stepping:
            self._refuse()
        self._stepping = True
        try:
            plan = self._ready()
            if self._torn:
                plan.refuse()
                self._torn = False
            try:
                plan.begin(dt, self.steps, self.time)
                if self.steps >= self._next_rounding_check:
                    self._next_rounding_check = math.inf if warn_of_rounding(plan.plans, dt) else self.steps + STEPS
                self._prepare(dt)
                plan.look()
                plan.steer()
                if (motion := plan.motion(*counted)) is not None:
                    # Python handles signals when it returns from a call, begins a function or repeats a loop: not here.
                    self.steps += 1
                    self.time += dt
                    run(motion)
                else:
                    with deferred_signals():
                        plan.move(*counted)
                        self.steps += 1
                        self.time += dt
            except BaseException:
                self._torn = True
                plan.refuse()
                self._torn = False
                raise
        finally:
            self._stepping = False
        return plan

    def _trial(self, steer: Callable[[], R]) -> R:
        """Steer without making a step. If an interrupt ends this, the next step discards the results first."""
        self._torn = True
        answer = steer()
        self._torn = False
        return answer

    def _make_way(self) -> None:
        """Before a step, let other threads that asked for a turn have it.

        Raises:
            RuntimeError: A step is being made, and threads have not agreed to wait for each other.
        """
        if self._stepping and not self._turn.shared:
            self._refuse()
        self._turn.give_way()

    def _refuse(self) -> None:
        self._check_between(f"behaviors and other threads must not call {self.step_method}")

    def _check_between(self, advice: str) -> None:
        """Raise RuntimeError in the middle of a step."""
        if self._stepping:
            raise RuntimeError(f"the {self.called} is in the middle of a step; {advice}")
