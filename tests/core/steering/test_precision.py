"""Float32 kernels of the behaviors stay in float32."""

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import NAME, SEED
from precision import assert_single_precision

import steersman as sm
from steersman.core.steering.scene.scene import Clock
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.population import Population

NAMES = [
    "constant bearing", "offset pursuit fly-by", "offset pursuit slot to the right", "interpose", "shadow",
    "match velocity", "target speed", "whiskers, right first", "avoid walls", "follow wall", "hide if seen",
    "follow flow of a grid, along the axes", "contain in a disc, normal", "explore, full thrust, along the axes",
]  # fmt: skip
"""Not Dock, which has the time that is left as the difference of two float64 numbers, and only that; nor Forage: cells of a
grid are found in float64, as in the neighborhood."""

ROW = np.uint64(0)


@pytest.mark.parametrize("name", NAMES)
def test_behaviors_stay_in_float32(name: str) -> None:
    place = State.random(0, 2).place(np.float32)
    population = Population(NAME, place.vehicles, EXAMPLES[name](place), sm.PointMass())
    clock, force, turning = Clock.new(np.float32), np.zeros((2, 9), np.float32), np.zeros((1, 9), np.float32)
    plan = SteeringPlan(population, place.domain, clock, SEED, force, turning)
    own = [call for call in plan.calls if "steersman.core.steering" in getattr(call.kernel, "__module__", "")]
    assert own
    for call in own:
        assert_single_precision(call.kernel, ROW, ROW, *call.arguments)
