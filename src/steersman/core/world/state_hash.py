"""The hash of a world: two worlds with the same hash go on the same way, bit for bit."""

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from steersman.core.environment.resources import Resources
from steersman.core.parameters.walking import fields_of, walk
from steersman.core.steering.behavior import Behavior
from steersman.core.world.population import Population

if TYPE_CHECKING:
    from steersman.core.world.world import World


def state_hash(world: "World") -> str:
    """BLAKE2b of all columns, ids and memory of all populations, flows, the rest of resources, time and number of steps.

    Equal for equal bits. It depends on the processor and on the versions of the libraries, so compare hashes that were
    made on one machine.

    Returns:
        32 hexadecimal digits.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"steps {world.steps} time {world.time.hex()}".encode())
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
    return digest.hexdigest()


def _resources_of(population: Population) -> list[Resources]:
    """The resources that the behaviors of a population use."""
    found = []
    for node in population.nodes:
        own = walk(fields_of(node.behavior), lambda value: not isinstance(value, Behavior))
        found += [value for value in own if isinstance(value, Resources)]
    return found
