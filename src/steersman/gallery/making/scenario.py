"""A scenario: example, test, benchmark and picture at once.

A file with a function `make`, which sets the stage, and maybe a `check`, which judges it after the run. Those that come with
the library stand in `library/`; a user's own are read in the same way (`modules`).
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from steersman.core.kernels.thread_count import thread_count
from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.parameters import describe
from steersman.core.world.world import World
from steersman.runs.documents.limits import check_count
from steersman.runs.documents.problems import Problem, ScenarioError, reading
from steersman.runs.documents.schema import BuiltInCall
from steersman.runs.documents.stage import Check, Stage

Impostor = Callable[[Stage], None]
"""Changes a stage before its first step, so that its check must fail; see `impostors`."""


@dataclass(frozen=True)
class Scenario:
    """A scenario, as the last line of its file says it: `SCENARIO = Scenario(make, check, tags=("group",))`.

    Attributes:
        make: `make(*, n=20, seed=0, **own)` makes its stage, for n vehicles in its main population; the default of n is the
            usual number. Everything random comes from the seed. Instead of a Stage it may return a World: 10 s of it are run.
        check: Names the faults of a stage after the run, in sentences; nothing when it went as it should.
            None where nothing is judged.
        tags: Words to find it by.
        dimensions: 2 or 3.
        least, most: For which numbers of vehicles its check is meant; None where there is no end. With others it is run, too,
            and not judged.
        quick: A number of vehicles for which the check holds too, for a faster run; None for the usual one.
        impostors: Changes with which the check must fail: name -> a change to its stage.
        exempt: Standard impostors that are none here: name -> the reason (`tests/standard_impostors.py`).
        name: Its name. Default: that of its file.
        shows: Its description, in a sentence. Default: how the docstring of its file begins.
    """

    make: Callable[..., Any]
    check: Check | None = None
    tags: tuple[str, ...] = ()
    dimensions: int = 2
    least: int = 1
    most: int | None = None
    quick: int | None = None
    impostors: Mapping[str, Impostor] = field(default_factory=dict)
    exempt: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    shows: str = ""

    def __post_init__(self) -> None:
        module = sys.modules.get(self.make.__module__)
        about = inspect.cleandoc(module.__doc__ or "") if module is not None else ""
        name = self.name or self.make.__module__.rpartition(".")[2]
        shows = self.shows or " ".join(about.partition("\n\n")[0].split()) or name
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "shows", shows)

    @property
    def n(self) -> int:
        """The usual number of vehicles in its main population."""
        values = inspect.signature(self.make).parameters.get("n")
        return values.default if values is not None and isinstance(values.default, int) else 1

    @property
    def own(self) -> tuple[str, ...]:
        """Names of the parameters that it has of its own."""
        return tuple(name for name in inspect.signature(self.make).parameters if name not in ("n", "seed"))

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
        """The scenario, ready to run, with all its named items.

        Args:
            n: Number of vehicles of its main population. Default: as many as usual.
            seed: Seed of everything random.
            threads: How many threads the world uses.
            seconds: How long to run [s]. A run that is shorter than usual is not judged.
            dt: The time step [s].
            **params: Parameters of its own.

        Raises:
            ScenarioError: n, the seed or a parameter is not allowed.
        """
        self._check_arguments({"n": n, "seed": seed, "seconds": seconds, "dt": dt}, params)
        values = {"n": self.n if n is None else n, "seed": seed}
        takes = inspect.signature(self.make).parameters
        try:
            stage = self.make(**{name: value for name, value in values.items() if name in takes}, **params)
            stage = Stage(stage) if isinstance(stage, World) else stage
            if not isinstance(stage, Stage):
                raise TypeError(f"make must return a Stage or a World, got {stage!r}")
            stage.world.dt = stage.world.dt if dt is None else dt
            stage.world.threads = thread_count(threads)
        except ScenarioError:
            raise
        except (TypeError, ValueError) as error:
            raise ScenarioError([Problem("", str(error))], self.name) from error
        judged = (seconds is None or seconds >= stage.seconds) and self.least <= values["n"] <= (
            self.most or values["n"]
        )
        stage.name, stage.description = self.name, stage.description or self.shows
        stage.seconds = stage.seconds if seconds is None else seconds
        stage.check = self.check if judged else None
        stage.recall = {"scenario": self.name, **values} | ({"params": params} if params else {})
        return stage

    def _check_arguments(self, values: Mapping[str, Any], params: Mapping[str, Any]) -> None:
        """Raise ScenarioError for all that is not allowed."""
        problems = []
        for about in describe(BuiltInCall):
            try:
                if values.get(about.name) is not None:
                    replace(about, optional=False).normal(values[about.name])
            except (TypeError, ValueError) as error:
                problems.append(Problem(about.name, str(error)))
        problems += self.unknown(params)
        if problems:
            raise ScenarioError(problems, self.name)
        if values["n"] is not None:
            with reading(self.name, place=("n",)):
                check_count(values["n"])

    def unknown(self, params: Mapping[str, Any]) -> list[Problem]:
        """The arguments that are no parameters of its own."""
        return [
            Problem(f"params.{name}", f"there is no parameter {name!r}{suggestion(name, self.own, label='parameters')}")
            for name in params
            if name not in self.own
        ]

    def build(self, *, n: int | None = None, seed: int = 0, **params: Any) -> World:
        """The scenario's world, ready to run.

        Args:
            n: Number of vehicles of its main population. Default: as many as usual.
            seed: Seed of everything random.
            **params: Parameters of its own.

        Raises:
            ScenarioError: n, the seed or a parameter is not allowed.
        """
        return self.stage(n=n, seed=seed, **params).world
