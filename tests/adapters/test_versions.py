"""The table of partners names the oldest versions that pyproject.toml allows, which `.ci/partners` installs."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
TABLE = re.findall(
    r'^\| ([\w-]+)[^|]* \| `pip install "steersman\[(\w+)\]"` \| ([\d.]+) \| ([\d.]+) \|$',
    (ROOT / "docs" / "engines.md").read_text("utf-8"),
    re.MULTILINE,
)
CI = (ROOT / ".ci" / "partners").read_text("utf-8")


def numbers(version):
    return [int(each) for each in version.split(".")]


@pytest.mark.parametrize(("partner", "extra", "oldest", "newest"), TABLE, ids=[row[0] for row in TABLE])
def test_the_oldest_is_the_one_that_is_allowed(partner, extra, oldest, newest):
    (needed,) = [each for each in EXTRAS[extra] if each.startswith(f"{partner.lower()}>=")]
    assert re.search(r">=([\d.]+)", needed)[1] == oldest
    assert numbers(oldest) <= numbers(newest)
    assert re.search(rf"for each in .*\b{partner.lower()}\b", CI)


def test_all_partners_are_in_the_table():
    assert len(TABLE) == 8
