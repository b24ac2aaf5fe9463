"""Store: the rows of a sweep in a folder, as Parquet, from the moment at which their runs end.

Rows that end together are a small part of their own, written aside and renamed, so that nothing is lost whenever the process
is killed. Now and then, and at the end, all parts become one table, in the order of the tasks. A row that was written
twice, because the process was killed between the two, counts once.
"""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.parameters.whole_files import leftovers, put_in_place, write_whole
from steersman.core.typing import Array
from steersman.runs.recording.folder import Lock, RunError, part_name, parts_in, set_aside
from steersman.runs.sweeps.task import Row

SWEEP, TABLE, ROWS = "sweep.json", "table.parquet", "rows"

OPTIONS = {
    "steersman": "version of steersman", "content": "scenario", "start": "scenario", "combinations": "values or design",
    "design": "values or design", "goals": "minimize or maximize",
}  # fmt: skip
"""What the user calls a part of a call, where it is not the name of an option."""

FEW, MANY = 256, 4096
"""Limits of the number of parts, at which they become one table."""


class Store:
    """The rows of a sweep.

    Args:
        schema: The columns, a pyarrow schema.
        folder: The folder; None to keep rows in memory.
        call: The sweep, as JSON.
        force: Whether to replace another sweep in the folder.

    Raises:
        RunError: There is another sweep, or files of yours, or a sweep is writing there.
    """

    def __init__(self, schema: Any, folder: Path | None, call: dict[str, Any], *, force: bool = False) -> None:
        self.schema, self.folder = schema, folder
        self._rows: list[Any] = []
        self._lock: Lock | None = None
        self._number = self._loose = 0
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(folder)
            self._open(folder, call, force=force)
        except OSError as error:
            self.close()
            raise RunError(f"folder {folder}: cannot be written to: {error.strerror or error}") from None
        except BaseException:
            self.close()
            raise

    def _open(self, folder: Path, call: dict[str, Any], *, force: bool) -> None:
        if (folder / SWEEP).exists():
            there = _call_of(folder)
            if there != call and not force:
                raise RunError(
                    f"folder {folder}: there is another sweep, with other {' and '.join(_other(there, call)) or 'settings'}; "
                    "choose another folder, or replace it with force=True (--force)"
                )
            if there != call:
                clear(folder)
        elif (folder / TABLE).exists() or ((folder / ROWS).exists() and any((folder / ROWS).iterdir())):
            raise RunError(f"folder {folder}: there is a {TABLE} that no sweep has left; choose another folder")
        (folder / ROWS).mkdir(exist_ok=True)
        for path in (*_unfinished(folder), *leftovers(folder / SWEEP), set_aside(folder / TABLE)):
            path.unlink(missing_ok=True)
        parts = parts_in(folder / ROWS)
        self._number, self._loose = max(parts, default=-1) + 1, len(parts)
        write_whole(folder / SWEEP, json.dumps(call, indent=1) + "\n")

    def add(self, rows: list[Row]) -> None:
        """Keep rows; they are on the disk when this returns."""
        import pyarrow as pa

        texts = {field.name for field in self.schema if field.type == pa.string()}
        cells = [
            {name: str(cell) if name in texts and cell is not None else cell for name, cell in row.items()}
            for row in rows
        ]
        table = pa.Table.from_pylist(cells, schema=self.schema)
        self._rows.append(table)
        if self.folder is None:
            return
        _write(table, self.folder / ROWS / part_name(self._number, "parquet"))
        self._rows.clear()
        self._number, self._loose = self._number + 1, self._loose + 1
        if self._loose >= FEW and self._loose >= min(MANY, self._number // 4):
            self.settle()

    def table(self) -> Any:
        """All rows so far, in the order of the tasks, as an Arrow table."""
        import pyarrow as pa

        written = [] if self.folder is None else _tables(self.folder)
        return _in_order(pa.concat_tables([self.schema.empty_table(), *written, *self._rows]))

    def settle(self) -> None:
        """Make one table of all parts."""
        if self.folder is None:
            return
        parts = parts_in(self.folder / ROWS)
        _write(self.table(), self.folder / TABLE)
        for path in (*parts.values(), *_unfinished(self.folder)):
            path.unlink()
        self._loose = 0

    def close(self) -> None:
        """Let others write there."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _unfinished(folder: Path) -> list[Path]:
    """Parts that were being written when a sweep was killed or stopped."""
    return list((folder / ROWS).glob(".part-*.tmp"))


def clear(folder: Path) -> None:
    """Delete the files of a sweep, and no others."""
    for path in (*parts_in(folder / ROWS).values(), folder / TABLE, folder / SWEEP):
        path.unlink(missing_ok=True)


def _call_of(folder: Path) -> dict[str, Any]:
    try:
        call = json.loads((folder / SWEEP).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{folder / SWEEP}: cannot be read: {error}") from None
    if not isinstance(call, dict) or "steersman" not in call:
        raise RunError(f"{folder / SWEEP}: is not that of a sweep")
    return call


def _other(there: dict[str, Any], call: dict[str, Any]) -> list[str]:
    """The options in which two calls differ."""
    old, new = ({**each, **(each.get("options") or {}), "options": None} for each in (there, call))
    return list(dict.fromkeys(OPTIONS.get(name, name) for name in old | new if old.get(name) != new.get(name)))


def count_of(folder: Path) -> int | None:
    """The number of all runs of a sweep, those to come included; None where a search decides it.

    Raises:
        RunError: The call cannot be read.
    """
    call = _call_of(folder)
    if "goals" in call or not isinstance(call.get("combinations"), int) or not isinstance(call.get("seeds"), list):
        return None
    return int(call["combinations"] * len(call["seeds"]))


def _write(table: Any, path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(table, set_aside(path), compression="zstd")
    put_in_place(set_aside(path), path)


def _tables(folder: Path) -> list[Any]:
    """All tables of a folder; parts that vanish meanwhile are in the table then."""
    from pyarrow import parquet

    while True:
        paths = [*parts_in(folder / ROWS).values()]
        paths = [folder / TABLE, *paths] if (folder / TABLE).exists() else paths
        try:
            return [parquet.read_table(path, partitioning=None) for path in paths]
        except FileNotFoundError:
            continue
        except Exception as error:
            raise RunError(f"folder {folder}: a file is damaged: {error}") from error


def _in_order(table: Any) -> Any:
    """The rows in the order of the tasks, the last one of each."""
    tasks: Array = table["task"].to_numpy()
    order = np.argsort(tasks, kind="stable")
    last = np.flatnonzero(np.append(np.diff(tasks[order]) != 0, np.ones(min(1, len(order)), bool)))
    return table.take(order[last]).combine_chunks()


def read_table(folder: Path) -> Any:
    """The table of a sweep so far, as an Arrow table.

    Raises:
        ImportError: pyarrow is not installed.
        RunError: There is no sweep, or a file is damaged.
    """
    import pyarrow as pa

    require()
    if not (folder / SWEEP).exists():
        raise RunError(f"folder {folder}: there is no sweep")
    tables = _tables(folder)
    return _in_order(pa.concat_tables(tables)) if tables else pa.table({"task": pa.array([], pa.int64())})


def require() -> None:
    """Check that pyarrow is installed.

    Raises:
        ImportError: It is not.
    """
    if find_spec("pyarrow") is None:
        raise ImportError('sweeps need pyarrow; please run: pip install "steersman[sweep]"')
