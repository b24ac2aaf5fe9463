"""Forms of videos: the kinds of files by suffix, and their encodings."""

import math
import os
import warnings
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import outside
from steersman.core.parameters.kinds import as_number
from steersman.core.world.clock import check_steps

LEAST, MOST = (160, 120), (7680, 4320)
"""Smallest and largest size of frames [pixels]."""

RATE, FASTEST = 30.0, 240.0
"""Default and largest number of frames a second."""


@dataclass(frozen=True)
class Form:
    """How videos of a suffix are encoded.

    Attributes:
        arguments: Arguments of ffmpeg between its input and the file.
        even: Whether width and height must be even.
        rate: Default number of frames a second.
        fastest: Largest number of frames a second.
        palette: Whether colors are chosen when all frames are known.
    """

    arguments: tuple[str, ...]
    even: bool = False
    rate: float = RATE
    fastest: float = FASTEST
    palette: bool = False


COLORS = (
    "-vf", "scale=out_color_matrix=bt709:out_range=tv,setparams=color_primaries=bt709:color_trc=bt709", "-pix_fmt", "yuv420p",
)  # fmt: skip
"""The colors of high definition, with the tags that name them: without tags, players would have to guess."""

FORMS = {
    ".mp4": Form(
        ("-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-tune", "animation", *COLORS,
         "-movflags", "+faststart", "-f", "mp4"),
        even=True,
    ),
    ".webm": Form(
        ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "7", "-row-mt", "1", "-crf", "24", "-b:v", "0",
         *COLORS, "-f", "webm"),
        even=True,
    ),
    ".gif": Form(("-loop", "0", "-f", "gif"), rate=25.0, fastest=50.0, palette=True),
    ".webp": Form(
        ("-c:v", "libwebp_anim", "-quality", "75", "-compression_level", "2", "-loop", "0", "-f", "webp"),
        rate=25.0, fastest=50.0,
    ),
}  # fmt: skip
"""Suffix -> form. GIF counts time in hundredths of a second, of which 25 frames a second are four each."""


def require_encoder() -> None:
    """Raise an ImportError with the command to install, if a package for videos is missing."""
    if missing := [name for name in ("imageio_ffmpeg", "matplotlib") if find_spec(name) is None]:
        names = " and ".join(name.replace("_", "-") for name in missing)
        raise ImportError(f'videos need {names}; please run: pip install "steersman[video]"')


def checked(file: Any) -> tuple[Path, Form]:
    """The path of a file that can be written, and its form.

    Raises:
        ValueError: Its suffix is that of no form.
        OSError: Its folder does not exist, or cannot be written to.
    """
    path = Path(file)
    form = FORMS.get(path.suffix.lower())
    if form is None:
        *most, last = FORMS
        raise ValueError(f"file must end in {', '.join(most)} or {last}, got {str(path)!r}")
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder; name a file in it", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder; make it first", str(path.parent))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(13, "nothing can be written into this folder", str(path.parent))
    return path, form


def checked_size(size: Any, form: Form) -> tuple[int, int]:
    """Width and height of frames [pixels]; an odd number that must be even is raised by one, with a warning."""
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise TypeError(f"size must be a width and a height [pixels], such as (1280, 720), got {brief(size)}")
    width, height = (check_steps(each, "size") for each in size)
    if not (LEAST[0] <= width <= MOST[0] and LEAST[1] <= height <= MOST[1]):
        least, most = (f"{w} x {h}" for w, h in (LEAST, MOST))
        raise ValueError(f"size must be between {least} and {most} pixels, got {width} x {height}")
    if form.even and (width % 2 or height % 2):
        even = width + width % 2, height + height % 2
        warnings.warn(
            f"size {width} x {height}: this kind of video needs even numbers; it is {even[0]} x {even[1]}",
            stacklevel=outside(),
        )
        return even
    return width, height


def checked_rate(fps: Any, form: Form) -> float:
    """Frames a second.

    Raises:
        ValueError: It is not > 0, or larger than this kind of file can hold.
    """
    if fps is None:
        return form.rate
    rate = as_number("fps", fps, above=0, unit="frames/s")
    if not (math.isfinite(rate) and rate <= form.fastest):
        raise ValueError(f"fps must be at most {form.fastest:g} frames/s in such a file, got {rate:g}")
    return rate
