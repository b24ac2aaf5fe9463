"""Warmup compiles what the first step needs, and says so."""

import os
import subprocess
import sys

import numpy as np
import pytest

import steersman as sm
from steersman.geometry.compilation import watched_compilation

PROGRAM = """
import numpy as np, steersman as sm
from steersman.geometry.compilation import watched_compilation
world = sm.World()
world.add(sm.Vehicles(np.zeros((5, 2))), steering=sm.Seek([1.0, 0.0]))
lines = []
count = sm.warmup(world, progress=lines.append)
with watched_compilation(begins=lambda *told: print("late", *told)):
    world.step()
print(count, len(lines), any("compiled seek in" in line for line in lines), world.steps)
"""


def test_a_first_program_compiles_nothing_after_the_warmup(tmp_path):
    environment = os.environ | {"STEERSMAN_CACHE": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    count, lines, seek, steps = run.stdout.split()
    assert int(count) == int(lines) > 2
    assert (seek, steps) == ("True", "1")


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
