"""Progress: a bar on a terminal, a line now and then in a log, nothing when quiet."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from steersman.core.kernels.announcing import watched_compilation

REFRESH = 0.1
"""Time between two updates of the bar [s]."""

LINES = 5.0
"""Time between two lines of a log [s]."""


class _Bar(Progress):
    """A bar with a text below it."""

    below: Callable[[], str] | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bar, and the text as it is now."""
        yield from super().get_renderables()
        if self.below is not None and (text := self.below()):
            yield Text(text)


class Display:
    """Shows the progress of a run.

    Args:
        console: The console to print to.
        steps: The number of steps to make.
        quiet: Whether to print nothing.
        of: The word for the steps.
    """

    def __init__(self, console: Console, steps: int, *, quiet: bool, of: str = "steps") -> None:
        self.console, self.steps, self.quiet, self.of = console, steps, quiet, of
        self._bar: _Bar | None = None
        self._task = TaskID(0)
        self._began = self._shown_at = time.perf_counter()

    @contextmanager
    def shown(self, below: Callable[[], str] | None = None) -> Iterator[None]:
        """A context in which the bar is shown, if the console is a terminal, and maybe a text below it."""
        if self.quiet or not self.console.is_terminal:
            yield
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[speed]:,.0f} " + f"{self.of}/s"),
            TimeRemainingColumn(),
        )
        try:
            with _Bar(*columns, console=self.console, transient=True) as self._bar:
                self._bar.below = below
                self._task = self._bar.add_task("", total=self.steps, speed=0.0)
                yield
        finally:
            self._bar = None

    def expect(self, steps: int) -> None:
        """Set the number of steps to make, if it was not known before."""
        if self.steps != steps:
            self.steps = steps
            if self._bar:
                self._bar.update(self._task, total=steps)

    def compiling(self, name: str, number: int, count: int) -> None:
        """Show the kernel that is being compiled, its number, and the number of kernels; in a log, a single line."""
        if self._bar:
            text = f"compiling kernel {number} of {count}, {name} (first run only)"
            self._bar.update(self._task, description=text, refresh=True)
        elif number == 1 and not self.quiet:
            self.console.print("compiling kernels (first run only) ...")

    def step(self, done: int, phase: str = "") -> None:
        """Show the number of finished steps, if an update is due, and the kind of work."""
        now = time.perf_counter()
        if done == 1:
            self._began = self._shown_at = now
        if self.quiet or now - self._shown_at < (REFRESH if self._bar else LINES):
            return
        self._shown_at = now
        speed = (done - 1) / (now - self._began)
        if self._bar:
            text = f"{done:,} of {self.steps:,} {self.of} {phase}".rstrip()
            self._bar.update(self._task, completed=done, speed=speed, description=text)
        else:
            rest = (self.steps - done) / speed if speed else 0.0
            text = f"{done:,} of {self.steps:,} {self.of} {phase}".rstrip()
            self.console.print(f"{text}, {speed:,.0f} {self.of}/s, {rest:,.0f} s to go", highlight=False)


@contextmanager
def following(steps: int, *, quiet: bool, of: str = "steps") -> Iterator[Display]:
    """A context that shows the progress of a run on the error output, and each kernel that is compiled for it."""
    display = Display(Console(stderr=True), steps, quiet=quiet, of=of)
    with display.shown(), watched_compilation(begins=display.compiling):
        yield display


@contextmanager
def warming(console: Console, scenario: str, *, quiet: bool) -> Iterator[None]:
    """A context that shows each kernel that is compiled for a scenario: in one line on a terminal, else in a line each."""
    with ExitStack() as inside:
        status = inside.enter_context(console.status(scenario)) if console.is_terminal and not quiet else None

        def begins(name: str, number: int, count: int) -> None:
            text = f"{scenario}: compiling kernel {number} of {count}, {name}"
            if status is not None:
                status.update(text)
            elif not quiet:
                console.print(text)

        inside.enter_context(watched_compilation(begins=begins))
        yield
