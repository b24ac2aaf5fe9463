"""How times grow: windows of steps, and the chart of what was measured before."""

from pathlib import Path

import pytest

import steersman as sm
from benchmarks import scaling

MEASURED = Path(scaling.ROOT) / "docs" / "benchmarks" / "scaling.csv"


def test_a_flock_begins_again_before_it_has_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "WINDOW", 4)
    made: list[sm.World] = []

    def make() -> sm.World:
        made.append(scaling.flock(20, 2, 1, "sum", "torus"))
        return made[-1]

    row = scaling.stepped(make, 20, seconds=0.05)
    assert row["steps"] >= 3
    assert len(made) == -(-row["steps"] // 4)
    assert all(world.steps == 3 + 4 for world in made[:-1])
    assert row["ns_per_vehicle"] > 0
    assert row["cpu_ns"] > 0


def test_the_chart_is_made_of_what_was_measured_before(tmp_path: Path) -> None:
    rows = scaling.read_rows(MEASURED)
    sizes = [row for row in rows if row["what"] == "size"]
    assert {row["n"] for row in sizes} == set(scaling.SIZES)
    assert all(isinstance(row["ns_per_vehicle"], float) and row["dtype"] == "float32" for row in sizes)
    scaling.draw(rows, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").stat().st_size > 20_000


def test_the_page_says_what_the_csv_says() -> None:
    page = (MEASURED.parents[1] / "benchmarks.md").read_text(encoding="utf-8")
    for row in scaling.read_rows(MEASURED):
        if row["what"] == "size" and row["n"] >= 10_000:
            ours, theirs = round(row["ns_per_vehicle"]), round(row["yardstick_ns"])
            assert f"{ours} ns ({theirs})" in page or f"{ours} ns (C++: {theirs})" in page
        elif row["what"] == "memory":
            assert f"{row['value']} bytes in 2D" in page or f"{row['value']} in 3D" in page
