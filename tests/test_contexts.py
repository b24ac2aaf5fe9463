"""Each context manager that changes something leaves it as it was, also where an exception ends it."""

import ast
import gc
import signal
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from numba.core import event
from rich.console import Console

import steersman as sm
from steersman.cli.running.performance import stoppable
from steersman.cli.shared.exit_codes import errors_as_exits
from steersman.cli.shared.messages import warnings_in_lines
from steersman.cli.shared.progress import Display, following, warming
from steersman.core.kernels.announcing import COMPILING, WATCHERS, watched_compilation
from steersman.core.kernels.compiler import no_collection
from steersman.core.kernels.kernel import COLLECTED, collecting
from steersman.core.kernels.signals import deferred_signals
from steersman.core.vehicles.turns import Turn

SOURCES = Path(sm.__file__).parent

ELSEWHERE = {
    "cli/commands/run.py refusals": "it changes nothing",
    "cli/running/split.py leading": "it changes nothing; it ends other processes",
    "core/world/plan.py traced": "core/world/test_explain.py",
    "runs/documents/files.py _archive": "it changes nothing",
    "runs/documents/problems.py reading": "it changes nothing",
    "runs/snapshots/restoring.py _or_as_before": "runs/snapshots/test_snapshots.py",
    "studio/video/encoding.py written": "studio/video/test_video.py",
    "studio/viewer/simulation.py _said": "it ends no exception but says it; studio/viewer/test_server.py",
}
"""Context managers that have tests of their own, or need none."""


class ExpectedError(Exception):
    """What goes wrong inside."""


def handler() -> Any:
    return signal.getsignal(signal.SIGINT)


def watchers() -> Any:
    return [*WATCHERS], [*event._registered[COMPILING]]


def shown_warnings() -> Any:
    return warnings.showwarning, [*warnings.filters]


def case_of_display() -> tuple[AbstractContextManager[Any], Callable[[], Any]]:
    display = Display(Console(force_terminal=True, file=StringIO()), 3, quiet=False)
    return display.shown(), lambda: display._bar


def case_of_world() -> tuple[AbstractContextManager[Any], Callable[[], Any]]:
    world = sm.World()
    return world.between_steps(), lambda: world._turn.is_own


def case_of_turn() -> tuple[AbstractContextManager[Any], Callable[[], Any]]:
    turn = Turn()
    return turn.taken(), lambda: (turn.is_own, set(turn.waiting))


CASES: dict[str, Callable[[], tuple[AbstractContextManager[Any], Callable[[], Any]]]] = {
    "cli/running/performance.py stoppable": lambda: (stoppable(), handler),
    "cli/shared/exit_codes.py errors_as_exits": lambda: (errors_as_exits(), shown_warnings),
    "cli/shared/messages.py warnings_in_lines": lambda: (warnings_in_lines(), shown_warnings),
    "cli/shared/progress.py following": lambda: (following(3, quiet=True), watchers),
    "cli/shared/progress.py shown": case_of_display,
    "cli/shared/progress.py warming": lambda: (warming(Console(), "flock", quiet=True), watchers),
    "core/kernels/announcing.py watched_compilation": lambda: (watched_compilation(), watchers),
    "core/kernels/compiler.py no_collection": lambda: (no_collection(), gc.isenabled),
    "core/kernels/kernel.py collecting": lambda: (collecting(), lambda: COLLECTED.missing),
    "core/kernels/signals.py deferred_signals": lambda: (deferred_signals(), handler),
    "core/vehicles/turns.py taken": case_of_turn,
    "core/world/world.py between_steps": case_of_world,
}
"""Function -> a context, and what it changes while it lasts."""


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_it_leaves_what_it_found(name: str, fails: bool) -> None:
    context, look = CASES[name]()
    before = look()
    try:
        with context:
            assert look() != before, "the test looks at what does not change"
            if fails:
                raise ExpectedError
    except ExpectedError:
        assert fails
    else:
        assert not fails, "the exception is swallowed"
    assert look() == before


def test_each_has_its_case() -> None:
    found = set()
    for file in SOURCES.rglob("*.py"):
        text = file.read_text("utf-8")
        if "@contextmanager" in text:
            for each in ast.walk(ast.parse(text)):
                if isinstance(each, ast.FunctionDef) and "contextmanager" in map(ast.unparse, each.decorator_list):
                    found.add(f"{file.relative_to(SOURCES).as_posix()} {each.name}")
    assert found == CASES.keys() | ELSEWHERE.keys()
    assert not CASES.keys() & ELSEWHERE.keys()
