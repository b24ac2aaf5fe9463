"""The problems of a scenario document: each with its place, all reported at once.

Every exception that is raised while a document is read becomes such a problem (`reading`), and stays the cause of the error.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

Place = tuple[str | int, ...]
"""A place in a document: `("populations", 0, "steering", "parts", 1, "radius")`."""

LONGEST, MOST = 900, 50
"""The most characters of a message, and the most problems of an error, that are shown."""


class Problem(NamedTuple):
    """One error in a document.

    Attributes:
        place: Its place, in words: `populations[0].steering.parts[1].radius`.
        message: The values that are allowed, and the value that was given.
        line: The line in the file, from 1; None where there is no file or no such line.
    """

    place: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        return (
            f"{line}{shown(self.place, 100)}: {shown(self.message)}" if self.place else f"{line}{shown(self.message)}"
        )


class ScenarioError(ValueError):
    """A document does not describe a scenario.

    Args:
        problems: All problems.
        source: The file, or the name of the scenario.
    """

    def __init__(self, problems: Iterable[Problem], source: str = "scenario") -> None:
        self.problems = tuple(problems)
        self.source = source
        count = len(self.problems)
        head = f"{source}: {count:,} problem{'s' if count != 1 else ''}"
        rest = [f"  ... and {count - MOST:,} more"] if count > MOST else []
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems[:MOST]), *rest]))


@dataclass
class Problems:
    """Collects problems while a document is read.

    Attributes:
        entries: The problems so far.
        cause: The first exception among them.
    """

    entries: list[tuple[Place, str]]
    cause: Exception | None = None

    def add(self, place: Place, message: str) -> None:
        """Note a problem."""
        self.entries.append((place, message))

    def failed(self, place: Place, error: Exception) -> None:
        """Note an exception."""
        self.add(place, message_of(error))
        self.cause = self.cause or error

    def raise_all(self, source: str, lines: Mapping[Place, int]) -> None:
        """Raise ScenarioError if there is any problem, in the order of the lines where these are known."""
        problems = [Problem(in_words(place), message, line_of(place, lines)) for place, message in self.entries]
        if problems:
            raise ScenarioError(sorted(problems, key=lambda problem: problem.line or 0), source) from self.cause


@contextmanager
def reading(source: str, lines: Mapping[Place, int] | None = None, place: Place = ()) -> Iterator[None]:
    """A context in which a document is read: every exception becomes a ScenarioError, with the exception as its cause.

    Args:
        source: The file, or the name of the scenario.
        lines: The line of each place in the file.
        place: The place that is read.

    Raises:
        ScenarioError: An exception was raised inside.
    """
    try:
        yield
    except ScenarioError:
        raise
    except Exception as error:
        raise ScenarioError(
            [Problem(in_words(place), message_of(error), line_of(place, lines or {}))], source
        ) from error


def message_of(error: Exception) -> str:
    """The message of an exception; for types that the library does not raise itself, with the type."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory for it: {error}".removesuffix(": ")
    if isinstance(error, RecursionError):
        return "things must be nested less deep"
    if isinstance(error, (TypeError, ValueError, OSError, ImportError)) and str(error):
        return str(error)
    if isinstance(error, KeyError) and " " in str(error.args[:1]):
        return str(error.args[0])
    return f"cannot be read: {type(error).__name__}: {error}".removesuffix(": ")


def shown(text: str, longest: int = LONGEST) -> str:
    """A text as a message shows it: of limited length, and without control characters of a terminal."""
    if len(text) > longest:
        text = f"{text[: 2 * longest // 3]} ... {text[-longest // 3 :]}"
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def in_words(place: Place) -> str:
    """A place in words: `populations[0].steering.parts[1].radius`."""
    words = ""
    for step in place:
        words += f"[{step}]" if isinstance(step, int) else f".{step}" if words else str(step)
    return words


def before(place: Place) -> str:
    """A place before the words about it: `steering.parts[1]: `; "" for a document as a whole."""
    return f"{in_words(place)}: " if place else ""


def line_of(place: Place, lines: Mapping[Place, int]) -> int | None:
    """The line of a place, or of the innermost table or list around it with a line."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None
