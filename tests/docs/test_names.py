"""The names of ours that pages for newcomers promise: classes, their parameters, attributes; and a row for each behavior."""

import re
from pathlib import Path

import pytest

import steersman as sm
from steersman.core.parameters.parameters import describe
from steersman.core.steering.registry import BEHAVIORS
from steersman.gallery.registry import SCENARIOS

DOCS = Path(__file__).parents[2] / "docs"
OWNERS = {"world": sm.World, "vehicles": sm.Vehicles}
WORDS = {each.name for cls in BEHAVIORS.values() for each in describe(cls)} | {"tolls"}


def ours(name):
    """The names in the last column of a page's tables."""
    rows = [line.strip("| ").split(" | ") for line in (DOCS / name).read_text("utf-8").splitlines() if line[:2] == "| "]
    return sorted({word for row in rows for word in re.findall(r"`([^`]+)`", row[-1])})


def parameters(cls):
    return set(cls.__init__.__code__.co_varnames) if cls is sm.World else {each.name for each in describe(cls)}


@pytest.mark.parametrize("words", ours("coming_from.md"))
def test_names_that_newcomers_are_told_are_ours(words):
    name, _, rest = words.partition("(")
    head, _, attribute = name.partition(".")
    if attribute:
        assert hasattr(OWNERS[head], attribute)
    elif name in sm.__all__:
        for each in filter(None, rest.rstrip(")").replace("()", "").split(",")):
            assert each.partition("=")[0].strip() in parameters(getattr(sm, name))
            if '"' in each:
                allowed = {one.name: one.allowed for one in describe(getattr(sm, name))}
                assert each.partition("=")[2] in allowed[each.partition("=")[0].strip()]
    else:
        assert name.partition("=")[0] in WORDS or hasattr(sm.Vehicles, name)


def test_every_behavior_has_a_row_that_says_when_to_take_it():
    text = (DOCS / "which_behavior.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    names = [row[0].strip("`") for row in rows[1:]]
    missing, others = sorted(set(BEHAVIORS) - set(names)), sorted(set(names) - set(BEHAVIORS))
    assert not missing, (
        f"docs/which_behavior.md needs a row for each of {missing}: | `Name` | take it for | take instead |"
    )
    assert not others, f"docs/which_behavior.md has rows of no behavior: {others}"
    assert len(names) == len(set(names))
    assert all(len(row) == 3 for row in rows)


def test_names_on_the_page_of_the_paper_are_classes_parameters_and_scenarios():
    text = re.sub(r"^```.*?^```$", "", (DOCS / "paper.md").read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for word in set(re.findall(r"`([^`]+)`", text)):
        name = word.partition("(")[0].partition("=")[0]
        assert (
            name in sm.__all__
            or name in WORDS | set(SCENARIOS)
            or hasattr(sm.World, name.partition(".")[2])
            or name.startswith(("docs/", '"'))
        ), word
