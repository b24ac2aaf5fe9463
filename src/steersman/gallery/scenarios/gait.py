"""Walkers leave footprints: one stride apart at any speed, and none where they stand.

Reynolds 1999, "Locomotion": a simple body may carry an animated one, such as a walk cycle. The body counts how far each is in
its stride, for an animator to play; here it tells when a foot touches the ground. Dots on the trails are 0.5 s
apart: they crowd where a walker is slow, the footprints do not.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

STRIDES = {"adults": 1.6, "children": 0.8}
"""How far each goes with two steps [m]."""

FAR = 15
"""How far they walk [m]."""


def make(*, n: int = 2, seed: int = 0) -> sm.Stage:
    """Put n adults and n children on lanes of their own, at rest; they walk to the other end, and stop."""
    rng = np.random.default_rng(seed)
    world = sm.World(seed=seed)
    for k, (name, stride) in enumerate(STRIDES.items()):
        starts = np.column_stack([rng.uniform(-0.5, 0.5, n), 2 * np.arange(n) + k])
        world.add(
            sm.Vehicles(starts, forward=[1, 0], max_speed=2.5, max_force=1, response_time=0.4, radius=0.2),
            name=name,
            steering=sm.Arrive(starts + np.array([FAR, 0])),
            locomotion=sm.PointMass(limits=[sm.Gait(stride)]),
        )
        world.watch(name, "mean_speed")
    for name in STRIDES:
        world.add(sm.Vehicles(np.zeros((0, 2)), max_speed=1, max_force=0, radius=0.06), name=f"prints of {name}")

    def put_feet_down(world: sm.World) -> None:
        """Leave prints where half a cycle was completed in this step, to the left and right in turn."""
        for name in STRIDES:
            gait, walkers = sm.gait_of(world.populations[name]), world[name]
            down = gait.phase % 0.5 < gait.rate * world.dt
            foot = np.where(gait.phase < 0.5, 0.15, -0.15)[:, None]
            world[f"prints of {name}"].spawn(
                (walkers.position - foot * walkers.side)[down], forward=walkers.forward[down]
            )

    world.on_step(put_feet_down)
    return sm.Stage(
        world,
        seconds=16,
        picture=sm.Picture(
            looks={"ground": "sand"},
            trails=16,
            dots=0.5,
            at=16,
            close_up=9,
            opens=5.2,
            glyphs=dict.fromkeys(STRIDES, "person") | {f"prints of {name}": "footprint" for name in STRIDES},
        ),
        notes=[
            sm.shapes.Line(np.array([[FAR, -0.6], [FAR, 2 * n - 0.4]]), role="target", label="here they stop"),
            *(rule(name, stride, -1.2 - 0.7 * k) for k, (name, stride) in enumerate(STRIDES.items())),
        ],
        colors={"adults": "blue", "children": "orange", "prints of adults": "sky", "prints of children": "orange"},
    )


def rule(name: str, stride: float, y: float) -> sm.shapes.Line:
    """A rule with a mark at each step of a walker, for the eye to compare with the prints."""
    marks = np.arange(0, 5 * stride, stride / 2)
    up = 0.12 * np.array([0, 1, -1, 0])
    points = np.column_stack([np.repeat(marks, 4), y + np.tile(up, len(marks))])
    return sm.shapes.Line(points, role="guide", label=f"{name}: {stride / 2:g} m a step")


def check(stage: sm.Stage) -> Iterator[str]:
    """Prints are half a stride apart all along the way, to the left and right in turn, though no walker kept a speed."""
    for name, stride in STRIDES.items():
        walkers, prints = stage.world[name], stage.world[f"prints of {name}"]
        if not (speed := stage.meters[f"{name}.mean_speed"]).now < 0.1 < 1.5 < speed.greatest:
            yield f"{name} must walk and then stand, but their mean speed is {speed.now:.1f} m/s"
        for lane in walkers.position[:, 1]:
            places, beside = prints.position[np.abs(prints.position[:, 1] - lane) < 0.4].T
            if not abs(len(places) - 2 * FAR / stride) < 2:
                yield f"{name} must leave a print every {stride / 2} m, but left {len(places)} on {FAR} m"
            elif not np.abs(np.diff(places) - stride / 2).max() < 0.06:
                yield f"prints of {name} must be {stride / 2} m apart, but were {np.diff(places).round(2)} m"
            elif not (np.diff(np.sign(beside - lane)) != 0).all():
                yield f"prints of {name} must be to the left and right in turn, but lie at {beside.round(2)} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("locomotion", "Reynolds 1999"),
    exempt={f"{name}: point masses": "a point mass has no feet to put down" for name in STRIDES},
    impostors={
        "without Arrive": without(sm.Arrive),
        "Seek for Arrive": instead(sm.Arrive, lambda old: sm.Seek(old.target)),
        "a shorter stride": instead(sm.Gait, lambda old: old.replace(stride=0.8 * old.stride)),
        "all like adults": instead(sm.Gait, sm.Gait(STRIDES["adults"])),
    },
)
