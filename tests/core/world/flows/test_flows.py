"""Flows: vehicles come at a rate and go where they should; counted, repeated by the seed, the same at any dt."""

import copy
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.flows import places
from steersman.core.world.flows import spawner as spawning
from steersman.core.world.flows.flow import Moment
from steersman.core.world.state_hash import state_hash

DOOR = sm.Sphere([0, 0], 5)


def empty(d=2, **more):
    return sm.Vehicles(np.zeros((0, d)), radius=0.1, max_speed=3, **more)


def street(flows, d=2, dt=0.1, seed=3, vehicles=None, **more):
    world = sm.World(seed=seed, dt=dt, threads=1, **more)
    return world, world.add(empty(d) if vehicles is None else vehicles, name="people", flows=flows)


@pytest.mark.each_value
@pytest.mark.parametrize("dt", [1 / 60, 0.1, 0.37, 3.0])
@pytest.mark.parametrize("d", [2, 3])
def test_regular_arrivals_come_at_the_rate(d, dt):
    spawner = sm.Spawner(2.5, sm.Sphere([0] * d, 50), name="door")
    world, people = street([spawner], d, dt)
    world.run(seconds=60)
    assert people.passed("door") == people.passed(spawner) == len(people.vehicles) == int(2.5 * world.time + 1e-6)
    assert people.vehicles.id.tolist() == list(range(len(people.vehicles)))
    assert (np.linalg.norm(people.vehicles.position, axis=1) <= 50).all()


@pytest.mark.parametrize("dt", [0.02, 0.5, 7.0])
def test_poisson_arrivals_come_at_the_rate_and_the_marks_do_not_depend_on_dt(dt):
    def arrivals(dt, seed=3):
        world, people = street([sm.Spawner(3.0, DOOR, arrivals="poisson", clearance=None)], dt=dt, seed=seed)
        counts = []
        for _ in range(round(140 / dt)):
            world.step()
            counts.append((world.time, people.passed("Spawner 1")))
        return counts

    found, fine = arrivals(dt), arrivals(0.1)
    assert abs(found[-1][1] - 420) < 4 * 420**0.5
    at = {round(time, 6): count for time, count in fine}
    both = [(count, at[round(time, 6)]) for time, count in found if round(time, 6) in at]
    assert len(both) >= 20
    assert all(a == b for a, b in both)
    assert arrivals(dt, seed=4) != found


def test_poisson_arrivals_scatter_as_they_should():
    """The counts of many seconds have the mean and the variance of the rate."""
    world, people = street([sm.Spawner(8.0, [0, 0], arrivals="poisson", clearance=None)], dt=1.0)
    before, counts = 0, []
    for _ in range(2000):
        world.step()
        counts.append(people.passed("Spawner 1") - before)
        before += counts[-1]
        people.vehicles.remove(np.ones(len(people.vehicles), bool))
    assert np.mean(counts) == pytest.approx(8, abs=0.25)
    assert np.var(counts) == pytest.approx(8, abs=1.0)


def busy(seed=3, threads=1):
    flows = [
        sm.Spawner(9.0, DOOR, arrivals="poisson", velocity=[2, 0], columns={"max_speed": (1, 2)}),
        sm.Spawner(2.0, sm.Path([[0, 8], [0, 12]]), columns={"radius": 0.3}, limit=40),
        sm.Sink(sm.Sphere([12, 0], 4), name="exit"),
        sm.Sink(older_than=9.0),
    ]
    world = sm.World(seed=seed, dt=0.05, threads=threads)
    people = world.add(empty(), name="people", steering=sm.Wander() + sm.Seek([12, 0]), flows=flows)
    return world, people


def test_the_same_seed_gives_the_same_bits():
    def run(seed, threads=1):
        world, _ = busy(seed, threads)
        world.run(steps=300)
        return state_hash(world)

    assert run(3) == run(3) == run(3, threads=2)
    assert run(3) != run(4)


def test_a_copy_goes_on_the_same_way():
    world, _ = busy()
    world.run(steps=100)
    copies = [copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    world.run(steps=100)
    for each in copies:
        each.run(steps=100)
        assert state_hash(each) == state_hash(world)


def test_what_is_counted_is_part_of_the_state():
    world, people = busy()
    before = state_hash(world)
    people.flowing.tallies["exit"].passed += 1
    assert state_hash(world) != before
    people.flowing.tallies["exit"].passed -= 1
    people.flowing.tallies["Spawner 1"].state["due"] += 0.1
    assert state_hash(world) != before


def test_all_who_come_go():
    world, people = busy()
    world.run(seconds=20)
    assert people.passed("exit") > 20
    came = people.passed("Spawner 1") + people.passed("Spawner 2")
    assert came == people.passed("exit") + people.passed("Sink 4") + len(people.vehicles)
    assert int(people.vehicles.id.max()) == came - 1
    people.flows = people.flows[2:]
    world.run(seconds=10)
    assert len(people.vehicles) == 0
    world.run(seconds=1)


def test_nobody_is_born_inside_another_or_an_obstacle():
    rock = sm.Spheres([[0, 0]], [2.0])
    others = sm.Vehicles([[3, 3], [-3, -3]], radius=1.0)
    world = sm.World(domain=sm.Torus([20, 20], -10), seed=1, dt=0.1, threads=1)
    world.add(others, name="stones")
    spawner = sm.Spawner(
        100.0, DOOR, clearance=0.2, obstacles=rock, columns={"radius": lambda k, rng: 0.2 + 0.3 * rng.random(k)}
    )
    people = world.add(empty(), name="people", flows=[spawner])
    world.run(seconds=3)
    v = people.vehicles
    assert 20 < len(v) < 200
    assert people.flowing.tallies["Spawner 1"].state["wait"][0] == 300 - len(v)
    way = v.position[:, None] - v.position[None]
    gap = np.linalg.norm(way, axis=-1) - v.radius[:, None] - v.radius[None] + 1e3 * np.eye(len(v))
    assert gap.min() > 0.2 - 1e-5
    assert (np.linalg.norm(v.position, axis=1) - 2 - v.radius).min() > 0.2 - 1e-5
    for stone in others.position:
        assert (np.linalg.norm(v.position - stone, axis=1) - 1 - v.radius).min() > 0.2 - 1e-5


def test_the_usual_radius_of_newcomers_is_what_needs_room():
    """Of 2 m, between the walls of a corridor and beside each other."""
    corridor = sm.Walls([[[-50, -3], [50, -3]], [[50, 3], [-50, 3]]], seen_from="both")
    people = sm.Vehicles(np.zeros((0, 2)), radius=2.0)
    spawner = sm.Spawner(20.0, sm.Box([60, 6], origin=[-30, -3]), obstacles=corridor)
    world, people = street([spawner], vehicles=people)
    world.run(seconds=2)
    position = people.vehicles.position
    assert len(position) > 5
    assert np.abs(position[:, 1]).max() <= 1 + 1e-6
    apart = np.linalg.norm(position[:, None] - position, axis=2) + 9 * np.eye(len(position))
    assert apart.min() >= 4 - 1e-6


@pytest.mark.parametrize("pairs", [1_000_000, 1, 4])
def test_room_is_looked_for_with_few_pairs_at_a_time(pairs, monkeypatch):
    monkeypatch.setattr(places, "PAIRS", pairs)
    others, points = sm.Vehicles([[0, 0], [10, 0]], radius=[1, 2]), np.array([[1.5, 0], [1.5, 0], [7.5, 0], [5.0, 0]])
    overlap = places.crowded(points, np.array([0.4, 0.6, 0.6, 2.0]), others, sm.Open())
    assert overlap.tolist() == [False, True, True, False]


@pytest.mark.parametrize("d", [2, 3])
def test_flows_that_fail_bring_back_who_had_gone_and_take_back_who_had_come(d):
    """A Sink has removed the first, one Spawner has added one, and another one fails."""

    def broken(positions, rng):
        raise ValueError("no")

    there = sm.Vehicles(np.eye(3)[:, :d] * 9, mass=[1, 2, 3], id=[5, 6, 7])
    door = np.zeros((1, d))
    come = [sm.Spawner(10.0, door, clearance=None, velocity=each) for each in (None, broken)]
    flows = [sm.Sink(sm.Sphere([9] + [0] * (d - 1), 1)), *come]
    world, people = street(flows, vehicles=there, d=d)
    births, block = there.births.copy(), there.block.copy()
    with pytest.raises(ValueError, match="no"):
        world.step()
    assert (there.id.tolist(), there.births.tolist()) == ([5, 6, 7], births.tolist())
    np.testing.assert_array_equal(there.block, block)
    assert [people.passed(each) for each in flows] == [0, 0, 0]
    people.flows = flows[:2]
    world.step()
    assert there.id.tolist() == [6, 7, 8, 9]  # The first step is made up for.


@pytest.mark.parametrize("arrivals", ["regular", "poisson"])
@pytest.mark.parametrize("limit", [None, 3])
def test_a_spawner_waits_just_when_nobody_comes(arrivals, limit):
    """Whatever is due: none, some, some that have waited for room, or as many of both. To ask changes nothing."""
    spawner = sm.Spawner(4.0, DOOR, arrivals=arrivals, clearance=None, limit=limit)
    rng, seen = np.random.default_rng(1), set()
    for k in range(60):
        vehicles = empty()
        vehicles.spawn(np.zeros((k % 5, 2)))
        state = spawner.begin() | {"wait": np.array([k % 3]), "due": rng.uniform(0, 1, 1)}
        moment = Moment(vehicles, [vehicles], sm.Open(), np.array([k, 1], np.uint32), 0.0, k, rng.choice([0.01, 0.3]))
        before = {name: each.copy() for name, each in state.items()}
        waits = spawner.waits(state, moment)
        assert all((state[name] == before[name]).all() for name in before)
        came = spawner.run(state, moment)
        assert waits == (came == 0)
        seen.add((waits, k % 3, min(came, 3)))
    assert len(seen) > 4


def test_who_found_no_room_comes_when_there_is_some():
    world, people = street([sm.Spawner(10.0, [0, 0])])
    world.run(seconds=1)
    assert len(people.vehicles) == 1
    people.vehicles.position[:] = 50
    world.step()
    assert len(people.vehicles) == 2
    people.flows = [sm.Spawner(10.0, [0, 0], clearance=None)]
    world.run(steps=1)
    assert len(people.vehicles) == 12  # The flow goes on: nine waited, and one more is due.


@pytest.fixture
def tried(monkeypatch):
    """The numbers of places that spawners try, a number for each call."""
    counts = []

    def count(where, number, *rest):
        counts.append(number)
        return places.points_of(where, number, *rest)

    monkeypatch.setattr(spawning, "points_of", count)
    return counts


@pytest.mark.parametrize("clearance", [0.0, None])
def test_many_that_are_due_at_once_and_have_room_come_at_once(clearance, tried):
    world, people = street([sm.Spawner(5000.0, sm.Box([4000, 4000]), clearance=clearance)])
    world.step()
    assert len(people.vehicles) == 500
    assert tried == [16, 32, 64, 128, 256, 4]


@pytest.mark.parametrize("waiting", [1, 40, 100_000])
def test_a_step_of_a_blocked_door_tries_a_few_places_however_many_wait(waiting, tried):
    """With 100,000 a step took minutes, as each of them tried 16 places."""
    stones = sm.Vehicles([[0, 0]], radius=2.0)
    world, people = street([sm.Spawner(10.0 * waiting, [[0, 0], [1, 0]])])
    world.add(stones, name="stones")
    world.step()
    assert sum(tried) == min(waiting, spawning.LINE) + spawning.TRIES - 1
    stones.position[:] = 50
    world.step()
    assert len(people.vehicles) == 2


def test_clearance_looks_across_the_seam_of_a_torus():
    world, people = street(
        [sm.Spawner(10.0, [9.95, 5])], domain=sm.Torus([10, 10]), vehicles=sm.Vehicles([[0.05, 5]], radius=0.1)
    )
    world.run(steps=5)
    assert people.passed("Spawner 1") == 0


@pytest.mark.parametrize("d", [2, 3])
def test_vehicles_of_other_dimensions_leave_room(d):
    world, people = street([sm.Spawner(10.0, np.zeros(d))], d)
    world.add(sm.Vehicles(np.zeros((1, 5 - d))), name="others")
    world.run(steps=2)
    assert people.passed("Spawner 1") == 1


@pytest.mark.parametrize("arrivals", ["regular", "poisson"])
def test_of_many_that_are_due_at_once_no_more_come_than_the_limit_leaves_room_for(arrivals):
    world, people = street(
        [sm.Spawner(100.0, DOOR, arrivals=arrivals, limit=7, clearance=None), sm.Sink(older_than=0.5)]
    )
    most = 0
    for _ in range(30):
        world.step()
        most = max(most, len(people.vehicles))
    assert most == 7


def test_a_limit_stops_the_clock_of_the_spawner():
    world, people = street([sm.Spawner(10.0, DOOR, limit=7, clearance=None)])
    world.run(seconds=5)
    assert len(people.vehicles) == 7
    people.vehicles.remove(people.vehicles.id[:5])
    world.step()
    assert len(people.vehicles) == 3
    world.run(seconds=5)
    assert len(people.vehicles) == 7


def test_a_rate_may_change_with_the_time():
    world, people = street([sm.Spawner(lambda time: 10.0 if time > 5 else 0.0, DOOR, clearance=None)])
    world.run(seconds=5)
    assert len(people.vehicles) == 0
    world.run(seconds=5)
    assert len(people.vehicles) == 50
    people.flows = [sm.Spawner(lambda time: -1.0, DOOR)]
    with pytest.raises(ValueError, match=r"what rate\(time\) returns must be a finite number >= 0"):
        world.step()


WHERE = {
    "a point": [1, 2],
    "points": [[1, 2], [7, 2]],
    "path": sm.Path([[0, 2], [8, 2]]),
    "region": sm.Polygon([[0, 2], [8, 2], [4, 2.5]]),
    "function": lambda count, rng: np.column_stack([rng.uniform(0, 8, count), np.full(count, 2.0)]),
}


def test_a_range_of_one_number_is_that_number():
    world, people = street([sm.Spawner(20.0, DOOR, columns={"max_speed": (1.5, 1.5)}, clearance=None)])
    world.run(seconds=0.5)
    assert len(people.vehicles) > 5
    assert set(people.vehicles.max_speed[-5:].tolist()) == {1.5}


@pytest.mark.parametrize("where", WHERE.values(), ids=WHERE)
def test_places(where):
    start = lambda points, rng: np.column_stack([points[:, 0], rng.random(len(points))])  # noqa: E731
    columns = {"max_speed": (20, 30), "mass": 2, "radius": lambda count, rng: np.full(count, 0.01)}
    spawner = sm.Spawner(200.0, where, velocity=start, columns=columns, clearance=None)
    world, people = street([spawner], dt=1e-6, vehicles=sm.Vehicles([[50, 50]], max_force=7, max_speed=20))
    world.run(steps=1, dt=1.0)
    world.dt = 1e-6
    new = people.vehicles.position[1:]
    assert len(new) == 200
    assert ((new >= [-1e-5, 2 - 1e-5]) & (new <= [8 + 1e-5, 2.5 + 1e-5])).all()
    v = people.vehicles
    np.testing.assert_allclose(v.velocity[1:, 0], new[:, 0], rtol=1e-6)
    assert ((v.max_speed[1:] >= 20) & (v.max_speed[1:] <= 30)).all()
    assert np.ptp(v.max_speed[1:]) > 5
    assert (v.mass[1:] == 2).all()
    assert (v.radius[1:] == np.float32(0.01)).all()
    assert (v.max_force == 7).all()


def test_memory_of_those_who_stay_is_kept():
    world, people = street([sm.Spawner(10.0, DOOR, clearance=None), sm.Sink(older_than=2.0)])
    people.steering = sm.Modes({"go": sm.Wander()}, start="go", transitions=[])
    world.run(seconds=4)
    entered = dict(zip(people.vehicles.id.tolist(), people.memory("Modes")["entered"].tolist(), strict=True))
    world.run(seconds=1)
    now = dict(zip(people.vehicles.id.tolist(), people.memory("Modes")["entered"].tolist(), strict=True))
    stayed = entered.keys() & now.keys()
    assert len(stayed) >= 8
    assert all(entered[name] == now[name] for name in stayed if entered[name] >= 0)


@pytest.mark.parametrize("dt", [0.1, 0.25, 1 / 60])
def test_a_life_time(dt):
    vehicles = sm.Vehicles(np.zeros((3, 2)))
    world, shots = street([sm.Sink(older_than=2.0)], dt=dt, vehicles=vehicles)
    world.run(steps=round(1 / dt))
    vehicles.spawn([[1, 1]])
    world.run(steps=round(1 / dt) - 1)
    assert vehicles.id.tolist() == [0, 1, 2, 3]
    world.step()
    assert vehicles.id.tolist() == [3]
    world.run(steps=round(1 / dt) - 1)
    assert len(vehicles) == 1
    world.step()
    assert len(vehicles) == 0
    assert shots.passed("Sink 1") == 4


@pytest.mark.parametrize("saved", [False, True])
def test_who_comes_under_the_id_of_another_does_not_inherit_its_age(tmp_path, saved):
    world = sm.World(dt=0.1)
    vehicles = sm.Vehicles([[0.0, 0.0], [5.0, 5.0]], id=[7, 8])
    world.add(vehicles, name="all", flows=[sm.Sink(older_than=1.0)])
    world.run(steps=8)
    vehicles.remove(vehicles.id == 7)
    vehicles.spawn(position=[[1.0, 1.0]], id=[7])
    if saved:
        world.save(tmp_path / "saved")
        world = sm.World.load(tmp_path / "saved")
    world.run(steps=4)
    assert list(world["all"].id) == [7]
    world.run(steps=7)
    assert len(world["all"]) == 0


@pytest.mark.parametrize("d", [2, 3])
def test_sinks_by_region(d):
    points = np.array([[0.0, 0, 0], [4, 0, 0], [6, 0, 0], [20, 0, 0]])[:, :d]
    ball = sm.Sphere([0] * d, 5)
    for side, stay in (("inside", [2, 3]), ("outside", [0, 1])):
        world, people = street([sm.Sink(ball, side=side)], d, vehicles=sm.Vehicles(points))
        world.step()
        assert people.vehicles.id.tolist() == stay
    world, people = street([sm.Sink(ball, older_than=0.3)], d, vehicles=sm.Vehicles(points))
    world.run(steps=2)
    assert len(people.vehicles) == 4
    world.step()
    assert people.vehicles.id.tolist() == [2, 3]
    world, people = street([sm.Sink(sm.Spheres([[0] * d], 5.0))], d, vehicles=sm.Vehicles(points))
    world.step()
    assert people.vehicles.id.tolist() == [2, 3]


def test_a_sink_reaches_across_the_seam_of_a_torus():
    ball = sm.Sphere([9, 5], 2)
    world, people = street(
        [sm.Sink(ball)], domain=sm.Torus([10, 10]), vehicles=sm.Vehicles([[0.5, 5], [8, 5], [5, 5]], max_speed=1)
    )
    world.step()
    assert people.vehicles.id.tolist() == [2]


def test_ages_go_by_ids_in_any_order():
    world, people = street([sm.Sink(older_than=1.0)], vehicles=sm.Vehicles([[0, 0]], id=[7]))
    world.run(steps=5)
    people.vehicles.spawn([[1, 0]], id=[3])
    world.run(steps=1)
    people.vehicles.spawn([[2, 0]], id=[5])
    world.run(steps=4)
    assert people.vehicles.id.tolist() == [3, 5]
    world.run(steps=5)
    assert people.vehicles.id.tolist() == [5]


def test_ages_stay_with_those_who_are_left_by_another_sink_in_the_same_step():
    """The first sink removes vehicle 0 as the second removes vehicle 1, which is old; 2 came half a second later."""
    away = sm.Vehicles([[0.0, 0.0], [0.0, 9.0]], [[1.0, 0.0], [0.0, 0.0]], max_speed=1)
    world, people = street([sm.Sink(sm.Sphere([5, 0], 4.05)), sm.Sink(older_than=1.0)], vehicles=away)
    world.run(steps=5)
    people.vehicles.spawn([[0.0, 18.0]])
    world.run(steps=4)
    assert people.vehicles.id.tolist() == [0, 1, 2]
    world.step()
    assert people.vehicles.id.tolist() == [2]
    world.run(steps=4)
    assert people.vehicles.id.tolist() == [2]
    world.step()
    assert len(people.vehicles) == 0


@pytest.mark.parametrize("side", ["inside", "outside", "both"])
def test_nobody_is_born_in_the_wall_of_a_tank(side):
    """Within a tank there is room, within a rock there is none, and at a skin none on either side."""
    tank = sm.Spheres([[0, 0]], [4.0], seen_from=side)
    spawner = sm.Spawner(50.0, sm.Box([14, 14], origin=[-7, -7]), clearance=0.3, obstacles=tank)
    world, people = street([spawner])
    world.run(seconds=2)
    away = np.linalg.norm(people.vehicles.position, axis=1) - 4.0
    gap = {"inside": -away, "outside": away, "both": np.abs(away)}[side]
    assert len(away) > 20
    assert gap.min() >= 0.4 - 1e-6


def test_observers_see_who_is_there_after_the_flows_and_a_refused_step_lets_nobody_come():
    world, people = street([sm.Spawner(10.0, DOOR, clearance=None)])
    seen = []
    world.on_step(lambda world: seen.append(len(world["people"])))
    world.run(steps=3)
    assert seen == [1, 2, 3]
    people.vehicles.velocity[1] = np.nan
    with pytest.raises(sm.NonFiniteError):
        world.step()
    assert (len(people.vehicles), people.passed("Spawner 1")) == (3, 3)


def test_replaced_flows_go_on_counting_by_their_names():
    world, people = street([sm.Spawner(10.0, DOOR, clearance=None, name="door"), sm.Sink(older_than=0.5)])
    world.run(seconds=1)
    people.flows = [sm.Sink(older_than=0.2, name="door"), sm.Spawner(20.0, DOOR, clearance=None)]
    assert people.passed("door") == 0  # A Sink is another thing.
    people.flows = [sm.Spawner(10.0, DOOR, clearance=None, name="door")]
    world.run(seconds=1)
    people.flows = [sm.Spawner(20.0, DOOR, clearance=None, name="door")]
    world.run(seconds=1)
    assert people.passed("door") == 30
    people.flows = []
    world.run(seconds=1)
    assert people.flows == ()


def test_a_controller_lets_them_come_and_go_before_it_steers():
    flows = [sm.Spawner(10.0, DOOR, clearance=None, name="door"), sm.Sink(older_than=1.0)]
    controller = sm.Controller(empty(), sm.Seek([9, 9]), seed=1, flows=flows)
    sizes = []
    for _ in range(30):
        force = controller.steer(0.1)
        assert len(force) == len(controller.vehicles)
        sizes.append(len(force))
    assert sizes[:12] == [*range(11), 10]
    assert sizes[-1] == 10
    assert controller.passed("door") == 29
    controller.flows = []
    assert len(controller.steer(0.1)) == 10


def test_a_controller_that_is_saved_has_let_them_come_and_go(tmp_path):
    """The file knows no last step, so what is owed for it is done before."""
    flows = [sm.Spawner(10.0, DOOR, clearance=None)]
    one, other = (sm.Controller(empty(), sm.Seek([9, 9]), seed=1, flows=flows) for _ in range(2))
    for _ in range(3):
        one.steer(0.1)
    one.save(tmp_path / "file")
    other.restore(tmp_path / "file")
    assert [len(each.vehicles) for each in (one, other)] == [3, 3]
    assert [len(each.steer(0.1)) for each in (one, other)] == [3, 3]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sm.Spawner(-1.0, DOOR), ValueError, "rate must be a finite number >= 0 1/s, or a function of the time"),
        (lambda: sm.Spawner(np.inf, DOOR), ValueError, "rate must be a finite number >= 0 1/s"),
        (lambda: sm.Spawner("2", DOOR), TypeError, "rate must be a finite number >= 0 1/s"),
        (lambda: sm.Spawner(1.0, "door"), TypeError, "where must be a region, a path, points (m, d) or a function"),
        (lambda: sm.Spawner(1.0, np.zeros((0, 2))), ValueError, "where must hold at least one point, got none"),
        (lambda: sm.Spawner(1.0, DOOR, arrivals="often"), ValueError, 'arrivals must be "regular" or "poisson"'),
        (lambda: sm.Spawner(1.0, DOOR, columns={"speed": 1}), TypeError, "columns must name columns ("),
        (lambda: sm.Spawner(1.0, DOOR, columns={"mass": (2, 1)}), ValueError, "columns['mass'] must have low <= high"),
        (lambda: sm.Spawner(1.0, DOOR, columns={"mass": "2"}), TypeError, "columns['mass'] must"),
        (lambda: sm.Spawner(1.0, DOOR, limit=0), ValueError, "limit must be a whole number >= 1 or None, got 0"),
        (lambda: sm.Spawner(1.0, DOOR, clearance=-1), ValueError, "clearance must be >= 0 m or None, got -1"),
        (lambda: sm.Sink(), ValueError, "region or older_than must be given"),
        (lambda: sm.Sink("exit"), TypeError, "region must be a Sphere, Box, Polygon or closed obstacles"),
        (lambda: sm.Sink(older_than=0), ValueError, "older_than must be > 0 s or None, got 0"),
        (lambda: sm.Sink(older_than=1, side="outside"), ValueError, 'side must be "inside" where there is no region'),
        (lambda: street([sm.Sink(DOOR)], 3), ValueError, "region must have 3 dimensions like the vehicles, got 2"),
        (lambda: street([sm.Spawner(1, [0, 0])], 3), ValueError, "where must have 3 dimensions like the vehicles, got 2"),
        (lambda: street(sm.Sink(DOOR)), TypeError, "flows must be a list of flows such as Spawner(2.0, door)"),
        (lambda: street([sm.Sink(DOOR, name="a"), sm.Sink(DOOR, name="a")]), ValueError, "name must be different for every"),
        (lambda: street([])[1].passed("exit"), KeyError, "there is no flow 'exit'; there are: none"),
        (lambda: street([sm.Spawner(1e9, DOOR)])[0].step(), ValueError, "rate must let at most 1000000 come in a step"),
        (
            lambda: street([sm.Spawner(30.0, lambda count, rng: np.zeros((1, 2)))])[0].step(),
            ValueError,
            "where(count, rng) must return 3 points, got 1",
        ),
        (
            lambda: street([sm.Spawner(30.0, lambda count, rng: np.zeros((5, 2)))])[0].step(),
            ValueError,
            "where(count, rng) must return 3 points, got 5",
        ),
        (
            lambda: street([sm.Spawner(30.0, SimpleNamespace(positions=lambda *_: np.zeros((1, 2))))])[0].step(),
            ValueError,
            "where.positions(count, ...) must return 3 points, got 1",
        ),
        (
            lambda: street([sm.Spawner(30.0, DOOR, columns={"mass": lambda count, rng: np.ones(1)})])[0].step(),
            ValueError,
            "columns['mass'](count, rng) must return 3 numbers, got shape (1,)",
        ),
        (
            lambda: street([sm.Spawner(30.0, DOOR, velocity=lambda points, rng: points[:2])])[0].step(),
            ValueError,
            "velocity",
        ),
    ],
)  # fmt: skip
def test_complaints(call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call()


def test_flows_that_are_assigned_to_a_controller_count_from_then_on():
    """What passed before is no time of theirs: the first vehicle comes a whole interval after they were assigned."""
    late = sm.Controller(empty(), sm.Seek([9, 9]), seed=1)
    for _ in range(3):
        late.steer(0.1)
    late.flows = [sm.Spawner(10.0, DOOR, clearance=None)]
    sizes = [len(late.steer(0.1)) for _ in range(4)]
    early = sm.Controller(empty(), sm.Seek([9, 9]), seed=1, flows=[sm.Spawner(10.0, DOOR, clearance=None)])
    assert sizes == [len(early.steer(0.1)) for _ in range(4)] == [0, 1, 2, 3]


def test_hooks_and_meals_come_before_vehicles_come_and_go():
    """What behaviors asked for after the step is about those who made it; flows run then, and observers last."""
    hooked, observed = [], []
    food = sm.Resources([[0.0, 0.0]], [100.0])

    class Hooked(sm.Behavior):
        def bind(self, scene, memory, out):
            scene.afterwards(lambda: [lambda: hooked.append(scene.vehicles.id.tolist())])
            return []

    world = sm.World(dt=0.1, seed=1)
    world.add(
        sm.Vehicles([[0.0, 0.0]], max_speed=0.1),
        name="ants",
        steering=sm.Forage(food, reach=1.0, bite=1.0, rate=10.0) + Hooked(),
        flows=[sm.Spawner(10.0, [[0.0, 0.0]], clearance=None), sm.Sink(older_than=0.25)],
    )
    world.on_step(lambda world: observed.append(world["ants"].id.tolist()))
    world.run(steps=6)
    assert hooked == [[0], *observed[:-1]]
    assert all(now != before for now, before in zip(observed, hooked, strict=True)), "every step somebody comes"
    assert food.amount[0] == pytest.approx(100 - sum(map(len, hooked)))


def test_flows_that_replace_those_that_failed_owe_nothing_for_the_step_before(tmp_path):
    world = sm.World(dt=1e9)
    people = world.add(sm.Vehicles([[0.0, 0.0]], max_speed=1, max_force=1), name="people")
    people.flows = [sm.Spawner(20.0, DOOR, clearance=None)]
    for act in (world.step, lambda: world.save(tmp_path / "early.steersman")):
        with pytest.raises(ValueError, match="rate must let at most"):
            act()
    world.dt = 0.05
    people.flows = []
    people.flows = [sm.Spawner(20.0, DOOR, clearance=None)]
    world.save(tmp_path / "late.steersman")
    assert len(people.vehicles) == 1
    world.step()
    assert len(people.vehicles) == 2
