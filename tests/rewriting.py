"""The processes of pytest-xdist share the work of rewriting assertions, which takes half of the time of collecting.

Each of them imports all test files. In a fresh clone none is rewritten yet, so each process would rewrite each file. Here
each rewrites its own share first; what the others have rewritten meanwhile, it reads.
"""

import os
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_share(config: pytest.Config) -> None:
    """Rewrite every n-th of the files that n processes are about to import; nothing in a process that is alone."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or sys.dont_write_bytecode or config.getoption("assertmode") != "rewrite":
        return
    first, count = int(worker.removeprefix("gw")), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in sorted({file for each in config.args for file in Path(each).absolute().rglob("test_*.py")})[
        first::count
    ]:
        rewritten = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(file, rewritten) is None and rewrite.try_makedirs(rewritten.parent):
            status, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, status, rewritten)
