"""Provenance: the machine, the program and the code by which a run was made, as far as the program can find out.

It is written once, when a recording begins: the machine, the threads, the command, the commit of the user's project (that of
the program, or of the working directory) and whether files differed from it, the source of laws of the user's own, the
publications of the laws, and the notes that the user gives. Of git the two questions below are asked, without hooks; no
git, or no answer in time, is no error.
"""

import functools
import inspect
import os
import platform
import shlex
import subprocess
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from steersman.core.parameters.brief import brief
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.walking import fields_of, walk
from steersman.core.steering.behavior import Function
from steersman.core.steering.source import Source
from steersman.core.world.world import World
from steersman.runs.metrics.watching import OfVehicles

PATIENCE = 2.0
"""The longest time to wait for git [s]."""

LONGEST = 65_536
"""The most characters of a source, and of a command, that are stored."""

OWN = "steersman"
"""The package of the library: the source of its classes and functions is not stored, because its version is."""


def as_notes(value: Any) -> Any:
    """Notes as JSON takes them: a text, or a mapping of texts to texts, numbers or lists of these.

    Raises:
        ValueError: A number is NaN or infinite, which JSON has none of.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: _plain(name, each) for name, each in value.items()}
    raise TypeError(f"notes must be a text, or a mapping of names to texts and numbers, got {brief(value)}")


def _plain(name: str, value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(name, each) for each in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise ValueError(f"notes must be finite, got {value} as {name!r}")
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"notes must be texts and numbers, got {brief(value)} as {name!r}")


def provenance(world: World) -> dict[str, Any]:
    """The making of a run, as far as it is known, for meta.json."""
    return {
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": world.threads,
        "command": shlex.join(getattr(sys, "orig_argv", sys.argv))[:LONGEST],
        "project": project(),
        "own": [described(each) for each in own_parts(world)],
        "sources": [each._asdict() for each in sources_of(world)],
    }


def sources_of(world: World) -> list[Source]:
    """The publications of the behaviors of a world, each once, in the order of the populations."""
    laws = [getattr(type(node.behavior), "sources", ()) for each in world.populations.values() for node in each.nodes]
    named = [each for law in laws if isinstance(law, tuple) for each in law]
    return list(dict.fromkeys(each for each in named if isinstance(each, Source)))


def processor() -> str:
    """The name of the processor, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def project() -> dict[str, Any] | None:
    """The commit of the user's project, and whether files differ from it; None where there is no repository."""
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    for folder in dict.fromkeys([*([Path(program).absolute().parent] if program else []), Path.cwd()]):
        if any(part in ("site-packages", "dist-packages") for part in folder.parts):
            continue
        commit = _git(folder, "rev-parse", "HEAD")
        if commit:
            changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
            return {"commit": commit, "dirty": None if changed is None else bool(changed)}
    return None


def _git(folder: Path, *question: str) -> str | None:
    """The answer of git about a folder; None where there is none."""
    command = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "-C", str(folder), *question]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PATIENCE,
            env=environment, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None


def own_parts(world: World) -> Iterator[Any]:
    """The parts of a world that are not of the library, each once.

    They are behaviors, conditions, bodies, limits, flows, constraints, watched metrics, observers, and functions of these.
    """
    visited: set[int] = set()
    roots = [part for each in world.populations.values() for part in (each.steering, each.locomotion, *each.flows)]
    watched = [part for each in (world.meters or {}).values() for part in (each.metric, each.subject.to)]
    seen_by = [observer for observer, _ in world.observers]
    for value in (*walk([*roots, *world.constraints, *watched]), *seen_by):
        if isinstance(value, (Function, OfVehicles)):
            value = value.function
        while isinstance(value, functools.partial):
            value = value.func
        is_own = isinstance(value, (Parameters, types.FunctionType, types.MethodType)) or callable(value)
        if is_own and not isinstance(value, type) and id(value) not in visited and not _is_known(value):
            visited.add(id(value))
            yield value


def _is_known(value: Any) -> bool:
    named = value if isinstance(value, (types.FunctionType, types.MethodType)) else type(value)
    module = getattr(named, "__module__", None) or ""
    return module.partition(".")[0] in (OWN, "builtins", "numpy", "functools")


def described(part: Any) -> dict[str, Any]:
    """The name, module, source and parameters of a class or function of the user's own."""
    named = part if isinstance(part, (types.FunctionType, types.MethodType)) else type(part)
    try:
        source: str | None = inspect.getsource(named)[:LONGEST]
    except (OSError, TypeError):
        source = None
    values = fields_of(part) if isinstance(part, Parameters) else {}
    return {
        "name": getattr(named, "__qualname__", type(part).__name__),
        "module": getattr(named, "__module__", None),
        "parameters": {name: brief(value) for name, value in values.items()},
        "source": source,
    }
