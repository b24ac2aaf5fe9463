"""The table of faults: every row names a test that is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    line.strip("| ").split(" | ") for line in (ROOT / "docs" / "faults.md").read_text().splitlines() if line[:1] == "|"
][2:]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_row_is_proved_by_a_test(row: list[str]) -> None:
    assert len(row) == 5
    (named,) = re.findall(r"^`(tests/[\w/]+\.py)(?:::(\w+))?`$", row[-1])
    file, test = named
    tests = {each.name for each in ast.walk(ast.parse((ROOT / file).read_text())) if isinstance(each, ast.FunctionDef)}
    assert any(name.startswith("test_") for name in tests)
    assert not test or test in tests


def test_there_are_rows() -> None:
    assert len(ROWS) >= 30
