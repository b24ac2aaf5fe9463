"""The stream: frames in files and over sockets, and Godot's script that reads them."""

import socket
from pathlib import Path

import numpy as np
import pytest
from adapters.exported import frames, lively

import steersman as sm
from steersman.adapters.frames import Frame, rows_of
from steersman.adapters.stream import MAGIC, Sender, packed, read_stream, write_stream

GODOT = Path(__file__).parents[2] / "examples" / "godot"


def compared(sent, frame, size=None):
    time, populations = sent
    assert time == frame.time
    assert list(populations) == list(frame.populations)
    for name, rows in frame.populations.items():
        np.testing.assert_array_equal(populations[name].id, rows.id)
        matrix, length = populations[name].matrix, 2 * rows.radius if size is None else size
        x, y, z = rows.position.T
        np.testing.assert_allclose(matrix[:, :, 3], np.stack([x, z, -y], axis=1))
        nose, top = matrix[:, :, :3] @ [0, 0, -1], matrix[:, :, :3] @ [0, 1, 0]
        forward, up = rows.matrix[:, :, 0].T * length, rows.matrix[:, :, 2].T * length
        np.testing.assert_allclose(nose, np.stack([forward[0], forward[2], -forward[1]], axis=1), atol=1e-6)
        np.testing.assert_allclose(top, np.stack([up[0], up[2], -up[1]], axis=1), atol=1e-6)
        assert (np.linalg.det(matrix[:, :, :3]) > 0).all()


@pytest.mark.parametrize("size", [None, 3.0])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_file_is_read(tmp_path, dimensions, size):
    write_stream(frames(dimensions), tmp_path / "a.frames", size=size)
    read = list(read_stream(tmp_path / "a.frames"))
    assert len(read) == 21
    for sent, frame in zip(read, frames(dimensions), strict=True):
        compared(sent, frame, size)


def test_the_bytes_are_those_of_the_page():
    """The head of the module, as a program of its own."""
    frame = frames()[20]
    data = packed(frame)
    assert data[:4] == b"STRF" == MAGIC
    assert int.from_bytes(data[4:8], "little") == len(data) - 8
    assert np.frombuffer(data[8:16], "<f8")[0] == frame.time
    assert data[16:24] == b"\2\0\0\0\x08\0\0\0"
    assert data[24:36] == b"boids\0\0\0\6\0\0\0"
    assert np.frombuffer(data[36:84], "<i8").tolist() == frame.populations["boids"].id.tolist()
    place = np.frombuffer(data[84 : 84 + 48], "<f4").reshape(3, 4)[:, 3]
    x, y, z = frame.populations["boids"].position[0]
    np.testing.assert_array_equal(place, [x, z, -y])


def test_what_is_no_frame_is_refused(tmp_path):
    data = packed(frames()[0])
    for damaged, words in (
        (b"PNG" + data, "must begin with"),
        (data[:-1], "end after"),
        (data + data[:5], "must begin"),
    ):
        (tmp_path / "a.frames").write_bytes(damaged)
        with pytest.raises(ValueError, match=words):
            list(read_stream(tmp_path / "a.frames"))


@pytest.mark.parametrize("size", [None, 3.0])
def test_a_live_run_is_read_from_a_socket(size):
    world = lively()
    with Sender(port=0, size=size) as sender:
        world.on_step(sender, sm.EverySeconds(0.04))
        world.run(seconds=0.1)  # Nobody listens yet.
        client = socket.create_connection(("127.0.0.1", sender.port))
        world.run(seconds=0.4)
        assert sender.clients == 1
    with client:
        read = list(read_stream(client))
    assert sender.skipped == 0
    later = [frame for frame in frames() if frame.time > 0.11][: len(read)]
    assert len(later) == len(read) >= 9
    for sent, frame in zip(read, later, strict=True):
        compared(sent, frame, size)


def test_vehicles_have_a_size():
    with pytest.raises(ValueError, match="size must be > 0"):
        Sender(port=0, size=0)


def test_a_slow_client_misses_whole_frames_and_holds_up_nothing():
    many = sm.Vehicles(np.zeros((20_000, 2)), max_speed=1, max_force=1)
    with Sender(port=0) as sender:
        slow = socket.create_connection(("127.0.0.1", sender.port))
        for k in range(40):  # 45 MB, of which a socket holds a part.
            sender.send(float(k), {"many": many})
        assert sender.skipped > 0
        slow.settimeout(20)
        first = next(read_stream(slow))  # Half of a frame waits for it to read; it comes with later calls.
        assert first[0] == 0
        assert len(first[1]["many"].id) == 20_000
        slow.close()
        for _ in range(3):
            sender.send(0.0, {"many": many})
        assert sender.clients == 0


@pytest.mark.parametrize("size", [None, 3.0])
def test_poses_are_sent_as_they_are_drawn(size):
    world = lively()
    with Sender(port=0, size=size) as sender, socket.create_connection(("127.0.0.1", sender.port)) as client:
        world.drawn(0, "boids")
        world.step()
        pose = world.drawn(0.5, "boids")
        sender.send(0.01, {"boids": pose})
        time, populations = next(read_stream(client))
    compared((time, populations), Frame(0.01, {"boids": rows_of(pose)}), size)


def test_the_project_of_godot_fits_together():
    """It was run in Godot 4.6: see docs/export.md. Here are the names that files refer to, and the frames that it reads."""
    text = (GODOT / "steersman_run.gd").read_text()
    assert f"const MAGIC := 0x{int.from_bytes(MAGIC, 'little'):x}" in text
    assert 'path="res://steersman_run.gd"' in (GODOT / "main.tscn").read_text()
    assert 'run/main_scene="res://main.tscn"' in (GODOT / "project.godot").read_text()


def test_the_grammar_of_the_script_of_godot():
    parser = pytest.importorskip("gdtoolkit.parser").parser
    parser.parse((GODOT / "steersman_run.gd").read_text())
