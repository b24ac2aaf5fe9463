"""A recorded run is replayed beside other vehicles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm

DOOR = sm.Box([2.0, 2.0], origin=[-1.0, -1.0])


def recorded(folder: Path, domain: Any = None, seconds: float = 4.0) -> sm.Run:
    """A run of walkers who come through a door at the origin and leave on the right."""
    world = sm.World(domain=domain, dt=1 / 60, seed=3)
    walkers = sm.Vehicles(
        [[0.0, 3.0], [0.0, -3.0]], [[1.0, 0.0], [1.2, 0.0]], max_speed=1.5, max_force=4, radius=[0.2, 0.3]
    )
    flows = [sm.Spawner(1.0, DOOR, velocity=[1.0, 0.0]), sm.Sink(sm.Box([9.0, 20.0], origin=[4.0, -10.0]))]
    world.add(walkers, name="walkers", steering=sm.Wander() + sm.Seek([9.0, 0.0]), flows=flows)
    with world.record(folder, every=0.05):
        world.run(seconds=seconds)
    return sm.read_run(folder)


@pytest.mark.parametrize("domain", [None, sm.Torus([7.0, 7.0], origin=[-3.0, -3.5])], ids=["open", "torus"])
@pytest.mark.parametrize("dt", [1 / 20, 1 / 240])
def test_vehicles_are_where_they_were_recorded(tmp_path: Path, dt: float, domain: Any) -> None:
    run = recorded(tmp_path / "run", domain)
    crowd = sm.Replayed(run)
    world = sm.World(dt=dt, domain=domain)
    vehicles = world.add(crowd.vehicles(), name="again", flows=[crowd]).vehicles
    ids, numbers = set(), set()
    for k in range(run.frames):
        moment = run.frame(k)["walkers"]
        order = [np.argsort(moment.id), np.argsort(vehicles.id)]
        assert np.array_equal(moment.id[order[0]], vehicles.id[order[1]])
        np.testing.assert_allclose(vehicles.position[order[1]], moment.position[order[0]], atol=2e-6)
        np.testing.assert_allclose(vehicles.velocity[order[1]], moment.velocity[order[0]], atol=2e-6)
        np.testing.assert_allclose(vehicles.radius[order[1]], moment.radius[order[0]])
        ids |= set(moment.id.tolist())
        numbers.add(len(moment.id))
        world.run(steps=round(0.05 / dt))
    assert len(ids) > 4
    assert len(numbers) > 2
