"""Two versions of the library in one sitting: the one that is checked out, and that of a commit.

The commit's files are laid out in a temporary folder by `git worktree`. Two processes with the same Python and the same
packages load the library from the one place and from the other, both with the workloads of today, and take turns.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.turns import Case, asked

ROOT = Path(__file__).parents[1]


class Program:
    """A process that takes turns with one version of the library."""

    def __init__(self, tree: Path) -> None:
        path = os.pathsep.join([str(tree / "src"), str(ROOT)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.turns"], env=os.environ | {"PYTHONPATH": path}, cwd=tree / "src",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        library = Path(self.told()["library"])
        if library.resolve() != (tree / "src" / "steersman").resolve():
            self.close()
            raise RuntimeError(f"the library was to come from {tree}, but came from {library}")

    def told(self) -> dict:
        """Its next line."""
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the program ended with {self.process.wait()}, see above")
        return json.loads(line)

    def turn(self, case: Case) -> float | str:
        """Time of a step in a turn [ms], or why there is none."""
        self.process.stdin.write(asked(case))
        self.process.stdin.flush()
        told = self.told()
        return told["ms"] if "ms" in told else told["error"]

    def close(self) -> None:
        """Let it end."""
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


@contextlib.contextmanager
def laid_out(commit: str) -> Iterator[Path]:
    """The files of a commit, in a folder that is gone afterwards.

    Raises:
        ValueError: There is no such commit.
    """
    known = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True, text=True
    )
    if known.returncode:
        raise ValueError(f"{commit!r} is no commit of this repository")
    with tempfile.TemporaryDirectory(prefix="steersman-against-") as folder:
        tree = Path(folder) / "tree"
        add = ["git", "worktree", "add", "--detach", "--quiet", str(tree), known.stdout.strip()]
        subprocess.run(add, cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)


def pairs(case: Case, new: Program, old: Program, turns: int) -> tuple[list[float], list[float], str]:
    """Times of both by turns, and why there are none; who begins changes."""
    times: dict[Program, list[float]] = {new: [], old: []}
    for program in (new, old):  # Compiles, builds, warms.
        if isinstance(problem := program.turn(case), str):
            return [], [], ("now: " if program is new else "then: ") + problem
    for turn in range(turns):
        for program in (new, old) if turn % 2 else (old, new):
            took = program.turn(case)
            if isinstance(took, str):
                return [], [], took
            times[program].append(took)
    return times[new], times[old], ""
