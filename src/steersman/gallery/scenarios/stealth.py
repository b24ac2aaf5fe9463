"""Guards on their round see an intruder, lose him behind a wall, search where they last saw him, and resume their round.

Game AI: the guards of stealth games (Leonard 2003, "Building an AI Sensory System"). A guard knows only what it has seen, or
was told: the guard on the other side of the house comes, too, to where the first one saw the intruder last. Both forget him
after some seconds of search. He is fast, and is far away by then.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended, largest, smallest
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario

ROUND = np.array([[22.0, 14], [78, 14], [78, 50], [22, 50]])
"""The corners of the round about the house [m]."""

SIGHT, ANGLE = 22.0, 2.4
"""How far guards see [m], and their field of view [rad]."""

GATE = np.array([62.0, 0.0])
"""The gap in the wall by which the intruder comes and goes [m]."""

FORGET = 11.0
"""For how long guards remember him [s]."""

INSIDE = np.array([0.0, 10.0])
"""The way from the gap to the round [m]."""

AROUND = np.array([75.0, -9.5])
"""At the end of the hedge outside of the gate [m]."""

DEN = np.array([5.0, -28.0])
"""Where he hides at the end [m]."""


class Watching(sm.Keeping):
    """What guards could see, and where they went: an observer with eyes of its own.

    Attributes:
        first, last: When a guard saw the intruder first and last [s]; infinite and negative: never.
        place: Where he was last seen [m], shape (2,).
        early: How far guards had left their round before he was seen [m].
        nearest: How near each guard came to the place after that [m], by id.
        there: For how long each guard was about the place [s], by id.
        astray: How far a guard that had come there went away, before he was forgotten [m].
        found: How near guards came to the intruder, some seconds after he was last seen [m].
        back: For how long all guards have been on their round [s].
    """

    only_watches = True
    saved_attributes = ("first", "last", "place", "early", "nearest", "there", "astray", "found", "back")

    def __init__(self, guards: sm.Vehicles, intruder: sm.Vehicles, walls: sm.Boxes) -> None:
        self.guards, self.intruder, self.walls = guards, intruder, walls
        self.first, self.last, self.place = np.inf, -np.inf, np.full(2, np.nan)
        self.early, self.astray, self.found, self.back = 0.0, 0.0, np.inf, 0.0
        self.nearest, self.there = np.full(len(guards), np.inf), np.zeros(len(guards))

    def __call__(self, world: sm.World) -> None:
        """Look who sees the intruder, and where all are."""
        if not (len(self.guards) and len(self.intruder)):
            return
        self.nearest, self.there = extended(self.nearest, self.guards, np.inf), extended(self.there, self.guards)
        ids = self.guards.id
        eyes, him = self.guards.position.astype(float), self.intruder.position[0].astype(float)
        way = him - eyes
        away = np.linalg.norm(way, axis=1)
        free = np.isinf(self.walls.cast(eyes, way, reach=away).distance)
        ahead = (way * self.guards.forward).sum(axis=1) >= np.cos(ANGLE / 2) * away
        off = off_round(eyes)
        if (free & ahead & (away <= SIGHT)).any():
            self.first, self.last, self.place = min(self.first, world.time), world.time, him
            self.nearest[:], self.there[:], self.astray = np.inf, 0, 0.0
        if np.isinf(self.first):
            self.early = max(self.early, float(off.max()))
            return
        left = np.linalg.norm(eyes - self.place, axis=1)
        self.nearest[ids], self.there[ids] = np.minimum(self.nearest[ids], left), self.there[ids] + 0.1 * (left < 9)
        if world.time < self.last + FORGET:
            self.astray = max(self.astray, float(left[self.nearest[ids] < 4].max(initial=0)))
        if world.time > self.last + 3:
            self.found = min(self.found, float(away.min()))
        self.back = self.back + 0.1 if (off < 2.5).all() else 0.0


def off_round(places: np.ndarray) -> np.ndarray:
    """How far places are from the round [m]."""
    low, high = ROUND.min(axis=0), ROUND.max(axis=0)
    outside = np.linalg.norm(np.maximum(np.maximum(low - places, places - high), 0), axis=1)
    inside = np.minimum(places - low, high - places).min(axis=1)
    return np.asarray(np.where(outside > 0, outside, np.abs(inside)))


def make(*, n: int = 2, seed: int = 0) -> sm.Stage:
    """Put n guards on a round about a house, and an intruder outside of the wall."""
    rng = np.random.default_rng(seed)
    walls = sm.Boxes(
        center=[[50, 32], [19, 0], [103, 0], [62, -9]], size=[[15, 8], [37.5, 0.6], [35.5, 0.6], [10, 0.6]]
    )
    sides = np.arange(n) % 2
    start = np.where(sides[:, None] == 0, [26.0, 14.0], [74.0, 50.0])
    start[:, 0] += (1 - 2 * sides) * (rng.uniform(-3, 3, n) + 8 * (np.arange(n) // 2))
    guards = sm.Vehicles(
        start, (1 - 2 * sides)[:, None] * [3.0, 0.0], max_speed=6.5, max_force=40, response_time=0.15, radius=0.6
    )
    intruder = sm.Vehicles(
        GATE - [[rng.uniform(-2, 2), rng.uniform(22, 28)]], max_speed=12, max_force=90, response_time=0.15, radius=0.5
    )
    loot = np.array([rng.uniform(50, 54), rng.uniform(7, 9)])
    yard = sm.Box([150, 100], [-15, -35])
    floor = sm.RouteGrid(walls, region=yard, clearance=1.0, spacing=1.0)
    last_seen = sm.LastSeen(intruder, forget=FORGET, range=SIGHT, angle=ANGLE, occluders=walls, shared_by="all")
    chase = sm.GoTo(last_seen, by=floor)
    guarding = sm.Modes(
        {
            "patrol": sm.FollowPath(sm.Path(ROUND, radius=1, closed=True), speed=3),
            "chase": chase,
            "search": sm.Wander("turn", speed=3, rate=1, max_turn_rate=2),
            "return": sm.GoTo(GATE + INSIDE, by=floor, speed=4),
        },
        start="patrol",
        transitions=[
            (["patrol", "search", "return"], "chase", sm.Knows(last_seen, within=0.5)),
            ("search", "chase", sm.Knows(last_seen) & ~sm.Near(last_seen, 5)),
            ("chase", "search", sm.Near(last_seen, 2) & ~sm.Knows(last_seen, within=0.5)),
            (["chase", "search"], "return", ~sm.Knows(last_seen)),
            ("return", "patrol", sm.Near(GATE + INSIDE, 3)),
        ],
    )
    stealing = sm.Modes(
        {
            "sneak": sm.Patrol([AROUND, GATE, loot], loop=False, speed=7),
            "run": sm.Patrol([GATE + INSIDE / 10, AROUND, GATE - [-4, 16], DEN], loop=False, margin=1.5),
        },
        start="sneak",
        transitions=[("sneak", "run", sm.Near(guards, 15))],
    )
    world = sm.World(seed=seed, dt=1 / 30)
    dodge = sm.AvoidObstacles(walls, lookahead=0.5)
    world.add(guards, name="guards", steering=sm.Priority([dodge, guarding]))
    world.add(intruder, name="intruder", steering=stealing)

    def views() -> Iterator[sm.shapes.Shape]:
        """How far and how wide the guards see."""
        if len(guards):
            yield sm.shapes.Sector(
                guards.position, guards.forward, SIGHT, ANGLE, role="range", label="what a guard sees"
            )

    stage = sm.Stage(
        world,
        seconds=55,
        notes=[views, sm.shapes.Circle(loot[None], 1.0, role="target"), sm.shapes.Circle(DEN[None], 2.5, role="guide")],
        labels={"the gate": GATE + INSIDE / 10, "the loot": loot, "its den": DEN},
        scenery={"walls": walls, "yard": yard},
        picture=sm.Picture(
            looks={"ground": "night", "yard": "night", "the loot": "chest"},
            glyphs="person",
            trails=4,
            size=1.5,
            at=14,
            sketch={"guards": [0]},
            close_up=44,
            opens=5.6,
        ),
        colors={"guards": "blue", "intruder": "red"},
    )
    watching = Watching(guards, intruder, walls)
    world.on_step(watching, sm.EverySeconds(0.1))
    stage.watch("guards", first=lambda _: watching.first, early=lambda _: watching.early)
    stage.watch(
        "guards", astray=lambda _: watching.astray, found=lambda _: watching.found, back=lambda _: watching.back
    )
    stage.watch("guards", came=lambda guards: largest(watching.nearest[guards.id]))
    stage.watch("guards", searched=lambda guards: smallest(watching.there[guards.id]))
    stage.watch("guards", "penetration", every=sm.EverySteps(1))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """They notice nothing before they see him, all come to the place where he was last, search, and go back."""
    now = {
        name: stage.meters[f"guards.{name}"].now
        for name in ("first", "early", "came", "searched", "astray", "found", "back")
    }
    if not now["first"] < 12:
        yield "a guard must see the intruder, but none did"
    if not now["early"] < 2.5:
        yield f"guards must stay on their round before they see him, but one was {now['early']:.1f} m off it"
    if not now["came"] < 4:
        yield f"all guards must come to where he was last seen, but one came no nearer than {now['came']:.1f} m"
    if not now["searched"] > 2:
        yield f"all guards must search there, but one was there for {now['searched']:.1f} s"
    if not now["astray"] < 8:
        yield f"guards must search about that place, but one went {now['astray']:.1f} m away"
    if not now["found"] > 16:
        yield f"no guard may know where he hides, but one came within {now['found']:.1f} m of him"
    if not now["back"] > 2:
        yield f"guards must go back to their round in the end, but have been there for {now['back']:.1f} s"
    if not (deep := stage.meters["guards.penetration"].greatest) < 0.1:
        yield f"no guard may run into a wall, but one did by {deep:.2f} m"


def to_the_first_sight(stage: sm.Stage) -> None:
    """Guards go to where the intruder was seen first."""
    (watching,) = [each for each, _ in stage.world.observers if isinstance(each, Watching)]
    first: list[np.ndarray] = []

    def place() -> np.ndarray:
        if not first and np.isfinite(watching.place).all():
            first.append(watching.place)
        return first[0] if first else GATE

    instead(sm.GoTo, lambda old: old.replace(goal=place) if isinstance(old.goal, sm.LastSeen) else old)(stage)
    instead(sm.Near, lambda old: sm.Near(place, 2) if isinstance(old.target, sm.LastSeen) else old)(stage)


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "knowledge", "obstacles", "game AI"),
    least=2,
    most=4,
    exempt={
        "guards: AvoidObstacles ignores some": "the map of routes leads around those as well",
        "intruder: Patrol leaves one out": "without the first corner he comes in by the other end of the hedge",
    },
    impostors={
        "know where he is without seeing": instead(sm.LastSeen, lambda old: sm.LastSeen(old.population, forget=FORGET)),
        "forget at once": instead(sm.LastSeen, lambda old: old.replace(forget=0.05)),
        "never forget": instead(sm.LastSeen, lambda old: old.replace(forget=1e9)),
        "tell nobody": instead(sm.LastSeen, lambda old: old.replace(shared_by=None)),
        "go to the place of first sight": to_the_first_sight,
        "believe that he went straight on": instead(sm.LastSeen, lambda old: old.replace(extrapolate=1e9)),
        "chase him where he is": instead(
            sm.GoTo, lambda old: old.replace(goal=old.goal.population) if isinstance(old.goal, sm.LastSeen) else old
        ),
    },
)
