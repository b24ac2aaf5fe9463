"""Trajectories of JuPedSim: written, read back, and read by PedPy."""

import sqlite3

import numpy as np
import pytest

import steersman as sm
from steersman.adapters.jupedsim import TrajectoryWriter, read_trajectories

FLOOR = [[-1, -1], [21, -1], [21, 9], [-1, 9]]


@pytest.fixture
def walked(tmp_path):
    """A file of a walk, and where the people were."""
    people = sm.Vehicles([[0, 1], [0, 3], [0, 5]], max_speed=1.4, max_force=8, id=[7, 3, 5])
    world = sm.World(dt=1 / 20)
    world.add(people, steering=sm.Seek([20, 3]))
    kept = []
    with TrajectoryWriter(tmp_path / "walk.sqlite", people, FLOOR, fps=10) as writer:
        world.on_step(writer, sm.EverySeconds(0.1))
        world.on_step(lambda _: kept.append((people.id.tolist(), people.position.copy())), sm.EverySeconds(0.1))
        world.run(seconds=2)
        people.remove(3)
        world.run(seconds=1)
    return tmp_path / "walk.sqlite", kept


def test_what_is_written_is_read(walked):
    file, kept = walked
    read = read_trajectories(file)
    assert read.fps == 10
    assert np.unique(read.frame).tolist() == list(range(30)) == list(range(len(kept)))
    for frame, (ids, places) in enumerate(kept):
        rows = read.frame == frame
        order = np.argsort(ids)
        assert read.id[rows].tolist() == sorted(ids)
        assert np.allclose(read.position[rows], places[order])
    assert read.floor == ("POLYGON ((-1.0 -1.0, 21.0 -1.0, 21.0 9.0, -1.0 9.0, -1.0 -1.0))",)
    base = sqlite3.connect(file)
    about = dict(base.execute("SELECT key, value FROM metadata"))
    base.close()
    assert float(about["xmax"]) == pytest.approx(read.position[:, 0].max())


def test_a_frame_becomes_vehicles(walked):
    people = read_trajectories(walked[0]).vehicles(10, radius=0.2)
    assert people.id.tolist() == [3, 5, 7]
    assert people.speed == pytest.approx([1.4] * 3, rel=0.02)
    with pytest.raises(ValueError, match="frame must be"):
        read_trajectories(walked[0]).vehicles(99)


def test_pedpy_reads_it(walked):
    pedpy = pytest.importorskip("pedpy")
    file, kept = walked
    data = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=file)
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=file)
    assert data.frame_rate == 10
    assert len(data.data) == sum(len(ids) for ids, _ in kept)
    assert area.polygon.area == pytest.approx(220)


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text.sqlite").write_text("no database at all")
    with pytest.raises(ValueError, match="JuPedSim"):
        read_trajectories(tmp_path / "text.sqlite")
    people = sm.Vehicles([[0, 0]])
    TrajectoryWriter(tmp_path / "new.sqlite", people, FLOOR, fps=1).close()
    base = sqlite3.connect(tmp_path / "new.sqlite")
    base.execute("UPDATE metadata SET value = '9' WHERE key = 'version'")
    base.commit()
    base.close()
    with pytest.raises(ValueError, match="version 2, got 9"):
        read_trajectories(tmp_path / "new.sqlite")
    with pytest.raises(ValueError, match="2D"):
        TrajectoryWriter(tmp_path / "solid.sqlite", sm.Vehicles([[0, 0, 0]]), FLOOR, fps=1)
