"""Links: messages between the processes that step one world. All of them make the same calls in the same order."""

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn, Protocol, runtime_checkable

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.runs.optional import require_package


@runtime_checkable
class Link(Protocol):
    """The connection of one process to all others.

    Attributes:
        rank: The number of this process, from 0.
        ranks: The number of processes.
    """

    rank: int
    ranks: int

    def most(self, values: Array) -> Array:
        """The largest of each value over all processes; float64."""

    def swap(self, parts: Sequence[Array], sizes: Sequence[int] | None = None) -> list[Array]:
        """Send bytes to each process, and take those that each sends to this one; uint8.

        Args:
            parts: What to send to each.
            sizes: The number of bytes that each sends. Default: they tell it first.
        """

    def gather(self, value: Any) -> list[Any]:
        """The values of all processes, at process 0; an empty list at others."""

    def tell(self, value: Any) -> Any:
        """The value of process 0, at all."""

    def fail(self, error: BaseException) -> NoReturn:
        """End all processes, because this one cannot go on."""

    def quit(self, code: int) -> None:
        """End all processes with an exit code; the reason was printed."""


class Alone:
    """A process without others."""

    rank, ranks = 0, 1

    def most(self, values: Array) -> Array:
        """The values themselves."""
        return values

    def swap(self, parts: Sequence[Array], sizes: Sequence[int] | None = None) -> list[Array]:
        """The part for this process."""
        return list(parts)

    def gather(self, value: Any) -> list[Any]:
        """The value."""
        return [value]

    def tell(self, value: Any) -> Any:
        """The value."""
        return value

    def fail(self, error: BaseException) -> NoReturn:
        """Raise the error."""
        raise error

    def quit(self, code: int) -> None:
        """There are no others to end."""


class MPILink:
    """The processes of an `mpiexec`.

    Args:
        comm: A communicator of mpi4py. Default: that of all processes.

    Raises:
        ImportError: mpi4py is not installed.
    """

    def __init__(self, comm: Any = None) -> None:
        if comm is None:
            require_package("mpi4py", "steersman[mpi]")
            os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")  # Processes that wait let others have the core.
            comm = import_module("mpi4py.MPI").COMM_WORLD
        self._comm = comm
        self.rank: int = self._comm.Get_rank()
        self.ranks: int = self._comm.Get_size()

    def most(self, values: Array) -> Array:
        """The largest of each value over all processes."""
        own = np.ascontiguousarray(values, np.float64)
        every = np.empty((self.ranks, own.size))
        self._comm.Allgather(own.reshape(-1), every)
        return np.asarray(every.max(axis=0).reshape(own.shape))

    def swap(self, parts: Sequence[Array], sizes: Sequence[int] | None = None) -> list[Array]:
        """Send bytes to each process, and take those that each sends to this one."""
        going = np.array([each.size for each in parts], np.int64)
        coming = np.empty(self.ranks, np.int64)
        if sizes is None:
            self._comm.Alltoall(going, coming)
        else:
            coming[:] = sizes
            coming[self.rank] = going[self.rank]
        taken = [np.empty(size, np.uint8) for size in coming.tolist()]
        waiting = []
        for other in range(self.ranks):
            if other == self.rank:
                taken[other][:] = parts[other]
            elif coming[other]:
                waiting.append(self._comm.Irecv(taken[other], source=other))
        others = [other for other in range(self.ranks) if other != self.rank and going[other]]
        waiting += [self._comm.Isend(np.ascontiguousarray(parts[other]), dest=other) for other in others]
        for each in waiting:
            each.Wait()
        return taken

    def gather(self, value: Any) -> list[Any]:
        """The values of all processes, at process 0; an empty list at others."""
        return self._comm.gather(value, root=0) or []

    def tell(self, value: Any) -> Any:
        """The value of process 0, at all."""
        return self._comm.bcast(value, root=0)

    def fail(self, error: BaseException) -> NoReturn:
        """Print the error and end all processes: others may be waiting for this one."""
        traceback.print_exception(error)
        self.quit(1)
        raise error

    def quit(self, code: int) -> None:
        """End all processes, also those that wait for this one."""
        sys.stdout.flush()
        sys.stderr.flush()
        if self.ranks > 1:
            self._comm.Abort(code)


def link_of(comm: Any) -> Link:
    """The link for an argument: a Link itself, a communicator of mpi4py, or None for all processes of `mpiexec`.

    Raises:
        ImportError: mpi4py is not installed.
    """
    if isinstance(comm, Link):
        return comm
    if comm is not None and not hasattr(comm, "Get_rank"):
        raise TypeError(f"comm must be a communicator of mpi4py, got {brief(comm)}")
    return MPILink(comm)
