"""Every program in examples/ runs as it stands."""

from pathlib import Path

import pytest
from nursery import Nursery

PROGRAMS = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))

QUICK = {"learn_pursuit": ["--rounds", "1", "--held-out", "8"]}
"""Arguments for programs that take minutes without."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_it_runs_and_prints_something(program: Path, tmp_path: Path, library: Nursery) -> None:
    done = library.run([str(program), *QUICK.get(program.stem, ())], cwd=tmp_path, warnings="error")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert "nan" not in done.stdout


def test_there_are_some() -> None:
    assert len(PROGRAMS) >= 6
