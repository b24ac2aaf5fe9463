"""Flying with a forward that is no unit vector: nothing becomes NaN, however long a step is."""

import numpy as np
import pytest

import steersman as sm


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dt", [1 / 60, 1.0, 200.0, 1e9])
@pytest.mark.parametrize("length", [1e-12, 0.2, 5.0, 1e6])
def test_a_forward_of_any_length_leaves_up_finite(length: float, dt: float, dtype: type) -> None:
    rng = np.random.default_rng(3)
    vehicles = sm.Vehicles(rng.uniform(-9, 9, (30, 3)), max_speed=0, dtype=dtype)
    vehicles.forward[...] *= length
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.Wander(), locomotion=sm.Flying())
    with np.errstate(all="ignore"):
        world.step()
    assert np.isfinite(vehicles.block).all()
