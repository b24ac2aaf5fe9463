"""Messages that help: the known name nearest to a misspelled one, how to call and to change objects, lines of warnings."""

import difflib
import inspect
import sys
from abc import ABCMeta
from collections.abc import Callable, Iterable
from dataclasses import FrozenInstanceError
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def suggestion(word: str, known: Iterable[str], *, label: str = "known") -> str:
    """The end of a message about an unknown word: the nearest known word, and all of them behind a label."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    lowered = {name.lower(): name for name in names}
    if not near and word.lower() in lowered:
        near = [lowered[word.lower()]]
    guess = f"; did you mean {near[0]!r}?" if near else ""
    return f"{guess} ({label}: {', '.join(names) or 'none'})"


def outside() -> int:
    """The stack level of the line of the user that called the library, for `warnings.warn` in the caller."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OWN:
        frame, level = frame.f_back, level + 1
    return level


OWN = ("steersman", "functools")
"""Packages whose lines a warning is never about: the library, and the decorators between its functions."""


class Explained(type):
    """Metaclass: a call of the class with wrong arguments raises a TypeError that says how to call it."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an object; explain a call that does not fit the signature."""
        try:
            return super().__call__(*args, **kwargs)
        except TypeError as error:
            if problem := misfit(cls.__init__, cls.__name__, args, kwargs):  # type: ignore[misc]
                raise TypeError(problem) from None
            raise error

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor, for editors and help()."""
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])


class Guided(Explained, ABCMeta):
    """Metaclass of frozen dataclasses: an assignment to a field raises an error that says how to change it."""

    def __setattr__(cls, name: str, value: Any) -> None:
        """Replace the `__setattr__` with which `dataclass(frozen=True)` forbids assignments by `refuse_assignment`."""
        if name == "__setattr__":
            value = refuse_assignment
        super().__setattr__(name, value)


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function or method: a call that does not fit its signature raises a TypeError that says how to call it."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError:
            positional = args[1:] if _is_method(function) else args
            if problem := misfit(function, function.__qualname__, positional, kwargs):
                raise TypeError(problem) from None
            raise

    return call


def _is_method(function: Callable[..., Any]) -> bool:
    first = next(iter(inspect.signature(function).parameters), "")
    return first in ("self", "cls")


def misfit(function: Callable[..., Any], called: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The mismatch between the arguments of a call and a signature, in words; empty if they fit.

    Args:
        function: A constructor, a method or a function.
        called: Its name in the message.
        args: The arguments given by position, without `self` or `cls`.
        kwargs: The arguments given by name.
    """
    known = {name: each for name, each in inspect.signature(function).parameters.items() if name not in ("self", "cls")}
    kinds = {each.kind for each in known.values()}
    by_name = [name for name, each in known.items() if each.kind in BY_NAME]
    positional = [name for name, each in known.items() if each.kind in BY_POSITION]
    unknown = [name for name in kwargs if name not in by_name]
    if unknown and inspect.Parameter.VAR_KEYWORD not in kinds:
        return f"{called} has no parameter {unknown[0]!r}{suggestion(unknown[0], by_name, label='parameters')}"
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return ""
    if len(args) > len(positional):
        return _too_many(called, len(args), positional, by_name)
    missing = [
        name
        for name, each in list(known.items())[len(args) :]
        if each.default is inspect.Parameter.empty
        and each.kind is not inspect.Parameter.VAR_KEYWORD
        and name not in kwargs
    ]
    if missing:
        return f"{called} needs {' and '.join(missing)}: {called}({', '.join(f'{name}=...' for name in missing)})"
    return ""


BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
"""The kinds of parameters that can be given by name, and by position."""


def _too_many(called: str, count: int, positional: list[str], by_name: list[str]) -> str:
    """The message about a call with more values by position than there are parameters."""
    if not by_name:
        return f"{called} takes no arguments, got {count}"
    first = f"only {' and '.join(positional)}" if positional else "nothing"
    if positional == ["components"]:
        how = f"several parts are given as a list: {called}([a, b])"
    else:
        how = "give the others by name" if positional else f"give it by name: {called}({by_name[0]}=...)"
    return f"{called} takes {first} by position, got {count} value{'s' * (count > 1)}; {how}"


def refuse_assignment(instance: Any, name: str, value: Any) -> NoReturn:
    """Refuse an assignment to a field of a frozen object, with a message that says how to change it.

    Raises:
        FrozenInstanceError: Always.
    """
    kind = type(instance).__name__
    raise FrozenInstanceError(
        f"the parameters of a {kind} do not change: make another one with .replace({name}=...), and put it where this one "
        "stands, for example population.steering = ... (its memory is kept)"
    )
