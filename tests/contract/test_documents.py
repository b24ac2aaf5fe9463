"""Every example that is made of what the library has is written down, and steers the same when it is read again."""

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import DT, SEED
from contract.trying import ALL, FIRST
from sampling import EVERYTHING

import steersman as sm
from steersman.core.world.state_hash import state_hash

STEPS = 25


def world_of(name: str) -> sm.World:
    """A place as a world, in which the others move, too."""
    place = State.random(7, 2, torus=True).place(np.float32)
    world = sm.World(domain=place.domain, seed=SEED, dt=DT, threads=1)
    world.add(place.vehicles, name="ants", steering=EXAMPLES[name](place))
    world.add(place.others, name="bees", steering=sm.Wander())
    return world


@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@ALL
def test_a_world_that_is_read_again_goes_on_the_same(name: str) -> None:
    world = world_of(name)
    try:
        document = sm.to_document(world)
    except sm.NoDocumentError:
        return
    again = sm.from_document(document, threads=1)
    for each in (world, again):
        each.run(steps=STEPS)
    assert state_hash(again) == state_hash(world)
    if name not in FIRST and not EVERYTHING:
        return
    halfway = sm.from_document(sm.to_document(world), threads=1)
    for each in (world, halfway):
        each.run(steps=3)
    assert state_hash(halfway) == state_hash(world)
