"""Files that are written whole."""

import os
import stat
from pathlib import Path

import pytest

from steersman.core.parameters import whole_files
from steersman.core.parameters.whole_files import put_in_place, write_whole


@pytest.fixture
def synced(monkeypatch):
    """The contents of files, and the names in folders, that are on the disk."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not say which file a number is of")
    found, true = [], os.fsync

    def told(handle):
        place = Path(f"/proc/self/fd/{handle}").readlink()
        found.append([each.name for each in place.iterdir()] if place.is_dir() else place.read_bytes())
        true(handle)

    monkeypatch.setattr(whole_files.os, "fsync", told)
    return found


def test_contents_are_on_the_disk_before_their_name_is(tmp_path, synced):
    path = tmp_path / "data"
    path.write_bytes(b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert synced == [b"new", ["data"]]


def test_what_was_written_aside_gets_its_name(tmp_path, synced):
    aside, path = tmp_path / "aside", tmp_path / "data"
    aside.write_bytes(b"new")
    put_in_place(aside, path)
    assert synced == [b"new", ["data"]]
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt])
def test_whatever_fails_leaves_what_was_there_and_nothing_else(kind, tmp_path, monkeypatch):
    path = tmp_path / "data"
    path.write_bytes(b"old")

    def fails(*_):
        raise kind(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", fails)
    with pytest.raises(kind) as told:
        write_whole(path, b"new")
    if kind is OSError:
        assert told.value.strerror == "cannot be written, and what was there is as it was: No space left on device"
        assert told.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["data"]


def test_a_folder_that_cannot_be_flushed_is_closed(tmp_path, monkeypatch):
    true, folders = os.fsync, []

    def refusing(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            folders.append(handle)
            raise OSError(22, "Invalid argument")
        true(handle)

    monkeypatch.setattr(whole_files.os, "fsync", refusing)
    write_whole(tmp_path / "data", b"new")
    assert (tmp_path / "data").read_bytes() == b"new"
    for handle in folders:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(handle)
