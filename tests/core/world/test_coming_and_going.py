"""Vehicles come and go between steps: nothing is kept that should not be, and what has not changed is kept."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.neighborhood.request import NeighborList, NeighborSum
from steersman.core.world import section
from steersman.core.world.section import SERIAL
from steersman.core.world.state_hash import state_hash

CROWD = NeighborSum("offset", 9.0)
NEAREST = NeighborList(9.0, 3)


def game(threads: int = 1) -> tuple[sm.World, sm.Vehicles, sm.Vehicles, sm.Vehicles]:
    rng = np.random.default_rng(4)
    herd, wolves, birds = (
        sm.Vehicles(rng.uniform(0, 60, (n, 2)), rng.normal(0, 2, (n, 2)), max_speed=5, max_force=15)
        for n in (80, 4, 30)
    )
    world = sm.World(domain=sm.Torus([60, 60]), seed=2, threads=threads)
    modes = sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Evade(wolves) + sm.Separation(radius=3)},
        start="graze",
        transitions=[("graze", "flee", sm.Near(wolves, 12)), ("flee", "graze", ~sm.Near(wolves, 20))],
    )
    world.add(herd, name="herd", steering=sm.Priority([modes, sm.Cohesion(radius=9)]))
    world.add(wolves, name="wolves", steering=sm.Pursue(herd) + sm.Wander())
    world.add(birds, name="birds", steering=sm.Flocking())
    return world, herd, wolves, birds


def play(anew: bool, threads: int = 1) -> list[bytes]:
    world, herd, wolves, birds = game(threads)
    rng = np.random.default_rng(5)
    for step in range(40):
        if step % 3 == 0:
            herd.spawn(rng.uniform(0, 60, (3, 2)))
            herd.remove(herd.id[:2])
        if step % 7 == 1:
            wolves.remove(wolves.id[:1])
            wolves.spawn(rng.uniform(0, 60, (1, 2)))
        if step % 10 == 5 and step < 20:
            birds.remove(np.arange(len(birds)) == 3)
            world.populations["birds"].steering = 0.5 * sm.Flocking() + sm.Wander()
        if step == 20:
            world.remove("birds")
        if step == 30:
            world.domain = sm.Open()
        if anew:
            world._plan = None
        world.step()
    return [each.block.tobytes() + each.id.tobytes() for each in (herd, wolves, birds)] + [
        values.tobytes() for values in world.memory("herd", "Modes").values()
    ]


def test_what_is_kept_of_a_plan_makes_no_difference() -> None:
    assert play(anew=False) == play(anew=True)


def test_who_has_nothing_to_do_with_a_change_is_not_planned_anew() -> None:
    world, herd, _, birds = game()
    world.step()
    before = {each.population.name: each for each in world._ready().steered}
    birds.spawn([[1.0, 1.0]])
    after = {each.population.name: each for each in world._ready().steered}
    assert [name for name in before if after[name] is not before[name]] == ["birds"]
    herd.spawn([[1.0, 1.0]])
    last = {each.population.name: each for each in world._ready().steered}
    assert [name for name in after if last[name] is not after[name]] == ["herd", "wolves"]
    world.seed = 9
    assert all(each is not last[each.population.name] for each in world._ready().steered)


def test_another_tree_keeps_the_searches_that_the_one_before_it_made() -> None:
    world, herd = sm.World(), sm.Vehicles([[0, 0], [1, 0]])
    world.add(herd, name="herd", steering=sm.Separation(radius=3.0))
    (before,) = world._ready().plans[0].around.passes
    passes = []
    for behavior in (sm.Separation(radius=3.0) + sm.Wander(), sm.Separation(radius=4.0)):
        world.populations["herd"].steering = behavior
        passes += world._ready().plans[0].around.passes
    assert [each is before for each in passes] == [True, False]


def test_nothing_is_planned_anew_while_there_is_room() -> None:
    world, herd, wolves, birds = game()
    for vehicles in (herd, wolves, birds):
        vehicles.spawn([1.0, 1.0])
    world.step()
    plan, movers = world._ready(), list(world._ready().steered)
    herd.remove(herd.id[:20])
    wolves.remove(wolves.id[:2])
    birds.spawn(np.ones((5, 2)))
    world.step()
    assert world._ready() is plan
    assert plan.steered == movers
    assert len(plan.steered[0].plan.force.T) == len(herd) == 61
    world.populations["herd"].steering = sm.Wander()
    world.step()
    assert world._ready() is not plan
    assert world._ready().steered[1:] == movers[1:]


@pytest.mark.each_value
@pytest.mark.parametrize("size", [SERIAL, 16])
@pytest.mark.parametrize("threads", [1, 3])
def test_however_rows_are_dealt_out(threads: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERIAL", "BLOCK"):
        monkeypatch.setattr(section, name, size)
    assert play(anew=False, threads=threads) == play(anew=True)


def test_worlds_go_on_as_worlds_made_anew_through_ten_thousand_changes() -> None:
    """Now and then a copy, which plans anew, makes the same step; nobody has another's numbers, ids or memory."""
    world, herd, wolves, birds = game()
    rng, changes, born = np.random.default_rng(8), 0, {}
    while changes < 10_000:
        for vehicles, usual in ((herd, 60), (wolves, 4), (birds, 30)):
            for _ in range(10):
                if len(vehicles) and rng.random() * 2 * usual < len(vehicles):
                    gone = rng.choice(vehicles.id, min(len(vehicles), int(rng.integers(1, 4))), replace=False)
                    vehicles.remove(gone)
                else:
                    ids = vehicles.spawn(rng.uniform(0, 60, (int(rng.integers(1, 4)), 2)), mass=rng.uniform(1, 2))
                    born |= {(id(vehicles), each): vehicles.mass[vehicles.rows(each)[0]] for each in ids.tolist()}
                changes += 1
        for vehicles in (herd, wolves, birds):
            assert np.all(np.diff(vehicles.id) > 0)  # in the order in which they came
            known = [born.get((id(vehicles), each), 1) for each in vehicles.id.tolist()]
            np.testing.assert_array_equal(vehicles.mass, np.array(known, np.float32))
        anew = copy.deepcopy(world) if rng.random() < 0.25 else None
        world.step()
        if anew is not None:
            anew.step()
            assert state_hash(anew) == state_hash(world)


@dataclass(frozen=True, eq=False)
class Bound(sm.Behavior):
    """A behavior of a user's own that binds a kernel, with arrays for those who are there."""

    def bind(self, scene: Any, memory: Any, out: Any) -> list[Call]:
        n = len(scene.vehicles)
        return [Call(push, (np.full(n, n, scene.vehicles.dtype), out))]


@kernel
def push(start: int, stop: int, force: Any, out: Any) -> None:
    for i in range(start, stop):
        out.linear[0][i] += force[i]


def test_calls_of_others_are_made_anew_for_those_who_are_there() -> None:
    vehicles = sm.Vehicles(np.zeros((3, 2)), max_force=99)
    controller = sm.Controller(vehicles, Bound())
    vehicles.spawn([0, 0])
    for n in (4, 5, 6):
        assert controller.steer(0.1).tolist() == [[n, 0]] * n
        vehicles.spawn([0, 0])


def test_a_controller_goes_on_as_one_made_anew() -> None:
    results = []
    for fresh in (False, True):
        _, herd, wolves, _ = game()
        tree = sm.Priority(
            [sm.AvoidObstacles(sm.Spheres([[30, 30]], 9)), sm.Evade(wolves) + sm.Wander(), sm.Flocking()]
        )
        controller = sm.Controller(herd, tree, seed=3)
        rng, forces = np.random.default_rng(2), []
        for step in range(20):
            herd.remove(rng.choice(herd.id, 5, replace=False))
            herd.spawn(rng.uniform(0, 60, (int(rng.integers(3, 7)), 2)))
            wolves.position[:] += 0.1
            if step % 4 == 0:
                wolves.spawn(rng.uniform(0, 60, (1, 2)))
            if fresh:
                controller._plan = None
            forces.append(controller.steer(1 / 60).tobytes())
            sm.PointMass().advance(herd, controller.steer(1 / 60), 1 / 60)
        results.append(forces)
    assert results[0] == results[1]


def test_who_steers_in_numpy_sees_those_who_are_there() -> None:
    seen = []

    @dataclass(frozen=True, eq=False)
    class Own(sm.Behavior):
        def init(self, vehicles: sm.Vehicles) -> dict[str, Any]:
            return {"age": np.zeros(len(vehicles))}

        def needs(self) -> Any:
            return (CROWD, NEAREST)

        def steer(self, scene: Any, memory: Any, out: Any) -> None:
            memory["age"] += 1
            listed = scene.neighbors(NEAREST)
            arrays = [
                out.linear, out.acts, out.active, memory["age"], scene.columns.mass, scene.spin.max_speed,
                scene.sum(CROWD).count, listed.row, listed.number, scene.neighbors(9.0).indptr[1:],
                scene.mark(wolves)[0].pick[: len(scene.vehicles)], scene.nearest(sm.Spheres([[1, 1]], 1)).distance,
            ]  # fmt: skip
            seen.append({len(each) for each in arrays} | {len(scene.vehicles)})
            out.linear += 1

    world, herd, wolves, _ = game()
    population = world.populations["herd"]
    population.steering = sm.Switch(Own(), on=lambda vehicles: np.ones(len(vehicles), bool))
    for _ in range(4):
        world.step()
        herd.spawn([[1.0, 1.0], [2.0, 2.0]])
        herd.remove(herd.id[:1])
    assert seen == [{80}, {81}, {82}, {83}]
    world.step()
    assert population.memory("Own")["age"].tolist() == [5.0] * 76 + [4.0, 4.0, 3.0, 3.0, 2.0, 2.0, 1.0, 1.0]
    assert len(population._memory_of("Own").now("age")) == herd.capacity


def test_an_explanation_is_about_those_who_are_there() -> None:
    world, herd, _, _ = game()
    world.step()
    for _ in range(2):
        herd.spawn([[1.0, 1.0]] * 3)
        herd.remove(herd.id[:2])
        told = world.explain("herd")
        assert told.force.shape == (len(herd), 2)
        assert told["Cohesion"].evaluated.shape == (len(herd),)
        assert told.of(int(herd.id[-1])).id.tolist() == [herd.id[-1]]


def test_no_memory_is_held_for_targets_that_are_looked_for_at_every_step() -> None:
    world, _, wolves, _ = game()
    world.populations["herd"].steering = sm.Pipeline(sm.Toward(wolves))
    world.run(steps=5)
    assert world._ready().steered[0].plan.recounts == []


def test_an_error_of_a_memory_leaves_all_as_it_was() -> None:
    @dataclass(frozen=True, eq=False)
    class Wrong(sm.Behavior):
        def init(self, vehicles: sm.Vehicles) -> dict[str, Any]:
            return {"one": np.zeros(min(len(vehicles), 4))}

        def steer(self, scene: Any, memory: Any, out: Any) -> None:
            pass

    vehicles = sm.Vehicles(np.zeros((3, 2)))
    world = sm.World()
    population = world.add(vehicles, steering=sm.Wander() + Wrong())
    vehicles.spawn([0, 0])
    world.step()
    before = population.memory("Wander")["point"]
    vehicles.remove([1])
    vehicles.spawn([[0, 0], [1, 1]])
    for _ in range(2):
        with pytest.raises(ValueError, match=r"memory column 'one' of Wrong must have one row per vehicle \(5\)"):
            world.step()
    with pytest.raises(ValueError, match="must have one row per vehicle"):
        population.steering = sm.Wander() + Wrong()
    vehicles.remove(vehicles.id[-1:])
    np.testing.assert_array_equal(population.memory("Wander")["point"][:3], before[[0, 2, 3]])


def test_numbers_that_come_back_give_the_same_bits_for_any_number_of_threads() -> None:
    ends = []
    for threads, asked in ((1, False), (2, True), (3, False)):
        rng = np.random.default_rng(6)
        vehicles = sm.Vehicles(rng.uniform(0, 150, (5000, 2)), rng.normal(0, 2, (5000, 2)), max_speed=4)
        world = sm.World(domain=sm.Torus([150.0, 150.0]), dt=0.05, threads=threads, seed=3)
        avoid = sm.Priority([sm.Flee([75.0, 75.0], panic_distance=30), sm.AvoidNeighbors(radius=4) + sm.Alignment()])
        world.add(vehicles, steering=avoid + sm.Cohesion(radius=3))
        for turn in range(10):
            vehicles.remove(rng.choice(vehicles.id, 40, replace=False))
            vehicles.spawn(rng.uniform(0, 150, ((30, 50, 40)[turn % 3], 2)))
            world.step()
            if asked:  # By one thread, in other parts.
                world.explain("vehicles", vehicles.id[turn])
        ends.append(state_hash(world))
    assert len(set(ends)) == 1
