"""Caribou graze until they sense wolves; then they flee through the forest, without stopping to eat.

Reynolds 1999, "Combining Behaviors". The switch from grazing to fleeing is a change of mode: no caribou slows down for
a bite of food while a wolf is near. Within a mode behaviors are blended: a herd that flees through the forest evades,
keeps apart and dodges trees. Wolves have moods of their own: they prowl, charge, faster than a caribou but nearly
straight, and rest when they are tired. A caribou that just flees from where the wolf is runs ahead of it, and is run
down.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.retreat import Retreat
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.deciding import in_mode, share_in_mode

SENSE, CALM = 20.0, 34.0
"""Distances to a wolf at which a caribou takes fright, and at which it calms down [m]."""


def make(*, n: int = 50, seed: int = 0) -> sm.Stage:
    """Put n caribou on a meadow between trees, which is a torus, and three wolves around them; one goes for the middle."""
    rng = np.random.default_rng(seed)
    meadow, middle = sm.Torus([150, 90]), [75, 45]
    trees = sm.Spheres(center=sm.spawn.inside(18, meadow, apart=14, rng=rng), radius=rng.uniform(1, 2.5, 18))
    body = {"max_force": 26, "response_time": 0.2, "radius": 0.7}
    start = sm.spawn.disc(n, radius=22, center=middle, obstacles=trees, clearance=1.5, apart=1.6, rng=rng)
    velocity = sm.spawn.any_direction(n, speed=0.8, rng=rng)
    caribou = sm.Vehicles(start, velocity, max_speed=8.5, **body)
    lairs = sm.spawn.ring(3, radius=40, center=middle, obstacles=trees, clearance=1.5, rng=rng)
    prowl = sm.spawn.any_direction(3, speed=3, rng=rng)
    prowl[0] = 3 * (middle - lairs[0]) / 40
    wolves = sm.Vehicles(lairs, prowl, max_speed=14, **body)
    dodge = sm.AvoidObstacles(trees, lookahead=0.8)
    near, far = sm.Near(wolves, distance=SENSE), ~sm.Near(wolves, distance=CALM)
    herd = sm.Modes(
        {
            "graze": sm.Wander("turn", speed=0.8, rate=2) + 0.2 * sm.Separation(radius=3),
            "flee": sm.Evade(wolves, panic_distance=12) + 0.4 * sm.Separation(radius=3),
        },
        start="graze",
        transitions=[("graze", "flee", near), ("flee", "graze", sm.After(2) & far)],
    )
    pack = sm.Modes(
        {
            "prowl": sm.Wander("turn", speed=4, rate=1),
            "charge": sm.TargetSpeed(14) + 0.1 * sm.Seek(caribou),
            "rest": sm.TargetSpeed(0.3),
        },
        start="prowl",
        transitions=[
            ("prowl", "charge", sm.Near(caribou, distance=28)),
            ("charge", "rest", sm.After(6)),
            ("rest", "prowl", sm.After(10)),
        ],
    )
    world = sm.World(domain=meadow, seed=seed, dt=1 / 30)
    grazers = world.add(caribou, name="caribou", steering=sm.Priority([dodge, herd]))
    hunters = world.add(wolves, name="wolves", steering=sm.Priority([dodge, pack]))

    def fear() -> Iterator[sm.shapes.Shape]:
        """Within which distance of a wolf caribou flee."""
        if len(wolves):
            yield sm.shapes.Circle(wolves.position, SENSE, role="guide", label="caribou flee within this ring")

    stage = sm.Stage(
        world,
        seconds=40,
        notes=[fear],
        scenery={"trees": trees},
        picture=sm.Picture(
            looks={"ground": "snow", "trees": "trees"},
            trails=2,
            at=(0, 6),
            glyphs={"caribou": "deer", "wolves": "wolf"},
            sketch={"caribou": [18]},
            opens=5.4,
        ),
        colors={"caribou": "gray", "wolves": "red"},
    )

    def bites(caribou: sm.Vehicles) -> float:
        """How many graze although a wolf is well within the distance at which they take fright."""
        distance = sm.metrics.proximity.distances_to(caribou, wolves, meadow)
        return float(np.sum((distance < 0.9 * SENSE) & in_mode(grazers, "graze")))

    def divided(herd: sm.Vehicles) -> float:
        """How many of those that dodge a tree do something else at the same time, on average over all."""
        if grazers.steering is None or not len(herd):
            return 0.0
        explanation = world.explain("caribou")
        dodging = next((each for each in explanation.walk() if each.label == "AvoidObstacles"), None)
        if dodging is None:
            return 0.0
        other = np.linalg.norm(explanation.contribution - dodging.contribution, axis=1)
        return mean(dodging.acts & (other > 0.01 * herd.max_force))

    aside = Lead(caribou, wolves, far=12, which=lambda: in_mode(grazers, "flee"))
    retreat = Retreat(caribou, wolves, far=10, which=lambda: in_mode(grazers, "flee"), coming=True)
    for each in (aside, retreat):
        world.on_step(each, sm.EverySeconds(0.1))
    stage.watch("caribou", "overlapping", lead=aside.share, retreat=retreat.worst)
    stage.watch("caribou", "penetration", "closest_to", to=wolves, every=sm.EverySteps(1))
    stage.watch("wolves", "penetration", every=sm.EverySteps(1))
    stage.watch("caribou", divided=divided, every=0.5)
    stage.watch("caribou", bites=bites, fleeing=lambda _: share_in_mode(grazers, "flee"))
    stage.watch("caribou", running=lambda caribou: mean(caribou.speed > 5))
    stage.watch("wolves", charging=lambda _: share_in_mode(hunters, "charge"))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """They grazed, fled together, fast and without a bite or a tree on the way, and grazed again."""
    meters = stage.meters
    fleeing, bites = meters["caribou.fleeing"], meters["caribou.bites"].values.mean()
    if not (fleeing.greatest > 0.5 and fleeing.least == 0 and meters["caribou.running"].greatest > 0.3):
        yield f"half of the herd must flee, and fast, and graze else, but {fleeing.greatest:.0%} fled at most"
    if not bites < 0.1:  # Who dodges a tree just then takes fright a moment later.
        yield f"no vehicle may graze with a wolf near, but {bites:.1f} did on average"
    if not (aside := meters["caribou.lead"].now) < 0:
        yield f"they must step out of the wolves' way, but went along with them by {aside:.2f}"
    if not (away := meters["caribou.retreat"].now) > 0.35:
        yield f"they must run from every wolf that comes, but the mean cosine of their ways away from one was {away:.2f}"
    if not (down := np.mean(meters["caribou.closest_to"].values < 1.4)) < 0.025:
        yield f"no vehicle may be run down, but a wolf touched one for {down:.1%} of the time"
    if not meters["wolves.charging"].greatest > 0:
        yield "wolves must charge, but none did"
    if not (touching := meters["caribou.overlapping"].values.mean()) < 0.08:
        yield f"they must keep apart, but {touching:.0%} touched another on average"
    if (divided := meters["caribou.divided"].values).any():
        yield f"a tree must be dodged with the whole force, but {divided.mean():.2%} did something else besides on average"
    for name in ("caribou", "wolves"):
        if not (deep := meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"no vehicle may run into a tree, but one of the {name} did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "obstacles", "Reynolds 1999"),
    least=40,
    most=80,
    impostors={
        "without Evade": without(sm.Evade),
        "short sight": instead(sm.Near, lambda old: old.replace(distance=8.0), of="caribou"),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
        "a sum for the Modes": instead(sm.Modes, lambda old: sm.WeightedSum(list(old.modes.values())), of="caribou"),
    },
)
