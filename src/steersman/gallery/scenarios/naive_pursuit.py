"""Two hunters chase equal quarries: the one that aims at where its quarry will be cuts the corner and wins.

Reynolds 1999, "Pursuit"; project notes, figure 5: naive pursuit beside pursuit with prediction. To the left hunters seek
where their quarry is, and so end up behind it; to the right they pursue. All else is equal. With d the distance at first,
across the quarry's way, V the hunter's speed and v the quarry's, the one takes d V / (V^2 - v^2), the other
d / sqrt(V^2 - v^2).
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import gaps, largest, pairs
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

TOUCH = 2.0
"""How near a hunter must come to catch his quarry [m]."""


def make(*, n: int = 3, seed: int = 0) -> sm.Stage:
    """Put n hunters below n quarries on lanes that go to the right, and all of them once more beside that."""
    rng = np.random.default_rng(seed)
    lanes = np.arange(n)[:, None] * [3, 16] + rng.uniform(-2, 2, (n, 2))
    below = lanes - [0, 40] + rng.uniform([-4, -2], [4, 2], (n, 2))
    own = np.arange(n)

    world = sm.World(seed=seed)
    for hunter, at in [("naive", [0, 0]), ("predicting", [140, 0])]:
        quarries = sm.Vehicles(lanes + at, [8, 0], max_speed=8, max_force=20)
        hunters = sm.Vehicles(below + at, [0, 6], max_speed=10, max_force=30, response_time=0.2)
        world.add(quarries, name=f"{hunter}: quarries", steering=sm.MatchVelocity([8, 0]))
        hunt = (
            sm.Seek(quarries, which=own)
            if hunter == "naive"
            else sm.Pursue(quarries, which=own, prediction=sm.Intercept())
        )
        world.add(hunters, name=f"{hunter}: hunters", steering=hunt)
        world.watch(f"{hunter}: quarries", "mean_speed")
        world.watch(f"{hunter}: hunters", gap=lambda vehicles, prey=quarries: largest(gaps(vehicles, prey)))

    def aims() -> Iterator[sm.shapes.Shape]:
        """Where each hunter aims: at its quarry, or where the two will meet."""
        for name in ("naive", "predicting"):
            hunters, prey = world[f"{name}: hunters"], world[f"{name}: quarries"]
            rows, others = pairs(hunters, prey)
            at, run = prey.position[others].astype(float), prey.velocity[others].astype(float)
            if name == "predicting":
                way = at - hunters.position[rows]
                a = hunters.max_speed[rows].astype(float) ** 2 - np.sum(run**2, axis=1)
                b, c = np.sum(way * run, axis=1), np.sum(way**2, axis=1)
                at += ((b + np.sqrt(b * b + a * c)) / a)[:, None] * run
                yield sm.shapes.Cross(at, role="predicted", label="where they will meet")
            yield sm.shapes.segment(hunters.position[rows], at, role="predicted" if name == "predicting" else "target")

    def rivals() -> Iterator[sm.shapes.Shape]:
        """Where the first hunter that predicts is, beside the first naive one, whose quarry runs on the same lane."""
        hunter = world["predicting: hunters"]
        there = hunter.position[:1] - np.array([140, 0])
        yield sm.shapes.Pose(
            there, hunter.forward[:1], hunter.radius[:1], role="predicted", label="a hunter that predicts would be here"
        )

    ways = [sm.shapes.segment(lanes + np.array([x, 0]), lanes + np.array([x + 100, 0])) for x in (0, 140)]
    return sm.Stage(
        world,
        seconds=14,
        labels={"naive: aims at where it is": [-8, -52], "predicting: aims at where it will be": [132, -52]},
        notes=[*ways, aims, rivals],
        picture=sm.Picture(
            trails=14,
            size=1.6,
            glyphs={name: "wolf" if "hunters" in name else "deer" for name in world.populations},
            looks={"ground": "steppe"},
            dots=1,
            at=4,
            sketch={"naive: hunters": [0], "predicting: hunters": [0]},
            close_up=46,
            opens=1.2,
        ),
        colors={
            "naive: hunters": "orange",
            "predicting: hunters": "red",
            "naive: quarries": "sky",
            "predicting: quarries": "sky",
        },
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Both catch their quarries, but prediction does so much sooner."""
    caught = {}
    for hunter in ("naive", "predicting"):
        gap = stage.meters[f"{hunter}: hunters.gap"]
        if not (speed := stage.meters[f"{hunter}: quarries.mean_speed"].values.mean()) > 7:
            yield f"the quarries of the {hunter} must run on, but did so at {speed:.1f} m/s"
        caught[hunter] = gap.times[gap.values < TOUCH].min(initial=np.inf)
        if caught[hunter] == np.inf:
            yield f"the {hunter} must catch their quarries, but one is still {gap.now:.1f} m away"
    if not caught["predicting"] < 0.75 * caught["naive"]:
        yield "prediction must catch in three quarters of the time, but took {predicting:.1f} s, not {naive:.1f}".format(
            **caught
        )


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999", "project notes"),
    exempt={f"{name}: quarries: drift": "they go straight on, as they began" for name in ("naive", "predicting")},
    impostors={
        "Pursue for Seek": instead(sm.Seek, lambda old: sm.Pursue(old.target, which=old.which)),
        "Shadow for Pursue": instead(sm.Pursue, lambda old: sm.Shadow(old.quarry, which=old.which)),
        "without Pursue": without(sm.Pursue),
        "without Seek": without(sm.Seek),
    },
)
