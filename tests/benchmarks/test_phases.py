"""Shares of phases: what they are of, and what is written."""

import csv
from pathlib import Path

import pytest

from benchmarks.phases import measure, shares, table, write
from benchmarks.turns import Case
from steersman.core.world.timings import PHASES

CASE = Case("flock sum torus", 1000, 2, 1)


def test_shares_are_of_a_step_and_the_median_of_turns():
    turns = [dict.fromkeys(PHASES, 0.0) | {"look": look, "steer": 1.0} for look in (1.0, 3.0, 9.0)]
    assert shares(turns) == pytest.approx(dict.fromkeys(PHASES, 0.0) | {"look": 0.75, "steer": 0.25})


def test_the_time_of_a_step_is_shared_out_among_its_phases(tmp_path):
    found = measure([CASE], 2, 0.02)
    share = shares(found[CASE])
    assert sum(share.values()) == pytest.approx(1, abs=0.05)
    assert all(0 <= each <= 1 for each in share.values())
    assert min(share["look"], share["steer"]) > 0
    write(tmp_path / "a" / "phases.csv", found)
    with (tmp_path / "a" / "phases.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["phase"] for row in rows] == list(PHASES)
    assert [float(row["share"]) for row in rows] == pytest.approx(list(share.values()), abs=1e-4)
    assert table(found).splitlines()[2].startswith("| 1,000 in 2D, 1 thread | ")


def test_the_page_says_what_the_csv_says():
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "benchmarks.md").read_text(encoding="utf-8")
    with (docs / "benchmarks" / "phases.csv").open() as file:
        rows = list(csv.DictReader(file))
    cases = dict.fromkeys((row["n"], row["dimensions"], row["threads"]) for row in rows)
    for n, d, threads in cases:
        share = [
            float(row["share"]) for row in rows if (row["n"], row["dimensions"], row["threads"]) == (n, d, threads)
        ]
        (line,) = [each for each in page.splitlines() if each.startswith(f"| {int(n):,} in {d}D, {threads} thread")]
        assert line.endswith(" | " + " | ".join(f"{100 * each:.0f} %" for each in share) + " |")
