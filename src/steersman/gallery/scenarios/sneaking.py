"""Thieves sneak up on a sentry's fire: they run while he looks away, and hide behind rocks when he turns around.

Game AI lecture, "Hide" ("to sneak up on player: combine hide and seek") with its refinements: hide only if you can see him
and he can see you, and go on for a while. The sentry walks around his fire, so his look sweeps the plain. A Priority
does it all: hiding from a sentry that sees you goes before heading for the fire.
"""

from collections.abc import Callable, Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

VIEW = np.radians(120)
"""The sentry's full field of view [rad]."""

CAMP = sm.Sphere([0, 0], 11)
"""A thief that has come here has made it."""


class Returns(sm.Keeping):
    """How often thieves come back into view soon after they were in view: an observer.

    Attributes:
        seen: When each thief was in view for the last time [s], by its id.
        count: How often one came back into view after 0.3 to 3 s.
    """

    only_watches, saved_attributes = True, ("seen", "count")

    def __init__(self, thieves: sm.Vehicles, in_view: Callable[[sm.Vehicles], np.ndarray]) -> None:
        self.thieves, self.in_view = thieves, in_view
        self.seen, self.count = np.full(thieves.next_id, -np.inf), 0

    def __call__(self, world: sm.World) -> None:
        """Look at the thieves."""
        self.seen = extended(self.seen, self.thieves, -np.inf)
        now = self.thieves.id[self.in_view(self.thieves)]
        away = world.time - self.seen[now]
        self.count += int(np.sum((away > 0.3) & (away < 3)))
        self.seen[now] = world.time


def make(*, n: int = 18, seed: int = 0) -> sm.Stage:
    """Put a sentry in the middle of a plain with rocks, and n thieves far out behind rocks."""
    rng = np.random.default_rng(seed)
    places = np.concatenate([sm.spawn.circle(k, r, start=a) for k, r, a in [(9, 18, 0), (13, 31, 0.3), (17, 44, 0)]])
    rocks = sm.Spheres(places + rng.uniform(-1.5, 1.5, places.shape), 2.2)
    thieves = sm.Vehicles(
        sm.spawn.ring(n, radius=56, obstacles=rocks, apart=3, rng=rng), max_speed=4, max_force=40, radius=0.5
    )
    sentry = sm.Vehicles([[3, 0]], [0, 1], max_speed=0.8, max_force=10, radius=0.5)

    world = sm.World(seed=seed, dt=1 / 30)
    world.add(
        thieves,
        name="thieves",
        steering=sm.Priority(
            [
                sm.AvoidObstacles(rocks, lookahead=0.5),
                sm.Hide(pursuer=sentry, obstacles=rocks, only_if="mutually_seen", memory=6, angle=VIEW, margin=0.8),
                sm.Seek([0, 0]),
            ]
        ),
        flows=[sm.Sink(CAMP, name="camp")],
    )
    beat = sm.Path(sm.spawn.circle(24, 3), closed=True)
    world.add(sentry, name="sentry", steering=sm.FollowPath(beat, direction=1))

    def in_view(vehicles: sm.Vehicles) -> np.ndarray:
        """The thieves that the sentry has in view."""
        if not len(sentry):
            return np.zeros(len(vehicles), bool)
        eye = np.tile(sentry.position[0], (len(vehicles), 1))
        way = vehicles.position - eye
        far = np.linalg.norm(way, axis=1)
        clear = np.isinf(rocks.cast(eye, way, reach=far).distance)
        return np.asarray(clear & (way @ sentry.forward[0] > np.cos(VIEW / 2) * far))

    returns = Returns(thieves, in_view)
    world.on_step(returns, sm.EverySeconds(0.1))
    world.watch("thieves", "penetration", every=sm.EverySteps(1))
    world.watch("sentry", "progress", to=beat)
    world.watch("thieves", left=lambda vehicles: float(len(vehicles)), every=0.1)
    world.watch("thieves", in_view=lambda vehicles: float(in_view(vehicles).sum()) / n, every=0.1)
    world.watch("thieves", returns=lambda _: returns.count / n)

    def look() -> Iterator[sm.shapes.Shape]:
        """The view of the sentry, and the thieves in it."""
        if not len(sentry):
            return
        yield sm.shapes.Sector(sentry.position, sentry.forward, 58, VIEW, role="danger", label="what the sentry sees")
        yield sm.shapes.Circle(sentry.position, 1.6, role="guide", label="sentry")
        visible = thieves.position[in_view(thieves)]
        yield sm.shapes.segment(np.tile(sentry.position[0], (len(visible), 1)), visible, role="danger", label="in view")

    return sm.Stage(
        world,
        seconds=60,
        notes=[look],
        labels={"fire": [0, 0]},
        scenery={"rocks": rocks, "camp": CAMP},
        picture=sm.Picture(
            looks={"ground": "night", "camp": "sand", "fire": "fire"},
            glyphs="person",
            trails=20,
            size=1.4,
            at=[5, 16],
            sketch={"thieves": [16]},
            opens=6.68,
        ),
        colors={"thieves": "green", "sentry": "red"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Nearly all have come to the fire, and were seen for a moment at most."""
    view, left = stage.meters["thieves.in_view"], stage.meters["thieves.left"]
    if not (pace := stage.meters["sentry.progress"].values[8:].mean()) > 0.5:
        yield f"the sentry must walk around his fire at 0.5 m/s, but did at {pace:.2f} m/s"
    if not left.now <= 0.1 * left.start:
        yield f"nine of ten must come to the fire, but {left.now:.0f} of {left.start:.0f} have not"
    if not (exposure := float(view.values.mean()) * stage.seconds) < 1.5:
        yield f"the sentry may have each in view for 1.5 s altogether, but had so for {exposure:.1f} s"
    if not (returns := stage.meters["thieves.returns"].now) < 0.2:
        yield f"a thief that was seen must stay hidden for a while, but {returns:.1f} of them came out again within 3 s"
    if not (depth := stage.meters["thieves.penetration"].greatest) < 0.2:
        yield f"no vehicle may run into a rock, but one did by {depth:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "individual", "obstacles", "game AI lecture"),
    least=12,
    impostors={
        "without Hide": without(sm.Hide),
        "without Seek": without(sm.Seek),
        "Flee for Hide": instead(sm.Hide, lambda old: sm.Flee(old.pursuer, panic_distance=30)),
        "Evade for Hide": instead(sm.Hide, lambda old: sm.Evade(old.pursuer)),
        "always hidden": instead(sm.Hide, lambda old: old.replace(only_if="always")),
        "without memory": instead(sm.Hide, lambda old: old.replace(memory=0)),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
