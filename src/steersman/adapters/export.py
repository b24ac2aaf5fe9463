"""Export: a recorded run, or a world while it runs, as a file that other programs read (docs/export.md).

    export(sm.read_run("runs/flock"), "flock.usda")
    export(world, "flock.glb", seconds=20)

The ending of the file says which format it is.
"""

import os
from collections.abc import Callable
from errno import ENOENT
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from steersman.adapters.frames import frames_of
from steersman.adapters.standing import standing_of
from steersman.core.parameters.guiding import explained, suggestion
from steersman.core.parameters.kinds import as_number
from steersman.runs.recording.run import Run

FORMATS = {
    ".usda": ("usd", "write_usd", "OpenUSD as text: an animated PointInstancer for each population"),
    ".usdc": ("usd", "write_usd", "the same, compressed"),
    ".glb": ("gltf", "write_gltf", "glTF 2.0: an animated node for each vehicle, of at most 2,000"),
    ".csv": ("tracks", "write_csv", "a table as text, one row for each vehicle and frame"),
    ".parquet": ("tracks", "write_parquet", "the same table in Parquet"),
    ".mf.json": ("tracks", "write_moving_features", "OGC Moving Features JSON, for MovingPandas and GIS"),
    ".fcd.xml": ("tracks", "write_fcd", "floating car data of SUMO"),
    ".frames": ("stream", "write_stream", "the frames of the live stream, for Godot and programs of your own"),
}
"""Ending -> the module and the function that writes it, and what it is."""


@explained
def export(
    source: Any,
    file: "str | os.PathLike[str]",
    *,
    seconds: float | None = None,
    every: float | None = None,
    on_step: Callable[[int], object] = int,
    **about: Any,
) -> Path:
    """Write a run in the format that the ending of the file says.

    The endings: .usda, .usdc, .glb, .csv, .parquet, .mf.json, .fcd.xml, .frames.

    Args:
        source: A recorded `Run`, or a World, which is run on from where it is.
        file: The file to write; one that was there is replaced once the new one is whole.
        seconds: How long [s]. Default: the whole run; a world needs it.
        every: Time between two frames [s], at least. Default: all frames of a run; of a world 30 a second.
        on_step: Called after each step of a world, with the number of steps made.
        **about: Arguments of the format, and for .usda, .usdc and .glb `obstacles=False`, which leaves out what stands
            there: see `write_usd`, `write_gltf`, `write_moving_features` and `write_stream`.

    Returns:
        The file.

    Raises:
        TypeError: The format does not take an argument.
        ValueError: There is no such format, or there are no vehicles in any frame.
        ImportError: A package for the format is not installed.
        OSError: The file cannot be written.
    """
    path = Path(file)
    ending = ending_of(path)
    module, name, _ = FORMATS[ending]
    writer = getattr(import_module(f"steersman.adapters.{module}"), name)
    known = [key for key, each in signature(writer).parameters.items() if each.kind == each.KEYWORD_ONLY]
    for key in about:
        if key not in known:
            raise TypeError(f"{key} is not for {ending} files{suggestion(key, known, label='these take')}")
    if about.get("size") is not None:
        about["size"] = as_number("size", about["size"], above=0)
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, "there is no such folder", str(path.parent))
    if (
        "colors" in known
        and "colors" not in about
        and isinstance(source, Run)
        and (stage := source.stage()) is not None
    ):
        about["colors"] = stage.colors
    if "obstacles" in known:
        about["obstacles"] = standing_of(source) if about.get("obstacles", True) else None
    frames = frames_of(source, seconds=seconds, every=every, on_step=on_step)
    aside = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        writer(frames, aside, **about)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return path


def ending_of(path: Path) -> str:
    """The ending of a file that says its format."""
    for ending in FORMATS:
        if path.name.lower().endswith(ending):
            return ending
    raise ValueError(f"file must end in one of {', '.join(FORMATS)}, got {str(path)!r}")
