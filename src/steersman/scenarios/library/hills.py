"""Hills: a herd roams a landscape; it is bound to the ground, and its behaviors know nothing of that.

Reynolds 1999, "Locomotion": the same steering behaviors serve bodies that are constrained to a surface.
"""

import numpy as np

from steersman.drawing.style import Picture
from steersman.environment.domains.box import Box
from steersman.environment.surfaces.heightfield import Heightfield
from steersman.geometry.random import generator, key_of
from steersman.geometry.vectors import Array
from steersman.locomotion.surface_bound import SurfaceBound
from steersman.metrics.meters import Metric
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.combining.priority import Priority
from steersman.steering.group.alignment import Alignment
from steersman.steering.group.cohesion import Cohesion
from steersman.steering.group.separation import Separation
from steersman.steering.individual.contain import Contain
from steersman.steering.individual.wander import Wander
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

SIZE = 120.0
"""Edge of the landscape [m]."""


def landscape(nodes: int = 61) -> Array:
    """Heights of rolling hills [m], shape (nodes, nodes)."""
    x = np.linspace(0, 1, nodes)
    a, b = np.meshgrid(x, x, indexing="ij")
    hills = np.sin(2 * np.pi * (1.3 * a + 0.2)) * np.cos(2 * np.pi * (1.1 * b)) + 0.4 * np.sin(
        2 * np.pi * (2.9 * a + 2.3 * b)
    )
    return np.asarray(6.0 * hills)


def make(*, n: int, seed: int) -> Stage:
    """Put n animals on the meadows in the middle."""
    rng = generator(key_of(seed, "hills"))
    land = Heightfield(landscape(), [0, 0], [SIZE, SIZE])
    place = rng.uniform(0.3 * SIZE, 0.7 * SIZE, (n, 2))
    herd = Vehicles(
        np.column_stack([place, land.height_at(place)]),
        np.column_stack([rng.normal(0, 3, (n, 2)), np.zeros(n)]),
        max_speed=7.0,
        max_force=25.0,
        radius=0.8,
    )
    meadow = Box([SIZE - 12, SIZE - 12, 100], [6, 6, -50])
    world = World(seed=seed, dt=1 / 30)
    together = 1.5 * Separation(radius=4) + 0.9 * Alignment(radius=9) + 0.6 * Cohesion(radius=11) + 0.4 * Wander()
    steering = Priority(components=(Contain(region=meadow, lookahead=1.5, margin=1.0), together))
    world.add(herd, name="herd", steering=steering, locomotion=SurfaceBound(surface=land))
    picture = Picture(trails=1.5, azimuth=-70.0, elevation=38.0)
    stage = Stage(world, seconds=20.0, scenery={"land": land}, picture=picture, colors={"herd": "orange"})

    def lift(_: object) -> float:
        return float(np.abs(herd.position[:, 2] - land.height_at(herd.position[:, :2].astype(np.float64))).max())

    stage.watch("herd", "mean_speed", "nearest_distance", lift=Metric("m", "distance from the ground", lift))
    stage.watch("herd", "outside", to=meadow)
    return stage


def check(world: World) -> list[str]:
    """They stay on the ground and on the meadows, keep moving, and keep apart."""
    meters, problems = meters_of(world), []
    lift, outside = meters["herd.lift"].greatest, meters["herd.outside"].greatest
    speed = meters["herd.mean_speed"].now
    if not lift < 1e-3:
        problems.append(f"they must stay on the ground, but somebody was {lift:.3f} m off it")
    if outside > 0:
        problems.append(f"they must stay on the meadows, but {100 * outside:.0f} % were beyond them at one time")
    if not speed > 3:
        problems.append(f"they must keep moving, but the mean speed is {speed:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="hills",
    shows="A herd roams rolling hills, bound to the ground.",
    tags=("3d", "group", "surface", "locomotion"),
    dimensions=3,
    n=120,
    make=make,
    check=check,
    quick=40,
)
