"""Pictures from files, as arrays: painted flow fields and landscapes of gray."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.parameters.sizes import check_bytes, fits
from steersman.core.typing import Array

FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "PPM", "TGA", "WEBP")
"""The formats that pictures are read from, in Pillow's words. For some others, Pillow would call other programs."""

PIXEL = 100
"""Memory that a pixel takes [bytes], about: its numbers as floats, more than once."""


def open_picture(name: str, path: Path, modes: Mapping[str, str]) -> tuple[Array, str]:
    """The pixels of a picture file, top row first, and its mode.

    Args:
        name: Which argument the file was given for.
        path: The file.
        modes: The modes of pictures that are allowed, in Pillow's words, and the modes to bring them to.

    Raises:
        FileNotFoundError: There is no such file.
        ImportError: Pillow is not installed.
        ValueError: The file is no picture, one of another mode, or too large for the memory, which is found out before
            anything is unpacked.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{name} must be a picture file or an array, got {str(path)!r}: there is no such file")
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(f"{name} is a picture file; to read it: pip install steersman[geo]") from None
    picture: Any = None
    try:
        with Image.open(path, formats=FORMATS) as picture:
            width, height = picture.size
            needed = width * height * PIXEL
            if fits(needed):
                picture.load()
    except Exception as error:  # Its readers raise whatever comes up in them.
        raise ValueError(f"{name} must be a picture file, but {str(path)!r} cannot be read: {error}") from error
    check_bytes(f"{name} must be a smaller picture", f"{width:,} x {height:,} pixels", needed)
    if picture.mode not in modes:
        allowed = ", ".join(modes)
        raise ValueError(f"{name} must be a picture of mode {allowed}, got mode {picture.mode} in {str(path)!r}")
    brought = picture if modes[picture.mode] == picture.mode else picture.convert(modes[picture.mode])
    return np.asarray(brought), str(picture.mode)
