"""One test tries a family of examples: "seek", "seek nearest" and "seek row".

The first example of every behavior and condition is tried with all cases of a test, such as types and dimensions, its
other examples with some, which their names choose; with STEERSMAN_ALL=1 (see `sampling.py`) all are. A failure says of which
example and case it is.
"""

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import pytest
from contract.examples import EXAMPLES
from contract.places import State
from sampling import EVERYTHING, drawn, is_drawn

from steersman.core.steering.behavior import as_behavior

PLACE = State.random(0, 2).place()

INSTANCES = {name: as_behavior(make(PLACE)) for name, make in EXAMPLES.items()}
"""Every example in one place, to look at."""


def family_of(name: str) -> str:
    """The first word of an example."""
    return name.replace(",", "").split()[0]


def kind_of(name: str) -> tuple[type, str]:
    """The behavior of an example, and its condition: "mode near one"."""
    return type(INSTANCES[name]), name.split()[1] if family_of(name) == "mode" else ""


FIRST = {kind_of(name): name for name in reversed(EXAMPLES)}.values()
"""The first example of every behavior and condition."""


def try_examples(
    arguments: tuple[str, ...] = (),
    cases: Collection[Any] = ((),),
    *,
    rare: Collection[Any] = (),
    examples: Collection[str] = EXAMPLES,
    some: int | None = None,
    every: int = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of one `name` of an example becomes one of a family of examples.

    Args:
        arguments: The other arguments of the test, as in `pytest.mark.parametrize`.
        cases: Values for that, a tuple for each case; or their names, where there is one argument.
        rare: More cases, for the first example of a behavior alone.
        examples: The names of the examples.
        some: How many of the cases are tried with examples that are not the first of their behavior. Default: all.
        every: Of those examples, one in so many is tried at all.
    """
    values, more = ([case if isinstance(case, tuple) else (case,) for case in several] for several in (cases, rare))

    def chosen(about: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for name in examples:
            first = name in FIRST or name not in INSTANCES
            if first or is_drawn(name, every, about):
                count = len(values) if first or some is None else some
                for case in [*drawn(values, count, f"{about} {name}"), *(more if first or EVERYTHING else [])]:
                    yield name, dict(zip(arguments, case, strict=True))

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        families: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        for name, case in chosen(test.__name__):
            families.setdefault(family_of(name), []).append((name, case))
        return pytest.mark.parametrize("family", families)(whole(test, families))

    return decorated


def whole(test: Callable[..., None], families: Mapping[str, list[tuple[str, dict[str, Any]]]]) -> Callable[..., None]:
    """The test of all cases of a family; the first that fails is shown, and all that fail are named."""

    @functools.wraps(test)
    def all_cases(family: str, **fixtures: Any) -> None:
        failed: list[tuple[str, BaseException]] = []
        for name, case in families[family]:
            try:
                test(name=name, **case, **fixtures)
            except (Exception, pytest.fail.Exception) as error:
                failed.append((", ".join([repr(name), *(f"{key}={value}" for key, value in case.items())]), error))
        if failed:
            error = failed[0][1]
            error.add_note(
                f"{len(failed)} of {len(families[family])} cases fail: " + "; ".join(each for each, _ in failed)
            )
            raise error

    given = {"name", *(key for cases in families.values() for _, case in cases for key in case)}
    own = inspect.signature(test)
    left = [each for key, each in own.parameters.items() if key not in given]
    family = inspect.Parameter("family", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    all_cases.examples = {family: {name for name, _ in cases} for family, cases in families.items()}  # type: ignore[attr-defined]
    all_cases.__signature__ = own.replace(parameters=[family, *left])  # type: ignore[attr-defined]
    return all_cases


ALL = try_examples()
