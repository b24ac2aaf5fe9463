"""A recorded run is replayed beside other vehicles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm

DOOR = sm.Box([2.0, 2.0], origin=[-1.0, -1.0])


def recorded(folder: Path, domain: Any = None, seconds: float = 4.0) -> sm.Run:
    """A run of walkers who come through a door at the origin and leave on the right."""
    world = sm.World(domain=domain, dt=1 / 60, seed=3)
    walkers = sm.Vehicles(
        [[0.0, 3.0], [0.0, -3.0]], [[1.0, 0.0], [1.2, 0.0]], max_speed=1.5, max_force=4, radius=[0.2, 0.3]
    )
    flows = [sm.Spawner(1.0, DOOR, velocity=[1.0, 0.0]), sm.Sink(sm.Box([9.0, 20.0], origin=[4.0, -10.0]))]
    world.add(walkers, name="walkers", steering=sm.Wander() + sm.Seek([9.0, 0.0]), flows=flows)
    with world.record(folder, every=0.05):
        world.run(seconds=seconds)
    return sm.read_run(folder)


@pytest.mark.each_value
@pytest.mark.parametrize("domain", [None, sm.Torus([7.0, 7.0], origin=[-3.0, -3.5])], ids=["open", "torus"])
@pytest.mark.parametrize("dt", [1 / 20, 1 / 240])
def test_vehicles_are_where_they_were_recorded(tmp_path: Path, dt: float, domain: Any) -> None:
    run = recorded(tmp_path / "run", domain)
    crowd = sm.Replayed(run)
    world = sm.World(dt=dt, domain=domain)
    vehicles = world.add(crowd.vehicles(), name="again", flows=[crowd]).vehicles
    ids, numbers = set(), set()
    for k in range(run.frames):
        moment = run.frame(k)["walkers"]
        order = [np.argsort(moment.id), np.argsort(vehicles.id)]
        assert np.array_equal(moment.id[order[0]], vehicles.id[order[1]])
        np.testing.assert_allclose(vehicles.position[order[1]], moment.position[order[0]], atol=2e-6)
        np.testing.assert_allclose(vehicles.velocity[order[1]], moment.velocity[order[0]], atol=2e-6)
        np.testing.assert_allclose(vehicles.radius[order[1]], moment.radius[order[0]])
        ids |= set(moment.id.tolist())
        numbers.add(len(moment.id))
        world.run(steps=round(0.05 / dt))
    assert len(ids) > 4
    assert len(numbers) > 2


def tracks(**changed: Any) -> sm.Tracks:
    """One that goes across the seam at x = 4, and one that comes in the last frame."""
    given = {
        "times": [1.0, 2.0], "frame": [0, 1, 1], "id": [3, 3, 8], "position": [[3.5, 0], [-2.5, 0], [0, 1]],
        "velocity": [[1, 0], [1, 0], [0, 2]], "radius": [0.2, 0.2, 0.4],
    }  # fmt: skip
    return sm.Tracks(**{**given, **changed})


def test_the_way_across_a_seam_is_the_short_one() -> None:
    world = sm.World(domain=sm.Torus([7.0, 7.0], origin=[-3.0, -3.5]), dt=0.25)
    vehicles = world.add(sm.Replayed(tracks())).vehicles
    places = []
    for _ in range(3):
        world.step()
        places.append(vehicles.position[0, 0])
    np.testing.assert_allclose(places, [3.75, -3.0, -2.75], atol=1e-6)


@pytest.mark.parametrize("s", [0.0, 0.1, 0.5, 0.8])
def test_between_frames_a_vehicle_is_accelerated_evenly(s: float) -> None:
    """From 1 m/s to 3 m/s in 2 s; the other goes when the second frame comes."""
    given = sm.Tracks(
        times=[0.0, 2.0], frame=[0, 0, 1], id=[7, 8, 7], position=[[0.0, 0.0], [5.0, 5.0], [4.0, 0.0]],
        velocity=[[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]], radius=[0.1] * 3,
    )  # fmt: skip
    ids, position, velocity, _ = given.at(2 * s, sm.Open())
    assert ids.tolist() == [7, 8]
    np.testing.assert_allclose(position, [[2 * s + 2 * s**2, 0.0], [5.0, 5.0 + 4 * s]], atol=1e-12)
    np.testing.assert_allclose(velocity, [[1 + 2 * s, 0.0], [0.0, 2.0]], atol=1e-12)


def test_frames_may_list_vehicles_in_another_order() -> None:
    given = tracks(frame=[0, 0, 1, 1], id=[8, 3, 3, 8], position=[[0, 8], [0, 3], [1, 3], [1, 8]],
                   velocity=[[1, 0]] * 4, radius=[0.8, 0.3, 0.3, 0.8])  # fmt: skip
    world = sm.World(dt=0.5)
    vehicles = world.add(sm.Replayed(given)).vehicles
    for _ in range(3):
        assert vehicles.id.tolist() == [8, 3]
        np.testing.assert_allclose(vehicles.position[:, 1], vehicles.id)
        np.testing.assert_allclose(vehicles.radius, vehicles.id / 10)
        world.step()


def test_a_run_may_begin_later_and_ends_at_rest() -> None:
    flow = sm.Replayed(tracks(), start=2.0)
    world = sm.World(domain=sm.Torus([7.0, 7.0], origin=[-3.0, -3.5]), dt=0.5)
    population = world.add(flow.vehicles(), flows=[flow])
    vehicles = population.vehicles
    world.run(steps=3)
    assert vehicles.position.tolist() == [[3.5, 0]]
    assert not vehicles.velocity.any()
    world.run(steps=3)
    assert vehicles.id.tolist() == [3, 8]
    assert vehicles.velocity.tolist() == [[1, 0], [0, 2]]
    assert population.passed("Replayed 1") == 1
    world.step()
    assert not vehicles.velocity.any()
    np.testing.assert_allclose(vehicles.radius, [0.2, 0.4])


def test_a_run_may_come_in_the_middle_and_beside_other_flows() -> None:
    world = sm.World(domain=sm.Torus([7.0, 7.0], origin=[-3.0, -3.5]), dt=0.25)
    world.run(steps=2)
    population = world.add(sm.Replayed(tracks()), flows=[sm.Sink(older_than=9.0)])
    assert [type(each) for each in population.flows] == [sm.Replayed, sm.Sink]
    np.testing.assert_allclose(population.vehicles.position, [[-3.0, 0.0]], atol=1e-6)


def test_a_vehicle_that_a_user_removes_comes_again() -> None:
    flow = sm.Replayed(tracks())
    world = sm.World(dt=0.1)
    vehicles = world.add(flow.vehicles(), flows=[flow]).vehicles
    vehicles.remove(3)
    world.step()
    assert vehicles.id.tolist() == [3]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"times": [1.0, 1.0]}, "times must ascend"),
        ({"times": []}, "times must ascend"),
        ({"times": [1.0]}, "frame must ascend, and be less than 1"),
        ({"frame": [1, 0, 1]}, "frame must ascend"),
        ({"frame": [0.0, 1.0, 1.0]}, "frame must be whole numbers"),
        ({"id": [3, 8, 8]}, "id must be there once"),
        ({"id": [3, -8, 8]}, "id must be whole numbers >= 0"),
        ({"radius": [0.2]}, "radius must have 3 rows"),
        ({"velocity": [[1, 0, 0]] * 3}, r"velocity must have shape \(3, 2\)"),
        ({"position": [[np.nan, 0], [1, 0], [1, 2]]}, "position"),
    ],
)
def test_wrong_tracks_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        tracks(**changed)


def test_wrong_runs_are_refused(tmp_path: Path) -> None:
    world = sm.World(dt=0.1)
    for name in ("east", "west"):
        world.add(sm.Vehicles([[0.0, 0.0]]), name=name)
    with world.record(tmp_path / "run"):
        world.run(steps=3)
    run = sm.read_run(tmp_path / "run")
    assert len(sm.Replayed(run, "west").vehicles()) == 1
    with pytest.raises(ValueError, match="which population is meant must be said: east, west"):
        sm.Replayed(run)
    with pytest.raises(ValueError, match="no population is called 'north'"):
        sm.Replayed(run, "north")
    with pytest.raises(TypeError, match="tracks must be a run, as read_run returns it, or Tracks, got 'west'"):
        sm.Replayed("west")
    with pytest.raises(ValueError, match="tracks must have 3 dimensions like the vehicles, got 2"):
        world.add(sm.Vehicles([[0.0, 0.0, 0.0]]), name="birds", flows=[sm.Replayed(run, "west")])


def test_a_document_names_the_folder_of_a_run(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", seconds=1.0)
    first = run.frame(0)["walkers"]
    table = {
        "dimensions": 2,
        "populations": [
            {"name": "again", "position": first.position.tolist(), "id": first.id.tolist(),
             "flows": [{"kind": "Replayed", "tracks": "run"}]},
        ]
    }  # fmt: skip
    world = sm.from_document(table, folder=tmp_path)
    world.run(seconds=1.0, dt=0.05)
    last = run.frame(-1)["walkers"]
    assert sorted(world["again"].id.tolist()) == sorted(last.id.tolist())
    again = sm.from_document(sm.to_document(world))
    for each in (world, again):
        each.step()
    np.testing.assert_allclose(again["again"].position, world["again"].position, atol=1e-5)


def test_a_path_is_read_first() -> None:
    with pytest.raises(
        TypeError, match=r"got 'run\.parquet'; to read a file or a folder: sm\.read_run\('run\.parquet'\)"
    ):
        sm.Replayed("run.parquet")  # type: ignore[arg-type]
