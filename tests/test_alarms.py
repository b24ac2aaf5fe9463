"""Alarms are not lost where Python cannot raise."""

import gc
import itertools

import pytest
from alarms import Alarm


class Heard(BaseException):
    """What an alarm raises here."""


def test_an_alarm_that_sounds_in_a_collection_sounds_again() -> None:
    """It is set in a collection, which goes on until it sounds: so it does not matter how busy the machine is."""
    sounded = []

    def until_it_sounds(phase: str, info: dict[str, int]) -> None:
        if not sounded:
            alarm.set(1e-3)
            try:
                for _ in itertools.count():
                    pass
            finally:
                sounded.append(True)

    def collect_and_go_on() -> None:
        gc.collect()
        assert sounded
        for _ in itertools.count():
            pass

    with Alarm(Heard) as alarm:
        gc.callbacks.append(until_it_sounds)
        try:
            with pytest.raises(Heard):
                collect_and_go_on()
        finally:
            gc.callbacks.remove(until_it_sounds)
