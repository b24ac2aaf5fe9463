"""Threads that change what another thread steps: they wait for the end of the step."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from patience import PATIENCE

import steersman as sm
from steersman.core.kernels.kernel import is_compiling
from steersman.core.vehicles import turns
from steersman.core.world.state_hash import state_hash


class Held:
    """A behavior in Python that stays in the middle of a step until it is let go."""

    def __init__(self) -> None:
        self.entered, self.leave = threading.Event(), threading.Event()

    def __call__(self, vehicles: sm.Vehicles) -> Any:
        self.entered.set()
        assert self.leave.wait(60)
        return np.zeros((len(vehicles), vehicles.dimensions))


def herd(n: int = 20) -> sm.Vehicles:
    return sm.Vehicles(np.random.default_rng(1).uniform(0, 9, (n, 2)), max_speed=2)


@contextmanager
def in_thread(function: Callable[[], object]) -> Iterator[threading.Thread]:
    """Call a function in another thread; what it raises is raised in the end."""
    raised: list[BaseException] = []

    def call() -> None:
        try:
            function()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(60)
        assert not thread.is_alive()
    if raised:
        raise raised[0]


@contextmanager
def in_the_middle(steps: Callable[[], object], held: Held) -> Iterator[None]:
    """While another thread is in the middle of a step."""
    with in_thread(steps):
        assert held.entered.wait(60)
        try:
            yield
        finally:
            held.leave.set()


def spawn(world: sm.World) -> None:
    world["herd"].spawn(np.ones((100, 2)))


def remove(world: sm.World) -> None:
    world["herd"].remove(world["herd"].id[:5])


def replace_tree(world: sm.World) -> None:
    world.populations["herd"].steering = sm.Wander()


def replace_body(world: sm.World) -> None:
    world.populations["herd"].locomotion = sm.Wheeled(turning_radius=2)


def let_flow(world: sm.World) -> None:
    world.populations["herd"].flows = [sm.Spawner(1.0, [[0, 0]])]


def add(world: sm.World) -> None:
    world.add(herd(3), name="others")


def leave(world: sm.World) -> None:
    world.remove("watched")


def move_house(world: sm.World) -> None:
    world.domain = sm.Torus([20, 20])


CHANGES = [spawn, remove, replace_tree, replace_body, let_flow, add, leave, move_house]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_who_changes_a_world_waits_for_the_end_of_a_step(change: Callable[[sm.World], None]) -> None:
    held, world = Held(), sm.World(threads=1)
    watched = world.add(herd(4), name="watched")
    world.add(herd(), name="herd", steering=sm.Pursue(watched) + held)
    done: list[int] = []

    def changing() -> None:
        change(world)
        done.append(world.steps)

    with in_the_middle(world.step, held), in_thread(changing) as thread:
        while not any(each.waiting for each in world.turns):
            assert thread.is_alive()
        assert not done
        held.leave.set()
    assert done == [1]
    world.run(steps=3)
    assert np.isfinite(world["herd"].block).all()


def test_vehicles_that_others_only_look_at_wait_too() -> None:
    held, world = Held(), sm.World(threads=1)
    seen = herd(4)
    world.add(herd(), steering=sm.Separation(radius=3) + sm.Pursue(seen) + held)
    with in_the_middle(world.step, held), in_thread(lambda: seen.spawn([1, 1])):
        while not any(each.waiting for each in seen.turns):
            pass
        assert len(seen) == 4
        held.leave.set()
    assert len(seen) == 5


def test_a_controller_is_waited_for() -> None:
    held, vehicles = Held(), herd()
    game = sm.Controller(vehicles, held, threads=1)
    with in_the_middle(lambda: game.steer(0.1), held), in_thread(lambda: vehicles.remove(3)):
        while not any(each.waiting for each in vehicles.turns):
            pass
        assert len(vehicles) == 20
        held.leave.set()
    assert len(game.steer(0.1)) == 19


def test_two_threads_that_share_a_world_step_in_turns() -> None:
    held, world = Held(), sm.World(threads=1)
    world.add(herd(), steering=held)
    with in_the_middle(world.step, held), pytest.raises(RuntimeError, match="the world is in the middle of a step"):
        world.step()
    with world.between_steps():
        held.entered.clear()
        held.leave.clear()
    with in_the_middle(world.step, held), in_thread(lambda: world.run(steps=5)):
        assert world.steps == 1
        held.leave.set()
    assert world.steps == 7


def test_threads_that_could_wait_for_each_other_for_ever_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    worlds = [sm.World(threads=1), sm.World(threads=1)]
    herds = [world.add(herd(), name="herd").vehicles for world in worlds]
    for world in worlds:
        world.step()  # Now each is known to step its own.
    both, refused = threading.Barrier(2, timeout=PATIENCE), []

    def visit(k: int) -> Callable[[sm.World], None]:
        def send(world: sm.World) -> None:
            both.wait()
            try:
                herds[1 - k].spawn([0, 0])
            except RuntimeError as error:
                refused.append(str(error))

        return send

    for k, world in enumerate(worlds):
        world.on_step(visit(k))
    with in_thread(worlds[0].step), in_thread(worlds[1].step):
        pass
    assert refused
    assert all("another thread is in the middle of a step" in each for each in refused)
    assert not any(turn.waiting for turn in (world._turn for world in worlds))
    assert len(herds[0]) + len(herds[1]) + len(refused) == 42


@pytest.mark.parametrize("threads", [1, 2])
def test_growing_beside_a_world_that_is_stepped(threads: int) -> None:
    """From 5,000 by halves: what used to end the process."""
    world = sm.World(threads=threads, seed=3, domain=sm.Torus([200, 200]))
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(0, 200, (5000, 2)), max_speed=3)
    world.add(vehicles, steering=sm.Separation(radius=2) + sm.Wander())
    world.step()
    ended = threading.Event()

    def grow() -> None:
        try:
            for _ in range(4):
                vehicles.spawn(np.random.default_rng(2).uniform(0, 200, (len(vehicles) // 2, 2)))
                vehicles.remove(vehicles.id[::3])
        finally:
            ended.set()

    with in_thread(grow):
        while not ended.is_set():
            world.step()
    world.step()
    assert len(np.unique(vehicles.id)) == len(vehicles)
    assert np.isfinite(vehicles.block).all()


def test_several_threads_change_the_same_vehicles() -> None:
    vehicles = herd(0)
    ready = threading.Barrier(4, timeout=PATIENCE)

    def work() -> None:
        ready.wait()
        for _ in range(30):
            mine = vehicles.spawn(np.zeros((3, 2)))
            vehicles.remove(mine[:2])

    with in_thread(work), in_thread(work), in_thread(work), in_thread(work):
        pass
    assert len(vehicles) == len(set(vehicles.id.tolist())) == 120


def test_who_waits_is_let_in_between_two_steps() -> None:
    """A thread that steps again and again would take the lock again at once."""
    world, ended = sm.World(threads=1), threading.Event()
    vehicles = world.add(herd(500), steering=sm.Separation(radius=1)).vehicles
    world.step()

    def change() -> None:
        for _ in range(20):
            vehicles.spawn([1, 1])
        ended.set()

    with in_thread(change):
        while not ended.is_set():
            world.step()
    assert len(vehicles) == 520


def flock(seed: int, threads: int) -> sm.World:
    """Large enough that several threads take part."""
    world = sm.World(seed=seed, threads=threads, domain=sm.Torus([200, 200]))
    vehicles = sm.Vehicles(np.random.default_rng(seed).uniform(0, 200, (5000, 2)), max_speed=3)
    world.add(vehicles, steering=sm.Separation(radius=2) + sm.Wander())
    return world


@pytest.mark.skipif(not is_compiling(), reason="without machine code everything is done by who asks")
def test_worlds_share_the_threads_of_their_process() -> None:
    def working() -> int:
        return sum(thread.name.startswith("steersman-") for thread in threading.enumerate())

    worlds = [flock(0, threads) for threads in (2, 3, 4)]
    for world in worlds:
        world.step()
    before = working()
    assert before >= 3
    for k in range(30):
        worlds.append(flock(k, 2 + k % 3))
        worlds[-1].step()
    assert working() == before
    gone = [weakref.ref(world) for world in worlds]
    del world, worlds
    gc.collect()
    assert not any(each() for each in gone)
    assert working() == before


@pytest.mark.parametrize("threads", [(2, 2), (2, 3)])
def test_two_worlds_at_once_have_the_bits_of_each_alone(threads: tuple[int, int]) -> None:
    """One of them may find the threads busy; then it does its work alone."""
    worlds, ready = [flock(k, threads[k]) for k in (0, 1)], threading.Barrier(2, timeout=PATIENCE)

    def run(world: sm.World) -> Callable[[], None]:
        def steps() -> None:
            ready.wait()
            world.run(steps=60)

        return steps

    with in_thread(run(worlds[0])), in_thread(run(worlds[1])):
        pass
    for k, world in enumerate(worlds):
        alone = flock(k, 1)
        alone.run(steps=60)
        assert state_hash(world) == state_hash(alone)
