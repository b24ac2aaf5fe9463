"""Shots: frames of a video, described, and the painter that makes pixels of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.camera import Camera
from steersman.drawing.contents import Contents
from steersman.drawing.description import Description
from steersman.drawing.elements import Element, Faces, Lines
from steersman.drawing.projection import LAYER, scene_elements
from steersman.drawing.raster.canvas import Canvas, Place
from steersman.drawing.raster.filling import HIDING, OVER, TESTED
from steersman.drawing.raster.sheet import Sheet


@dataclass(frozen=True, eq=False)
class Shot:
    """The contents of one frame.

    Attributes:
        setting: The surroundings; the same object as before where nothing has changed.
        moving_elements: Vehicles, and all else that moves.
        contents: The contents with the words to write.
        low, high: Corners of the view of a plane [m], shape (2,).
        camera: The camera, in 3D.
        shifts: By how much all is shifted where it is seen [m], shape (k, 2): on a torus that is followed across its seam,
            it is there several times.
    """

    setting: Description
    moving_elements: Sequence[Element]
    contents: Contents
    low: Array
    high: Array
    camera: Camera | None = None
    shifts: Sequence[Array] = (np.zeros(2),)

    def same_view(self, other: "Shot | None") -> bool:
        """Whether another one shows the same setting from the same place."""
        if other is None or other.setting is not self.setting:
            return False
        one, two = ((each.low, each.high, *_numbers(each.camera)) for each in (self, other))
        return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def _numbers(camera: Camera | None) -> tuple[Array, ...]:
    if camera is None:
        return ()
    return camera.middle, np.array([camera.reach, camera.azimuth, camera.elevation])


class Painter:
    """Makes pixels of shots. Parts that do not change are drawn once. Not for several threads at once.

    Args:
        sheet: How frames are laid out.
    """

    def __init__(self, sheet: Sheet) -> None:
        import matplotlib.textpath
        import matplotlib.ticker  # noqa: F401 -- here, and not by several threads at once.

        self.sheet = sheet
        self._base = Canvas(sheet.width, sheet.height, sheet.point)
        self._canvas = Canvas(sheet.width, sheet.height, sheet.point)
        self._last: Shot | None = None

    def paint(self, shot: Shot) -> Array:
        """The pixels of a shot, uint8, shape (height, width, 3)."""
        if not shot.same_view(self._last):
            self.sheet.begin(self._base, shot.low, shot.high)
            self._draw(self._base, shot, shot.setting.elements, moving=False)
        self._last = replace(shot, moving_elements=())
        self._canvas.copy_from(self._base)
        self._draw(self._canvas, shot, shot.moving_elements, moving=True)
        self.sheet.write(self._canvas, shot.contents)
        return self._canvas.pixels.copy()

    def _draw(self, canvas: Canvas, shot: Shot, elements: Sequence[Element], *, moving: bool) -> None:
        if shot.camera is not None:
            place, ground = self.sheet.picture(), shot.setting.ground
            for element, depth in sorted(
                scene_elements(elements, shot.camera, ground), key=lambda each: each.element.layer
            ):
                trail = moving and isinstance(element, Lines) and element.layer < LAYER
                solid = isinstance(element, Faces) or trail
                how = OVER if not solid else TESTED if moving else HIDING
                canvas.put(element, place, depth, how)
            return
        plane = self.sheet.place(shot.low, shot.high)
        for x, y in shot.shifts:
            place = Place(plane.x + x * plane.scale, plane.y - y * plane.scale, plane.scale, plane.window)
            canvas.draw(elements, place)
