"""Renaming: the old names of arguments and attributes work for one more release, with a DeprecationWarning."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from warnings import warn

P = ParamSpec("P")
R = TypeVar("R")


def renamed_arguments(**new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function take arguments by their old names, too. This decorator comes before `explained`.

        @renamed_arguments(who="vehicles")
        def explain(self, vehicles): ...

    Args:
        **new: Old name -> new name.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in new.keys() & kwargs.keys():
                if new[old] not in kwargs:
                    message = f"the argument {old} of {function.__qualname__} is called {new[old]} now"
                    warn(message, DeprecationWarning, stacklevel=2)
                    kwargs[new[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate


class RenamedAttribute:
    """The old name of an attribute or a method of a class.

        kept = RenamedAttribute("saved_attributes")

    Args:
        new: The new name.
    """

    def __init__(self, new: str) -> None:
        self.new, self._called = new, ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._called = f"{owner.__name__}.{name}"

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:  # For tools that read all attributes of a class.
            return getattr(owner, self.new, self)
        warn(f"{self._called} is called {self.new} now", DeprecationWarning, stacklevel=2)
        return getattr(instance, self.new)
