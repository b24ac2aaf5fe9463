"""Crews: the runs of a sweep are made in this process, by a pool of processes, by a cluster, or by any executor.

All of them are `concurrent.futures.Executor`s to the sweep. Only as many runs as keep a crew busy are handed out at a time,
so a sweep of a million runs takes no more memory than one of a hundred.
"""

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from importlib import import_module
from importlib.util import find_spec
from pickle import PicklingError
from types import TracebackType
from typing import Any

from steersman.core.kernels.thread_count import processors
from steersman.core.parameters.brief import brief
from steersman.runs.sweeps.task import Row, Task, Work, perform

KINDS = {"here": "", "pool": "", "ray": "ray", "dask": "distributed", "mpi": "mpi4py"}
"""Where runs are made -> the package that this needs."""

UNSENDABLE = (PicklingError, TypeError, AttributeError)
"""Errors of work that cannot be sent to another process."""

_work: Work | None = None
"""The work of a process of a pool."""


class Here(Executor):
    """Makes each run in this process, when it is handed out."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Call now."""
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


class Ray(Executor):
    """Has runs made by a cluster of Ray.

    Args:
        address: Its address, such as "auto" or "ray://head:10001". Default: Ray's, which begins one on this machine where
            there is none.
    """

    def __init__(self, address: str | None = None) -> None:
        ray: Any = import_module("ray")
        self._ray, self._began = ray, not ray.is_initialized()
        if self._began:
            ray.init(address=address, log_to_driver=False, logging_level="error")
        self._call = ray.remote(num_cpus=1)(lambda function, *args: function(*args))
        self._references: dict[int, Any] = {}

    @property
    def workers(self) -> int:
        """The processors of the cluster."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have it called by the cluster. Work is sent once, not with every run."""
        sent = [self._sent(each) if isinstance(each, Work) else each for each in args]
        future: Future[Any] = self._call.remote(function, *sent).future()
        return future

    def _sent(self, work: Work) -> Any:
        if id(work) not in self._references:
            self._references[id(work)] = self._ray.put(work)
        return self._references[id(work)]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, or end it, if it was begun here."""
        if self._began:
            self._ray.shutdown()


def _begin(work: Work) -> None:
    """Begin a process of a pool: Ctrl-C is for the process that made it, and it ends with that process."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, name="steersman parent", daemon=True).start()


def _perform_here(task: Task) -> Row:
    assert _work is not None
    return perform(_work, task)


def _pool(workers: int, work: Work) -> ProcessPoolExecutor:
    """A pool whose processes have the work, and, where processes can be forked, the compiled kernels."""
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(work,))


def _hand_out(pool: ProcessPoolExecutor, task: Task) -> "Future[Any]":
    """Let a pool make a run. Its processes are forked with the first one."""
    with warnings.catch_warnings():  # Forked children hold none of this library's locks.
        warnings.filterwarnings("ignore", "This process.*is multi-threaded", DeprecationWarning)
        return pool.submit(_perform_here, task)


class Crew:
    """Makes runs: `with Crew(work, "pool") as crew: for rows in crew.rows(tasks): ...`.

    Args:
        work: The part that all runs have in common.
        on: "pool", "here", "ray", "dask" or "mpi", with the address of a cluster after "=" ("ray=auto",
            "dask=tcp://10.0.0.1:8786"), or an Executor.
        workers: How many runs are made at a time. Default: one for each processor.

    Raises:
        ValueError: There is no such place, workers is no whole number >= 1, or `on` is "mpi" outside of mpiexec.
        ImportError: The package for it is not installed.
    """

    def __init__(self, work: Work, on: Any = "pool", workers: int | None = None) -> None:
        if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
            raise ValueError(f"workers must be a whole number >= 1, got {brief(workers)}")
        self.work, self._own = work, not isinstance(on, Executor)
        self._client: Any = None
        self.kind, self._address = ("executor", "") if not self._own else _place(on)
        self._executor: Any = on if isinstance(on, Executor) else Here()
        self._requested_workers, self.workers = workers, workers or processors()

    def __enter__(self) -> "Crew":
        if self.kind == "pool":
            self._executor = _pool(self.workers, self.work)
        elif self.kind == "ray":
            self._executor = made = Ray(self._address or None)
            self.workers = self._requested_workers or made.workers
        elif self.kind == "dask":
            self._client = import_module("distributed").Client(self._address or None)
            self._executor = self._client.get_executor(pure=False)
            self.workers = self._requested_workers or max(1, sum(self._client.ncores().values()))
        elif self.kind == "mpi":
            self._executor = import_module("mpi4py.futures").MPIPoolExecutor(self._requested_workers)
            self.workers = self._requested_workers or max(1, self._executor.num_workers)
        elif self.kind == "here":
            self.workers = 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._own:
            return
        if kind is not None and isinstance(self._executor, ProcessPoolExecutor):
            _end(self._executor)
        if self._client is not None:
            self._client.close()  # And with it a cluster that it has begun.
        else:
            self._executor.shutdown(wait=kind is None or self.kind == "pool", cancel_futures=True)

    def rows(self, tasks: Iterator[Task]) -> Iterator[list[Row]]:
        """Make runs.

        Args:
            tasks: The tasks; a few more than are being made are taken at a time.

        Yields:
            The rows that are there, in the order in which their runs ended.

        Raises:
            TypeError: The work cannot be sent to another process.
            BrokenExecutor: An executor of yours is broken.
        """
        waiting: dict[Future[Any], Task] = {}
        window = 1 if self.kind == "here" else 2 * self.workers
        while True:
            try:
                while len(waiting) < window and (task := next(tasks, None)) is not None:
                    waiting[self._submit(task)] = task
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                rows = [self._row(future, waiting[future]) for future in done]
            except BrokenExecutor:
                if self.kind != "pool":
                    raise
                yield from self._one_by_one(list(waiting.values()) + ([task] if task is not None else []), waiting)
                waiting = {}
                continue
            for future in done:
                del waiting[future]
            yield rows

    def _submit(self, task: Task) -> "Future[Any]":
        if self.kind == "pool":
            return _hand_out(self._executor, task)
        future: Future[Any] = self._executor.submit(perform, self.work, task)
        return future

    def _row(self, future: "Future[Any]", task: Task) -> Row:
        """The row of a run that ended, or that was lost with its machine."""
        error = future.exception()
        if error is None:
            row: Row = future.result()
            return row
        if isinstance(error, BrokenExecutor):
            raise error
        if isinstance(error, UNSENDABLE):
            raise TypeError(
                f"the scenario and the measures must be such that they can be sent to other processes: {error}"
            ) from error
        return self.work.empty(task, f"{type(error).__name__}: {error}")

    def _one_by_one(self, tasks: list[Task], futures: dict["Future[Any]", Task]) -> Iterator[list[Row]]:
        """A process of the pool has ended in the middle of a run: find out in which, and go on with a new pool."""
        handled = set()
        for future, task in futures.items():
            if future.done() and future.exception() is None:
                handled.add(task.number)
                yield [future.result()]
        for task in tasks:
            if task.number in handled:
                continue
            handled.add(task.number)
            with _pool(1, self.work) as alone:
                try:
                    row = self._row(_hand_out(alone, task), task)
                except BrokenExecutor:
                    row = self.work.empty(task, "the process that made this run has ended: it crashed, or was killed")
            yield [row]
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._executor = _pool(self.workers, self.work)


def _place(on: Any) -> tuple[str, str]:
    """Where runs are made, and the address of a cluster."""
    if not isinstance(on, str):
        raise TypeError(f"on must be one of {', '.join(KINDS)}, or an Executor, got {brief(on)}")
    kind, _, address = on.partition("=")
    if kind not in KINDS or (address and kind not in ("ray", "dask")):
        raise ValueError(f"on must be one of {', '.join(KINDS)}, ray=ADDRESS or dask=ADDRESS, got {on!r}")
    if KINDS[kind] and find_spec(KINDS[kind]) is None:
        raise ImportError(f"on={on!r} needs {KINDS[kind]}; please run: pip install {KINDS[kind]}")
    if kind == "mpi" and getattr(import_module("mpi4py.futures._core"), "SharedPool", kind) is None:
        # mpi4py would launch processes itself, and wait for them without end where it may not.
        raise ValueError(
            "on='mpi' needs the processes of mpiexec: run `mpiexec -n 9 python -m mpi4py.futures program.py` (on the "
            "command line `... -m mpi4py.futures -m steersman sweep ...`), or pass an MPIPoolExecutor that launches its own"
        )
    return kind, address


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool at once; Python 3.14 has a method for it."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
