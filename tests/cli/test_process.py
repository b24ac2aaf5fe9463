"""The command as a process of its own: Ctrl-C, exit codes, missing packages."""

import json
import os
import subprocess
import sys

import pytest
from patience import PATIENCE, interrupted

RUN = [sys.executable, "-m", "steersman"]


def start(*arguments, **about):
    return subprocess.Popen(
        [*RUN, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **about
    )


def test_it_runs_and_says_so(tmp_path):
    process = start("run", "seek_flee", "--seconds", 0.5, "--out", tmp_path / "out")
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, stderr
    assert "picture.png" in stdout
    assert "Traceback" not in stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way")
def test_ctrl_c_keeps_what_was_computed(tmp_path):
    ready = tmp_path / "ready"
    script = (
        "import sys, pathlib; from steersman.core.world.world import World; step = World.step\n"
        "def stepping(world, dt=None):\n"
        f"    step(world, dt); world.steps == 20 and pathlib.Path({str(ready)!r}).touch()\n"
        "World.step = stepping; from steersman.cli.main import run; run()\n"
    )
    arguments = ["run", "wander", "--seconds", "1e5", "--out", str(tmp_path / "out")]
    assert "what was computed is kept" in interrupted(script, arguments, ready)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["interrupted"] is True
    assert summary["check"] is None  # It is judged by a whole run alone.
    assert 20 <= summary["steps"] < summary["steps_wanted"]
    assert (tmp_path / "out" / "picture.png").stat().st_size > 10000


@pytest.mark.parametrize("package", ["typer", "rich", "matplotlib"])
def test_a_missing_package_is_one_clear_line(package):
    script = (
        "import importlib.util as util; find = util.find_spec\n"
        f"util.find_spec = lambda name, *rest: None if name == {package!r} else find(name, *rest)\n"
        "from steersman.cli.main import run; run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "list"], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1
    assert done.stderr == f'the steersman command needs {package}; please run: pip install "steersman[cli]"\n'
    assert done.stdout == ""


def test_the_library_imports_nothing_of_the_command():
    script = (
        "import sys, steersman\n"
        "heavy = {'typer', 'rich', 'matplotlib', 'pydantic', 'steersman.cli', 'steersman.gallery.registry',"
        "'steersman.runs.documents.builder'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.strip() == "[]"
