"""meta.json: the description of a run, read back and checked, because the file may come from an unknown source."""

import json
from pathlib import Path
from typing import Any

from steersman.core.parameters.brief import brief
from steersman.core.parameters.whole_files import write_whole
from steersman.runs.recording.folder import KIND, LARGEST, META, RunError
from steersman.runs.recording.parts import FORMATS

VERSION = 1
"""The form of run folders that is written, and the newest that is read."""

NEEDED: dict[str, tuple[type, ...]] = {
    "run": (str,), "format": (str,), "dimensions": (int,), "dt": (int, float), "seed": (int,), "every": (dict,),
    "populations": (dict,), "columns": (list,), "parts": (list,), "frames": (int,), "metrics": (dict,),
    "metric_parts": (list,), "state_hashes": (dict,), "hash_every": (int,), "asked": (dict,),
}  # fmt: skip
"""The keys that must be there, and their types."""

OF_PARTS = {
    "first": int, "frames": int, "rows": int, "bytes": int, "footer": str, "readings": int, "last_step": int,
}  # fmt: skip
"""The keys of the entry of every part, and their types."""


def read_meta(folder: Path) -> dict[str, Any]:
    """The content of meta.json.

    Raises:
        RunError: There is no such file, or its content is invalid.
    """
    path = folder / META
    try:
        if path.stat().st_size > LARGEST:
            raise RunError(f"{path}: is no meta.json of a run: it has more than {LARGEST:,} bytes")
        meta = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunError(f"folder {folder}: there is no recorded run: {META} is missing") from None
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(meta, dict) or meta.get("kind") != KIND:
        raise RunError(f"{path}: is no meta.json of a recorded run")
    if not isinstance(meta.get("version"), int) or not 1 <= meta["version"] <= VERSION:
        raise RunError(f"{path}: is of version {meta.get('version')!r}; this steersman reads up to version {VERSION}")
    for key, kinds in NEEDED.items():
        if not isinstance(meta.get(key), kinds) or isinstance(meta[key], bool):
            raise RunError(f"{path}: is damaged: {key} is missing or no {kinds[0].__name__}")
    for number, column in enumerate(meta["columns"]):
        if not isinstance(column, dict) or not all(isinstance(column.get(key), str) for key in ("name", "type")):
            raise RunError(f"{path}: is damaged: the entry of column {number} is wrong")
    for number, part in enumerate(meta["parts"]):
        if not isinstance(part, dict) or not all(isinstance(part.get(key), kind) for key, kind in OF_PARTS.items()):
            raise RunError(f"{path}: is damaged: the entry of part {number} is wrong")
    for number, part in enumerate(meta["metric_parts"]):
        if not isinstance(part, dict) or not {"bytes", "footer"} <= part.keys():
            raise RunError(f"{path}: is damaged: the entry of part {number} of the metrics is wrong")
    if meta["format"] not in FORMATS:
        raise RunError(f"{path}: is damaged: format must be {' or '.join(FORMATS)}, got {brief(meta['format'])}")
    if meta["dimensions"] not in (2, 3):
        raise RunError(f"{path}: is damaged: dimensions must be 2 or 3, got {meta['dimensions']!r}")
    return meta


def write_meta(folder: Path, meta: dict[str, Any]) -> None:
    """Write meta.json, whole at any time.

    Raises:
        OSError: It cannot be written.
    """
    write_whole(folder / META, json.dumps(meta, indent=1, allow_nan=False) + "\n")
