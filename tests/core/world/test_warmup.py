"""Warmup compiles what the first step needs. With no kernel kept: tests/determinism/test_same_bits.py."""

import re
import sys
from importlib import import_module

import numpy as np
import pytest
from forgetting import forgotten_kernels, nothing_compiles

import steersman as sm
from steersman.core.kernels.announcing import tell_compiled, watched_compilation
from steersman.core.world.warmup import show


def test_a_second_warmup_has_nothing_to_do_and_nothing_moves(capsys):
    vehicles = sm.Vehicles(np.zeros((5, 2)), [[1.0, 0.0]] * 5)
    world = sm.World()
    world.add(vehicles, steering=sm.Seek([1.0, 0.0]))
    controller = sm.Controller(vehicles, sm.Seek([1.0, 0.0]))
    sm.warmup(world, controller, progress=None)
    assert sm.warmup(world, controller) == 0
    assert capsys.readouterr().err == ""
    assert world.steps == 0
    np.testing.assert_array_equal(vehicles.position, 0)
    late = []
    with watched_compilation(begins=lambda *told: late.append(told)):
        world.step()
        controller.steer(0.1)
    assert not late


def test_only_scenes_are_warmed_up():
    with pytest.raises(TypeError, match="warmup takes worlds and controllers"):
        sm.warmup(sm.Seek([0.0, 0.0]))


ROCKS = sm.Spheres([[5.0, 5.0], [12.0, 2.0]], 1.5)
WOLVES = sm.Vehicles([[3.0, 3.0]])
FLOCK = sm.Separation(radius=3) + sm.Alignment(radius=4, k=3) + sm.AvoidNeighbors(radius=5)
STATES = sm.Modes(
    {"graze": sm.Wander(), "flee": sm.Priority([sm.AvoidObstacles(ROCKS), sm.Evade(WOLVES), FLOCK])},
    start="graze",
    transitions=[
        ("graze", "flee", sm.Near(WOLVES, 9) | sm.Sees(WOLVES, occluders=ROCKS)),
        ("flee", "graze", sm.After(1)),
    ],
)
PIPELINE = sm.Pipeline(
    sm.Toward([9.0, 9.0]),
    decomposers=sm.AlongPath([[0.0, 0.0], [9.0, 9.0]]),
    constraints=sm.KeepClear(ROCKS),
    fallback=FLOCK,
)
DOOR = sm.Spawner(60.0, sm.Sphere([3.0, 3.0], 2.0), obstacles=ROCKS, limit=90)
EXIT = sm.Sink(sm.Polygon([[15.0, 15.0], [20.0, 15.0], [20.0, 20.0]]))

SCENES = {
    "flock": {"tree": FLOCK},
    "modes": {"tree": STATES},
    "pipeline": {"tree": PIPELINE},
    "constraints": {"constraints": [sm.ZeroOverlap()], "domain": sm.Torus([20.0, 20.0])},
    "constraints with rocks": {"constraints": [sm.ZeroOverlap(ROCKS)], "domain": sm.Box([20.0, 20.0])},
    "flows": {"flows": [DOOR, EXIT]},
    "limits": {"body": sm.Wheeled(turning_radius=1.0, limits=[sm.SmoothForce(0.1), sm.LowSpeedTurn(0.1)])},
    "two threads": {"n": 5000, "threads": 2, "constraints": [sm.ZeroOverlap()]},
}


def scene(tree=FLOCK, body=None, flows=(), n=60, threads=1, **more):
    rng = np.random.default_rng(1)
    side = 20.0 * max(1.0, n / 200) ** 0.5
    vehicles = sm.Vehicles(rng.uniform(0, side, (n, 2)), rng.normal(0, 2, (n, 2)), max_speed=4, radius=0.4)
    world = sm.World(dt=0.05, threads=threads, **more)
    world.add(vehicles, steering=tree, locomotion=body or sm.PointMass()).flows = flows
    return world, vehicles


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_compiled_or_loaded_after_the_warmup(name):
    world, vehicles = scene(**SCENES[name])
    with forgotten_kernels():
        sm.warmup(world, progress=None)
        with nothing_compiles() as late:
            world.run(steps=18)  # So many that programs are made of calls.
            vehicles.spawn(np.full((len(vehicles) + 9, 2), 4.0))
            world.run(steps=2)
            vehicles.remove(vehicles.id[:5])
            world.run(steps=2)
            world.explain("vehicles", vehicles.id[3])
        assert not late


def test_a_controller_is_ready_too():
    vehicles = scene()[1]
    controller = sm.Controller(vehicles, STATES)
    with forgotten_kernels():
        sm.warmup(controller, progress=None)
        with nothing_compiles():
            for _ in range(18):
                controller.steer(0.05)
            controller.explain()


@pytest.mark.parametrize("name", ["flock", "modes", "pipeline"])
def test_sketches_are_ready_on_request(name):
    world, vehicles = scene(**SCENES[name])
    with forgotten_kernels():
        sm.warmup(world, progress=None, explain=True)
        with nothing_compiles():
            assert world.sketch("vehicles", vehicles.id[1])


def test_where_nobody_is_nobody_is_sketched():
    """A kernel that is asked about a row that is not there reads other memory."""
    world, vehicles = scene(STATES, n=0)
    sm.warmup(world, progress=None, explain=True)
    assert len(vehicles) == 0


def test_a_warmup_that_fails_leaves_the_world_as_it_was(monkeypatch):
    world, vehicles = scene(PIPELINE)
    world.step()
    before = vehicles.block.tobytes()
    monkeypatch.setattr(sm.Straight, "path", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sm.warmup(world)
    monkeypatch.undo()
    assert vehicles.block.tobytes() == before
    world.step()


def test_sketches_of_a_warmup_that_fail_leave_memory_as_it_was():
    """The next values of one that is not asked in the next step would come into force."""
    fails = []
    vehicles, rock = sm.Vehicles([[50.0, 0]], [-3.0, 0], max_speed=3, max_force=9), sm.Spheres([[0.0, 0.1]], 3)
    world = sm.World(seed=1)
    strolls = sm.Wander() + (lambda each: np.zeros((len(each), 3 if fails else 2)))
    population = world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(rock), strolls]))
    world.run(steps=3)
    before = population.memory("Wander")["point"].copy()
    fails.append(True)
    with pytest.raises(ValueError, match="must return forces"):
        sm.warmup(world, progress=None, explain=True)
    fails.clear()
    vehicles.position[0] = [4, 0]
    world.step()
    np.testing.assert_array_equal(population.memory("Wander")["point"], before)


def test_a_terminal_shows_one_bar(capsys, monkeypatch):
    show("seek", 3, 4)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show("seek", 3, 4)
    shown = capsys.readouterr().err
    assert shown.startswith("\rsteersman: compiling [##########..........] 3 of 4: seek")
    assert "\n" not in shown


@pytest.mark.parametrize("output", ["terminal", "file", None])
def test_what_a_warmup_has_compiled_is_a_line_of_the_error_output(output, capsys, monkeypatch):
    """A terminal shows it in the place of the bar; a program that pythonw starts has no error output."""

    def one(make):
        make()
        show("seek", 1, 1)
        tell_compiled("seek", 0.5)

    monkeypatch.setattr(import_module("steersman.core.world.warmup"), "ahead", one)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: output == "terminal")
    if output is None:
        monkeypatch.setattr(sys, "stderr", None)
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), steering=sm.Seek([1, 2]))
    assert sm.warmup(world) == 1
    shown = capsys.readouterr()
    line = r"steersman: compiled 1 kernels in [0-9.]+ s\n"
    begins = {"terminal": r"\rsteersman: compiling .*seek\x1b\[K\r\x1b\[K", "file": ""}
    assert re.fullmatch(begins[output] + line if output else "", shown.err)
    assert shown.out == ""


def test_a_warmup_that_fails_leaves_the_plan_that_there_was(monkeypatch):
    """A new one may lack kernels."""
    module = import_module("steersman.core.world.warmup")
    true = module.rehearse

    def failing(scene):
        true(scene)
        raise RuntimeError("it fails")

    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), steering=sm.Seek([1, 2]))
    monkeypatch.setattr(module, "rehearse", failing)
    for _ in range(2):
        plan = world._plan
        with pytest.raises(RuntimeError, match="it fails"):
            sm.warmup(world, progress=None)
        assert world._plan is plan
        world.step()
