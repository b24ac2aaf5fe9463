"""Which functions of the outer layers extend the core; see `core/extensions.py`. Each is imported on its first call."""

from typing import TYPE_CHECKING

from steersman.core import extensions as core

if TYPE_CHECKING:
    from steersman.core.extensions import (
        Bundle,
        DevicePlan,
        Draw,
        FromDocument,
        LoadSnapshot,
        OpenStage,
        Picture,
        PrepareStage,
        ReadDocument,
        Record,
        ResolveStage,
        RestoreSnapshot,
        SaveDocument,
        SaveSnapshot,
        ShowWindow,
        Table,
        ToDocument,
        WatchMetrics,
        WriteFilm,
    )


def _draw() -> "Draw":
    from steersman.drawing.draw import draw

    return draw


def _device_plan() -> "DevicePlan":
    from steersman.gpu.device_plan import DevicePlan

    return DevicePlan


def _picture() -> "Picture":
    from steersman.drawing.draw import as_png

    return as_png


def _table() -> "Table":
    from steersman.drawing.notebook import as_html

    return as_html


def _bundle() -> "Bundle":
    from steersman.drawing.notebook import bundle

    return bundle


def _view() -> "ShowWindow":
    from steersman.studio.viewer.view import view

    return view


def _replay() -> "WriteFilm":
    from steersman.studio.viewer.replay import replay

    return replay


def _video() -> "WriteFilm":
    from steersman.studio.video.video import video

    return video


def _watch() -> "WatchMetrics":
    from steersman.runs.metrics.watching import watch

    return watch


def _record() -> "Record":
    from steersman.runs.recording.recording import record

    return record


def _save() -> "SaveSnapshot":
    from steersman.runs.snapshots.capture import save

    return save


def _load() -> "LoadSnapshot":
    from steersman.runs.snapshots.making import load

    return load


def _restore() -> "RestoreSnapshot":
    from steersman.runs.snapshots.restoring import restore

    return restore


def _to_document() -> "ToDocument":
    from steersman.runs.documents.documents import to_document

    return to_document


def _from_document() -> "FromDocument":
    from steersman.runs.documents.documents import from_document

    return from_document


def _save_document() -> "SaveDocument":
    from steersman.runs.documents.files import save_document

    return save_document


def _read_document() -> "ReadDocument":
    from steersman.runs.documents.files import read_file

    return read_file


def _open_stage() -> "OpenStage":
    from steersman.gallery.opening import open_stage

    return open_stage


def _prepare_stage() -> "PrepareStage":
    from steersman.gallery.request import prepare

    return prepare


def _resolve_stage() -> "ResolveStage":
    from steersman.runs.documents.documents import resolved

    return resolved


core.DRAW.provide(_draw)
core.DEVICE_PLAN.provide(_device_plan)
core.PICTURE.provide(_picture)
core.TABLE.provide(_table)
core.BUNDLE.provide(_bundle)
core.VIEW.provide(_view)
core.REPLAY.provide(_replay)
core.VIDEO.provide(_video)
core.WATCH.provide(_watch)
core.RECORD.provide(_record)
core.SAVE.provide(_save)
core.LOAD.provide(_load)
core.RESTORE.provide(_restore)
core.TO_DOCUMENT.provide(_to_document)
core.FROM_DOCUMENT.provide(_from_document)
core.SAVE_DOCUMENT.provide(_save_document)
core.READ_DOCUMENT.provide(_read_document)
core.OPEN_STAGE.provide(_open_stage)
core.PREPARE_STAGE.provide(_prepare_stage)
core.RESOLVE_STAGE.provide(_resolve_stage)
