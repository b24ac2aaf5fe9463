"""Vehicles come and go while every behavior steers: what is kept of a plan makes no difference to a single bit."""

import copy
from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import SIZE, State
from contract.running import DT, NAME, SEED
from contract.trying import try_examples

import steersman as sm
from steersman.core.world.state_hash import state_hash

pytestmark = pytest.mark.filterwarnings("ignore:Arrive may overshoot")
"""It says so where newcomers make the slowing distance too short; that is tested elsewhere."""


def turn_over(vehicles: sm.Vehicles, rng: np.random.Generator) -> None:
    """Some go, some come, some of those who went come back."""
    gone = vehicles.id[rng.random(len(vehicles)) < 0.25]
    vehicles.remove(gone)
    count, d = int(rng.integers(0, 4)), vehicles.dimensions
    vehicles.spawn(rng.uniform(0, SIZE, (count, d)), rng.normal(0, 1, (count, d)), radius=rng.uniform(0.1, 1.5, count))
    if len(gone) > 1 and rng.random() < 0.5:
        vehicles.spawn(rng.uniform(0, SIZE, d), id=[gone[1]])


def outcome(world: sm.World) -> Any:
    """The state after a step, or what was wrong."""
    try:
        world.step()
    except ValueError as error:
        return str(error)
    return state_hash(world)


@try_examples(("dtype", "dimensions"), [(np.float32, 2), (np.float64, 3)], some=1, every=3)
def test_a_world_goes_on_as_if_it_were_made_anew(name: str, dtype: Any, dimensions: int) -> None:
    place = State.random(4, dimensions, torus=True).place(dtype)
    world = sm.World(domain=place.domain, seed=SEED, dt=DT, threads=1)
    world.add(place.vehicles, name=NAME, steering=EXAMPLES[name](place))
    world.add(place.others, name="others")
    world.step()
    rng = np.random.default_rng(5)
    for turn in range(6):
        turn_over(place.vehicles, rng)
        if turn % 2:
            turn_over(place.others, rng)
        anew = copy.deepcopy(world)  # A plan is not copied.
        assert outcome(anew) == outcome(world)
