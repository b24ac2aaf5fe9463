"""Progress in a log: how fast, and how much longer."""

import io
import time

import pytest
from rich.console import Console

from steersman.cli.shared import progress
from steersman.cli.shared.progress import LINES, Display, following, warming


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


def test_after_an_error_there_is_no_bar_any_more_and_what_comes_is_told_in_lines():
    text = io.StringIO()
    display = Display(Console(file=text, width=200, force_terminal=True), 1000, quiet=False)
    with pytest.raises(ZeroDivisionError), display.shown():
        raise ZeroDivisionError
    display.compiling("seek", 1, 2)
    assert "compiling kernels" in text.getvalue()
    assert "compiling kernel 1" not in text.getvalue()


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


def test_on_a_terminal_there_is_a_bar_with_a_text_below_it(clock):
    text = io.StringIO()
    display = Display(Console(file=text, width=120, force_terminal=True), 20, quiet=False, of="runs")
    with display.shown(below=lambda: "the best so far"):
        (task,) = display._bar.tasks
        assert task.total == 20
        display.compiling("seek", 2, 3)
        shown = text.getvalue()
        assert "compiling kernel 2 of 3, seek (first run only)" in shown
        assert "the best so far" in shown
        assert "-:--:--" in shown  # How much longer: nobody knows before the first step.
        display.step(1)
        display.expect(40)
        clock[0] += 1.0
        display.step(11, "drawn")
        display._bar.refresh()
        assert (task.completed, task.total) == (11, 40)
        shown = text.getvalue()[len(shown) :]
        assert "11 of 40 runs drawn" in shown
        assert "10 runs/s" in shown
    assert display._bar is None
    assert text.getvalue().endswith("\x1b[2K")  # It leaves no line.


def test_kernels_are_announced_on_the_error_output(monkeypatch, capsys, two_kernels):
    monkeypatch.setattr(progress, "watched_compilation", two_kernels)
    for quiet in (True, False):
        with following(10, quiet=quiet, of="frames") as display, warming(Console(stderr=True), "boids", quiet=quiet):
            assert (display.of, display.quiet, display.steps) == ("frames", quiet, 10)
    assert capsys.readouterr() == ("", "compiling kernels (first run only) ...\nboids: compiling kernel 1 of 2, seek\n"
                                   "boids: compiling kernel 2 of 2, move\n")  # fmt: skip
