"""Pictures of 3D worlds with matplotlib: what a camera sees, fading into the distance, with shadows on the ground."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.camera import Camera
from steersman.drawing.description import Description
from steersman.drawing.elements import Arrows, Glyphs, Lines, Marks, Mesh, Texts, of_kind, projected
from steersman.drawing.flat import put_arrows, put_lines, put_marks, put_texts
from steersman.drawing.glyphs import solid_triangles
from steersman.drawing.palette import SKY, rgb
from steersman.drawing.scenery_solid import capsule
from steersman.drawing.style import Picture
from steersman.geometry.vectors import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 0.74
"""Height of a picture, as a part of its width."""

HAZE = np.array(rgb("#E9EBEA"))
LIGHT = np.array([0.35, -0.45, 0.82])


def draw_solid(axes: "Axes", description: Description, style: Picture) -> Camera:
    """Draw what there is in 3D, as a camera sees it.

    Args:
        axes: Where to draw; they become the picture of the camera, without units.
        description: What to draw.
        style: Where the camera is.

    Returns:
        The camera.
    """
    camera = Camera(description.middle, description.reach, style.azimuth, style.elevation)
    elements, ground = description.elements, description.ground
    glyphs, meshes = of_kind(elements, Glyphs), of_kind(elements, Mesh)
    balls = [each for each in glyphs if each.shape == "ball"]
    bodies = [each for each in glyphs if each.shape != "ball"]
    _prepare(axes)
    for lines in of_kind(elements, Lines):
        put_lines(_seen(lines, camera), axes)
    for marks in of_kind(elements, Marks):
        put_marks(projected(marks, camera.places), axes)
    if ground is None:  # Half of a ball may be in the land.
        meshes += [_as_mesh(each) for each in balls]
    else:
        _draw_shadows(axes, camera, bodies, ground)
        for each in balls:
            _draw_balls(axes, camera, each)
    _draw_bodies(axes, camera, bodies, meshes)
    for arrows in of_kind(elements, Arrows):
        put_arrows(replace(projected(arrows, camera.places), width=arrows.width / camera.reach), axes)
    for texts in of_kind(elements, Texts):
        put_texts(projected(texts, camera.places), axes)
    return camera


def _prepare(axes: "Axes") -> None:
    """The sky."""
    axes.set_xlim(-1, 1)
    axes.set_ylim(-HEIGHT, HEIGHT)
    axes.set_aspect("equal")
    axes.set_axis_off()
    fraction = np.linspace(0, 1, 256)[:, None, None]
    sky = np.array(rgb(SKY[0])) * (1 - fraction) + np.array(rgb(SKY[1])) * fraction
    axes.imshow(sky, extent=(-1, 1, -HEIGHT, HEIGHT), aspect="equal", interpolation="bilinear", zorder=0)


def haze(color: Array, depth: Array, strength: float = 0.4) -> Array:
    """Colors mixed with the sky, the more the farther away, shape (k, 3)."""
    amount = np.clip(0.5 + 0.5 * depth, 0, 1)[:, None] * strength
    return np.asarray(color * (1 - amount) + HAZE * amount)


def _seen(lines: Lines, camera: Camera) -> Lines:
    """Lines in the picture; the farther, the fainter."""
    if not len(lines.points):
        return lines
    counts = [len(line) for line in lines.points]
    places, depth, _ = camera.project(np.concatenate(list(lines.points)))
    starts = np.cumsum([0, *counts[:-1]])
    shades = np.array(np.broadcast_to(lines.color, (len(counts), 4)))
    shades[:, :3] = haze(shades[:, :3], np.add.reduceat(depth, starts) / counts)
    return replace(lines, points=np.split(places, starts[1:]), color=shades)


def _draw_shadows(axes: "Axes", camera: Camera, bodies: Sequence[Glyphs], ground: float) -> None:
    for each in bodies:
        points = each.position[:8000].copy()
        points[:, 2] = ground
        places, _, scale = camera.project(points)
        size = 2.2 * (scale * camera.reach) ** 2
        axes.scatter(places[:, 0], places[:, 1], s=size, color="#5B5A55", alpha=0.10, linewidths=0, zorder=1.5)


def _draw_balls(axes: "Axes", camera: Camera, balls: Glyphs) -> None:
    """Shaded discs, a few circles each."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    places, depth, scale = camera.project(balls.position)
    for index in np.argsort(-depth):
        radius = float(0.5 * balls.size[index] * scale[index])
        layers = [(f, 0.62 + 0.3 * (1 - f)) for f in np.linspace(1.0, 0.08, 14)]
        centers = places[index] + np.array([[0.3, 0.35]]) * [[(1 - f) * radius] for f, _ in layers]
        discs = [Circle((float(x), float(y)), f * radius) for (x, y), (f, _) in zip(centers, layers, strict=True)]
        shades = haze(np.array([[g, g * 0.985, g * 0.95] for _, g in layers]), np.full(len(layers), depth[index]))
        zorder = balls.layer - 0.5 * float(depth[index])
        axes.add_collection(PatchCollection(discs, facecolor=shades, edgecolor="none", zorder=zorder))


def _as_mesh(balls: Glyphs) -> Mesh:
    """Balls in triangles."""
    bodies = [capsule(center, center, size / 2) for center, size in zip(balls.position, balls.size, strict=True)]
    return Mesh(triangles=np.concatenate(bodies), color=balls.color, closed=True)


def _draw_bodies(axes: "Axes", camera: Camera, bodies: Sequence[Glyphs], meshes: Sequence[Mesh]) -> None:
    """All vehicles and triangles together, the farthest first."""
    from matplotlib.collections import PolyCollection

    shapes, shades, depths = [np.zeros((0, 3, 2))], [np.zeros((0, 3))], [np.zeros(0)]
    for mesh in meshes:
        places, _, _ = camera.project(mesh.triangles)
        triangles = mesh.triangles[doubled_area(places) > 0] if mesh.closed else mesh.triangles
        places, depth, _ = camera.project(triangles)
        light = 0.66 + 0.38 * brightness(triangles)
        shapes.append(places)
        depths.append(depth.max(axis=1))  # Whoever stands on a triangle is in front of it.
        shades.append(haze(np.clip(light[:, None] * mesh.color, 0, 1), depth.mean(axis=1)))
    for each in bodies:
        triangles = triangles_of(each)
        places, depth, _ = camera.project(triangles)
        light = brightness(triangles)[:, None]
        shapes.append(places)
        depths.append(depth.mean(axis=1))
        bright = (0.72 + 0.28 * light) * np.array(each.color) + 0.12 * light
        shades.append(haze(np.clip(bright, 0, 1), depths[-1], 0.5))
    order = np.argsort(-np.concatenate(depths))
    outlines: Any = np.concatenate(shapes)[order]
    faces = np.concatenate(shades)[order]
    axes.add_collection(PolyCollection(outlines, facecolors=faces, edgecolors=faces, linewidths=0.2, zorder=4))


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
