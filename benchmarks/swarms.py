"""Swarms beside published numbers: Vicsek's transition over the size of the system, and flocks with k neighbors or a radius.

    python -m benchmarks.swarms                          # prints the tables
    python -m benchmarks.swarms vicsek --seeds 2         # a part
    python -m benchmarks.swarms --keep FILE --write      # goes on with FILE; writes tables and pictures into docs/

Vicsek et al. 1995: particles at constant speed on a torus take the mean heading of all within one radius, turned by an angle
uniform in [-noise / 2, noise / 2]. Here four in a square of the radius, and a tenth of a radius in a step. Each size begins
at random with the least noise, and goes on from noise to noise.

Ballerini et al. 2008 and Camperi et al. 2012: flocks that go by the nearest few stay together where flocks that go by a
radius break apart. Here two such flocks, which have as many neighbors in their undisturbed state, meet the same obstacle,
in which each turns back. They have no less neighbors by the radius than by number.
"""

import argparse
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm
from steersman import metrics

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "validation.md"
PICTURE = DOCS / "benchmarks" / "swarms.png"
BEGIN, END = "<!-- swarms: made by benchmarks/swarms -->", "<!-- end of the swarms -->"

SIZES = (64, 256, 1024, 4096)
NOISES = (0.5, 1.5, 2.5, 3.0, 3.5, 3.8, 4.0, 4.2, 4.4, 4.6, 5.0, 5.5, 2 * math.pi)
DENSITY, STEP = 4.0, 0.1
SETTLING, READINGS, EVERY = 1000, 400, 10
SEEDS = 5
"""Of Vicsek's particles; flocks have twice as many."""

BETA, GAMMA, NU = 0.45, 2.3, 1.6
"""Exponents of Baglietto and Albano 2008: order, susceptibility, correlation length; with errors of 0.03, 0.4, 0.3."""

Numbers = dict[str, float]


# ------------------------------------------------------------------------------------------------ Vicsek


def particles(n: int, seed: int) -> sm.World:
    """Particles on a torus, with any heading."""
    rng = np.random.default_rng(seed)
    space = sm.Torus([math.sqrt(n / DENSITY)] * 2)
    place, heading = sm.spawn.inside(n, space, rng=rng), sm.spawn.any_direction(n, speed=1, rng=rng)
    swarm = sm.Vehicles(place, heading, radius=0, max_speed=1, max_force=100, response_time="step")
    world = sm.World(domain=space, seed=seed, dt=STEP, threads=1)
    world.add(swarm, name="particles", steering=rule(NOISES[0]))
    return world


def rule(noise: float) -> sm.Alignment:
    """Vicsek's law with a noise [rad]."""
    return sm.Alignment(law="vicsek", radius=1, speed=1, noise=noise)


def transition(n: int, seed: int, settling: int = SETTLING, readings: int = READINGS) -> dict[str, Numbers]:
    """The order over the noise: its mean, the susceptibility and Binder's cumulant."""
    world, found = particles(n, seed), {}
    swarm = world.populations["particles"]
    for noise in NOISES:
        swarm.steering = rule(noise)
        world.run(steps=settling)
        order = np.zeros(readings)
        for k in range(readings):
            world.run(steps=EVERY)
            order[k] = metrics.polarization(swarm.vehicles)
        found[f"{noise:.6g}"] = {
            "order": float(order.mean()),
            "susceptibility": float(metrics.susceptibility(order, n)),
            "binder": float(metrics.binder_cumulant(order)),
        }
    return found


# ------------------------------------------------------------------------------------------------ the nearest, or a radius


BIRDS, SPEED, ROCKS = 200, 4.0, (1.0, 2.0)


def flocking(k: int | None, radius: float) -> sm.Flocking:
    """A flock that goes by its nearest, or by all within a radius [m]; it keeps apart alike."""
    return sm.Flocking(
        k=k, separation_radius=1.0, alignment_radius=radius, cohesion_radius=radius, alignment_weight=1.0
    )


FLOCKS: dict[str, sm.Flocking] = {
    "nearest 7": flocking(7, math.inf),
    "radius 1.3 m": flocking(None, 1.3),
    "nearest 20": flocking(20, math.inf),
    "radius 1.75 m": flocking(None, 1.75),
}


def meeting(law: sm.Flocking, seed: int, rock: float) -> Numbers:
    """A flock in 3D that meets an obstacle of a radius [m]: each that comes into it turns back, regardless of others."""
    rng = np.random.default_rng(seed)
    place = rng.normal(size=(BIRDS, 3))
    place *= 4 * rng.uniform(0, 1, (BIRDS, 1)) ** (1 / 3) / np.linalg.norm(place, axis=1, keepdims=True)
    velocity = np.array([SPEED, 0, 0]) + rng.normal(0, 0.3, (BIRDS, 3))
    birds = sm.Vehicles(place, velocity, max_speed=SPEED, max_force=8, radius=0.2)
    middle = np.full(3, np.inf)

    def turn_back(vehicles: Any) -> Any:
        away = vehicles.position - middle
        distance = np.linalg.norm(away, axis=1, keepdims=True)
        inside = distance < rock
        wanted = SPEED * np.where(inside, away, 0.0) / np.where(inside, np.maximum(distance, 1e-9), 1.0)
        return np.where(inside, (wanted - vehicles.velocity) / 0.1, 0.0)

    world = sm.World(dt=0.05, seed=seed, threads=1)
    world.add(birds, name="birds", steering=sm.Priority([turn_back, law]))
    world.run(seconds=20)
    seventh = np.median(world.neighbors("birds", math.inf, k=7).distances.reshape(BIRDS, 7)[:, 6])
    neighbors = law.k or len(world.neighbors("birds", law.cohesion_radius).indices) / BIRDS
    heading = birds.velocity.mean(axis=0)
    reach = 2 * metrics.dispersion(birds) + rock
    middle[:] = metrics.center(birds) + reach * heading / np.linalg.norm(heading)
    before = metrics.cluster_count(birds, 2 * seventh)
    world.run(seconds=30)
    return {
        "neighbors": float(neighbors),
        "before": float(before),
        "parts": float(metrics.cluster_count(birds, 2 * seventh)),
        "largest": float(metrics.largest_cluster(birds, 2 * seventh)),
    }


# ------------------------------------------------------------------------------------------------ all of them


Key = tuple[str, str, float, int]
Runs = dict[Key, dict[str, Any]]


def keys(cases: Iterable[str], seeds: int) -> list[Key]:
    """What is to be run: the case, its law, its number and a seed."""
    each: dict[str, list[tuple[str, float]]] = {
        "vicsek": [("order", float(n)) for n in SIZES],
        "flocks": [(law, rock) for rock in ROCKS for law in FLOCKS],
    }
    return [(case, law, number, seed) for seed in range(seeds) for case in cases for law, number in each[case]]


def walk(key: Key) -> dict[str, Any]:
    """The numbers of one run."""
    case, law, number, seed = key
    return transition(int(number), seed) if case == "vicsek" else meeting(FLOCKS[law], seed, number)


def collected(wanted: list[Key], path: Path | None) -> Runs:
    """The numbers of all runs; those that a file of lines has are not computed again."""
    runs: Runs = {}
    if path is not None and path.exists():
        lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        runs = {(key[0], key[1], key[2], key[3]): found for key, found in lines}
    for key in wanted:
        if key not in runs:
            runs[key] = walk(key)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, runs[key]]) + "\n")
    return {key: runs[key] for key in wanted}


def over_seeds(runs: Runs, n: int, number: str) -> Any:
    """One number of a size at every noise, of all seeds; shape (seeds, noises)."""
    found = [each for key, each in runs.items() if key[:3] == ("vicsek", "order", float(n))]
    return np.array([[each[f"{noise:.6g}"][number] for noise in NOISES] for each in found])


# ------------------------------------------------------------------------------------------------ tables


def falling(order: Any) -> Any:
    """The exponent b of order ~ L^-b at every noise, from the means of some sizes; shape (sizes, noises) -> (noises,)."""
    side = 0.5 * np.log(np.array(SIZES[: len(order)], float))
    return -np.polyfit(side, np.log(order), 1)[0]


def peak(susceptibility: Any) -> tuple[float, float]:
    """The noise and the height of the peak: of the parabola of the logarithms through the greatest and its neighbors."""
    at = min(max(int(np.argmax(susceptibility)), 1), len(NOISES) - 2)
    noise, height = np.array(NOISES[at - 1 : at + 2]), np.log(susceptibility[at - 1 : at + 2])
    bow = np.polyfit(noise, height, 2)
    top = float(np.clip(-bow[1] / (2 * bow[0]), noise[0], noise[-1]))
    return top, float(np.exp(np.polyval(bow, top)))


def vicsek_tables(runs: Runs) -> list[str]:
    """The curve of each size, and the exponents beside those that were published."""
    shown = [0, 2, 3, 4, 6, 8, 10, 12]
    head = " | ".join(f"{NOISES[k]:.3g}" for k in shown)
    made = []
    for number, title in (("order", "order"), ("susceptibility", "susceptibility"), ("binder", "Binder cumulant")):
        made += [f"| {title}, by noise [rad] | {head} |", "|---|" + "---:|" * len(shown)]
        for n in SIZES:
            found = over_seeds(runs, n, number)
            cells = [f"{found[:, k].mean():.2f} ± {found[:, k].std():.2f}" for k in shown]
            made.append(f"| {n:,} particles, {len(found)} seeds | {' | '.join(cells)} |")
        if number == "order":
            falls = falling(np.array([over_seeds(runs, n, "order").mean(axis=0) for n in SIZES[:3]]))
            made.append(f"| b of L^-b, to {SIZES[2]:,} | {' | '.join(f'{falls[k]:.2f}' for k in shown)} |")
        made.append("")
    peaks = [peak(over_seeds(runs, n, "susceptibility").mean(axis=0)) for n in SIZES]
    made += [
        "| particles | side L [radii] | noise of the greatest susceptibility [rad] | there |",
        "|---:|---:|---:|---:|",
    ]
    made += [
        f"| {n:,} | {math.sqrt(n / DENSITY):g} | {noise:.2f} | {height:.3g} |"
        for n, (noise, height) in zip(SIZES, peaks, strict=True)
    ]
    side = 0.5 * np.log(np.array(SIZES[:3], float))
    grows = float(np.polyfit(side, [math.log(height) for _, height in peaks[:3]], 1)[0])
    passes = float(np.interp(BETA / NU, falls, NOISES))
    made += [
        "",
        "| | published | here |",
        "|---|---|---|",
        f"| the greatest susceptibility grows as L^(gamma/nu) | {GAMMA / NU:.2f} ± 0.37 | {grows:.2f}, up to {SIZES[2]:,} |",
        f"| the order at the critical noise falls as L^-(beta/nu) | {BETA / NU:.2f} ± 0.06 | so at a noise of {passes:.2f} |",
        f"| the order of full noise falls as 1/sqrt(n), L^-1 | 1 | {falls[-1]:.2f} |",
        "",
    ]
    return made


def flock_table(runs: Runs) -> list[str]:
    """What became of the flocks."""
    made = [
        "| flock that goes by | neighbors | obstacle [m] | parts before | parts after | part in the largest | stay whole |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for rock in ROCKS:
        for law in FLOCKS:
            found = [each for key, each in runs.items() if key[:3] == ("flocks", law, rock)]
            mean = {name: np.mean([each[name] for each in found]) for name in found[0]}
            parts, largest = ([each[name] for each in found] for name in ("parts", "largest"))
            made.append(
                f"| {law} | {mean['neighbors']:.0f} | {rock:g} | {mean['before']:.1f} | {mean['parts']:.1f} ± "
                f"{np.std(parts):.1f} | {mean['largest']:.2f} ± {np.std(largest):.2f} | "
                f"{sum(each == 1 for each in parts)} of {len(found)} |"
            )
    return [*made, ""]


def tables(runs: Runs) -> str:
    """All tables of those that were run."""
    cases = {key[0] for key in runs}
    made = vicsek_tables(runs) if "vicsek" in cases else []
    return "\n".join([*made, *(flock_table(runs) if "flocks" in cases else [])]).strip()


def chart(runs: Runs, file: Path) -> None:
    """Order and susceptibility over the noise, and the parts of flocks."""
    from matplotlib.figure import Figure

    from steersman.drawing.palette import FRAME, INK, PALETTE, PAPER

    figure = Figure(figsize=(11.0, 3.6), dpi=100, facecolor=PAPER, layout="constrained")
    axes = figure.subplots(1, 3)
    tints = [PALETTE[name] for name in ("gray", "green", "orange", "blue")]
    for axis, number in ((axes[0], "order"), (axes[1], "susceptibility")):
        for n, tint in zip(SIZES, tints, strict=True):
            found = over_seeds(runs, n, number)
            mean, error = found.mean(axis=0), found.std(axis=0)
            bars = np.stack([np.minimum(error, 0.8 * mean), error])  # A logarithm ends at zero.
            label = f"{n:,} particles"
            axis.errorbar(
                NOISES, mean, bars, color=tint, marker="o", markersize=3, linewidth=1.2, capsize=2, label=label
            )
        axis.set(xlabel="noise [rad]", title=f"{number}, Vicsek's law")
    axes[1].set_yscale("log")
    axes[0].legend(frameon=False, fontsize=7)
    for k, rock in enumerate(ROCKS):
        parts = [[each["parts"] for key, each in runs.items() if key[:3] == ("flocks", law, rock)] for law in FLOCKS]
        place = np.arange(len(FLOCKS)) + 0.4 * k - 0.2
        axes[2].bar(
            place, np.mean(parts, axis=1), 0.38, yerr=np.std(parts, axis=1), capsize=2,
            color=(PALETTE["blue"], PALETTE["orange"])[k], label=f"obstacle of {rock:g} m",
        )  # fmt: skip
    axes[2].set_xticks(range(len(FLOCKS)), [name.replace(" ", "\n", 1) for name in FLOCKS])
    axes[2].set(title="parts of a flock behind an obstacle")
    axes[2].legend(frameon=False, fontsize=7)
    for axis in axes:
        axis.title.set(fontsize=8, color=INK)
        axis.xaxis.label.set(fontsize=7, color=INK)
        axis.tick_params(labelsize=7, colors=INK)
        axis.set_facecolor(PAPER)
        axis.spines[:].set(color=FRAME, linewidth=0.6)
    figure.savefig(file, facecolor=PAPER)


def write(runs: Runs) -> None:
    """Write the tables and the picture."""
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables(runs)}\n\n{END}{after}", encoding="utf-8")
    chart(runs, PICTURE)


def main() -> None:
    """Run, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="vicsek or flocks; default: both")
    parser.add_argument("--seeds", type=int, help=f"default: {SEEDS} of vicsek, {2 * SEEDS} of flocks")
    parser.add_argument("--keep", type=Path, help="a file of lines that numbers are kept in")
    parser.add_argument("--write", action="store_true", help="write the tables and the picture into docs/")
    given = parser.parse_args()
    cases = tuple(given.cases) or ("vicsek", "flocks")
    if set(cases) - {"vicsek", "flocks"}:
        parser.error(f"cases are vicsek and flocks, got {', '.join(cases)}")
    if given.write and len(cases) < 2:
        parser.error("--write needs both cases")
    wanted = [each for case in cases for each in keys([case], given.seeds or SEEDS * (1 + (case == "flocks")))]
    runs = collected(wanted, given.keep)
    print(tables(runs))
    if given.write:
        write(runs)


if __name__ == "__main__":
    main()
