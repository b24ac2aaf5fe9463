"""What the tables of the command say of a run."""

import io

from rich.console import Console

import steersman as sm
from steersman.cli.shared.tables import metric_table, run_table


def lines(table):
    text = io.StringIO()
    Console(file=text, width=200).print(table)
    return [line.split() for line in text.getvalue().splitlines() if line.strip()]


def test_each_value_of_a_metric_stands_below_its_name():
    world = sm.World(dt=0.5)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="one")
    readings = iter([3.0, 1.0, 4.25, 2.0])
    meters = world.watch("one", height=lambda _: next(readings), every=sm.EverySteps(1))
    world.run(steps=3)
    head, _, values = lines(metric_table(meters.values()))
    row = dict(zip(head, values, strict=False))  # It has no unit.
    assert row == {"metric": "one.height", "start": "3", "now": "2", "least": "1", "greatest": "4.25"}


def test_a_run_is_told_in_numbers():
    summary = {
        "n": {"boids": 2000, "hawks": 1}, "scenario": "flock", "seconds": 12.5, "steps": 1250, "dt": 0.01, "seed": 7,
        "steps_per_second": 300.0, "state_hash": "abc", "recorded": {"frames": 1500, "bytes": 2_500_000},
    }  # fmt: skip
    assert [" ".join(line) for line in lines(run_table(summary))] == [
        "scenario flock: 2,000 boids, 1 hawks",
        "simulated 12.50 s in 1,250 steps of 0.01 s",
        "speed 300 steps/s, 0.60 million vehicle steps/s",
        "state abc (seed 7)",
        "recorded 1,500 frames, 2.5 MB",
    ]
