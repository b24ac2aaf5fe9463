"""What goes wrong: disks that are full or slow, folders that vanish or are taken, runs that are stopped or killed."""

import errno
import importlib.util
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from alarms import Alarm
from runs.recording.worlds import flock

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.runs.recording import buffer, folder, parts, writer
from steersman.runs.recording import recording as module
from steersman.runs.recording.writer import Writer

EACH = sm.EverySteps(1)
KILLS = int(os.environ.get("STEERSMAN_KILLS", "5"))
"""How often a run is killed; a nightly run kills more."""


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def small_files(monkeypatch):
    """Nothing is written beyond 700 kB, as on a disk that is full."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python would leave half of a large module behind.
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_full_disk(form, tmp_path, small_files, monkeypatch):
    monkeypatch.setattr(module, "PART_ROWS", 10_000)
    monkeypatch.setattr(writer, "GROUP_ROWS", 5000)
    world, twin = flock(100), flock(100)
    recording = world.record(tmp_path / "run", every=EACH, format=form)
    world.run(steps=50)
    recording.flush()
    monkeypatch.setattr(module, "PART_ROWS", 10**9)  # One part that is too large for the disk.
    with pytest.raises(sm.RecordingError, match=r"has failed: File too large; 51 of [\d,]+ frames are whole there"):
        world.run(steps=100_000)
    assert recording.error.errno == errno.EFBIG
    assert recording.closed
    assert world.steps < 100_000
    failed_at = world.steps
    world.run(steps=3)  # The world goes on.
    twin.run(steps=world.steps)
    assert (world.steps, state_hash(world)) == (failed_at + 3, state_hash(twin))
    recording.close()
    assert [path.name for path in (tmp_path / "run" / "trajectory").iterdir()] == [f"part-00000.{form}"]
    if form == "parquet":
        assert len(sm.read_run(tmp_path / "run").table()) == 5100


def test_a_full_disk_that_shows_at_the_end(tmp_path, small_files):
    world = flock(100)
    with pytest.raises(sm.RecordingError, match="File too large; 0 of"), world.record(tmp_path / "run", every=EACH):
        world.run(steps=500)  # A megabyte, which is written when the run is over.
    assert sm.read_run(tmp_path / "run").frames == 0
    with pytest.raises(sm.RunError, match="no part of the run is whole yet"):
        sm.read_run(tmp_path / "run").table()


class Full:
    """A function that fails the first time."""

    def __init__(self, function, error):
        self.function, self.error, self.calls = function, error, 0

    def __call__(self, *args, **about):
        self.calls += 1
        if self.calls == 1:
            raise self.error
        return self.function(*args, **about)


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), MemoryError(), KeyboardInterrupt()]
)
@pytest.mark.parametrize("name", ["provenance", "write_meta", "get_ready"])
def test_a_recording_that_cannot_begin_leaves_its_folder_to_the_next(tmp_path, monkeypatch, name, error):
    """A folder whose recording was stopped as it began stayed locked, or was no run and not empty any more."""
    monkeypatch.setattr(module, name, Full(getattr(module, name), error))
    world = flock()
    with pytest.raises(sm.RunError if isinstance(error, OSError) else type(error)):
        module.record(world, tmp_path / "run", keep=lambda world: None)
    assert [*(tmp_path / "run").iterdir()] == []
    world.record(tmp_path / "run").close()
    assert sm.read_run(tmp_path / "run").frames == 1


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
def test_a_folder_that_cannot_be_looked_at_is_left_to_the_next(tmp_path, monkeypatch, error):
    monkeypatch.setattr(folder, "is_own", Full(folder.is_own, error))
    with pytest.raises(sm.RunError if isinstance(error, OSError) else KeyboardInterrupt):
        flock().record(tmp_path / "run")
    flock().record(tmp_path / "run").close()


@pytest.mark.parametrize("name", ["read_meta", "rewound", "get_ready"])
def test_a_recording_that_cannot_go_on_leaves_its_folder_to_the_next(tmp_path, monkeypatch, name):
    world = flock()
    world.record(tmp_path / "run").close()
    monkeypatch.setattr(module, name, Full(getattr(module, name), KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        module.resume(world, tmp_path / "run")
    with module.resume(world, tmp_path / "run"):
        world.run(steps=10)
    assert sm.read_run(tmp_path / "run").steps[-1] == 10


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize("name", ["add", "finish"])
def test_readings_that_cannot_be_written_leave_no_file(tmp_path, monkeypatch, form, name):
    part = {"parquet": parts.ParquetPart, "csv": parts.CsvPart}[form]
    method, taken = getattr(part, name), []

    def fails(self, *given):
        if self.path.parent.name == "metrics":
            taken.append(self)
            raise OSError(errno.ENOSPC, "No space left on device")
        return method(self, *given)

    monkeypatch.setattr(part, name, fails)
    world = flock()
    world.watch("boids", "polarization", every=EACH)
    with pytest.raises(sm.RecordingError, match="No space left on device"), world.record(tmp_path, format=form):
        world.run(steps=3)
    assert len(taken) == 1
    assert [*(tmp_path / "metrics").iterdir()] == []
    assert [*(tmp_path / "trajectory").iterdir()] == []


def test_a_folder_that_vanishes(tmp_path):
    world = flock()
    recording = world.record(tmp_path / "run", every=EACH)
    world.run(steps=5)
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(sm.RecordingError, match=r"has failed: .*No such file or directory; 0 of 6 frames"):
        recording.flush()
    world.run(steps=5)


@pytest.mark.parametrize("name", ["scenario.toml", "scenario.npz", "trajectory", "metrics", "snapshots"])
def test_what_is_there_is_left_alone(name, tmp_path):
    path = tmp_path / name
    if "." in name:
        path.write_text("mine")
    else:
        path.mkdir()
        (path / "mine.txt").write_text("mine")
    before = files_in(tmp_path)
    for force in (False, True):
        with pytest.raises(sm.RunError, match=f"there is {name} already, not left by a recorded run"):
            flock().record(tmp_path, force=force)
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("where", ["/proc/nothing", "/dev/null/run"])
def test_a_folder_that_cannot_be_written_to(where):
    with pytest.raises(sm.RunError, match="cannot be written to"):
        flock().record(where)


def test_a_read_only_folder(tmp_path):
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", str(tmp_path)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        with pytest.raises(sm.RunError, match=r"cannot be written to: Read-only file system"):
            flock().record(tmp_path / "run")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_run_is_not_written_over(tmp_path):
    flock().record(tmp_path / "run").close()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    (tmp_path / "run" / "trajectory" / "notes.txt").write_text("mine")
    before = files_in(tmp_path)
    with pytest.raises(sm.RunError, match="there is a run already; choose another folder, or replace it with force"):
        flock().record(tmp_path / "run")
    assert files_in(tmp_path) == before
    with pytest.raises(sm.RunError, match="there is trajectory already"):  # For somebody else's file lies there.
        flock().record(tmp_path / "run", force=True)
    assert files_in(tmp_path) == before
    (tmp_path / "run" / "trajectory" / "notes.txt").unlink()
    world = flock()
    with world.record(tmp_path / "run", every=EACH, force=True):
        world.run(steps=2)
    with world.record(tmp_path / "run", every=EACH, force=True):
        world.run(steps=5)
    assert sm.read_run(tmp_path / "run").frames == 6
    assert (tmp_path / "run" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "content", ['{"kind": "a report"}', "[1]", "no JSON", '{"kind": "steersman run with snapshots"}']
)
def test_a_folder_with_a_file_of_another_program_is_no_run_to_replace(tmp_path, content):
    for name in ("meta.json", "scenario.toml", "snapshots/snapshot-of_us.png", "trajectory/part-00000.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    before = files_in(tmp_path)
    for force in (False, True):
        with pytest.raises(
            sm.RunError, match=r"there is meta\.json and scenario\.toml and .* already, not left by a recorded"
        ):
            flock().record(tmp_path, force=force)
    assert files_in(tmp_path) == before


def test_replacing_that_was_stopped_can_be_done_again(tmp_path, monkeypatch):
    flock().record(tmp_path / "run").close()
    with monkeypatch.context() as stopped:
        stopped.setattr("pathlib.Path.rmdir", lambda path: {}[path])
        with pytest.raises(KeyError):
            flock().record(tmp_path / "run", force=True)
    flock().record(tmp_path / "run", force=True).close()
    assert sm.read_run(tmp_path / "run").frames == 1


def test_a_run_that_is_replaced_leaves_no_part_of_a_file(tmp_path):
    flock().record(tmp_path / "run").close()
    for left in (".meta.json.77.partial", ".meta.json.tmp", ".scenario.npz.78.partial"):
        (tmp_path / "run" / left).touch()
    flock().record(tmp_path / "run", force=True).close()
    assert not [each.name for each in (tmp_path / "run").iterdir() if each.name.startswith(".")]


def test_two_runs_at_once_into_one_folder(tmp_path):
    world, other = flock(), flock()
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=5)
        for force in (False, True):
            with pytest.raises(sm.RunError, match="another run is being recorded there at this moment"):
                other.record(tmp_path / "run", force=force)
        world.run(steps=5)
    assert sm.read_run(tmp_path / "run").frames == 11
    other.record(tmp_path / "run", force=True).close()


def test_a_slow_disk_slows_the_run_and_loses_nothing(tmp_path, monkeypatch):
    most = []
    monkeypatch.setattr(buffer, "LIMIT", 200_000)
    monkeypatch.setattr(module, "Buffer", lambda: buffer.Buffer(buffer.LIMIT))
    write = Writer._write_group

    def slowly(writer):
        most.append(writer.buffer._size)
        time.sleep(0.01)
        write(writer)

    monkeypatch.setattr(Writer, "_write_group", slowly)
    world = flock(500)  # 16 kB a frame: some ten fit in.
    with world.record(tmp_path / "run", every=EACH) as recording:
        world.run(steps=100)
    assert len(most) > 10
    assert max(most) < 300_000
    run = sm.read_run(tmp_path / "run")
    assert run.frames == recording.frames == 101
    np.testing.assert_array_equal(run.frame(-1)["boids"].position, world["boids"].position)


def test_a_frame_that_is_larger_than_the_buffer(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "Buffer", lambda: buffer.Buffer(1000))
    world = flock(300)
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=10)
    assert sm.read_run(tmp_path / "run").frames == 11


def test_an_exception_in_the_block_closes_the_recording(tmp_path):
    world = flock()
    recording = world.record(tmp_path / "run", every=EACH)

    def fails():
        with recording:
            world.run(steps=7)
            _ = 1 / 0

    with pytest.raises(ZeroDivisionError):
        fails()
    assert recording.closed
    run = sm.read_run(tmp_path / "run")
    assert (run.frames, run.meta["closed"]) == (8, True)


def test_ctrl_c_loses_no_frame(tmp_path):
    """Interrupts come at any moment of stepping and recording; every step that was made has its frame."""
    world = flock(40)
    world.run(steps=3)
    recording = world.record(tmp_path / "run", every=EACH)
    chance = random.Random(5)
    interrupts = 0
    with Alarm(KeyboardInterrupt) as alarm:
        for _ in range(60):
            try:
                alarm.set(chance.uniform(2e-5, 2e-3))
                world.run(steps=10**6)
            except KeyboardInterrupt:
                interrupts += 1
            if recording.frames < world.steps - 2:
                recording(world)  # The step was made, and the interrupt came before its observers were called.
    recording.close()
    assert interrupts == 60
    run = sm.read_run(tmp_path / "run")
    assert run.frames == recording.frames == len(run.table(["frame"])["frame"].unique())
    assert run.steps[-1] == world.steps


@pytest.mark.parametrize("form", ["x" * 10**6, [1.0] * 10**5, b"csv", None])
def test_a_format_that_there_is_not(form, tmp_path):
    with pytest.raises(ValueError, match=r'^format must be "parquet" or "csv", got .{0,400}$'):
        flock().record(tmp_path / "run", format=form)


def test_without_pyarrow_it_is_said_before_anything_is_computed(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(parts, "find_spec", lambda name, *rest: None if name == "pyarrow" else find(name, *rest))
    with pytest.raises(ImportError, match=r'please run: pip install "steersman\[record\]", or record as format="csv"'):
        flock().record(tmp_path / "run")
    assert not (tmp_path / "run").exists()
    flock().record(tmp_path / "csv", format="csv").close()
    assert (tmp_path / "csv" / "trajectory" / "part-00000.csv").exists()


def test_csv_needs_no_pyarrow(tmp_path):
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import steersman as sm\n"
        "world = sm.World(); world.add(sm.Vehicles([[1, 2]], [[1, 0]]))\n"
        f"world.record({str(tmp_path / 'run')!r}, format='csv')\n"
        "world.run(seconds=0.5)\n"  # Nobody closes it: the program ends.
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / "run" / "trajectory" / "part-00000.csv").read_text().splitlines()) == 7


def test_closing_twice_and_stepping_on(tmp_path):
    world = flock()
    recording = world.record(tmp_path / "run", every=EACH)
    world.run(steps=3)
    recording.close()
    recording.close()
    recording.flush()
    recording(world)
    world.run(steps=3)
    assert recording.frames == sm.read_run(tmp_path / "run").frames == 4
    assert repr(recording).endswith("4 frames, " + f"{recording.bytes:,} bytes, closed)")


def test_all_threads_end(tmp_path):
    before = threading.active_count()
    for k in range(5):
        flock(2).record(tmp_path / f"run {k}").close()
    assert threading.active_count() == before


def recording_child(folder):
    """A process that records a run for ever; it is under way when this returns."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            module.PART_ROWS = 300
            world = flock(30)
            world.watch("boids", "polarization", every=sm.EverySteps(5))
            world.record(folder, every=EACH)
            os.write(writing, b"!")
            world.run(steps=10**9)
        finally:
            os._exit(1)
    os.close(writing)  # So that reading ends if the child has ended.
    assert os.read(reading, 1) == b"!"
    os.close(reading)
    return child


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_kill_9_leaves_whole_parts(tmp_path):
    chance = random.Random(11)
    world = flock(30)
    twin = [world["boids"].position.copy()]
    whole = 0
    for k in range(KILLS):
        folder = tmp_path / f"run {k}"
        child = recording_child(folder)
        while k == 0 and not list(folder.rglob("*.parquet")):
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 1.0))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        run = sm.read_run(folder)
        assert not run.meta["closed"]
        assert run.steps.tolist() == list(range(run.frames))
        while world.steps < run.frames:
            world.step()
            twin.append(world["boids"].position.copy())
        if run.frames:
            table = run.table()
            assert len(table) == 30 * run.frames
            x = table["x"].to_numpy().reshape(-1, 30)
            np.testing.assert_array_equal(x, np.array(twin[: run.frames])[:, :, 0])
            assert len(run.metrics()["boids.polarization"].values) >= run.frames // 5
            whole += 1
        flock(3).record(folder, force=True).close()  # Its lock ended with the process.
    assert whole
