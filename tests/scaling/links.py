"""Processes that step one world, as threads of this process: as exact, and without MPI."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np


class Board:
    """What the threads have written for each other."""

    def __init__(self, ranks: int) -> None:
        self.barrier, self.slots = threading.Barrier(ranks), [None] * ranks
        self.errors: list[BaseException] = []


class ThreadLink:
    """The link of one of several threads."""

    def __init__(self, board: Board, rank: int) -> None:
        self._board, self.rank, self.ranks = board, rank, len(board.slots)

    def _all(self, value: Any) -> list[Any]:
        self._board.slots[self.rank] = value
        self._board.barrier.wait(60)
        every = list(self._board.slots)
        self._board.barrier.wait(60)
        return every

    def most(self, values: Any) -> Any:
        return np.max(self._all(np.array(values, np.float64)), axis=0)

    def swap(self, parts: Sequence[Any], sizes: Any = None) -> list[Any]:
        return [each[self.rank].copy() for each in self._all(list(parts))]

    def gather(self, value: Any) -> list[Any]:
        every = self._all(value)
        return every if self.rank == 0 else []

    def tell(self, value: Any) -> Any:
        return self._all(value)[0]

    def quit(self, code: int) -> None:
        self._board.barrier.abort()

    def fail(self, error: BaseException) -> NoReturn:
        self._board.barrier.abort()
        raise error


def in_parts(ranks: int, work: Callable[[ThreadLink], Any]) -> list[Any]:
    """Do the work of every process; return what each returns, or raise the first error that is none of waiting."""
    board, found, errors = Board(ranks), [None] * ranks, []

    def run(rank: int) -> None:
        try:
            found[rank] = work(ThreadLink(board, rank))
        except BaseException as error:
            board.barrier.abort()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(ranks)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for error in sorted(errors, key=lambda each: isinstance(each, threading.BrokenBarrierError)):
        raise error
    return found
