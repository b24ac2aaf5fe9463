"""The folder of a recorded run: its files, the check that it is free, and the lock that lets one run alone write."""

import errno
import json
import os
import re
import tempfile
from pathlib import Path

from steersman.core.parameters import whole_files

SCENARIO, ARRAYS, META = "scenario.toml", "scenario.npz", "meta.json"
TRAJECTORY, METRICS, SNAPSHOTS = "trajectory", "metrics", "snapshots"

PART = re.compile(r"(\.?)part-(\d{5,9})\.(parquet|csv)(\.tmp)?")
"""The names of parts; a name that begins with a dot is that of a part that is being written."""


SNAPSHOT = re.compile(r"\.?snapshot-(run\.json|\d+\.steersman)(\..*)?")
"""The names of snapshots of a run, and of the call that began it; also of those that were being written."""

PARTS = {TRAJECTORY: PART, METRICS: PART, SNAPSHOTS: SNAPSHOT}
"""The folders in that of a run, and the names of the files in them."""

KIND = "steersman run"
"""What meta.json calls itself."""

LARGEST = 2**26
"""A larger file [bytes] is not read: it is no meta.json."""


class RunError(ValueError):
    """A folder is no readable run, or cannot become a run; the message names the file and the reason."""


def part_name(number: int, suffix: str) -> str:
    """The file name of a part."""
    return f"part-{number:05d}.{suffix}"


def set_aside(path: Path) -> Path:
    """The name of a part while it is written. It does not change from process to process, so that leftovers are found."""
    return path.with_name(f".{path.name}.tmp")


def put_in_place(path: Path) -> None:
    """Rename a part that was written aside to its final name; a file of this name is replaced.

    Raises:
        OSError: It cannot be renamed.
    """
    whole_files.put_in_place(set_aside(path), path)


def parts_in(folder: Path) -> dict[int, Path]:
    """The whole parts in a folder, by number."""
    parts = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = PART.fullmatch(path.name)
        if match and not match[1] and not match[4]:
            parts[int(match[2])] = path
    return dict(sorted(parts.items()))


def is_run(folder: Path) -> bool:
    """Whether a folder has a meta.json: that of a recorded run, unless it is damaged or of another program."""
    return (folder / META).exists()


def is_own(folder: Path) -> bool:
    """Whether a folder holds a recorded run, by the content of meta.json; only such a folder may be cleared."""
    try:
        with (folder / META).open("rb") as file:
            meta = json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(meta, dict) and meta.get("kind") == KIND


def open_folder(folder: Path, *, force: bool) -> "Lock":
    """Make the folder of a run, check that it can be written to, and lock it.

    Args:
        folder: The folder.
        force: Whether to replace a run in the folder.

    Raises:
        RunError: It cannot be made or written to, it has files already, or another run is being recorded there.
    """
    lock = _taken(folder)
    try:
        if is_own(folder):
            if not force:
                raise RunError(
                    f"folder {folder}: there is a run already; choose another folder, or replace it with force"
                )
            there = others_in(folder)
        else:
            names = (META, SCENARIO, ARRAYS, *PARTS)
            there = [name for name in names if (folder / name).exists()]
        if there:
            raise RunError(
                f"folder {folder}: there is {' and '.join(there)} already, not left by a recorded run; choose another folder"
            )
        if is_own(folder):
            clear(folder)
        (folder / TRAJECTORY).mkdir()
    except OSError as error:
        lock.release()
        raise RunError(f"folder {folder}: cannot be written to: {error.strerror or error}") from None
    except BaseException:
        lock.release()
        raise
    return lock


def reopen_folder(folder: Path) -> "Lock":
    """Lock the folder of a run whose recording continues.

    Raises:
        RunError: There is no run, it cannot be written to, or it is being recorded.
    """
    if not is_run(folder):
        raise RunError(f"folder {folder}: there is no recorded run that could go on")
    return _taken(folder)


def _taken(folder: Path) -> "Lock":
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RunError(f"folder {folder}: cannot be written to: {error.strerror or error}") from None
    return Lock(folder)


def others_in(folder: Path) -> list[str]:
    """The folders in that of a run that have files of others, which `clear` leaves there."""
    return [name for name in PARTS if _left_by_others(folder / name, PARTS[name])]


def clear(folder: Path) -> None:
    """Delete the files of a recorded run, and no others.

    Raises:
        OSError: A file cannot be deleted.
    """
    for name in PARTS:
        _clear(folder, name)
    for name in (SCENARIO, ARRAYS, META):  # What is left where this is stopped is still a run.
        for path in (set_aside(folder / name), *whole_files.leftovers(folder / name), folder / name):
            path.unlink(missing_ok=True)


def clear_snapshots(folder: Path) -> None:
    """Delete the snapshots of a run, and no other files.

    Raises:
        OSError: A file cannot be deleted.
    """
    _clear(folder, SNAPSHOTS)


def _clear(folder: Path, name: str) -> None:
    """Delete the files of a run in a folder of it, and the folder, if no others are there."""
    if (folder / name).is_dir():
        for path in (folder / name).iterdir():
            if PARTS[name].fullmatch(path.name):
                path.unlink()
        if not _left_by_others(folder / name, PARTS[name]):
            (folder / name).rmdir()


def _left_by_others(folder: Path, pattern: "re.Pattern[str]") -> bool:
    """Whether there are files that no run has left."""
    if not folder.is_dir():
        return folder.exists()
    return not all(pattern.fullmatch(path.name) for path in folder.iterdir())


class Lock:
    """Locks a folder for one run. The lock ends with the process in every case, and leaves no file behind.

    Raises:
        RunError: Another run holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._file: int | None = None
        try:
            import fcntl
        except ImportError:  # On Windows there is no lock: only existing runs are noticed.
            return
        self._file = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.release()
            if error.errno in (errno.EAGAIN, errno.EACCES):
                raise RunError(
                    f"folder {folder}: another run is being recorded there at this moment; choose another folder"
                ) from None

    def release(self) -> None:
        """Unlock the folder."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
