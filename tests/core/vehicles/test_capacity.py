"""Vehicles come and go within arrays that have room for more: what kernels are bound to stays, and rows follow each other."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.kernels.signals import at_once
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.removal import closing_gaps
from steersman.core.vehicles.turnover import turnover


def herd(n: int = 4, dtype: Any = np.float32) -> sm.Vehicles:
    rng = np.random.default_rng(1)
    return sm.Vehicles(rng.normal(size=(n, 2)), rng.normal(size=(n, 2)), mass=np.arange(n) + 1.0, dtype=dtype)


def test_there_is_room_for_those_who_are_there_and_twice_as_many_once_others_have_come() -> None:
    vehicles = herd(20)
    assert vehicles.capacity == 20
    vehicles.spawn([0, 0])
    assert (len(vehicles), vehicles.capacity) == (21, 40)
    storage, body, spin, whole = vehicles.storage, vehicles.columns, vehicles.spin, vehicles.whole
    vehicles.remove(vehicles.id[:10])
    vehicles.spawn(np.ones((29, 2)))
    assert (len(vehicles), vehicles.capacity) == (40, 40)
    assert vehicles.storage is storage
    assert np.shares_memory(vehicles.columns.mass, body.mass)
    assert np.shares_memory(vehicles.spin.max_speed, spin.max_speed)
    assert np.shares_memory(vehicles.whole, whole)
    assert vehicles.count.tolist() == [40]
    vehicles.spawn([0, 0])
    assert vehicles.storage is not storage
    assert not np.shares_memory(vehicles.whole, whole)
    assert vehicles.capacity == 80
    with pytest.warns(DeprecationWarning, match="Vehicles.room is called capacity now"):
        assert vehicles.room == 80


def test_the_first_ones_find_room_for_some() -> None:
    vehicles = sm.Vehicles(np.empty((0, 2)))
    vehicles.spawn([0, 0])
    assert vehicles.capacity == 16


def test_kernels_see_the_same_rows_as_everybody() -> None:
    vehicles = herd(6)
    vehicles.spawn([[1, 2], [3, 4]], max_speed=7)
    vehicles.remove(vehicles.id[[0, 3]])
    n = len(vehicles)
    np.testing.assert_array_equal(np.stack(vehicles.columns.position)[:, :n].T, vehicles.position)
    np.testing.assert_array_equal(vehicles.columns.max_speed[:n], vehicles.max_speed)
    np.testing.assert_array_equal(vehicles.columns.id[:n], vehicles.id)
    np.testing.assert_array_equal(vehicles.whole[:, :n], vehicles.block)
    vehicles.position[2] = [8, 9]
    assert [column[2] for column in vehicles.columns.position] == [8, 9]
    assert all(column.flags.c_contiguous for column in vehicles.columns.position)


def test_ids_that_were_asked_for_stay_what_they_were() -> None:
    """So that one may remove vehicles while going through their ids."""
    vehicles = herd(5)
    for id in vehicles.id:
        if id % 2:
            vehicles.remove(id)
    assert vehicles.id.tolist() == [0, 2, 4]
    before = vehicles.id
    vehicles.spawn([0, 0])
    assert before.tolist() == [0, 2, 4]
    with pytest.raises(ValueError, match="read-only"):
        vehicles.id[0] = 7


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_have_room_for_those_who_are_there(copied: Any) -> None:
    vehicles = herd(20)
    vehicles.spawn([0, 0])
    vehicles.remove([3])
    other = copied(vehicles)
    assert other.capacity == len(other) == 20
    assert other.block.tobytes() == vehicles.block.tobytes()
    assert other.id.tolist() == vehicles.id.tolist()
    assert other.spawn([0, 0]).tolist() == [21]
    assert len(vehicles) == 20


def test_a_failing_spawn_beyond_the_room_changes_no_array() -> None:
    vehicles = herd(20)
    storage = vehicles.storage
    with pytest.raises(ValueError, match="mass must be > 0 kg"):
        vehicles.spawn([0, 0], mass=-1)
    assert vehicles.storage is storage


@given(st.lists(st.booleans(), max_size=40), st.sampled_from(["u1", "i2", "f4", "f8", "c16"]), st.integers(0, 3))
def test_gaps_are_closed(gone: list[bool], dtype: str, spare: int) -> None:
    mask, n = np.array(gone, bool), len(gone)
    columns = np.arange(3 * (n + spare)).reshape(3, n + spare).astype(dtype)
    expected = columns[:, :n][:, ~mask].copy()
    at_once(closing_gaps(columns, np.flatnonzero(mask), n))
    np.testing.assert_array_equal(columns[:, : expected.shape[1]], expected)


@given(st.lists(st.tuples(st.sampled_from(["go", "come", "come back"]), st.integers(0, 100)), max_size=12))
def test_turnover_says_who_is_who(history: list[tuple[str, int]]) -> None:
    vehicles = herd(6)
    before, births, gone = vehicles.id, vehicles.births, []
    for what, number in history:
        if what == "go" and len(vehicles):
            gone.append(int(vehicles.id[number % len(vehicles)]))
            vehicles.remove(gone[-1])
        elif what == "come back" and gone:
            vehicles.spawn([0, 0], id=gone.pop(number % len(gone)))
        elif what == "come":
            vehicles.spawn(np.zeros((number % 3, 2)))
    now = vehicles.id
    turn = turnover(births, vehicles.births)
    was = np.isin(vehicles.births, births)
    assert was.tolist() == [True] * turn.stayed + [False] * (turn.n - turn.stayed)
    np.testing.assert_array_equal(before[turn.from_rows(len(before))], now[was])
    assert turn.n == len(now)

    memory = Memory({"name": before * 10, "pair": np.stack([before, -before], axis=1)}, capacity=40)
    arrays = memory.now("name"), memory.next("pair")[1]
    fresh = {"name": np.full(len(now), -1), "pair": np.full((len(now), 2), -1)}
    at_once(memory.following(turn, fresh))
    np.testing.assert_array_equal(memory["name"], np.where(was, now * 10, -1))
    np.testing.assert_array_equal(memory["pair"], np.where(was[:, None], np.stack([now, -now], axis=1), -1))
    for column, values in memory.snapshot().items():
        np.testing.assert_array_equal(memory[column], values)
    assert memory.now("name") is arrays[0]
    assert memory.next("pair")[1].base is arrays[1].base


def test_parts_of_a_memory_follow_with_it() -> None:
    memory = Memory({"0 Limit side": np.arange(4), "other": np.zeros(4)}, capacity=8)
    part = memory.part("0 Limit ")
    assert memory.part("0 Limit ") is part
    turn = turnover(np.arange(4), np.array([0, 3, 4]))
    at_once(memory.following(turn, {"0 Limit side": np.full(3, 9), "other": np.zeros(3)}))
    assert part["side"].tolist() == [0, 3, 9]
    part["side"] = [5, 6, 7]
    assert memory["0 Limit side"].tolist() == [5, 6, 7]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copied_memory_is_all_there(copied: Any) -> None:
    memory = Memory({"pair": np.arange(6.0).reshape(3, 2)}, capacity=8)
    memory["pair"] = 7
    other = copied(memory)
    assert other.capacity == 3
    assert other["pair"].tolist() == [[7, 7]] * 3
    other.refuse()
    assert other["pair"].tolist() == [[0, 1], [2, 3], [4, 5]]
    other.accept()
    assert other.schema() == memory.schema()
