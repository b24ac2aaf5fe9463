"""LLVM's objects are freed while no signal can be heard: one that is interrupted in between would be freed twice."""

import signal
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import ffi

from steersman.core.kernels.kernel import collecting, entry_point, kernel


@kernel
def double(start: int, stop: int, values: Any) -> None:
    """Double some numbers."""
    for i in range(start, stop):
        values[i] = 2 * values[i]


def test_no_text_of_llvm_is_freed_where_a_signal_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = signal.getsignal(signal.SIGINT)
    heard: list[bool] = []
    honest = ffi.OutputString.close

    def close(text: Any) -> None:
        heard.append(signal.getsignal(signal.SIGINT) is usual)
        honest(text)

    monkeypatch.setattr(ffi.OutputString, "close", close)
    with collecting() as missing:
        entry_point(double, (0, 1, np.ones(3)))
    for job in missing:
        job.compile()
    values = np.ones(3)
    entry_point(double, (0, 1, values))(0, 3, values)
    assert values.tolist() == [2, 2, 2]
    double(0, 3, np.ones(3, np.float32))
    assert heard
    assert not any(heard)
    assert signal.getsignal(signal.SIGINT) is usual
