"""What is wrong with a scenario document: every problem with its place, all reported at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Place = tuple[str | int, ...]
"""Where something stands in a document: `("populations", 0, "steering", "parts", 1, "radius")`."""


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        place: Where, in words: `populations[0].steering.parts[1].radius`.
        message: What is allowed and what was given.
        line: The line in the file, from 1; None where there is no file or no such line.
    """

    place: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        return f"{line}{self.place}: {self.message}" if self.place else f"{line}{self.message}"


class ScenarioError(ValueError):
    """A document does not describe a scenario.

    Args:
        problems: All that is wrong.
        source: The file, or the name of the scenario.
    """

    def __init__(self, problems: Iterable[Problem], source: str = "scenario") -> None:
        self.problems = tuple(problems)
        self.source = source
        count = len(self.problems)
        head = f"{source}: {count} problem{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


@dataclass
class Problems:
    """Collects problems while a document is read."""

    found: list[tuple[Place, str]]

    def add(self, place: Place, message: str) -> None:
        """Note a problem."""
        self.found.append((place, message))

    def raise_all(self, source: str, lines: dict[Place, int]) -> None:
        """Raise ScenarioError if there is any problem, in the order of the lines where these are known."""
        problems = [Problem(in_words(place), message, line_of(place, lines)) for place, message in self.found]
        if problems:
            raise ScenarioError(sorted(problems, key=lambda problem: problem.line or 0), source)


def in_words(place: Place) -> str:
    """A place as one reads it: `populations[0].steering.parts[1].radius`."""
    words = ""
    for step in place:
        words += f"[{step}]" if isinstance(step, int) else f".{step}" if words else step
    return words


def line_of(place: Place, lines: dict[Place, int]) -> int | None:
    """The line of a place, or of the nearest thing around it that has a line."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None
