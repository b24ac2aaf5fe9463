"""What things in a world answer at a few places, and what the laws of the scene of `laws/states.py` give there."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
from core.steering.laws.states import HANDED, STEERING, State
from drawing.test_scenery import FLAT, SOLID

import steersman as sm

from .table import Rows, Section, vectors

ROUND = 100.0
"""Size of a torus [m]."""


def asked(d: int) -> dict[str, Any]:
    """Arguments by the names that methods have for them: places in and around the things, at no round numbers."""
    rng = np.random.default_rng(12)
    points, directions = rng.uniform(4, 52, (5, d)), rng.normal(size=(5, d))
    return {
        "points": points,
        "on_map": points[:, :2],
        "origin": np.full(d, 30.3),
        "direction": directions / np.linalg.norm(directions, axis=1, keepdims=True),
        "goals": np.array([[25.3, 21.7, 20.0], [38.2, 12.9, 20.0]])[:, :d],
        "goal": np.array([38.2, 12.9, 20.0])[:d],
        "origins": np.array([[25.3, 21.7, 20.0], [20.4, 9.1, 20.0]])[:, :d],
        "s": np.array([-3.0, 0.0, 7.7, 31.4, 99.0]),
        "distance": 1.7,
    }


QUESTIONS = {
    "nearest": ("points",), "inside": ("points",), "cast": ("points", "direction"), "point_at": ("s",), "tangent_at": ("s",),
    "radius_at": ("s",), "contains": ("points",), "project": ("points",), "offset": ("distance",),
    "leaving": ("origin", "points"), "nearest_inside": ("points",), "guide": ("points", "goals"), "route": ("origin", "goal"),
    "lengths": ("origins", "goals"), "height_at": ("on_map",), "at": ("points",), "bounding_spheres": (),
}  # fmt: skip
"""Method -> the names of its arguments, above."""


def parts_of(answer: Any) -> Iterator[tuple[str, Any]]:
    """The arrays of an answer, with their names."""
    if isinstance(answer, sm.Path):
        yield "points", answer.points
    elif is_dataclass(answer):
        for each in fields(answer):
            yield each.name, getattr(answer, each.name)
    elif isinstance(answer, tuple):
        yield from zip(getattr(answer, "_fields", map(str, range(len(answer)))), answer, strict=True)
    else:
        yield "", answer


def answers(make: Callable[[], Any], d: int) -> Rows:
    """What one thing answers, in open space and, where it may be asked, about images on a torus."""
    section, thing, given = Section(), make(), asked(d)
    images = given | {"points": given["points"] + ROUND * np.array([[1], [0], [-1], [2], [0]])}
    for method, names in QUESTIONS.items():
        if (ask := getattr(thing, method, None)) is None:
            continue
        several: dict[str, Any] = {method: partial(ask, *(given[each] for each in names))}
        if "domain" in inspect.signature(ask).parameters:
            on_torus = partial(ask, *(images[each] for each in names), domain=sm.Torus([ROUND] * d))
            several[f"{method} on a torus"] = on_torus
        for about, question in several.items():
            try:
                for part, value in parts_of(question()):
                    array = np.asarray(value, float)
                    section.add(f"{about} {part}", vectors(array.reshape(-1) if array.ndim < 2 else array))
            except ValueError as error:
                section.add(about, f"refused, {error}")
    return section.rows


def laws(d: int) -> Rows:
    """The laws of that scene, for two vehicles: a quarter of all names that `laws` exports."""
    section, state = Section(), State.random(21, d, 2)
    for name, law in (STEERING | HANDED).items():
        section.add(name, vectors(law(state)))
    return section.rows


SECTIONS: dict[str, Callable[[], Rows]] = {
    **{f"{name}, flat": partial(answers, make, 2) for name, make in FLAT.items()},
    **{f"{name}, in space": partial(answers, make, 3) for name, make in SOLID.items()},
    **{f"laws in {d}D": partial(laws, d) for d in (2, 3)},
}
