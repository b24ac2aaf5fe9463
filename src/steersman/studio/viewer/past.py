"""The past: the last minute of a run, as snapshots from which the run continues with the same bits, and the changes to undo.

Between two snapshots an instant is reached by stepping on from the earlier one. So few snapshots suffice, as many as a small
part of the time allows. A change by the user ends what can be reached so: a snapshot follows it.
"""

import bisect
import itertools
import math
import time
from copy import copy
from typing import Any

from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.world import World
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer.reset import Instant
from steersman.studio.viewer.verdict import Verdict

MINUTE = 60.0
"""Simulated time that is kept [s]."""

LARGEST = 64 * 2**20
"""Largest size of all snapshots [bytes], and of all changes to undo; the newest one is kept in any case."""

SPARSE = 0.5
"""Least simulated time between two snapshots [s]."""

PART, TOUCHED = 0.02, 0.25
"""Largest part of the time of the steps that snapshots may take, and that of one after a change."""

CLOSE = 20
"""Steps between a snapshot that is taken on the way to an instant and that instant."""

UNDONE = 50
"""Largest number of changes to undo."""

GESTURE = 1.0
"""Longest time between two parts of one change, if it is not said that the pointer is held down [s]."""

NUMBERS = itertools.count()


class PastInstant:
    """An instant of the past.

    Args:
        subject: The World, or the Stage.
        verdict: The verdict, which knows the changes so far.
        edits: The changed parameters in the address.

    Attributes:
        until: The number of steps up to which stepping on from it gives the same run.
        taken: Its number among all that were taken.
    """

    def __init__(self, subject: World | Stage, verdict: Verdict, edits: dict[Any, Any]) -> None:
        self.instant = Instant(subject)
        self.steps, self.time, self.size = self.instant.steps, self.instant.time, self.instant.size
        self.until, self.taken = math.inf, next(NUMBERS)
        self.verdict, self.edits = copy(verdict), dict(edits)


class Past:
    """The last minute of a run.

    Args:
        subject: The World, or the Stage.

    Attributes:
        problem: The reason why the run cannot continue from an earlier instant; "" where it can.
        newest: The largest number of steps that was reached since the last change.
        branch: Counts the changes, each of which replaces the run after it.
        cut: The number of steps at the last change.
    """

    def __init__(self, subject: World | Stage) -> None:
        self.subject = subject
        self.world = subject if isinstance(subject, World) else subject.world
        self.problem = ""
        self.instants: list[PastInstant] = []
        self.undone: list[tuple[str, str, PastInstant, float]] = []
        self.redone: list[tuple[tuple[str, str, PastInstant, float], PastInstant]] = []
        self.branch, self.cut, self.newest = 0, self.world.steps, self.world.steps
        self._worked, self._touched = 0.0, False
        self._cost: float | None = None

    # ------------------------------------------------------------------------------------------------- taking

    def due(self) -> bool:
        """Whether a snapshot is to be taken before the next step."""
        world, last = self.world, self.instants[-1] if self.instants else None
        if self.problem or (last is not None and last.steps > world.steps):
            return False
        if last is None:
            return True
        if self._touched:
            return self._worked * TOUCHED >= (self._cost or 0.0)
        # The first one finds nothing prepared and says nothing of the cost of others.
        return world.time - last.time >= SPARSE * (1 - 1e-9) and self._worked * PART >= (self._cost or 0.0)

    def take(self, verdict: Verdict, edits: dict[Any, Any]) -> None:
        """Take a snapshot of the present instant, and forget those that are too old or too many."""
        began = time.thread_time()
        try:
            now = PastInstant(self.subject, verdict, edits)
        except SnapshotError as error:
            self.problem = str(error)
            self.instants.clear()
            return
        self.instants.append(now)
        if len(self.instants) > 1:
            cost = time.thread_time() - began
            self._cost = cost if self._cost is None else min(self._cost, cost)
        self._worked, self._touched = 0.0, False
        while len(self.instants) > 2 and self.instants[1].time <= now.time - MINUTE:
            self.instants.pop(0)
        if sum(each.size for each in self.instants) > LARGEST:
            self._thin()

    def _thin(self) -> None:
        """Forget every other snapshot, without which the same instants are reached; after many changes, the oldest ones."""
        thin, dropped = self.instants[:1], False
        for each in self.instants[1:-1]:
            dropped = not dropped and thin[-1].until == math.inf
            if dropped:
                thin[-1].until = each.until
            else:
                thin.append(each)
        thin.append(self.instants[-1])
        while len(thin) > 1 and sum(each.size for each in thin) > LARGEST:
            thin.pop(0)
        self.instants = thin

    def stepped(self, seconds: float) -> None:
        """Note the processor time that a step took [s]."""
        self._worked += seconds
        self.newest = max(self.newest, self.world.steps)

    def lost(self) -> None:
        """Forget everything: someone else has stepped the world."""
        self.instants.clear()
        self.undone.clear()
        self.redone.clear()
        self._cut_at(self.world.steps)

    # ------------------------------------------------------------------------------------------------ going back

    @property
    def first(self) -> tuple[int, float] | None:
        """The number of steps and the time of the first instant that can be reached; None where none can."""
        return (self.instants[0].steps, self.instants[0].time) if self.instants else None

    def back(self, steps: int) -> tuple[PastInstant, int]:
        """Return to the last snapshot before an instant.

        Args:
            steps: The instant, by its number of steps.

        Returns:
            The snapshot, and the number of steps to go on to: that of the instant, or of the nearest one that is known.

        Raises:
            ValueError: No instant can be reached.
            SnapshotError: Populations have come or gone since. The world stays as it is.
        """
        if self.problem:
            raise ValueError(f"this run cannot go back: {self.problem}")
        if not self.instants:
            raise ValueError("this run cannot go back: no earlier instant is known yet")
        number = max(bisect.bisect_right(self.instants, steps, key=lambda each: each.steps) - 1, 0)
        there = self.instants[number]
        there.instant.restore()
        self._there = number
        return there, int(min(max(steps, there.steps), there.until, self.newest))

    def between(self, steps: int) -> None:
        """Take a snapshot on the way to an instant, shortly before it: steps back from there are short ways then."""
        there, now = self.instants[self._there], self.world.steps
        if now != steps - CLOSE or now - there.steps < CLOSE:
            return
        made = PastInstant(self.subject, there.verdict, there.edits)
        made.until, there.until = there.until, math.inf
        self.instants.insert(self._there + 1, made)

    # ---------------------------------------------------------------------------------------------------- undoing

    def remember(self, key: str, words: str, verdict: Verdict, edits: dict[Any, Any], *, held: bool = False) -> bool:
        """Remember the present instant before a change.

        Args:
            key: Changes that follow each other within `GESTURE` with the same key are one.
            words: The change.
            verdict, edits: As for PastInstant.
            held: Whether the key names one hold of the pointer: its changes are one, however long it lasts.

        Returns:
            Whether it was remembered; not where it is part of the change before, or cannot be.
        """
        now = time.perf_counter()
        goes_on = bool(self.undone) and self._last() == len(self.undone) - 1
        if goes_on and self.undone[-1][0] == key and (held or now - self.undone[-1][3] < GESTURE):
            self.undone[-1] = (*self.undone[-1][:3], now)
            return False
        try:
            before = PastInstant(self.subject, verdict, edits)
        except SnapshotError:
            return False
        before.until = self.instants[-1].until if self.instants else math.inf
        self.undone = [*self.undone[-UNDONE + 1 :], (key, words, before, now)]
        while len(self.undone) > 1 and sum(each[2].size for each in self.undone) > LARGEST:
            self.undone.pop(0)
        return True

    def touch(self) -> None:
        """A change was made: the run after this instant is another one."""
        steps = self.world.steps
        self.redone.clear()
        self.instants = [each for each in self.instants if each.steps <= steps]
        self.undone = [each for each in self.undone if each[2].steps <= steps]
        if self.instants:
            self.instants[-1].until = min(self.instants[-1].until, steps)
        self._touched = True
        self._cut_at(steps)

    def undo(self, verdict: Verdict, edits: dict[Any, Any]) -> PastInstant:
        """Return to the instant before the last change.

        Args:
            verdict, edits: As for PastInstant, of the present instant, to which `redo` returns.

        Raises:
            ValueError: There is nothing to undo.
            SnapshotError: Populations have come or gone since. The world stays as it is.
        """
        if (number := self._last()) is None:
            raise ValueError("there is nothing to undo")
        before, now = self.undone[number][2], PastInstant(self.subject, verdict, edits)
        before.instant.restore()
        self.redone.append((self.undone[number], now))
        while len(self.redone) > 1 and sum(each[1].size for each in self.redone) > LARGEST:
            self.redone.pop(0)
        del self.undone[number:]
        self.instants = [each for each in self.instants if each.steps <= before.steps and each.taken < before.taken]
        if self.instants:
            self.instants[-1].until = before.until
        self._touched = True
        self._cut_at(before.steps)
        return before

    def redo(self) -> PastInstant:
        """Return to the instant at which the last change was undone.

        Raises:
            ValueError: There is nothing to redo.
            SnapshotError: Populations have come or gone since. The world stays as it is.
        """
        if not self.redone:
            raise ValueError("there is nothing to redo")
        change, after = self.redone[-1]
        after.instant.restore()
        self.redone.pop()
        self.undone.append(change)
        self.instants = [each for each in self.instants if each.steps <= change[2].steps]
        if self.instants:
            self.instants[-1].until = min(self.instants[-1].until, change[2].steps)
        self._touched = True
        self._cut_at(after.steps)
        return after

    @property
    def change(self) -> str:
        """The change that would be undone, in words; "" for none."""
        return "" if (number := self._last()) is None else self.undone[number][1]

    def _last(self) -> int | None:
        """The number of the last change before the present instant."""
        return next((k for k in reversed(range(len(self.undone))) if self.undone[k][2].steps <= self.world.steps), None)

    def _cut_at(self, steps: int) -> None:
        self.branch, self.cut, self.newest = self.branch + 1, steps, steps
