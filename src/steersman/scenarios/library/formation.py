"""Formation: followers take slots in a wedge behind their leader, and hold them as it goes its way."""

from typing import Any

import numpy as np

from steersman.scenarios.old import OldScenario, meters_of
from steersman.steering.laws.leading import formation_slots
from steersman.steering.laws.vectors import to_global
from steersman.world.world import World

SPACING = 4.0
"""Distance between neighbors [m]."""


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n followers anywhere, and a leader that goes round a course with wide bends."""
    bends = [[60.0, 0.0], [95.0, 30.0], [60.0, 60.0], [0.0, 60.0], [-35.0, 30.0], [0.0, 0.0]]
    return {
        "seconds": 40.0,
        "picture": {"trails": 4.0},
        "paths": [{"name": "course", "points": bends, "radius": 4.0, "closed": True}],
        "populations": [
            {
                "name": "followers",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "disc", "center": [0.0, 0.0], "radius": 10.0 + 2.0 * n**0.5},
                "max_speed": 9.0,
                "max_force": 30.0,
                "metrics": ["mean_speed", "overlap", {"metric": "distance_to", "to": "leader"}],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Formation", "around": "leader", "slots": "wedge", "spacing": SPACING},
                        {"behavior": "Separation", "radius": 2.5},
                    ],
                },
            },
            {
                "name": "leader",
                "n": 1,
                "color": "orange",
                "spawn": {"shape": "points", "position": [[0.0, 0.0]]},
                "max_speed": 4.0,
                "max_force": 4.0,
                "steering": {"behavior": "FollowPath", "path": "course", "law": "predicted"},
            },
        ],
    }


def slot_errors(world: World) -> Any:
    """Distance of every slot from the nearest follower [m]."""
    leader, followers = world["leader"], world["followers"]
    forward = leader.forward[0].astype(float)
    local = formation_slots("wedge", len(followers), SPACING)
    slots = leader.position[0] + to_global(local, np.array([forward, [forward[1], -forward[0]]]))
    return np.min(np.linalg.norm(slots[:, None] - followers.position[None], axis=2), axis=1)


def check(world: World) -> list[str]:
    """Every slot is filled, at the leader's speed."""
    problems = []
    error = float(slot_errors(world).max())
    if not error < 0.5 * SPACING:
        problems.append(f"all slots must be filled, but the nearest to one is {error:.1f} m away")
    if not meters_of(world)["followers.mean_speed"].now > 3.0:
        problems.append("they must move along with the leader")
    return problems


SCENARIO = OldScenario(
    name="formation",
    shows="Followers take slots in a wedge behind their leader, and hold them as it goes its way.",
    tags=("group", "formation"),
    dimensions=2,
    n=10,
    document=document,
    check=check,
)
