"""What is recorded is what comes out now."""

from collections.abc import Callable
from importlib import import_module

import pytest

from .table import FILES, FOLDER, Rows, differences, made, read, same, text_of

MOST = 600_000
"""Bytes of all files: what a person can read in a diff. A behavior takes about 2 kB, a kind of obstacles as much."""


@pytest.mark.parametrize("name", FILES)
def test_results_are_what_was_recorded(name: str) -> None:
    sections: dict[str, Callable[[], Rows]] = import_module(f"{__package__}.{name}").SECTIONS
    expected, found = read(name), made(sections)
    changed = [
        f"[{each}] {line}"
        for each in sorted(expected.keys() | found.keys())
        for line in differences(expected.get(each, {}), found.get(each, {}))
    ]
    assert not changed, (
        f"{len(changed)} rows of tests/recorded/{name}.txt are others now. If that is meant, `python -m tests.recorded "
        f"{name}` writes them; CHANGELOG.md says why.\n" + "\n".join(changed[:12])
    )


def test_numbers_are_compared_by_the_size_of_their_vector() -> None:
    assert same("a 1.0001 0; 500 0", "a 1 0.0001; 500.05 0.01")
    assert not same("a 1.0001 0; 500 0", "a 1.01 0; 500 0")
    assert not same("a 1", "b 1")
    assert not same("1 2", "1 2 3")
    assert not same("#ffaa00 1", "#ffaa01 1")
    assert not same("3 neighbors", "4 neighbors")
    assert same("Seek [6.143, -2.561] N", "Seek [6.144, -2.561] N")


def test_files_are_small_and_sorted() -> None:
    assert sum((FOLDER / f"{name}.txt").stat().st_size for name in FILES) < MOST
    for name in FILES:
        assert text_of(read(name)) == (FOLDER / f"{name}.txt").read_text("utf-8")
