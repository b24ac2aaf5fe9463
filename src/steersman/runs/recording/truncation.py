"""Rewinding: a run goes back to the end of one of its parts, so that its recording can continue there."""

from pathlib import Path
from typing import Any

from steersman.runs.recording.folder import METRICS, TRAJECTORY, RunError, parts_in
from steersman.runs.recording.meta import read_meta, write_meta


def resumable_steps(folder: Path) -> list[int]:
    """The steps at which a recording can continue: the last steps of its parts.

    Raises:
        RunError: There is no run.
    """
    return [part["last_step"] for part in read_meta(folder)["parts"]]


def end_at(folder: Path, meta: dict[str, Any], step: int) -> int:
    """The number of the part that ends at a step.

    Args:
        folder: The folder of the run.
        meta: The content of its meta.json.
        step: The step.

    Raises:
        RunError: There is none.
    """
    ends = [part["last_step"] for part in meta["parts"]]
    if step not in ends:
        known = ", ".join(map(str, ends[-5:])) or "none"
        raise RunError(
            f"folder {folder}: a recording goes on where a part ends (the last ones: step {known}), got step {step}"
        )
    return ends.index(step)


def rewound(folder: Path, step: int) -> dict[str, Any]:
    """Delete the frames and readings after a step, from meta.json and from the disk.

    Returns:
        The new content of meta.json.

    Raises:
        RunError: There is no run, or no part ends at this step.
        OSError: A file cannot be deleted.
    """
    meta = read_meta(folder)
    parts = meta["parts"][: end_at(folder, meta, step) + 1]
    meta["parts"], meta["frames"] = parts, parts[-1]["first"] + parts[-1]["frames"]
    meta["metric_parts"] = meta["metric_parts"][: parts[-1]["readings"]]
    meta["state_hashes"] = {key: each for key, each in meta["state_hashes"].items() if int(key) <= step}
    meta["closed"], meta["end"] = False, None
    write_meta(folder, meta)  # First, so that it never lists what is not there.
    for name, count in ((TRAJECTORY, len(parts)), (METRICS, parts[-1]["readings"])):
        for number, path in reversed(parts_in(folder / name).items()):
            if number >= count:
                path.unlink()
    return meta
