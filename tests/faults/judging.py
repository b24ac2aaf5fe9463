"""The judge: whether a call answers bad input as documented.

It returns, or it raises one of the documented exceptions with a message that

- names what was wrong: one of the words that the source expects there (the arguments of a constructor, say),
- says what is allowed, or what to do,
- is no longer than a few lines, whatever was given.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import steersman as sm

DOCUMENTED: tuple[type[Exception], ...] = (TypeError, ValueError, KeyError, FileNotFoundError, sm.NoDocumentError)
"""What a public function may raise for bad input. (A ScenarioError is a ValueError.)"""

LONGEST = 1000
"""Characters of a message."""

ALLOWED = re.compile(
    r"\b(must|needs?|takes|has no|have no|is for|is no option|can be|may be|there is|there are)\b"
    r"|\bno \w+ (is called|has)\b|did you mean|\bknown:"
)
"""Words by which a message says what is allowed, or what there is."""


@dataclass(frozen=True)
class Input:
    """One input.

    Attributes:
        description: What is given to what, short.
        call: Gives it.
        names: Words of which the message of a refusal must have one; () where any will do.
    """

    description: str
    call: Callable[[], object]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """Makes inputs of one kind.

    Attributes:
        name: What it is called in the count.
        inputs: `inputs(rng, count)` gives `count` inputs, or pairs of a description and a call.
        documented: The exceptions that these calls may raise.
        says: What the message of a refusal must have.
    """

    name: str
    inputs: Callable[[Random, int], Iterator[Any]]
    documented: tuple[type[BaseException], ...] = DOCUMENTED
    says: re.Pattern[str] = ALLOWED

    def tried(self, rng: Random, count: int) -> Iterator[tuple[Input, str]]:
        """Every input, with what is wrong with the answer: "" for nothing."""
        for each in self.inputs(rng, count):
            given = each if isinstance(each, Input) else Input(*each)
            yield given, self.complaint(given)

    def complaint(self, given: Input) -> str:
        """What is wrong with the answer to an input; "" for nothing."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                given.call()
        except self.documented as error:
            return self.about(given, error)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return f"raises {type(error).__name__}, which is not documented: {shortened(str(error))}"
        return ""

    def about(self, given: Input, error: BaseException) -> str:
        """What is wrong with a refusal."""
        try:
            message = str(error)
        except Exception as again:
            return f"the message cannot be shown: {type(error).__name__}, {type(again).__name__}"
        kind = f"{type(error).__name__}: {shortened(message)}"
        if len(message) > LONGEST:
            return f"the message has {len(message)} characters: {kind}"
        if given.names and not named(message, given.names):
            return f"the message names none of {', '.join(given.names)}: {kind}"
        if not self.says.search(message):
            return f"the message does not say what is allowed: {kind}"
        return ""


def named(message: str, names: Iterable[str]) -> bool:
    """Whether a message has one of some names, as a word of its own."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message) for name in names)


def source(name: str, **about: Any) -> Callable[[Callable[[Random, int], Iterator[Any]]], Source]:
    """Make a Source of a function `inputs(rng, count)`; `about` are the other fields of `Source`."""

    def made(inputs: Callable[[Random, int], Iterator[Any]]) -> Source:
        return Source(name, inputs, **about)

    return made


def shortened(text: str, length: int = 200) -> str:
    """A text in one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 3] + "..."
