"""The entry point of the `steersman` command.

It imports only packages that are always installed, so that a bare installation prints the packages to install.
"""

import importlib.util
import sys

from steersman.cli.shared.exit_codes import INTERRUPTED

NEEDED = ("typer", "rich", "matplotlib")
"""Packages that the command needs beyond those of the library."""


def missing() -> list[str]:
    """The needed packages that are not installed."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def run() -> None:
    """Run the command with the arguments of the process, and exit."""
    if absent := missing():
        print(
            f'the steersman command needs {", ".join(absent)}; please run: pip install "steersman[cli]"',
            file=sys.stderr,
        )
        sys.exit(1)
    from steersman.cli.app import app_for

    try:
        app_for(sys.argv[1:])()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
