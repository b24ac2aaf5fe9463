"""Whole files: written under another name and renamed, so that a reader finds the old file or the new one, never a part."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes | memoryview | str) -> None:
    """Write a file. When this returns it is on the disk; if the machine fails before, the old file is.

    Args:
        path: The file, which is replaced if it exists.
        data: The new contents; a text is written as UTF-8.

    Raises:
        OSError: The file cannot be written. The old file is unchanged.
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
    """The incomplete versions of a file that killed processes left behind."""
    return sorted(path.parent.glob(f".{path.name}.*.partial"))


def put_in_place(aside: Path, path: Path) -> None:
    """Rename a complete file to its final name. When this returns, the file and its name are on the disk.

    Args:
        aside: The complete file.
        path: Its final name, in the same folder. An old file is replaced.

    Raises:
        OSError: The file cannot be renamed. The old file is unchanged.
    """
    with aside.open("rb+") as file:  # Open for writing, as Windows requires for fsync.
        os.fsync(file.fileno())  # A name must not outlive its contents when the machine fails.
    os.replace(aside, path)
    _settle(path.parent)


def _settle(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can do that."""
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
