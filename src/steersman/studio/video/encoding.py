"""Encoding: frames are passed to ffmpeg, which writes them under another name; a whole file gets its final name."""

import contextlib
import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steersman.studio.video.forms import Form

PATIENCE = 600.0
"""Longest time that the encoder may take after the last frame [s]."""

LOSSLESS = ("-c:v", "ffv1", "-level", "3", "-g", "1", "-pix_fmt", "bgr0", "-f", "nut")
"""The format of frames that wait until all colors are known."""

DITHER = "paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle"


class Encoder:
    """A running ffmpeg process that takes frames.

    Args:
        arguments: Its arguments, the file at the end.
        size: Width and height of frames [pixels].
        rate: Frames a second.
        file: The file that is written, for messages.
    """

    def __init__(self, arguments: list[str], size: tuple[int, int], rate: float, file: Path) -> None:
        self.file = file
        width, height = size
        source = [
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-s",
            f"{width}x{height}",
            "-r",
            f"{rate:.10g}",
            "-i",
            "pipe:0",
        ]
        self._errors: Any = tempfile.TemporaryFile()  # noqa: SIM115 -- closed in `end`.
        self._process = subprocess.Popen(
            [*_command(), *source, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._errors,
            start_new_session=True,  # Ctrl-C is for us; we end it.
        )  # fmt: skip

    def write(self, pixels: Any) -> None:
        """Write a frame, uint8, shape (height, width, 3).

        Raises:
            OSError: The encoder has stopped, because the disk is full, or for another reason that the message quotes.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(memoryview(pixels).cast("B"))
        except OSError:
            self.end()

    def end(self) -> None:
        """Wait until everything is written.

        Raises:
            OSError: The encoder has failed.
        """
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        code = self._process.wait(PATIENCE)
        self._errors.seek(0)
        errors = self._errors.read().decode("utf-8", "replace")
        self._errors.close()
        if code:
            raise _failed(errors, code, self.file)

    def kill(self) -> None:
        """Stop it at once, if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._errors):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]


def _command() -> list[str]:
    import imageio_ffmpeg

    return [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", "-nostats", "-y"]


def _failed(errors: str, code: int, file: Path) -> OSError:
    """The error of the encoder, in few words."""
    for number, words in ((errno.ENOSPC, "No space left on device"), (errno.EFBIG, "File too large")):
        if words in errors:
            return OSError(number, f"cannot be written: {words.lower()}; nothing is left of it", str(file))
    lines = [line for line in errors.strip().splitlines() if line.strip()]
    return OSError(errno.EIO, f"the encoder stopped with code {code}: {lines[-1] if lines else 'no reason'}", str(file))


class _Frames:
    """A file-like object that writes frames to an encoder."""

    def __init__(self, encoder: Encoder) -> None:
        self.write = encoder.write


@contextmanager
def written(file: Path, form: Form, size: tuple[int, int], rate: float) -> Iterator[Encoder]:
    """A context with an encoder of a video. At its end the file is whole; after an exception there is no file.

    Args:
        file: The file; an existing one is replaced.
        form: How it is encoded.
        size: Width and height of frames [pixels].
        rate: Frames a second.

    Raises:
        OSError: It cannot be written. A file that was there before is unchanged.
    """
    aside = file.with_name(f".{file.name}.{os.getpid()}.partial")
    frames = aside.with_suffix(".frames")
    encoder = None
    try:
        if form.palette:
            encoder = Encoder([*LOSSLESS, str(frames)], size, rate, file)
        else:
            encoder = Encoder([*form.arguments, str(aside)], size, rate, file)
        yield encoder
        encoder.end()
        if form.palette:
            _in_colors(frames, aside, form, file)
        os.replace(aside, file)
    finally:
        if encoder is not None:
            encoder.kill()
        for each in (aside, frames):
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)


def _in_colors(frames: Path, aside: Path, form: Form, file: Path) -> None:
    """Choose a palette for all frames, and write the frames with it."""
    palette = frames.with_suffix(".png")
    try:
        choose = ["-i", str(frames), "-vf", "palettegen=max_colors=256:stats_mode=full", "-update", "1", str(palette)]
        use = ["-i", str(frames), "-i", str(palette), "-lavfi", DITHER, *form.arguments, str(aside)]
        for arguments in (choose, use):
            run = subprocess.run(
                [*_command(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True
            )
            if run.returncode:
                raise _failed(run.stderr.decode("utf-8", "replace"), run.returncode, file)
    finally:
        with contextlib.suppress(OSError):
            palette.unlink(missing_ok=True)
