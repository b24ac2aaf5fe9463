"""Going back: the world returns to its state at an earlier instant, or when the window was opened.

The objects that the window exchanges (trees, bodies, obstacles) are put back first, then the state of a snapshot is restored
into them. The internal state of functions cannot be restored, so the window names functions that may have one.
"""

from typing import Any

from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.world import World
from steersman.runs.documents.stage import Stage
from steersman.runs.snapshots.holding import Held

OF_POPULATION = ("steering", "locomotion", "flows", "yields")
OF_WORLD = ("domain", "constraints", "seed", "dt")
OF_STAGE = ("scenery", "labels")


class Instant:
    """The present state of a world, with the objects that the window exchanges.

    Args:
        subject: The World, or the Stage.

    Attributes:
        steps, time: When it was taken: the number of steps, and the time [s].
        size: The size of its arrays [bytes].
        forgetful: Names of functions that may have internal state.

    Raises:
        SnapshotError: An object of the world can neither be written nor named.
    """

    def __init__(self, subject: World | Stage) -> None:
        self.world = world = subject if isinstance(subject, World) else subject.world
        self._held = Held(world)
        self.steps, self.time = world.steps, world.time
        self.size, self.forgetful = self._held.size, self._held.forgetful
        populations = world.populations.values()
        self._objects: list[tuple[Any, str, Any]] = [
            *((each, name, getattr(each, name)) for each in populations for name in OF_POPULATION),
            *((world, name, getattr(world, name)) for name in OF_WORLD),
            *((meter, "subject", meter.subject) for meter in (world.meters or {}).values()),
        ]
        if isinstance(subject, Stage):
            self._objects += [(subject, name, getattr(subject, name)) for name in OF_STAGE]

    def restore(self) -> None:
        """Return to it.

        Raises:
            SnapshotError: Populations have come or gone since. The world stays as it is.
        """
        now = [(owner, name, getattr(owner, name)) for owner, name, _ in self._objects]
        try:
            _put(self._objects)
            self._held.put_back(self.world)
        except Exception:
            _put(now)
            raise


class Beginning:
    """The present state of a world, saved for a restart.

    Args:
        subject: The World, or the Stage.

    Attributes:
        problem: The reason why it cannot be restored; "" where it can.
        forgetful: Names of functions that may have internal state.
    """

    def __init__(self, subject: World | Stage) -> None:
        self.problem, self.forgetful = "", list[str]()
        self._instant: Instant | None = None
        try:
            self._instant = Instant(subject)
        except SnapshotError as error:
            self.problem = str(error)
            return
        self.forgetful = self._instant.forgetful

    @property
    def words(self) -> str:
        """A description of a restart of this world, for the user."""
        if self.problem:
            return f"Cannot begin again: {self.problem}"
        left = f"; what {', '.join(self.forgetful)} keep for themselves stays as it is" if self.forgetful else ""
        return f"Begin again where this window was opened{left} (r)"

    def restore(self) -> None:
        """Restore the world.

        Raises:
            SnapshotError: It could not be saved; or populations have come or gone since.
        """
        if self._instant is None:
            raise SnapshotError(self.problem)
        self._instant.restore()


def _put(values: list[tuple[Any, str, Any]]) -> None:
    """Assign values that differ from the present ones."""
    for owner, name, value in values:
        if getattr(owner, name) is not value:
            setattr(owner, name, value)
