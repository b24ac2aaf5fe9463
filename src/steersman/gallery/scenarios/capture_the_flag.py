"""Runners take a flag from among its defenders and carry it home; a tagged runner starts again.

After OpenSteer's demonstration of the same name. Runners go for the flag and get out of the way of defenders; these
guard the flag until a runner comes near, and then cut off his way. A runner that just runs for the flag is tagged
before he has it.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.core.parameters.keeping import Keeping
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.deciding import in_mode

FLAG, HOME = np.array([130, 45]), np.array([14, 45])

POLE = np.array([[0.0, 0], [0, 7]])
"""A pole from its foot [m]."""

THREADS = np.linspace(0, 1, 25)[:, None]
"""Where threads run across the cloth of a flag, from its lower end to its upper one; shape (k, 1)."""

CLOTH = np.hstack(
    [np.hstack([0 * THREADS, 4 + 3 * THREADS]), np.hstack([4.5 * (1 - abs(2 * THREADS - 1)), 4 + 3 * THREADS])]
)
"""Both ends of each thread, from the foot of the pole [m]; shape (k, 4). A flag has no hole: its threads cover it."""

EVASION = 1.5
"""The weight of evasion, beside Seek with a weight of 1."""


class Score(Keeping):
    """Counts flags and tags, by the modes of the runners."""

    saved_attributes = ("flags", "tags")

    def __init__(self) -> None:
        self.flags, self.tags = 0, 0

    def scored(self, runners: sm.Vehicles, rows: np.ndarray) -> None:
        """Some runners have brought a flag home."""
        self.flags += int(rows.sum())

    def tagged(self, runners: sm.Vehicles, rows: np.ndarray) -> None:
        """Some runners have been tagged."""
        self.tags += int(rows.sum())


def make(*, n: int = 12, seed: int = 0) -> sm.Stage:
    """Put n runners at home, and a third as many defenders around the flag, with rocks between them, one before the flag."""
    rng, count = np.random.default_rng(seed), n // 3
    field = sm.Box([144, 90])
    scattered = sm.spawn.box(13, [66, 80], center=[63, 45], apart=12, rng=rng)
    rocks = sm.Spheres(center=[FLAG - [23, 0], *scattered], radius=[3, *rng.uniform(1.5, 4, 13)])
    body = {"max_force": 36, "response_time": 0.15, "radius": 0.7}
    runners = sm.Vehicles(sm.spawn.disc(n, radius=9, center=HOME, apart=2, rng=rng), max_speed=9, **body)
    defenders = sm.Vehicles(sm.spawn.disc(count, radius=9, center=FLAG, apart=3, rng=rng), max_speed=7.5, **body)
    score = Score()
    first = [sm.AvoidObstacles(rocks, lookahead=0.7), sm.Contain(field, lookahead=0.5, margin=2)]
    apart = 0.5 * sm.Separation(radius=5)
    dodge = EVASION * sm.Evade(defenders, panic_distance=11) + apart
    at_home = sm.Arrived(HOME, 6)
    plan = sm.Modes(
        {
            "attack": sm.Seek(FLAG) + dodge,
            "carry": sm.Seek(HOME) + dodge,
            "score": sm.Arrive(HOME) + apart,
            "tagged": sm.TargetSpeed(0),
            "return": sm.Arrive(HOME) + apart,
        },
        start="attack",
        transitions=[
            (["attack", "carry"], "tagged", sm.Near(defenders, distance=1.6)),
            ("attack", "carry", sm.Arrived(FLAG, 3)),
            ("carry", "score", at_home),
            ("score", "attack", sm.After(0.5)),
            ("tagged", "return", sm.After(2)),
            ("return", "attack", at_home),
        ],
        on_enter={"score": score.scored, "tagged": score.tagged},
    )
    near = sm.Near(runners, distance=22, leave=28) & sm.Near(FLAG, distance=30, leave=40)
    duty = sm.Modes(
        {
            "guard": sm.Arrive(FLAG - [14, 0], speed=5) + 0.8 * sm.Separation(radius=12),
            "intercept": sm.Pursue(runners, prediction=sm.Intercept()) + 0.5 * sm.Separation(radius=6),
        },
        start="guard",
        transitions=[("guard", "intercept", near), ("intercept", "guard", ~near)],
        cooldown=0.4,
    )
    world = sm.World(domain=field, seed=seed, dt=1 / 30)
    team = world.add(runners, name="runners", steering=sm.Priority([*first, plan]))
    guards = world.add(defenders, name="defenders", steering=sm.Priority([first[0], duty]))

    def carried() -> Iterator[sm.shapes.Shape]:
        """A flag on each runner that has one."""
        have = runners.position[in_mode(team, "carry")]
        if len(have):
            yield sm.shapes.Line(have[:, None] + POLE, role="target", label="has the flag")
            ends = (have[:, None, None] + CLOTH.reshape(1, -1, 2, 2)).reshape(-1, 2, 2)
            yield sm.shapes.Line(ends, role="target", means="has the flag")

    stage = sm.Stage(
        world,
        seconds=90,
        scenery={"rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "grass", "flag": "flag"},
            trails=2.5,
            size=2.0,
            glyphs="person",
            at=11,
            close_up=90,
            sketch={"runners": [11]},
            opens=35.5,
        ),
        colors={"runners": "blue", "defenders": "orange"},
        notes=[
            sm.shapes.Circle(HOME, 6, role="target"),
            sm.shapes.Line(
                sm.spawn.circle(72, 30, center=FLAG, start=2.5),
                closed=True,
                role="guide",
                label="defenders intercept in here",
            ),
            carried,
        ],
        labels={"flag": FLAG, "home": HOME},
    )
    lead = Lead(defenders, runners, near=5, far=25, which=lambda: in_mode(guards, "intercept"))

    def straight() -> np.ndarray:
        """The part of the velocity of each runner that Seek makes, to the flag or home."""
        way = np.where(in_mode(team, "attack")[:, None], FLAG, HOME) - runners.position
        return np.asarray(
            runners.max_speed[:, None]
            / (1 + EVASION)
            * way
            / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        )

    def running() -> np.ndarray:
        """The runners that are to dodge."""
        return np.asarray(in_mode(team, "attack") | in_mode(team, "carry"))

    dodging = Lead(runners, defenders, far=8, which=running, without=straight)
    for each in (lead, dodging):
        world.on_step(each, sm.EverySeconds(0.1))
    stage.watch("defenders", lead=lead.share)
    stage.watch("runners", "overlap", lead=dodging.share)
    stage.watch("defenders", "overlap")
    fence = sm.Box([139, 85], [2.5, 2.5])
    stage.watch("runners", at_fence="outside", to=fence, every=sm.EverySteps(1))
    stage.watch("runners", flags=lambda _: score.flags, tags=lambda _: score.tags)
    for name in ("runners", "defenders"):
        stage.watch(name, "penetration", every=sm.EverySteps(1))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """Flags were brought home, few runners were tagged for it, and none ran into a rock."""
    meters, n = stage.meters, stage.recall.get("n", 12)
    flags, tags = meters["runners.flags"].now, meters["runners.tags"].now
    if not flags >= 2:
        yield f"flags must be brought home, but {flags:.0f} were"
    if not tags >= n / 3:
        yield f"defenders must tag one now and then, but did so {tags:.0f} times"
    if not flags > 0.15 * tags:
        yield f"runners must dodge, but were tagged {tags:.0f} times for {flags:.0f} flags"
    if not (lead := meters["defenders.lead"].now) > 0.25:
        yield f"defenders must cut off their way, and make a quarter of it aside, but made {lead:.2f} of it"
    if not (aside := meters["runners.lead"].now) < 0:
        yield f"runners must step out of the defenders' way, but went along with them by {aside:.2f}"
    if out := meters["runners.at_fence"].greatest:
        yield f"no runner may come within 2.5 m of the fence, but {out:.0%} did at one time"
    for name in ("runners", "defenders"):
        if not (deep := meters[f"{name}.overlap"].values.mean()) < 0.25:
            yield f"the {name} must keep apart, but two of them overlapped by {deep:.2f} m on average"
        if not (deep := meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"no vehicle may run into a rock, but one of the {name} did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "obstacles", "OpenSteer"),
    exempt={"defenders: Pursue predicts 1 s, always": "of those who come near a second ahead is about right"},
    least=9,
    most=18,
    impostors={
        "without Evade": without(sm.Evade),
        "without Pursue": without(sm.Pursue),
        "Flee for Pursue": instead(sm.Pursue, lambda old: sm.Flee(old.quarry)),
        "without Seek": without(sm.Seek),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
