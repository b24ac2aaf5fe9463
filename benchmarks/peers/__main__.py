"""The same work in one sitting, by this library and by what a user would pick instead.

    uv run --extra bench --with pyrvo2-danieldugas python -m benchmarks.peers --write

It prints a line for everybody and every size; with --write, docs/benchmarks/peers.csv, the charts beside it and the tables of
docs/benchmarks.md are made anew. Who is not installed is left out, and named.
"""

import argparse
import os
from pathlib import Path

from benchmarks.peers import report
from benchmarks.peers.meaning import SEEDS
from benchmarks.peers.programs import everybody
from benchmarks.peers.sitting import Result, sitting
from benchmarks.peers.work import WORKS


def say(result: Result) -> None:
    """A line."""
    head = f"{result.work.name:7}{result.n:>7} {result.peer.name:22}"
    if result.left_out:
        print(f"{head} left out: {result.left_out}", flush=True)
    else:
        other = "" if result.verdict is None or result.verdict.same else f"  OTHER: {result.verdict.words}"
        print(f"{head} {result.median:12.4f} ms  x{result.ratio:<9.3g}{len(result.each)} turns{other}", flush=True)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", nargs="*", help=f"which of {', '.join(WORKS)}; default: all")
    parser.add_argument("--seconds", type=float, default=60.0, help="time that each may take for a workload of a size")
    parser.add_argument("--share", type=float, default=0.25, help="length of a turn [s]; one window at least")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="starts by which the same meaning is judged")
    parser.add_argument("--largest", type=int, default=1_000_000, help="leave larger sizes out")
    parser.add_argument("--peers", nargs="+", help="only those whose names begin so; ours is always there")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of our second line")
    parser.add_argument("--write", action="store_true", help="write CSV, charts and tables of docs/")
    parser.add_argument("--from-csv", type=Path, help="measure nothing; make charts and tables from a CSV")
    options = parser.parse_args()
    if options.from_csv:
        report.write(report.read_rows(options.from_csv))
        return
    unknown = set(options.works) - set(WORKS)
    if unknown:
        parser.error(f"works must be of {', '.join(WORKS)}, got {', '.join(sorted(unknown))}")
    peers = everybody(options.threads)
    if options.peers:
        wanted = tuple(name.lower() for name in options.peers)
        peers = peers[:1] + [peer for peer in peers[1:] if peer.name.lower().startswith(wanted)]
    chosen = [work for name, work in WORKS.items() if not options.works or name in options.works]
    for work in chosen:
        sizes = [n for n in work.sizes if n <= options.largest]
        results = sitting(
            [(work, sizes)], peers, seconds=options.seconds, turns=options.turns, share=options.share, seeds=options.seeds,
            say=say,
        )  # fmt: skip
        if options.write:
            report.write(report.rows(results))


if __name__ == "__main__":
    main()
