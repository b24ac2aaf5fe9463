"""The workloads: worlds that are built through the public API only, and stepped."""

import math
from collections.abc import Callable

import numpy as np

import steersman as sm

NEIGHBORS = 20
"""Expected number of others within the largest radius of workload W."""


FORMS, DOMAINS, OBSTACLES = ("sum", "flocking"), ("torus", "open"), ("circles", "spheres", "mesh")
"""Which flocks there are, and among what others steer."""


def flock(
    n: int, dimensions: int, threads: int, form: str, domain: str, neighbors: float = NEIGHBORS, dtype: str = "float32"
) -> sm.World:
    """Workload W: the nine-parameter flock, about 20 others within 9 m, float32.

    Args:
        n: Number of vehicles.
        dimensions: 2 or 3.
        threads: Threads to use.
        form: "sum", a plain sum of the three behaviors, or "flocking".
        domain: "torus" (neighbors are seen across the edge) or "open".
        neighbors: How many others are expected within the largest radius.
        dtype: "float32" or "float64".
    """
    radius = 9.0
    ball = 4 / 3 * math.pi * radius**3 if dimensions == 3 else math.pi * radius**2
    size = (n * ball / neighbors) ** (1 / dimensions)
    rng = np.random.default_rng(12345)
    forward = rng.normal(size=(n, dimensions))
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    vehicles = sm.Vehicles(
        rng.random((n, dimensions)) * size, forward * 2.7, mass=1, max_speed=9, max_force=27, radius=0.5,
        dtype=dtype,
    )  # fmt: skip
    angles = [2 * math.acos(cosine) for cosine in (-0.707, 0.7, -0.15)]
    weights = [weight / 27 for weight in (12, 8, 8)]
    if form == "flocking":
        steering: sm.Behavior = sm.Flocking(
            separation_radius=5, alignment_radius=7.5, cohesion_radius=radius, inner_radius=1.5,
            separation_angle=angles[0], alignment_angle=angles[1], cohesion_angle=angles[2],
            separation_weight=weights[0], alignment_weight=weights[1], cohesion_weight=weights[2],
        )  # fmt: skip
    else:
        steering = (
            weights[0] * sm.Separation(radius=5, angle=angles[0], inner_radius=1.5)
            + weights[1] * sm.Alignment(radius=7.5, angle=angles[1], inner_radius=1.5)
            + weights[2] * sm.Cohesion(radius=radius, angle=angles[2], inner_radius=1.5)
        )
    space = sm.Torus([size] * dimensions) if domain == "torus" else sm.Open()
    world = sm.World(domain=space, seed=1, dt=1 / 60, threads=threads)
    world.add(vehicles, steering=steering)
    return world


def clustered(n: int, dimensions: int, threads: int) -> sm.World:
    """Workload W with 70 % of the vehicles in one cluster of a tenth of the edge."""
    world = flock(n, dimensions, threads, "sum", "open")
    vehicles = world["vehicles"]
    many = int(0.7 * n)
    low, high = vehicles.position.min(axis=0), vehicles.position.max(axis=0)
    side = (high - low) * 0.7 ** (1 / dimensions) * 0.5
    vehicles.position[:many] = (low + high) / 2 + np.random.default_rng(2).uniform(-0.5, 0.5, (many, dimensions)) * side
    return world


def crowd(n: int, threads: int) -> sm.World:
    """Pedestrians that avoid each other by ORCA, one on 4 m^2 of a torus, each on the way to a place of its own."""
    rng, side = np.random.default_rng(3), 2 * math.sqrt(n)
    position = rng.random((n, 2)) * side
    people = sm.Vehicles(position, max_speed=1.4, max_force=10, radius=0.25, dtype="float32")
    world = sm.World(domain=sm.Torus([side] * 2), seed=1, dt=1 / 20, threads=threads)
    world.add(people, steering=sm.ORCA(toward=sm.Seek(position + rng.normal(size=(n, 2)) * 60)))
    return world


def coming_and_going(n: int, dimensions: int, threads: int) -> sm.World:
    """Workload W where after every step 10 vehicles go, and in turns 8 and 12 come."""
    world = flock(n, dimensions, threads, "sum", "torus")
    rng, vehicles, size = np.random.default_rng(7), world["vehicles"], world["vehicles"].position.max(axis=0)

    def turn_over(world: sm.World) -> None:
        vehicles.remove(rng.choice(vehicles.id, 10, replace=False))
        vehicles.spawn(rng.uniform(0, size, (8 + 4 * (world.steps % 2), dimensions)))

    world.on_step(turn_over)
    return world


def small_world(n: int) -> sm.World:
    """A small game: seek, arrive, wander, avoid 20 circles, follow a path of 10 segments; one population in 2D."""
    rng = np.random.default_rng(3)
    rocks = sm.Spheres(rng.uniform(-100, 100, (20, 2)), rng.uniform(1, 5, 20))
    turn = np.linspace(0, np.pi, 11)
    road = sm.Path(np.stack([80 * np.cos(turn), 80 * np.sin(turn)], axis=1), radius=4)
    vehicles = sm.Vehicles(rng.uniform(-100, 100, (n, 2)), rng.normal(size=(n, 2)), max_speed=8, max_force=20)
    world = sm.World(seed=1, dt=1 / 60, threads=1)
    world.add(
        vehicles,
        steering=sm.Seek([30, 40])
        + sm.Arrive([-20, 10])
        + sm.Wander()
        + 2 * sm.AvoidObstacles(rocks)
        + sm.FollowPath(road),
    )
    return world


def among_obstacles(n: int, kind: str, threads: int) -> sm.World:
    """Vehicles that avoid many obstacles: 1,000 "circles" or "spheres", or a "mesh", a landscape of 20,000 triangles."""
    rng = np.random.default_rng(4)
    dimensions = 2 if kind == "circles" else 3
    position = rng.uniform(0, 1000, (n, dimensions))
    if kind == "mesh":
        obstacles: sm.Obstacles = landscape(101, 1000.0)
        position[:, 2] = rng.uniform(-60, 80, n)
    else:
        obstacles = sm.Spheres(rng.uniform(0, 1000, (1000, dimensions)), rng.uniform(1, 12, 1000))
    vehicles = sm.Vehicles(position, rng.normal(0, 8, (n, dimensions)), max_speed=12, max_force=30)
    world = sm.World(domain=sm.Torus([1000.0] * dimensions), seed=1, dt=1 / 60, threads=threads)
    world.add(vehicles, steering=sm.AvoidObstacles(obstacles, lookahead=2.0))
    return world


def landscape(points: int, size: float) -> sm.TriangleMesh:
    """A square of hills with so many points a side."""
    along = np.linspace(0, size, points)
    x, y = np.meshgrid(along, along, indexing="ij")
    z = 60 * np.sin(x / 60) * np.cos(y / 45) + np.random.default_rng(5).normal(0, 4, x.shape)
    number = np.arange(points * points).reshape(points, points)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    halves = [np.stack([each.ravel() for each in half], axis=1) for half in ((a, b, c), (a, c, d))]
    return sm.TriangleMesh(np.stack([x, y, z], axis=-1).reshape(-1, 3), np.concatenate(halves))


def on_hills(n: int, threads: int) -> sm.World:
    """Vehicles that coast over a landscape of 512 x 512 nodes, bound to it; on a torus, so that it has no rim."""
    rng = np.random.default_rng(6)
    along = np.linspace(0, 8 * np.pi, 512)
    heights = 3 * np.sin(along)[:, None] * np.cos(along)[None, :]
    heights[-1], heights[:, -1] = heights[0], heights[:, 0]
    land = sm.Heightfield(heights, [0, 0], [512, 512], repeat=True)
    vehicles = sm.Vehicles(
        np.column_stack([rng.uniform(0, 512, (n, 2)), np.zeros(n)]), rng.normal(0, 3, (n, 3)), max_speed=10
    )
    world = sm.World(domain=sm.Torus([512, 512, 100], [0, 0, -50]), seed=1, dt=1 / 60, threads=threads)
    world.add(vehicles, locomotion=sm.SurfaceBound(land))
    return world


def named(label: str, n: int, dimensions: int, threads: int) -> Callable[[], sm.World]:
    """What builds a workload, by the words by which it stands in a CSV.

    Raises:
        ValueError: No workload is called so.
    """
    match label.split():
        case ["small", "world"]:
            return lambda: small_world(n)
        case ["coming", "and", "going"]:
            return lambda: coming_and_going(n, dimensions, threads)
        case ["flock", "clustered"]:
            return lambda: clustered(n, dimensions, threads)
        case ["flock", form, domain] if form in FORMS and domain in DOMAINS:
            return lambda: flock(n, dimensions, threads, form, domain)
        case ["avoid", kind] if kind in OBSTACLES:
            return lambda: among_obstacles(n, kind, threads)
        case ["bound", "to", "hills"]:
            return lambda: on_hills(n, threads)
    raise ValueError(f"no workload is called {label!r}")
