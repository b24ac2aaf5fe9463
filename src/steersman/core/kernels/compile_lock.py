"""One process at a time compiles a kernel; the others wait, and then load it from the cache.

The lock is on a file beside that of the kernel. It is an economy and no condition: where files have no locks (on Windows, in
some network folders), where the file can't be written, and where the lock is not free within `PATIENCE` seconds, a kernel is
compiled without it. Then several processes do the same work, and each of them writes a whole file (see `cache.py`).

Only entries are locked (see `compiler.py`), and no entry is compiled within another: no process that holds a lock waits for
one. The system frees the locks of a process that ends, however it ends.
"""

import contextlib
import os
import time
from pathlib import Path

PATIENCE = 30.0
"""Seconds that a process waits for another one. Nearly all kernels are compiled in less than ten."""

PAUSE = 0.02
"""Seconds between two attempts."""

SUFFIX = ".lock"
"""The end of the name of the locked file, instead of that of the kernel."""


class CompileLock:
    """The lock on a kernel that is to be compiled, held from the start until `release`, if there is one.

    Args:
        kernel: The file that will have the compiled kernel. The lock is not waited for any longer when it is there.
    """

    def __init__(self, kernel: Path) -> None:
        self.path = kernel.with_suffix(SUFFIX)
        self.handle: int | None = None
        if kernel.is_file():
            return
        try:
            import fcntl

            kernel.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_CREAT | os.O_RDWR, 0o666)
        except (ImportError, OSError):
            return
        end = time.monotonic() + PATIENCE
        while not kernel.is_file() and time.monotonic() <= end:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(PAUSE)
            except OSError:  # The folder has no locks.
                break
            else:
                self.handle = handle
                return
        os.close(handle)

    def release(self) -> None:
        """Let another process go on, and remove the file.

        A process that waits holds the removed file, and one that comes later makes another: both may go on at once. That
        is harmless, because both find the kernel in the cache.
        """
        if self.handle is not None:
            import fcntl

            handle, self.handle = self.handle, None
            with contextlib.suppress(OSError):
                self.path.unlink()
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_UN)  # Closing is not enough while a forked child has it open, too.
            os.close(handle)
