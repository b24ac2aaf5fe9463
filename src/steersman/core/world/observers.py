"""Observers: functions that are called with the world after steps, each when its trigger is due."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import Parameters, parameter

if TYPE_CHECKING:
    from steersman.core.world.stepping import Stepping

Observer = Callable[[Any], object]
"""Called with the World, or the Controller."""


@dataclass(frozen=True, eq=False)
class Trigger(Parameters):
    """Decides after which steps an observer is called."""

    @abstractmethod
    def due(self, steps: int, time: float, dt: float) -> bool:
        """Whether to call now.

        Args:
            steps: Steps made so far.
            time: Time since the start [s].
            dt: Length of the step just made [s].
        """


@dataclass(frozen=True, eq=False)
class EverySteps(Trigger):
    """After every k-th step.

    Args:
        steps: Steps between calls; raising it calls less.
    """

    steps: int = parameter(1, kind=INTEGER, low=1, positional=True)

    def due(self, steps: int, time: float, dt: float) -> bool:
        """Whether the number of steps is a multiple of k."""
        return steps % self.steps == 0


@dataclass(frozen=True, eq=False)
class EverySeconds(Trigger):
    """After the step that reaches or passes each multiple of a period.

    Args:
        seconds: Time between calls [s]; raising it calls less.
    """

    seconds: float = parameter(above=0, unit="s", positional=True)

    def due(self, steps: int, time: float, dt: float) -> bool:
        """Whether a multiple of the period lies within the step just made."""
        slack = 1e-9 * self.seconds
        return (time + slack) // self.seconds > (time - dt + slack) // self.seconds


class Onlooker:
    """An observer that changes nothing, so that documents of the world may leave it out.

    Args:
        looks: Called with the world.
    """

    def __init__(self, looks: Observer) -> None:
        self.looks = looks

    def __call__(self, world: Any) -> None:
        """Call the function."""
        self.looks(world)


class Observers:
    """The observers of a world, called in the order in which they were added."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[Trigger, Observer]] = {}
        self._count = 0

    def add(self, observer: Observer, when: Trigger) -> Callable[[], None]:
        """Add an observer; the returned function removes it again."""
        if not callable(observer):
            raise TypeError(f"the observer must be a function of the world, got {brief(observer)}")
        if not isinstance(when, Trigger):
            raise TypeError(f"when must be EverySteps(k) or EverySeconds(s), got {brief(when)}")
        self._count += 1
        key = self._count
        self._entries[key] = (when, observer)
        return lambda: self._entries.pop(key, None) and None

    def __iter__(self) -> Iterator[tuple[Observer, Trigger]]:
        """The observers with their triggers, in order."""
        return ((observer, when) for when, observer in self._entries.values())

    def notify(self, world: "Stepping", dt: float) -> None:
        """Call the observers that are due by their triggers."""
        if self._entries:
            for when, observer in list(self._entries.values()):
                if when.due(world.steps, world.time, dt):
                    observer(world)
