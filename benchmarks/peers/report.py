"""What is left of a sitting: a CSV, a chart for each workload, and the tables of the pages between their markers."""

import csv
import os
import platform
import re
from collections.abc import Iterable
from pathlib import Path

from benchmarks.peers.sitting import Result
from benchmarks.peers.work import WORKS

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "benchmarks"
FIELDS = [
    "workload", "n", "peer", "ms", "low_ms", "high_ms", "turns", "ratio", "low_ratio", "high_ratio", "same_work", "seen",
    "left_out", "versions", "machine", "each_ms",
]  # fmt: skip
OURS = "steersman"
Row = dict[str, str]


def machine() -> str:
    """What was measured on, without its name."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists() and (found := re.search(r"model name\s*:\s*(.+)", cpuinfo.read_text())):
        name = found[1].strip()
    return f"{name}, {os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}"


def rows(results: Iterable[Result]) -> list[Row]:
    """A sitting as lines of a CSV."""
    lines, here = [], machine()
    for result in results:
        row = dict.fromkeys(FIELDS, "")
        row |= {"workload": result.work.name, "n": str(result.n), "peer": result.peer.name, "machine": here}
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
    return (
        f"A step of a flock of {largest:,} by one thread takes {time_of(ours[largest])}. "
        "The same flock by others, in the same sitting,\n"
        f"each as large as it gets in its time, takes longer: {', '.join(words for _, words in said)}.\n"
        "How that was measured, other work, and where others are faster: [docs/benchmarks.md](docs/benchmarks.md)."
    )


def chart(lines: list[Row], path: Path) -> None:
    """Times of a workload: against the number of vehicles, or as bars where there is one number."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    from steersman.drawing.palette import FAINT, INK, PALETTE, PAPER

    measured = [row for row in lines if row["ms"]]
    if not measured:
        return
    sizes = sorted({int(row["n"]) for row in measured})
    everybody = list(dict.fromkeys(row["peer"] for row in measured))
    colors = [color for name, color in PALETTE.items() if name != "blue"]
    of = {peer: PALETTE["blue"] if peer.startswith(OURS) else None for peer in everybody}
    for k, peer in enumerate(peer for peer in everybody if of[peer] is None):
        of[peer] = colors[k % len(colors)]
    figure, axes = plt.subplots(
        figsize=(7.2, 0.42 * len(everybody) + 1.3 if len(sizes) == 1 else 4.2), layout="constrained"
    )
    figure.set_facecolor(PAPER)
    axes.set_facecolor("#FFFFFF")
    title = WORKS[lines[0]["workload"]].title
    if len(sizes) == 1:
        rows_ = sorted(measured, key=lambda row: -float(row["ms"]))
        values = [float(row["ms"]) for row in rows_]
        spread = [[v - float(r["low_ms"]) for v, r in zip(values, rows_, strict=True)],
                  [float(r["high_ms"]) - v for v, r in zip(values, rows_, strict=True)]]  # fmt: skip
        hatch = ["//" if row["same_work"] == "no" else "" for row in rows_]
        names = [row["peer"] + (" *" if row["same_work"] == "no" else "") for row in rows_]
        axes.barh(names, values, xerr=spread, color=[of[row["peer"]] for row in rows_], hatch=hatch, edgecolor=PAPER,
                  height=0.7, error_kw={"ecolor": INK, "elinewidth": 0.8})  # fmt: skip
        for row, value in zip(range(len(values)), values, strict=True):
            axes.annotate(f" {time_of(value)}", (float(rows_[row]["high_ms"]), row), va="center", color=INK, fontsize=8)
        axes.set_xscale("log")
        axes.set_xlim(0.5 * min(values), 6 * max(values))
        axes.set_xlabel(f"time of a step [ms], {sizes[0]:,} vehicles", color=INK)
    else:
        ends = []
        for peer in everybody:
            own = sorted((row for row in measured if row["peer"] == peer), key=lambda row: int(row["n"]))
            n, ms = [int(row["n"]) for row in own], [float(row["ms"]) for row in own]
            other = own[0]["same_work"] == "no"
            dashes = ":" if other else "--" if "thread" in peer else "-"
            width = 2.4 if peer == OURS else 1.4
            axes.plot(n, ms, dashes, color=of[peer], marker="o", markersize=4, linewidth=width,
                      markerfacecolor=PAPER if other else of[peer])  # fmt: skip
            axes.fill_between(n, [float(r["low_ms"]) for r in own], [float(r["high_ms"]) for r in own],
                              color=of[peer], alpha=0.15, linewidth=0)  # fmt: skip
            ends.append([n[-1], ms[-1], peer + (" *" if other else ""), of[peer]])
        axes.set(xscale="log", yscale="log")
        label(axes, ends, sizes)
        axes.set_xlabel("vehicles", color=INK)
        axes.set_ylabel("time of a step [ms]", color=INK)
    axes.set_title(title, loc="left", color=INK, fontsize=11)
    axes.grid(visible=True, which="major", color="#F0EEE8", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=FAINT, which="both", labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def label(axes: object, ends: list[list], sizes: list[int]) -> None:
    """Names beside the ends of lines, pushed apart where they would lie on each other; with room for them on the right."""
    low, high = axes.get_ylim()  # type: ignore[attr-defined]
    gap = (high / low) ** (1 / 17)
    axes.set_xlim(sizes[0] * 0.8, sizes[-1] * (sizes[-1] / sizes[0]) ** 0.42)  # type: ignore[attr-defined]
    for n in sorted({end[0] for end in ends}):
        here = sorted((end for end in ends if end[0] == n), key=lambda end: end[1])
        place = 0.0
        for _, ms, name, color in here:
            place = max(ms, place * gap)
            axes.annotate(f"  {name}", (n, place), va="center", color=color, fontsize=8)  # type: ignore[attr-defined]
