"""What the lessons need beside the library: checks of exercises, forces, and worlds that move in a notebook."""

import os
import tempfile
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm

TOLERANCE = 1e-6
"""Largest difference from a law, as a part of the law's largest number."""


class NotSolvedError(AssertionError):
    """An exercise that is not solved yet; the message is one sentence or two for the learner."""

    def _render_traceback_(self) -> list[str]:
        """A notebook shows the sentences alone."""
        return [str(self)]


def check(number: str, *measured: tuple[bool, str]) -> None:
    """Ask for something that can be measured.

    Args:
        number: The exercise, such as "1.2".
        *measured: Whether it is as it should be, and a sentence for when it is not.

    Raises:
        NotSolvedError: One is not.
    """
    for holds, sentence in measured:
        if not holds:
            raise NotSolvedError(f"Exercise {number}: {sentence}")
    print(f"Exercise {number}: what it does is right.")


def check_law(number: str, mine: Callable[..., Any], law: Callable[..., Any], *arguments: Any, hint: str) -> None:
    """Compare a function with a law of the library, for the same arguments.

    Args:
        number: The exercise, such as "1.2".
        mine: The learner's function.
        law: The library's.
        *arguments: Arguments for both; arrays are handed on as copies.
        hint: A sentence that is added to the message.

    Raises:
        NotSolvedError: The function returns something else.
    """
    name = getattr(mine, "__name__", "the function")
    try:
        found = mine(*(np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments))
    except Exception as error:
        raise _not_solved(number, f"{name} stops with {type(error).__name__}: {error}.", hint) from None
    expected = law(*arguments)
    parts = [(found, expected, "")]
    if isinstance(expected, tuple):
        if not isinstance(found, tuple | list) or len(found) != len(expected):
            told = "nothing yet" if found is None or found is ... else f"one {type(found).__name__}"
            raise _not_solved(number, f"{name} returns {told}, and {len(expected)} arrays are asked for.", hint)
        parts = [(*pair, f" in result {k + 1}") for k, pair in enumerate(zip(found, expected, strict=True))]
    for each, right, where in parts:
        _compare(number, name, each, np.asarray(right), where, hint)
    print(f"Exercise {number}: {name} is right.")


def _not_solved(number: str, problem: str, hint: str) -> NotSolvedError:
    """The message of a check."""
    return NotSolvedError(f"Exercise {number}: {problem} Hint: {hint}")


def _compare(number: str, name: str, found: Any, right: Any, where: str, hint: str) -> None:
    """Say how one array differs from another."""
    if found is None or found is ...:
        raise _not_solved(number, f"{name} returns nothing yet{where}: write its law in place of the three dots.", hint)
    try:
        mine = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise _not_solved(
            number, f"{name} returns {type(found).__name__}{where}, not an array of numbers.", hint
        ) from None
    if mine.shape != right.shape:
        raise _not_solved(number, f"{name} returns shape {mine.shape}{where}, and {right.shape} is asked for.", hint)
    wrong = ~np.isclose(mine, right, rtol=TOLERANCE, atol=TOLERANCE * _size(right))
    if wrong.any():
        row = int(np.argwhere(wrong)[0][0]) if right.ndim else 0
        this, that = (each[row] if right.ndim else each for each in (mine, right))
        some = (
            f"{wrong.reshape(len(wrong), -1).any(axis=1).sum()} of {len(wrong)} rows differ"
            if right.ndim
            else "it differs"
        )
        problem = f"{some}{where}; row {row} is {_short(this)}, and the law gives {_short(that)}."
        if np.isnan(this).any():
            problem += " NaN comes from a division of zero by zero."
        raise _not_solved(number, f"{name}: {problem}", hint)


def _size(right: Any) -> float:
    """The largest finite number."""
    finite = np.abs(right[np.isfinite(right)])
    return float(finite.max()) if finite.size else 1.0


def _short(numbers: Any) -> str:
    """Numbers with three digits behind the point."""
    return np.array2string(np.asarray(numbers, dtype=float), precision=3, suppress_small=True)


def force(vehicles: Any, steering: Any) -> Any:
    """Forces [N] that bring about a change of velocity [m/s] within the response time: mass * steering / response time.

    Args:
        vehicles: The vehicles.
        steering: What a law returns, shape (n, d).
    """
    return np.asarray(steering) * (vehicles.mass / vehicles.response_time)[:, None]


def show(world: sm.World, seconds: float = 12.0, **things: Any) -> Any:
    """Show a world in motion, as the last line of a cell: the live window, or a replay where it cannot be had.

    Args:
        world: The world.
        seconds: Length of a replay [s].
        **things: Things that laws of one's own know of, and the world does not: obstacles, paths, and points with their
            names.
    """
    points = {name: each for name, each in things.items() if isinstance(each, np.ndarray)}
    scenery = {name: each for name, each in things.items() if name not in points}
    stage = sm.Stage(world, scenery=scenery, labels=points, name=" and ".join(world.populations))
    if not _in_notebook():
        world.run(steps=2)
        return None
    if find_spec("anywidget") is None or os.environ.get("COURSE_REPLAYS"):
        return Replay(stage, seconds)
    from steersman.studio.viewer.view import view

    return view(stage, playing=True)


def _in_notebook() -> bool:
    """Whether cells can show things."""
    from steersman.studio.viewer.view import in_notebook

    return in_notebook()


class Replay:
    """A run that plays in a cell, also where no Python runs any more.

    Args:
        stage: The world with its scenery.
        seconds: How long it runs [s].
    """

    def __init__(self, stage: sm.Stage, seconds: float) -> None:
        from steersman.studio.viewer.replay import replay

        with tempfile.TemporaryDirectory() as folder:
            self._page = replay(stage, Path(folder) / "replay.html", seconds=seconds).read_text("utf-8")

    def _repr_html_(self) -> str:
        """The page in a frame."""
        style = "width: 100%; height: 480px; border: 0; border-radius: 6px"
        return f'<iframe srcdoc="{escape(self._page)}" style="{style}" title="A world in motion"></iframe>'
