"""Guards make their rounds past pillars, chase a thief while they see him, and go on where they left off.

Project notes, "Patrol"; game AI lecture, guard duty. A guard that has seen the thief leaves its round and goes after
him; when he is out of sight for a while, it takes up the round where it left it: its checkpoint is remembered. The thief
runs from every guard that comes near, and is thrown out when he is caught.
"""

from collections.abc import Callable, Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.deciding import in_mode, share_in_mode

CORNERS = np.array([[15, 12], [85, 12], [85, 48], [15, 48]])
"""Of the round [m]."""

GATE = np.array([50.0, 112.0])
"""Where the thief comes from, and where he is brought when he is caught [m]."""

SNEAKED = np.array([[50, 42], [26, 22], [66, 20]])
"""Where the thief wants to go [m]."""

OUT = 14
"""How long the thief waits before he comes in [s]."""

PANIC = 6
"""From which distance the thief runs away [m]."""


class Rounds(sm.Keeping):
    """Which corners guards come to, one after the other: an observer.

    Attributes:
        last: The corner at which each guard was last, -1 for none; by id.
        legs: How often a guard came from one corner to another: from, to; shape (4, 4).
    """

    only_watches, saved_attributes = True, ("last", "legs")

    def __init__(self, guards: sm.Vehicles, on_round: Callable[[], np.ndarray]) -> None:
        self.guards, self.on_round = guards, on_round
        self.last, self.legs = np.full(len(guards), -1), np.zeros((4, 4), int)

    def __call__(self, world: sm.World) -> None:
        """Look where they are."""
        away = np.linalg.norm(self.guards.position[:, None] - CORNERS, axis=2)
        self.last = extended(self.last, self.guards, -1)
        for row in np.flatnonzero((away.min(axis=1) < 1.8) & self.on_round()):
            corner, guard = away[row].argmin(), self.guards.id[row]
            if self.last[guard] not in (-1, corner):
                self.legs[self.last[guard], corner] += 1
            self.last[guard] = corner

    def in_order(self, _: sm.Vehicles) -> float:
        """Which part of their ways led to the next corner; 0 where there was none."""
        onward = self.legs[np.arange(4), (np.arange(4) + 1) % 4]
        return float(onward.sum() / self.legs.sum()) if onward.all() else 0.0


class SightTime(sm.Keeping):
    """How much of their time the chasing guards saw the thief a moment ago: an observer.

    Attributes:
        ago: How long ago each guard could have seen the thief [s], by id.
        chased, blind: The number of looks at chasing guards, and at those of them that do not see the thief.
    """

    only_watches, saved_attributes = True, ("ago", "chased", "blind")

    def __init__(
        self, guards: sm.Vehicles, thief: sm.Vehicles, pillars: sm.Spheres, chasers: Callable[[], np.ndarray]
    ) -> None:
        self.guards, self.thief, self.pillars, self.chasers = guards, thief, pillars, chasers
        self.ago, self.chased, self.blind = np.full(len(guards), np.inf), 0, 0

    def __call__(self, world: sm.World) -> None:
        """Note the chasing guards, and the pillars that hide the thief."""
        if not len(self.thief):
            return
        self.ago, ids = extended(self.ago, self.guards, np.inf), self.guards.id
        eye = self.guards.position.astype(float)
        way = self.thief.position[0] - eye
        hidden = np.isfinite(self.pillars.cast(eye, way, reach=np.linalg.norm(way, axis=1)).distance)
        self.ago[ids] = np.where(hidden, self.ago[ids] + 0.1, 0)
        chasing = self.chasers()
        self.chased += int(chasing.sum())
        self.blind += int((chasing & (self.ago[ids] > 2.3)).sum())

    def share(self, _: sm.Vehicles) -> float:
        """The part of the looks at chasing guards that saw him a moment ago."""
        return 1 - self.blind / max(self.chased, 1)


class Retreat(sm.Keeping):
    """How straight the thief runs away from the guard that is nearest, for each guard: an observer.

    He has 0.3 s to turn round after another guard has come near.

    Attributes:
        near: For how long each guard has been near and the nearest [s], by id.
        away: Sum of the cosines of the angles between his velocity and the way straight away, by the id of the guard.
        looks: How many looks that were, by the id of the guard.
    """

    only_watches, saved_attributes = True, ("near", "away", "looks")

    def __init__(self, guards: sm.Vehicles, thief: sm.Vehicles, chosen: Callable[[], np.ndarray]) -> None:
        self.guards, self.thief, self.chosen = guards, thief, chosen
        self.near, self.away, self.looks = np.zeros((3, len(guards)))

    def __call__(self, world: sm.World) -> None:
        """Look how he moves."""
        if not (len(self.thief) and len(self.guards)):
            return
        self.near, self.away, self.looks = (extended(each, self.guards) for each in (self.near, self.away, self.looks))
        ids = self.guards.id
        way = self.thief.position[0] - self.guards.position.astype(float)
        distance, speed = np.linalg.norm(way, axis=1), float(self.thief.speed[0])
        row = distance.argmin()
        nearest = (np.arange(len(distance)) == row) & (distance < PANIC) & self.chosen()[0]
        self.near[ids] = np.where(nearest, self.near[ids] + 0.1, 0.0)
        if self.near[ids[row]] > 0.35:
            self.away[ids[row]] += float(self.thief.velocity[0] @ way[row]) / max(distance[row] * speed, 1e-9)
            self.looks[ids[row]] += 1

    def worst(self, _: sm.Vehicles) -> float:
        """The mean cosine for the guard from whom he ran least, of those at which he was looked twice; NaN for none."""
        known = self.looks >= 2
        return float((self.away[known] / self.looks[known]).min()) if known.any() else np.nan


class Catches(sm.Keeping):
    """Throws the thief out when he is caught, and counts how often.

    Attributes:
        count: How often he was caught.
    """

    saved_attributes = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def throw_out(self, thief: sm.Vehicles, chasers: np.ndarray) -> None:
        """He is brought away, and tries again."""
        thief.position[chasers], thief.velocity[chasers] = GATE, 0.0
        self.count += int(chasers.sum())


def make(*, n: int = 3, seed: int = 0) -> sm.Stage:
    """Put n guards on two sides of the round, in pairs abreast, and a thief at the gate that sneaks through the yard."""
    rng = np.random.default_rng(seed)
    pillars = sm.Spheres(center=[[50, 12.5], [84, 31], [50, 47], [16, 29], [50, 30]], radius=[2.5, 2.5, 2.5, 2.5, 9])
    side = ((np.arange(n) + 1) // 2 * 2 + 2) % 4
    due = (side + 1) % 4
    rank = np.array([np.sum(side[:k] == side[k]) for k in range(n)])
    abreast = np.stack([-3.0 * (rank // 2), np.where(rank % 2, 1.0, -1.0)], axis=1) + rng.uniform(-0.2, 0.2, (n, 2))
    start = 0.7 * CORNERS[side] + 0.3 * CORNERS[due] + abreast
    guards = sm.Vehicles(start, max_speed=7, max_force=28, radius=0.7)
    thief = sm.Vehicles(sm.spawn.disc(1, radius=2, center=GATE, rng=rng), max_speed=4.2, max_force=24, radius=0.7)
    catches = Catches()
    dodge = sm.AvoidObstacles(pillars, lookahead=0.8)
    in_yard = sm.Near([50, 30], distance=46, leave=50)
    sees = sm.Sees(thief, range=32, angle=3.5, occluders=pillars, memory=1.5) & in_yard
    duty = sm.Modes(
        {"patrol": sm.Patrol(CORNERS, speed=6), "chase": sm.Pursue(thief, prediction=sm.Intercept())},
        start="patrol",
        transitions=[("patrol", "chase", sees), ("chase", "patrol", ~sees)],
        cooldown=0.5,
    )
    sneak = sm.Priority([sm.Flee(guards, panic_distance=PANIC), sm.Patrol(SNEAKED, speed=3.6)])
    plan = sm.Modes(
        {"sneak": sneak, "out": sm.TargetSpeed(0)},
        start="out",
        transitions=[("sneak", "out", sm.Near(guards, distance=1.6)), ("out", "sneak", sm.After(OUT))],
        on_enter={"out": catches.throw_out},
    )
    world = sm.World(seed=seed, dt=1 / 30)
    apart = 0.5 * sm.Separation(radius=2.5, fade=False)
    watch = world.add(guards, name="guards", steering=sm.Priority([dodge, duty + apart]))
    watch.remember("Patrol", checkpoint=due)
    sneaking = world.add(thief, name="thief", steering=sm.Priority([dodge, plan]))

    def doing() -> Iterator[sm.shapes.Shape]:
        """For how long the thief still waits."""
        if len(thief) and in_mode(sneaking, "out")[0]:
            left = OUT - (world.time - float(sneaking.memory("Modes")["entered"][0]))
            words = f"waits at the gate: {max(left, 0):.0f} s"
            yield sm.shapes.Circle(thief.position[:1], 0.0, role="guide", label=words)

    stage = sm.Stage(
        world,
        seconds=80,
        scenery={"pillars": pillars},
        picture=sm.Picture(
            looks={"ground": "floor"},
            glyphs="person",
            trails=6,
            size=1.3,
            at=(6, 22),
            sketch={"guards": [2]},
            opens=38.2,
        ),
        colors={"guards": "blue", "thief": "red"},
        labels={f"corner {k + 1}": corner for k, corner in enumerate(CORNERS)},
        notes=[sm.shapes.Line(CORNERS, closed=True, role="guide", label="round of the guards"), doing],
    )
    rounds = Rounds(guards, lambda: ~in_mode(watch, "chase"))
    lead = Lead(guards, thief, near=9, which=lambda: in_mode(watch, "chase"))
    sight_time = SightTime(guards, thief, pillars, lambda: in_mode(watch, "chase"))
    retreat = Retreat(guards, thief, lambda: in_mode(sneaking, "sneak"))
    for each in (rounds, lead, sight_time, retreat):
        world.on_step(each, sm.EverySeconds(0.1))
    stage.watch("guards", in_order=rounds.in_order, lead=lead.share, seen=sight_time.share)
    stage.watch("thief", retreat=retreat.worst)
    stage.watch("guards", "overlap", every=sm.EverySteps(1))
    stage.watch("thief", "mean_speed", to=[49, 27], way="closest_to")
    for k, corner in enumerate(CORNERS):
        stage.watch("guards", to=corner, every=0.25, **{f"corner_{k + 1}": "closest_to"})
    stage.watch("guards", chasing=lambda _: share_in_mode(watch, "chase"), caught=lambda _: catches.count)
    for name in ("guards", "thief"):
        stage.watch(name, "penetration", every=sm.EverySteps(1))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """Every corner was visited, the thief was chased and caught, ran from every guard, and the rounds went on."""
    meters = stage.meters
    for k in range(1, 5):
        if not (distance := meters[f"guards.corner_{k}"].least) < 1.8:
            yield f"corner {k} must be visited, but the closest guard came to {distance:.1f} m"
    if not meters["guards.caught"].now >= 1:
        yield "the thief must be caught, but was not"
    if not (away := meters["thief.retreat"].now) > 0.8:
        yield f"the thief must run from every guard that is near, but the cosine of his way away from one was {away:.2f}"
    if not (order := meters["guards.in_order"].now) > 0.8:
        yield f"guards must go round from corner to corner, but only {order:.0%} of their ways led on"
    if not (lead := meters["guards.lead"].now) > 0.15:
        yield f"guards must cut off his way, but made {lead:.2f} of his way aside only"
    if not (share := meters["guards.seen"].now) > 0.97:
        yield f"guards must chase only the thieves that they see, but {1 - share:.0%} of the time had not seen him for 2.3 s"
    if not (deep := float(np.mean(meters["guards.overlap"].values > 0.1))) < 0.03:
        yield f"guards must keep apart, but two overlapped for {deep:.1%} of the time"
    if not (idle := float(np.mean(meters["guards.chasing"].values == 0))) > 0.25:
        yield f"guards must also go on with their rounds, but did all of them only for {idle:.0%} of the time"
    for name in ("guards", "thief"):
        if not (deep := meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"no vehicle may run into a pillar, but one of the {name} did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "obstacles", "project notes"),
    least=2,
    most=6,
    exempt={
        "guards: Pursue predicts 1 s, always": "past the pillars they see him for a few seconds and from nearby",
        "thief: Patrol leaves one out": "it is his own business where he sneaks to",
    },
    impostors={
        "without Patrol": without(sm.Patrol, of="guards"),
        "Seek for Patrol": instead(sm.Patrol, sm.Seek(CORNERS[2]), of="guards"),
        "without Pursue": without(sm.Pursue),
        "Flee for Pursue": instead(sm.Pursue, lambda old: sm.Flee(old.quarry)),
        "a pursuit without end": instead(sm.Modes, lambda old: old.modes["chase"], of="guards"),
        "a round without end": instead(sm.Modes, lambda old: old.modes["patrol"], of="guards"),
    },
)
