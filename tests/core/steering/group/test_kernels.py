"""What the kernels of the group have in common: single precision, and the same bits for any number of threads."""

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import controller
from precision import assert_single_precision

import steersman as sm
from steersman.core.kernels.kernel import is_compiling

NAMES = {
    "avoid all neighbors": "avoid_neighbors",
    "follow leader ids, far": "follow_leader",
    "queue exit": "queue",
    "formation line": "hold_formation",
    "orca rocks and boxes": "orca",
}


@pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")
@pytest.mark.parametrize("name", NAMES)
def test_float32_kernels_stay_in_float32(name):
    place = State.random(1, 2).place(np.float32)
    calls = controller(place, EXAMPLES[name](place))._ready().steered[0].plan.calls
    (call,) = (call for call in calls if call.kernel.py_func.__name__ == NAMES[name])
    assert_single_precision(call.kernel, np.uint64(0), np.uint64(0), *call.arguments)


@pytest.mark.parametrize(
    "steering",
    [
        lambda goals, leader: sm.AvoidNeighbors(3.0, 0.5) + sm.Seek(goals),
        lambda goals, leader: sm.ORCA(time_horizon=2.0, toward=sm.Seek(goals), k=5),
        lambda goals, leader: sm.FollowLeader(leader) + 0.5 * sm.Queue([9.0, 9.0]),
    ],
    ids=["avoid", "orca", "follow and queue"],
)
def test_the_bits_do_not_depend_on_the_threads(steering):
    blocks = []
    for threads in (1, 2, 3):
        rng = np.random.default_rng(0)
        vehicles = sm.Vehicles(
            rng.uniform(0, 150, (5000, 2)), rng.normal(0, 1, (5000, 2)), max_speed=2.0, max_force=9.0
        )
        leader = sm.Vehicles([[75.0, 75.0]], [[1.0, 0.0]])
        world = sm.World(domain=sm.Torus([150.0, 150.0]), threads=threads)
        world.add(vehicles, steering=steering(rng.uniform(0, 150, (5000, 2)), leader))
        world.run(steps=4)
        blocks.append(vehicles.block.copy())
    np.testing.assert_array_equal(blocks[0].view(np.uint32), blocks[1].view(np.uint32))
    np.testing.assert_array_equal(blocks[0].view(np.uint32), blocks[2].view(np.uint32))
