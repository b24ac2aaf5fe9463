"""How many people a second get through a doorway, over its width, for several trees: a table of which_combinator.md.

    python docs/make_doorway.py             # print the table
    python docs/make_doorway.py --write     # put it into the page

The scene is the scenario `doorway` with the usual 50 people; the table has the mean over three seeds. People per second is
counted from the first who is through to the last, or to the end of the run where somebody is left.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead
from steersman.gallery.registry import SCENARIOS

PAGE = Path(__file__).parent / "which_combinator.md"
BEGIN, END = "<!-- table: made by docs/make_doorway.py -->", "<!-- end of the doorway -->"

WIDTHS = (0.8, 1.2, 1.6, 2.4)
"""Of the door [m]."""

SEEDS = 3

Change = Callable[[sm.Stage], None]


def summed(it: sm.Priority) -> sm.Behavior:
    """All parts at once."""
    return sm.WeightedSum(it.components)


def truncated(it: sm.Priority) -> sm.Behavior:
    """All parts one after the other, until max_force is used up."""
    return sm.TruncatedSum(it.components, each="limit")


TREES: dict[str, Change] = {
    "`Priority([avoid + Queue, walk + apart])`": lambda _: None,
    "the same as a `WeightedSum`": instead(sm.Priority, summed),
    "the same as a `TruncatedSum`": instead(sm.Priority, truncated),
}


def measured(change: Change, width: float, seed: int) -> tuple[float, float, float, float]:
    """People a second, who is left, how deep two overlapped, and how deep one was in the wall [m]."""
    stage = SCENARIOS["doorway"].stage(seed=seed, threads=1, width=width)
    change(stage)
    stage.world.run(steps=stage.steps)
    meters = stage.meters
    waiting = meters["people.waiting"]
    times, inside = waiting.times, waiting.values
    through = np.flatnonzero(inside < inside[0])
    end = np.argmin(inside) if inside[-1] == 0 else len(inside) - 1
    spent = times[end] - times[through[0]] if len(through) else 0.0
    rate = (inside[through[0]] - inside[end]) / spent if spent > 0 else 0.0
    deep = meters["people.overlap"].greatest, meters["people.penetration"].greatest
    return float(rate), float(inside[-1]), *deep


def rows() -> list[str]:
    """The lines of the table."""
    lines = [
        f"| tree | {' | '.join(f'{width} m' for width in WIDTHS)} | left inside | overlap [m] | into the wall [m] |",
        "|---|" + "---:|" * (len(WIDTHS) + 3),
    ]
    for name, change in TREES.items():
        runs = np.array([[measured(change, width, seed) for seed in range(SEEDS)] for width in WIDTHS])
        rates = " | ".join(f"{rate:.2f}" for rate in runs[:, :, 0].mean(axis=1))
        _, left, overlap, wall = runs.max(axis=(0, 1))
        lines.append(f"| {name} | {rates} | {left:.0f} | {overlap:.2f} | {wall:.2f} |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Measure, print, and write on request."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    asked = parser.parse_args()
    table = "\n".join(rows())
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
