"""Restarting a world that a program made: the world returns to its state when the window was opened.

The objects that the window exchanges (trees, bodies, obstacles) are put back first, then the state of a snapshot is restored
into them. The internal state of functions cannot be restored, so the window names functions that may have one.
"""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.world import World
from steersman.runs.documents.stage import Stage

OF_POPULATION = ("steering", "locomotion", "flows", "yields")
OF_WORLD = ("domain", "constraints", "seed", "dt")
OF_STAGE = ("scenery", "labels")


class Beginning:
    """The present state of a world, saved for a restart.

    Args:
        subject: The World, or the Stage.

    Attributes:
        problem: The reason why it cannot be restored; "" where it can.
        forgetful: Names of functions that may have internal state.
        forget: Deletes the saved state; also called when the object is no longer referenced.
    """

    def __init__(self, subject: World | Stage) -> None:
        self.world = subject if isinstance(subject, World) else subject.world
        self.problem, self.forgetful = "", []
        folder = tempfile.mkdtemp(prefix="steersman-")
        self.forget = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._file = Path(folder) / "beginning.steersman"
        try:
            named = self.world.save(self._file)
        except (SnapshotError, OSError) as error:
            self.problem = str(error)
            return
        self.forgetful = [name for name, value in named.items() if not hasattr(value, "resume")]
        populations = self.world.populations.values()
        self._initial: list[tuple[Any, str, Any]] = [
            *((each, name, getattr(each, name)) for each in populations for name in OF_POPULATION),
            *((self.world, name, getattr(self.world, name)) for name in OF_WORLD),
            *((meter, "subject", meter.subject) for meter in (self.world.meters or {}).values()),
        ]
        if isinstance(subject, Stage):
            self._initial += [(subject, name, getattr(subject, name)) for name in OF_STAGE]

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
        if self.problem:
            raise SnapshotError(self.problem)
        now = [(owner, name, getattr(owner, name)) for owner, name, _ in self._initial]
        try:
            _put(self._initial)
            self.world.restore(self._file)
        except Exception:
            _put(now)
            raise


def _put(values: list[tuple[Any, str, Any]]) -> None:
    """Assign values that differ from the present ones."""
    for owner, name, value in values:
        if getattr(owner, name) is not value:
            setattr(owner, name, value)
