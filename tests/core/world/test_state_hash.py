"""The hash of a world."""

import numpy as np

import steersman as sm
from steersman.core.world.state_hash import state_hash


def world(seed=0, steps=0, name="a", wander=True):
    made = sm.World(seed=seed)
    steering = sm.Wander() if wander else sm.Seek([0, 0])
    made.add(sm.Vehicles([[1, 2], [3, 4]], max_speed=5), name=name, steering=steering)
    made.run(steps=steps)
    return made


def test_equal_worlds_have_equal_hashes():
    assert state_hash(world(steps=3)) == state_hash(world(steps=3))


def test_whatever_makes_a_difference_changes_the_hash():
    changed = world(steps=3)
    changed["a"].position[1, 0] += 1e-6
    turned = world(steps=3)
    turned.populations["a"].memories[0]._now["point"][0, 0] *= -1
    hashes = {
        state_hash(each) for each in (world(), world(steps=3), world(1, 3), world(steps=3, name="b"), changed, turned)
    }
    assert len(hashes) == 6


def test_the_seed_is_in_the_hash_and_the_time_step_is_not():
    """Worlds that all vehicles have left look alike, but newcomers would not. Each step may have a length of its own."""
    hashes = []
    for seed, dt in ((1, 0.1), (2, 0.1), (1, 0.2)):
        made = sm.World(seed=seed, dt=dt)
        made.add(sm.Vehicles(np.zeros((0, 2))), steering=sm.Wander())
        hashes.append(state_hash(made))
    assert hashes[0] == hashes[2] != hashes[1]


def test_to_hash_changes_nothing():
    made = world(steps=2)
    before = state_hash(made)
    assert state_hash(made) == before


def test_what_has_been_eaten_changes_the_hash():
    """Worlds that differ in nothing else go on differently."""
    worlds = []
    for amount in (5.0, 5.0, 6.0):
        made = sm.World()
        made.add(sm.Vehicles([1, 2]), steering=sm.Priority([sm.Forage(sm.Resources([[4.0, 3.0]], amount))]))
        worlds.append(made)
    first, same, other = map(state_hash, worlds)
    assert first == same != other
