"""Leader following: a crowd stays behind its leader, and out of its way. Reynolds 1999, "Leader following"."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n followers behind the start of a leader that walks to and fro, so that it meets them after every turn."""
    radius = 4.0 + 1.5 * n**0.5
    return {
        "seconds": 40.0,
        "picture": {"trails": 5.0},
        "populations": [
            {
                "name": "followers",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "disc", "center": [-radius - 2.0, 0.0], "radius": radius},
                "max_speed": 4.0,
                "max_force": 16.0,
                "metrics": [
                    "mean_speed",
                    "overlapping",
                    {"metric": "distance_to", "to": "leader"},
                    {"metric": "closest_to", "to": "leader"},
                ],
                "steering": {"behavior": "FollowLeader", "leader": "leader"},
            },
            {
                "name": "leader",
                "n": 1,
                "color": "orange",
                "spawn": {"shape": "points", "position": [[0.0, 0.0]]},
                "max_speed": 2.0,
                "max_force": 8.0,
                "steering": {
                    "behavior": "Patrol",
                    "checkpoints": [[25.0, 0.0], [-25.0, 5.0], [0.0, 25.0], [0.0, -20.0]],
                },
            },
        ],
    }


def check(world: World) -> list[str]:
    """They are with the leader, and were never run over by it."""
    meters, problems, n = meters_of(world), [], len(world["followers"])
    distance = meters["followers.distance_to"].now
    if not distance < 4.0 + 1.5 * n**0.5:
        problems.append(f"they must stay with the leader, but are {distance:.1f} m away on average")
    if not meters["followers.mean_speed"].now > 0.8:
        problems.append("they must move along with the leader")
    if not meters["followers.overlapping"].now < 0.05:
        problems.append(f"they must not crowd, but {meters['followers.overlapping'].now:.0%} overlap")
    closest = meters["followers.closest_to"].least
    if not closest > 0.9:
        problems.append(f"they must keep clear of the leader, but one came as near as {closest:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="leader_following",
    shows="A crowd stays behind its leader, and steps out of its way when it turns round.",
    tags=("group", "Reynolds 1999"),
    dimensions=2,
    n=14,
    document=document,
    check=check,
)
