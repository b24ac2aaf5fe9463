"""Camera work: the view of each instant, of the whole scene or of a vehicle that the camera follows."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.resources import Resources
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.drawing.camera import Camera
from steersman.drawing.contents import Contents
from steersman.drawing.description import Description, caption_elements, lengths_in, setting_of
from steersman.drawing.elements import Element, Lines, Marks
from steersman.drawing.palette import FRAME, INK, rgb, rgba
from steersman.drawing.raster.sheet import Sheet, sheet_of
from steersman.drawing.raster.shot import Shot
from steersman.drawing.scenery_flat import circle
from steersman.drawing.sketch_elements import sketch_elements
from steersman.drawing.sketches import seconds_of

PART = 0.4
"""Width of the view around a vehicle that is followed, as a fraction of the whole scene."""

UNIT = 0.02
"""Size of crosses and heads of arrows in sketches, as a fraction of the width of the picture."""

TILE = 1.5
"""In an open space the scenery is described anew when the camera has moved so far, in widths of its view."""


class Leader(NamedTuple):
    """The vehicle that the camera follows.

    Attributes:
        population: The name of its population.
        id: Its id.
    """

    population: str
    id: int


def leader_of(contents: Contents, follow: Any) -> Leader | None:
    """The vehicle that the camera is to follow.

    Args:
        contents: The contents at the beginning.
        follow: None for no vehicle; an id, in the first population that has it; or an id by population: {"wolves": 0}.
    """
    if follow is None:
        return None
    named = isinstance(follow, Mapping) and len(follow) == 1
    names = list(follow) if named else list(contents.vehicles)
    ids = np.asarray(next(iter(follow.values())) if named else follow)
    if isinstance(follow, bool) or ids.size != 1 or not np.issubdtype(ids.dtype, np.integer):
        raise TypeError(f'follow must be an id, or one by the name of its population: {{"a": 3}}, got {brief(follow)}')
    id = int(ids.reshape(-1)[0])
    for name in names:
        if name not in contents.vehicles:
            known = ", ".join(contents.vehicles) or "none"
            raise KeyError(f"follow: no population is called {name!r}; there are: {known}")
        if id in contents.vehicles[name].id:
            return Leader(name, id)
    there = [f"{name} {each.id.min()} to {each.id.max()}" for name, each in contents.vehicles.items() if len(each)]
    raise KeyError(f"follow: no vehicle has the id {id}; there are: {', '.join(there) or 'none'}")


class CameraWork:
    """Makes shots of instants.

    Args:
        first: The contents at the beginning; their frame, if they have one, is the view.
        size: Width and height of frames [pixels].
        leader: The vehicle to follow; None for a fixed view.
        turn: Angular speed of the camera around a 3D scene [degrees/s of the video].
        width: Width of the view around the leader [m]; None for a fraction of the whole.

    Raises:
        ValueError: No part of the contents has a limited extent.
    """

    def __init__(
        self, first: Contents, size: tuple[int, int], leader: Leader | None, turn: float, width: float | None
    ) -> None:
        setting = setting_of(first)
        self.leader, self.turn = leader, turn
        self.width = PART * setting.span if width is None else width
        self._low, self._high = setting.low, setting.high
        self._limited = bool(np.isfinite(bounds(first.domain, first.dimensions)[1]).all())
        self._period = np.asarray(first.domain.wrap(first.dimensions, np.float64)[0])
        self._frame = first.frame
        across, up = (setting.high - setting.low)[:2]
        self.sheet: Sheet = sheet_of(first, *size, None if leader is not None else float(up / across))
        self._at: Array = setting.middle
        self._known: tuple[Any, Description] | None = None

    def shot(self, contents: Contents, elapsed: float) -> Shot:
        """The shot of one frame.

        Args:
            contents: The contents at that time.
            elapsed: Time since the beginning of the video [s].
        """
        self._go(contents)
        setting = self._setting(contents)
        flat = contents.dimensions == 2
        low, high = self._bounds() if flat else (np.zeros(2), np.ones(2))
        if flat:
            span = float((high - low).max())
        else:
            span = self.width if self.leader else setting.span
        moving = (*caption_elements(contents, span), *self._marked(contents, span))
        moving += tuple(sketch_elements(contents.sketches, UNIT * span, seconds_of(contents.sketches, span)))
        camera = None if flat else self._camera(contents, setting, elapsed)
        return Shot(setting, moving, contents, low, high, camera, self._shifts(low, high) if flat else (np.zeros(2),))

    def _go(self, contents: Contents) -> None:
        """Move to the position of the leader, or to its last position."""
        if self.leader is None:
            return
        vehicles = contents.vehicles[self.leader.population]
        rows = np.flatnonzero(vehicles.id == self.leader.id)
        if len(rows) and np.isfinite(vehicles.position[rows[0]]).all():
            self._at = vehicles.position[rows[0]].astype(np.float64)

    def _bounds(self) -> tuple[Array, Array]:
        """Corners of the view of a plane [m]."""
        if self.leader is None:
            return self._low, self._high
        left, top, right, bottom = self.sheet.window
        half = 0.5 * self.width * np.array([1.0, (bottom - top) / (right - left)])
        return self._at - half, self._at + half

    def _camera(self, contents: Contents, setting: Description, elapsed: float) -> Camera:
        azimuth = contents.style.azimuth + self.turn * elapsed
        middle, reach = (setting.middle, setting.reach) if self.leader is None else (self._at, self.width / 2)
        return Camera(middle, reach, azimuth, contents.style.elevation)

    # ------------------------------------------------------------------------------------------------------ scenery

    def _setting(self, contents: Contents) -> Description:
        """The scenery, described anew where a part of it has changed."""
        frame = self._tile() if contents.dimensions == 2 else self._frame
        key = (
            frame,
            [(each, each.amount.copy() if isinstance(each, Resources) else None) for each in contents.scenery],
        )
        if self._known is None or not _alike(self._known[0], key):
            made = setting_of(replace(contents, frame=frame, vehicles={} if frame else contents.vehicles))
            if self.leader is not None and self._limited and contents.dimensions == 2:
                made = replace(made, elements=(*made.elements, *self._border()))
            self._known = key, made
        return self._known[1]

    def _tile(self) -> tuple[Array, Array]:
        """Corners of the described part of the plane [m]: in an open space, a tile larger than the view of the camera."""
        if self.leader is None or self._limited:
            return self._low, self._high
        edge = TILE * self.width
        middle = np.round(self._at / edge) * edge
        return middle - edge, middle + edge

    def _border(self) -> Iterator[Element]:
        """The border of a space without periodic axes."""
        if not np.any(self._period > 0):
            (x0, y0), (x1, y1) = self._low, self._high
            corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]])
            yield Lines(points=[corners], color=rgba(FRAME), width=1.6, layer=0.1)

    def _shifts(self, low: Array, high: Array) -> Sequence[Array]:
        """The shifts of all images of a torus in the view [m]."""
        if self.leader is None or not np.any(self._period > 0):
            return (np.zeros(2),)
        margin = 0.03 * (high - low)
        shifts = []
        for axis in range(2):
            period = float(self._period[axis])
            first, last = (
                (math.floor((each[axis] - self._low[axis]) / period) if period else 0)
                for each in (low - margin, high + margin)
            )
            shifts.append([k * period for k in range(first, last + 1)])
        return [np.array([x, y]) for x in shifts[0] for y in shifts[1]]

    def _marked(self, contents: Contents, span: float) -> Iterator[Element]:
        """A thin ring around the leader."""
        if self.leader is None:
            return
        vehicles = contents.vehicles[self.leader.population]
        rows = np.flatnonzero(vehicles.id == self.leader.id)
        if not len(rows):
            return
        if contents.dimensions == 3:
            yield Marks(shape="ring", position=self._at[None], color=rgb(INK), size=26.0, opacity=0.5, layer=4.5)
            return
        radius = 1.1 * float(lengths_in(contents, self.leader.population, span)[rows[0]])
        ring = circle(self._at, radius)
        yield Lines(points=[np.concatenate([ring, ring[:2]])], color=rgba(INK, 0.55), width=1.1, layer=4.5)


def _alike(one: Any, other: Any) -> bool:
    """Whether two settings have the same frame and the same scenery, with equal amounts of resources."""
    (frame, scenery), (frame_then, scenery_then) = one, other
    if (frame is None) != (frame_then is None) or len(scenery) != len(scenery_then):
        return False
    if frame is not None and not all(np.array_equal(a, b) for a, b in zip(frame, frame_then, strict=True)):
        return False
    return all(_same(*now, *then) for now, then in zip(scenery, scenery_then, strict=True))


def _same(item: Any, amount: Array | None, then: Any, amount_then: Array | None) -> bool:
    if amount is None or amount_then is None:
        return item is then
    return np.array_equal(item.position, then.position) and np.array_equal(amount, amount_then)
