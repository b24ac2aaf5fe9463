"""Forage: ants stroll about until they sense food, gather there, and move on when it is gone. Reynolds 1999, "Wander"."""

from steersman.drawing.style import Picture
from steersman.environment.domains.torus import Torus
from steersman.environment.resources import Resources
from steersman.geometry.random import generator, key_of
from steersman.metrics.meters import Metric
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.group.separation import Separation
from steersman.steering.individual.forage import Forage
from steersman.steering.individual.wander import Wander
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

WIDTH, HEIGHT = 120.0, 80.0


def make(*, n: int, seed: int, places: int = 14) -> Stage:
    """Put n ants and some places with food anywhere; there is food for everybody for fourteen seconds."""
    rng = generator(key_of(seed, "forage"))
    food = Resources(rng.uniform((6, 6), (WIDTH - 6, HEIGHT - 6), (places, 2)), 14.0 * n / places)
    ants = Vehicles(
        rng.uniform(0, (WIDTH, HEIGHT), (n, 2)), rng.normal(0, 3, (n, 2)), max_speed=7.0, max_force=35.0, radius=0.5
    )
    world = World(domain=Torus([WIDTH, HEIGHT]), seed=seed, dt=1 / 30)
    search = Wander(distance=0.6, strength=0.35)
    forage = Forage(resources=food, search=search, reach=14.0, angle=4.7, bite=2.5, rate=1.0)
    world.add(ants, name="ants", steering=forage + 0.5 * Separation(radius=1.5))
    stage = Stage(
        world,
        seconds=30.0,
        scenery={"food": food},
        picture=Picture(trails=3.0),
        colors={"ants": "orange"},
    )
    stage.watch("ants", "mean_speed", left=Metric("", "food that is left", lambda _: float(food.amount.sum())))
    return stage


def check(world: World) -> list[str]:
    """Most of the food has been found and eaten."""
    left = meters_of(world)["ants.left"]
    part = left.now / left.start
    return [] if part < 0.5 else [f"they must find the food and eat it, but {100 * part:.0f} % are left"]


SCENARIO = OldScenario(
    name="forage",
    shows="Ants stroll about until they sense food, gather there, and move on when it is gone.",
    tags=("individual", "resources", "Reynolds 1999"),
    dimensions=2,
    n=60,
    make=make,
    check=check,
)
