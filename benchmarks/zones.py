"""Couzin's phases: groups by the width of their zone of orientation, which is made wider step by step, and narrower again.

    python -m benchmarks.zones            # prints the table
    python -m benchmarks.zones --write    # writes table and picture into docs/animals.md

Couzin et al. 2002, figures 3 and 5: 100 individuals at 3 m/s, which turn by 40 degrees a second at most, see 270 degrees, and
miss their heading by 0.05 rad, ten times a second. The radius of repulsion is 1 m, the zone of attraction 14 m wide. Each
width is held for 400 s, then the group is measured over 100 s. All goes on from the group as it is, so its past counts.
"""

import argparse
import math
from collections import Counter
from pathlib import Path

import numpy as np

import steersman as sm
from steersman import metrics

DOCS = Path(__file__).parents[1] / "docs"
PAGE, PICTURE = DOCS / "animals.md", DOCS / "zones.png"
BEGIN, END = "<!-- table: made by benchmarks/zones -->", "<!-- end of the table -->"

N, SPEED, RATE, STEP = 100, 3.0, math.radians(40), 0.1
REPULSION, ATTRACTION = 1.0, 14.0
WIDTHS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 14.0)
SETTLING, READINGS = 4000, 50
SEEDS = 10

Reading = tuple[float, float]
"""Polarization and milling."""


def rule(width: float) -> sm.Zones:
    """The law with a zone of orientation so wide [m]."""
    rim = REPULSION + width
    return sm.Zones(REPULSION, rim, rim + ATTRACTION, angle=math.radians(270), error=0.05)


def group(seed: int) -> sm.World:
    """Individuals in a ball of 3 m, each heading its own way."""
    rng = np.random.default_rng(seed)
    place, heading = rng.normal(size=(2, N, 3))
    place *= 3 * rng.uniform(0, 1, (N, 1)) ** (1 / 3) / np.linalg.norm(place, axis=1, keepdims=True)
    heading *= SPEED / np.linalg.norm(heading, axis=1, keepdims=True)
    fish = sm.Vehicles(place, heading, max_speed=SPEED, max_force=1e6, response_time=0)
    world = sm.World(dt=STEP, seed=seed, threads=1)
    world.add(fish, steering=rule(0.0), locomotion=sm.PointMass(limits=[sm.ConstantSpeed(rate=RATE)]), name="fish")
    return world


def measure(world: sm.World, width: float, settling: int = SETTLING, readings: int = READINGS) -> Reading:
    """Go on with a width until the group has settled, and take means."""
    fish = world.populations["fish"]
    fish.steering = rule(width)
    world.run(steps=settling)
    taken = []
    for _ in range(readings):
        world.run(steps=20)
        taken.append((metrics.polarization(fish.vehicles), metrics.milling(fish.vehicles)))
    polarization, milling = np.mean(taken, axis=0).tolist()
    return polarization, milling


def hysteresis(seed: int) -> tuple[list[Reading], list[Reading]]:
    """All widths from the narrowest to the widest, and back; both in the order of WIDTHS."""
    world = group(seed)
    up = [measure(world, width) for width in WIDTHS]
    down = [up[-1], *(measure(world, width) for width in WIDTHS[-2::-1])]
    return up, down[::-1]


def phase(polarization: float, milling: float) -> str:
    """The collective behavior, by the words of the paper: low is below 0.4, high above 0.6."""
    if polarization > 0.6:
        return "parallel"
    return "torus" if milling > 0.6 else "swarm" if milling < 0.4 else "between swarm and torus"


def counted(phases: list[str]) -> str:
    """How many groups are in which phase, the most frequent first; the phase alone where all agree."""
    counts = Counter(phases).most_common()
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{count} {each}" for each, count in counts)


def table(found: np.ndarray) -> str:
    """Means and standard deviations over seeds as Markdown; `found` has the shape (seeds, 2 ways, widths, 2 measures)."""
    lines = [
        "| width [m] | wider: polarization | milling | | narrower: polarization | milling | |",
        "|--:|--:|--:|---|--:|--:|---|",
    ]
    mean, spread = found.mean(axis=0), found.std(axis=0)
    for k, width in enumerate(WIDTHS):
        cells = [f"{width:g}"]
        for way in range(2):
            cells += [f"{m:.2f} ± {s:.2f}" for m, s in zip(mean[way, k], spread[way, k], strict=True)]
            cells.append(counted([phase(*each) for each in found[:, way, k]]))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def chart(found: np.ndarray, file: Path) -> None:
    """Both measures over the width, both ways."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
    for k, (axis, title) in enumerate(zip(axes, ("polarization", "milling (angular momentum)"), strict=True)):
        for way, label, color, mark in ((0, "made wider", "#1f6f8b", "o"), (1, "made narrower", "#c8553d", "s")):
            mean, spread = found[:, way, :, k].mean(axis=0), found[:, way, :, k].std(axis=0)
            axis.errorbar(WIDTHS, mean, spread, color=color, marker=mark, markersize=4, capsize=2, label=label)
        axis.set(title=title, xlabel="width of the zone of orientation [m]", ylim=(0, 1.05))
        axis.grid(alpha=0.3)
    axes[0].legend(frameon=False)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--write", action="store_true", help="write the table and the picture into docs/")
    given = parser.parse_args()
    found = np.array([hysteresis(seed) for seed in range(given.seeds)])
    made = table(found)
    print(made)
    if given.write:
        page = PAGE.read_text()
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}")
        chart(found, PICTURE)


if __name__ == "__main__":
    main()
