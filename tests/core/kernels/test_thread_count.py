"""How many threads are used: as the argument says, or the environment, or the processors."""

import pytest

from steersman.core.kernels.thread_count import thread_count


def test_the_number_of_threads(monkeypatch):
    monkeypatch.delenv("STEERSMAN_THREADS", raising=False)
    assert thread_count(None) >= 1
    assert thread_count(3) == 3
    monkeypatch.setenv("STEERSMAN_THREADS", "2")
    assert thread_count(None) == 2
    assert thread_count(5) == 5
    for wrong in ("0", "-1", "1.5", "x", ""):
        monkeypatch.setenv("STEERSMAN_THREADS", wrong)
        with pytest.raises(ValueError, match=f"STEERSMAN_THREADS must be a whole number >= 1, got '{wrong}'"):
            thread_count(None)
