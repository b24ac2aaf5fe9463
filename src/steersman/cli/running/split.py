"""`--split`: the processes of an mpiexec step one world together. The first one leads: it prints, writes and decides."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import typer

from steersman.cli.running.performance import Drive
from steersman.cli.running.starting import Performance
from steersman.runs.documents.problems import Problem, ScenarioError, message_of
from steersman.runs.documents.stage import Stage
from steersman.scaling.link import Link, MPILink
from steersman.scaling.split_world import SplitWorld, split_world

STEP, END = "step", "end"

PATIENCE = 30.0
"""Time that a process whose call is wrong waits for the first one, which says so and ends all [s]."""


class Team:
    """The processes of this mpiexec.

    Args:
        threads: The number of threads of each.

    Attributes:
        leads: Whether this process is the first one.

    Raises:
        ImportError: mpi4py is not installed.
    """

    def __init__(self, threads: int | None) -> None:
        self._link: Link = MPILink()
        self._threads, self._ended = threads or 1, False
        self.leads = self._link.rank == 0

    @contextmanager
    def leading(self) -> Iterator[None]:
        """A context in which the first process ends all others if it ends before its time: they wait for it."""
        try:
            yield
        except typer.Exit as error:
            if error.exit_code and not self._ended:
                self._link.quit(error.exit_code)
            raise
        except BaseException as error:
            self._link.fail(error)

    def led(self, performance: Performance) -> Performance:
        """The run of the first process, whose steps are those of all."""

        def drive() -> Drive:
            split = self._split(performance.stage)
            if performance.snapshots is not None:
                split.gather_when(performance.snapshots.when)

            def step() -> None:
                self._link.tell(STEP)
                split.step()

            def finish() -> None:
                self._link.tell(END)
                split.gather()
                self._ended = True

            return Drive(step, finish)

        return replace(performance, drive=drive)

    def follow(self, make: Callable[[], Stage]) -> None:
        """Make the steps that the first process asks for, and print nothing."""
        try:
            split = self._split(make())
        except Exception as error:
            time.sleep(PATIENCE)
            self._link.fail(error)
        while self._link.tell(None) == STEP:
            split.step()
        split.gather()

    def _split(self, stage: Stage) -> SplitWorld:
        """The world of a stage, split.

        Raises:
            ScenarioError: It cannot be split.
        """
        try:
            return split_world(stage.world, self._link, threads=self._threads)
        except ValueError as error:
            raise ScenarioError([Problem("--split", message_of(error))], stage.name) from error
