"""A buffer that is interrupted at any moment."""

import itertools
import random
import threading
from collections.abc import Callable

import pytest
from alarms import Alarm
from patience import PATIENCE

from steersman.runs.recording.buffer import Buffer


class Interrupted(BaseException):
    """What Ctrl-C would raise."""


def test_an_interrupt_never_leaves_it_locked_or_miscounted() -> None:
    buffer, chance, taken = Buffer(limit=1000), random.Random(3), []

    def take() -> None:
        while (item := buffer.take()) is not None:
            taken.append(item)
            buffer.done(1, 10)

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    numbers = itertools.count(1)

    def put() -> None:
        alarm.set(chance.uniform(1e-5, 4e-4))
        for number in numbers:
            buffer.put(number, 10)
            buffer.wait()

    with Alarm(Interrupted) as alarm:
        for _ in range(400):
            with pytest.raises(Interrupted):
                put()
    free = threading.Thread(target=buffer.done, args=(0, 0), daemon=True)
    free.start()
    free.join(timeout=PATIENCE)
    assert not free.is_alive(), "it is locked for ever"
    buffer.wait(empty=True)
    assert taken == sorted(taken)
    assert next(numbers) - 1 - len(taken) <= 400  # An interrupt may come before a number is put.
    buffer.put(None)
    thread.join(timeout=PATIENCE)
    assert not thread.is_alive()


def assert_ends_when_an_item_is_done(buffer: Buffer, wait: Callable[[], object]) -> None:
    """Check that a wait for a buffer lasts until an item of ten bytes is done, and no longer."""
    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(timeout=0.1)
    assert waiting.is_alive()
    buffer.done(1, 10)
    waiting.join(timeout=PATIENCE)
    assert not waiting.is_alive()


def test_there_is_room_again_when_items_are_done() -> None:
    buffer = Buffer(limit=15)
    for _ in range(2):
        buffer.put("item", 10)
    assert_ends_when_an_item_is_done(buffer, buffer.wait)


def test_it_is_not_empty_while_its_last_item_is_being_dealt_with() -> None:
    buffer = Buffer()
    buffer.put("item", 10)
    assert buffer.take() == "item"
    assert_ends_when_an_item_is_done(buffer, lambda: buffer.wait(empty=True))
