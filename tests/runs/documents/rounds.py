"""There and back again: stages that are written into files and read."""

import tempfile
from pathlib import Path

from steersman.gallery.opening import open_stage
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.files import read_file, save_document
from steersman.runs.documents.stage import Stage


def read_again(stage: Stage, threads: int | None = None) -> Stage:
    """The stage of what a stage is resolved to."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scenario.toml"
        save_document(resolved(stage)[0], file)
        document, lines = read_file(file)
        return open_stage(document, lines=lines, threads=threads, folder=Path(folder))
