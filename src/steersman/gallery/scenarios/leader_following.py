"""A crowd stays behind its leader, and steps out of its way when it turns around and comes straight at them.

Reynolds 1999, "Leader following": arrive behind the leader, keep apart, and clear the rectangle ahead of it. The leader
walks to and fro, so that it meets its followers after every turn.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

ROUND = [[25, 0], [-25, 5], [0, 25], [0, -20]]
"""Where the leader goes [m]."""


def make(*, n: int = 14, seed: int = 0) -> sm.Stage:
    """Put n followers behind the start of a leader."""
    rng = np.random.default_rng(seed)
    radius = 4 + 1.5 * n**0.5
    leader = sm.Vehicles([[0, 0]], max_speed=2, max_force=8)
    followers = sm.Vehicles(
        sm.spawn.disc(n, radius, center=[-radius - 2, 0], apart=1.5, rng=rng), max_speed=4, max_force=16
    )
    world = sm.World(seed=seed)
    world.add(followers, name="followers", steering=sm.FollowLeader(leader, behind=5, clear_length=12, clear_width=6))
    world.add(leader, name="leader", steering=sm.Patrol(ROUND))
    world.watch("followers", "overlap", every=sm.EverySteps(1))
    world.watch("followers", "closest_to", to=leader, every=sm.EverySteps(1))
    world.watch("followers", "distance_to", to=leader)
    for k, place in enumerate(ROUND[:2]):
        near: dict[str, Any] = {f"from_{k + 1}": "closest_to"}
        world.watch("leader", to=place, **near)
    world.watch("followers", in_the_way=lambda crowd: in_the_way(crowd, leader))

    return sm.Stage(
        world,
        seconds=40,
        notes=[sm.shapes.Line(np.array(ROUND), closed=True, label="round of the leader")],
        picture=sm.Picture(
            looks={"ground": "snow"},
            glyphs="person",
            trails=5,
            at=(12, 15, 18),
            close_up=17,
            sketch={"followers": [9]},
            opens=12.5,
        ),
        colors={"followers": "blue", "leader": "orange"},
    )


def in_the_way(crowd: sm.Vehicles, leader: sm.Vehicles) -> float:
    """How many are in the rectangle of 5 m by 1.6 m ahead of the leader."""
    if not len(leader):
        return 0.0
    offset = crowd.position - leader.position[0]
    ahead, aside = offset @ leader.forward[0], offset @ leader.side[0]
    return float(np.sum((ahead > 0) & (ahead < 5) & (np.abs(aside) < 0.8)))


def check(stage: sm.Stage) -> Iterator[str]:
    """They are with the leader, behind it; it ran into none of them, nor did they run into each other."""
    meters, n = stage.meters, len(stage.world["followers"])
    for k in (1, 2):
        if not (off := meters[f"leader.from_{k}"].least) < 8:
            yield f"the leader must walk to and fro, but stayed {off:.0f} m away from place {k}"
    behind = meters["followers.distance_to"].values[-80:].mean()
    if not behind < 6 + 1.2 * n**0.5:
        yield f"they must stay with the leader, but in the last 20 s were {behind:.1f} m away on average"
    if not (there := meters["followers.in_the_way"].values[20:].mean()) < 0.0085 * max(n, 10):
        yield f"they must clear the leader's way, but on average {there:.2f} of them were in it"
    if not (closest := meters["followers.closest_to"].least) > 0.9:
        yield f"no vehicle may touch the leader, but one came as near as {closest:.2f} m"
    if not (deep := meters["followers.overlap"].greatest) < 0.1:
        yield f"they must not crowd, but two overlapped by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "Reynolds 1999"),
    most=16,
    impostors={
        "without FollowLeader": without(sm.FollowLeader),
        "Arrive for FollowLeader": instead(sm.FollowLeader, lambda old: sm.Arrive(old.leader)),
        "OffsetPursuit for FollowLeader": instead(
            sm.FollowLeader, lambda old: sm.OffsetPursuit(old.leader, offset=[-5, 0])
        ),
        "OffsetPursuit and Separation for FollowLeader": instead(
            sm.FollowLeader, lambda old: sm.OffsetPursuit(old.leader, offset=[-5, 0]) + sm.Separation(radius=3)
        ),
        "its way is not cleared": instead(sm.FollowLeader, lambda old: old.replace(clear_length=0.0)),
    },
)
