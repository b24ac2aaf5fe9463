"""Vehicles that come and go at random, and behaviors that misbehave: what holds of a world holds after every step.

One input is a life of a world: a hundred steps in each of which vehicles are spawned and removed, under new ids and old
ones, in two populations that look at each other; or a step with somebody's behavior that fails in its own way.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.world.state_hash import state_hash

from .judging import source

STEPS = 100
"""Steps of a life."""

MOST = 30
"""Vehicles of a population."""


@dataclass(frozen=True, eq=False)
class Counting(sm.Behavior):
    """Remembers whom it steers, since when, and how often it did."""

    def init(self, vehicles: sm.Vehicles) -> Any:
        """Nothing yet."""
        return {"who": vehicles.id.copy(), "count": np.zeros(len(vehicles))}

    def steer(self, scene: Any, memory: Any, out: Any) -> None:
        """Count."""
        assert (memory["who"] == scene.vehicles.id).all()
        memory["count"][:] += 1


def life(seed: int, steps: int = STEPS) -> None:
    """Let vehicles come and go for some steps, and look at what must hold after each."""
    rng = Random(seed)
    world = sm.World(seed=seed, dt=0.1, domain=rng.choice([sm.Open(), sm.Torus([30, 30])]), threads=1)
    place = np.random.default_rng(seed)
    ages: dict[str, dict[int, int]] = {}
    for name in ("a", "b"):
        n = rng.randrange(6)
        vehicles = sm.Vehicles(place.uniform(0, 30, (n, 2)), max_speed=3, dtype=rng.choice([np.float32, np.float64]))
        world.add(vehicles, name=name, steering=Counting(name="count") + sm.Separation(radius=4) + sm.Wander())
        ages[name] = dict.fromkeys(vehicles.id.tolist(), 0)
    world.populations["a"].steering = Counting(name="count") + sm.Pursue(world["b"]) + sm.Wander()
    ages["a"] = dict.fromkeys(ages["a"], 0)
    gone: dict[str, list[int]] = {"a": [], "b": []}
    for step in range(steps):
        name = rng.choice("ab")
        come_and_go(rng, place, world[name], ages[name], gone[name])
        world.step()
        assert world.steps == step + 1
        for alive in ages.values():
            for each in alive:
                alive[each] += 1
        consistent(world, name, ages[name])


def come_and_go(rng: Random, place: Any, vehicles: sm.Vehicles, alive: dict[int, int], gone: list[int]) -> None:
    """Let some go, and others come, under new ids or under those of some who went."""
    for _ in range(rng.choice((0, 0, 1, 2))):
        if rng.random() < 0.5 and alive:
            leave = rng.sample(sorted(alive), rng.randint(1, min(5, len(alive))))
            vehicles.remove(leave)
            gone += leave
            for each in leave:
                del alive[each]
        elif len(alive) < MOST:
            again = gone and rng.random() < 0.4
            ids = [gone.pop(rng.randrange(len(gone)))] if again else None
            n = 1 if again else rng.randint(0, 6)
            new = vehicles.spawn(place.uniform(0, 30, (n, 2)), id=ids)
            assert not set(new.tolist()) & set(alive)
            alive |= dict.fromkeys(new.tolist(), 0)


def consistent(world: sm.World, name: str, ages: dict[int, int]) -> None:
    """Ids are unique and those that are expected, all columns have as many rows, and each remembers its own."""
    vehicles, ids = world[name], world[name].id.tolist()
    assert len(vehicles) == len(set(ids)) == len(ages)
    assert set(ids) == set(ages)
    assert vehicles.position.shape == (len(ids), 2)
    assert vehicles.mass.shape == (len(ids),)
    assert np.isfinite(vehicles.block).all()
    remembered = world.memory(name, "count")
    assert remembered["who"].tolist() == ids
    assert remembered["count"].tolist() == [ages[each] for each in ids]


@source("lives", documented=())
def lives(rng: Random, count: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Lives of worlds."""
    for _ in range(count):
        seed = rng.randrange(2**32)
        yield f"a life of {STEPS} steps with the seed {seed}", lambda seed=seed: life(seed)


# ---------------------------------------------------------------------------------------------- misbehaving


class RudeError(Exception):
    """What a behavior raises."""


def misbehaviors(rng: Random, vehicles: sm.Vehicles, world: sm.World) -> tuple[Callable[..., Any], str]:
    """Something that a behavior must not do, and what is to be said about it."""
    shape = rng.choice([(), (1,), (2,), (3, 2), (8, 3), (8, 1), (0, 2), (8, 2, 1)])
    column = rng.choice(["position", "velocity", "forward", "mass", "max_speed"])

    def rude(vehicles: sm.Vehicles) -> Any:
        raise RudeError("no")

    def misshapen(vehicles: sm.Vehicles) -> Any:
        return np.zeros(shape)

    def nonsense(vehicles: sm.Vehicles) -> Any:
        return rng.choice([None, "force", object(), [["a", "b"]] * 8, {}])

    def writes(vehicles: sm.Vehicles) -> Any:
        getattr(vehicles, column)[rng.randrange(8)] = np.nan
        return np.zeros((8, 2))

    def spawns(_: sm.Vehicles) -> Any:
        vehicles.spawn([0.0, 0.0])
        return np.zeros((8, 2))

    def removes(_: sm.Vehicles) -> Any:
        vehicles.remove(3)
        return np.zeros((8, 2))

    def steps(vehicles: sm.Vehicles) -> Any:
        world.step()

    def infinite(vehicles: sm.Vehicles) -> Any:
        force = np.zeros((8, 2))
        force[rng.randrange(8)] = rng.choice([np.nan, np.inf, -np.inf])
        return force

    return rng.choice(
        [
            (rude, "no"), (misshapen, "misshapen"), (nonsense, "nonsense"), (writes, "must not write"),
            (spawns, "spawned or removed"), (removes, "spawned or removed"), (steps, "in the middle of a step"),
            (infinite, "infinite"),
        ]
    )  # fmt: skip


def misbehave(seed: int) -> None:
    """Let a behavior misbehave once: it is named, the world is as it was, and goes on with a better one."""
    rng = Random(seed)
    world = sm.World(seed=seed, threads=1)
    vehicles = sm.Vehicles(np.random.default_rng(seed).uniform(0, 9, (8, 2)))
    population = world.add(vehicles, steering=sm.Wander())
    world.run(steps=3)
    wrong, said = misbehaviors(rng, vehicles, world)
    population.steering = rng.choice(
        [lambda: wrong, lambda: sm.Wander() + wrong, lambda: sm.Priority([wrong, sm.Wander()])]
    )()
    before, n = state_hash(world), len(vehicles)
    message = ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            world.step()
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
    assert message, f"{wrong.__name__} was let in"
    assert said in message, f"does not say {said!r}: {message}"
    assert len(vehicles) == n
    assert state_hash(world) == before
    assert world.steps == 3
    population.steering = sm.Wander()
    world.run(steps=2)
    vehicles.velocity[:] = 1.0


@source("behaviors", documented=())
def behaviors(rng: Random, count: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Behaviors of a user that misbehave."""
    for _ in range(count):
        seed = rng.randrange(2**32)
        yield f"a behavior that misbehaves, with the seed {seed}", lambda seed=seed: misbehave(seed)
