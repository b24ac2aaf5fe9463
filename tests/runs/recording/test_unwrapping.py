"""Positions that go on over the seams: counted at every step, for vehicles that come and go, and after a resumption."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.runs.recording.recording import record, resume

pytest.importorskip("pyarrow")

VELOCITY = np.array([[23.0, -7.0], [-9.0, 31.0], [0.5, 0.25]])


def coasting(domain: sm.Domain, *, beside: bool = False, ids: Any = None) -> sm.World:
    """Vehicles that go straight on, several times round between two frames; after others, if these are wanted."""
    world = sm.World(domain=domain, dt=0.02, threads=1)
    if beside:
        world.add(sm.Vehicles([[1.0, 1.0]]), name="others")
    start = [[9.0, 1.0], [0.5, 7.5], [5.0, 5.0]]
    vehicles = sm.Vehicles(start, VELOCITY, max_speed=50, dtype=np.float64, id=ids)
    world.add(vehicles, name="birds")
    return world


def places(run: sm.Run) -> Any:
    table = run.pandas(["frame", "id", "unwrapped_x", "unwrapped_y"])
    return {key: rows[["unwrapped_x", "unwrapped_y"]].to_numpy() for key, rows in table.groupby("id")}


def test_a_recording_that_is_closed_leaves_no_observer(tmp_path: Path) -> None:
    world = coasting(sm.Torus([10, 8]))
    watched = sm.StuckWatch("birds", radius=1.0, seconds=1.0)
    world.on_step(watched)
    with record(world, tmp_path / "run", columns=["unwrapped"]):
        assert len(world.observers) == 3
        world.run(steps=2)
    assert [each for each, _ in world.observers] == [watched]


def test_others_of_the_same_name_have_made_no_turns(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    world = coasting(sm.Torus([10, 8]))
    with world.record(tmp_path / "run", every=sm.EverySteps(50), columns=["unwrapped"]):
        world.run(steps=50)
        world.remove("birds")
        world.add(sm.Vehicles([[3.0, 4.0]], max_speed=50, dtype=np.float64), name="birds")
        world.run(steps=50)
    assert places(sm.read_run(tmp_path / "run"))[0][-1].tolist() == [3, 4]


@pytest.mark.parametrize("domain", [sm.Torus([10, 8]), sm.Box([10, 800], periodic="x"), sm.Open()])
def test_ways_of_many_turns_between_two_frames_are_whole(tmp_path: Path, domain: sm.Domain) -> None:
    pytest.importorskip("pandas")
    world = coasting(domain)
    if isinstance(domain, sm.Box):
        world["birds"].position[:, 1] += 300
    begin = world["birds"].position.copy()
    with world.record(tmp_path / "run", every=sm.EverySteps(50), columns=["unwrapped"]):
        world.run(steps=150)
    run = sm.read_run(tmp_path / "run")
    time = np.arange(4)[:, None]
    for key, found in places(run).items():
        np.testing.assert_allclose(found, begin[key] + time * VELOCITY[key], atol=1e-6)
    assert run.meta["units"]["unwrapped_x"] == "m"


def test_vehicles_that_come_begin_where_they_are(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    world = coasting(sm.Torus([10, 8]))
    with world.record(tmp_path / "run", every=sm.EverySteps(10), columns=["unwrapped"]):
        world.run(steps=25)
        world["birds"].remove([0])
        world["birds"].spawn([[5.0, 4.0]], velocity=[[30.0, 0.0]])
        world.run(steps=25)
    found = places(sm.read_run(tmp_path / "run"))
    assert {key: len(each) for key, each in found.items()} == {0: 3, 1: 6, 2: 6, 3: 3}
    np.testing.assert_allclose(found[1], [0.5, 7.5] + 0.2 * np.arange(6)[:, None] * VELOCITY[1], atol=1e-6)
    np.testing.assert_allclose(found[3], [[5 + 30 * t, 4] for t in (0.1, 0.3, 0.5)], atol=1e-6)


@pytest.mark.parametrize("ids", [[0, 1, 2], [7, 3, 5]])
@pytest.mark.parametrize("domain", [sm.Torus([10, 8]), sm.Box([10, 800], periodic="x")])
def test_a_resumed_recording_goes_on_counting(tmp_path: Path, domain: sm.Domain, ids: list[int]) -> None:
    pytest.importorskip("pandas")
    saved = {}
    world = coasting(domain, beside=True, ids=ids)
    recording = record(
        world, tmp_path / "run", populations=["birds"], every=sm.EverySteps(25), columns=["unwrapped"], keep_every=2,
        keep=lambda world: saved.update({world.steps: copy.deepcopy(world)}),
    )  # fmt: skip
    world.run(steps=110)
    recording.close()
    with resume(saved[100], tmp_path / "run"):
        saved[100].run(steps=50)
    for key, found in places(sm.read_run(tmp_path / "run")).items():
        row = ids.index(key)
        expected = coasting(sm.Open())["birds"].position[row] + 0.5 * np.arange(7)[:, None] * VELOCITY[row]
        if isinstance(domain, sm.Box):
            expected[:, 1] = np.maximum(expected[:, 1], 0.0)  # Its lower side is a wall.
        np.testing.assert_allclose(found, expected, atol=1e-6)
