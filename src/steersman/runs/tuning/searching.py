"""Searching: which values are tried next: CMA-ES for numbers and one goal, Optuna for the rest.

Both propose a generation at a time, of a size that does not depend on the number of processors; so the same seed finds
the same values everywhere.
"""

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from steersman.core.typing import Array
from steersman.runs.sweeps.design import Choice, Span

METHODS = ("cmaes", "optuna")
BATCH = 8
"""How many candidates Optuna proposes at a time, where there is one goal."""

Values = tuple[Any, ...]


class Search(Protocol):
    """Proposes values, and learns their costs."""

    def ask(self) -> list[Values]:
        """The next generation."""

    def tell(self, costs: Array) -> None:
        """The costs of the candidates of the generation, shape (candidates, goals); NaN for those that failed."""


class Cmaes:
    """The covariance matrix adaptation evolution strategy, in the unit cube.

    Hansen and Ostermeier 2001, Evolutionary Computation 9.
    """

    def __init__(self, axes: Mapping[str, Span], start: Sequence[Any], seed: int, budget: int) -> None:
        from cmaes import CMA

        self._axes = list(axes.values())
        count = max(2, len(self._axes))  # It needs two dimensions; the second one does nothing then.
        mean = np.full(count, 0.5)
        for k, (axis, value) in enumerate(zip(self._axes, start, strict=True)):
            if axis.holds(value):
                mean[k] = axis.quantile(value)
        self._cma = CMA(mean=mean, sigma=0.25, bounds=np.tile([0.0, 1.0], (count, 1)), seed=seed)
        self._points: list[Array] = []

    def ask(self) -> list[Values]:
        """The next generation."""
        self._points = [self._cma.ask() for _ in range(self._cma.population_size)]
        return [tuple(axis.at(np.array([x[k]]))[0] for k, axis in enumerate(self._axes)) for x in self._points]

    def tell(self, costs: Array) -> None:
        """The costs of the proposed values."""
        worst = [math.inf if math.isnan(cost) else float(cost) for cost in costs[:, 0]]
        self._cma.tell(list(zip(self._points, worst, strict=True)))


class Optuna:
    """Optuna's samplers: TPE for one goal, NSGA-II for several.

    Bergstra et al. 2011; Deb et al. 2002.
    """

    def __init__(
        self, axes: Mapping[str, Choice | Span], start: Sequence[Any], seed: int, budget: int, goals: int
    ) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._optuna, self._axes = optuna, axes
        self._batch = BATCH if goals == 1 else min(40, max(8, budget // 8))
        sampler = (
            optuna.samplers.TPESampler(seed=seed)
            if goals == 1
            else optuna.samplers.NSGAIISampler(seed=seed, population_size=self._batch)
        )
        self._study = optuna.create_study(directions=["minimize"] * goals, sampler=sampler)
        if first := self._named(start):
            self._study.enqueue_trial(first)
        self._trials: list[Any] = []

    def _named(self, start: Sequence[Any]) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for (path, axis), value in zip(self._axes.items(), start, strict=True):
            if isinstance(axis, Choice) and value in axis.values:
                named[path] = axis.values.index(value)
            elif isinstance(axis, Span) and axis.holds(value):
                first, last = axis.whole_ends
                named[path] = min(max(round(value), first), last) if axis.whole else float(value)
        return named

    def ask(self) -> list[Values]:
        """The next generation."""
        self._trials = [self._study.ask() for _ in range(self._batch)]
        return [tuple(self._value(trial, path, axis) for path, axis in self._axes.items()) for trial in self._trials]

    def _value(self, trial: Any, path: str, axis: Choice | Span) -> Any:
        if isinstance(axis, Choice):
            return axis.values[trial.suggest_categorical(path, list(range(len(axis.values))))]
        if axis.whole:
            return trial.suggest_int(path, *axis.whole_ends)
        return trial.suggest_float(path, axis.low, axis.high, log=axis.log)

    def tell(self, costs: Array) -> None:
        """The costs of the proposed values."""
        failed = self._optuna.trial.TrialState.FAIL
        for trial, cost in zip(self._trials, costs, strict=True):
            if np.isfinite(cost).all():
                self._study.tell(trial, cost.tolist())
            else:
                self._study.tell(trial, state=failed)


def new_search(
    axes: Mapping[str, Any], start: Sequence[Any], *, goals: int, budget: int, seed: int, method: str | None
) -> Search:
    """A search for values.

    Args:
        axes: Path -> the values that it takes.
        start: The values of the scenario as it is; None where they are not known.
        goals: The number of goals.
        budget: How many candidates may be tried.
        seed: Its seed.
        method: "cmaes" or "optuna". Default: CMA-ES for ranges of numbers and one goal, else Optuna.

    Raises:
        ValueError: There is no such method, or it does not fit.
        ImportError: The package for it is not installed.
    """
    for path, axis in axes.items():
        if not isinstance(axis, (Choice, Span)):
            raise TypeError(f"{path} must be a range {{low, high}} or a list of values to be tuned")
    if not axes:
        raise ValueError("at least one path must be given, with a range or a list of values")
    plain = {path: axis for path, axis in axes.items() if isinstance(axis, Span) and not axis.whole}
    chosen = method or ("cmaes" if goals == 1 and len(plain) == len(axes) else "optuna")
    if chosen not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if find_spec(chosen) is None:
        raise ImportError(f'tuning needs {chosen} here; please run: pip install "steersman[tune]"')
    if chosen == "optuna":
        return Optuna(axes, start, seed, budget, goals)
    if goals > 1 or len(plain) < len(axes):
        raise ValueError("cmaes is for ranges of numbers and one goal; use optuna")
    return Cmaes(plain, start, seed, budget)
