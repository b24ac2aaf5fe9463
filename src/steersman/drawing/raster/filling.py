"""Filling: polygons put into an array of pixels, with smooth edges.

The coverage of a pixel is exact: every edge adds, to the row that it crosses, the area that lies to its right, signed by
its direction; the sum from the left is how much of the pixel is inside. Rings that turn the same way add up to the area
that one of them covers, and one that turns the other way is a hole.
"""

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.typing import Array

OVER, HIDING, TESTED = 0, 1, 2
"""How shapes are combined with the picture: put over it; the same, noting how far away they are; or only where nothing
nearer was noted."""

Window = tuple[int, int, int, int]
"""Left, top, right and bottom of the part that may be drawn upon [pixels]; the last two are outside."""


@kernel
def fill(
    points: Array, rings: Array, shapes: Array, colors: Array, depths: Array, window: Window, how: int, pixels: Array,
    nearest: Array, cover: Array, spans: Array,
) -> None:  # fmt: skip
    """Fill shapes, one after the other.

    Args:
        points: Corners of rings [pixels], x to the right and y down, shape (m, 2).
        rings: Where each ring begins among the points, and their number at the end, shape (r + 1,).
        shapes: Where each shape begins among the rings, and their number at the end, shape (s + 1,).
        colors: Red, green, blue and opacity of each, in [0, 1], shape (s, 4).
        depths: How far away each is, shape (s,).
        window: The part that may be drawn upon.
        how: OVER, HIDING or TESTED.
        pixels: The picture, uint8, shape (h, w, 3).
        nearest: The distance that was last noted, float32, shape (h, w).
        cover: Scratch, zero everywhere, float32, shape (h, w + 2).
        spans: Scratch, shape (h, 2).
    """
    left, top, right, bottom = window
    for shape in range(len(shapes) - 1):
        first, last = rings[shapes[shape]], rings[shapes[shape + 1]]
        if last <= first:
            continue
        low = high = points[first, 1]
        finite = True
        for k in range(first, last):
            x, y = points[k, 0], points[k, 1]
            finite = finite and abs(x) < 1e9 and abs(y) < 1e9
            low, high = min(low, y), max(high, y)
        if not finite or high <= top or low >= bottom:
            continue
        begin, end = max(top, int(low)), min(bottom, int(high) + 1)
        for row in range(begin, end):
            spans[row, 0], spans[row, 1] = right, left - 1
        for ring in range(shapes[shape], shapes[shape + 1]):
            k, stop = rings[ring], rings[ring + 1]
            before = stop - 1
            while k < stop:
                add_edge(
                    points[before, 0],
                    points[before, 1],
                    points[k, 0],
                    points[k, 1],
                    begin,
                    end,
                    left,
                    right,
                    cover,
                    spans,
                )
                before = k
                k += 1
        red, green, blue, opacity = colors[shape, 0], colors[shape, 1], colors[shape, 2], colors[shape, 3]
        for row in range(begin, end):
            total = 0.0
            for x in range(spans[row, 0], min(spans[row, 1] + 1, right)):
                total += cover[row, x]
                cover[row, x] = 0.0
                inside = min(abs(total), 1.0)
                if inside < 0.004:
                    continue
                if how == TESTED and depths[shape] > nearest[row, x]:
                    continue
                if how == HIDING and inside > 0.5:
                    nearest[row, x] = min(nearest[row, x], depths[shape])
                part = inside * opacity
                pixels[row, x, 0] = int(pixels[row, x, 0] * (1 - part) + 255 * red * part + 0.5)
                pixels[row, x, 1] = int(pixels[row, x, 1] * (1 - part) + 255 * green * part + 0.5)
                pixels[row, x, 2] = int(pixels[row, x, 2] * (1 - part) + 255 * blue * part + 0.5)
            for x in range(right, spans[row, 1] + 1):
                cover[row, x] = 0.0


@kernel
def add_edge(
    xa: float, ya: float, xb: float, yb: float, top: int, bottom: int, left: int, right: int, cover: Array, spans: Array
) -> None:
    """Add the area that an edge from (xa, ya) to (xb, yb) covers in rows from top to bottom."""
    if ya == yb:
        return
    sign = 1.0
    if ya > yb:
        xa, ya, xb, yb, sign = xb, yb, xa, ya, -1.0
    if yb <= top or ya >= bottom:
        return
    slope = (xb - xa) / (yb - ya)
    row = max(int(ya), top)
    while row < bottom and row < yb:
        upper, lower = max(ya, float(row)), min(yb, row + 1.0)
        one, two = xa + slope * (upper - ya), xa + slope * (lower - ya)
        add_piece(min(one, two), max(one, two), sign * (lower - upper), row, left, right, cover, spans)
        row += 1


@kernel
def add_piece(
    low: float, high: float, height: float, row: int, left: int, right: int, cover: Array, spans: Array
) -> None:
    """Add a piece of an edge that crosses a part of a row, from low to high; beyond the window it is at the border."""
    if low >= right:
        spans[row, 1] = max(spans[row, 1], right - 1)
        return
    if high > right:
        part = (high - right) / (high - low)
        high, height = float(right), height * (1 - part)
        spans[row, 1] = max(spans[row, 1], right - 1)
    if low < left:
        if high <= left:
            low = high = float(left)
        else:
            part = (left - low) / (high - low)
            add_cells(float(left), float(left), height * part, row, cover, spans)
            low, height = float(left), height * (1 - part)
    add_cells(low, high, height, row, cover, spans)


@kernel
def add_cells(low: float, high: float, height: float, row: int, cover: Array, spans: Array) -> None:
    """Add a piece of an edge, from low to high, to the cells of its row and the one right of them."""
    first = int(low)
    last = int(np.ceil(high))
    if last <= first + 1:
        beyond = 0.5 * (low + high) - first
        cover[row, first] += height * (1 - beyond)
        cover[row, first + 1] += height * beyond
        last = first + 1
    else:
        each = height / (high - low)
        sum_before = area_before = 0.0
        for x in range(first, last + 1):  # What lies right of the piece: up to the right side of this cell, and in it.
            sum_now = 0.5 * each * min(x + 1 - low, high - low) ** 2 + height * max(x + 1 - high, 0.0)
            area = sum_now - sum_before
            cover[row, x] += area - area_before
            sum_before, area_before = sum_now, area
    spans[row, 0] = min(spans[row, 0], first)
    spans[row, 1] = max(spans[row, 1], last)
