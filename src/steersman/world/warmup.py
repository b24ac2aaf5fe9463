"""Warmup: compile ahead what a scene needs, and say so, instead of letting the first step take its seconds."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.geometry.brief import brief
from steersman.geometry.compilation import watched_compilation
from steersman.geometry.guiding import explained
from steersman.vehicles.closing import WORDS, close_gaps
from steersman.vehicles.turnover import turnover
from steersman.world.controller import Controller
from steersman.world.world import World


def tell(text: str) -> None:
    """Write a line to the error output, where it does not get mixed with results."""
    print(text, file=sys.stderr, flush=True)


@explained
def warmup(*scenes: World | Controller, progress: Callable[[str], None] | None = tell) -> int:
    """Compile, or load from the cache, every kernel that steps will call, and those that let vehicles come and go.

    Nothing moves.

    Other numbers of vehicles, or other parameters of the same behaviors, need no kernels of their own; another dtype,
    2D instead of 3D, or other behaviors do.

    Args:
        scenes: Worlds and controllers, ready to run.
        progress: Called with a line for each kernel that had to be compiled. Default: print it; None: say nothing.

    Returns:
        How many kernels were compiled. The rest was in the cache.

    Raises:
        TypeError: A scene is something else.
        ValueError: A behavior does not fit its population.
    """
    for scene in scenes:
        if not isinstance(scene, (World, Controller)):
            raise TypeError(f"warmup takes worlds and controllers, got {brief(scene)}")
    compiled: list[Any] = []

    def done(name: str, seconds: float) -> None:
        compiled.append(name)
        if progress is not None:
            progress(f"steersman: compiled {name} in {seconds:.1f} s")

    with watched_compilation(done=done):
        for scene in scenes:
            scene._ready()
        rehearse()
    return len(compiled)


def rehearse() -> None:
    """Use the kernels that are needed when vehicles come and go."""
    ids, first = np.arange(2), np.zeros(1, np.int64)
    turnover(ids, ids)
    for word in WORDS.values():
        close_gaps(np.zeros((1, 2), word), first, 2)
