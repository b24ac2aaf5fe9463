"""Same seed, same bits: whatever the threads, the process, the cache, the neighbors in time."""

import copy
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from forking import in_forked_child
from sampling import EVERYTHING

import steersman as sm
from steersman.core.kernels.kernel import is_compiling
from steersman.core.kernels.worker_pool import pool_of
from steersman.core.world.section import SERIAL
from steersman.core.world.state_hash import state_hash

N = 10_000
SIZE = 500.0


def flock_world(n=N, threads=1, seed=11):
    """A flock on a torus among rocks, with a population that hunts in it: all that may depend on how work is dealt out."""
    assert n >= SERIAL or n < 1000
    rng = np.random.default_rng(5)
    size = SIZE * np.sqrt(n / N)
    boids = sm.Vehicles(rng.uniform(0, size, (n, 2)), rng.normal(0, 4, (n, 2)), max_speed=10, max_force=25)
    hawks = sm.Vehicles(rng.uniform(0, size, (20, 2)), max_speed=14, max_force=30)
    rocks = sm.Spheres(rng.uniform(0, size, (30, 2)), rng.uniform(1, 5, 30))
    world = sm.World(domain=sm.Torus([size, size]), seed=seed, threads=threads, dt=1 / 30)
    world.add(
        boids,
        name="boids",
        steering=sm.Priority(
            [
                sm.AvoidObstacles(rocks, lookahead=1.0),
                1.6 * sm.Separation(radius=4)
                + sm.Cohesion(radius=9, angle=5.0)
                + 0.9 * sm.Alignment(radius=9)
                + 0.5 * sm.Wander()
                + 0.2 * sm.Evade(hawks),
            ]
        ),
    )
    world.add(hawks, name="hawks", steering=sm.Pursue(boids, which=3) + sm.Wander("turn"))
    return world


def small_world():
    """Neighbors and chance, with as few kernels as can be: they are compiled anew."""
    rng = np.random.default_rng(6)
    boids = sm.Vehicles(rng.uniform(0, 50, (200, 2)), rng.normal(0, 4, (200, 2)), max_speed=10, max_force=25)
    world = sm.World(domain=sm.Torus([50, 50]), seed=2, threads=1)
    world.add(boids, steering=sm.Separation(radius=4) + sm.Wander())
    return world


def run_and_hash(world, steps=6):
    world.run(steps=steps)
    return state_hash(world)


@pytest.fixture(scope="module")
def expected():
    return run_and_hash(flock_world())


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_any_number_of_threads(threads, expected):
    assert run_and_hash(flock_world(threads=threads)) == expected


def test_any_number_of_threads_after_spawning_and_removing():
    hashes = set()
    for threads in (1, 2):
        world = flock_world(threads=threads)
        world.run(steps=2)
        boids = world["boids"]
        boids.remove(np.arange(N) % 3 == 0)
        rng = np.random.default_rng(9)
        boids.spawn(rng.uniform(0, SIZE, (N, 2)), mass=rng.uniform(1, 2, N))
        world.run(steps=2)
        boids.spawn(rng.uniform(0, SIZE, (20_000 - len(boids), 2)))
        hashes.add(run_and_hash(world, 2))
        assert len(boids) == 20_000
    assert len(hashes) == 1


def eating_world(threads):
    """What modes, resources, ways around each other, bodies with memory and constraints may depend on."""
    rng = np.random.default_rng(5)
    n, size = SERIAL + 10, 300.0
    herd = sm.Vehicles(rng.uniform(0, size, (n, 2)), rng.normal(0, 4, (n, 2)), max_speed=10, max_force=25)
    food = sm.Resources(rng.uniform(0, size, (40, 2)), 2.0)
    steering = sm.Priority(
        [
            sm.AvoidNeighbors(1.0, 0.2, radius=5, k=4),
            sm.Modes(
                {"graze": sm.Forage(food, reach=40, bite=9, rate=3), "go": sm.RoundRobin([sm.Seek([9, 9]), ahead])},
                start="graze",
                transitions=[("graze", "go", sm.Chance(3.0)), ("go", "graze", sm.After(0.05))],
            ),
        ]
    )
    world = sm.World(domain=sm.Torus([size, size]), seed=4, threads=threads, constraints=[sm.ZeroOverlap(passes=3)])
    world.add(herd, steering=steering, locomotion=sm.Wheeled(wheelbase=1.0, limits=[sm.SmoothForce(0.1)]))
    return world, herd, food


def ahead(vehicles):
    return vehicles.forward


def test_any_number_of_threads_for_whoever_decides_eats_and_remembers():
    hashes = set()
    for threads in (1, 2, 3):
        world, herd, food = eating_world(threads)
        world.run(steps=4)
        herd.remove(np.arange(len(herd)) % 5 == 0)
        herd.spawn(np.random.default_rng(3).uniform(0, 300, (900, 2)))
        world.run(steps=3)
        hashes.add(state_hash(world))
        modes, counts = np.unique(sm.modes_of(world.populations["vehicles"]), return_counts=True)
        assert modes.tolist() == ["go", "graze"]
        assert counts.min() > 100
        assert 0 < food.amount.sum() < 80
    assert len(hashes) == 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_a_copy_goes_on_as_the_original_does_and_apart_from_it(copied):
    world, _, food = eating_world(1)
    world.run(steps=2)
    before, left = state_hash(world), food.amount.copy()
    other = copied(world)
    other.run(steps=3)
    assert state_hash(world) == before
    assert (food.amount == left).all()
    world.run(steps=3)
    assert state_hash(other) == state_hash(world) != before


def test_another_seed_gives_other_bits(expected):
    assert run_and_hash(flock_world(seed=12)) != expected


def test_resumed_or_not():
    whole, cut = flock_world(n=200), flock_world(n=200)
    whole.run(steps=100)
    cut.run(steps=60)
    cut.run(steps=40)
    assert state_hash(whole) == state_hash(cut)
    in_frames = flock_world(n=200)
    while in_frames.steps < 100:
        in_frames.advance(0.021)
    assert in_frames.steps == 100
    assert state_hash(in_frames) == state_hash(whole)


def test_a_new_plan_changes_nothing():
    """A tree replaced by an equal one, or an observer, is no reason for other bits."""
    plain, replanned = flock_world(n=200), flock_world(n=200)
    for _ in range(10):
        plain.step()
        replanned.step()
        population = replanned.populations["boids"]
        population.steering = sm.Priority(list(population.steering.parts()))
    assert state_hash(plain) == state_hash(replanned)


def test_two_worlds_stepped_by_two_threads_at_once(expected):
    results = {}

    def go(number):
        results[number] = [run_and_hash(flock_world(threads=2)) for _ in range(2)]

    steppers = [threading.Thread(target=go, args=(number,)) for number in range(2)]
    for stepper in steppers:
        stepper.start()
    for stepper in steppers:
        stepper.join(120)
    assert results == {0: [expected] * 2, 1: [expected] * 2}


def test_a_world_is_stepped_by_one_thread_at_a_time():
    entered, leave = threading.Event(), threading.Event()

    def slow(vehicles):
        entered.set()
        assert leave.wait(60)
        return vehicles.position * 0

    world = sm.World()
    world.add(sm.Vehicles([0, 0]), steering=slow)
    stepper = threading.Thread(target=world.step)
    stepper.start()
    assert entered.wait(60)
    try:
        with pytest.raises(RuntimeError, match="in the middle of a step"):
            world.step()
    finally:
        leave.set()
        stepper.join(60)
    assert world.steps == 1


def in_fork(send):
    send.send(run_and_hash(flock_world(threads=2)))
    send.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_steps_on(expected):
    """After the parent has used its workers, which the child does not have."""
    world = flock_world(threads=2)
    world.run(steps=3)
    assert pool_of(2).is_started
    assert in_forked_child(lambda: run_and_hash(world, 3)) == expected
    assert run_and_hash(world, 3) == expected


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
def test_a_process_of_multiprocessing(expected):
    flock_world(threads=2).run(steps=1)
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=in_fork, args=(send,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    try:
        assert receive.poll(60), "the child hangs"
        assert receive.recv() == expected
    finally:
        process.kill()
        process.join(60)


PROGRAM = """
import json, sys
sys.path[:0] = {folders!r}
from test_same_bits import run_and_hash, small_world
import steersman as sm
from steersman.core.kernels import ahead
from steersman.core.kernels.announcing import watched_compilation
from steersman.core.kernels.kernel import KERNELS
ahead.WORTH = 2
world, lines, late = small_world(), [], []
count = sm.warmup(world, progress=lines.append)
with watched_compilation(begins=lambda *told: late.append(told)):
    answer = run_and_hash(world, steps=20)
assert not late
assert [line.partition(" in ")[0] for line in lines] == [f"steersman: compiled {{count}} kernels"] * (count > 0)
loaded = sum(sum(kernel.stats.cache_hits.values()) for kernel in KERNELS if hasattr(kernel, "stats"))
print(json.dumps([answer, count, loaded]))
"""


def in_process(**environment):
    """The hash that a process of its own makes, how many kernels were compiled for it, and how many it has loaded."""
    package = Path(sm.__file__).parents[1]
    surroundings = os.environ | {"PYTHONPATH": str(package), "PYTHONWARNINGS": "error"} | environment
    folder = Path(__file__).parent
    program = PROGRAM.format(folders=[str(folder), str(folder.parent)])
    done = subprocess.run(
        [sys.executable, "-c", program], env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")
def test_fresh_and_cached_compilation_and_other_processes(tmp_path):
    """Two processes compile ahead for a program without a guard, which is not what the other one runs."""
    here = run_and_hash(small_world(), steps=20)
    fresh, count, loaded = in_process(STEERSMAN_CACHE=str(tmp_path), STEERSMAN_COMPILERS="2", PYTHONHASHSEED="1")
    assert count >= 4
    assert 0 < loaded < count
    cached, again, loaded = in_process(STEERSMAN_CACHE=str(tmp_path), PYTHONHASHSEED="2")
    assert again == 0
    assert loaded >= count
    assert fresh == cached == here
    if EVERYTHING:
        alone = in_process(STEERSMAN_CACHE=str(tmp_path / "alone"), STEERSMAN_COMPILERS="1")
        assert alone == [here, count, 0]
