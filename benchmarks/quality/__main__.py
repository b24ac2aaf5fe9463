"""Try everybody on the scenes, and write the tables and pictures of docs/quality.md.

    python -m benchmarks.quality                          # everything
    python -m benchmarks.quality doorway corridor         # only print some scenes
    python -m benchmarks.quality --seeds 40 doorway
    python -m benchmarks.quality doorway --against docs/benchmarks/quality.csv    # and print what has changed since

All scenes are written to docs/benchmarks/quality.csv, a picture a scene (of seed 0) beside it, and the tables into the page,
between its markers.

Where many meet, a run is chaotic: a rounding that differs changes it as much as another start does. So a difference counts
only where it is several times its standard error over the seeds.
"""

import argparse
import csv
import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality.charts import chart
from benchmarks.quality.free_ways import free_times
from benchmarks.quality.judging import LESS_IS_BETTER, Judged, judge
from benchmarks.quality.scenes import SCENES, scene_of
from benchmarks.quality.steerings import PEERS, missing, walks

DOCS = Path(__file__).parents[2] / "docs"
FOLDER, PAGE = DOCS / "benchmarks", DOCS / "quality.md"
BEGIN, END = "<!-- tables: made by benchmarks/quality -->", "<!-- end of the tables -->"

SEEDS = 5

ERRORS, RARE = 2.0, 4.0
"""Standard errors beyond which two means differ; and beyond which one of the hundreds of a page has changed."""

WORTH = 0.05
"""Part of a mean that a change has to be to be told."""

HEADS = {
    "collisions": "collisions",
    "deepest": "deepest [m]",
    "success": "arrived",
    "late": "late [s]",
    "effort": "effort [m/s]",
    "jitter": "jitter [rad/s²]",
    "stuck": "stuck [s]",
}
"""Of the columns of a table."""

DIGITS = Judged(1, 3, 0, 2, 1, 1, 1)

Tried = tuple[str, dict[str, list[Judged]]]


def try_scene(task: tuple[str, int, bool]) -> Tried:
    """Everybody on one scene, with so many seeds; writes the picture if asked to."""
    name, seeds, draws = task
    scenes = [scene_of(name, seed) for seed in range(seeds)]
    free = [free_times(scene) for scene in scenes]
    found, shown = {}, {}
    for who, walk in walks().items():
        walked = [walk(scene) for scene in scenes]
        found[who] = [judge(*each) for each in zip(scenes, walked, free, strict=True)]
        shown[who] = walked[0]
    if draws:
        FOLDER.mkdir(exist_ok=True)
        chart(FOLDER / f"quality_{name}.png", scenes[0], shown)
    return name, found


def summed_up(runs: list[Judged]) -> Judged:
    """The means over the seeds, and the deepest of all overlaps."""
    means = np.mean(runs, axis=0)
    return Judged(*means)._replace(deepest=max(run.deepest for run in runs))


def error_of(values: Any) -> Any:
    """Standard errors of the means of rows; of few rows as much larger as Student's t scatters more than a normal number."""
    n = len(values)
    return np.std(values, axis=0, ddof=1) * ((n - 1) / max(n - 3, 1) / n) ** 0.5 if n > 1 else np.zeros_like(values[0])


def told(column: int, value: float, error: float) -> str:
    """A number of a table, and twice its standard error where that is not nothing."""
    percent = Judged._fields[column] == "success"
    texts = [f"{(100 if percent else 1) * each:.{DIGITS[column]}f}" for each in (value, ERRORS * error)]
    spread = f" ± {texts[1]}" if float(texts[1]) and Judged._fields[column] != "deepest" else ""
    return f"{texts[0]}{'%' * percent}{spread}"


def is_best(column: int, one: Any, best: Any) -> bool:
    """Whether runs are not told apart from the best, by their digits or by their differences with the same seeds."""
    alike = told(column, one.mean(), 0.0) == told(column, best.mean(), 0.0)
    return bool(alike or abs(np.mean(one - best)) <= ERRORS * error_of(one - best))


def table(found: dict[str, list[Judged]]) -> list[str]:
    """The lines of a table; in bold the best of each column, and all that are not told apart from it."""
    runs = {who: np.array(each, float) for who, each in found.items()}
    best = [
        (min if less else max)((each[:, k] for each in runs.values()), key=np.mean)
        for k, less in enumerate(LESS_IS_BETTER)
    ]
    lines = [f"| | {' | '.join(HEADS.values())} |", "|---|" + "---:|" * len(HEADS)]
    for who, each in runs.items():
        means, errors = summed_up(found[who]), error_of(each)
        cells = [told(k, means[k], errors[k]) for k in range(len(HEADS))]
        cells = [f"**{text}**" if is_best(k, each[:, k], best[k]) else text for k, text in enumerate(cells)]
        lines.append(f"| {who} | {' | '.join(cells)} |")
    return lines


def changes(new: dict[str, list[Judged]], old: dict[str, list[Judged]]) -> Iterator[str]:
    """What has changed by more than WORTH, and by more than RARE standard errors, of the seeds that both have."""
    for who in (each for each in new if each in old):
        one, two = (np.array(runs[: min(len(new[who]), len(old[who]))], float) for runs in (old[who], new[who]))
        before, after, error = one.mean(axis=0), two.mean(axis=0), error_of(two - one)
        for k, name in enumerate(HEADS.values()):
            if abs(after[k] - before[k]) > max(RARE * error[k], WORTH * abs(before[k])):
                better = (after[k] < before[k]) == LESS_IS_BETTER[k]
                words = f"{told(k, before[k], 0)} -> {told(k, after[k], error[k])}"
                yield f"{who}, {name}: {words}, {'better' if better else 'worse'}"


def read_csv(file: Path) -> dict[str, dict[str, list[Judged]]]:
    """The runs of a file that `write_csv` has written: scene -> who -> runs."""
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    return {
        scene: {
            who: [Judged(*map(float, row[3:])) for row in runs]
            for who, runs in itertools.groupby(those, lambda row: row[1])
        }
        for scene, those in itertools.groupby(rows, lambda row: row[0])
    }


def write_csv(tried: list[Tried], path: Path = FOLDER / "quality.csv") -> None:
    """Every run: scene, who, seed, and the numbers."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["scene", "steering", "seed", *Judged._fields])
        for name, found in tried:
            for who, runs in found.items():
                writer.writerows([name, who, k, *(f"{value:.4g}" for value in run)] for k, run in enumerate(runs))


def write_page(tried: list[Tried]) -> None:
    """Put tables and pictures into the page."""
    lines = []
    for name, found in tried:
        title = name.replace("_", " ").capitalize()
        lines += [f"### {title}", "", str(SCENES[name].__doc__).strip(), "", *table(found), ""]
        lines += [f"![{title}: the ways of all, with seed 0](benchmarks/quality_{name}.png)", ""]
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    seeds = len(next(iter(tried[0][1].values())))
    lines = [f"Means over {seeds} seeds ± twice their standard errors.", "", *lines]
    PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + END + rest.split(END)[1], encoding="utf-8")


def main() -> None:
    """Try, print, and write when all scenes were tried."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"one or more of {', '.join(SCENES)}; default: all")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--against", type=Path, metavar="CSV", help="print what has changed since these runs")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="processes at once")
    asked = parser.parse_args()
    if unknown := set(asked.scenes) - set(SCENES):
        parser.error(f"there is no scene {', '.join(sorted(unknown))}")
    names = asked.scenes or list(SCENES)
    whole = names == list(SCENES) and not missing()
    for name in missing():
        print(f"{name} is left out: pip install {PEERS[name][0]}", flush=True)
    before = read_csv(asked.against) if asked.against else {}
    with ProcessPoolExecutor(asked.jobs) as pool:
        tried = []
        for name, found in pool.map(try_scene, [(name, asked.seeds, whole) for name in names]):
            tried.append((name, found))
            print("\n".join([f"\n{name}", *table(found), *changes(found, before.get(name, {}))]), flush=True)
    if whole:
        write_csv(tried)
        write_page(tried)


if __name__ == "__main__":
    main()
