"""`python -m steersman` is the `steersman` command."""

from steersman.cli.main import run

if __name__ == "__main__":
    run()
