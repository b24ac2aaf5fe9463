"""Signals wait until what must be done whole is done, and are heard then."""

import os
import signal
import threading

import pytest

from steersman.core.kernels.signals import deferred_signals

posix_only = pytest.mark.skipif(os.name == "nt", reason="no such signals")


def test_ctrl_c_waits_and_is_heard_afterwards():
    done = []

    def work():
        with deferred_signals():
            signal.raise_signal(signal.SIGINT)
            done.append("whole")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_it_may_be_nested():
    done = []

    def work():
        with deferred_signals():
            with deferred_signals():
                signal.raise_signal(signal.SIGINT)
                done.append("inner")
            done.append("outer")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["inner", "outer"]


@posix_only
def test_a_programs_own_handlers_are_called_in_order(monkeypatch):
    heard = []
    before = [
        (number, signal.signal(number, lambda number, frame: heard.append(number)))
        for number in (signal.SIGUSR1, signal.SIGTERM)
    ]
    try:
        with deferred_signals():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGUSR1)
            assert heard == []
        assert heard == [signal.SIGTERM, signal.SIGUSR1]
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@posix_only
def test_one_handler_that_raises_does_not_silence_the_next():
    heard = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))

    def work():
        with deferred_signals():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGUSR1)

    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        assert heard == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_what_goes_wrong_inside_is_what_is_raised():
    with pytest.raises(ZeroDivisionError), deferred_signals():
        1 / 0  # noqa: B018
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_hear_nothing_anyway():
    done = []

    def work():
        with deferred_signals():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
