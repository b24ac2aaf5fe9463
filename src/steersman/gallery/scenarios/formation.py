"""Followers come from anywhere, take slots in a wedge behind their leader, and hold them as it circles.

A formation in the sense of Reynolds' "Offset pursuit" and "Leader following" (1999), with a slot for every follower:
the nearness to the slots decides which follower takes which.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

SPACING = 4.0
"""Distance between neighbors [m]."""


def make(*, n: int = 10, seed: int = 0) -> sm.Stage:
    """Put n followers anywhere, and a leader that goes round in a wide circle."""
    rng = np.random.default_rng(seed)
    course = sm.Path(sm.spawn.circle(60, radius=45, center=[0, 45], start=-np.pi / 2), radius=4, closed=True)
    leader = sm.Vehicles([[0, 0]], max_speed=4, max_force=4)
    followers = sm.Vehicles(sm.spawn.disc(n, radius=10 + 2 * n**0.5, apart=2, rng=rng), max_speed=9, max_force=30)
    world = sm.World(seed=seed)
    world.add(followers, name="followers", steering=sm.Formation(leader, slots="wedge", spacing=SPACING))
    world.add(leader, name="leader", steering=sm.FollowPath(course))
    world.watch("leader", "progress", to=course)
    world.watch("followers", "overlap", empty=lambda followers: empty(followers, leader))

    def wedge() -> Iterator[sm.shapes.Shape]:
        """The slots, which go with the leader."""
        yield sm.shapes.Circle(slots_of(len(followers), leader), 1.2, role="target", label="slots of the wedge")
        yield sm.shapes.Circle(leader.position, 1.8, role="chosen", label="leader")

    return sm.Stage(
        world,
        seconds=40,
        notes=[wedge],
        scenery={"course": course},
        picture=sm.Picture(
            looks={"ground": "earth", "course": "sand"},
            glyphs="person",
            trails=4,
            at=(0, 4, 33),
            sketch={"followers": [2]},
            opens=0.2,
        ),
        colors={"followers": "blue", "leader": "orange"},
    )


def slots_of(n: int, leader: sm.Vehicles) -> np.ndarray:
    """The places of n followers [m], shape (n, 2); none without a leader."""
    if not len(leader):
        return np.zeros((0, 2))
    local = sm.laws.formation_slots("wedge", n, SPACING)
    return np.asarray(leader.position[0] + sm.laws.to_global(local, np.stack([leader.forward[0], leader.side[0]])))


def empty(followers: sm.Vehicles, leader: sm.Vehicles) -> float:
    """How far the nearest follower is from the slot that is worst filled [m]."""
    slots = slots_of(len(followers), leader)
    return float(np.linalg.norm(slots[:, None] - followers.position, axis=2).min(axis=1, initial=np.inf).max(initial=0))


def check(stage: sm.Stage) -> Iterator[str]:
    """From 15 s on every slot is filled, and no follower is in another's."""
    if not (pace := stage.meters["leader.progress"].values[60:].mean()) > 3:
        yield f"the leader must go round at 3 m/s or more, but did at {pace:.1f} m/s"
    worst = stage.meters["followers.empty"].values[60:].max()
    if not worst < 0.3 * SPACING:
        yield f"all slots must be filled after 15 s, but the nearest to one was {worst:.1f} m away"
    if (deep := stage.meters["followers.overlap"].values[60:].max()) > 0:
        yield f"no vehicle may be in the slot of another, but two overlapped by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "formation"),
    most=16,
    impostors={
        "without Formation": without(sm.Formation),
        "FollowLeader for Formation": instead(sm.Formation, lambda old: sm.FollowLeader(old.around)),
        "OffsetPursuit for Formation": instead(
            sm.Formation, lambda old: sm.OffsetPursuit(old.around, offset=[-4.0, 4.0])
        ),
        "another formation": instead(sm.Formation, lambda old: old.replace(slots="circle")),
    },
)
