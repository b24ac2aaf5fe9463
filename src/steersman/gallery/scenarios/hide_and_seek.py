"""Hiders keep rocks between themselves and the seekers; a hider that is touched is out.

Game AI lecture, "Hide", and "combine hide and seek". Seekers stroll about until they see a hider, and then go after
him for as long as they see him. Hiders slip behind the rock that is nearest to them.
"""

from collections.abc import Callable, Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.deciding import in_mode, share_in_mode

SIGHT = 45.0
"""How far seekers see [m]."""

CLOSE = 25.0
"""A hider whose nearest seeker is nearer than this hides from that one, and not from others [m]."""


class Sight(sm.Keeping):
    """The hiders in sight of each seeker, and the seekers that chase a hider they cannot have seen: an observer.

    Attributes:
        ago: How long ago each seeker could see a hider [s], by the id of the seeker.
        chased, blind: The number of looks at chasing seekers, and at those of them that see no hider.
        closing: Sum of the cosines of the angles between the velocities of chasing seekers and the ways to the nearest
            hiders.
        exposed: Of hiders with a seeker close that is not the first: how often the first could see one, and how often it was
            looked; shape (2,).
    """

    only_watches, saved_attributes = True, ("ago", "chased", "blind", "closing", "exposed")

    def __init__(
        self, hiders: sm.Vehicles, seekers: sm.Vehicles, rocks: sm.Spheres, chasers: Callable[[], np.ndarray]
    ) -> None:
        self.hiders, self.seekers, self.rocks, self.chasers = hiders, seekers, rocks, chasers
        self.ago, self.exposed = np.full(len(seekers), np.inf), np.zeros(2)
        self.chased, self.blind, self.closing = 0, 0, 0.0

    def __call__(self, world: sm.World) -> None:
        """Look which hiders are hidden from which seekers."""
        if not len(self.hiders) or not len(self.seekers):
            return
        chasing, ids = self.chasers(), self.seekers.id
        self.ago = extended(self.ago, self.seekers, np.inf)
        distance, visible = np.zeros((len(self.seekers), len(self.hiders))), np.zeros(len(self.hiders), bool)
        for row, eye in enumerate(self.seekers.position.astype(float)):
            way = self.hiders.position - eye
            away = distance[row] = np.linalg.norm(way, axis=1)
            way[away < 1e-3] = self.seekers.forward[row]  # Caught: in view, whatever the direction.
            free = np.isinf(self.rocks.cast(np.tile(eye, (len(way), 1)), way, reach=away).distance)
            visible = free if row == 0 else visible
            ahead = way @ self.seekers.forward[row] > np.cos(1.6) * away
            sees = (free & ahead & (away < SIGHT + 1)).any()
            self.ago[ids[row]] = 0 if sees else self.ago[ids[row]] + 0.1
            if chasing[row]:
                near, speed = away.argmin(), self.seekers.speed[row]
                self.closing += float(way[near] @ self.seekers.velocity[row]) / max(away[near] * speed, 1e-9)
        self.chased += int(chasing.sum())
        self.blind += int((chasing & (self.ago[ids] > 1.8)).sum())
        if world.time > 4:
            looked = (distance.argmin(axis=0) > 0) & (distance.min(axis=0) < CLOSE)
            self.exposed += (visible & looked).sum(), looked.sum()

    def blind_part(self, _: sm.Vehicles) -> float:
        """The part of the time of a chase in which the seeker has seen no hider for a while."""
        return self.blind / max(self.chased, 1)

    def approach(self, _: sm.Vehicles) -> float:
        """The mean cosine of the angles between how chasing seekers go and where the nearest hiders are."""
        return self.closing / max(self.chased, 1)

    def to_first(self, _: sm.Vehicles) -> float:
        """How often the first seeker could see a hider to which another one was close, and nearer."""
        return float(self.exposed[0] / max(self.exposed[1], 1))


class Finder(sm.Keeping):
    """Sends home who is found, and counts them.

    Attributes:
        count: How many were found.
    """

    saved_attributes = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def go_home(self, hiders: sm.Vehicles, chasers: np.ndarray) -> None:
        """Those who are found leave the field."""
        self.count += int(chasers.sum())
        hiders.remove(chasers)


def make(*, n: int = 14, seed: int = 0) -> sm.Stage:
    """Put n hiders and some seekers between rocks, within a field."""
    rng = np.random.default_rng(seed)
    field = sm.Box([120, 76])
    rocks = sm.Spheres(
        center=sm.spawn.box(14, [96, 52], center=[60, 38], apart=14, rng=rng), radius=rng.uniform(2.5, 4.5, 14)
    )
    start = sm.spawn.box(n, [110, 66], center=[60, 38], obstacles=rocks, clearance=2, apart=2, rng=rng)
    hiders = sm.Vehicles(start, max_speed=6.5, max_force=28, response_time=0.15, radius=0.7)
    count = n // 7 + 1
    seekers = sm.Vehicles(
        sm.spawn.disc(count, radius=12, center=[60, 38], obstacles=rocks, clearance=2, apart=2, rng=rng),
        sm.spawn.any_direction(count, speed=3, rng=rng),
        max_speed=9.5,
        max_force=30,
        response_time=0.15,
        radius=0.8,
    )
    catches = Finder()
    dodge, fence = sm.AvoidObstacles(rocks, lookahead=0.8), sm.Contain(field, lookahead=0.5, margin=2)
    hide = sm.Hide(pursuer=seekers, obstacles=rocks, margin=1.2) + 0.6 * sm.Separation(radius=2.5)
    hiding = sm.Modes(
        {"hide": hide, "found": sm.TargetSpeed(0)},
        start="hide",
        transitions=[("hide", "found", sm.Near(seekers, distance=1.8))],
        on_enter={"found": catches.go_home},
    )
    sees = sm.Sees(hiders, range=SIGHT, angle=3, occluders=rocks, memory=1)
    seeking = sm.Modes(
        {"search": sm.Wander("turn", speed=7, rate=1, max_turn_rate=1.5), "chase": sm.Seek(hiders)},
        start="search",
        transitions=[("search", "chase", sees), ("chase", "search", ~sees)],
        cooldown=0.5,
    )
    world = sm.World(domain=field, seed=seed, dt=1 / 30)
    world.add(hiders, name="hiders", steering=sm.Priority([dodge, hiding]))
    hunt = world.add(seekers, name="seekers", steering=sm.Priority([dodge, fence, seeking]))

    stage = sm.Stage(
        world,
        seconds=50,
        scenery={"rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "forest"}, glyphs="person", trails=2.5, size=1.2, at=8, sketch={"hiders": [10]}, opens=7.0
        ),
        colors={"hiders": "blue", "seekers": "red"},
    )
    sight = Sight(hiders, seekers, rocks, lambda: in_mode(hunt, "chase"))
    world.on_step(sight, sm.EverySeconds(0.1))
    stage.watch("hiders", "overlap", to_first=sight.to_first)
    stage.watch("seekers", blind=sight.blind_part, approach=sight.approach)
    stage.watch("hiders", "penetration", every=sm.EverySteps(1))
    stage.watch("seekers", "penetration", every=sm.EverySteps(1))
    stage.watch("seekers", at_fence="outside", to=sm.Box([118.8, 74.8], [0.6, 0.6]), every=sm.EverySteps(1))
    stage.watch("hiders", seen=lambda hiders: visible_share(hiders, seekers, rocks), found=lambda _: catches.count)
    stage.watch("hiders", beside=lambda hiders: beside(hiders, rocks))
    stage.watch("seekers", chasing=lambda _: share_in_mode(hunt, "chase"))
    return stage


def visible_share(hiders: sm.Vehicles, seekers: sm.Vehicles, rocks: sm.Spheres) -> float:
    """Which part of the hiders can be seen from where some seeker is."""
    if not len(hiders):
        return 0.0
    catches = np.zeros(len(hiders), bool)
    for eye in seekers.position.astype(float):
        catches |= sights(eye, hiders, rocks)
    return float(catches.mean())


def sights(eye: np.ndarray, hiders: sm.Vehicles, rocks: sm.Spheres) -> np.ndarray:
    """Which of the hiders can be seen from a place, shape (n,)."""
    way = hiders.position - eye
    distance = np.linalg.norm(way, axis=1)
    way[distance < 1e-3] = [1.0, 0.0]
    hidden = np.isfinite(rocks.cast(np.tile(eye, (len(hiders), 1)), way, reach=distance).distance)
    return np.asarray((distance < SIGHT) & ~hidden)


def beside(hiders: sm.Vehicles, rocks: sm.Spheres) -> float:
    """Which part of the hiders is within 3 m of a rock."""
    return float(np.mean(rocks.nearest(hiders.position).distance < 3)) if len(hiders) else np.nan


def check(stage: sm.Stage) -> Iterator[str]:
    """Most stay behind rocks and out of sight, some are found, and none ran into a rock."""
    meters, n = stage.meters, stage.recall.get("n", 14)
    if not (exposure := meters["hiders.seen"].values[12:].mean()) < 0.45:
        yield f"hiders must be out of sight, but on average {exposure:.0%} could be seen"
    if not (near := np.nanmean(meters["hiders.beside"].values[12:])) > 0.6:
        yield f"hiders must be behind rocks, but on average only {near:.0%} were within 3 m of one"
    if not meters["seekers.chasing"].greatest > 0:
        yield "seekers must see one now and then, but did not"
    if not (toward := meters["seekers.approach"].now) > 0.2:
        yield f"seekers must go after the hiders that they see, but the mean cosine of their ways to them was {toward:.2f}"
    if not (blind := meters["seekers.blind"].now) < 0.05:
        yield f"seekers must chase only while they see a hider, but for {blind:.0%} of the time had not seen one for 1.8 s"
    if not (share := meters["hiders.to_first"].now) > 0.05:
        yield f"hiders must hide from the nearest seeker, but with another one close the first could see {share:.0%} of them"
    if not (same := np.mean(meters["hiders.overlap"].values > 0.7)) < 0.08:
        yield f"two must not hide at the same place, but did so for {same:.0%} of the time"
    if fence := meters["seekers.at_fence"].greatest:
        yield f"seekers must not run into the fence, but {fence:.0%} did at one time"
    if not (catches := meters["hiders.found"].now) >= 1:
        yield f"one must be found, but {catches:.0f} of {n} were"
    for name in ("hiders", "seekers"):
        if not (deep := meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"no vehicle may run into a rock, but one of the {name} did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "obstacles", "game AI lecture"),
    least=14,
    most=20,
    impostors={
        "without Hide": without(sm.Hide),
        "Evade for Hide": instead(sm.Hide, lambda old: sm.Evade(old.pursuer)),
        "Flee for Seek": instead(sm.Seek, lambda old: sm.Flee(old.target)),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
