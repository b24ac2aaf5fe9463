"""All stories, tried: every scenario with many seeds and numbers of vehicles, and every impostor.

    python -m tests.stories                      # all scenarios: 20 seeds, every n, every impostor
    python -m tests.stories seek_flee doorway    # some of them
    python -m tests.stories --seeds 3 --quick    # in a hurry
    python -m tests.stories --first 100          # seeds 100 to 119, and impostors with seed 101

A scenario is told well when its check passes for every seed and number of vehicles, and fails for each of its impostors.
"""

import argparse
import os
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

from steersman.gallery.making.impostors import remove_steering
from steersman.gallery.making.scenario import Impostor, Scenario
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.stage import Stage
from tests.standard_impostors import standard_impostors

NOBODY = "nobody steers"
"""The impostor of all scenarios."""


class Trial(NamedTuple):
    """One run of a scenario.

    Attributes:
        scenario: Its name.
        n: How many vehicles its main population has.
        seed: Seed of everything random.
        impostor: Who takes part instead; "" for the scenario as it is.
    """

    scenario: str
    n: int
    seed: int
    impostor: str = ""

    def problems(self) -> list[str]:
        """What its check says."""
        scenario = SCENARIOS[self.scenario]
        stage = scenario.stage(n=self.n, seed=self.seed, threads=1)
        if self.impostor:
            all_impostors(scenario, stage)[self.impostor](stage)
        stage.world.run(steps=stage.steps)
        return stage.problems()


def all_impostors(scenario: Scenario, stage: Stage) -> dict[str, Impostor]:
    """All that must not pass for a stage before its first step, by name."""
    standard = standard_impostors(stage)
    if stale := set(scenario.exempt) - set(standard):
        raise ValueError(f"{scenario.name} is exempt from what there is not: {sorted(stale)}")
    standard = {name: each for name, each in standard.items() if name not in scenario.exempt}
    return {NOBODY: remove_steering, **standard, **scenario.impostors}


def impostors_of(scenario: Scenario, n: int | None = None) -> tuple[str, ...]:
    """The names of impostors that must not pass.

    Args:
        scenario: Whose impostors.
        n: The number of vehicles. Default: the quick one.
    """
    return tuple(all_impostors(scenario, scenario.stage(n=n or scenario.quick, seed=1, threads=1)))


def sizes_of(scenario: Scenario) -> list[int]:
    """The numbers of vehicles that are tried: the least, quick, usual and most, where they are said."""
    return sorted({scenario.least, scenario.quick or scenario.n, scenario.n, scenario.most or scenario.n})


def trials(scenario: Scenario, seeds: int, *, quick: bool, first: int = 0) -> Iterator[Trial]:
    """What is tried of a scenario, with seeds from `first` on."""
    usual = (scenario.quick if quick else None) or scenario.n
    for seed in range(first, first + seeds):
        yield Trial(scenario.name, usual, seed)
    if not quick:
        for n in sizes_of(scenario):
            if n != usual:
                yield Trial(scenario.name, n, first + 1)
    for impostor in impostors_of(scenario, usual):
        yield Trial(scenario.name, usual, first + 1, impostor)


def tried(trial: Trial) -> tuple[Trial, list[str], float]:
    """A trial, what was wrong, and how long it took [s]."""
    began = time.perf_counter()
    try:
        problems = trial.problems()
    except Exception:
        problems = ["raised: " + traceback.format_exc(limit=-2).replace("\n", " | ")]
    return trial, problems, time.perf_counter() - began


def main() -> int:
    """Try what is asked for; 0 when all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios; default: all")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed")
    parser.add_argument("--quick", action="store_true", help="the quick number of vehicles alone")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    chosen = [SCENARIOS[name] for name in asked.names or SCENARIOS]
    wanted = [trial for each in chosen for trial in trials(each, asked.seeds, quick=asked.quick, first=asked.first)]
    found: list[tuple[Trial, list[str], float]] = []
    with ProcessPoolExecutor(asked.processes) as pool:
        for future in as_completed([pool.submit(tried, trial) for trial in wanted]):
            found.append(future.result())
            if sys.stderr.isatty():
                print(f"\r{len(found)} of {len(wanted)} runs", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return report(chosen, found)


def report(chosen: list[Scenario], found: list[tuple[Trial, list[str], float]]) -> int:
    """Print the table, and everything that is not as it should be."""
    print(f"{'scenario':32} {'passed':>9} {'caught':>9} {'slowest':>9}")
    wrong = []
    for scenario in chosen:
        own = [each for each in found if each[0].scenario == scenario.name]
        true = [each for each in own if not each[0].impostor]
        false = [each for each in own if each[0].impostor]
        passed, caught = sum(not problems for _, problems, _ in true), sum(bool(problems) for _, problems, _ in false)
        slowest = max(seconds for *_, seconds in own)
        print(f"{scenario.name:32} {passed:4}/{len(true):<4} {caught:4}/{len(false):<4} {slowest:7.1f} s")
        wrong += [(trial, problems) for trial, problems, _ in true if problems]
        wrong += [(trial, ["its check passes"]) for trial, problems, _ in false if not problems]
        wrong += [(trial, problems) for trial, problems, _ in false if problems and problems[0].startswith("raised")]
    for trial, problems in sorted(wrong):
        about = f", {trial.impostor}" if trial.impostor else ""
        print(f"{trial.scenario} n={trial.n} seed={trial.seed}{about}: {'; '.join(problems)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
