"""Stepping: what a World and a Controller have in common. Steps are made one at a time, each of them whole or not at all."""

from typing import ClassVar

from steersman.geometry.guiding import Explained
from steersman.world.section import Action
from steersman.world.step_plan import StepPlan


class Stepping(metaclass=Explained):
    """Makes steps, and counts them.

    Attributes:
        time: Time since the start [s].
        steps: Steps since the start.
    """

    __slots__ = ("_stepping", "steps", "time")

    called: ClassVar[str]
    """What messages call it."""

    step_method: ClassVar[str]
    """The method that makes a step."""

    def __init__(self) -> None:
        self.time, self.steps = 0.0, 0
        self._stepping = False

    def _ready(self) -> StepPlan:
        """The plan, rebuilt when a tree or a population has changed."""
        raise NotImplementedError

    def _prepare(self, dt: float) -> None:
        """Done when all columns are found in order, before anybody looks around. Default: nothing."""

    def _step(self, dt: float, *counted: Action) -> StepPlan:
        """Make a step of a checked length; whom it concerns is still to be told.

        Args:
            dt: Its length [s].
            *counted: What else counts the step; done with it, or not at all.
        """
        if self._stepping:
            self._check_between(f"behaviors and other threads must not call {self.step_method}")
        self._stepping = True
        try:
            plan = self._ready()
            plan.begin(dt, self.steps, self.time)
            self._prepare(dt)
            try:
                plan.look()
                plan.steer()
                plan.move([(setattr, self, "steps", self.steps + 1), (setattr, self, "time", self.time + dt), *counted])
            except BaseException:
                plan.refuse()
                raise
        finally:
            self._stepping = False
        return plan

    def _check_between(self, advice: str) -> None:
        """Raise RuntimeError in the middle of a step."""
        if self._stepping:
            raise RuntimeError(f"the {self.called} is in the middle of a step; {advice}")
