"""Warmup: compile the kernels of worlds and controllers ahead, with a progress bar, so that the first step is fast."""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.kernels.ahead import ahead
from steersman.core.kernels.announcing import is_terminal, watched_compilation
from steersman.core.kernels.kernel import entry_point
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.vehicles.removal import WORDS, move_up
from steersman.core.vehicles.turnover import find_gone
from steersman.core.world.controller import Controller
from steersman.core.world.sketching import rehearse_sketches
from steersman.core.world.world import World

WIDTH = 20
"""Characters of the bar."""


def tell(text: str) -> None:
    """Write a line to the error output, so that it is not mixed with results."""
    if sys.stderr is not None:  # A program without a console has none, and `print` would take the other output.
        print(text, file=sys.stderr, flush=True)


def show(name: str, number: int, count: int) -> None:
    """Draw a progress bar for the kernel that is being compiled, if the error output is a terminal."""
    if is_terminal():
        done = WIDTH * (number - 1) // count
        bar = "#" * done + "." * (WIDTH - done)
        print(f"\rsteersman: compiling [{bar}] {number} of {count}: {name}\x1b[K", end="", file=sys.stderr, flush=True)


def conclude(kernels: int, began: float, progress: Callable[[str], None] = tell) -> None:
    """Tell in one line how many kernels were compiled since a time of `perf_counter`, if any, in place of the bar."""
    if kernels and progress is tell and is_terminal():
        print("\r\x1b[K", end="", file=sys.stderr)
    if kernels:
        progress(f"steersman: compiled {kernels} kernels in {time.perf_counter() - began:.1f} s")


@explained
def warmup(
    *scenes: World | Controller,
    progress: Callable[[str], None] | None = tell,
    explain: bool = False,
    each: Callable[[str, int, int], None] | None = None,
) -> int:
    """Compile, or load from the cache, every kernel that steps call, and those by which vehicles come and go.

    Nothing moves. Kernels that your own behaviors and functions in NumPy call (`scene.neighbors`, `scene.nearest`) are not
    known ahead: these are compiled at their first call.

    Other numbers of vehicles, or other parameters of the same behaviors, need no kernels of their own; another dtype,
    2D instead of 3D, or other behaviors do.

    Args:
        scenes: Worlds and controllers, ready to run.
        progress: Called with one line when kernels had to be compiled. Default: print it, and on a terminal a bar until then;
            None: print nothing.
        explain: Whether `sketch` is made ready as well as `explain`, by sketching a vehicle of each population. That calls
            your own behaviors and functions, as `explain` does. Default: no.
        each: Called before each kernel that is compiled, with its name, its number from 1, and the number of all: for a
            loading bar. The thread may be another one. Default: as `progress` says.

    Returns:
        The number of kernels that were compiled. The others were in the cache.

    Raises:
        ValueError: A behavior does not fit its population.
    """
    for scene in scenes:
        if not isinstance(scene, (World, Controller)):
            raise TypeError(f"warmup takes worlds and controllers, got {brief(scene)}")
    compiled: list[str] = []
    began, plans = time.perf_counter(), [scene._plan for scene in scenes]

    def make() -> None:
        for scene, plan in zip(scenes, plans, strict=True):
            scene._plan = plan
            rehearse(scene)

    begins = each or (show if progress is tell else None)
    with watched_compilation(begins=begins, done=lambda name, _: compiled.append(name)):
        try:
            ahead(make)
        except BaseException:
            for scene, plan in zip(scenes, plans, strict=True):
                scene._plan = plan  # The new plan may lack kernels.
            raise
        for scene in scenes if explain else ():
            for steering in scene._ready().plans:
                rehearse_sketches(steering)
    if progress is not None:
        conclude(len(compiled), began, progress)
    return len(compiled)


def rehearse(scene: Any) -> None:
    """Request all kernels that steps need, and those that are needed when vehicles come and go."""
    for plan in scene._ready().plans:
        plan.rehearse()
        for flow in plan.population.flows:
            flow.rehearse(plan.domain)
    births, rows = frozen(np.arange(2)), np.zeros(1, np.int64)
    entry_point(find_gone, (births, births, rows))
    for word in WORDS.values():
        entry_point(move_up, (np.zeros((1, 2), word), rows, 2))
