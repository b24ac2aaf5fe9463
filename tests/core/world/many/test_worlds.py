"""Many worlds in one step: each has the bits that it has alone, and what asks Python is refused by name."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.kernels.kernel import has_programs
from steersman.core.world.guard import NEAR
from steersman.core.world.many import worlds as module
from steersman.core.world.state_hash import state_hash

Make = Callable[[int], sm.World]


def vehicles(seed: int, k: int, d: int, extent: float, dtype: Any = np.float32) -> sm.Vehicles:
    rng = np.random.default_rng(seed)
    return sm.Vehicles(
        rng.uniform(0, extent, (k, d)),
        rng.normal(size=(k, d)),
        max_speed=rng.uniform(2, 4, k),
        max_force=10,
        dtype=dtype,
    )


def flock_2d(seed: int) -> sm.World:
    world = sm.World(domain=sm.Torus((20, 20)), seed=seed, threads=1)
    world.add(vehicles(seed, 20, 2, 20), steering=sm.Flocking() + 0.5 * sm.Wander())
    return world


def flock_3d(seed: int) -> sm.World:
    world = sm.World(seed=seed, threads=1)
    world.add(vehicles(seed, 15, 3, 8, np.float64), steering=sm.Flocking() + sm.Wander("orientation"))
    return world


def crowd(seed: int) -> sm.World:
    """More vehicles than one cell takes, among obstacles that differ from world to world, in a box."""
    rng = np.random.default_rng(seed + 1000)
    world = sm.World(domain=sm.Box((40, 30)), seed=seed, threads=1)
    stones = sm.Spheres(rng.uniform(5, 25, (4, 2)), rng.uniform(0.5, 2, 4))
    tree = sm.Priority([sm.AvoidObstacles(stones), sm.Separation(radius=2) + sm.Wander()])
    world.add(vehicles(seed, 150, 2, 30), steering=tree)
    return world


def hunt(seed: int) -> sm.World:
    """Two populations, modes with chances, and a torus of another size in every world."""
    size = 20.0 + seed
    world = sm.World(domain=sm.Torus((size, size)), seed=seed, threads=1)
    sheep, dogs = vehicles(seed, 12, 2, 20), vehicles(seed + 50, 3, 2, 20)
    herd = world.add(sheep, name="sheep", steering=sm.Flee(dogs) + sm.Wander())
    pack = sm.Modes(
        {"roam": sm.Wander("turn"), "hunt": sm.Pursue(herd)},
        start="roam",
        transitions=[("roam", "hunt", sm.Chance(0.5)), ("hunt", "roam", sm.After(2.0))],
    )
    world.add(dogs, name="dogs", steering=pack)
    return world


SCENES: list[tuple[Make, int]] = [(flock_2d, 500), (flock_3d, 500), (crowd, 500), (hunt, 500)]


@pytest.mark.each_value
@pytest.mark.parametrize(("make", "steps"), SCENES, ids=lambda each: getattr(each, "__name__", None))
@pytest.mark.parametrize("threads", [1, 2])
def test_each_world_has_the_bits_that_it_has_alone(make: Make, steps: int, threads: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        worlds = sm.Worlds(make, 6, threads=threads)
        alone = [make(seed) for seed in range(6)]
        worlds.run(steps=100)
        worlds.reset([1, 4])
        for _ in range(50):
            worlds.step()
        worlds.reset([False, False, True, False, False, False], seeds=[17])
        worlds.run(steps=steps - 150)
        made = {0: steps, 1: steps - 100, 2: steps - 150, 3: steps, 4: steps - 100, 5: steps}
        alone[2] = make(17)
        for number, world in enumerate(alone):
            world.run(steps=made[number])
            assert int(worlds.steps[number]) == world.steps
            assert state_hash(worlds[number]) == state_hash(world), number


def test_columns_are_live_with_the_world_first() -> None:
    worlds = sm.Worlds(flock_2d, 3, threads=1)
    assert worlds.position.shape == (3, 20, 2)
    assert worlds.vehicles.mass.shape == (3, 20)
    np.testing.assert_array_equal(worlds.position[2], flock_2d(2)["vehicles"].position)
    worlds.position[1] = 5.0
    worlds.vehicles.velocity = 0.0
    np.testing.assert_array_equal(worlds[1]["vehicles"].position, np.full((20, 2), 5.0))
    assert not worlds[0]["vehicles"].velocity.any()
    with pytest.raises(AttributeError, match="there is no column 'speeed'"):
        worlds.vehicles.speeed = 3.0
    with pytest.raises(ValueError, match=r"mass must fit into shape \(3, 20\), got \(4,\)"):
        worlds.vehicles.mass = np.ones(4)


def test_a_run_is_told_its_seconds_or_its_steps() -> None:
    worlds = sm.Worlds(flock_2d, 3, threads=1)
    worlds.run(seconds=0.5)
    assert worlds.steps.tolist() == [round(0.5 / worlds.dt)] * 3
    worlds.run(seconds=0.5, dt=0.1, only=[1])
    assert worlds.steps.tolist() == [round(0.5 / worlds.dt) + 5 * (k == 1) for k in range(3)]
    for wrong in ({}, {"seconds": 1.0, "steps": 3}):
        with pytest.raises(ValueError, match="run needs either seconds or steps"):
            worlds.run(**wrong)
    alone = flock_2d(2)
    alone.run(seconds=0.5)
    assert sm.state_hash(worlds[2]) == sm.state_hash(alone)


def test_memory_is_live_with_the_world_first() -> None:
    worlds = sm.Worlds(flock_2d, 3, threads=1)
    worlds.run(steps=3)
    for number in range(3):
        alone = worlds[number].memory("vehicles", "Wander")["point"]
        np.testing.assert_array_equal(worlds.memory("vehicles", "Wander")["point"][number], alone)
    worlds.memory("vehicles", "Wander")["point"][:] = (1.0, 0.0)
    np.testing.assert_array_equal(worlds[1].memory("vehicles", "Wander")["point"], np.tile([1.0, 0.0], (20, 1)))


def test_seeds_may_be_given_one_by_one() -> None:
    worlds = sm.Worlds(flock_2d, [7, 2, 7], threads=1)
    worlds.run(steps=3)
    assert worlds.seeds.tolist() == [7, 2, 7]
    for number, seed in enumerate(worlds.seeds.tolist()):
        alone = flock_2d(seed)
        alone.run(steps=3)
        assert sm.state_hash(worlds[number]) == sm.state_hash(alone)


@pytest.mark.parametrize("which", [("sheep", "Wander"), ("dogs", "Modes"), ("dogs", "Wander")], ids=" ".join)
def test_memory_is_that_of_the_behavior_that_was_asked_for(which: tuple[str, str]) -> None:
    worlds = sm.Worlds(hunt, 2, threads=1)
    worlds.run(steps=5)
    alone = worlds[1].memory(*which)
    together = worlds.memory(*which)
    assert together.keys() == alone.keys()
    for name, values in alone.items():
        np.testing.assert_array_equal(together[name][1], values)


def test_some_worlds_step_and_others_wait() -> None:
    worlds = sm.Worlds(flock_2d, 4, threads=2)
    worlds.step(only=[1, 3])
    worlds.step(0.02, only=[True, False, False, True])
    assert worlds.steps.tolist() == [1, 1, 0, 2]
    np.testing.assert_allclose(worlds.time, [0.02, 1 / 60, 0.0, 0.02 + 1 / 60])
    alone = flock_2d(3)
    alone.step()
    alone.step(0.02)
    assert state_hash(worlds[3]) == state_hash(alone)
    assert state_hash(worlds[2]) == state_hash(flock_2d(2))
    with pytest.raises(ValueError, match=r"a mask of worlds must have shape \(4,\), got \(2,\)"):
        worlds.step(only=[True, False])
    with pytest.raises(IndexError, match=r"there are 4 worlds, got \[4\]"):
        worlds.step(only=[4])


def test_a_world_with_a_bad_number_stays_and_is_named_and_the_others_go_on() -> None:
    worlds = sm.Worlds(flock_2d, 4, threads=1)
    worlds.position[2, 5, 0] = np.nan
    with pytest.raises(sm.NonFiniteError, match="world 2: position of 'vehicles' must be finite"):
        worlds.run(steps=7)
    assert worlds.steps.tolist() == [7, 7, 0, 7]
    alone = flock_2d(3)
    alone.run(steps=7)
    assert state_hash(worlds[3]) == state_hash(alone)
    worlds.reset([2])
    worlds.run(steps=2)
    assert worlds.steps.tolist() == [9, 9, 2, 9]


def far(seed: int) -> sm.World:
    """The second vehicle comes in three steps of 0.05 s to where a world is looked at alone; not in world 0."""
    most = NEAR[np.dtype(np.float32)]
    speed = 0.0 if seed == 0 else 0.9 * most
    world = sm.World(seed=seed, dt=0.05, threads=1)
    pair = sm.Vehicles([[0.0, 0.0], [0.89 * most, 0.0]], [[1.0, 0.0], [speed, 0.0]], max_speed=[2.0, 0.9 * most])
    world.add(pair, steering=sm.Wander())
    return world


def test_a_world_that_ends_after_some_of_several_steps_keeps_these(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bits that it has alone, its memory too; the rest is made as by itself."""
    worlds, alone = sm.Worlds(far, 3, threads=1), far(1)
    monkeypatch.setattr(module.Worlds, "_go_alone", lambda *_: None)
    worlds.run(steps=7)
    assert worlds.steps.tolist() == [7, 3, 3]
    assert worlds.time == pytest.approx([0.35, 0.15, 0.15])
    alone.run(steps=3)
    assert state_hash(worlds[1]) == state_hash(alone)
    monkeypatch.undo()
    worlds.run(steps=4, only=[1, 2])
    alone.run(steps=4)
    assert state_hash(worlds[1]) == state_hash(alone)


def test_a_world_of_very_large_numbers_goes_on_as_it_does_alone() -> None:
    worlds, alone = sm.Worlds(flock_3d, 2, threads=1), flock_3d(1)
    worlds.position[1, 0] = alone["vehicles"].position[0] = 1e118
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        worlds.run(steps=3)
        alone.run(steps=3)
        assert state_hash(worlds[1]) == state_hash(alone)


def test_a_world_can_be_changed_alone_and_given_back() -> None:
    worlds = sm.Worlds(crowd, 3, threads=1)
    worlds.run(steps=5)
    world = worlds[1]
    world.step()
    worlds[1] = world
    other = crowd(9)
    worlds[0] = other
    worlds.run(steps=5)
    alone = crowd(1)
    alone.run(steps=11)
    assert state_hash(worlds[1]) == state_hash(alone)
    alone = crowd(9)
    alone.run(steps=5)
    assert state_hash(worlds[0]) == state_hash(alone)


def test_nothing_of_a_world_is_left_where_another_takes_its_place() -> None:
    """Of one that has the obstacles of the first, and so none of its own."""
    worlds, alone = sm.Worlds(crowd, 3, threads=1), crowd(0)
    worlds[2] = crowd(0)
    worlds.run(steps=30)
    alone.run(steps=30)
    assert state_hash(worlds[2]) == state_hash(alone)


def test_worlds_with_new_seeds_begin_again_as_they_began_with_these() -> None:
    worlds, alone = sm.Worlds(crowd, 3, threads=1), crowd(17)
    alone.run(steps=3)

    def late(seed: int) -> sm.World:
        world = crowd(seed)
        world.run(steps=3)
        return world

    worlds._make = late
    worlds.reset([1], seeds=[17])
    worlds.run(steps=5)
    worlds.reset()
    assert worlds.steps.tolist() == [0, 3, 0]
    assert worlds.time[1] == alone.time
    assert state_hash(worlds[1]) == state_hash(alone)
    assert state_hash(worlds[0]) == state_hash(crowd(0))


def test_seeds_are_those_of_the_worlds_in_the_order_in_which_these_are_named() -> None:
    worlds = sm.Worlds(crowd, 3, threads=1)
    worlds.reset([2, 0], seeds=[12, 10])
    assert worlds.seeds.tolist() == [10, 1, 12]
    worlds.reseed([-1, 1], [22, 11])
    assert worlds.seeds.tolist() == [10, 11, 22]


def test_worlds_have_their_own_obstacles_whatever_takes_the_place_of_the_first() -> None:
    worlds, alone = sm.Worlds(crowd, 2, threads=1), crowd(5)
    worlds.reset(seeds=[5, 5])
    worlds.run(steps=30)
    alone.run(steps=30)
    assert state_hash(worlds[0]) == state_hash(worlds[1]) == state_hash(alone)
    changed = worlds[0]
    changed.populations["vehicles"].steering = sm.Wander()
    with pytest.raises(ValueError, match="the tree Wander"):
        worlds[0] = changed


def test_a_world_that_was_put_in_begins_anew_as_it_was_put_in() -> None:
    worlds = sm.Worlds(hunt, n=3)
    other = hunt(30)
    other.run(steps=2)
    fields = ("steps", "time", "seed")
    beginning = [state_hash(other), *(getattr(other, field) for field in fields)]
    worlds[1] = other
    worlds.run(steps=5)
    worlds.reset([1])
    again = worlds[1]
    assert [state_hash(again), *(getattr(again, field) for field in fields)] == beginning
    start = worlds["sheep"].position[2].copy()
    worlds.run(steps=3)
    worlds[2] = worlds[2]  # As after a change to it.
    worlds.reset([2])
    assert (worlds["sheep"].position[2] != start).any()
    assert state_hash(worlds[2]) == state_hash(sm.Worlds(hunt, n=3)[2])


def test_worlds_go_on_as_they_are_where_one_of_the_new_ones_cannot_be_made() -> None:
    def make(seed: int) -> sm.World:
        if seed == 13:
            raise LookupError
        return flock_2d(seed) if seed == 14 else crowd(seed)

    worlds = sm.Worlds(make, 3, threads=1)
    worlds.run(steps=2)
    before = [state_hash(world) for world in (worlds[0], worlds[1])]
    for seeds, error in (([7, 13], LookupError), ([7, -1], ValueError), ([7, 14], ValueError)):
        with pytest.raises(error):
            worlds.reset([0, 1], seeds=seeds)
        assert [state_hash(world) for world in (worlds[0], worlds[1])] == before
    assert worlds.seeds.tolist() == [0, 1, 2]


@pytest.mark.skipif(not has_programs(), reason="there is no program to share an array")
def test_worlds_go_on_as_they_are_where_the_new_ones_cannot_share_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are put in have obstacles of their own, which the worlds before had not."""

    def make(seed: int) -> sm.World:
        world = crowd(max(seed, 10))
        world.seed = seed
        return world

    worlds = sm.Worlds(make, 3, threads=2)
    worlds.run(steps=2)
    before = [state_hash(worlds[number]) for number in range(3)]
    other = make(20)
    with monkeypatch.context() as shared:
        shared.setattr(module, "address_of", lambda array: 0)
        with pytest.raises(ValueError, match="share an array in which they differ"):
            worlds.reset([0, 1], seeds=[7, 20])
        with pytest.raises(ValueError, match="share an array in which they differ"):
            worlds[1] = other
    assert worlds.seeds.tolist() == [0, 1, 2]
    assert [state_hash(worlds[number]) for number in range(3)] == before
    worlds.run(steps=2)
    for number in range(3):
        alone = make(number)
        alone.run(steps=4)
        assert state_hash(worlds[number]) == state_hash(alone)
    worlds.reset([0, 1], seeds=[7, 20])
    worlds.run(steps=4)
    other.run(steps=4)
    assert state_hash(worlds[1]) == state_hash(other)


def with_function(seed: int) -> sm.World:
    world = flock_2d(seed)
    world.add(vehicles(seed, 2, 2, 20), steering=lambda vehicles: -vehicles.position)
    return world


def with_observer(seed: int) -> sm.World:
    world = flock_2d(seed)
    world.on_step(lambda world: None)
    return world


def with_flow(seed: int) -> sm.World:
    world = flock_2d(seed)
    world.populations["vehicles"].flows = [sm.Sink(sm.Sphere((0, 0), 2))]
    return world


def with_hook(seed: int) -> sm.World:
    world = sm.World(seed=seed)
    modes = sm.Modes({"go": sm.Wander()}, start="go", on_enter={"go": lambda vehicles, which: None})
    world.add(vehicles(seed, 2, 2, 20), steering=modes)
    return world


def with_constraint(seed: int) -> sm.World:
    world = flock_2d(seed)
    world.constraints = [sm.ZeroOverlap()]
    return world


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (with_function, "lambda, which asks Python at every step"),
        (with_observer, "functions given to on_step or watch"),
        (with_flow, r"flows \('vehicles'\)"),
        (with_hook, "Modes, which calls Python after steps"),
        (with_constraint, "Untangling, which asks Python at every step"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_parts_that_ask_python_are_refused_by_name(make: Make, words: str) -> None:
    with pytest.raises(ValueError, match=f"Worlds cannot step {words}"):
        sm.Worlds(make, 2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda world: setattr(world, "dt", 0.5), "dt=0.5 s, not 0.0166667 s"),
        (lambda world: setattr(world, "domain", sm.Open()), "the domain Open, not Torus"),
        (lambda world: world.add(vehicles(0, 2, 2, 20), name="more"), "populations"),
        (lambda world: world["vehicles"].spawn((1, 1)), "20 vehicles|n=21"),
        (
            lambda world: setattr(world.populations["vehicles"], "steering", sm.Wander()),
            "the tree Wander in 'vehicles'",
        ),
        (
            lambda world: setattr(world.populations["vehicles"], "steering", sm.Flocking() + 0.5 * sm.Wander(rate=7)),
            r"another form of .*rate of Wander in 'vehicles' \(7, not None\)",
        ),
    ],
)
def test_a_world_of_other_parts_is_refused_by_name(change: Callable[[sm.World], Any], words: str) -> None:
    def make(seed: int) -> sm.World:
        world = flock_2d(seed)
        if seed == 1:
            change(world)
        return world

    with pytest.raises(
        ValueError, match=f"worlds that are stepped together must have the same parts: world 1 has .*({words})"
    ):
        sm.Worlds(make, 3)


def test_make_must_give_a_world_and_there_must_be_one() -> None:
    with pytest.raises(TypeError, match="make must give a World, got 3"):
        sm.Worlds(lambda seed: 3, 2)  # type: ignore[arg-type,return-value]
    with pytest.raises(ValueError, match="n must be a whole number >= 1, got 0"):
        sm.Worlds(flock_2d, 0)


def test_metrics_of_all_worlds_are_those_of_each() -> None:
    worlds = sm.Worlds(flock_2d, 3, threads=1)
    worlds.run(steps=50)
    space = sm.Torus((20, 20))
    order, hits = sm.metrics.polarization(worlds.vehicles), sm.metrics.collisions(worlds["vehicles"], space)
    near = sm.metrics.nearest_distances(worlds.vehicles, space)
    assert (order.shape, hits.shape, near.shape) == ((3,), (3,), (3, 20))
    for number in range(3):
        alone = worlds[number]["vehicles"]
        assert order[number] == sm.metrics.polarization(alone)
        assert hits[number] == sm.metrics.collisions(alone, space)
        np.testing.assert_array_equal(near[number], sm.metrics.nearest_distances(alone, space))


def test_a_world_that_is_given_another_seed_goes_on_by_it() -> None:
    worlds, alone = sm.Worlds(flock_2d, 3, threads=1), flock_2d(1)
    worlds.run(steps=10)
    alone.run(steps=10)
    worlds.reseed([1], [99])
    alone.seed = 99
    worlds.run(steps=10)
    alone.run(steps=10)
    taken = worlds[1]
    assert state_hash(taken) == state_hash(alone)
    assert worlds.seeds.tolist() == [0, 99, 2]
    for each in (taken, alone):
        each.run(steps=5)
    assert state_hash(taken) == state_hash(alone)
    with pytest.raises(ValueError, match=r"seeds must have shape \(1,\), one for each world, got \(2,\)"):
        worlds.reseed([1], [3, 4])


def test_a_world_with_another_seed_begins_anew_with_that_of_its_beginning() -> None:
    """Whether that seed was its first one, or another one with which it was made."""
    worlds = sm.Worlds(flock_2d, 3, threads=1)
    worlds.reset([2], seeds=[7])
    worlds.run(steps=5)
    before = [state_hash(worlds[number]) for number in range(3)]
    worlds.reseed([1, 2], [98, 99])
    worlds.run(steps=5)
    worlds.reset([1, 2])
    assert worlds.seeds.tolist() == [0, 1, 7]
    worlds.run(steps=5, only=[1, 2])
    assert [state_hash(worlds[number]) for number in (1, 2)] == before[1:]
    worlds.reset([1])
    worlds.reseed([1], [98])
    worlds.run(steps=5, only=[1])
    alone = flock_2d(1)
    alone.seed = 98
    alone.run(steps=5)
    assert state_hash(worlds[1]) == state_hash(alone)


def test_worlds_whose_weights_are_columns_of_orders_have_their_own() -> None:
    def make(seed: int) -> sm.World:
        world = sm.World(seed=seed, threads=1)
        tree = sm.WeightedSum([sm.Seek((9.0, 9.0)), sm.Wander()], weights=["keen", "idle"])
        world.add(vehicles(seed, 4, 2, 9), steering=sm.Orders([tree], {"keen": 1.0, "idle": 0.5}))
        return world

    worlds, alone = sm.Worlds(make, 3, threads=1), make(2)
    worlds.memory("vehicles", "Orders")["keen"][2] = [0.0, 0.1, 0.2, 3.0]
    alone.populations["vehicles"].order(range(4), keen=[0.0, 0.1, 0.2, 3.0])
    worlds.run(steps=30)
    alone.run(steps=30)
    assert state_hash(worlds[2]) == state_hash(alone)
    assert worlds.memory("vehicles", "Orders")["keen"].shape == (3, 4)
