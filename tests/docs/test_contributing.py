"""CONTRIBUTING.md: a behavior, a condition and an obstacle are added as the page says, and pass the tests of their kind."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

LAW, _, TEST = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

PROMISES = """
import steersman as sm
import orbit
sm.Orbit = orbit.Orbit
import test_orbit
for d in (2, 3):
    test_orbit.test_vehicles_from_anywhere_come_to_the_circle(d)
from contract.places import State
place = State.random(0, 2).place()
names = {type(make(place)).__name__ for make in test_orbit.EXAMPLES.values()}
assert names == set(test_orbit.REFERENCES) == set(test_orbit.DOCUMENTS) == {"Orbit"}
"""


def test_the_behavior_of_the_page_works(tmp_path: Path) -> None:
    (tmp_path / "orbit.py").write_text(LAW)
    (tmp_path / "test_orbit.py").write_text(TEST)
    tests = str(Path(__file__).parents[1])
    program = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {tests!r}]\n{PROMISES}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


TRIED_BY = {
    "fast": ["contract/test_contract.py", "contract/test_documents.py", "contract/test_references.py",
             "core/action_selection/test_registry.py", "docs/additions/test_fast.py"],
    "pearls": ["core/environment/obstacles/test_contract.py", "core/environment/obstacles/test_kernels.py",
               "drawing/test_scenery.py", "runs/documents/test_scenery.py", "docs/additions/test_pearls.py"],
}  # fmt: skip
"""Addition -> the tests that it must pass without an entry in them."""


def test_two_files_and_a_line_are_enough() -> None:
    """A condition or a kind of obstacles is its module, its test file and its name in two lists."""
    files = [each for several in TRIED_BY.values() for each in several]
    paths = os.pathsep.join(map(str, (ROOT / "tests" / "docs" / "additions", ROOT / "tests", *sys.path)))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "with_additions", "-p", "no:cacheprovider", "-v", "-k", " or ".join(TRIED_BY),
         *(str(ROOT / "tests" / each) for each in files)],
        capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    tried = {each for each in files if f"{each} ." in done.stdout}
    assert tried == set(files), done.stdout
