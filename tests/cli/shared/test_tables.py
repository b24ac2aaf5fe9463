"""What the tables of the command say of a run."""

import io

from rich.console import Console

import steersman as sm
from steersman.cli.shared.tables import metric_table, run_table, scenario_table
from steersman.gallery.index import Entry


def printed(table, width=200):
    text = io.StringIO()
    Console(file=text, width=width).print(table)
    return [line for line in text.getvalue().splitlines() if line.strip()]


def lines(table):
    return [line.split() for line in printed(table)]


def test_each_value_of_a_metric_stands_below_its_name():
    world = sm.World(dt=0.5)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="one")
    readings = iter([3.0, 1.0, 4.25, 2.0])
    meters = world.watch("one", height=lambda _: next(readings), every=sm.EverySteps(1))
    world.run(steps=3)
    names, _, numbers = printed(metric_table(meters.values()))
    head, values = names.split(), numbers.split()
    row = dict(zip(head, values, strict=False))  # It has no unit.
    assert row == {"metric": "one.height", "start": "3", "now": "2", "least": "1", "greatest": "4.25"}
    assert names.index("greatest") + len("greatest") == numbers.index("4.25") + len("4.25")


def test_names_of_scenarios_are_whole_and_numbers_of_vehicles_end_below_each_other():
    entries = [Entry("following_a_path", 2, n, ("path",), "vehicles that follow a path") for n in (7, 12_000)]
    few, many = (line for line in printed(scenario_table(entries), 50) if "following_a_path" in line)
    assert few.index("7") + 1 == many.index("12,000") + len("12,000")


def test_a_run_is_told_in_numbers():
    summary = {
        "n": {"boids": 2000, "hawks": 1}, "scenario": "flock", "seconds": 12.5, "steps": 1250, "dt": 0.01, "seed": 7,
        "steps_per_second": 300.0, "state_hash": "abc", "recorded": {"frames": 1500, "bytes": 2_500_000},
        "n_before": {"boids": 2000, "hawks": 1},
    }  # fmt: skip
    assert [" ".join(line) for line in lines(run_table(summary))] == [
        "scenario flock: 2,000 boids, 1 hawks",
        "simulated 12.50 s in 1,250 steps of 0.01 s",
        "speed 300 steps/s, 0.60 million vehicle steps/s",
        "state abc (seed 7)",
        "recorded 1,500 frames, 2.5 MB",
    ]
    scenario, _, speed, *_ = printed(run_table({**summary, "n": {"boids": 0, "hawks": 1}}))
    assert "0 boids (2,000 before), 1 hawks" in scenario
    assert "million" not in speed  # How many were steered is unknown.
