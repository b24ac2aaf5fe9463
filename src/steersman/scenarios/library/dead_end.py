"""Rovers run into a dead end before their goal, notice that they do not get on, and follow its wall out and around.

Reynolds 1999, "Wall following" and "Obstacle avoidance": no law that looks only ahead finds out of a dead end. Here a
`StuckWatch` looks back, and `Modes` follow the wall until the goal is in sight.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.scenarios.impostors import instead, without
from steersman.scenarios.scenario import Scenario

TRAP = [[-6, -10], [10, -10], [10, 10], [-6, 10]]
"""Corners of the walls [m]; the fourth side is open, to where the rovers come from."""

GOAL, NEAR = [32, 0], 6
"""Where all want to be [m], and how near to it counts as there [m]."""


def make(*, n: int = 8, seed: int = 0) -> sm.Stage:
    """Put n rovers before the open side; each steers for itself, and they pass through each other."""
    rng = np.random.default_rng(seed)
    trap = sm.Walls(TRAP)
    rovers = sm.Vehicles(sm.spawn.box(n, [12, 16], center=[-28, 0], rng=rng), [4, 0], max_speed=6, max_force=30)

    world = sm.World(seed=seed)
    stuck = sm.StuckWatch("rovers", radius=12, seconds=5, goal=GOAL, arrived=NEAR)
    world.add(
        rovers,
        name="rovers",
        steering=sm.Modes(
            {
                "go": sm.Priority([sm.AvoidObstacles(trap, lookahead=1), sm.Arrive(GOAL)]),
                "get out": sm.FollowWall(trap, offset=1.5, speed=5),
            },
            start="go",
            transitions=[
                ("go", "get out", sm.Where(stuck.holds)),
                ("get out", "go", sm.Sees(GOAL, range=100, occluders=trap)),
            ],
        ),
    )
    world.on_step(stuck)

    caught = np.zeros(n, bool)

    def trapped(them: sm.Vehicles) -> float:
        caught[:] |= (np.abs(them.position - [2, 0]) < [8, 10]).all(axis=1)
        return float(caught.mean())

    world.watch("rovers", trapped=trapped)
    world.watch("rovers", there=lambda them: (np.linalg.norm(them.position - GOAL, axis=1) < NEAR).mean())
    world.watch("rovers", "penetration", every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=40,
        scenery={"trap": trap},
        picture=sm.Picture(trails=30, size=1.3, at=[8, 20, 40]),
        colors={"rovers": "blue"},
        labels={"goal": GOAL},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Most ran into the dead end; all came out, through no wall, and are at the goal."""
    meters = stage.meters
    if not (trapped := meters["rovers.trapped"].now) > 0.5:
        yield f"most must have been in the dead end, but only {trapped:.0%} were"
    if (depth := meters["rovers.penetration"].greatest) > 0:
        yield f"nobody may touch a wall, but somebody did by {depth:.3f} m"
    if (there := meters["rovers.there"].now) < 1:
        yield f"all must be at the goal, but only {there:.0%} are"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "priority", "Reynolds 1999"),
    most=40,
    impostors={
        "never stuck": instead(sm.Where, sm.Where(lambda vehicles: np.zeros(len(vehicles), bool))),
        "without FollowWall": without(sm.FollowWall),
        "Wander for FollowWall": instead(
            sm.FollowWall, lambda it: sm.Priority([sm.AvoidObstacles(it.walls), sm.Wander()])
        ),
        "without AvoidObstacles": without(sm.AvoidObstacles),
        "giving up at once": instead(sm.Sees, sm.After(1)),
    },
)
