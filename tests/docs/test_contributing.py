"""CONTRIBUTING.md: its behavior can be added as the page says, and does what its test promises."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")

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
