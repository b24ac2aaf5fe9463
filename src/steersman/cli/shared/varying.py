"""Varying: the values and seeds that sweeps and tuning are given as texts."""

from collections.abc import Sequence
from typing import Any

from steersman.core.parameters.brief import brief
from steersman.runs.documents.overrides import assigned


def axes_of(vary: Sequence[str], changes: Sequence[str]) -> dict[str, Any]:
    """The values of each path.

    Args:
        vary: `path=[value, ...]`, or `path={low = 1, high = 3}`.
        changes: `path=value`.

    Raises:
        ValueError: One cannot be read, or a path is there twice.
    """
    axes: dict[str, Any] = {}
    for option, texts in (("--vary", vary), ("--set", changes)):
        for text in texts:
            try:
                path, value = assigned(text)
            except ValueError as error:
                raise ValueError(f"{option} {text}: {error}") from None
            if option == "--vary" and not isinstance(value, (list, dict)):
                raise ValueError(f"--vary {text}: must be [value, value] or {{low=1, high=3}}, got {brief(value)}")
            if path in axes:
                raise ValueError(f"{option} {text}: {path} is given twice")
            axes[path] = value if option == "--vary" else [value]
    return axes


def seeds_of(text: str, option: str = "--seeds") -> range:
    """Seeds of `50`, which are 0 to 49, or of `100:150`."""
    first, colon, last = text.rpartition(":")
    try:
        return range(int(first) if colon else 0, int(last))
    except ValueError:
        raise ValueError(f"{option} must be a number, or FIRST:END such as 100:150, got {text!r}") from None


def held_out_of(text: str) -> range | int:
    """Seeds of `100:150`, or their number."""
    seeds = seeds_of(text, "--held-out")
    return seeds if ":" in text else len(seeds)
