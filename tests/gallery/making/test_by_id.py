"""By id: values, partners and records stay with their vehicles while others come and go."""

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own, extended, gaps, largest, mean, pairs, smallest
from steersman.gallery.making.laps import Laps
from steersman.gallery.making.turns import Turns


def row(n=4, y=0.0):
    return sm.Vehicles([[k, y] for k in range(n)], [1, 0], max_speed=1)


def test_values_stay_with_their_vehicles():
    vehicles = row()
    own = Own(vehicles, [[0, 3], [1, 5], [2, 7], [3, 9]])
    vehicles.remove(1)
    vehicles.spawn([[50, 50]])
    rows, values = own.of(vehicles)
    assert rows.tolist() == [0, 1, 2]
    assert values.tolist() == [[0, 3], [2, 7], [3, 9]]
    assert own.distances(vehicles).tolist() == [3, 7, 9]


def test_partners_are_those_with_the_same_id():
    one, other = row(), row(y=2.0)
    one.remove(0)
    other.remove(2)
    other.spawn([[9, 9]])
    rows, others = pairs(one, other)
    assert one.id[rows].tolist() == other.id[others].tolist() == [1, 3]
    assert gaps(one, other).tolist() == [2, 2]


def test_a_record_gets_entries_for_new_ids():
    vehicles, record = row(), np.arange(4.0)
    assert extended(record, vehicles) is record
    vehicles.remove([0, 1])
    vehicles.spawn([[1, 1], [2, 2]])
    assert extended(record, vehicles, -1).tolist() == [0, 1, 2, 3, -1, -1]
    assert extended(np.zeros((4, 2)), vehicles).shape == (6, 2)


def test_nothing_has_no_mean():
    assert (mean([1, 2]), largest([1, 2]), smallest([1, 2])) == (1.5, 2, 1)
    assert all(np.isnan(each([])) for each in (mean, largest, smallest))


def test_laps_and_turns_go_by_id():
    path = sm.Path(sm.spawn.circle(40, radius=10), closed=True)
    vehicles = sm.Vehicles(path.point_at([0, 10, 20]), path.tangent_at([0, 10, 20]), max_speed=4, max_force=20)
    world = sm.World(dt=0.05, threads=1)
    world.add(vehicles, steering=sm.FollowPath(path))
    laps, turns = Laps(vehicles, path), Turns(vehicles)
    for each in (laps, turns):
        world.on_step(each)
    world.run(seconds=5)
    way, jolt = laps.way.copy(), turns.jolt
    vehicles.remove(1)
    vehicles.spawn(path.point_at([40]), 4 * path.tangent_at([40]))
    world.run(steps=1)
    assert laps.way[1] == way[1]
    assert np.all(laps.way[[0, 2]] > way[[0, 2]])
    assert laps.way[3] == 0  # It was nowhere before.
    assert turns.jolt == jolt
    world.run(seconds=1)
    assert laps.way[3] > 2
