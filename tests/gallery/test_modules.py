"""Scenarios in Python files."""

import re
import sys

import pytest

from steersman.gallery.modules import read_module
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.stage import Stage

MAKE = """
import numpy as np
import steersman as sm
from steersman.runs.documents.stage import Stage

def make(n, seed):
    world = sm.World(seed=seed)
    world.add(sm.Vehicles(np.zeros((n, 3))), name="me")
    return Stage(world, seconds=2.0)
"""


def written(folder, text):
    path = folder / "own.py"
    path.write_text(text)
    return path


def test_a_file_with_make_is_a_scenario(tmp_path):
    scenario = read_module(written(tmp_path, MAKE))
    stage = scenario.stage(n=3, seed=5)
    assert isinstance(stage, Stage)
    assert (stage.name, stage.seconds, stage.world.seed) == ("own", 2.0, 5)
    assert len(stage.world["me"]) == 3
    assert stage.check is None


def test_files_beside_it_can_be_imported(tmp_path):
    (tmp_path / "beside_it.py").write_text("COUNT = 6")
    text = MAKE.replace("import numpy", "from beside_it import COUNT\nimport numpy").replace("zeros((n", "zeros((COUNT")
    assert len(read_module(written(tmp_path, text)).stage().world["me"]) == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = x / 0", "line 2: cannot be executed: ZeroDivisionError"),
        ("def make(:", "line 1: cannot be executed: SyntaxError"),
        ("make = 3", "must have a function make(n, seed)"),
        ("def make(n): return n", "make must return a Stage or a World, got 1"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, text, message):
    with pytest.raises(ScenarioError, match=re.escape(message)):
        read_module(written(tmp_path, text)).stage()


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ScenarioError, match="there is no such file"):
        read_module(tmp_path / "none.py")


def test_a_file_that_fails_leaves_where_modules_are_looked_for(tmp_path):
    path, before = tmp_path / "failing.py", [*sys.path]
    path.write_text("import nothing_of_this_name")
    with pytest.raises(ScenarioError, match="cannot be executed"):
        read_module(path)
    assert sys.path == before
