"""The verdict: the result of a scenario's check when its time is over, and the changes that the user made before.

A check is written for the unchanged scenario. A user that moves a rock or changes a parameter during the run still gets the
result, but also the note that this is no longer a run of the scenario.
"""

from typing import Any

from steersman.runs.documents.stage import Stage

MOST = 4
"""Largest number of changes that are named."""


class Verdict:
    """The verdict on a run at its end.

    Attributes:
        sent: Whether it has been sent.
        touched: Time of the user's first change [s]; None without changes.
    """

    def __init__(self) -> None:
        self.sent = False
        self.touched: float | None = None
        self._deeds: dict[str, None] = {}

    def __copy__(self) -> "Verdict":
        """The same verdict, which later changes leave as it is."""
        same = Verdict()
        same.sent, same.touched, same._deeds = self.sent, self.touched, dict(self._deeds)
        return same

    def touch(self, time: float, deed: str) -> None:
        """Note a change that the user made to the run.

        Args:
            time: The time of the change [s].
            deed: The change in words: "Spheres 0 was moved".
        """
        if self.touched is None:
            self.touched = time
        self._deeds[deed] = None

    def of(self, stage: Stage | None) -> dict[str, Any] | None:
        """The verdict if it is due, once; otherwise None.

        Args:
            stage: The stage; None for a world without a stage.

        Returns:
            problems: The problems, in sentences. unknown: The reason why the check has no result; "" where it has one.
            touched: Time of the user's first change [s], or None. deeds: The changes.
        """
        if self.sent or stage is None or stage.check is None:
            return None
        if stage.world.time < stage.seconds - 0.5 * stage.world.dt:
            return None
        self.sent = True
        problems, unknown = [], ""
        try:
            problems = stage.problems()
        except Exception as error:  # It looks for what is not there any more, or is a user's own and has a mistake.
            unknown = f"{type(error).__name__}: {error}"
        deeds = list(self._deeds)
        more = [f"{len(deeds) - MOST} more"] if len(deeds) > MOST else []
        return {"problems": problems, "unknown": unknown, "touched": self.touched, "deeds": [*deeds[:MOST], *more]}
