"""The hash of a world: two worlds of the same parts with equal hashes continue in the same way, bit for bit."""

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.resources import Resources
from steersman.core.environment.routes.doors import Doored
from steersman.core.parameters.walking import fields_of, walk
from steersman.core.steering.behavior import Behavior
from steersman.core.typing import Array
from steersman.core.world.population import Population

if TYPE_CHECKING:
    from steersman.core.world.world import World


T = TypeVar("T")


def state_hash(world: "World") -> str:
    """BLAKE2b of columns, ids and memory of all populations, flows, resources, tolls of doors, switches, seed and clock.

    Parameters are not in it, nor is the time step, which each step may choose: it tells states of one scenario apart.
    The bits of a step depend on the processor and on the versions of the libraries, so compare hashes made on one machine.

    Returns:
        32 hexadecimal digits.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"seed {world.seed} steps {world.steps} time {world.time.hex()}".encode())
    for name, population in world.populations.items():
        vehicles = population.vehicles
        digest.update(f"\npopulation {name!r} {vehicles.dtype} {vehicles.block.shape}\n".encode())
        digest.update(np.ascontiguousarray(vehicles.block).tobytes())
        digest.update(np.ascontiguousarray(vehicles.id).tobytes())
        for key, memory in sorted(population.memories.items()):
            for column, values in sorted(memory.snapshot().items()):
                digest.update(f"\nmemory {key} {column!r} {values.dtype} {values.shape}\n".encode())
                digest.update(np.ascontiguousarray(values).tobytes())
        for label, tally in population.flowing.tallies.items():
            digest.update(f"\nflow {label!r} {tally.passed}\n".encode())
            for column, values in sorted(tally.state.items()):
                digest.update(f"{column!r} {values.dtype} {values.shape}\n".encode() + values.tobytes())
        for resources in _resources_of(population):
            digest.update(f"\nresources {len(resources)}\n".encode())
            digest.update(resources.amount.tobytes())
        for routes in maps_with_doors(population):
            digest.update(f"\ntolls {len(routes.doors)}\n".encode())
            digest.update(routes.current_tolls.tobytes())
    for number, enabled in enumerate(switched(world)):
        digest.update(f"\nobstacles {number} {len(enabled)}\n".encode())
        digest.update(enabled.tobytes())
    return digest.hexdigest()


def switched(world: "World") -> list[Array]:
    """Which parts of obstacles are enabled, for each set in the order of `all_obstacles`; empty if all parts are."""
    enabled = [each.enabled for each in all_obstacles(world)]
    return [] if all(each.all() for each in enabled) else enabled


def all_obstacles(world: "World") -> list[ObstacleSet]:
    """The sets of obstacles that behaviors and constraints of a world hold; a set that is held twice is there twice."""
    held = [each for population in world.populations.values() for each in _held_by(population, ObstacleSet)]
    return held + [each for each in walk(world.constraints) if isinstance(each, ObstacleSet)]


def all_maps_with_doors(world: "World") -> list[Doored]:
    """The maps of routes with doors that the behaviors of a world use; a map that is used twice is there twice."""
    return [each for population in world.populations.values() for each in maps_with_doors(population)]


def maps_with_doors(population: Population) -> list[Doored]:
    """The maps of routes with doors that the behaviors of a population use; a map that is used twice is there twice."""
    return [each for each in _held_by(population, Doored) if len(each.doors)]


def _resources_of(population: Population) -> list[Resources]:
    """The resources that the behaviors of a population use."""
    return _held_by(population, Resources)


def _held_by(population: Population, kind: Callable[..., T]) -> list[T]:
    """The objects of a kind that the behaviors of a population hold."""
    held = []
    for node in population.nodes:
        own = walk(fields_of(node.behavior), lambda value: not isinstance(value, Behavior))
        held += [value for value in own if isinstance(value, kind)]  # type: ignore[arg-type]
    return held
