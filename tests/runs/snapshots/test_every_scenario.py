"""Built-in scenarios can be saved in the middle of their run, and go on bit for bit.

Of most, one in three is tried, which their names choose; with STEERSMAN_ALL=1 all are.
"""

import numpy as np
import pytest
from sampling import drawn, is_drawn

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.gallery.registry import SCENARIOS
from steersman.runs.snapshots.content import Content

LATE = {"cowboys": 660, "hide_and_seek": 150, "patrol": 700, "soccer": 189}
"""Steps after which their observers have something to lose: somebody is dead, found, caught, or has scored."""

KNOWING = {"cowboys", "soccer"}
"""Scenarios whose functions know the vehicles of their own world: these are made again, and restored."""


def built(name):
    return SCENARIOS[name].stage(n=min(SCENARIOS[name].n, 40), seed=5, threads=1).world


def unlike(world, other):
    """The names of meters that show something else."""
    return [
        label
        for label, meter in world.meters.items()
        if not np.array_equal(meter.values, other.meters[label].values, equal_nan=True)
        or not np.array_equal(meter.times, other.meters[label].times)
    ]


@pytest.mark.parametrize(
    "name", [name for name in SCENARIOS if name in {*LATE, *KNOWING} or is_drawn(name, 5, "snapshots")]
)
def test_a_scenario_goes_on_from_a_snapshot(name, tmp_path):
    world, made_again, file = built(name), built(name), tmp_path / "halfway.steersman"
    world.run(steps=LATE.get(name, 33))
    world.save(file)
    functions = made_again.save(tmp_path / "start.steersman")
    loaded = None if name in KNOWING else sm.World.load(file, functions=functions, threads=2)
    world.run(steps=50)
    if loaded is not None:
        loaded.run(steps=50)
        assert state_hash(loaded) == state_hash(world)
    made_again.restore(file)
    made_again.run(steps=50)
    assert state_hash(made_again) == state_hash(world)
    assert unlike(made_again, world) == []


@pytest.mark.parametrize("name", drawn(LATE, 2, "observers"))
def test_what_observers_know_matters(name, tmp_path, monkeypatch):
    """Otherwise the test above would not see it forgotten."""
    world, made_again, file = built(name), built(name), tmp_path / "halfway.steersman"
    world.run(steps=LATE[name])
    world.save(file)
    monkeypatch.setattr(Content, "resume", lambda content, things, meters: meters and meters.resume(content.meters))
    made_again.restore(file)
    for each in (world, made_again):
        each.run(steps=50)
    assert state_hash(made_again) != state_hash(world) or unlike(made_again, world)
