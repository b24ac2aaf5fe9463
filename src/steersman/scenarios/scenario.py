"""A built-in scenario: example, test, benchmark and picture at once.

Most are documents, as users write them in TOML. What a document cannot say (a function, an observer, a metric of one's own)
is said by a scenario that is made in Python.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from steersman.geometry.guiding import suggestion
from steersman.scenarios.limits import check_count
from steersman.scenarios.problems import Problem, ScenarioError, reading
from steersman.scenarios.stage import Stage, set_stage
from steersman.world.clock import check_dt
from steersman.world.workers import thread_count
from steersman.world.world import World


@dataclass(frozen=True)
class Scenario:
    """A scenario that comes with the library. It has a `document` or a `make`.

    Attributes:
        name: Its name.
        shows: What it shows, in a sentence.
        tags: Words to find it by.
        dimensions: 2 or 3.
        n: Usual number of vehicles of its main population.
        check: Says what is wrong with a world after the run, in sentences; nothing when it went as it should.
            None where nothing is judged.
        document: Writes its document: called with n, seed and parameters of its own.
        make: Makes its stage: called with n, seed and parameters of its own. Everything random comes from the seed.
        quick: A number of vehicles for which the check holds too, for those in a hurry; None for n.
    """

    name: str
    shows: str
    tags: tuple[str, ...]
    dimensions: int
    n: int
    check: Callable[[World], Sequence[str]] | None
    document: Callable[..., dict[str, Any]] | None = None
    make: Callable[..., Stage] | None = None
    quick: int | None = None

    def __post_init__(self) -> None:
        if (self.document is None) == (self.make is None):
            raise ValueError(f"scenario {self.name!r} must have either a document or a make")

    def write(self, *, n: int | None = None, seed: int = 0, **params: Any) -> dict[str, Any]:
        """The scenario as a document. For one that is made in Python, this says by what to make it again.

        Args:
            n: Number of vehicles of its main population.
            seed: Seed of everything random.
            **params: Parameters of its own.

        Raises:
            ScenarioError: n is less than 1, or there is no such parameter.
        """
        n = self.n if n is None else n
        if n < 1:
            raise ScenarioError([Problem("n", f"n must be a whole number >= 1, got {n!r}")], self.name)
        with reading(self.name, place=("n",)):
            check_count(n)
        self._check_params(params)
        head = {"name": self.name, "description": self.shows, "seed": seed}
        if self.document is not None:
            return {**head, **self.document(n=n, seed=seed, **params)}
        return {"scenario": self.name, "n": n, "seed": seed} | ({"params": params} if params else {})

    def stage(
        self,
        *,
        n: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        seconds: float | None = None,
        dt: float | None = None,
        **params: Any,
    ) -> Stage:
        """The scenario, ready to run, with everything in it that has a name.

        Args:
            n: Number of vehicles of its main population.
            seed: Seed of everything random.
            threads: How many threads the world uses.
            seconds: How long to run [s]. A run that is shorter than usual is not judged.
            dt: The time step [s].
            **params: Parameters of its own.

        Raises:
            ScenarioError: n, the seed or a parameter is not allowed.
        """
        document = self.write(n=n, seed=seed, **params)
        recall = {"scenario": self.name, "n": self.n if n is None else n, "seed": seed}
        if self.make is None:
            stage = set_stage(document | _given(seconds=seconds, dt=dt), source=self.name, threads=threads, trust=True)
            usual = float(document.get("seconds", 0.0))
        else:
            stage = self._made(document, params, seconds, dt)
            usual, stage.seconds = stage.seconds, stage.seconds if seconds is None else seconds
            stage.world.threads = thread_count(threads)
        stage.check = self.check if stage.seconds >= usual else None
        stage.recall = recall | ({"params": params} if params else {})
        return stage

    def _made(self, document: dict[str, Any], params: dict[str, Any], seconds: float | None, dt: float | None) -> Stage:
        assert self.make is not None
        if document["seed"] < 0:
            problem = Problem("seed", f"seed must be a whole number >= 0, got {document['seed']!r}")
            raise ScenarioError([problem], self.name)
        try:
            stage = self.make(n=document["n"], seed=document["seed"], **params)
            if dt is not None:
                stage.world.dt = check_dt(dt)
        except ScenarioError:
            raise
        except (TypeError, ValueError) as error:
            raise ScenarioError([Problem("", str(error))], self.name) from error
        stage.name, stage.description = self.name, stage.description or self.shows
        return stage

    def _check_params(self, params: dict[str, Any]) -> None:
        source: Any = self.document or self.make
        known = [name for name in inspect.signature(source).parameters if name not in ("n", "seed")]
        problems = [
            Problem(f"params.{name}", f"there is no parameter {name!r}{suggestion(name, known, what='parameters')}")
            for name in params
            if name not in known
        ]
        if problems:
            raise ScenarioError(problems, self.name)

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


def _given(**settings: Any) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}
