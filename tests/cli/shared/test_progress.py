"""Progress in a log: how fast, and how much longer."""

import io
import time

import pytest
from rich.console import Console

from steersman.cli.shared.progress import LINES, Display


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


def test_what_is_left_is_told_by_the_speed_since_the_first_step(clock):
    """The first step is not timed: kernels may have been compiled in it."""
    text = io.StringIO()
    display = Display(Console(file=text, width=200), 1000, quiet=False)
    clock[0] += 60.0
    display.step(1)
    clock[0] += LINES - 0.5
    display.step(100)
    assert text.getvalue() == ""
    clock[0] += 5.5
    display.step(401)
    assert text.getvalue() == "401 of 1,000 steps, 40 steps/s, 15 s to go\n"
    display.expect(2001)
    clock[0] += 10.0
    display.step(801, "drawn")
    assert text.getvalue().splitlines()[1:] == ["801 of 2,001 steps drawn, 40 steps/s, 30 s to go"]


def test_in_a_log_one_line_tells_of_all_kernels():
    text = io.StringIO()
    display = Display(Console(file=text, width=200), 10, quiet=False)
    for number in (1, 2, 3):
        display.compiling("seek", number, 3)
    assert text.getvalue() == "compiling kernels (first run only) ...\n"


def test_who_is_quiet_says_nothing(clock):
    text = io.StringIO()
    display = Display(Console(file=text, width=200), 10, quiet=True)
    display.compiling("seek", 1, 2)
    for done in range(1, 10):
        clock[0] += 2 * LINES
        display.step(done)
    assert text.getvalue() == ""
