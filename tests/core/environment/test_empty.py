"""Things that are asked about no places answer with no rows, of the shapes and types that rows have; nothing warns."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from at_once import at_once
from drawing.test_scenery import FLAT, SOLID

import steersman as sm
from tests.recorded.answers import QUESTIONS, asked, parts_of

THINGS: dict[str, tuple[Callable[[], Any], int]] = {
    **{f"{name}, flat": (make, 2) for name, make in FLAT.items()},
    **{f"{name}, in space": (make, 3) for name, make in SOLID.items()},
}
ROWS = {"points", "on_map", "origins", "s"}
"""Arguments of which there may be none: for each row there is a row of the answer."""


def outcome(ask: Callable[..., Any], given: list[Any]) -> list[tuple[str, tuple[int, ...], Any]] | str:
    """Names, shapes of the rows and types of the parts of an answer; or why it is refused."""
    try:
        answer = ask(*given)
    except ValueError as error:
        return str(error)
    return [(name, np.shape(part)[1:], np.asarray(part).dtype) for name, part in parts_of(answer)]


@at_once("name", THINGS)
def test_no_places_have_no_answers(name: str) -> None:
    make, d = THINGS[name]
    thing, given = make(), asked(d)
    for method, names in QUESTIONS.items():
        ask = getattr(thing, method, None)
        if ask is None or not ROWS.intersection(names):
            continue
        some = [given[each] for each in names]
        none = [given[each][:0] if each in ROWS | {"direction", "goals"} else given[each] for each in names]
        assert outcome(ask, none) == outcome(ask, some), f"{method} of {name}"
        if not isinstance(outcome(ask, none), str):
            assert all(len(part) == 0 for _, part in parts_of(ask(*none))), f"{method} of {name}"


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(
    "none",
    [
        lambda rows: sm.Spheres(rows),
        lambda rows: sm.Boxes(rows, 1.0),
        lambda rows: sm.Capsules(rows, rows, 1.0),
    ],
)
def test_no_obstacles_are_nowhere(none: Callable[..., Any], d: int) -> None:
    obstacles, points = none(np.zeros((0, d))), np.ones((3, d))
    for domain in (None, sm.Torus([9.0] * d)):
        nearest, cast = obstacles.nearest(points, domain=domain), obstacles.cast(points, points, domain=domain)
        for answer in (nearest, cast):
            assert (answer.distance == np.inf).all()
            assert (answer.which == -1).all()
        assert not obstacles.inside(points, domain=domain).any()
