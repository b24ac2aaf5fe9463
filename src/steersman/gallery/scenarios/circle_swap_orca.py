"""Walkers on a circle cross to the opposite side, by reciprocal velocity obstacles, and never touch each other.

Van den Berg et al. 2011. Compare `circle_swap`.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.scenarios.circle_swap import swap

HORIZON, MARGIN = 2.5, 0.1
"""How far walkers look ahead [s], and the room that they keep [m]."""

EXPLAINED = 49
"""The walker that the window explains."""


def make(*, n: int = 80, seed: int = 0) -> sm.Stage:
    """Put n vehicles on a circle, strong enough to take any velocity at once, as ORCA has it."""
    stage = swap(
        n,
        seed,
        lambda there: sm.ORCA(time_horizon=HORIZON, toward=there, k=10, margin=MARGIN),
        late=2.15,
        explained=EXPLAINED,
        opens=22.13,
        close_up=9,
        max_force=200,
        response_time="step",
    )
    walkers = stage.world["walkers"]
    goals = -walkers.position.astype(float)

    def avoided() -> Iterator[sm.shapes.Shape]:
        """Those whom the explained walker would run into if it went straight to its goal, and they went on."""
        own = np.flatnonzero(walkers.id == EXPLAINED)
        wish = goals[walkers.id[own]] - walkers.position[own]
        wish *= walkers.max_speed[own, None] / np.maximum(np.linalg.norm(wish, axis=1, keepdims=True), 1e-9)
        for me, straight in zip(own, wish, strict=True):
            way, closing = walkers.position - walkers.position[me], walkers.velocity - straight
            when = -np.sum(way * closing, axis=1) / np.maximum(np.sum(closing**2, axis=1), 1e-9)
            miss = np.linalg.norm(way + np.clip(when, 0, HORIZON)[:, None] * closing, axis=1)
            there = (miss < walkers.radius + walkers.radius[me] + MARGIN) & (walkers.id != EXPLAINED)
            yield sm.shapes.Circle(walkers.position[there], 0.7, role="danger", label="in its way")

    stage.notes = [avoided]
    return stage


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
