"""Pages that the site makes: each behavior has one with all its parts, and the reference leaves out no public method."""

import inspect
import re
import sys
from pathlib import Path

import pytest

import steersman as sm
from steersman.core.parameters.parameters import describe
from steersman.core.steering.registry import BEHAVIORS

DOCS = Path(__file__).parents[2] / "docs"

LAW = re.compile(r"^```\{raw\} html\n<div class=\"law\">|^```python$", re.MULTILINE)

OWN = "steersman."
"""The modules whose methods are this library's."""

SOURCED = re.compile(
    r"Reynolds 1999|[Gg]ame AI lecture|Unity lecture|[Pp]roject notes|[Tt]his library's own"
    r"|[A-Z]\w+,? (?:et al\.,? )?(?:\d{4}|and)"
)
"""Where a law comes from."""


@pytest.fixture(scope="module")
def site():
    pytest.importorskip("matplotlib")
    folders = [str(DOCS), str(DOCS / "site")]
    sys.path[:0] = folders
    try:
        import made_pages

        yield made_pages
    finally:
        for folder in folders:
            sys.path.remove(folder)


@pytest.fixture(scope="module")
def pages(site):
    """All made pages of classes and names, without their plots."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "plot", lambda name, folder: None)
        return dict(site.class_pages()) | dict(site.name_pages())


def test_every_behavior_has_a_page_with_a_replay_a_law_advice_and_a_source(pages):
    lacking = []
    for name in BEHAVIORS:
        page = pages[f"classes/{name}.md"]
        parts = {
            "replay": 'class="replay"' in page,
            "advice": "**Take it for**" in page and "**Take something else:**" in page,
            "law": LAW.search(page) is not None,
            "source": SOURCED.search(page.partition("## Parameters")[0]) is not None,
        }
        lacking += [f"{name}: {part}" for part, there in parts.items() if not there]
    assert not lacking


def test_every_number_says_what_raising_it_does(site):
    """Whole numbers that choose among words, and coordinates, have nothing to raise."""
    chosen = {("AvoidWalls", "feelers"), ("Whiskers", "rays"), ("FollowPath", "direction"), ("Formation", "members")}
    lacking = [
        f"{cls.__name__}.{each.name}: {each.doc}"
        for _, classes in site.make_tables.chapters()
        for cls in classes
        if cls.__name__ in BEHAVIORS
        for each in describe(cls)
        if re.match(r"(a whole number )?[<>]", each.allowed) and "aising" not in each.doc
        if (cls.__name__, each.name) not in chosen
    ]
    assert not lacking


def names_of(cls):
    """The public methods and properties that a class has from this library."""
    for name in dir(cls):
        each = inspect.getattr_static(cls, name)
        plain = each.__func__ if isinstance(each, (classmethod, staticmethod)) else getattr(each, "fget", each)
        if not name.startswith("_") and inspect.isfunction(plain) and plain.__module__.startswith(OWN):
            yield name, plain


def test_the_reference_has_every_public_method(site, pages):
    lacking = []
    for cls in [*(getattr(sm, name) for name in site.CLASSES), *site.RETURNED]:
        links = re.findall(
            r"\.\./((?:classes|names)/\w+\.md)", pages[f"{site.page_of(cls)}.md"].rpartition("And those of")[2]
        )
        told = "".join(pages[each] for each in (f"{site.page_of(cls)}.md", *links))
        headings = set(re.findall(r"^### (\w+)$", told, re.MULTILINE))
        lacking += [f"{cls.__name__}.{name}" for name, plain in names_of(cls) if name not in headings]
    assert not sorted(set(lacking))


def test_the_reference_has_every_public_name(site, pages):
    text = site.reference()
    assert [name for name in sm.__all__ if f"\n## {name}\n" not in text] == []
    for page in re.findall(r"\[All of it\]\(([^)]+)\)", text):
        assert page in pages
