"""Two streams pass in a bent corridor, because all walkers keep to the wall on their right, around every corner.

Reynolds 1999, "Wall following". The walkers do not know the way, or see the others: the wall leads them through.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

NORTH = [[-6, 2.5], [19.5, 2.5], [19.5, 18.5], [48, 18.5]]
SOUTH = [[-6, -2.5], [24.5, -2.5], [24.5, 13.5], [48, 13.5]]
"""Corners of the walls [m]."""

OFFSET = 1
"""Distance to keep from the wall [m]."""


def make(*, n: int = 8, seed: int = 0) -> sm.Stage:
    """Let n walkers enter at either end, one after the other, at their right hand."""
    rng = np.random.default_rng(seed)
    # Each follows one wall and need not know the other.
    walls = {"east": sm.Walls(SOUTH), "west": sm.Walls(NORTH)}
    body = {"max_speed": 1.5, "max_force": 6, "response_time": 0.3, "radius": 0.3}
    ends = {"east": ([0, 0], 1, sm.Box([4, 5], [43, 13.5])), "west": ([42, 16], -1, sm.Box([4, 5], [-6, -2.5]))}

    world = sm.World(seed=seed, dt=1 / 30)
    for bound, (entrance, way, beyond) in ends.items():
        behind = 2.2 * np.arange(n) + rng.uniform(-0.4, 0.4, n)
        place = np.stack([-way * behind, -way * rng.uniform(1, 2, n)], axis=1) + entrance
        world.add(
            sm.Vehicles(place, [1.2 * way, 0], **body),
            name=f"to the {bound}",
            steering=sm.FollowWall(walls[bound], offset=OFFSET, side="right"),
            flows=[sm.Sink(beyond)],
        )
    for name, wall in zip(world.populations, walls.values(), strict=True):
        world.watch(name, inside=lambda vehicles: float(len(vehicles)))
        world.watch(
            name,
            off=lambda vehicles, wall=wall: (
                np.abs(wall.nearest(vehicles.position).distance - OFFSET).sum() / max(len(vehicles), 1)
            ),
        )
    west = world["to the west"]

    def met(vehicles: sm.Vehicles) -> float:
        """How near two of different streams are [m]."""
        return float(np.linalg.norm(vehicles.position[:, None] - west.position, axis=2).min(initial=9))

    world.watch("to the east", met=met, every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=60,
        scenery={
            "blue walkers' wall": walls["east"],
            "orange walkers' wall": walls["west"],
            "floor": sm.Polygon([*SOUTH, *NORTH[::-1]]),
        },
        picture=sm.Picture(
            looks={"floor": "floor", "ground": "grass"},
            trails=8,
            glyphs="person",
            at=20,
            sketch={"to the east": [3]},
            close_up=13,
            opens=30.0,
        ),
        notes=[
            sm.shapes.Arrow(np.array([[3.0, 0.0]]), np.array([[10.0, 0.0]]), role="target", label="to the east"),
            sm.shapes.Arrow(np.array([[36.0, 16.0]]), np.array([[29.0, 16.0]]), role="danger", label="to the west"),
        ],
        colors={"to the east": "blue", "to the west": "orange"},
    )


def off(vehicles: sm.Vehicles, wall: sm.Walls) -> np.ndarray:
    """How far each is off the distance to keep [m]."""
    return np.asarray(np.abs(wall.nearest(vehicles.position).distance - OFFSET))


def check(stage: sm.Stage) -> Iterator[str]:
    """All came through, at the offset from the wall, and met no walker of the other stream."""
    for name in ("to the east", "to the west"):
        if stage.meters[f"{name}.inside"].now:
            yield f"all must come through, but {stage.meters[f'{name}.inside'].now:.0f} that went {name} did not"
        if not (off := stage.meters[f"{name}.off"].values[20:].mean()) < 0.15:
            yield f"they must keep {OFFSET} m from the wall within 0.15 m, but those {name} were off by {off:.2f} m"
    if not 1.5 < (met := stage.meters["to the east.met"].least) < 5:
        yield f"streams must pass each other, at 1.5 to 5 m, but the nearest that two came was {met:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "Reynolds 1999"),
    most=12,
    impostors={
        "without FollowWall": without(sm.FollowWall),
        "the wall at the left": instead(sm.FollowWall, lambda old: old.replace(side="left")),
        "in the middle": instead(sm.FollowWall, lambda old: old.replace(offset=2.5)),
        "AvoidWalls": instead(sm.FollowWall, lambda old: sm.AvoidWalls(old.walls) + sm.TargetSpeed(1.5)),
    },
)
