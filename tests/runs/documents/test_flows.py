"""Flows in documents: what they may hold, and what is said about what they may not."""

import copy
import tomllib

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.problems import ScenarioError

STREET = tomllib.loads(
    """
seed = 5
dt = 0.05
seconds = 30

[[obstacles]]
name = "pillar"
center = [[20, 4]]
radius = [1]

[[paths]]
name = "west"
points = [[0, 0], [0, 8]]

[[regions]]
name = "exit"
kind = "polygon"
points = [[30, 0], [40, 0], [40, 8], [30, 8]]

[[populations]]
name = "people"
n = 0
spawn = { shape = "disc", radius = 1 }
max_speed = 1.5
radius = 0.2
steering = { behavior = "Seek", target = [40, 4] }

[[populations.flows]]
kind = "Spawner"
rate = 1.5
where = "west"
arrivals = "poisson"
obstacles = "pillar"
velocity = { kind = "along", direction = [1, 0], speed = { low = 1, high = 1.5 } }
columns = { max_speed = { low = 1.2, high = 1.5 }, mass = 2 }

[[populations.flows]]
kind = "Spawner"
rate = 0.5
where = { shape = "ring", center = [10, 4], radius = 3 }
velocity = [1, 0]
limit = 30

[[populations.flows]]
kind = "Spawner"
rate = 0.2
where = { kind = "sphere", center = [20, 4], radius = 3 }

[[populations.flows]]
kind = "Spawner"
rate = 0.2
where = [[5, 5], [6, 6]]
name = "two doors"

[[populations.flows]]
kind = "Sink"
region = "exit"
name = "exit"

[[populations.flows]]
kind = "Sink"
region = "pillar"
side = "inside"

[[populations.flows]]
kind = "Sink"
older_than = 40
"""
)


def changed(**keys):
    document = copy.deepcopy(STREET)
    for place, value in keys.items():
        k, key = place.split("_", 1)
        document["populations"][0]["flows"][int(k[1:])][key] = value
    return document


def test_a_street_is_read_and_runs():
    stage = set_stage(STREET, threads=1)
    people = stage.world.populations["people"]
    assert [type(each).__name__ for each in people.flows] == ["Spawner"] * 4 + ["Sink"] * 3
    assert len(people.vehicles) == 0
    stage.world.run(seconds=30)
    came = sum(people.passed(each) for each in people.flows[:4])
    assert came == len(people.vehicles) + sum(people.passed(each) for each in people.flows[4:])
    assert people.passed("exit") > 5
    assert people.passed("two doors") == 6
    assert ((people.vehicles.max_speed >= 1.2 - 1e-6) & (people.vehicles.max_speed <= 1.5)).all()
    assert set(people.vehicles.mass.tolist()) == {1.0, 2.0}
    assert isinstance(people.flows[4], sm.Sink)


@pytest.mark.parametrize("steps", [0, 1, 300])
def test_a_street_writes_itself_down_and_goes_on(steps):
    first = set_stage(STREET, threads=1).world
    first.run(steps=steps)
    again = set_stage(sm.to_document(first), threads=1).world
    assert state_hash(first) == state_hash(again)
    for world in (first, again):
        world.run(steps=150)
    assert state_hash(first) == state_hash(again)
    flows = first.populations["people"].flows
    assert [again.populations["people"].passed(each) for each in again.populations["people"].flows] == [
        first.populations["people"].passed(each) for each in flows
    ]


def test_a_document_in_python_may_hold_flows():
    document = copy.deepcopy(STREET)
    document["populations"][0]["flows"] = [sm.Spawner(9.0, lambda count, rng: np.zeros((count, 2)), clearance=None)]
    stage = set_stage(document, threads=1)
    stage.world.run(seconds=1)
    assert len(stage.world["people"]) == 9


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (changed(f0_rate=-1), r"populations\[0\]\.flows\[0\]\.rate: rate must be a finite number >= 0 1/s"),
        (
            changed(f0_where="wset"),
            r"the name of a region or a path; there is no 'wset'.* 'west'\? \(regions and paths: ",
        ),
        (changed(f0_where="pillar"), r"where must be the name of a region or a path; there is no 'pillar'"),
        (changed(f0_where=[[1, 2, 3]]), r"where must have 2 numbers per point"),
        (changed(f0_speed=3), r"there is no key 'speed' here"),
        (changed(f0_columns={"hight": 3}), r"columns must name columns"),
        (changed(f0_columns={"mass": {"low": 3}}), r"columns\['mass'\] must have low and high"),
        (changed(f0_velocity={"kind": "along", "speed": 1}), r"direction must be given"),
        (changed(f0_velocity=[1, 2, 3]), r"velocity must have 2 numbers per point"),
        (changed(f1_where={"shape": "grid", "spacing": 1}), r"there is no shape 'grid'"),
        (changed(f1_where={"shape": "points", "position": [[1, 2]]}), r"there is no shape 'points'"),
        (changed(f4_region="exits"), r"region must be the name of a region; there is no 'exits'"),
        (changed(f4_kind="Drain"), r"there is no kind 'Drain'"),
        (changed(f6_older_than=0), r"older_than must be > 0 s"),
        (changed(f0_name="exit"), r"name must be different for every flow, got 'exit' twice"),
    ],
)
def test_mistakes_are_told_with_their_place(document, message):
    with pytest.raises(ScenarioError, match=message):
        set_stage(document)
