"""A run of the size of a night: `python -m tests.faults --inputs 100000`."""

import argparse
import sys
import time

from .trying import SOURCES, Count, try_inputs


def main() -> int:
    """Try as many inputs as asked for; 1 where one was not answered as documented."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Try bad inputs.")
    parser.add_argument("--inputs", type=int, default=100_000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="seed of what is tried")
    parser.add_argument("--only", choices=[each.name for each, _ in SOURCES], help="one source alone")
    given = parser.parse_args()
    started = shown = time.monotonic()

    def progress(count: Count) -> None:
        nonlocal shown
        if sys.stderr.isatty() and time.monotonic() - shown > 0.2:
            shown = time.monotonic()
            rate = count.tried.total() / (shown - started)
            print(f"\r{count.tried.total()} of {given.inputs}, {rate:.0f} a second ", end="", file=sys.stderr)

    chosen = [(each, share) for each, share in SOURCES if given.only in (None, each.name)]
    count = try_inputs(given.inputs, given.seed, chosen, progress)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if count.complaints:
        print(count.listing())
    print(f"{count} (seed {given.seed}, {time.monotonic() - started:.0f} s)")
    return 1 if count.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
