"""The plain path: kernels by `numba.njit` alone, where Numba is newer than what was tested. Same bits, one warning."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from sampling import EVERYTHING

import steersman as sm
from steersman.core.kernels.internals import NEWEST, NUMBA, PLAIN
from steersman.core.kernels.kernel import is_compiling
from steersman.core.world.state_hash import state_hash

pytestmark = pytest.mark.skipif(PLAIN or not is_compiling(), reason="it is compared with the other path")

PROGRAM = """
import warnings
{before}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import numpy as np
    import steersman as sm
    from steersman.core.kernels.internals import PLAIN
    from steersman.core.world.state_hash import state_hash
    {steps}
print(PLAIN, sum("kernels are compiled without" in str(each.message) for each in caught))
"""

STEPS = """
    world = sm.World(domain=sm.Torus([9, 9]), seed=3, threads=2)
    positions = np.random.default_rng(1).uniform(0, 9, (40, 2))
    world.add(sm.Vehicles(positions, max_speed=2, max_force=5), steering={tree})
    world.run(steps=30)
    print(state_hash(world))
"""


TREES = [
    "sm.Wander()",
    "sm.Seek([5, 5]) + sm.Wander()",
    "sm.Priority([sm.Separation(radius=2, angle=1.0), sm.Seek([5, 5])])",
]
"""Steerings, the slow ones last: on the plain path each is compiled anew."""


def told(before: str = "", steps: str = "", **environment: str) -> list[str]:
    program = PROGRAM.format(before=before, steps=steps.strip())
    surroundings = {name: value for name, value in os.environ.items() if name != "STEERSMAN_PLAIN"} | environment
    done = subprocess.run(
        [sys.executable, "-c", program], env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def told_here(steps: str) -> str:
    """What the steps print in this process."""
    said: list[object] = []
    exec(textwrap.dedent(steps), {"np": np, "sm": sm, "state_hash": state_hash, "print": said.append})
    return str(*said)


@pytest.mark.parametrize("tree", TREES if EVERYTHING else TREES[:1])
def test_the_plain_path_has_the_same_bits(tree: str) -> None:
    plain, path = told(steps=STEPS.format(tree=tree), STEERSMAN_PLAIN="1")
    assert path == "True 1"
    assert plain == told_here(STEPS.format(tree=tree))


WITHOUT = "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None"


def test_without_numba_kernels_stay_python_functions() -> None:
    steps = STEPS.format(tree=TREES[1]).replace(
        "print(state_hash(world))", "print(world['vehicles'].position.tolist())"
    )
    unwarned = "    assert not [each for each in caught if 'encountered' in str(each.message)]"
    plain, path = told(WITHOUT, steps + unwarned, STEERSMAN_PLAIN="1")
    assert path == "True 0"
    assert np.allclose(json.loads(plain), json.loads(told_here(steps)), atol=1e-4)


def test_a_missing_numba_is_an_error_unless_it_is_allowed() -> None:
    with pytest.raises(AssertionError, match="import of numba halted"):
        told(WITHOUT)


@pytest.mark.parametrize(
    ("version", "plain", "path"),
    [("99.0.0", "", "True 1"), ("99.0.0", "0", "False 0"), ("{}.{}.9".format(*NEWEST), "", "False 0")],
)
def test_a_newer_numba_takes_it(version: str, plain: str, path: str) -> None:
    assert told(f"import numba\nnumba.__version__ = {version!r}", STEERSMAN_PLAIN=plain) == [path]


def test_the_numba_of_the_tests_is_one_that_was_tested() -> None:
    assert tuple(int(each) for each in NUMBA.__version__.split(".")[:2]) <= NEWEST, "test it, and raise NEWEST"
