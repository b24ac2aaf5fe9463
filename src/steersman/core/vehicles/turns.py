"""Turns: while one thread steps an object, no other thread steps or changes it.

Every object that makes steps (a world, a Controller) has a `Turn`. The thread that makes a step holds its lock. A thread that
changes a stepped object waits for the turns of all objects that step it. Between two steps, a thread gives way to waiting
threads; otherwise it would always be the first to take the lock that it has just released.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import RLock, get_ident
from typing import Any, Protocol, TypeVar, cast
from weakref import WeakSet

from steersman.core.kernels.signals import at_once

R = TypeVar("R")
Method = TypeVar("Method", bound=Callable[..., Any])

PATIENCE = 10.0
"""Time [s] after which a waiting thread checks whether the thread that steps could be waiting for it."""

PAUSE = 1e-4
"""Time for which a thread gives way to others before its next step [s]."""


class Turn:
    """The turn of one thread to step an object.

    Attributes:
        lock: The lock that the thread holds while it steps; the same thread may take it again.
        waiting: The threads that wait for the lock.
        shared: Whether a thread that steps waits while another thread steps, instead of raising an error.
    """

    __slots__ = ("__weakref__", "lock", "shared", "waiting")

    def __init__(self) -> None:
        self.lock = RLock()
        self.waiting: set[int] = set()
        self.shared = False
        TURNS.add(self)

    def __reduce__(self) -> tuple[type["Turn"], tuple[()]]:
        return Turn, ()  # No thread steps the copy of a stepped object.

    @property
    def is_own(self) -> bool:
        """Whether this thread holds the lock."""
        return bool(self.lock._is_owned())  # type: ignore[attr-defined]

    def give_way(self) -> None:
        """Let the waiting threads have the turn."""
        if not self.is_own:
            time.sleep(PAUSE)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """While inside, no other thread steps.

        Raises:
            RuntimeError: This thread is in the middle of another step itself, and the two could wait for each other.
        """
        me = get_ident()
        self.waiting.add(me)
        try:
            while not self._is_free():
                if any(each.is_own for each in each_of(TURNS)):
                    raise RuntimeError(
                        "another thread is in the middle of a step, and this one is in the middle of a step of something "
                        "else; change vehicles between steps"
                    )
            with self.lock:
                self.waiting.discard(me)
                yield
        finally:
            self.waiting.discard(me)

    def _is_free(self) -> bool:
        """Whether the lock could be acquired within `PATIENCE`."""
        try:
            at_once([(self.lock.acquire, True, PATIENCE), (self.lock.release,)])
        except RuntimeError:  # A lock that was not acquired cannot be released.
            return False
        return True


TURNS: WeakSet[Turn] = WeakSet()
"""All turns of this process."""


def each_of(turns: "WeakSet[Turn]") -> list[Turn]:
    """The members of a set, to which other threads may add members meanwhile."""
    references: set[Any] = vars(turns)["data"]
    return [turn for reference in tuple(references) if (turn := reference()) is not None]


class _Changing:
    """The lock that lets one thread at a time make changes. A thread that holds it waits for no other lock."""

    lock = RLock()


CHANGING = _Changing()


class Stepped(Protocol):
    """An object that is stepped, and may be changed between steps."""

    @property
    def turns(self) -> Iterable[Turn]:
        """The turns of all objects that step it."""


def takes_turn(method: Method) -> Method:
    """A method that changes a stepped object: it waits for the end of a step that another thread makes."""

    @wraps(method)
    def waiting(self: Stepped, /, *args: Any, **kwargs: Any) -> Any:
        return alone(self, lambda: method(self, *args, **kwargs))

    return cast(Method, waiting)


def alone(stepped: Stepped, function: Callable[[], R]) -> R:
    """Call a function while no other thread steps or changes an object.

    Raises:
        RuntimeError: As for `Turn.taken`.
    """
    turns = frozenset(stepped.turns)

    def change() -> Any:
        with CHANGING.lock:
            return function() if turns.issuperset(stepped.turns) else RETRY

    result = _hold(sorted(turns, key=id), change)
    return alone(stepped, function) if result is RETRY else result  # Meanwhile another object steps it, too.


RETRY: Any = object()
"""The result of a change that was not made, because other turns are needed."""


def _hold(turns: list[Turn], function: Callable[[], R]) -> R:
    """Call a function while holding several turns, always taken in the same order."""
    if not turns:
        return function()
    with turns[0].taken():
        return _hold(turns[1:], function)


def _renew_locks() -> None:
    """Renew the locks in a forked child, in which the threads that held them do not exist.

    Locks of the thread that forked are kept: its steps continue in the child.
    """
    CHANGING.lock = RLock()
    for turn in each_of(TURNS):
        if not turn.is_own:
            turn.lock, turn.waiting = RLock(), set()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)
