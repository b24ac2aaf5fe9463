"""Alarms are not lost where Python cannot raise."""

import gc
import time

import pytest
from alarms import Alarm


class Heard(BaseException):
    """What an alarm raises here."""


def test_an_alarm_that_sounds_in_a_collection_sounds_again() -> None:
    started = []

    def slow(phase: str, info: dict[str, int]) -> None:
        if not started:
            started.append(time.perf_counter())
            while time.perf_counter() < started[0] + 0.05:
                pass

    def collect_and_go_on() -> None:
        gc.collect()
        while time.perf_counter() < started[0] + 5:
            pass

    gc.callbacks.append(slow)
    try:
        with Alarm(Heard) as alarm:
            alarm.set(0.02)
            with pytest.raises(Heard):
                collect_and_go_on()
    finally:
        gc.callbacks.remove(slow)
