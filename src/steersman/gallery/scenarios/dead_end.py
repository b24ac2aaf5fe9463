"""Rovers run into a dead end before their goal, notice that they are stuck, and follow its wall out and around.

Reynolds 1999, "Wall following" and "Obstacle avoidance": no law that looks only ahead finds out of a dead end. Here a
`StuckWatch` looks back, and `Modes` follow the wall until the goal is in sight.
"""

from collections.abc import Callable, Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.deciding import in_mode

TRAP = [[-6, -10], [10, -10], [10, 10], [-6, 10]]
"""Corners of the walls [m]; the fourth side is open, to where the rovers come from."""

GOAL, NEAR = [32, 0], 6
"""The goal of all [m], and the distance from it that counts as there [m]."""

OFFSET = 1.5
"""At which distance they follow the wall [m]."""

WAY_OUT = np.array([[8.5, 0], [8.5, 8.5], [-6, 8.5], [-7.5, 10], [-6, 11.5], [10, 11.5]])
"""Corners of the way of those who follow it, from where they run into it until they see the goal [m]."""


class Trapped(sm.Keeping):
    """When each ran into the dead end, and when it noticed: an observer.

    Attributes:
        entered: When it was there first [s], infinite for never; by id.
        noticed: When it began to follow the wall [s], infinite for never; by id.
    """

    only_watches, saved_attributes = True, ("entered", "noticed")

    def __init__(self, rovers: sm.Vehicles, follow: Callable[[], np.ndarray]) -> None:
        self.rovers, self.follow = rovers, follow
        self.entered, self.noticed = np.full((2, len(rovers)), np.inf)

    def __call__(self, world: sm.World) -> None:
        """Note the rovers in the dead end, and those that follow the wall."""
        ids, there = self.rovers.id, (np.abs(self.rovers.position - [2, 0]) < [8, 10]).all(axis=1)
        self.entered, self.noticed = (extended(each, self.rovers, np.inf) for each in (self.entered, self.noticed))
        for record, now in ((self.entered, there), (self.noticed, self.follow())):
            record[ids[now]] = np.minimum(record[ids[now]], world.time)

    def part(self, _: sm.Vehicles) -> float:
        """Which part of them was there."""
        return mean(np.isfinite(self.entered[self.rovers.id]))

    def wait(self, which: Callable[[np.ndarray], float]) -> Callable[[sm.Vehicles], float]:
        """A metric: a statistic of how long they took to notice [s]."""

        def seconds(_: sm.Vehicles) -> float:
            known = np.isfinite(self.noticed)
            return float(which(self.noticed[known] - np.minimum(self.entered[known], 1e3))) if known.any() else np.nan

        return seconds


class Following(sm.Keeping):
    """How well they keep the distance from the wall while they follow it: an observer.

    Attributes:
        since: For how long each has followed it, since it came to it [s], by id.
        error: Sum of their distances from where they should be, of those that follow it for a second [m].
        looks: How many these were.
    """

    only_watches, saved_attributes = True, ("since", "error", "looks")

    def __init__(self, rovers: sm.Vehicles, trap: sm.Walls, follow: Callable[[], np.ndarray]) -> None:
        self.rovers, self.trap, self.follow = rovers, trap, follow
        self.since, self.error, self.looks = np.zeros(len(rovers)), 0.0, 0

    def __call__(self, world: sm.World) -> None:
        """Note how far from the wall they are."""
        ids = self.rovers.id
        self.since = extended(self.since, self.rovers)
        there = (self.since[ids] > 0) | (self.trap.nearest(self.rovers.position).distance < 2 * OFFSET)
        self.since[ids] = np.where(self.follow() & there, self.since[ids] + 0.1, 0.0)
        along = self.since[ids] > 1
        self.error += float(np.abs(self.trap.nearest(self.rovers.position[along]).distance - OFFSET).sum())
        self.looks += int(along.sum())

    def mean(self, _: sm.Vehicles) -> float:
        """The mean distance from where they should be [m]; NaN where none followed the wall."""
        return self.error / self.looks if self.looks else np.nan


def make(*, n: int = 8, seed: int = 0) -> sm.Stage:
    """Put n rovers before the open side; each steers for itself, and they pass through each other."""
    rng = np.random.default_rng(seed)
    trap = sm.Walls(TRAP)
    queue = (np.arange(n) + rng.uniform(0, 0.5, n)) / n
    places = np.column_stack([-22 - 96 * queue, rng.uniform(-8, 8, n)])
    rovers = sm.Vehicles(places, [4, 0], max_speed=6, max_force=30)

    world = sm.World(seed=seed)
    in_sight = sm.Sees(GOAL, range=100, occluders=trap)
    stuck = sm.StuckWatch("rovers", radius=15, seconds=5, goal=GOAL, arrived=NEAR)
    world.add(
        rovers,
        name="rovers",
        steering=sm.Modes(
            {
                "go": sm.Priority([sm.AvoidObstacles(trap, lookahead=1), sm.Arrive(GOAL)]),
                "get out": sm.FollowWall(trap, offset=OFFSET, speed=5),
            },
            start="go",
            transitions=[
                ("go", "get out", sm.Where(stuck.holds, name="it is stuck") & ~in_sight),
                ("get out", "go", in_sight),
            ],
        ),
    )
    world.on_step(stuck)

    def follow() -> np.ndarray:
        return in_mode(world.populations["rovers"], "get out")

    trapped, following = Trapped(rovers, follow), Following(rovers, trap, follow)
    for each in (trapped, following):
        world.on_step(each, sm.EverySeconds(0.1))
    world.watch("rovers", following=following.mean)
    world.watch("rovers", trapped=trapped.part, wait=trapped.wait(np.median), uneven=trapped.wait(np.ptp))
    world.watch("rovers", there=lambda vehicles: mean(np.linalg.norm(vehicles.position - GOAL, axis=1) < NEAR))
    world.watch("rovers", "penetration", every=sm.EverySteps(1))

    def troubles() -> Iterator[sm.shapes.Shape]:
        """Who is stuck."""
        held = stuck.holds(rovers) & ~follow()
        yield sm.shapes.Circle(rovers.position[held], 2.5, role="danger", label="stuck")

    return sm.Stage(
        world,
        seconds=58,
        notes=[
            troubles,
            sm.shapes.Line(WAY_OUT, role="target", label="the way out, along the wall"),
            sm.shapes.Arrow(WAY_OUT[-1:], np.array([GOAL]), role="target"),
        ],
        scenery={"wall of the dead end": trap},
        picture=sm.Picture(
            looks={"ground": "sand", "goal": "flag"},
            glyphs="car",
            trails=30,
            size=1.3,
            at=[8, 20, 32],
            close_up=56,
            sketch={"rovers": [6]},
            opens=25.05,
        ),
        colors={"rovers": "blue"},
        labels={"goal": GOAL, "a dead end": [0, -7]},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Most ran into the dead end; all came out along its wall, through none, and are at the goal."""
    meters = stage.meters
    if not (trapped := meters["rovers.trapped"].now) > 0.5:
        yield f"most must have been in the dead end, but only {trapped:.0%} were"
    wait, uneven = meters["rovers.wait"].now, meters["rovers.uneven"].now
    if not (4 < wait < 12 and uneven < 12):
        yield f"they must notice it 4 to 12 s after they ran in, but took {wait:.1f} s, and one {uneven:.1f} s longer"
    if not (error := meters["rovers.following"].now) < OFFSET / 3:
        yield f"they must follow the wall at {OFFSET} m, but were {error:.2f} m nearer or farther"
    if (depth := meters["rovers.penetration"].greatest) > 0:
        yield f"no vehicle may touch a wall, but one did by {depth:.3f} m"
    if (there := meters["rovers.there"].now) < 1:
        yield f"all must be at the goal, but only {there:.0%} are"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "priority", "Reynolds 1999"),
    most=40,
    impostors={
        "a clock for StuckWatch": instead(sm.Where, sm.After(18)),
        "an early clock for StuckWatch": instead(sm.Where, sm.After(9)),
        "never stuck": instead(sm.Where, sm.Where(lambda vehicles: np.zeros(len(vehicles), bool))),
        "without FollowWall": without(sm.FollowWall),
        "Wander for FollowWall": instead(
            sm.FollowWall, lambda old: sm.Priority([sm.AvoidObstacles(old.walls), sm.Wander()])
        ),
        "giving up at once": instead(sm.Sees, sm.After(1)),
    },
)
