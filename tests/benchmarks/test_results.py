"""The CSV of `benchmarks.run`, and what is told of one that is damaged."""

import pytest

from benchmarks.results import FIELDS, case_of, multiples, read_rows, row_of, write_rows
from benchmarks.turns import Case

CASE = Case("flock sum torus", 100, 3, 2)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "folder" / "old.csv"
    write_rows(path, [row_of(CASE, [1.0, 2.0, 6.0], [10.0, 10.0, 20.0], [1.0, 1.0, 4.0])])
    return path


def test_a_line_holds_every_turn(path):
    (row,) = read_rows(path)
    assert list(row) == FIELDS
    assert case_of(row) == CASE
    assert (row["ms"], row["min_ms"], row["turns"], row["each_ms"]) == ("2.0000", "1.0000", "3", "1 2 6")
    assert multiples(row) == pytest.approx([0.1, 0.2, 0.3])
    assert (row["yardstick_ms"], row["ratio"]) == ("1.0000", "1.500")
    assert row["machine"].endswith(" processors")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n": ""}, "n must be a whole number from 1 to 100,000,000, got ''"),
        ({"n": "-5"}, "n must be a whole number"),
        ({"n": "9" * 9999}, "n must be a whole number"),
        ({"dimensions": "7"}, "dimensions must be a whole number from 2 to 3, got '7'"),
        ({"threads": "0"}, "threads must be a whole number from 1 to 1,024, got '0'"),
        ({"workload": "flok"}, "no workload is called 'flok'"),
        ({"each_ms": "1 2"}, "each_ms must be at least 3 times, got 2"),
        ({"each_ms": "1 2 3 4"}, "each_ms and reference_each_ms must be as many, got 4 and 3"),
        ({"each_ms": "1 two 3"}, "each_ms must be times > 0 ms, got '1 two 3'"),
        ({"each_ms": "1 nan 3"}, "each_ms must be times > 0 ms"),
        ({"reference_each_ms": "1 0 3"}, "reference_each_ms must be times > 0 ms"),
        ({"reference_each_ms": "1 -2 3"}, "reference_each_ms must be times > 0 ms"),
    ],
)
def test_a_damaged_line_is_told_with_its_number(path, changes, words):
    good = read_rows(path)
    write_rows(path, [*good, good[0] | changes])
    with pytest.raises(ValueError, match="line 3: ") as told:
        read_rows(path)
    assert words in str(told.value)
    assert str(told.value).endswith("; measure it anew with --out")


def test_a_line_that_was_cut_is_told(path):
    path.write_text(path.read_text()[:-20])
    with pytest.raises(ValueError, match="line 2: each_ms must be at least 3 times, got 0"):
        read_rows(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no lines"),
        (",".join(FIELDS).encode(), "has no lines"),
        (b"workload,n\nsmall world,1\n", "has no column dimensions: measure it anew with --out"),
        (bytes(range(256)), "is no CSV of benchmarks.run"),
    ],
)
def test_what_is_no_such_csv_is_told(path, content, words):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=words):
        read_rows(path)
