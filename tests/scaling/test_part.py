"""The parts of populations on their way between processes."""

import numpy as np

import steersman as sm
from steersman.scaling.blocks import Blocks
from steersman.scaling.part import Part, Rows, joined


def test_vehicles_are_joined_in_the_order_of_their_births() -> None:
    """Not in that of their ids, which may be given: rows are in the order of births in one process."""
    some = Rows(np.array([[1.0, 4.0]]), np.array([[90, 5], [0, 3]]), {7: [np.array([[0.1, 0.4]])]})
    more = Rows(np.array([[2.0, 3.0]]), np.array([[80, 70], [1, 2]]), {7: [np.array([[0.2, 0.3]])]})
    whole = joined([some, more])
    assert whole.block.tolist() == [[1, 2, 3, 4]]
    assert whole.names.tolist() == [[90, 80, 70, 5], [0, 1, 2, 3]]
    assert whole.memories[7][0].tolist() == [[0.1, 0.2, 0.3, 0.4]]


def test_columns_and_all_memory_of_those_around_a_part_are_as_their_owner_has_them() -> None:
    world = sm.World(seed=1, dt=0.1)
    modes = sm.Modes({"go": sm.Wander(), "rest": sm.Wander()}, start="go", transitions=[("go", "rest", sm.After(5.0))])
    limits = [sm.HeadingSmoother(3)]
    place = np.random.default_rng(0).uniform(0, 10, (30, 2))
    for name in ("one", "other"):
        world.add(
            sm.Vehicles(place, max_speed=3), name=name, steering=modes, locomotion=sm.PointMass(limits=limits)
        )  # fmt: skip
    blocks, reach = Blocks.even(place, (2, 1), np.zeros(2)), np.array([3.0, 3.0])
    parts = [Part(world.populations[name], rank) for rank, name in enumerate(("one", "other"))]
    for part in parts:
        part.owned = np.flatnonzero(blocks.owners(place) == part._rank)
    coming = [part.leaving(blocks, reach) for part in parts]
    for rank, part in enumerate(parts):
        part.settle([each[rank] for each in coming], blocks, reach, 30, 30, 30)
    one, other = parts
    memories = sum(len(memory.blocks) for memory in world.populations["one"].memories.values())
    assert len(one._live()) == 1 + memories > 3
    for k, (now, *_) in enumerate(one._live()):
        now[:, one.owned] = k + 1
    message = one.shown(1)
    assert len(message) == one.width * len(one.sent[1])
    assert other.update(0, message, 0) == len(message)
    for k, now_and_next in enumerate(other._live()):
        for column in now_and_next:
            assert (column[:, other.taken[0]] == k + 1).all(), k
            assert not (column[:, other.owned] == k + 1).all(), k
