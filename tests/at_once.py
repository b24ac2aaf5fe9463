"""One test for many small cases: what pytest does for each test takes longer than such a case."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def at_once(argument: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize` with one argument, but as one test; the first failure is shown, and all are named.

    Args:
        argument: The argument of the test.
        values: Its values.
    """
    cases = list(values)

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def all_cases(**fixtures: Any) -> None:
            failed: list[tuple[Any, BaseException]] = []
            for value in cases:
                try:
                    test(**{argument: value}, **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((value, error))
            if failed:
                failed[0][1].add_note(
                    f"{len(failed)} of {len(cases)} fail: {', '.join(str(each) for each, _ in failed)}"
                )
                raise failed[0][1]

        own = inspect.signature(test)
        left = [each for name, each in own.parameters.items() if name != argument]
        all_cases.__signature__ = own.replace(parameters=left)  # type: ignore[attr-defined]
        return all_cases

    return decorated
