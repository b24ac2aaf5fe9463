"""Holding: a snapshot in memory, for worlds that go back to an earlier instant often."""

from pathlib import Path

from steersman.core.world.world import World
from steersman.runs.snapshots.capture import taken
from steersman.runs.snapshots.container import copied, detached
from steersman.runs.snapshots.content import FORMS, Content
from steersman.runs.snapshots.restoring import put

NOWHERE = Path("a snapshot in memory")
"""Stands for the file in messages."""


class Held:
    """The present state of a world in memory; put back, the world goes on with the same bits.

    Args:
        world: The world, between steps.

    Attributes:
        size: The size of its arrays [bytes].
        forgetful: The names of Python objects that may have a state of their own, which is not held.

    Raises:
        SnapshotError: An object of the world can neither be written nor named.
    """

    def __init__(self, world: World) -> None:
        content, book = taken(world, None)
        self._content, self.size = detached(content)
        self.forgetful = [name for name, item in book.used.items() if not hasattr(item.value, "resume")]

    def put_back(self, world: World) -> None:
        """Put the state into the world that it was taken of, between steps.

        Raises:
            SnapshotError: The world has another structure by now. It stays unchanged.
        """
        content = copied(self._content)
        known = {
            name: content[name] for name in (*FORMS, "tolls", "enabled") if name in content and name != "steersman"
        }
        put(world, Content(NOWHERE, **known))
