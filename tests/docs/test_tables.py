"""The table of behaviors is the one that the classes give now."""

from pathlib import Path

import pytest
from loading import module_of

from steersman.core.parameters.parameters import describe
from steersman.core.steering.registry import BEHAVIORS

FILE = Path(__file__).parents[2] / "docs" / "make_tables.py"


@pytest.fixture(scope="module")
def tables():
    return module_of(FILE)


def test_the_pages_are_up_to_date(tables):
    assert tables.PAGE.read_text(encoding="utf-8") == tables.page(), "please run: python docs/make_tables.py"
    assert tables.METRICS_PAGE.read_text(encoding="utf-8") == tables.metrics_page(), (
        "please run: python docs/make_tables.py"
    )


@pytest.mark.parametrize("name", BEHAVIORS)
def test_every_behavior_and_parameter_is_on_it(tables, name):
    text = tables.PAGE.read_text(encoding="utf-8")
    assert f"\n### {name}\n" in text
    own = text.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
    for each in describe(BEHAVIORS[name]):
        if each.name != "name":
            assert f"| `{each.name}` |" in own
            meaning, _, derived = each.doc.replace("|", "\\|").partition(" Default: ")
            assert meaning in own
            assert derived.partition(". ")[0].rstrip(".") in own
