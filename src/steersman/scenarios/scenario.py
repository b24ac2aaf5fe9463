"""A built-in scenario: example, test, benchmark and picture at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from steersman.scenarios.problems import Problem, ScenarioError
from steersman.scenarios.stage import Stage, set_stage
from steersman.world.world import World


@dataclass(frozen=True)
class Scenario:
    """A scenario that comes with the library.

    Attributes:
        name: Its name.
        shows: What it shows, in a sentence.
        tags: Words to find it by.
        dimensions: 2 or 3.
        n: Usual number of vehicles of its main population.
        document: Writes its document: called with n, seed and parameters of its own.
        check: Says what is wrong with a world after the run, in sentences; nothing when it went as it should.
    """

    name: str
    shows: str
    tags: tuple[str, ...]
    dimensions: int
    n: int
    document: Callable[..., dict[str, Any]]
    check: Callable[[World], Sequence[str]]

    def write(self, *, n: int | None = None, seed: int = 0, **params: Any) -> dict[str, Any]:
        """The scenario as a document.

        Args:
            n: Number of vehicles of its main population.
            seed: Seed of everything random.
            **params: Parameters of its own.

        Raises:
            ScenarioError: n is less than 1.
        """
        if n is not None and n < 1:
            raise ScenarioError([Problem("n", f"n must be a whole number >= 1, got {n!r}")], self.name)
        head = {"name": self.name, "description": self.shows, "seed": seed}
        return {**head, **self.document(n=self.n if n is None else n, seed=seed, **params)}

    def stage(self, *, n: int | None = None, seed: int = 0, threads: int | None = None, **params: Any) -> Stage:
        """The scenario, ready to run, with everything in it that has a name."""
        return set_stage(self.write(n=n, seed=seed, **params), source=self.name, threads=threads)

    def build(self, *, n: int | None = None, seed: int = 0, **params: Any) -> World:
        """The scenario's world, ready to run.

        Args:
            n: Number of vehicles of its main population.
            seed: Seed of everything random.
            **params: Parameters of its own.

        Raises:
            ScenarioError: n, the seed or a parameter is not allowed.
        """
        return self.stage(n=n, seed=seed, **params).world
