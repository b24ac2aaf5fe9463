"""Bots race around a walled course, overtake each other, and touch neither the walls nor one another.

The game AI lecture's example of combined behaviors: path following, wall avoidance, separation. They are put together as
there: urgent behaviors come first, and the next one gets the rest of the force.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.laps import Laps
from steersman.gallery.making.scenario import Scenario

OUTER = [[4, 6], [60, 4], [78, 16], [118, 8], [136, 24], [134, 74], [112, 86], [84, 72], [50, 88], [10, 82]]
"""Corners of the wall around the course [m]."""

INNER = [
    [20, 27],
    [25, 21.4],
    [56, 18],
    [74, 34],
    [110, 26],
    [118, 34],
    [118, 64],
    [106, 68],
    [82, 54],
    [46, 70],
    [24, 66],
]
"""Corners of the wall in the middle [m]."""

LINE = [[12, 14], [58, 11], [76, 25], [114, 17], [127, 29], [126, 69], [109, 77], [83, 63], [48, 79], [17, 74]]
"""Corners of the line that is raced along [m]."""


def make(*, n: int = 10, seed: int = 0) -> sm.Stage:
    """Put n bots of different speeds on the line, the fastest last."""
    rng = np.random.default_rng(seed)
    walls = sm.Walls([OUTER, INNER], closed=True, seen_from="inside")
    line = sm.Path(LINE, radius=3, closed=True)
    grid = line.point_at(np.arange(n) * min(5, line.length / (n + 1)))
    bots = sm.Vehicles(
        grid, max_speed=np.sort(rng.uniform(9, 12, n))[::-1], max_force=80, response_time=0.15, radius=0.8
    )

    world = sm.World(seed=seed, dt=1 / 30)
    world.add(
        bots,
        name="bots",
        steering=sm.TruncatedSum(
            [sm.AvoidWalls(walls, reach=7), sm.Separation(radius=4), sm.FollowPath(line, law="predicted", reach=7)]
        ),
    )
    laps = Laps(bots, line)
    world.on_step(laps, sm.EverySeconds(0.25))
    world.watch("bots", "mean_speed", laps=laps.slowest)
    world.watch("bots", "penetration", "overlap", every=sm.EverySteps(1))

    return sm.Stage(
        world,
        seconds=60,
        scenery={"walls": walls, "racing line": line},
        picture=sm.Picture(
            looks={"ground": "paving", "racing line": "asphalt"},
            trails=4,
            size=0.95,
            glyphs="car",
            at=12,
            close_up=32,
            sketch={"bots": [9]},
            opens=29.4,
        ),
        colors={"bots": "purple"},
        labels={"dashed: the racing line": [27.0, 60.0], "walls on both sides": [60.0, 44.0]},
        notes=[
            sm.shapes.Arrow(np.array([[20.0, 0.0]]), np.array([[40.0, 0.0]]), role="guide", label="this way round"),
            sm.shapes.segment(np.array([[12.0, 18.5]]), np.array([[12.0, 9.0]]), role="guide", label="start"),
        ],
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All bots have gone around, and touched no wall and no other."""
    laps, depth, overlap = (
        stage.meters["bots.laps"].now,
        stage.meters["bots.penetration"].greatest,
        stage.meters["bots.overlap"].greatest,
    )
    if not laps >= 1.2:
        yield f"all vehicles must race 1.2 laps, but the slowest is at {laps:.2f}"
    if not depth < 0.1:
        yield f"no vehicle may touch a wall, but one did by {depth:.2f} m"
    if overlap > 0:
        yield f"they must keep apart, but one ran {overlap:.2f} m into another"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "path", "obstacles", "truncated sum", "game AI lecture"),
    least=6,
    most=10,
    impostors={
        "without FollowPath": without(sm.FollowPath),
        "a Priority for the sum": instead(sm.TruncatedSum, lambda old: sm.Priority(old.components)),
        "StayOnPath": instead(sm.FollowPath, lambda old: sm.StayOnPath(old.path)),
    },
)
