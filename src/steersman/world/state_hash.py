"""The hash of a world: two worlds with the same hash go on the same way, bit for bit."""

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from steersman.world.world import World


def state_hash(world: "World") -> str:
    """BLAKE2b of all columns, ids and memory of all populations, of the time and of the number of steps.

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
    return digest.hexdigest()
