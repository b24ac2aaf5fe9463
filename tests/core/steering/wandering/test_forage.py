"""Forage: find, go there, eat up. Nobody eats in a step that is refused, and nobody's row decides who gets the last bite."""

import copy

import numpy as np
import pytest

import steersman as sm
from steersman.core.parameters.arrays import columns_of
from steersman.core.steering.targets.places import PlaceGrid

REST = sm.WeightedSum([lambda vehicles: vehicles.velocity * 0])


def grazer(position, forward=((1.0, 0.0),), **columns):
    options = {"max_speed": 4.0, "max_force": 30.0, "dtype": np.float64}
    n = len(position)
    return sm.Vehicles(position, forward=np.resize(forward, (n, 2)), **options | columns)


def world_of(vehicles, forage, **options):
    world = sm.World(dt=0.05, threads=1, **options)
    return world, world.add(vehicles, name="grazers", steering=forage)


def memory_of(population):
    return next(m.snapshot() for m in population.memories.values() if "eaten" in m.snapshot())


def test_it_goes_to_the_nearest_that_is_left_and_eats_it_up():
    food = sm.Resources([[10, 0], [-20, 0], [3, 0]], [1.0, 1.0, 0.0])
    vehicles = grazer([[0, 0]])
    world, population = world_of(vehicles, sm.Forage(food, bite=1.0, rate=0.5, search=REST))
    world.run(seconds=8)
    np.testing.assert_allclose(food.amount, [0, 1, 0], atol=1e-9)
    world.run(seconds=14)
    np.testing.assert_allclose(food.amount, 0, atol=1e-9)
    np.testing.assert_allclose(memory_of(population)["eaten"], 2, atol=1e-9)
    assert memory_of(population)["found"] == [-1]
    assert np.linalg.norm(vehicles.position[0] - (-20, 0)) < 1


def test_what_is_out_of_reach_or_out_of_view_is_not_sensed():
    def found(**options):
        _, population = pair = world_of(grazer([[0, 0]]), sm.Forage(food, search=REST, **options))
        pair[0].step()
        return int(memory_of(population)["found"][0])

    food = sm.Resources([[0, 5]])
    assert found() == 0
    assert found(reach=5.1) == 0
    assert found(reach=4.9) == -1
    assert found(angle=np.pi * 1.02) == 0
    assert found(angle=np.pi * 0.98) == -1


def test_what_has_been_found_is_not_forgotten_when_it_gets_out_of_view():
    """It faces away from its find after half a turn, and still goes there, though another one is in view."""
    food = sm.Resources([[0, 6], [20, 0]])
    vehicles = grazer([[0, 0]], forward=((0.0, 1.0),))
    world, population = world_of(vehicles, sm.Forage(food, angle=1.0, reach=30, search=REST, rate=0.0))
    world.step()
    vehicles.forward = [[1.0, 0.0]]
    vehicles.velocity = [[1.0, 0.0]]
    world.step()
    assert memory_of(population)["found"] == [0]


def test_what_has_been_found_is_given_up_when_it_gets_out_of_reach():
    food = sm.Resources([[0, 4]])
    vehicles = grazer([[0, 0]])
    world, population = world_of(vehicles, sm.Forage(food, reach=5, search=REST, rate=0.0))
    world.step()
    assert memory_of(population)["found"] == [0]
    vehicles.position = [[0.0, -2.0]]
    vehicles.velocity = [[0.0, 0.0]]
    world.step()
    assert memory_of(population)["found"] == [-1]


def test_who_has_found_nothing_searches():
    food = sm.Resources([[100, 100]])
    vehicles = grazer([[0, 0]])
    world, _ = world_of(vehicles, sm.Forage(food, reach=5, search=sm.Seek([0, 50])))
    world.run(seconds=2)
    assert vehicles.position[0, 1] > 4
    assert abs(vehicles.position[0, 0]) < 1e-9


def test_seek_rushes_through_and_arrive_stays():
    for approach, near in (("arrive", True), ("seek", False)):
        vehicles = grazer([[0, 0]], max_force=8.0)
        world, _ = world_of(vehicles, sm.Forage(sm.Resources([[8, 0]]), approach=approach, rate=0.0))
        world.run(seconds=2.6)
        assert (np.linalg.norm(vehicles.position[0] - (8, 0)) < 0.6) == near


def test_who_share_what_runs_out_get_equal_parts_whatever_their_row():
    for order in ([0, 1, 2], [2, 0, 1]):
        food = sm.Resources([[0, 0]], 0.1)
        vehicles = grazer(np.array([[0.1, 0], [0, 0.2], [-0.3, 0]])[order])
        world, population = world_of(vehicles, sm.Forage(food, rate=1.0))
        world.step()
        np.testing.assert_allclose(memory_of(population)["eaten"], 0.1 / 3)
        assert food.amount == [0]


def test_two_populations_do_not_eat_more_than_there_is():
    food = sm.Resources([[0, 0]], 0.07)
    world = sm.World(dt=0.05, threads=1)
    eaten = [world.add(grazer([[0.1, 0]]), steering=sm.Forage(food, rate=1.0)) for _ in range(2)]
    world.run(steps=3)
    np.testing.assert_allclose(sum(float(memory_of(each)["eaten"][0]) for each in eaten), 0.07)


def test_a_step_that_is_refused_has_eaten_nothing():
    food = sm.Resources([[0, 0]], 5.0)
    spoilt = [False]

    def poison(vehicles):
        return np.full(vehicles.velocity.shape, np.nan if spoilt[0] else 0.0)

    world, population = world_of(grazer([[0.1, 0], [0, 0.1]]), sm.WeightedSum([sm.Forage(food, rate=1.0), poison]))
    world.step()
    amount, memory = food.amount.copy(), memory_of(population)
    spoilt[0] = True
    with pytest.raises(sm.NonFiniteError):
        world.step()
    np.testing.assert_array_equal(food.amount, amount)
    np.testing.assert_array_equal(memory_of(population)["eaten"], memory["eaten"])
    spoilt[0] = False
    world.step()
    np.testing.assert_allclose(food.amount, amount - 2 * 0.05)


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads():
    found = []
    for threads in (1, 2):
        rng = np.random.default_rng(0)
        food = sm.Resources(rng.uniform(0, 200, (60, 2)), rng.uniform(0.1, 60, 60))
        vehicles = sm.Vehicles(rng.uniform(0, 200, (9000, 2)), max_speed=5, max_force=30)
        world = sm.World(dt=0.05, domain=sm.Torus([200, 200]), seed=5, threads=threads)
        world.add(vehicles, steering=sm.Forage(food, reach=9, bite=2.0, rate=0.2))
        world.run(steps=25)
        assert 0 < (food.amount == 0).sum() < 60
        found.append((food.amount.tobytes(), vehicles.block.tobytes()))
    assert found[0] == found[1]


def test_a_copied_world_eats_from_plates_of_its_own():
    food = sm.Resources([[0, 0]], 5.0)
    world, _ = world_of(grazer([[0.1, 0]]), sm.Forage(food, rate=1.0))
    world.step()
    copied = copy.deepcopy(world)
    copied.run(steps=10)
    np.testing.assert_allclose(food.amount, 4.95)
    theirs = copied.populations["grazers"].steering.resources
    np.testing.assert_allclose(theirs.amount, 4.45)


def test_what_is_refused():
    with pytest.raises(TypeError, match=r"resources must be Resources\(position, amount\), got \[\[0, 0\]\]"):
        sm.Forage([[0, 0]])
    with pytest.raises(ValueError, match="rate must be >= 0 1/s, got -1"):
        sm.Forage(sm.Resources([0, 0]), rate=-1.0)
    with pytest.raises(ValueError, match="resources must have 3 dimensions like the vehicles, got 2"):
        sm.Controller(sm.Vehicles([[0, 0, 0]]), sm.Forage(sm.Resources([0, 0]))).steer(0.1)


def nearest_plainly(vehicles, food, domain, reach, angle):
    """All resources, one by one: the first of the nearest that are left, within reach and in view."""
    way = domain.difference(food.position[None], vehicles.position[:, None])
    distance = np.linalg.norm(way, axis=2)
    ahead = np.sum(way * vehicles.forward[:, None], axis=2) >= np.cos(angle / 2) * distance
    distance[(food.amount[None] == 0) | (distance > reach) | (~ahead & (angle < 2 * np.pi))] = np.inf
    return np.where(np.isfinite(distance.min(axis=1)), distance.argmin(axis=1), -1)


@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)])
def test_the_grid_finds_what_looking_at_all_would_find(d, dtype):
    """Scattered and in rows (ties), few and many, some eaten; foragers stand far outside, too."""
    rng = np.random.default_rng(d)
    lattice = np.stack(np.meshgrid(*[np.arange(0, 64, 8)] * d), axis=-1).reshape(-1, d)
    for places in (rng.uniform(0, 64, (900, d)), lattice, lattice[:1], rng.uniform(0, 64, (4, d))):
        for domain in (sm.Open(), sm.Torus([64] * d)):
            for reach, angle in ((np.inf, 2 * np.pi), (9.0, 2 * np.pi), (np.inf, 0.5), (30.0, 2.0)):
                food = sm.Resources(places, rng.integers(0, 3, len(places)))
                points = rng.uniform(0, 64, (120, d)) if domain.dimensions else rng.normal(0, 90, (120, d))
                points[:20] = lattice[:20] + 4
                vehicles = sm.Vehicles(points, rng.normal(size=(120, d)), dtype=dtype)
                forage = sm.Forage(food, reach=reach, angle=angle, search=REST)
                world = sm.World(domain=domain, dt=0.05, threads=1)
                population = world.add(vehicles, steering=forage)
                wanted = nearest_plainly(vehicles, food, domain, reach, angle)
                world.step()
                np.testing.assert_array_equal(memory_of(population)["found"], wanted)


def test_a_resource_just_beyond_the_border_of_a_cell_is_found_before_one_that_is_farther_within():
    places = np.random.default_rng(1).uniform(0, 64, (900, 2))
    grid = PlaceGrid(columns_of(places, np.float32), sm.Open().wrap(2, np.float32)).places.grid
    (low, inverse), near = grid.axes[:2, :2], 0.002 / grid.axes[1, 0]
    border = low + (grid.shape[:2] // 2 + [0.0, 0.5]) / inverse
    places[np.linalg.norm(places - border, axis=1) < 9 * near] = places[0]
    places[-2:] = border - [3 * near, 0], border - [-near, 0]
    vehicles = sm.Vehicles([border - [0.5 * near, 0]])
    world, population = world_of(vehicles, sm.Forage(sm.Resources(places, 1.0), reach=np.inf, search=REST))
    world.step()
    assert memory_of(population)["found"] == [len(places) - 1]


def test_what_is_put_there_anew_is_found():
    food = sm.Resources([[5, 0], [-9, 0]], [0.0, 1.0])
    world, population = world_of(grazer([[0, 0], [2, 0]]), sm.Forage(food, search=REST, reach=9.5))
    world.step()
    assert memory_of(population)["found"].tolist() == [1, -1]
    food.amount[0] = 1.0
    world.step()
    assert memory_of(population)["found"].tolist() == [1, 0]
    food.amount[:] = [0.0, 1.0]  # As many as before, but in other places.
    world.step()
    assert memory_of(population)["found"].tolist() == [1, -1]
    food.amount[:] = [1.0, 0.0]
    world.step()
    assert memory_of(population)["found"].tolist() == [0, 0]
