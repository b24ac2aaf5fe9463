"""Trying the inputs of all sources, in turn, and counting."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from .calls import calls, equations, measures
from .constructors import constructors
from .documents import documents
from .judging import Source
from .kills import kills
from .lives import behaviors, lives
from .snapshots import snapshots

SOURCES: list[tuple[Source, float]] = [
    (constructors, 1.0),
    (documents, 0.3),
    (calls, 0.2),
    (equations, 0.1),
    (measures, 0.1),
    (behaviors, 0.03),
    (lives, 0.015),
    (snapshots, 0.1),
    (kills, 0.0004),
]
"""All sources, each with its share of the inputs (shares are divided by their sum)."""


@dataclass
class Count:
    """What was tried.

    Attributes:
        tried: Inputs by source.
        complaints: What was wrong: complaint -> descriptions of the inputs, in order.
    """

    tried: Counter[str] = field(default_factory=Counter)
    complaints: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = ", ".join(f"{count} {name}" for name, count in self.tried.items())
        wrong = sum(map(len, self.complaints.values()))
        return f"{self.tried.total()} bad inputs tried ({parts}): {wrong} not answered as documented"

    def listing(self, most: int = 50) -> str:
        """The complaints, each with its first input."""
        shown = [
            f"{what}\n    {inputs[0]}" + (f" (and {len(inputs) - 1} more)" if len(inputs) > 1 else "")
            for what, inputs in self.complaints.items()
        ]
        more = [f"... and {len(shown) - most} more"] if len(shown) > most else []
        return "\n".join(shown[:most] + more)


def try_inputs(
    count: int,
    seed: int,
    sources: Iterable[tuple[Source, float]] = SOURCES,
    progress: Callable[[Count], None] | None = None,
) -> Count:
    """Try inputs of all sources.

    Args:
        count: How many.
        seed: Seed of what is tried.
        sources: Who makes them, each with its share.
        progress: Called after each.
    """
    sources, done = list(sources), Count()
    whole = sum(share for _, share in sources)
    for each, share in sources:
        for given, complaint in each.tried(Random(f"{seed} {each.name}"), round(count * share / whole)):
            done.tried[each.name] += 1
            if complaint:
                done.complaints.setdefault(complaint, []).append(given.description)
            if progress is not None:
                progress(done)
    return done
