"""Flying: what is exactly true of a roll."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws


@pytest.mark.parametrize("climb", [0.0, 30.0, 60.0, 85.0, -60.0])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 20])
def test_without_a_roll_time_it_rolls_at_once_also_in_a_climb(climb: float, dt: float) -> None:
    angle = np.radians(climb)
    forward = np.array([np.cos(angle), 0, np.sin(angle)])
    ups: list[Any] = [[0.0, 1, 0], [0.3, -1, 0.2], [0, 0.1, -1]]
    vehicles = sm.Vehicles(np.zeros((3, 3)), [4 * forward] * 3, up=ups, max_speed=4, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, locomotion=sm.Flying(roll_time=0.0))
    world.step()
    level = laws.normalize(laws.lateral(np.array([0.0, 0, 1]), forward))
    np.testing.assert_allclose(vehicles.up, [level] * 3, atol=1e-9)


def test_a_roll_does_not_depend_on_the_step() -> None:
    ends = []
    for dt in (1 / 20, 1 / 240):
        vehicles = sm.Vehicles([[0.0, 0, 0]], [[2.0, 0, 2]], up=[0, 1, 0], max_speed=4, dtype=np.float64)
        world = sm.World(dt=dt, threads=1)
        world.add(vehicles, locomotion=sm.Flying(roll_time=0.4))
        world.run(seconds=0.4)
        ends.append(vehicles.up[0].copy())
    assert 0.2 < ends[0][1] < 0.8
    np.testing.assert_allclose(ends[0], ends[1], atol=0.03)
