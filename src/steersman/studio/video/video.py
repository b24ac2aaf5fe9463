"""The entry point to videos: a running world, a stage, or a recorded run as a video file.

Frames are painted in threads, which release the lock of the Python interpreter, so the simulation goes on meanwhile. The
frames are passed to the encoder in order, and only a few of them are in memory at a time.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.world.clock import check_time
from steersman.core.world.world import World
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.draw import as_frame
from steersman.drawing.extent import frame_of
from steersman.drawing.forces import selected_ids
from steersman.drawing.raster.shot import Painter, Shot
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import RunError
from steersman.runs.recording.run import Run
from steersman.studio.video.camerawork import CameraWork, leader_of
from steersman.studio.video.encoding import written
from steersman.studio.video.forms import Form, checked, checked_rate, checked_size, require_encoder
from steersman.studio.video.instants import Spool, is_limited, now, of_run, of_world, with_trails

SIZE = (1280, 720)

PAINTERS = 2
"""Largest number of threads that paint; a frame takes a few milliseconds, and the encoder has threads of its own."""

MOST_FRAMES = 1_000_000

OnFrame = Callable[[str, int, int], object]
"""A callback with the kind of work ("simulated" or "drawn"), the number of finished frames, and the number of all frames."""


class Request(NamedTuple):
    """A request for a video.

    Attributes:
        path, form: The file and its encoding.
        size: Width and height of frames [pixels].
        rate: Frames a second.
        speed: Seconds of the world per second of the video.
        follow: The vehicle to follow.
        width: Width of the view around it [m].
        turn: Angular speed of the camera [degrees/s].
        sketch: Vehicles with sketches of their behaviors.
        about: Fields of `Contents` to replace.
    """

    path: Path
    form: Form
    size: tuple[int, int]
    rate: float
    speed: float
    follow: Any
    width: float | None
    turn: float
    sketch: Any
    about: dict[str, Any]


def as_request(
    file: str | os.PathLike[str],
    *,
    size: tuple[int, int] = SIZE,
    fps: float | None = None,
    speed: float = 1.0,
    follow: Any = None,
    width: float | None = None,
    turn: float = 0.0,
    sketch: Any = False,
    frame: Any = None,
    title: str | None = None,
) -> Request:
    """A request for a video, with all checks that are possible without the world.

    Args:
        file: The file to write, which ends in .mp4, .webm, .gif or .webp.
        size: Width and height of frames [pixels].
        fps: Frames a second. Default: 30; 25 in .gif and .webp.
        speed: Seconds of the world per second of the video.
        follow: The vehicle in the middle of the view: an id, or an id by population. Default: a fixed view of the whole.
        width: Width of the view around this vehicle [m]. Default: a fraction of the whole.
        turn: Angular speed of the camera around a 3D scene [degrees/s].
        sketch: Vehicles with sketches of their behaviors: an id, ids (k,), ids by population, or True for all.
        frame: The lowest and the highest corner of the view [m]. Default: the domain, or the extent of the run.
        title: Title. Default: that of a stage.

    Raises:
        ImportError: imageio-ffmpeg is not installed.
        ValueError: The file has another ending.
        OSError: The folder of the file cannot be written to.
    """
    require_encoder()
    path, form = checked(file)
    about = {name: value for name, value in {"title": title, "frame": frame}.items() if value is not None}
    return Request(
        path, form, checked_size(size, form), checked_rate(fps, form),
        as_number("speed", speed, above=0), follow,
        None if width is None else as_number("width", width, above=0, unit="m"),
        as_number("turn", turn, unit="degrees/s"), sketch, about,
    )  # fmt: skip


def video(
    subject: World | Stage | Run,
    file: str | os.PathLike[str],
    *,
    seconds: float | None = None,
    on_frame: OnFrame | None = None,
    **about: Any,
) -> Path:
    """Write a video: of a world or a stage that is run on for it, or of a recorded run.

    Args:
        subject: The World, the Stage or the Run.
        file: The file to write, which ends in .mp4, .webm, .gif or .webp.
        seconds: How long to run [s], or the length of a recorded run to show. Default: that of the stage, or the whole run.
        on_frame: Called with "simulated" or "drawn", the number of frames that are done, and the number of all frames.
        **about: As for `as_request`.

    Returns:
        The file.

    Raises:
        ImportError: imageio-ffmpeg is not installed.
        ValueError: The file has another ending, or there is nothing to see.
        RunError: A file of a recorded run is damaged.
        OSError: The file cannot be written; a file that was there before is unchanged.
    """
    return filmed(subject, as_request(file, **about), seconds, on_frame or (lambda *_: None))


def filmed(subject: World | Stage | Run, request: Request, seconds: float | None, on_frame: OnFrame) -> Path:
    """Write the video of a request; arguments and errors as for `video`."""
    first, start, length = _beginning(subject, seconds, request)
    _check(first, request)
    leader = leader_of(first, request.follow)
    selection = _selection(subject, request.sketch)
    if selection and not isinstance(subject, Run):
        first = now(subject, selection)
    count = max(1, round(length * request.rate / request.speed - 1e-9))
    if count > MOST_FRAMES:
        raise ValueError(f"seconds must be at most {MOST_FRAMES:,} frames, got {length:g} s, which are {count:,}")
    times = start + np.arange(count) * (request.speed / request.rate)
    run = of_run(subject, times) if isinstance(subject, Run) else of_world(subject, times, selection)
    about = _fields(request, first)
    instants: Iterable[Contents] = (replace(each, **about) for each in run)
    first = replace(first, **about)
    with ExitStack() as inside:
        if leader is None and not is_limited(first):
            spool = inside.enter_context(closing(Spool(instants, lambda done: on_frame("simulated", done, count))))
            first = replace(spool.first, frame=frame_of(spool.first, spool.been))
            instants = (replace(each, frame=first.frame) for each in spool)
        work = CameraWork(first, request.size, leader, request.turn, request.width)
        trailed = with_trails(
            instants, request.speed / request.rate, {} if leader is None else {leader.population: leader.id}
        )
        shots = (work.shot(each, number / request.rate) for number, each in enumerate(trailed))
        painters = [Painter(work.sheet) for _ in range(max(1, min(PAINTERS, os.cpu_count() or 1)))]
        encoder = inside.enter_context(written(request.path, request.form, request.size, request.rate))
        for done, pixels in enumerate(inside.enter_context(closing(painted(shots, painters))), 1):
            encoder.write(pixels)
            on_frame("drawn", done, count)
    if not isinstance(subject, Run):
        _run_on(subject if isinstance(subject, World) else subject.world, start + length)
    return request.path


def painted(shots: Iterator[Shot], painters: Sequence[Painter]) -> Generator[Array, None, None]:
    """The pixels of shots, in their order; a few are described and painted ahead."""
    free: SimpleQueue[Painter] = SimpleQueue()
    for each in painters:
        free.put(each)

    def paint(shot: Shot) -> Array:
        painter = free.get()
        try:
            return painter.paint(shot)
        finally:
            free.put(painter)

    waiting: deque[Future[Array]] = deque()
    pool = ThreadPoolExecutor(len(painters), thread_name_prefix="steersman-painter")
    try:
        for shot in shots:
            waiting.append(pool.submit(paint, shot))
            if len(waiting) > 2 * len(painters):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


# ---------------------------------------------------------------------------------------------------------- the request


def _beginning(subject: Any, seconds: float | None, request: Request) -> tuple[Contents, float, float]:
    """The first contents, their time [s], and the length of the video in time of the world [s]."""
    chosen = None if seconds is None else check_time(seconds, "seconds")
    if isinstance(subject, Run):
        if not subject.frames:
            raise RunError(f"folder {subject.folder}: no part of the run is whole yet, so there are no frames")
        if request.sketch is not False and request.sketch is not None:
            raise ValueError(
                "sketch is of a World or a Stage that runs; a recorded run does not hold the perception of vehicles"
            )
        start, end = float(subject.times[0]), float(subject.times[-1])
        length = end - start if chosen is None else min(chosen, end - start)
        return contents_of(subject.frame(0)), start, _at_least(chosen, length, request)
    if not isinstance(subject, World | Stage):
        raise TypeError(f"the object to film must be a World, a Stage or a Run, got {brief(subject)}")
    world = subject if isinstance(subject, World) else subject.world
    if chosen is None and isinstance(subject, World):
        raise TypeError("seconds must be given: how long the world is to run")
    length = chosen if chosen is not None else subject.seconds  # type: ignore[union-attr]
    return contents_of(subject), world.time, _at_least(chosen, length, request)


def _check(first: Contents, request: Request) -> None:
    """Raise an error where the request does not fit the world."""
    if not first.vehicles and not first.scenery:
        raise ValueError("the object to film must have a population or some scenery, got none")
    if len({each.dimensions for each in first.vehicles.values()}) > 1:
        raise ValueError("all populations must have the same number of dimensions to be filmed, got 2 and 3")
    if request.turn and first.dimensions == 2:
        raise ValueError(
            f"turn is of a camera in 3D, and this is a plane; leave it out, got {request.turn:g} degrees/s"
        )
    if request.width is not None and request.follow is None:
        raise ValueError("width is that of the view around a vehicle; give follow, too, or a frame")


def _at_least(chosen: float | None, length: float, request: Request) -> float:
    """The length of the video, of at least one frame [s]."""
    if chosen is not None and not chosen * request.rate >= request.speed * 0.5:
        raise ValueError(f"seconds must be at least one frame of {request.speed / request.rate:g} s, got {chosen!r}")
    return length


def _selection(subject: Any, which: Any) -> dict[str, list[int]]:
    """Ids of the vehicles with sketches, by population."""
    if isinstance(subject, Run):
        return {}
    if which is False or which is None:
        chosen = subject.picture.sketch if isinstance(subject, Stage) else None
        return {name: list(ids) for name, ids in (chosen or {}).items()}
    world = subject if isinstance(subject, World) else subject.world
    return {name: ids.tolist() for name, ids in selected_ids(world, which, "sketch").items()}


def _fields(request: Request, first: Contents) -> dict[str, Any]:
    if "frame" not in request.about:
        return request.about
    return {**request.about, "frame": as_frame(request.about["frame"], first.dimensions)}


def _run_on(world: World, time: float) -> None:
    """Make the steps after the last frame."""
    while world.time < time - 0.5 * world.dt:
        world.step()
