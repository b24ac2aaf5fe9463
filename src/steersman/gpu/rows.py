"""The row kernels of a plan, fused to one kernel: a thread for each row makes all calls for it."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from steersman.core.kernels.call import Call
from steersman.gpu.compiling import device_function, entry, is_kernel
from steersman.gpu.device import Launch, cuda
from steersman.gpu.mirror import Mirror

BLOCK: Final = 256

KNOWN: dict[tuple[Any, ...], Any] = {}
"""Source and functions -> fused kernel, which Numba compiles once for each combination of types."""


def fused(phase: str, calls: Sequence[Call], n: int, mirror: Mirror) -> list[Launch]:
    """The launch that makes calls for n rows; none where there are no calls.

    A call behind a gate is made for a row where the flag of that row is set: for the device, each row is a block of its own.
    """
    if not calls:
        return []
    names: dict[str, Any] = {"cuda": cuda, "uint64": np.uint64}
    lines, arguments = (
        ["def rows(n, arguments):", "    i = cuda.grid(1)", "    if i < n:", "        a, b = uint64(i), uint64(i + 1)"],
        [],
    )
    for k, call in enumerate(calls):
        passed: list[str] = []
        own: list[Any] = []
        for value in call.arguments:
            if is_kernel(value):
                name = f"f{len(names)}"
                names[name] = device_function(value)
                passed.append(name)
            else:
                passed.append(f"arguments[{k}][{len(own)}]")
                own.append(value)
        gates = [f"arguments[{k}][{len(own) + g}][i] != 0" for g in range(len(call.gates))]
        names[f"k{k}"] = device_function(call.kernel)
        arguments.append((*own, *call.gates))
        made = f"k{k}({', '.join(['a', 'b', *passed])})"
        lines.append(f"        if {' and '.join(gates)}:\n            {made}" if gates else f"        {made}")
    source = "\n".join(lines)
    key = (source, *(value for name, value in names.items() if name not in ("cuda", "uint64")))
    if key not in KNOWN:
        exec(source, names)
        KNOWN[key] = entry(names["rows"])
    return [Launch(phase, KNOWN[key], n, BLOCK, (n, mirror.of(tuple(arguments))))]
