"""The glossary's table of routes, perception and goals names public classes, and all maps of routes and knowledge."""

import re
from pathlib import Path

import steersman as sm
from steersman.core.environment.routes.route_map import RouteMap
from steersman.core.steering.tree.knowledge import KNOWLEDGE
from steersman.runs.documents.scenery import classes_of

PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"


def rows() -> list[list[str]]:
    """The names in the last cell of each row."""
    table = PAGE.read_text("utf-8").partition("## Routes, perception and goals, by class")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ") and "asked for" not in line]
    return [re.findall(r"`([\w.]+)`", line.split("|")[-2]) for line in lines]


def test_each_row_has_its_class() -> None:
    assert len(rows()) > 12
    for names in rows():
        assert names
        for name in names:
            owner, _, attribute = name.partition(".")
            assert isinstance(getattr(sm, owner), type), name
            assert not attribute or callable(getattr(getattr(sm, owner), attribute)), name


def test_no_map_and_no_knowledge_is_missing() -> None:
    named = {name.partition(".")[0] for names in rows() for name in names}
    maps = {name for name, cls in classes_of(RouteMap).items() if cls.__module__.startswith("steersman.core.")}
    assert {*maps, *KNOWLEDGE} <= named
