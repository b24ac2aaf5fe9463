"""Extensions: functions of outer layers that objects of an inner layer call.

`world.draw()` needs the drawing layer, which the core must not import. For each such call there is one `Extension` here, with
the type of the function that it needs. `steersman/extensions.py`, which may import everything, says where the function is; it
is imported on the first call.
"""

# ruff: noqa: D102
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from steersman.core.world.step_plan import StepPlan
    from steersman.core.world.world import World
    from steersman.runs.documents.stage import Stage
    from steersman.runs.metrics.reading import Meters
    from steersman.runs.recording.recording import Recording
    from steersman.studio.viewer.view import View

F = TypeVar("F", bound=Callable[..., Any])


class Extension(Generic[F]):
    """A function of an outer layer, imported on its first call.

    Args:
        purpose: The purpose of the function, for the error where nothing provides it.
    """

    def __init__(self, purpose: str) -> None:
        self._purpose = purpose
        self._load: Callable[[], F] | None = None

    def provide(self, load: Callable[[], F]) -> None:
        """Say how the function is imported."""
        self._load = load

    @property
    def function(self) -> F:
        """The function.

        Raises:
            RuntimeError: No outer layer provides it: the core was imported without `steersman`.
        """
        if self._load is None:
            raise RuntimeError(f"nothing is installed to {self._purpose}: import steersman")
        return self._load()


class Draw(Protocol):
    """See `steersman.draw`."""

    def __call__(self, *arguments: Any, **options: Any) -> "Axes": ...


class ShowWindow(Protocol):
    """See `World.view`."""

    def __call__(self, *arguments: Any, **options: Any) -> "View": ...


class WriteFilm(Protocol):
    """Writes a replay or a video; see `World.replay` and `World.video`."""

    def __call__(self, *arguments: Any, **options: Any) -> Path: ...


class WatchMetrics(Protocol):
    """See `World.watch`."""

    def __call__(
        self, world: "World", population: Any, metrics: Sequence[str], own: Mapping[str, Any], *, to: Any, every: Any
    ) -> "Meters": ...


class Record(Protocol):
    """See `World.record`."""

    def __call__(self, *arguments: Any, **options: Any) -> "Recording": ...


class DevicePlan(Protocol):
    """A plan whose steps are made on a graphics processor; the arguments of `StepPlan`."""

    def __call__(self, *about: Any, **more: Any) -> "StepPlan": ...


class SaveSnapshot(Protocol):
    """See `World.save`."""

    def __call__(
        self, world: "World", path: Path, functions: Mapping[str, Any] | None, turned: Any = None
    ) -> dict[str, Any]: ...


class LoadSnapshot(Protocol):
    """See `World.load`."""

    def __call__(self, path: Path, functions: Mapping[str, Any] | None, threads: int | None) -> "World": ...


class RestoreSnapshot(Protocol):
    """See `World.restore`."""

    def __call__(self, world: "World", path: Path, functions: Mapping[str, Any] | None) -> Any: ...


class ToDocument(Protocol):
    """See `steersman.to_document`."""

    def __call__(
        self, item: Any, *, names: Mapping[str, Any] | None = None, left_out: list[str] | None = None
    ) -> dict[str, Any]: ...


class FromDocument(Protocol):
    """See `steersman.from_document`."""

    def __call__(
        self,
        document: Mapping[str, Any] | str | os.PathLike[str],
        *,
        names: Mapping[str, Any] | None = None,
        folder: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        trust: bool = False,
    ) -> Any: ...


class SaveDocument(Protocol):
    """See `steersman.write_document`."""

    def __call__(self, document: Mapping[str, Any], path: Path, *, head: str = "") -> list[Path]: ...


class ReadDocument(Protocol):
    """The document of a file, and the line of everything in it."""

    def __call__(self, path: Path) -> tuple[dict[str, Any], dict[Any, int]]: ...


class OpenStage(Protocol):
    """The stage of a document, which may call for a scenario of the gallery."""

    def __call__(
        self,
        document: Any,
        *,
        lines: dict[Any, int] | None = None,
        source: str = "scenario",
        threads: int | None = None,
        folder: Path | None = None,
        trust: bool = False,
    ) -> "Stage": ...


class PrepareStage(Protocol):
    """The stage that a call asks for; see `gallery.request.prepare`."""

    def __call__(
        self,
        scenario: Any,
        n: int | None,
        options: Mapping[str, Any],
        changes: Sequence[Any],
        threads: int | None,
        steps: int | None,
        *,
        trust: bool = False,
        folder: Path | None = None,
    ) -> "Stage": ...


class ResolveStage(Protocol):
    """A stage as a document, and the labels of metrics that it leaves out."""

    def __call__(self, stage: "Stage") -> tuple[dict[str, Any], list[str]]: ...


class Picture(Protocol):
    """The picture of an object as a PNG; None where there is nothing to be seen."""

    def __call__(self, item: Any) -> bytes | None: ...


class Table(Protocol):
    """A table of facts as HTML, beside a picture."""

    def __call__(self, item: Any, picture: bytes | None) -> str: ...


class Bundle(Protocol):
    """All forms that a notebook chooses from."""

    def __call__(self, item: Any) -> dict[str, Any]: ...


DRAW = Extension[Draw]("draw")
PICTURE = Extension[Picture]("draw for a notebook")
TABLE = Extension[Table]("describe an object in a notebook")
BUNDLE = Extension[Bundle]("show an object in a notebook")
VIEW = Extension[ShowWindow]("show a window")
REPLAY = Extension[WriteFilm]("write a replay")
VIDEO = Extension[WriteFilm]("write a video")
WATCH = Extension[WatchMetrics]("measure a world")
RECORD = Extension[Record]("record a world")
DEVICE_PLAN = Extension[DevicePlan]("step on a graphics processor")
SAVE = Extension[SaveSnapshot]("save a world")
LOAD = Extension[LoadSnapshot]("load a world")
RESTORE = Extension[RestoreSnapshot]("restore a world")
TO_DOCUMENT = Extension[ToDocument]("write documents")
FROM_DOCUMENT = Extension[FromDocument]("read documents")
SAVE_DOCUMENT = Extension[SaveDocument]("save documents")
READ_DOCUMENT = Extension[ReadDocument]("read documents from files")
OPEN_STAGE = Extension[OpenStage]("open scenarios")
PREPARE_STAGE = Extension[PrepareStage]("open scenarios")
RESOLVE_STAGE = Extension[ResolveStage]("write scenarios as documents")
