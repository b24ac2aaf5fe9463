"""The index of the built-in scenarios, which `steersman list` reads: their files import the whole library.

`python docs/make_tables.py` writes it from the scenarios; a test compares it with them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from steersman.gallery.making.scenario import Scenario

FILE = Path(__file__).with_name("index.tsv")
"""A line per scenario, in the order of their names: the fields of an Entry, with tabs between; tags with commas."""


class Entry(NamedTuple):
    """The entry of a scenario in the index; see `Scenario`."""

    name: str
    dimensions: int
    n: int
    tags: tuple[str, ...]
    shows: str


def read_index() -> list[Entry]:
    """All scenarios."""
    lines = (line.split("\t") for line in FILE.read_text("utf-8").splitlines())
    return [
        Entry(name, int(d), int(n), tuple(filter(None, tags.split(","))), shows) for name, d, n, tags, shows in lines
    ]


def index_of(scenarios: "Iterable[Scenario]") -> str:
    """The text of the index of scenarios."""
    rows = ((each.name, str(each.dimensions), str(each.n), ",".join(each.tags), each.shows) for each in scenarios)
    return "".join("\t".join(row) + "\n" for row in rows)
