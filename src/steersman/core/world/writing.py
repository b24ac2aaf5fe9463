"""Writing: what there is as a document, and back. Documents stand above, and are loaded when they are asked for."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from steersman.core import extensions
from steersman.core.parameters.guiding import explained


class NoDocumentError(TypeError):
    """Something that no document can say: a function, a class of a user's own. The message says what, and where it stands."""


@explained
def to_document(
    what: Any, *, names: Mapping[str, Any] | None = None, left_out: list[str] | None = None
) -> dict[str, Any]:
    """Write something down, in the form that scenario files have: texts, numbers, truth values, lists and tables.

        document = sm.to_document(world)
        sm.from_document(document)  # the same world, bit for bit

    Only what is not by default is written. Long columns stay arrays; `write_document` puts them into a file beside the TOML.
    In the document of a world are the domain, the time, every column of all vehicles, the steering trees, the bodies, what
    they remember, and all that they refer to. Not in it are what was measured so far (meters begin anew) and
    the number of threads.

    Args:
        what: A World; or a behavior, a condition, a body, obstacles, a path, a region, ..., which becomes the table that
            stands for it in a scenario.
        names: What obstacles, paths and populations are called. Default: those of a world have the names that they have
            there, or new ones; around a behavior alone, their tables stand where they are used.
        left_out: A list to which metrics that are Python functions, by label, and observers that only watch are added instead
            of raising: the world goes on the same way without them.

    Raises:
        NoDocumentError: There is a Python function in it, a class of your own, or vehicles without a name.
    """
    document: dict[str, Any] = extensions.TO_DOCUMENT.function(what, names=names, left_out=left_out)
    return document


@explained
def write_document(
    what: Any, file: str | PathLike[str], *, names: Mapping[str, Any] | None = None, left_out: list[str] | None = None
) -> list[Path]:
    """Write something down in a TOML file; what is long goes to a file of the same name beside it that ends with .npz.

    Args:
        what: As for `to_document`.
        file: The TOML file.
        names: As for `to_document`.
        left_out: As for `to_document`.

    Returns:
        The files that were written.

    Raises:
        NoDocumentError: As for `to_document`.
        OSError: A file cannot be written.
    """
    document = to_document(what, names=names, left_out=left_out)
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
    """Make what was written down: the mirror of `to_document`.

    Args:
        document: A document, or the TOML file that holds one.
        names: What names stand for that the document does not explain: around a behavior alone, obstacles and Vehicles.
        folder: Where files are that the document names. Default: beside its own file, else the present folder.
        threads: How many threads a world uses.
        trust: Whether it may name files outside of that folder. Default: such a document is refused.

    Returns:
        The World, behavior, condition, body, or whatever else was written.

    Raises:
        ScenarioError: The document is wrong somewhere; it says where, for everything that is wrong.
    """
    return extensions.FROM_DOCUMENT.function(document, names=names, folder=folder, threads=threads, trust=trust)
