"""Messages that guide: what a misspelled name was meant to be, how arguments are given, how a frozen object is changed."""

import difflib
import inspect
from abc import ABCMeta
from collections.abc import Iterable
from dataclasses import FrozenInstanceError
from typing import Any, NoReturn


def suggestion(word: str, known: Iterable[str], *, what: str = "known") -> str:
    """The end of a message about an unknown word: the nearest known one, and all of them."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    lowered = {name.lower(): name for name in names}
    if not near and word.lower() in lowered:
        near = [lowered[word.lower()]]
    guess = f"; did you mean {near[0]!r}?" if near else ""
    return f"{guess} ({what}: {', '.join(names) or 'none'})"


class Guided(ABCMeta):
    """The class of classes that say what is wrong with a call, and how their frozen instances are changed."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Construct; a call that does not fit the signature is explained."""
        try:
            return super().__call__(*args, **kwargs)
        except TypeError as error:
            if problem := misfit(cls, args, kwargs):
                raise TypeError(problem) from None
            raise error

    @property
    def __signature__(cls) -> inspect.Signature:
        """The constructor's, for editors and help()."""
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def __setattr__(cls, name: str, value: Any) -> None:
        """Where `dataclass(frozen=True)` forbids assignments, put a message in that says what to do instead."""
        if name == "__setattr__":
            value = refuse_assignment
        super().__setattr__(name, value)


def misfit(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """What does not fit between the arguments of a call and the constructor; empty where all fits."""
    known = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    names = [name for name in known if name != "self"]
    if any(known[name].kind is inspect.Parameter.VAR_KEYWORD for name in names):
        return ""
    for name in kwargs:
        if name not in known:
            return f"{cls.__name__} has no parameter {name!r}{suggestion(name, names, what='parameters')}"
    positional = [name for name in names if known[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if any(known[name].kind is inspect.Parameter.VAR_POSITIONAL for name in names):
        return ""
    if len(args) > len(positional):
        first = f"only {' and '.join(positional)}" if positional else "nothing"
        how = f"; several parts are given as a list: {cls.__name__}([a, b])" if positional == ["components"] else ""
        return f"{cls.__name__} takes {first} by position, got {len(args)} values{how or '; give the others by name'}"
    missing = [
        name
        for name in names[len(args) :]
        if known[name].default is inspect.Parameter.empty and name not in kwargs
    ]  # fmt: skip
    if missing:
        return f"{cls.__name__} needs {' and '.join(missing)}: {cls.__name__}({', '.join(f'{name}=...' for name in missing)})"
    return ""


def refuse_assignment(instance: Any, name: str, value: Any) -> NoReturn:
    """Say how a frozen instance is changed.

    Raises:
        FrozenInstanceError: Always.
    """
    kind = type(instance).__name__
    raise FrozenInstanceError(
        f"the parameters of a {kind} do not change: make another one with .replace({name}=...), and put it where this one "
        "stands, for example population.steering = ... (what it remembers is kept)"
    )
