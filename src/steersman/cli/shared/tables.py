"""The tables that the command prints."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from steersman.gallery.index import Entry

if TYPE_CHECKING:
    from steersman.runs.metrics.meters import Meter


def scenario_table(scenarios: Iterable[Entry]) -> Table:
    """All scenarios."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("scenario", no_wrap=True)
    table.add_column("")
    table.add_column("n", justify="right")
    table.add_column("shows")
    table.add_column("tags")
    for each in scenarios:
        table.add_row(each.name, f"{each.dimensions}D", f"{each.n:,}", each.shows, ", ".join(each.tags))
    return table


def run_table(summary: dict[str, Any]) -> Table:
    """The size and the speed of a run."""
    table = Table(box=None, show_header=False, pad_edge=False)
    before, after = summary["n_before"], summary["n"]
    crowd = ", ".join(
        f"{count:,} {name}" + ("" if before.get(name, 0) == count else f" ({before.get(name, 0):,} before)")
        for name, count in after.items()
    )
    speed = summary["steps_per_second"]
    steered = f", {speed * sum(after.values()) / 1e6:,.2f} million vehicle steps/s" if before == after else ""
    rows = [
        ("scenario", f"{summary['scenario']}: {crowd}"),
        ("simulated", f"{summary['seconds']:.2f} s in {summary['steps']:,} steps of {summary['dt']:.5g} s"),
        ("speed", f"{speed:,.0f} steps/s{steered}" if speed else "-"),
        ("state", f"{summary['state_hash']} (seed {summary['seed']})"),
    ]
    if summary["recorded"] is not None:
        rows.append(
            ("recorded", f"{summary['recorded']['frames']:,} frames, {summary['recorded']['bytes'] / 1e6:,.1f} MB")
        )
    for name, value in rows:
        table.add_row(name, value)
    return table


def metric_table(meters: "Iterable[Meter]") -> Table:
    """The values of the meters."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("metric")
    for name in ("start", "now", "least", "greatest"):
        table.add_column(name, justify="right")
    table.add_column("unit")
    for meter in meters:
        values = (meter.start, meter.now, meter.least, meter.greatest)
        table.add_row(meter.label, *(f"{value:.3g}" if math.isfinite(value) else "-" for value in values), meter.unit)
    return table
