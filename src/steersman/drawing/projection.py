"""Seen: a 3D scene as a camera sees it: elements of a plane, fading into the distance, with shadows on the ground.

Every program that can draw a plane can draw these: the pictures on paper do, and videos.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.camera import Camera
from steersman.drawing.elements import (
    Areas,
    Arrows,
    Element,
    Faces,
    Glyphs,
    Lines,
    Marks,
    Mesh,
    Texts,
    of_kind,
    projected,
)
from steersman.drawing.glyphs import solid_triangles
from steersman.drawing.palette import RGB, TONES, rgb
from steersman.drawing.scenery_solid import capsule

HAZE = np.array(rgb(TONES["haze"][0]))
LIGHT = np.array([0.35, -0.45, 0.82])
SHADOW: RGB = rgb("#5B5A55")

SHADOWS = 8000
"""Vehicles of a population that have a shadow, at most."""

ROUND = np.linspace(0, 2 * np.pi, 48, endpoint=False)
SHADES = np.linspace(1.0, 0.08, 14)
"""A ball is a few circles: their corners [rad], and their sizes as parts of its own."""


LAYER = 4.0
"""That of bodies."""


class SceneElement(NamedTuple):
    """An element of the picture of a camera.

    Attributes:
        element: Its picture in the plane.
        depth: How far away each of its parts is, in the units of `Camera.project`, where nearer parts hide farther
            ones; else None.
    """

    element: Element
    depth: Array | None = None


def scene_elements(elements: Sequence[Element], camera: Camera, ground: float | None) -> Iterator[SceneElement]:
    """The elements that a camera sees, from the lowest to those that hide all others; of bodies the farthest first.

    Args:
        elements: The elements in space.
        camera: The camera.
        ground: Height of the ground that shadows fall on [m]; None where there is a landscape.
    """
    glyphs = of_kind(elements, Glyphs)
    balls = [each for each in glyphs if each.shape == "ball"]
    bodies = [each for each in glyphs if each.shape != "ball"]
    for areas in of_kind(elements, Areas):
        yield SceneElement(projected(areas, camera.places))
    for lines in of_kind(elements, Lines):
        yield _lines(lines, camera)
    for marks in of_kind(elements, Marks):
        yield SceneElement(projected(marks, camera.places))
    if ground is not None:
        yield from (SceneElement(_shadows(each, camera, ground)) for each in bodies)
    yield _bodies(bodies, balls, of_kind(elements, Mesh), camera, shaded=ground is not None)
    for arrows in of_kind(elements, Arrows):
        yield SceneElement(replace(projected(arrows, camera.places), width=arrows.width / camera.reach))
    for texts in of_kind(elements, Texts):
        yield SceneElement(projected(texts, camera.places))


def haze(color: Array, depth: Array, strength: float = 0.4) -> Array:
    """Colors mixed with the sky, the more the farther away, shape (k, 3)."""
    amount = np.clip(0.5 + 0.5 * depth, 0, 1)[:, None] * strength
    return np.asarray(color * (1 - amount) + HAZE * amount)


def _lines(lines: Lines, camera: Camera) -> SceneElement:
    """Lines in the picture; the farther, the fainter."""
    if not len(lines.points):
        return SceneElement(lines)
    counts = [len(line) for line in lines.points]
    places, depth, _ = camera.project(np.concatenate(list(lines.points)))
    starts = np.cumsum([0, *counts[:-1]])
    away = np.add.reduceat(depth, starts) / counts
    shades = np.array(np.broadcast_to(lines.color, (len(counts), 4)))
    shades[:, :3] = haze(shades[:, :3], away)
    alike = len(set(counts)) == 1
    points: Any = places.reshape(-1, counts[0], 2) if alike else np.split(places, starts[1:])
    return SceneElement(replace(lines, points=points, color=shades), away)


def _shadows(bodies: Glyphs, camera: Camera, ground: float) -> Marks:
    points = bodies.position[:SHADOWS].copy()
    points[:, 2] = ground
    places, _, scale = camera.project(points)
    size = 2.2**0.5 * scale * camera.reach
    return Marks(shape="dot", position=places, color=SHADOW, size=size, opacity=0.10, layer=1.5)


def _bodies(
    bodies: Sequence[Glyphs], balls: Sequence[Glyphs], meshes: Sequence[Mesh], camera: Camera, *, shaded: bool
) -> SceneElement:
    """Vehicles, triangles and balls together, the farthest first.

    Args:
        bodies, balls, meshes: The elements.
        camera: The camera.
        shaded: Whether balls are shaded discs; half of one may be in a landscape, so there they are triangles.
    """
    corners: list[Any] = [np.zeros((0, 3, 2))]
    shades, depths = [np.zeros((0, 3))], [np.zeros(0)]
    for mesh in [*meshes, *(() if shaded else map(_as_mesh, balls))]:
        places, _, _ = camera.project(mesh.triangles)
        triangles = mesh.triangles[doubled_area(places) > 0] if mesh.closed else mesh.triangles
        places, depth, _ = camera.project(triangles)
        light = 0.66 + 0.38 * brightness(triangles)
        corners.append(places)
        depths.append(depth.max(axis=1))  # Whoever stands on a triangle is in front of it.
        shades.append(haze(np.clip(light[:, None] * mesh.color, 0, 1), depth.mean(axis=1)))
    for each in bodies:
        triangles = triangles_of(each)
        places, depth, _ = camera.project(triangles)
        light = brightness(triangles)[:, None]
        corners.append(places)
        depths.append(depth.mean(axis=1))
        bright = (0.72 + 0.28 * light) * np.array(each.color) + 0.12 * light
        shades.append(haze(np.clip(bright, 0, 1), depths[-1], 0.5))
    discs = [_discs(each, camera) for each in balls if shaded and len(each.position)]
    for places, shade, depth in discs:
        corners.append(places)
        shades.append(shade)
        depths.append(depth)
    away = np.concatenate(depths)
    order = np.argsort(-away, kind="stable")  # The circles of a ball stay in their order.
    polygons: Any = [polygon for each in corners for polygon in each] if discs else np.concatenate(corners)
    polygons = [polygons[k] for k in order] if discs else polygons[order]
    return SceneElement(Faces(polygons=polygons, color=np.concatenate(shades)[order], layer=LAYER), away[order])


def _discs(balls: Glyphs, camera: Camera) -> tuple[Array, Array, Array]:
    """Balls as shaded discs, a few circles each: corners (k, 48, 2), colors (k, 3) and depths (k,)."""
    places, depth, scale = camera.project(balls.position)
    radius = 0.5 * balls.size * scale
    size = radius[:, None] * SHADES
    centers = places[:, None] + np.array([0.3, 0.35]) * (radius[:, None] - size)[..., None]
    circle = np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1)
    corners = centers[:, :, None] + size[:, :, None, None] * circle
    gray = 0.62 + 0.3 * (1 - SHADES)
    away = np.repeat(depth, len(SHADES))
    shades = haze(np.tile(gray[:, None] * [1.0, 0.985, 0.95], (len(places), 1)), away)
    return corners.reshape(-1, len(ROUND), 2), shades, away


def _as_mesh(balls: Glyphs) -> Mesh:
    """Balls in triangles."""
    bodies = [capsule(center, center, size / 2) for center, size in zip(balls.position, balls.size, strict=True)]
    return Mesh(triangles=np.concatenate([np.zeros((0, 3, 3)), *bodies]), color=balls.color, closed=True)


def doubled_area(places: Array) -> Array:
    """Twice the areas of triangles (k, 3, 2), positive where they are counterclockwise, shape (k,)."""
    one, two = places[:, 1] - places[:, 0], places[:, 2] - places[:, 0]
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])


def brightness(triangles: Array) -> Array:
    """How much light falls on triangles (k, 3, 3), in [0, 1], shape (k,)."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    return np.asarray(np.minimum(np.abs(normal @ LIGHT), 1.0))


def triangles_of(glyphs: Glyphs) -> Array:
    """Triangles of vehicles [m], vehicle by vehicle, shape (number, 3, 3)."""
    forward: Any = glyphs.forward
    up: Any = glyphs.up
    axes = np.stack([forward, np.cross(up, forward), up], axis=1)
    shape = np.einsum("tvc,kcx->ktvx", solid_triangles(glyphs.shape), axes) * glyphs.size[:, None, None, None]
    return np.asarray((glyphs.position[:, None, None, :] + shape).reshape(-1, 3, 3))
