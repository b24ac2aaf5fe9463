"""What is left of a sitting: a CSV, a chart for each workload, and the tables of the pages between their markers."""

import csv
import os
import platform
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.machine import processors
from benchmarks.peers.sitting import Result
from benchmarks.peers.work import WORKS

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "benchmarks"
FIELDS = [
    "workload", "n", "peer", "ms", "low_ms", "high_ms", "turns", "ratio", "low_ratio", "high_ratio", "same_work", "seen",
    "left_out", "versions", "machine", "load", "each_ms",
]  # fmt: skip
OURS = "steersman"
BUSY = 3.0
"""Load [processes] above which a page has to say that times were not taken in quiet."""

HUES = {
    "plain objects": "orange", "NumPy": "green", "NumPy + cKDTree": "red", "Numba": "purple", "Mesa": "sky",
    "Yuka (Node)": "yellow", "Panda3D AI": "gray", "RVO2": "green", "PySocialForce": "red",
}  # fmt: skip
Row = dict[str, str]


def machine() -> str:
    """What was measured on, without its name."""
    return f"{processors()}, {platform.system()}, Python {platform.python_version()}"


def rows(results: Iterable[Result]) -> list[Row]:
    """A sitting as lines of a CSV."""
    lines, here, load = [], machine(), f"{os.getloadavg()[2]:.1f}"
    for result in results:
        row = dict.fromkeys(FIELDS, "")
        row |= {
            "workload": result.work.name,
            "n": str(result.n),
            "peer": result.peer.name,
            "machine": here,
            "load": load,
        }
        row["left_out"] = result.left_out
        if result.verdict is not None:
            row |= {"same_work": "yes" if result.verdict.same else "no", "seen": result.verdict.words}
        if result.each:
            row |= {
                "ms": f"{result.median:.6g}", "low_ms": f"{min(result.each):.6g}", "high_ms": f"{max(result.each):.6g}",
                "turns": str(len(result.each)), "ratio": f"{result.ratio:.4g}", "low_ratio": f"{min(result.ratios):.4g}",
                "high_ratio": f"{max(result.ratios):.4g}", "versions": result.peer.versions(),
                "each_ms": " ".join(f"{each:.6g}" for each in result.each),
            }  # fmt: skip
        lines.append(row)
    return lines


def read_rows(path: Path) -> list[Row]:
    """The lines of a CSV."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(lines: list[Row]) -> None:
    """CSV, charts, tables; workloads that were not measured stay as they are in the CSV."""
    FOLDER.mkdir(exist_ok=True)
    measured, path = {row["workload"] for row in lines}, FOLDER / "peers.csv"
    kept = [row for row in read_rows(path) if row["workload"] not in measured] if path.exists() else []
    lines = sorted([*lines, *kept], key=lambda row: list(WORKS).index(row["workload"]))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    put(DOCS / "benchmarks.md", "sitting", about(lines))
    for name in dict.fromkeys(row["workload"] for row in lines):
        own = [row for row in lines if row["workload"] == name]
        chart(own, FOLDER / f"{name}.png")
        put(DOCS / "benchmarks.md", name, table(own))
    put(DOCS.parent / "README.md", "quoted", quoted(lines))


def put(page: Path, name: str, text: str) -> None:
    """Replace what stands between the markers of a page."""
    begin, end = f"<!-- {name}: made by benchmarks/peers -->", f"<!-- end of {name} -->"
    before, rest = page.read_text(encoding="utf-8").split(begin)
    page.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def about(lines: list[Row]) -> str:
    """What was measured on, and which versions."""
    versions = sorted({word for row in lines for word in re.findall(r"\S+ \S+", row["versions"])}, key=str.lower)
    missing = sorted({f"{row['peer']} ({row['left_out']})" for row in lines if absent(row)})
    text = f"Measured on: {lines[0]['machine']}; {', '.join(versions)}."
    load = max(float(row["load"] or 0) for row in lines)
    if load > BUSY:
        text += (
            f" Others used the machine meanwhile, {load:.0f} processes wanted a processor at a time: times are several"
            " times longer than they need be, and scatter; ratios are of neighboring turns, and suffer less."
        )
    return text + (f" Not there, and left out: {', '.join(missing)}." if missing else "")


def absent(row: Row) -> bool:
    """Whether a peer was not there at all."""
    return bool(re.search(r"not installed|no Node|npm could", row["left_out"]))


def nothing(row: Row) -> bool:
    """Whether a peer has nothing for this work."""
    return row["left_out"] == "it has nothing for it" or absent(row)


def table(lines: list[Row]) -> str:
    """Times and ratios of a workload, a line a peer; below, what else has to be said."""
    sizes = sorted({int(row["n"]) for row in lines})
    by = {(row["peer"], int(row["n"])): row for row in lines}
    peers = [peer for peer in dict.fromkeys(row["peer"] for row in lines) if not nothing(by[peer, sizes[0]])]
    told = ["| | " + " | ".join(f"n = {n:,}" for n in sizes) + " |", "|---|" + "---:|" * len(sizes)]
    notes = []
    for peer in peers:
        first = by[peer, sizes[0]]
        other = first["same_work"] == "no"
        told.append(f"| {peer}{' *' if other else ''} | " + " | ".join(cell(by[peer, n]) for n in sizes) + " |")
        if other:
            notes.append(f"\\* {peer} does something else: {first['seen']}.")
        out = [row for n in sizes if (row := by[peer, n])["left_out"]]
        if out:
            notes.append(f"{peer}, n = {int(out[0]['n']):,}: {out[0]['left_out']}.")
    spread = [float(row["high_ms"]) / float(row["low_ms"]) for row in lines if row["ms"]]
    notes.append(f"The slowest turn of a cell took up to {max(spread):.1f} times as long as its fastest one.")
    return "\n".join([*told, "", *(f"{note}  " for note in notes)]).rstrip()


def cell(row: Row) -> str:
    """A time and its ratio to ours."""
    if not row["ms"]:
        return ""
    took = time_of(float(row["ms"]))
    return took if row["peer"] == OURS else f"{took}, {times(float(row['ratio']))}"


def times(ratio: float) -> str:
    """A ratio."""
    return f"{rounded(ratio)}\N{MULTIPLICATION SIGN}"


def time_of(ms: float) -> str:
    """A time with its unit."""
    for limit, factor, unit in ((1.0, 1e3, "µs"), (1e3, 1.0, "ms")):
        if ms < limit:
            return f"{rounded(ms * factor)} {unit}"
    return f"{rounded(ms / 1e3)} s"


def rounded(number: float) -> str:
    """Two digits, or what stands before the point."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}" if number < 1 else f"{number:.1f}"


def quoted(lines: list[Row]) -> str:
    """Three lines for the README: the flock at the largest size that each does who does the same."""
    flock = [row for row in lines if row["workload"] == "flock" and row["ms"] and row["same_work"] != "no"]
    if not flock:
        return "(not measured yet)"
    ours = {int(row["n"]): float(row["ms"]) for row in flock if row["peer"] == OURS}
    largest = max(ours)
    said = []
    for peer in dict.fromkeys(row["peer"] for row in flock if not row["peer"].startswith(OURS)):
        row = max((row for row in flock if row["peer"] == peer), key=lambda row: int(row["n"]))
        said.append((float(row["ratio"]), f"{peer} {times(float(row['ratio']))} at {int(row['n']):,}"))
    said.sort()
    text = (
        f"A step of a flock of {largest:,} by one thread takes {time_of(ours[largest])}. The same flock by others, in the "
        f"same sitting, each as large as it gets in its time, takes longer: {', '.join(words for _, words in said)}. How "
        "that was measured, other work, and where others are faster: [docs/benchmarks.md](docs/benchmarks.md)."
    )
    return textwrap.fill(text, 140, break_long_words=False, break_on_hyphens=False)


def chart(lines: list[Row], path: Path) -> None:
    """Times of a workload: against the number of vehicles, or one below the other where there is one number."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt
    from PIL import Image

    from steersman.drawing.palette import FAINT, INK, PALETTE, PAPER

    measured = [row for row in lines if row["ms"]]
    if not measured:
        return
    sizes = sorted({int(row["n"]) for row in measured})
    everybody = list(dict.fromkeys(row["peer"] for row in measured))
    of = {peer: PALETTE["blue" if peer.startswith(OURS) else HUES.get(peer, "gray")] for peer in everybody}
    height = 0.34 * len(everybody) + 1.2 if len(sizes) == 1 else 4.2
    figure, axes = plt.subplots(figsize=(7.2, height), layout="constrained")
    figure.set_facecolor(PAPER)
    axes.set_facecolor("#FFFFFF")
    if len(sizes) == 1:
        side_by_side(axes, measured, of, INK)
        axes.set_xlabel(f"time of a step, {sizes[0]:,} vehicles", color=INK)
        along = axes.xaxis
    else:
        against_number(axes, measured, of, sizes)
        axes.set_xlabel("vehicles", color=INK)
        axes.set_ylabel("time of a step", color=INK)
        axes.set_xticks(sizes, [f"{n:,}" for n in sizes])
        axes.tick_params(axis="x", which="minor", length=0)
        along = axes.yaxis
    along.set_major_formatter(lambda ms, _: time_of(ms))
    axes.set_title(WORKS[lines[0]["workload"]].title, loc="left", color=INK, fontsize=11)
    axes.grid(visible=True, which="major", color="#F0EEE8", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=FAINT, which="both", labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def starred(row: Row) -> str:
    """A peer's name, marked if it does something else."""
    return row["peer"] + (" *" if row["same_work"] == "no" else "")


def side_by_side(axes: Any, measured: list[Row], of: dict[str, str], ink: str) -> None:
    """A dot for everybody, and a line from the fastest turn to the slowest."""
    slowest_first = sorted(measured, key=lambda row: -float(row["ms"]))
    for place, row in enumerate(slowest_first):
        low, ms, high = (float(row[name]) for name in ("low_ms", "ms", "high_ms"))
        color = of[row["peer"]]
        axes.plot([low, high], [place, place], color=color, alpha=0.4, linewidth=5, solid_capstyle="round")
        fill = "white" if row["same_work"] == "no" else color
        axes.plot(ms, place, "o", color=color, markerfacecolor=fill, markersize=7)
        words = time_of(ms) if row["peer"] == OURS else f"{time_of(ms)}, {times(float(row['ratio']))}"
        axes.annotate(f"   {words}", (high, place), va="center", color=ink, fontsize=8)
    axes.set_yticks(range(len(slowest_first)), [starred(row) for row in slowest_first])
    axes.set_ylim(-0.7, len(slowest_first) - 0.3)
    axes.set_xscale("log")
    ends = min(float(row["low_ms"]) for row in measured), max(float(row["high_ms"]) for row in measured)
    axes.set_xlim(0.6 * ends[0], 6 * ends[1])


def against_number(axes: Any, measured: list[Row], of: dict[str, str], sizes: list[int]) -> None:
    """A line for everybody, within a band from the fastest turns to the slowest, named at its end."""
    ends = []
    for peer, color in of.items():
        own = sorted((row for row in measured if row["peer"] == peer), key=lambda row: int(row["n"]))
        n = [int(row["n"]) for row in own]
        low, ms, high = ([float(row[name]) for row in own] for name in ("low_ms", "ms", "high_ms"))
        other = own[0]["same_work"] == "no"
        dashes = ":" if other else "--" if "thread" in peer else "-"
        axes.plot(
            n, ms, dashes, color=color, marker="o", markersize=4, linewidth=2.4 if peer == OURS else 1.4,
            markerfacecolor="white" if other else color,
        )  # fmt: skip
        axes.fill_between(n, low, high, color=color, alpha=0.12, linewidth=0)
        ends.append((n[-1], ms[-1], starred(own[0]), color))
    axes.set(xscale="log", yscale="log")
    axes.set_xlim(sizes[0] * 0.8, sizes[-1] * (sizes[-1] / sizes[0]) ** 0.33)
    bottom, top = axes.get_ylim()
    apart = (top / bottom) ** (1 / 18)
    for size in {end[0] for end in ends}:
        place = 0.0
        for n, ms, name, color in sorted(end for end in ends if end[0] == size):
            place = max(ms, place * apart)
            axes.annotate(f"  {name}", (n, place), va="center", color=color, fontsize=8)
