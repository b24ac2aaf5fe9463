"""Holding: snapshots in memory, for worlds that often return to an earlier state."""

from pathlib import Path

from steersman.core.world.world import World
from steersman.runs.snapshots.capture import taken
from steersman.runs.snapshots.container import copied, detached
from steersman.runs.snapshots.content import FORMS, Content
from steersman.runs.snapshots.restoring import put

NOWHERE = Path("a snapshot in memory")
"""The text in place of the name of a file in messages."""


class Held:
    """The present state of a world, in memory. After `put_back`, the world continues with the same bits.

    Args:
        world: The world, between steps.

    Attributes:
        size: The size of its arrays [bytes].
        forgetful: The names of Python objects without `resume`: if they have a state, it is not held.

    Raises:
        SnapshotError: An object of the world can neither be written nor named.
    """

    def __init__(self, world: World) -> None:
        content, book = taken(world, None)
        self._content, self.size = detached(content)
        self.forgetful = [name for name, item in book.used.items() if not hasattr(item.value, "resume")]

    def put_back(self, world: World) -> None:
        """Put the state into the world that it was taken from, between steps.

        Raises:
            SnapshotError: The world has another structure now. It stays unchanged.
        """
        content = copied(self._content)
        known = {
            name: content[name] for name in (*FORMS, "tolls", "enabled") if name in content and name != "steersman"
        }
        put(world, Content(NOWHERE, **known))
