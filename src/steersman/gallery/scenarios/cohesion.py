"""Two scattered crowds gather, each around a center of its own: a vehicle knows only its neighbors.

Reynolds 1999, "Cohesion": the mean position of the neighbors is the target of seek, here with the distance as the
speed, so that they come to rest. No vehicle sees the other crowd, so no common middle attracts them. Both crowds are
long, and gather from their ends: a vehicle with as many on either side has no reason to go.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

SIGHT = 22.0
"""How far vehicles see [m]."""


def make(*, n: int = 60, seed: int = 0) -> sm.Stage:
    """Scatter n vehicles that move in all directions over two places, 120 m apart."""
    rng = np.random.default_rng(seed)
    west, east = (
        np.column_stack([x + rng.uniform(-6, 6, k), np.linspace(-30, 30, k) + rng.uniform(-1, 1, k)])
        for x, k in ((-60, n - n // 2), (60, n // 2))
    )
    between = np.abs(np.abs(np.concatenate([west, east])[:, 1]) - 8) < 3
    crowd = sm.Vehicles(
        np.concatenate([west, east]), sm.spawn.any_direction(n, speed=1, rng=rng), max_speed=5, max_force=8
    )
    of_west, near_middle = Own(crowd, np.arange(n) < len(west)), Own(crowd, between)
    world = sm.World(seed=seed)
    world.add(crowd, name="crowd", steering=sm.Cohesion(law="seek", speed="offset", radius=SIGHT))
    world.watch("crowd", "mean_speed")
    world.watch("crowd", early=lambda crowd: toward_middle(crowd, near_middle), every=0.1)
    world.watch("crowd", west=lambda crowd: spread(parts(crowd, of_west)[0]))
    world.watch("crowd", east=lambda crowd: spread(parts(crowd, of_west)[1]))
    world.watch("crowd", apart=lambda crowd: gap(*parts(crowd, of_west)))

    return sm.Stage(
        world,
        seconds=14,
        picture=sm.Picture(
            looks={"ground": "grass"},
            glyphs="person",
            trails=14,
            size=1.0,
            at=(0, 4, 14),
            sketch={"crowd": [58]},
            opens=0.05,
        ),
        colors={"crowd": "blue"},
    )


def spread(position: np.ndarray) -> float:
    """Root mean square distance from the middle [m]."""
    return float(np.sqrt(position.var(axis=0).sum())) if len(position) else 0.0


def parts(crowd: sm.Vehicles, of_west: Own) -> tuple[np.ndarray, np.ndarray]:
    """The places of the two crowds [m], each of shape (k, 2)."""
    rows, west = of_west.of(crowd)
    return crowd.position[rows[west]], crowd.position[rows[~west]]


def toward_middle(crowd: sm.Vehicles, some: Own) -> float:
    """How fast some go to the middle of their crowd, along it [m/s]."""
    rows, chosen = some.of(crowd)
    inward = -crowd.velocity[rows[chosen], 1] * np.sign(crowd.position[rows[chosen], 1])
    return float(inward.sum() / max(len(inward), 1))


def gap(west: np.ndarray, east: np.ndarray) -> float:
    """How far the two crowds are apart from west to east [m]."""
    return float(east[:, 0].min(initial=np.inf) - west[:, 0].max(initial=-np.inf))


def check(stage: sm.Stage) -> Iterator[str]:
    """Both crowds are together, at rest, and where they were."""
    for name in ("west", "east"):
        crowd = stage.meters[f"crowd.{name}"]
        if not crowd.now < 0.1 * crowd.start:
            yield f"the {name} must gather to a tenth, but went from {crowd.start:.1f} m to {crowd.now:.1f} m"
    early = stage.meters["crowd.early"]
    if not (went := early.values[(early.times > 0.3) & (early.times < 0.9)].mean()) < 1.5:
        yield f"vehicles with others on either side must not know the middle, but went there at {went:.1f} m/s"
    if not (apart := stage.meters["crowd.apart"].now) > 80:
        yield f"the two crowds must stay where they are, but come as near as {apart:.0f} m"
    if not (speed := stage.meters["crowd.mean_speed"].now) < 0.5:
        yield f"they must come to rest, but the mean speed is {speed:.1f} m/s"


def home(crowd: sm.Vehicles) -> np.ndarray:
    """The force that takes each to the middle of its own crowd, which is given."""
    to = np.sign(crowd.position) * [60, 0] - crowd.position
    return np.asarray((to * np.minimum(1, 5 / np.linalg.norm(to, axis=1, keepdims=True)) - crowd.velocity) / 0.5)


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "Reynolds 1999"),
    least=24,
    quick=30,
    impostors={
        "without Cohesion": without(sm.Cohesion),
        "Alignment for Cohesion": instead(sm.Cohesion, lambda old: sm.Alignment(radius=old.radius)),
        "Arrive for Cohesion": instead(sm.Cohesion, sm.Arrive([0.0, 0.0])),
        "told a place each": instead(sm.Cohesion, lambda _: home),
        "short sight": instead(sm.Cohesion, lambda old: old.replace(radius=8.0)),
    },
)
