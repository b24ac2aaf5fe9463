"""The chart under the bar of a sweep or a search."""

import numpy as np
import pytest

from steersman.cli.shared import live_chart
from steersman.cli.shared.live_chart import WIDTH, LiveChart, bars, line

pa = pytest.importorskip("pyarrow")


def rows(**columns):
    count = len(next(iter(columns.values())))
    return pa.table(
        {"task": list(range(count)), "seed": [k % 2 for k in range(count)], **columns, "error": [None] * count}
    )


def test_a_bar_is_as_long_as_the_mean_of_its_value(tmp_path):
    chart = LiveChart(tmp_path, ["n", "speed"])
    table = rows(n=[5, 5, 5, 5], speed=[2.0, 1.0, 2.0, 1.0], order=[1.0, 0.25, 0.6, 0.15], other=[9.0] * 4)
    title, low, high = chart.drawn(table).splitlines()
    assert title == "order by speed"
    assert low == f"  1 {'█' * 7 + '▌':<{WIDTH}} 0.2"
    assert high == f"  2 {'█' * WIDTH} 0.8"


def test_many_numbers_make_up_groups_and_failed_runs_do_not_count():
    values = [k / 100 for k in range(100)]
    lines = bars("t", values, pa.array([float("nan") if k < 50 else 1.0 for k in range(100)]).to_numpy()).splitlines()
    assert len(lines) == 9
    assert lines[1].split()[0] == "0.53"
    assert bars("t", [f"name {k}" for k in values], pa.array(values).to_numpy()) == ""
    assert bars("t", ["b", "a"], pa.array([1.0, -1.0]).to_numpy()).splitlines()[1].startswith("  b █")


def test_equal_numbers_stay_in_their_order_where_a_group_ends_among_them():
    values, readings = [k % 9 for k in range(90)], np.arange(90.0) ** 2
    ordered = np.array([float(k * k) for k in sorted(range(90), key=lambda k: k % 9)])
    shown = [float(line.split()[-1]) for line in bars("t", values, readings).splitlines()[1:]]
    assert shown == [float(f"{part.mean():.4g}") for part in np.array_split(ordered, 8)]


def test_a_search_shows_its_best_so_far(tmp_path):
    table = rows(weight=[1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0], cost=[4.0, 6.0, 1.0, 3.0, 9.0, 9.0, 0.0], other=[9.0] * 7)
    least, most = (LiveChart(tmp_path, ["weight"], goal, range(2)).drawn(table) for goal in ("minimize", "maximize"))
    assert least == "best cost 2 █▁▁ of 3 candidates"  # The fourth one has another run to make.
    assert most == "best cost 9 ▁▁█ of 3 candidates"
    table = rows(weight=[1.0] * 6, cost=[4.0, 6.0, 1.0, 1.0, 9.0, 9.0]).set_column(
        1, "seed", pa.array([5, 8, 70, 71, 70, 71])
    )
    assert LiveChart(tmp_path, ["weight"], "minimize", [5, 8]).drawn(table) == "best cost 5 ▁ of 1 candidates"


def test_the_rows_are_read_at_once_and_again_after_a_second(tmp_path, monkeypatch):
    reads, now = [], [0.5]
    monkeypatch.setattr(live_chart.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(
        live_chart, "read_table", lambda folder: reads.append(folder) or rows(n=[1, 2], order=[1.0, 2.0])
    )
    chart = LiveChart(tmp_path, ["n"])
    seen = [chart(), chart()]
    for now[0], read in ((1.4, 1), (1.5, 2), (2.4, 2)):
        seen.append(chart())
        assert reads == [tmp_path] * read
    assert {text.splitlines()[0] for text in seen} == {"order by n"}


def test_where_there_is_nothing_to_show_it_is_empty(tmp_path):
    assert LiveChart(tmp_path / "none", ["n"])() == ""
    assert LiveChart(tmp_path, ["n"]).drawn(rows(n=[1, 1], order=[1.0, 2.0])) == ""
    assert line(pa.array([2.0, 2.0]).to_numpy()) == "▁▁"


def test_bars_of_means_below_zero_are_as_long_as_these_are_far_from_it() -> None:
    _, first, second = bars("gain by side", ["left", "right"], np.array([-4.0, 1.0])).splitlines()
    assert (first.count("█"), second.count("█")) == (30, 7)
    assert (first.split()[-1], second.split()[-1]) == ("-4", "1")


@pytest.mark.parametrize("count", [2, 90])
def test_numbers_that_look_the_same_have_bars_of_their_own(count: int) -> None:
    values = [1.0 + 1e-6 * k for k in range(count)]
    shown = [float(line.split()[-1]) for line in bars("t", values, np.arange(count) + 1.0).splitlines()[1:]]
    assert shown == [float(f"{part.mean():.4g}") for part in np.array_split(np.arange(count) + 1.0, min(count, 8))]
