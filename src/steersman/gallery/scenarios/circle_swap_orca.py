"""Walkers on a circle cross to the opposite side, by reciprocal velocity obstacles, and never touch each other.

Van den Berg et al. 2011. Compare `circle_swap`.
"""

from collections.abc import Iterator

import steersman as sm
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.scenarios.circle_swap import swap


def make(*, n: int = 80, seed: int = 0) -> sm.Stage:
    """Put n vehicles on a circle, strong enough to take any velocity at once, as ORCA has it."""
    return swap(
        n,
        seed,
        lambda there: sm.ORCA(time_horizon=2.5, toward=there, k=10, margin=0.1),
        late=2.15,
        explained=51,
        opens=19.96,
        close_up=10,
        max_force=200,
        response_time="step",
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All walkers are across in time, and none has touched another."""
    if not (arrived := stage.meters["walkers.arrived"].now) > 0.95:
        yield f"they must get across in time, but only {arrived:.0%} did"
    if (deep := stage.meters["walkers.overlap"].greatest) > 0:
        yield f"no two vehicles may touch, but two overlapped by {deep:.3f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "crowd", "van den Berg 2011"),
    least=8,
    quick=48,
    impostors={
        "without ORCA": instead(sm.ORCA, lambda old: old.toward),
        "Separation for ORCA": instead(sm.ORCA, lambda old: old.toward + sm.Separation(radius=2)),
        "a quarter of the avoiding": instead(sm.ORCA, lambda old: old.replace(share=0.125)),
        "AvoidNeighbors for ORCA": instead(
            sm.ORCA, lambda old: sm.Priority([sm.AvoidNeighbors(lookahead=2.5), old.toward])
        ),
    },
)
