"""Whole files: written aside and renamed, so that a reader finds the old one or the new one, never half of one."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes | memoryview | str) -> None:
    """Write a file. It is on the disk when this returns, and not half there if the machine goes down before.

    Args:
        path: The file; one that is there is replaced.
        data: The new contents; a text is written as UTF-8.

    Raises:
        OSError: It cannot be written. The old file is as it was.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        aside.write_bytes(data.encode() if isinstance(data, str) else data)
        put_in_place(aside, path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        message = f"cannot be written, and what was there is as it was: {error.strerror or error}"
        raise type(error)(error.errno, message, str(path)) from None
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def leftovers(path: Path) -> list[Path]:
    """The remains of a file that processes left when they were killed."""
    return sorted(path.parent.glob(f".{path.name}.*.partial"))


def put_in_place(aside: Path, path: Path) -> None:
    """Rename a file that was written aside, in place of the old one; both are on the disk when this returns.

    Args:
        aside: The file, whole.
        path: The name that it gets, in the same folder.

    Raises:
        OSError: It cannot be renamed. The old file is as it was.
    """
    with aside.open("rb+") as file:  # Windows wants it open for writing.
        os.fsync(file.fileno())  # A name must not outlive its contents when the machine fails.
    os.replace(aside, path)
    _settle(path.parent)


def _settle(folder: Path) -> None:
    """See to it that a new name is on the disk, too, where folders can be opened for that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
