"""The process that `ahead.py` starts: for each line of its input it compiles a kernel into the cache folder."""

import base64
import pickle
import signal
import sys
from importlib import import_module


def serve() -> None:
    """Compile the kernels named on the standard input, until it ends.

    A line is a pickle in base64: module, name and types. The answer is the line "done" or "failed".
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that started this one ends it.
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            module, name, kinds = pickle.loads(base64.b64decode(line))
            getattr(import_module(module), name).compile(kinds)
        except Exception:  # The parent compiles the kernel, too, and raises the error.
            print("failed", flush=True)
        else:
            print("done", flush=True)
