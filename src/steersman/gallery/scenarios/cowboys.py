"""A cow strays; the trail boss sends a cowboy, who rides around behind it and drives it back to the herd.

The example by which Reynolds 1999 introduces the three levels: the boss notices that the world has changed and sets a goal
(action selection), the cowboy makes subgoals of it (steering), the horse carries them out (locomotion). The boss is a
function that thinks twice a second, between steps. No cow knows the camp: a cow goes out of a rider's way, and that is all.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.core.parameters.keeping import Keeping
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.retreat import Retreat
from steersman.gallery.making.scenario import Scenario

CAMP = np.array([0.0, 0.0])

RANGE = 21.0
"""A cow farther from the camp is astray, and is fetched until it is well within [m]."""


class TrailBoss(Keeping):
    """Says which cowboy fetches which stray.

    Attributes:
        errands: Id of the cow that each cowboy fetches, -1 for none; by the id of the cowboy.
        fetched: How many strays have been brought back.
    """

    saved_attributes = ("errands", "fetched")

    def __init__(self, cattle: sm.Vehicles, cowboys: sm.Vehicles) -> None:
        self.cattle, self.cowboys = cattle, cowboys
        self.errands, self.fetched = np.full(len(cowboys), -1), 0

    def __call__(self, world: sm.World) -> None:
        """Let cowboys with a finished errand ride back to the herd, and send the nearest free one to each stray."""
        away = np.linalg.norm(self.cattle.position - CAMP, axis=1)
        self.errands = extended(self.errands, self.cowboys, -1)
        self.errands[~self.cowboys.alive(np.arange(len(self.errands)))] = -1
        self.errands[~self.cattle.alive(self.errands)] = -1
        back = np.isin(self.errands, self.cattle.id[away < 0.7 * RANGE])
        self.fetched += int(back.sum())
        self.errands[back] = -1
        for cow in np.setdiff1d(self.cattle.id[away > RANGE], self.errands):
            way = np.linalg.norm(self.cowboys.position - self.cattle.position[self.cattle.rows(cow)], axis=1)
            if len(free := np.flatnonzero(~self.busy(self.cowboys))):
                self.errands[self.cowboys.id[free[np.argmin(way[free])]]] = cow

    def strays(self) -> np.ndarray:
        """The row of the cow that each cowboy fetches, -1 for none; shape (cowboys,)."""
        cows = extended(self.errands, self.cowboys, -1)[self.cowboys.id]
        rows = np.full(len(cows), -1)
        there = self.cattle.alive(cows)
        rows[there] = self.cattle.rows(cows[there])
        return rows

    def busy(self, cowboys: sm.Vehicles) -> np.ndarray:
        """The cowboys on an errand."""
        return np.asarray(self.strays() >= 0)

    def at_strays(self) -> np.ndarray:
        """Where the cow of each cowboy is [m]: of one that has none, where he is himself; shape (cowboys, 2)."""
        places, rows = self.cowboys.position.copy(), self.strays()
        places[rows >= 0] = self.cattle.position[rows[rows >= 0]]
        return places

    def behind(self) -> np.ndarray:
        """The place behind the stray cow, to which a cowboy on an errand rides in an arc; shape (cowboys, 2)."""
        cow, rider = (each @ [1, 1j] for each in (self.at_strays(), self.cowboys.position))
        outward = cow / np.maximum(np.abs(cow), 1e-9)
        off = np.angle((rider - cow) / outward)
        turn = off - np.clip(off, -0.7, 0.7)
        place = cow + outward * np.exp(1j * turn) * np.where(np.abs(off) > 0.7, 10, 4)
        return np.stack([place.real, place.imag], axis=1)


class Driven(sm.Keeping):
    """Whether cows come back only where a rider drives them: an observer.

    Attributes:
        back: How many looks there were at cows far out that came back.
        alone: At how many of them no rider was near.
    """

    only_watches, saved_attributes = True, ("back", "alone")

    def __init__(self, cattle: sm.Vehicles, cowboys: sm.Vehicles) -> None:
        self.cattle, self.cowboys, self.back, self.alone = cattle, cowboys, 0, 0

    def __call__(self, world: sm.World) -> None:
        """Look at the cows far out."""
        away = np.linalg.norm(self.cattle.position - CAMP, axis=1)
        inward = -np.sum(self.cattle.velocity * (self.cattle.position - CAMP), axis=1) / np.maximum(away, 1e-9)
        back = (away > 0.8 * RANGE) & (inward > 1)
        rider = sm.metrics.proximity.distances_to(self.cattle, self.cowboys)
        self.back += int(back.sum())
        self.alone += int((back & (rider > 10)).sum())

    def share(self, _: sm.Vehicles) -> float:
        """The part of the returning cows that was driven."""
        return 1 - self.alone / max(self.back, 1)


def make(*, n: int = 36, seed: int = 0) -> sm.Stage:
    """Put n cattle at the camp, cowboys around them, rocks where the cattle stray, and one on a cowboy's way to his post."""
    rng, count = np.random.default_rng(seed), max(3, n // 10)
    posts = sm.spawn.circle(count, RANGE + 4)
    ring, radii = sm.spawn.ring(8, 18.5, apart=9, rng=rng), rng.uniform(2, 3.5, 8)
    rocks = sm.Spheres(center=np.concatenate([1.4 * posts[:1], ring]), radius=np.append(3.0, radii))
    cattle = sm.Vehicles(
        sm.spawn.disc(n, radius=13, apart=2.2, rng=rng), max_speed=3, max_force=8, response_time=0.3, radius=0.9
    )
    starts = np.concatenate([1.8 * posts[:1], posts[1:]])
    cowboys = sm.Vehicles(starts, max_speed=9, max_force=30, response_time=0.2, radius=0.8)
    boss = TrailBoss(cattle, cowboys)
    dodge = sm.AvoidObstacles(rocks, lookahead=1)
    moods = sm.Modes(
        {
            "graze": sm.Wander("turn", speed=0.5, rate=2) + 0.2 * sm.Cohesion(radius=10),
            "stray": sm.Flee(CAMP, speed=1.5),
        },
        start="graze",
        transitions=[("graze", "stray", sm.Chance(0.35 / n)), ("stray", "graze", sm.Near(cowboys, distance=7))],
    )
    duty = sm.Modes(
        {"tend": sm.Arrive(posts, speed=4), "fetch": sm.Arrive(boss.behind)},
        start="tend",
        transitions=[("tend", "fetch", boss.busy), ("fetch", "tend", lambda cowboys: ~boss.busy(cowboys))],
    )
    world = sm.World(seed=seed, dt=1 / 30)
    apart = 0.4 * sm.Separation(radius=2.5)
    pressed = sm.Flee(cowboys, panic_distance=6.5)
    world.add(cattle, name="cattle", steering=sm.Priority([dodge, pressed + apart, moods + apart]))
    world.add(cowboys, name="cowboys", steering=sm.Priority([dodge, duty]))
    world.on_step(boss, sm.EverySeconds(0.5))

    def errands() -> Iterator[sm.shapes.Shape]:
        """Which cow strays, and where the cowboy rides."""
        rows = np.flatnonzero(boss.busy(cowboys))
        yield sm.shapes.Circle(boss.at_strays()[rows], 2, role="chosen", label="stray cow")
        yield sm.shapes.segment(cowboys.position[rows], boss.behind()[rows], role="target", means="rides behind it")

    stage = sm.Stage(
        world,
        seconds=90,
        notes=[
            sm.shapes.Circle(CAMP, RANGE, role="guide"),
            sm.shapes.Circle(CAMP, 1.0, role="guide", label="camp"),
            sm.shapes.Circle(posts, 0.8, role="guide"),
            errands,
        ],
        scenery={"rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "steppe"},
            trails=8,
            size=0.75,
            at=23,
            glyphs={"cattle": "cow", "cowboys": "horse"},
            sketch={"cowboys": [0]},
            opens=15.05,
        ),
        colors={"cattle": "orange", "cowboys": "blue"},
        labels={"a cow beyond this ring is a stray": np.array([-8.0, 1.06 * RANGE])}
        | {f"post {k + 1}": post + np.array([1.5, 1.5]) for k, post in enumerate(posts)},
    )
    driven = Driven(cattle, cowboys)
    retreat = Retreat(cattle, cowboys, far=6, which=lambda: np.ones(len(cattle), bool))
    for each in (driven, retreat):
        world.on_step(each, sm.EverySeconds(0.1))
    stage.watch("cattle", driven=driven.share, others=retreat.from_others)
    stage.watch("cattle", "penetration", "overlap", every=sm.EverySteps(1))
    stage.watch("cowboys", "penetration", every=sm.EverySteps(1))
    stage.watch("cattle", "farthest_from", to=CAMP, fetched=lambda _: boss.fetched)
    stage.watch("cattle", astray=lambda cattle: np.sum(np.linalg.norm(cattle.position - CAMP, axis=1) > RANGE))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """Some strayed, all were brought back before they were far, and the herd was not driven."""
    meters = stage.meters
    if not (fetched := meters["cattle.fetched"].now) >= 2:
        yield f"two strays or more must be brought back, but {fetched:.0f} were"
    if not (far := meters["cattle.farthest_from"].greatest) < 50:
        yield f"no vehicle may get lost, but one was {far:.0f} m from the camp"
    astray = meters["cattle.astray"]
    if not (took := astray.values.mean() * stage.seconds / max(fetched + astray.now, 1)) < 15:
        yield f"strays must be fetched soon, but each was away for {took:.0f} s on average"
    if (away := meters["cattle.others"].now) < 0.5:
        yield f"cows must go out of the way of every rider, but of the others than the first with a cosine of {away:.2f}"
    if not (driven := meters["cattle.driven"].now) > 0.85:
        yield f"cows must come back only when they are driven, but {1 - driven:.0%} of the time they came by themselves"
    if not (deep := meters["cattle.overlap"].values.mean()) < 0.3:
        yield f"cows must keep apart, but two overlapped by {deep:.1f} m on average"
    for name in ("cattle", "cowboys"):
        if not (deep := meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"no vehicle may run into a rock, but one of the {name} did by {deep:.2f} m"


def straight(old: sm.Modes) -> sm.Modes:
    """Cowboys that ride straight at the stray, from where they are."""
    boss = old.modes["fetch"].target.__self__
    return old.replace(modes={**old.modes, "fetch": sm.Arrive(boss.at_strays)})


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "think", "obstacles", "Reynolds 1999"),
    exempt={"cattle: Cohesion is told the place": "they graze around the camp, which is where they are together"},
    least=24,
    most=60,
    quick=24,
    impostors={
        "none is pressed": without(sm.Flee, of="cattle"),
        "cows go home by themselves": instead(
            sm.Modes, lambda old: old.replace(modes={**old.modes, "stray": sm.Seek(CAMP, speed=1.5)}), of="cattle"
        ),
        "who is pressed goes home": instead(
            sm.Flee, lambda old: sm.Seek(CAMP) if old.panic_distance < 99 else old, of="cattle"
        ),
        "the boss sleeps": instead(sm.Modes, lambda old: old.modes["tend"], of="cowboys"),
        "they ride straight at it": instead(sm.Modes, straight, of="cowboys"),
        "without Arrive": without(sm.Arrive),
        "no cow strays": instead(sm.Modes, lambda old: old.modes["graze"], of="cattle"),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
