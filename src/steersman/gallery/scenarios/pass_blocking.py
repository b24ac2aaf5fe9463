"""Every blocker stands in the way of a pass, between the player with the ball and one that runs to get it.

Reynolds 1999, "Interpose": "for example a soccer player trying to block a pass between two members of the opposing team". The
one with the ball dribbles about, the receivers run around him and from their blockers, and the keeper stands between ball
and goal. To mark a receiver, or to go for the ball, would leave the lane open.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean, pairs
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

GOAL = np.array([40.0, 0.0])
"""The middle of the goal [m]."""


def make(*, n: int = 4, seed: int = 0) -> sm.Stage:
    """Put a player with the ball in the middle of a field, n receivers around him, a blocker for each, and a keeper."""
    rng, own = np.random.default_rng(seed), np.arange(n)
    field, middle = sm.Box([76, 48], [-36, -24]), sm.Sphere([0, 0], 7)
    passer = sm.Vehicles([[0, 0]], sm.spawn.any_direction(1, speed=3, rng=rng), max_speed=3, max_force=10, radius=0.5)
    start, velocity = sm.spawn.circle(n, 17, start=rng.uniform(0, 6)), sm.spawn.any_direction(n, speed=5, rng=rng)
    receivers = sm.Vehicles(start, velocity, max_speed=6, max_force=25, radius=0.5)
    blockers = sm.Vehicles(receivers.position / 2, max_speed=6, max_force=40, radius=0.5)
    keeper = sm.Vehicles([GOAL - [10, 0]], max_speed=4, max_force=20, radius=0.5)

    world = sm.World(seed=seed)
    world.add(passer, name="passer", steering=sm.Priority([sm.Contain(middle, lookahead=1), sm.Wander()]))
    world.add(
        receivers,
        name="receivers",
        steering=sm.Priority(
            [
                sm.Contain(field, lookahead=1, margin=1),
                sm.Flee(passer, panic_distance=13) + sm.Flee(blockers, which=own, panic_distance=8),
                0.6 * sm.Wander(strength=0.5, distance=0.5),
            ]
        ),
    )
    world.add(blockers, name="blockers", steering=sm.Interpose(a=passer, b=receivers, which_b=own))
    world.add(keeper, name="keeper", steering=sm.Interpose(a=passer, b=GOAL, ratio=0.75))

    def cut(vehicles: sm.Vehicles) -> float:
        """Which part of the lanes a blocker cuts: it is within 1.2 m of the lane, and 3 m or more from both its ends."""
        if not len(passer):
            return np.nan
        rows, others = pairs(vehicles, receivers)
        at = passer.position[0]
        lane, way = receivers.position[others] - at, vehicles.position[rows] - at
        part = np.sum(way * lane, axis=1) / np.sum(lane * lane, axis=1)
        off, far = np.linalg.norm(way - part[:, None] * lane, axis=1), np.linalg.norm(lane, axis=1)
        return mean((off < 1.2) & (part * far > 3) & ((1 - part) * far > 3))

    def aside(vehicles: sm.Vehicles) -> float:
        """How far the keeper is from the line between ball and goal [m]."""
        if not (len(passer) and len(vehicles)):
            return np.nan
        line, way = GOAL - passer.position[0], vehicles.position[0] - passer.position[0]
        return float(abs(line[0] * way[1] - line[1] * way[0]) / np.hypot(*line))

    world.watch("passer", "mean_speed", "farthest_from", to=[0, 0])
    world.watch("receivers", "mean_speed")
    world.watch("receivers", "outside", to=field, every=sm.EverySteps(1))
    world.watch("blockers", cut=cut)
    world.watch("keeper", "distance_to", aside=aside, to=GOAL)

    def lanes() -> Iterator[sm.shapes.Shape]:
        """The ways of the ball: to the receivers, and to the goal."""
        if len(passer):
            yield sm.shapes.segment(passer.position[:1], receivers.position, label="possible pass")
            yield sm.shapes.segment(passer.position[:1], GOAL)
            yield sm.shapes.Circle(passer.position[:1] + 1.1 * passer.forward[:1], 0.4, role="danger", label="ball")

    return sm.Stage(
        world,
        seconds=20,
        notes=[lanes, sm.shapes.segment(GOAL - np.array([0.0, 4.0]), GOAL + np.array([0.0, 4.0]), role="target")],
        scenery={"field": field},
        picture=sm.Picture(
            looks={"ground": "grass"},
            glyphs="person",
            trails=2,
            size=1.3,
            at=12,
            close_up=17,
            sketch={"blockers": [0]},
            opens=0.35,
        ),
        colors={"passer": "red", "receivers": "orange", "blockers": "blue", "keeper": "green"},
        labels={"goal": GOAL},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """The lanes are cut nearly all the time, and the keeper is before the goal."""
    cut, keeper = stage.meters["blockers.cut"], stage.meters["keeper.aside"].greatest
    meters = stage.meters
    for name, slowest in (("passer", 1.5), ("receivers", 2)):
        if not (speed := meters[f"{name}.mean_speed"].values.mean()) > slowest:
            yield f"the {name} must run about, but did so at {speed:.1f} m/s"
    if not (far := meters["passer.farthest_from"].greatest) < 9:
        yield f"the ball must stay in the middle, but was {far:.0f} m away"
    if outside := meters["receivers.outside"].greatest:
        yield f"receivers must stay on the field, but {outside:.0%} were off it"
    if not (part := cut.values[cut.times > 2].mean()) > 0.9:
        yield f"blockers must cut 90% of the lanes on average, but cut {part:.0%}"
    if not (keeper < 0.3 and stage.meters["keeper.distance_to"].greatest < 15):
        yield f"the keeper must stay between ball and goal, but was {keeper:.1f} m aside"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "individual", "Reynolds 1999"),
    exempt={"keeper: Interpose goes where the middle is": "near the goal the place to stand hardly moves"},
    impostors={
        "without Interpose": without(sm.Interpose, of="blockers"),
        "without a keeper": without(sm.Interpose, of="keeper"),
        "marking the receiver": instead(sm.Interpose, lambda old: sm.Pursue(old.b, which=old.which_b), of="blockers"),
        "going for the ball": instead(sm.Interpose, lambda old: sm.Pursue(old.a), of="blockers"),
    },
)
