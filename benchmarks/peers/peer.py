"""What a peer is: a program that does some of the work."""

import importlib
import importlib.metadata
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from benchmarks.peers.work import Array, Work


class Running(ABC):
    """A workload that a peer has made, ready to be stepped."""

    @abstractmethod
    def place(self, position: Array, velocity: Array) -> None:
        """Begin anew from there; arrays of shape (n, 2)."""

    @abstractmethod
    def step(self) -> None:
        """One step of the workload."""

    @abstractmethod
    def read(self) -> tuple[Array, Array]:
        """Positions and velocities now, shape (n, 2)."""

    def steps(self, count: int) -> float:
        """Make so many steps; returns what they took [s]."""
        step = self.step
        start = time.perf_counter()
        for _ in range(count):
            step()
        return time.perf_counter() - start

    def close(self) -> None:  # noqa: B027 - most have nothing of the kind
        """Let go of what is outside of Python."""


class Peer(ABC):
    """A program, by name.

    Attributes:
        name: As it stands in tables.
        how: A line on how it does the work.
        packages: The packages of Python that it needs.
    """

    name: str
    how: str
    packages: tuple[str, ...] = ()
    makes: dict[str, Callable[[Work, int, int], Running]]

    def versions(self) -> str:
        """What was measured."""
        return " ".join(f"{name} {importlib.metadata.version(name)}" for name in self.packages)

    def missing(self) -> str | None:
        """Why it cannot run here at all, or None."""
        for name in self.packages:
            try:
                importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                return f"{name} is not installed"
        return None

    def can(self, work: Work, n: int) -> str | None:
        """Why it does not do this work with so many, or None."""
        return None if work.name in self.makes else "it has nothing for it"

    def make(self, work: Work, n: int, seed: int) -> Running:
        """The work, at its start."""
        running = self.makes[work.name](work, n, seed)
        running.place(*work.starts(n, seed))
        return running
