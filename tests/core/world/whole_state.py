"""Everything that a step may change, as bytes."""

import steersman as sm


def whole_state(world: sm.World, *others: sm.Vehicles) -> tuple:
    """All columns, ids, memory (now and next), time and step count of a world, and the columns of other vehicles."""
    populations = [
        (
            name,
            population.vehicles.block.tobytes(),
            population.vehicles.id.tobytes(),
            [
                (key, column, now.tobytes(), memory[column].tobytes())
                for key, memory in population.memories.items()
                for column, now in memory.snapshot().items()
            ],
        )
        for name, population in world.populations.items()
    ]
    return populations, world.time, world.steps, [vehicles.block.tobytes() for vehicles in others]
