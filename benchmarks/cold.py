"""How long the first step takes of whoever tries a behavior for the first time, having run the README's program once.

    python -m benchmarks.cold [NAME ...] --out cold.csv

The README's first program is run with an empty cache folder. Then every behavior (the first of its examples in the contract
suite) makes its first step in a process of its own, with a copy of that folder. Times are without imports.
"""

import argparse
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]

FIRST = """
import time
import numpy as np
import steersman as sm
source = open("examples/first_program.py").read().partition("world.run(")[0]
exec(source)
began, busy = time.perf_counter(), time.process_time()
world.step(1 / 60)
print(time.perf_counter() - began, time.process_time() - busy)
"""

FURTHER = """
import sys, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, "tests")
import numpy as np
import steersman as sm
from contract.examples import EXAMPLES
from contract.places import State
place = State.random(0, 2).place(np.float32)
steering = EXAMPLES[sys.argv[1]](place)
world = sm.World(seed=7, domain=place.domain)
world.add(place.vehicles, name="boids", steering=steering)
began, busy = time.perf_counter(), time.process_time()
world.step(1 / 60)
print(time.perf_counter() - began, time.process_time() - busy)
"""

NAMES = """
import sys
sys.path.insert(0, "tests")
import steersman.core.public
from contract.examples import EXAMPLES
from steersman.core.steering.registry import BEHAVIORS
for word in sorted(name.lower().replace("_", "") for name in BEHAVIORS):
    found = [each for each in EXAMPLES if each.lower().replace(" ", "").replace("_", "").startswith(word)]
    print(found[0] if found else f"no example of {word}", file=sys.stdout if found else sys.stderr)
"""


def said(program: str, cache: Path, *words: str) -> str:
    """What a program prints, with a cache folder."""
    environment = os.environ | {"STEERSMAN_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    """Measure, and say the median."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="examples; default: one of every behavior")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "first"
        wall, busy = map(float, said(FIRST, first).split())
        lines.append(("first program", wall, busy))
        print(f"{'first program':30} {wall:6.2f} s, {busy:6.2f} s of this process", flush=True)
        for name in chosen.names or said(NAMES, first).split("\n"):
            if name:
                cache = Path(folder) / "further"
                shutil.copytree(first, cache)
                wall, busy = map(float, said(FURTHER, cache, name).split())
                shutil.rmtree(cache)
                lines.append((name, wall, busy))
                print(f"{name:30} {wall:6.2f} s, {busy:6.2f} s of this process", flush=True)
    further = [wall for _, wall, _ in lines[1:]]
    if further:
        print(f"median of {len(further)}: {statistics.median(further):.2f} s, slowest {max(further):.2f} s")
    if chosen.out:
        with chosen.out.open("w", newline="") as file:
            csv.writer(file).writerows([("behavior", "seconds", "process_seconds"), *lines])


if __name__ == "__main__":
    main()
