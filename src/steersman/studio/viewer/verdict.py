"""The verdict: what the check of a scenario says when its time is over, and whether somebody had touched the run before.

A check is written for the scenario as it is made. Whoever drags a rock or turns a knob on the way wants to know how it ends
all the same, but also that this is no run of the scenario any more.
"""

from typing import Any

from steersman.runs.documents.stage import Stage

MOST = 4
"""Touches that are named, at most."""


class Verdict:
    """What is to be said of a run at its end.

    Attributes:
        said: Whether it has been said.
        touched: When somebody touched the run first [s]; None where nobody has.
    """

    def __init__(self) -> None:
        self.said = False
        self.touched: float | None = None
        self._deeds: dict[str, None] = {}

    def touch(self, time: float, deed: str) -> None:
        """Somebody has done something that the scenario does not do by itself.

        Args:
            time: When [s].
            deed: What, in words: "Spheres 0 was moved".
        """
        if self.touched is None:
            self.touched = time
        self._deeds[deed] = None

    def of(self, stage: Stage | None) -> dict[str, Any] | None:
        """What is to be told now, once; None where nothing is to be.

        Args:
            stage: The stage; None of a world that stands on none.

        Returns:
            problems: What is wrong, in sentences. unknown: Why the check could not say; "" where it could. touched: When
            somebody touched it first [s], or None. deeds: What was done.
        """
        if self.said or stage is None or stage.check is None:
            return None
        if stage.world.time < stage.seconds - 0.5 * stage.world.dt:
            return None
        self.said = True
        problems, unknown = [], ""
        try:
            problems = stage.problems()
        except Exception as error:  # It looks for what is not there any more, or is a user's own and has a mistake.
            unknown = f"{type(error).__name__}: {error}"
        deeds = list(self._deeds)
        more = [f"{len(deeds) - MOST} more"] if len(deeds) > MOST else []
        return {"problems": problems, "unknown": unknown, "touched": self.touched, "deeds": [*deeds[:MOST], *more]}
