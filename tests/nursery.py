"""Python processes that start at once: a server has imported the modules that they need, and each is a fork of it.

A fresh process needs a second and a half to import Numba or this library and to compile its first line. A test of
starting, importing or signals needs a fresh process all the same.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

WARM = "import numba\nnumba.njit(lambda x: x + 1)(1.0)\n"
"""The beginning of the server of programs that compile."""

LIBRARY = "import steersman.cli.main, steersman.gallery.registry, matplotlib.figure, numba\n"
"""The beginning of the server of programs that use this library."""


class Nursery:
    """A server of processes.

    Args:
        before: The program that they all have behind them.
    """

    def __init__(self, before: str) -> None:
        program = (
            f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import nursery\n{before}nursery.serve()"
        )
        self._server = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(
        self,
        arguments: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        warnings: str = "",
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program as `python ARGUMENTS` would: `-c CODE`, `-m MODULE` or a file, with arguments after it.

        Args:
            arguments: The words behind `python`.
            env: The environment. Default: that of this process.
            cwd: The folder. Default: that of this process.
            warnings: The action for all warnings, such as "error".
        """
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            task = {
                "arguments": list(arguments), "env": dict(os.environ if env is None else env), "cwd": str(cwd or Path.cwd()),
                "warnings": warnings, "streams": [f"{folder}/out", f"{folder}/err"],
            }  # fmt: skip
            self._server.stdin.write(json.dumps(task) + "\n")
            self._server.stdin.flush()
            code = int(self._server.stdout.readline())
            out, err = (Path(folder, name).read_text("utf-8") for name in ("out", "err"))
        return subprocess.CompletedProcess([sys.executable, *arguments], code, out, err)

    def close(self) -> None:
        """End the server."""
        self._server.communicate()


def serve() -> None:
    """Fork for every line of the standard input; the answer is the exit code."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:  # pragma: no cover
            code = 1
            try:
                code = _live(json.loads(line))
            finally:
                os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _live(task: Mapping[str, object]) -> int:  # pragma: no cover
    """Be the process that was asked for, to its end."""
    import atexit
    import runpy
    import threading
    import traceback
    import warnings

    for stream, path in zip((1, 2), task["streams"], strict=True):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(task["cwd"])
    os.environ.clear()
    os.environ.update(task["env"])
    sys.dont_write_bytecode = bool(task["env"].get("PYTHONDONTWRITEBYTECODE"))
    sys.path[:0] = ["", *task["env"].get("PYTHONPATH", "").split(os.pathsep)]
    if "numba" in sys.modules:
        sys.modules["numba"].config.reload_config()
    if task["warnings"]:
        warnings.resetwarnings()
        warnings.simplefilter(task["warnings"])
    kind, *rest = task["arguments"]
    code = 0
    try:
        if kind == "-c":
            sys.argv = ["-c", *rest[1:]]
            main = type(sys)("__main__")
            sys.modules["__main__"] = main
            exec(compile(rest[0], "<string>", "exec"), vars(main))
        elif kind == "-m":
            sys.argv = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = [kind, *rest]
            sys.path[0] = str(Path(kind).parent)
            runpy.run_path(kind, run_name="__main__")
        threading._shutdown()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code
