"""Try everybody on the scenes, and write the tables and pictures of docs/quality.md.

    python -m benchmarks.quality                          # everything
    python -m benchmarks.quality doorway corridor         # only print some scenes
    python -m benchmarks.quality --seeds 20 doorway

All scenes with the usual number of seeds are written to docs/benchmarks/quality.csv, a picture a scene (of seed 0) beside it,
and the tables into the page, between its markers.
"""

import argparse
import csv
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

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


def told(column: int, value: float) -> str:
    """A number of a table."""
    if Judged._fields[column] == "success":
        return f"{100 * value:.0f}%"
    return f"{value:.{DIGITS[column]}f}"


def table(found: dict[str, list[Judged]]) -> list[str]:
    """The lines of a table, the best of each column in bold."""
    rows = {who: [told(k, value) for k, value in enumerate(summed_up(runs))] for who, runs in found.items()}
    best = [
        (min if less else max)((row[k] for row in rows.values()), key=lambda text: float(text.strip("%")))
        for k, less in enumerate(LESS_IS_BETTER)
    ]
    lines = [f"| | {' | '.join(HEADS.values())} |", "|---|" + "---:|" * len(HEADS)]
    for who, row in rows.items():
        cells = [f"**{text}**" if text == best[k] else text for k, text in enumerate(row)]
        lines.append(f"| {who} | {' | '.join(cells)} |")
    return lines


def write_csv(tried: list[Tried]) -> None:
    """Every run: scene, who, seed, and the numbers."""
    with (FOLDER / "quality.csv").open("w", newline="", encoding="utf-8") as file:
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
    PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + END + rest.split(END)[1], encoding="utf-8")


def main() -> None:
    """Try, print, and write when all scenes were tried."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"one or more of {', '.join(SCENES)}; default: all")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="processes at once")
    asked = parser.parse_args()
    if unknown := set(asked.scenes) - set(SCENES):
        parser.error(f"there is no scene {', '.join(sorted(unknown))}")
    names = asked.scenes or list(SCENES)
    whole = names == list(SCENES) and asked.seeds == SEEDS and not missing()
    for name in missing():
        print(f"{name} is left out: pip install {PEERS[name][0]}", flush=True)
    with ProcessPoolExecutor(asked.jobs) as pool:
        tried = []
        for name, found in pool.map(try_scene, [(name, asked.seeds, whole) for name in names]):
            tried.append((name, found))
            print("\n".join([f"\n{name}", *table(found)]), flush=True)
    if whole:
        write_csv(tried)
        write_page(tried)


if __name__ == "__main__":
    main()
