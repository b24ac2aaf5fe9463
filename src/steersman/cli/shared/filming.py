"""Filming: from the words of `steersman video` to a video."""

from pathlib import Path
from typing import Any

from steersman.cli.shared.progress import following
from steersman.cli.shared.selection import selection_of
from steersman.gallery.request import is_recorded, prepare
from steersman.runs.documents.problems import Problem, ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.run import Run, read_run
from steersman.studio.video.video import as_request, filmed


def film(
    scenario: str,
    out: Path,
    *,
    size: str,
    seconds: float | None,
    follow: str | None,
    choices: dict[str, Any],
    about: dict[str, Any],
    quiet: bool,
) -> str:
    """Write a video of a scenario or of a recorded run.

    Args:
        scenario: The name of a scenario, a file, or the folder of a run.
        out: The file to write.
        size: Width and height, as text.
        seconds: How long to run [s].
        follow: The vehicle to follow, as text.
        choices: Options that change a scenario, by name; None where not given.
        about: Other arguments of `as_request`.
        quiet: Whether to print nothing.

    Returns:
        A description of the file that was written.

    Raises:
        ScenarioError: The call or the file is wrong.
        Exception: Any error of `video`.
    """
    try:
        film_request = as_request(out, size=_size(size), follow=_followed(follow), **about)
    except OSError as error:
        raise ScenarioError([Problem("--out", f"{error.filename}: {error.strerror}")], "video") from None
    subject: Stage | Run
    if is_recorded(scenario, choices):
        subject = read_run(scenario)
    else:
        options = {"seconds": seconds, "seed": choices["seed"]}
        subject = prepare(scenario, choices["n"], options, choices["set"] or [], choices["threads"], None)
        if choices["sketch"]:
            film_request = film_request._replace(sketch=selection_of(subject, choices["sketch"]))
    frames = 0

    def tell(phase: str, done: int, count: int) -> None:
        nonlocal frames
        frames = count
        display.expect(count)
        display.step(done, phase)

    with following(1, quiet=quiet, of="frames") as display:
        path = filmed(subject, film_request, seconds, tell)
    width, height = film_request.size
    return f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB, {frames:,} frames of {width} x {height} pixels"


def _size(text: str) -> tuple[int, int]:
    """Width and height, from `1280x720`."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ScenarioError([Problem("--size", f"must be WIDTHxHEIGHT, such as 1280x720, got {text!r}")], "video")
    return int(parts[0]), int(parts[1])


def _followed(text: str | None) -> Any:
    """An id, from `7`; or an id by population, from `wolves:0`."""
    if text is None:
        return None
    name, colon, id = text.rpartition(":")
    if not id.strip().isdecimal():
        raise ScenarioError([Problem("--follow", f"must be an id, such as 7 or wolves:0, got {text!r}")], "video")
    return {name: int(id)} if colon else int(id)
