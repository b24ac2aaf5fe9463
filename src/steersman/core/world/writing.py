"""Writing: worlds and behaviors as documents, and back. The package of documents is imported at the first use."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from steersman.core import extensions
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.renaming import renamed_arguments


class NoDocumentError(TypeError):
    """A document cannot hold an object: a function, or a class of the user. The message names the object and its place."""


@renamed_arguments(what="item")
@explained
def to_document(
    item: Any, *, names: Mapping[str, Any] | None = None, left_out: list[str] | None = None
) -> dict[str, Any]:
    """Convert an object to a document, in the form of scenario files: texts, numbers, truth values, lists and tables.

        document = sm.to_document(world)
        sm.from_document(document)  # the same world, bit for bit

    Defaults are not written. Long columns stay arrays; `write_document` puts them into a file beside the TOML. The document
    of a world holds the domain, the time, every column of all vehicles, the steering trees, the bodies, their memory, and all
    objects that they refer to. It does not hold the measurements so far (meters begin anew) and the number of threads.

    Args:
        item: A World; or a behavior, a condition, a body, obstacles, a path, a region, ..., which becomes its table in a
            scenario.
        names: The names of obstacles, paths and populations. Default: in a world the names that they have there, or new
            ones; for a behavior alone, their tables stand where they are used.
        left_out: A list that takes metrics that are Python functions, by label, and observers that only watch, instead of an
            error: the world continues in the same way without them.

    Raises:
        NoDocumentError: It contains a Python function, a class of your own, or vehicles without a name.
    """
    document: dict[str, Any] = extensions.TO_DOCUMENT.function(item, names=names, left_out=left_out)
    return document


@renamed_arguments(what="item")
@explained
def write_document(
    item: Any, file: str | PathLike[str], *, names: Mapping[str, Any] | None = None, left_out: list[str] | None = None
) -> list[Path]:
    """Write an object to a TOML file; long columns go to a file of the same name beside it that ends with .npz.

    Args:
        item: As for `to_document`.
        file: The TOML file.
        names: As for `to_document`.
        left_out: As for `to_document`.

    Returns:
        The files that were written.

    Raises:
        NoDocumentError: As for `to_document`.
        OSError: A file cannot be written.
    """
    document = to_document(item, names=names, left_out=left_out)
    files: list[Path] = extensions.SAVE_DOCUMENT.function(document, Path(file))
    return files


@explained
def from_document(
    document: Mapping[str, Any] | str | PathLike[str],
    *,
    names: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
    threads: int | None = None,
    trust: bool = False,
) -> Any:
    """Make the object of a document: the inverse of `to_document`.

    Args:
        document: A document, or the TOML file that holds one.
        names: Name -> object, for names that the document does not define: for a behavior alone, obstacles and Vehicles.
        folder: The folder of the files that the document names. Default: that of its own file, else the present folder.
        threads: The number of threads of a world.
        trust: Whether it may name files outside of that folder. Default: such a document is refused.

    Returns:
        The World, behavior, condition, body, or other object that was written.

    Raises:
        ScenarioError: The document has mistakes; the message lists all of them with their places.
    """
    return extensions.FROM_DOCUMENT.function(document, names=names, folder=folder, threads=threads, trust=trust)
