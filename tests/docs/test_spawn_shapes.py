"""The tables on the pages are whole."""

import re
from pathlib import Path

import pytest

from steersman.runs.documents.spawning import SHAPES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("shape", SHAPES)
def test_every_spawn_shape_is_told(shape):
    about = re.search(rf"^\| `{shape}` \|.*$", (DOCS / "scenarios.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert about
    own = set(SHAPES[shape].__dataclass_fields__) - {"center"}
    assert all(f"`{name}`" in about[0] for name in own)


def test_no_kind_stands_for_itself_in_the_tables():
    page = (DOCS / "behaviors.md").read_text(encoding="utf-8")
    assert not re.findall(r"\| an? \w*s(?: or None)? \|", page)
