"""PairBehavior: laws of a user's own about pairs, beside the built-in sums and beside sums in NumPy."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import steersman as sm


@dataclass(frozen=True, eq=False)
class Inverse(sm.PairBehavior):
    """The push of Separation without a fade."""

    strength: float = sm.parameter(3.0, unit="N")

    @staticmethod
    def law(own, other, to, distance, p):
        return -p.strength / distance


@dataclass(frozen=True, eq=False)
class Follow(sm.PairBehavior):
    """The sum of the neighbors' momenta, as a vector."""

    @staticmethod
    def law(own, other, to, distance, p):
        return (other.mass * other.velocity[0], other.mass * other.velocity[1])


@dataclass(frozen=True, eq=False)
class Agree(sm.PairBehavior):
    """An opinion that goes to the mean of the neighbors' opinions, and a force to the right by the opinion."""

    rate: float = sm.parameter(2.0, unit="1/s")

    def init(self, vehicles):
        return {"opinion": vehicles.position[:, 0] / 10, "seen": np.zeros(len(vehicles))}

    @staticmethod
    def law(own, other, to, distance, p):
        return other.opinion - own.opinion

    @staticmethod
    def finish(own, total, count, p, dt):
        mean = total[0] / max(count, 1)
        return (own.opinion, 0.0), own.opinion + p.rate * dt * mean, count


@dataclass(frozen=True, eq=False)
class Trend(sm.PairBehavior):
    """The sum of the neighbors' velocities, kept for a step: a column of vectors."""

    def init(self, vehicles):
        return {"trend": np.zeros_like(vehicles.position)}

    @staticmethod
    def law(own, other, to, distance, p):
        return other.velocity

    @staticmethod
    def finish(own, total, count, p, dt):
        return own.trend, total


def crowd(d=2, n=60, side=10.0, dtype=np.float64, seed=3, **columns):
    """Vehicles at random, two of them in one place."""
    rng = np.random.default_rng(seed)
    position = rng.uniform(0, side, (n, d))
    position[7] = position[8]
    return sm.Vehicles(position, rng.normal(size=(n, d)), dtype=dtype, max_force=1e9, **columns)


def forces(vehicles, steering, domain=None):
    return sm.Controller(vehicles, steering, domain=domain).steer(dt=0.1)


DOMAINS = {"open": lambda d: sm.Open(), "torus": lambda d: sm.Torus([10] * d), "narrow": lambda d: sm.Torus([5] * d)}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("about", [{}, {"angle": 3.0, "inner_radius": 0.7}, {"k": 5}], ids=["all", "view", "k"])
def test_a_push_like_that_of_separation_is_that_of_separation(domain, d, about):
    space = DOMAINS[domain](d)
    side = 5.0 if domain == "narrow" else 10.0
    ours = forces(crowd(d, side=side), Inverse(radius=2.0, **about), space)
    builtin = forces(crowd(d, side=side), sm.Separation(radius=2.0, strength=3.0, fade=False, **about), space)
    lengths = np.linalg.norm(builtin, axis=1)
    assert np.count_nonzero(lengths) > 30
    assert np.all(np.linalg.norm(ours - builtin, axis=1) <= 1e-9 * np.maximum(lengths, 1))


@pytest.mark.parametrize("ids", [(0, 0), (5, 9), (9, 5)])
@pytest.mark.parametrize("k", [None, 1])
@pytest.mark.parametrize("d", [2, 3])
def test_two_of_different_populations_in_one_place_leave_in_opposite_directions(d, k, ids):
    one, other = (sm.Vehicles(np.zeros((1, d)), id=[each], max_force=1e9, dtype=np.float64) for each in ids)
    world = sm.World(dt=0.1)
    world.add(one, name="one", steering=Inverse(radius=2.0, k=k, of=other))
    world.add(other, name="other", steering=Inverse(radius=2.0, k=k, of=one))
    forces = [world.explain(name).force[0] for name in ("one", "other")]
    assert np.linalg.norm(forces[0]) > 1
    np.testing.assert_allclose(forces[0], -forces[1], rtol=1e-9)


def test_more_neighbors_than_a_batch_holds():
    vehicles = crowd(n=400, side=3.0)
    builtin = forces(crowd(n=400, side=3.0), sm.Separation(radius=2.0, strength=3.0, fade=False))
    assert np.allclose(forces(vehicles, Inverse(radius=2.0)), builtin, rtol=1e-9)
    assert np.allclose(
        forces(crowd(n=150, side=3.0), Inverse(radius=math.inf)),
        forces(crowd(n=150, side=3.0), sm.Separation(radius=math.inf, strength=3.0)),
        rtol=1e-9,
    )


@pytest.mark.parametrize("d", [2, 3])
def test_places_behind_the_last_vehicle_are_nobody(d):
    """A vector that begins with the last candidates goes past them, where zeros lie; these two are near the origin."""
    pair = sm.Vehicles(np.outer([-0.1, -0.3], np.ones(d)), max_force=1e9, dtype=np.float64)
    force = forces(pair, Inverse(radius=2.0))
    assert np.allclose(force, forces(pair, sm.Separation(radius=2.0, strength=3.0, fade=False)), rtol=1e-9)
    world = sm.World()
    world.add(pair, name="pair")
    assert world.neighbors("pair", 2.0).indices.tolist() == [1, 0]


def test_two_in_one_place_are_pushed_apart():
    pair = sm.Vehicles([[1, 1], [1, 1]], max_force=1e9)
    force = forces(pair, Inverse(radius=2.0))
    assert np.all(np.isfinite(force))
    assert np.allclose(force[0], -force[1])
    assert np.linalg.norm(force[0]) == pytest.approx(3.0 / 1e-6)
    assert np.allclose(force, forces(pair, sm.Separation(radius=2.0, strength=3.0, fade=False)))


@pytest.mark.parametrize("k", [None, 60])
def test_the_law_sees_the_columns_of_the_neighbor(k):
    vehicles = crowd(mass=np.linspace(1, 3, 60))
    world = sm.World()
    world.add(vehicles, name="all")
    near = world.neighbors("all", 2.0)
    expected = np.zeros((60, 2))
    whose = np.repeat(np.arange(60), np.diff(near.indptr))
    np.add.at(expected, whose, (vehicles.mass[:, None] * vehicles.velocity)[near.indices])
    assert np.allclose(forces(vehicles, Follow(radius=2.0, k=k)), expected, atol=1e-12)


def test_columns_of_its_own_are_those_of_the_start_of_the_step():
    vehicles = crowd(n=40, side=6.0, max_speed=1e-9)
    world = sm.World()
    people = world.add(vehicles, steering=Agree(radius=2.0))
    opinion = vehicles.position[:, 0] / 10
    near = world.neighbors(people.name, 2.0)
    whose = np.repeat(np.arange(40), np.diff(near.indptr))
    for _ in range(5):
        world.step(dt=0.1)
        total, count = np.zeros(40), np.diff(near.indptr)
        np.add.at(total, whose, (opinion[near.indices] - opinion[whose]))
        opinion = opinion + 2.0 * 0.1 * total / np.maximum(count, 1)
    assert np.allclose(people.memory("Agree")["opinion"], opinion, rtol=1e-6)
    assert np.array_equal(people.memory("Agree")["seen"], count)


@pytest.mark.parametrize("d", [2, 3])
def test_a_column_may_hold_vectors(d):
    vehicles, world = crowd(d, n=40, side=6.0, max_speed=9.0), sm.World()
    people = world.add(vehicles, steering=Trend(radius=2.0))
    trend = np.zeros((40, d))
    for _ in range(2):
        assert np.allclose(people.memory("Trend")["trend"], trend)
        near, before, trend = world.neighbors(people.name, 2.0), trend, np.zeros((40, d))
        np.add.at(trend, np.repeat(np.arange(40), np.diff(near.indptr)), vehicles.velocity[near.indices])
        expected = vehicles.velocity + 0.01 * before / vehicles.mass[:, None]
        world.step(dt=0.01)
        small = np.linalg.norm(expected, axis=1) < 9.0
        assert np.allclose(vehicles.velocity[small], expected[small])
    assert np.allclose(people.memory("Trend")["trend"], trend)


def test_who_is_not_asked_keeps_what_it_has():
    vehicles = crowd(n=40, side=6.0)
    world = sm.World()
    people = world.add(vehicles, steering=sm.Priority([sm.Seek([0, 0]), Agree(radius=2.0)]))
    before = people.memory("Agree")["opinion"].copy()
    world.step(dt=0.1)
    assert np.array_equal(people.memory("Agree")["opinion"], before)


def test_points_and_other_populations_are_neighbors():
    vehicles = crowd()
    points = np.random.default_rng(1).uniform(0, 10, (50, 2))
    builtin = sm.Separation(radius=2.0, strength=3.0, fade=False)
    assert np.allclose(
        forces(vehicles, Inverse(radius=2.0, of=points)), forces(vehicles, builtin.replace(of=points)), rtol=1e-9
    )
    results = []
    for steering in (Inverse(radius=2.0), builtin):
        world = sm.World()
        others = world.add(sm.Vehicles(points, dtype=np.float64), name="others")
        first = world.add(crowd(), name="first")
        first.steering = steering.replace(of=[first.vehicles, others.vehicles])
        world.step(dt=0.1)
        results.append(first.vehicles.velocity.copy())
    assert np.allclose(*results, rtol=1e-9)


def test_numbers_are_those_of_each_vehicle():
    vehicles = crowd()
    strength = np.linspace(1, 4, 60)
    each = forces(vehicles, Inverse(radius=2.0, strength=strength))
    assert np.allclose(each, forces(vehicles, Inverse(radius=2.0, strength=1.0)) * strength[:, None], rtol=1e-9)


def test_threads_give_the_same_bits_and_vehicles_come_and_go():
    results = []
    for threads in (1, 3):
        world = sm.World(seed=5, threads=threads)
        people = world.add(crowd(n=6000, side=85.0, dtype=np.float32), steering=Inverse(radius=2.0) + Agree(radius=1.5))
        world.step(dt=0.1)
        people.vehicles.remove(people.vehicles.id[10:500])
        people.vehicles.spawn([[1.0, 2.0], [3.0, 4.0]])
        world.run(steps=5, dt=0.1)
        results.append((people.vehicles.position.tobytes(), people.memory("Agree")["opinion"].tobytes()))
    assert results[0] == results[1]


@dataclass(frozen=True, eq=False)
class Broken(sm.PairBehavior):
    @staticmethod
    def law(own, other, to, distance, p):
        return other.weight


@dataclass(frozen=True, eq=False)
class Flat(sm.PairBehavior):
    @staticmethod
    def law(own, other, to, distance, p):
        return (1.0, 0.0)


@dataclass(frozen=True, eq=False)
class Mute(sm.PairBehavior):
    @staticmethod
    def law(own, other, to, distance, p):
        pass


@dataclass(frozen=True, eq=False)
class Lawless(sm.PairBehavior):
    pass


@dataclass(frozen=True, eq=False)
class Halfway(Agree):
    @staticmethod
    def finish(own, total, count, p, dt):
        return (0.0, 0.0)


@pytest.mark.parametrize(
    ("steering", "d", "words"),
    [
        (Broken(radius=2.0), 2, "law of Broken: .*'weight'.*other has position, velocity, forward, mass"),
        (Flat(radius=2.0), 3, "law of Flat must return a number or a tuple of 3 numbers, a force, got 2"),
        (Mute(radius=2.0), 2, "law of Mute must return a number or a tuple of 2 numbers, a force, got None"),
        (Lawless(radius=2.0), 2, r"Lawless must define law\(\.\.\.\) as a function"),
        (Halfway(radius=2.0), 2, r"finish of Halfway must return \(a force, 2 numbers, next opinion, next seen\)"),
        (Inverse(radius=2.0, k=3, of=[[0, 0], [1, 1]]), 2, "k must be None where the neighbors are no vehicles, got 3"),
    ],
)
def test_a_law_that_cannot_be_used_is_refused_in_words(steering, d, words):
    with pytest.raises((TypeError, ValueError), match=words):
        forces(crowd(d), steering)


def behavior(function, name="Own"):
    """A behavior of a law."""
    return dataclass(frozen=True, eq=False)(type(name, (sm.PairBehavior,), {"law": staticmethod(function)}))(radius=2.0)


def weighed(vehicles, law):
    """Sums in NumPy of laws of the distance along the way to the neighbor, in a radius of 2 m."""
    to = vehicles.position[None] - vehicles.position[:, None]
    distance = np.linalg.norm(to, axis=2)
    near = (distance <= 2.0) & ~np.eye(len(to), dtype=bool)
    part = np.where(near, law(distance), 0.0) / np.where(near, distance, 1.0)
    return (part[..., None] * to).sum(axis=1)


def spread(d=2):
    return sm.Vehicles(np.random.default_rng(5).uniform(0, 8, (40, d)), dtype=np.float64, max_force=1e9)


GAIN = 2.0
GAINS = np.array([1.0, 2.0])


def twice(x):
    return GAIN * x


def test_globals_are_those_of_the_time_when_the_behavior_is_given(monkeypatch):
    """A number, an array, and a number of a helper; each gain makes another kernel, so one law has all three."""
    vehicles = spread()
    law = behavior(lambda own, other, to, distance, p: -(GAIN + 10 * GAINS[1] + 100 * twice(1.0)) * distance)
    for number, element in ((2.0, 3.0), (5.0, 7.0)):
        monkeypatch.setitem(globals(), "GAIN", number)
        GAINS[1] = element
        wanted = weighed(vehicles, lambda distance, gain=101 * number + 10 * element: -gain * distance)
        np.testing.assert_allclose(forces(vehicles, law), wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_a_law_is_tried_with_unit_vectors_whole_ids_and_distances_within_the_radius(d):
    def law(own, other, to, distance, p):
        half = own.forward[0] * own.forward[0] + own.forward[1] * own.forward[1]
        return -math.sqrt(1.0 - distance / p.radius) + 0.0 * math.acos(0.99 * half) * (1 << (own.id * 0))

    vehicles = spread(d)
    wanted = weighed(vehicles, lambda distance: -np.sqrt(np.maximum(1.0 - distance / 2.0, 0.0)))
    np.testing.assert_allclose(forces(vehicles, behavior(law)), wanted, rtol=1e-9, atol=1e-9)


def changing(own, other, to, distance, p):
    return -1.0 if distance > p.radius / 2 else (0.0, 0.0)


def generated(own, other, to, distance, p):
    return tuple(-x for x in to)


def sometimes(own, other, to, distance, p):
    return -1.0 if distance < p.radius / 4 else None


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (lambda own, other, p: 1.0, r"law of Own: .*it is called as law\(own, other, to, distance, p\)"),
        (lambda own, other, to, distance, p: 1 / (own.mass - own.mass), "law of Own fails for each of 4 pairs: .*zero"),
        (changing, "law of Own must return as many numbers for all pairs, got .* for one pair and .* for another"),
        (
            generated,
            r"generated \(.*test_pair_behavior.py, line \d+\) cannot be compiled by Numba:\n  The use of yield",
        ),
        (sometimes, "law of Own must return a number or a tuple of 2 numbers, a force, got None"),
    ],
)
def test_faults_of_a_law_are_told_with_its_name(law, words):
    with pytest.raises((TypeError, ValueError), match=words):
        forces(spread(), behavior(law))


@dataclass(frozen=True, eq=False)
class Three(sm.PairBehavior):
    """Three sums in the plane."""

    @staticmethod
    def law(own, other, to, distance, p):
        return (to[0], to[1], 2.0)

    @staticmethod
    def finish(own, total, count, p, dt):
        return (total[0] + total[2], total[1] - count)


def test_a_law_of_sums_may_return_as_many_numbers_as_it_likes():
    vehicles = sm.Vehicles([[0.0, 0.0], [1.0, 0.5], [0.5, -1.0]], dtype=np.float64, max_force=1e9)
    away = vehicles.position.sum(axis=0) - 3 * vehicles.position
    np.testing.assert_allclose(forces(vehicles, Three(radius=5.0)), away + np.array([4.0, -2.0]), atol=1e-12)
