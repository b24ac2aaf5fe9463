"""The device: whether there is one, its memory, and graphs of launches."""

import importlib.util
import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array

if importlib.util.find_spec("numba_cuda") is None:
    raise ImportError('device="cuda" needs numba-cuda: pip install "steersman[gpu]"')

from numba import cuda as numbas

cuda: Any = numbas
"""What kernels and the host call, of which nothing is annotated."""

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
"""Whether kernels run in Numba's simulator, for tests (NUMBA_ENABLE_CUDASIM=1): the device's memory is that of the host."""


def check_device() -> None:
    """Raise RuntimeError where there is no device."""
    if not SIMULATED and not cuda.is_available():
        raise RuntimeError('device="cuda" needs a graphics processor of NVIDIA and its driver; there is none')


class Launch(NamedTuple):
    """A kernel of the device with its arguments.

    Attributes:
        phase: What it belongs to: "sort", "sum", "steer" or "move".
        kernel: The kernel.
        threads: The number of threads.
        block: The number of threads of a block.
        arguments: Its arguments.
    """

    phase: str
    kernel: Any
    threads: int
    block: int
    arguments: tuple[Any, ...]

    def start(self, stream: Any) -> None:
        """Start the kernel on a stream."""
        blocks = max(1, -(-self.threads // self.block))
        self.kernel[blocks, self.block, stream](*self.arguments)


def start_all(launches: Sequence[Launch], stream: Any) -> None:
    """Start kernels one after the other; they are compiled if need be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Numba warns of grids too small to keep the device busy.
        for launch in launches:
            launch.start(stream)


class Graph:
    """Launches that are recorded once and then started with one call.

    Args:
        launches: The launches; all of them have been started before, so that nothing remains to be compiled.
        stream: The stream.
    """

    def __init__(self, launches: Sequence[Launch], stream: Any) -> None:
        self._launches, self._stream = launches, stream
        if SIMULATED:
            return
        from cuda.bindings import driver

        self._driver: Any = driver
        self._on = stream_of(stream)
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        done(driver.cuStreamBeginCapture(self._on, mode))
        try:
            start_all(launches, stream)
        finally:
            graph = done(driver.cuStreamEndCapture(self._on))
        self._graph, self._made = graph, done(driver.cuGraphInstantiate(graph, 0))

    def start(self) -> None:
        """Start all launches."""
        if SIMULATED:
            start_all(self._launches, self._stream)
        else:
            done(self._driver.cuGraphLaunch(self._made, self._on))

    def __del__(self) -> None:
        if hasattr(self, "_made"):
            self._driver.cuGraphExecDestroy(self._made)
            self._driver.cuGraphDestroy(self._graph)


def stream_of(stream: Any) -> Any:
    """The driver's handle of a stream."""
    from cuda.bindings import driver

    handle = stream.handle
    return driver.CUstream(int(getattr(handle, "value", handle) or 0))


def done(answer: Any) -> Any:
    """The result of a call of the driver.

    Raises:
        RuntimeError: It failed.
    """
    error, *results = answer
    if int(error) != 0:
        raise RuntimeError(f"the device answers {error}")
    return results[0] if len(results) == 1 else None


def copy_in(to: Any, array: Array, stream: Any) -> None:
    """Copy an array of the host to memory of the device, in the order of the stream."""
    from cuda.bindings import driver

    done(driver.cuMemcpyHtoDAsync(address_of(to), array.ctypes.data, array.nbytes, stream_of(stream)))


def copy_out(array: Array, of: Any, stream: Any) -> None:
    """Copy memory of the device to an array of the host, in the order of the stream."""
    from cuda.bindings import driver

    done(driver.cuMemcpyDtoHAsync(array.ctypes.data, address_of(of), array.nbytes, stream_of(stream)))


def address_of(array: Any) -> int:
    """The address of an array on the device."""
    if SIMULATED:
        return int(array.ctypes.data)
    return int(array.__cuda_array_interface__["data"][0])


def wait(stream: Any) -> None:
    """Wait until all is done that was started on a stream."""
    if not SIMULATED:
        stream.synchronize()


def wait_for_all() -> None:
    """Wait until all is done that was started on any stream of this process."""
    if not SIMULATED:
        cuda.synchronize()


def new_stream() -> Any:
    """A stream of launches."""
    return 0 if SIMULATED else cuda.stream()


def zeros(shape: Any, dtype: Any) -> Any:
    """An array of zeros on the device."""
    array = np.zeros(shape, dtype)
    return array if SIMULATED else cuda.to_device(array)
