"""The world: adding and removing, one snapshot for all, warnings, domains, the first program."""

import copy
import pickle
import re

import numpy as np
import pytest
from core.world.whole_state import whole_state
from stepping import ran

import steersman as sm
from steersman.core.world.state_hash import state_hash


def herd(n=12, d=2, seed=1, **more):
    rng = np.random.default_rng(seed)
    arguments = {"max_speed": 3, "max_force": 5} | more
    return sm.Vehicles(rng.normal(size=(n, d)) * 10, rng.normal(size=(n, d)), **arguments)


def test_the_first_program():
    rng = np.random.default_rng(7)
    rocks = sm.Spheres(center=[[60, 80], [140, 120]], radius=[12, 20])
    boids = sm.Vehicles(
        position=rng.uniform(0, 200, (200, 2)), velocity=rng.normal(0, 5, (200, 2)), max_speed=12, max_force=30
    )
    world = sm.World(domain=sm.Torus([200, 200]), seed=7)
    steering = sm.Priority(
        [
            sm.AvoidObstacles(rocks, lookahead=2.0),
            1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9) + 0.2 * sm.Wander(),
        ]
    )
    world.add(boids, name="boids", steering=steering)
    world.run(seconds=0.5, dt=1 / 60)
    assert world.steps == 30
    assert world.time == pytest.approx(0.5)
    assert (boids.position >= 0).all()
    assert (boids.position < 200).all()
    assert (boids.speed <= 12 * 1.00001).all()
    assert world["boids"] is boids


def test_without_steering_vehicles_coast():
    vehicles = herd()
    start, velocity = vehicles.position.copy(), vehicles.velocity.copy()
    vehicles.max_speed = 100
    world = sm.World(dt=0.25)
    world.add(vehicles)
    world.run(seconds=1)
    np.testing.assert_allclose(vehicles.position, start + velocity, rtol=1e-5, atol=1e-5)


def hunt(order):
    """Two populations that chase each other, added in an order."""
    hunters, rabbits = herd(seed=1), herd(7, seed=2)
    rows = {
        "hunters": (hunters, sm.Pursue(rabbits) + 0.5 * sm.Wander()),
        "rabbits": (rabbits, sm.Evade(hunters) + sm.Wander()),
    }
    world = sm.World(seed=4, dt=0.1)
    for name in order:
        vehicles, steering = rows[name]
        world.add(vehicles, name=name, steering=steering)
    return world, hunters, rabbits


def test_all_steer_from_one_snapshot():
    first, second = hunt(["hunters", "rabbits"]), hunt(["rabbits", "hunters"])
    first[0].run(steps=20)
    second[0].run(steps=20)
    for one, other in zip(first[1:], second[1:], strict=True):
        assert one.block.tobytes() == other.block.tobytes()


def test_a_step_is_what_controllers_and_point_masses_do():
    """Forces of all from the same state first, then all move."""
    world, *moved = hunt(["hunters", "rabbits"])
    _, hunters, rabbits = hunt(["hunters", "rabbits"])
    populations = {"hunters": (hunters, sm.Pursue(rabbits) + 0.5 * sm.Wander()),
                   "rabbits": (rabbits, sm.Evade(hunters) + sm.Wander())}  # fmt: skip
    controllers = {
        name: sm.Controller(vehicles, steering, seed=4, name=name) for name, (vehicles, steering) in populations.items()
    }
    for _ in range(10):
        world.step()
        forces = {name: controller.steer(0.1).copy() for name, controller in controllers.items()}
        for name, (vehicles, _) in populations.items():
            sm.PointMass().advance(vehicles, forces[name], 0.1)
    for one, other in zip(moved, (hunters, rabbits), strict=True):
        # Truncating a force that is truncated already may change its last bit.
        np.testing.assert_allclose(one.block, other.block, rtol=1e-4, atol=1e-4)


def test_populations_come_and_go():
    world, _, rabbits = hunt(["hunters", "rabbits"])
    world.run(steps=2)
    assert list(world.populations) == ["hunters", "rabbits"]
    assert world.remove("rabbits") is rabbits
    still = rabbits.block.tobytes()
    world.run(steps=2)  # hunted on, although they are in no world now
    assert rabbits.block.tobytes() == still
    world.add(rabbits, name="rabbits")
    world.run(steps=2)
    assert rabbits.block.tobytes() != still
    with pytest.raises(KeyError, match="no population is called 'foxes'; there are: hunters, rabbits"):
        world.remove("foxes")
    with pytest.raises(KeyError, match="foxes"):
        world["foxes"]
    with pytest.raises(TypeError):
        world.populations["foxes"] = 1


def test_default_names():
    world = sm.World()
    assert [world.add(herd(1)).name for _ in range(3)] == ["vehicles", "vehicles 2", "vehicles 3"]
    world.remove("vehicles 2")
    assert world.add(herd(1)).name == "vehicles 2"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"vehicles": [[1, 2]]}, TypeError, "vehicles must be Vehicles, got [[1, 2]]"),
        ({"name": "boids"}, ValueError, "name must be different for every population, got 'boids' twice"),
        ({"name": 5}, TypeError, "name must be a text, got 5"),
        ({"steering": "seek"}, TypeError, "steering must be a behavior or a function of the vehicles, got 'seek'"),
        ({"locomotion": "legs"}, TypeError, "locomotion must be a body such as PointMass(), got 'legs'"),
        ({"vehicles": herd(d=3)}, ValueError, "vehicles must have 2 dimensions like the domain, got 3"),
    ],
)
def test_complaints_of_add(arguments, error, message):
    world = sm.World(domain=sm.Torus([9, 9]))
    world.add(herd(), name="boids")
    with pytest.raises(error, match=re.escape(message)):
        world.add(**{"vehicles": herd(), **arguments})
    assert list(world.populations) == ["boids"]
    world.step()


def test_vehicles_cannot_be_added_twice():
    world = sm.World()
    vehicles = herd()
    world.add(vehicles)
    with pytest.raises(ValueError, match="these vehicles are in the world already"):
        world.add(vehicles, name="again")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"domain": "torus"}, TypeError, "domain must be Open(), Torus(size) or Box(size), got 'torus'"),
        ({"seed": 1.5}, TypeError, "seed must be a whole number >= 0, got 1.5"),
        ({"seed": True}, TypeError, "seed must be a whole number >= 0, got True"),
        ({"seed": -1}, ValueError, "seed must be a whole number >= 0, got -1"),
        ({"dt": 0}, ValueError, "dt must be a finite number > 0 s, got 0"),
        ({"dt": "fast"}, TypeError, "dt must be a number > 0 s, got 'fast'"),
        ({"dt": 1e-13}, ValueError, "dt must be between 1e-12 and 1e+09 s, got 1e-13"),
        ({"dt": 1e10}, ValueError, "dt must be between 1e-12 and 1e+09 s, got 10000000000.0"),
        ({"threads": 0}, ValueError, "threads must be a whole number >= 1, got 0"),
        ({"threads": 10**6}, ValueError, "threads must be <= 1024, got 1000000; more than there are"),
        ({"threads": 1.5}, ValueError, "threads must be a whole number >= 1, got 1.5"),
        ({"threads": True}, ValueError, "threads must be a whole number >= 1, got True"),
    ],
)
def test_complaints_of_the_constructor(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        sm.World(**arguments)


def test_numpy_numbers_will_do():
    world = sm.World(seed=np.int32(3), dt=np.float32(0.25), threads=np.int64(1))
    world.add(herd())
    world.run(steps=np.uint8(2))
    assert world.time == 0.5


def test_threads_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("STEERSMAN_THREADS", "3")
    assert sm.World().threads == 3
    monkeypatch.setenv("STEERSMAN_THREADS", "many")
    with pytest.raises(ValueError, match="STEERSMAN_THREADS must be a whole number >= 1, got 'many'"):
        sm.World()


def test_too_long_a_step_is_warned_of_once():
    vehicles = herd(response_time=0.1)
    world = sm.World()
    world.add(vehicles, name="boids", steering=sm.Seek([0, 0]))
    world.step(0.19)
    with pytest.warns(
        RuntimeWarning, match=r"dt = 0.21 s is not below twice the shortest response_time of 'boids' \(0.1"
    ) as told:
        world.step(0.21)
    assert {each.filename for each in told} == {__file__}
    world.step(0.21)
    vehicles.response_time = "step"
    world.step(5.0)


def test_who_is_not_steered_is_not_warned():
    world = sm.World()
    world.add(herd())
    world.step(5.0)


def test_a_torus_keeps_positions_inside():
    vehicles = sm.Vehicles([[9.9, 5], [0.1, 5], [5, 0.05]], [[4, 0], [-40, 0], [0, -1]], max_speed=50)
    world = sm.World(domain=sm.Torus([10, 10]), dt=0.1)
    world.add(vehicles)
    world.step()
    np.testing.assert_allclose(vehicles.position, [[0.3, 5], [6.1, 5], [5, 9.95]], rtol=1e-5)
    np.testing.assert_array_equal(vehicles.velocity, [[4, 0], [-40, 0], [0, -1]])


def test_a_box_stops_at_its_walls():
    for restitution, velocity in ((0.0, 0.0), (0.5, -2.0), (1.0, -4.0)):
        vehicles = sm.Vehicles([9.9, 5], [4, 1], max_speed=50)
        world = sm.World(domain=sm.Box([10, 10], restitution=restitution), dt=0.1)
        world.add(vehicles)
        world.step()
        np.testing.assert_allclose(vehicles.position, [[10, 5.1]], rtol=1e-6)
        np.testing.assert_allclose(vehicles.velocity, [[velocity, 1]], rtol=1e-6)


def test_an_empty_world_and_empty_populations():
    world = sm.World(dt=0.1)
    world.run(steps=2)
    nobody = sm.Vehicles(np.empty((0, 2)))
    hunters = herd()
    world.add(nobody, name="nobody", steering=sm.Seek([0, 0]) + sm.Separation() + sm.Wander() + sm.Pursue(hunters))
    world.add(hunters, name="hunters", steering=sm.Pursue(nobody) + sm.Separation(of=nobody) + sm.Pursue(hunters))
    world.run(steps=2)
    assert world.steps == 4
    assert np.isfinite(hunters.block).all()


def test_a_population_that_watches_itself():
    vehicles = herd()
    world = sm.World(dt=0.1)
    world.add(vehicles, steering=sm.Seek(vehicles))
    offset = vehicles.position[:, None] - vehicles.position
    distance = np.linalg.norm(offset, axis=2) + np.diag([np.inf] * 12)
    before, way = vehicles.velocity.copy(), -offset[np.arange(12), distance.argmin(axis=1)]
    world.step()
    turned = np.sum(
        (vehicles.velocity - before) * (3 * way / np.linalg.norm(way, axis=1, keepdims=True) - before), axis=1
    )
    assert (turned > 0).all()


def test_everybody_is_removed_while_running():
    vehicles = herd()
    world = ran(vehicles, sm.Wander() + sm.Separation(), dt=0.1, seed=1, steps=2)
    vehicles.remove(np.ones(12, bool))
    world.run(steps=2)
    vehicles.spawn([[1, 2], [3, 4]])
    world.run(steps=2)
    assert len(vehicles) == 2
    assert world.steps == 6


def test_step_lengths_may_change():
    vehicles = herd(max_speed=1e6, max_force=1e6)
    world = sm.World(dt=0.1)
    world.add(vehicles, steering=sm.Wander())
    for dt in (0.1, 1e-3, 0.05, 1e-12):
        world.step(dt)
    assert world.time == pytest.approx(0.151)
    world.populations["vehicles"].steering = None
    world.step(1e6)
    world.step(1e6)
    assert np.isfinite(vehicles.block).all()


def test_huge_and_tiny_numbers():
    for scale in (1e-9, 1e9):
        vehicles = sm.Vehicles([[scale, 0], [0, scale]], max_speed=scale, max_force=scale / 0.1)
        ran(vehicles, sm.Seek([0, 0]), dt=0.05, steps=4)
        distance = np.linalg.norm(vehicles.position.astype(float) / scale, axis=1)
        assert (distance < 0.95).all()
        assert (distance > 0.7).all()
        np.testing.assert_allclose(vehicles.forward, [[-1, 0], [0, -1]], atol=1e-6)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w))])
def test_a_copy_goes_on_alike_and_on_its_own(duplicate):
    world, *_ = hunt(["hunters", "rabbits"])
    world.run(steps=3)
    other = duplicate(world)
    before = whole_state(world)
    assert state_hash(other) == state_hash(world)
    other.run(steps=3)
    assert whole_state(world) == before
    world.run(steps=3)
    assert state_hash(other) == state_hash(world)


def test_space_seed_threads_and_time_step_may_be_assigned():
    """Nothing that is assigned is ignored until the next plan, and nothing wrong gets in."""
    world = sm.World(threads=1)
    runner = sm.Vehicles([3.5, 2], [2, 0], max_speed=2)
    world.add(runner)
    world.step(0.5)
    assert runner.position.tolist() == [[4.5, 2]]
    world.domain = sm.Torus([5, 5])
    world.step(0.5)
    assert runner.position.tolist() == [[0.5, 2]]
    world.seed, world.threads, world.dt = 7, 2, 0.25
    assert (world.seed, world.threads, world.dt) == (7, 2, 0.25)
    world.step()
    assert runner.position.tolist() == [[1, 2]]
    for name, wrong, message in (
        ("domain", sm.Torus([5, 5, 5]), "the domain must have 2 dimensions like the vehicles, got 3"),
        ("domain", (5, 5), "domain must be"),
        ("seed", -1, "seed must be"),
        ("threads", 0, "threads must be"),
        ("dt", -0.1, "dt must be"),
    ):
        with pytest.raises((TypeError, ValueError), match=f"^{message}"):
            setattr(world, name, wrong)
    assert (world.seed, world.threads, world.dt, world.domain.dimensions) == (7, 2, 0.25, 2)


def test_another_seed_is_another_whim():
    ends = []
    for seed in (1, 1, 2):
        world = sm.World(seed=1)
        walker = sm.Vehicles([0, 0])
        world.add(walker, steering=sm.Wander())
        world.step()
        world.seed = seed
        world.run(steps=5)
        ends.append(walker.position.tolist())
    assert ends[0] == ends[1] != ends[2]


def test_a_population_keeps_its_name_and_its_vehicles():
    """Others that were put in their place would not be steered."""
    world = sm.World()
    population = world.add(sm.Vehicles([0, 0]), name="a")
    for name, value in (("vehicles", sm.Vehicles([1, 1])), ("name", "b")):
        with pytest.raises(AttributeError, match=name):
            setattr(population, name, value)


def test_a_world_says_what_is_in_it():
    world = sm.World(domain=sm.Torus([9, 9]), seed=4)
    world.add(sm.Vehicles([[0, 0], [1, 1]]), name="two")
    assert "'two': Vehicles(n=2, dimensions=2" in repr(world)
    assert "seed=4" in repr(world)
    two = world.populations["two"]
    assert repr(two).endswith(", steering=nothing, locomotion=PointMass)")
    two.steering = sm.Wander()
    assert repr(two).startswith("Population('two', Vehicles(n=2, ")
    assert repr(two).endswith(", steering=Wander, locomotion=PointMass)")
