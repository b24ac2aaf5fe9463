"""Pictures of 3D worlds: folded darts in perspective that fade into the distance, with their shadows on the ground."""

import itertools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.camera import Camera
from steersman.drawing.contents import Contents
from steersman.drawing.extent import corners_of, frame_of
from steersman.drawing.flat import draw_arrows, drawable
from steersman.drawing.maps import landscape_in, paint
from steersman.drawing.palette import RGB, colors_of, rgb
from steersman.drawing.scenery_solid import CORNERS, EDGES, STONE, Model, capsule, model_thing, outward
from steersman.drawing.sketches import draw_sketches
from steersman.environment.domains.bounds import bounds
from steersman.environment.domains.domain import Domain
from steersman.environment.obstacles.spheres import Spheres
from steersman.geometry.vectors import Array
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SKY = ("#DCE7F1", "#F6EEE3")
"""Colors of the background, above and below."""

NOSE, TAIL, LEFT, RIGHT = (0.6, 0.0, 0.0), (-0.3, 0.0, 0.0), (-0.4, 0.42, 0.12), (-0.4, -0.42, 0.12)
WINGS = np.array([[NOSE, LEFT, TAIL], [NOSE, TAIL, RIGHT]])
"""A vehicle of length 1: two triangles in (forward, side, up), shape (2, 3, 3)."""

HEIGHT = 0.74
"""Height of a picture, as a part of its width."""

DRAWN = 60_000
LIGHT = np.array([0.35, -0.45, 0.82])


def solid_axes(figure: "Figure", contents: Contents) -> "Axes":
    """Axes that fill an empty figure, whose height is fitted to the sky."""
    figure.set_figheight(figure.get_figwidth() * HEIGHT)
    return figure.add_axes((0, 0, 1, 1))


def draw_solid(axes: "Axes", contents: Contents) -> None:
    """Draw what there is in 3D, as a camera sees it.

    Args:
        axes: Where to draw; they become the picture of the camera, without units.
        contents: What to draw; its style says where the camera is.
    """
    camera = camera_of(contents)
    colors = colors_of(contents.vehicles, contents.colors)
    _prepare(axes)
    ground = _draw_ground(axes, camera, contents.domain)
    landscape = landscape_in(contents.scenery)
    if landscape is None:
        _draw_shadows(axes, camera, contents.vehicles.values(), ground)
    places, _, _ = camera.project(contents.points())
    axes.plot(places[:, 0], places[:, 1], "+", color="#B4B7B5", markersize=6, zorder=2)
    model = _model(camera, contents)
    _draw_lines(axes, camera, model)
    for item in contents.scenery:
        if isinstance(item, Spheres) and landscape is None:
            _draw_spheres(axes, camera, item)
    for name in contents.vehicles:
        if contents.trails is not None and (trail := contents.trails.of(name)) is not None:
            _draw_trail(axes, camera, trail.segments, trail.age, colors[name])
    _draw_bodies(axes, camera, contents, model, colors)
    if contents.forces is not None:
        draw_arrows(axes, camera.project(contents.forces.arrows(2 * camera.reach))[0])
    if contents.sketches:
        draw_sketches(
            axes, contents.sketches, 2 * camera.reach, lambda places: camera.project(places)[0], legend="lower right"
        )


def camera_of(contents: Contents) -> Camera:
    """A camera that sees everything."""
    style = contents.style
    _, extent = bounds(contents.domain, 3)
    limited = contents.frame is not None or bool(np.isfinite(extent).all()) or not contents.vehicles
    if limited or any(corners_of(item) is not None for item in contents.scenery):
        low, high = frame_of(contents)
        return Camera((low + high) / 2, float(np.linalg.norm(high - low)) / 2, style.azimuth, style.elevation)
    bodies = contents.vehicles.values()
    points = np.concatenate([vehicles.position[drawable(vehicles, DRAWN)] for vehicles in bodies])
    if not len(points):
        return Camera(np.zeros(3), 1.0, style.azimuth, style.elevation)
    low, high = np.percentile(points, [1, 99], axis=0)
    middle = (low + high) / 2
    reach = 1.12 * float(np.percentile(np.linalg.norm(points - middle, axis=1), 99.5)) + 1.0
    return Camera(middle.astype(np.float64), reach, style.azimuth, style.elevation)


def _prepare(axes: "Axes") -> None:
    """The sky."""
    axes.set_xlim(-1, 1)
    axes.set_ylim(-HEIGHT, HEIGHT)
    axes.set_aspect("equal")
    axes.set_axis_off()
    fraction = np.linspace(0, 1, 256)[:, None, None]
    sky = np.array(rgb(SKY[0])) * (1 - fraction) + np.array(rgb(SKY[1])) * fraction
    axes.imshow(sky, extent=(-1, 1, -HEIGHT, HEIGHT), aspect="equal", interpolation="bilinear", zorder=0)


def haze(color: Array, depth: Array, strength: float = 0.5) -> Array:
    """Colors mixed with the sky, the more the farther away, shape (k, 3)."""
    amount = np.clip(0.5 + 0.5 * depth, 0, 1)[:, None] * strength
    return np.asarray(color * (1 - amount) + np.array(rgb("#E9EBEA")) * amount)


def _draw_ground(axes: "Axes", camera: Camera, domain: Domain) -> float:
    """The edges of the domain, or a grid on the ground; the height of the ground [m]."""
    from matplotlib.collections import LineCollection

    origin, extent = bounds(domain, 3)
    if np.isfinite(extent).all():
        ground, lines = float(origin[2]), (origin + extent * CORNERS)[EDGES]
        alpha = np.full(len(lines), 0.45)
    else:
        ground = float(camera.middle[2] - 0.78 * camera.reach)
        lines = _grid(camera, ground)
        away = np.linalg.norm(lines.mean(axis=1)[:, :2] - camera.middle[:2], axis=1) / camera.reach
        alpha = 0.32 * np.clip(1.5 - away, 0, 1)
    shades = np.column_stack([np.tile([0.45, 0.48, 0.5], (len(lines), 1)), alpha])
    places, _, _ = camera.project(lines)
    axes.add_collection(LineCollection(list(places), colors=shades, linewidths=0.7, zorder=1))
    return ground


def _grid(camera: Camera, ground: float) -> Array:
    """A grid on the ground [m], in pieces that can fade, shape (k, 2, 3)."""
    marks = np.linspace(-1.6, 1.6, 17) * camera.reach
    pieces = [((x, a, ground), (x, b, ground)) for x in marks for a, b in itertools.pairwise(marks)]
    pieces += [((a, y, ground), (b, y, ground)) for y in marks for a, b in itertools.pairwise(marks)]
    return np.asarray(np.array(pieces) + np.append(camera.middle[:2], 0.0))


def _draw_shadows(axes: "Axes", camera: Camera, populations: Iterable[Vehicles], ground: float) -> None:
    for vehicles in populations:
        rows = drawable(vehicles, 8000)
        points = vehicles.position[rows].astype(np.float64)
        points[:, 2] = ground
        places, _, scale = camera.project(points)
        axes.scatter(
            places[:, 0], places[:, 1], s=2.2 * (scale * camera.reach) ** 2, color="#5B5A55", alpha=0.10,
            linewidths=0, zorder=1.5,
        )  # fmt: skip


def _draw_spheres(axes: "Axes", camera: Camera, spheres: Spheres) -> None:
    """Shaded discs, a few circles each."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    places, depth, scale = camera.project(spheres.center)
    for index in np.argsort(-depth):
        radius = float(spheres.radius[index] * scale[index])
        layers = [(f, 0.62 + 0.3 * (1 - f)) for f in np.linspace(1.0, 0.08, 14)]
        lit = places[index] + np.array([[0.3, 0.35]]) * [[(1 - f) * radius] for f, _ in layers]
        discs = [Circle((float(x), float(y)), f * radius) for (x, y), (f, _) in zip(lit, layers, strict=True)]
        shades = haze(np.array([[g, g * 0.985, g * 0.95] for _, g in layers]), np.full(len(layers), depth[index]), 0.4)
        axes.add_collection(
            PatchCollection(discs, facecolor=shades, edgecolor="none", zorder=3 - 0.5 * float(depth[index]))
        )


def _draw_trail(axes: "Axes", camera: Camera, segments: Array, age: Array, color: RGB) -> None:
    from matplotlib.collections import LineCollection

    places, depth, _ = camera.project(segments)
    shades = np.empty((len(segments), 4))
    shades[:, :3], shades[:, 3] = haze(np.array(color), depth.mean(axis=1)), 0.4 * age**1.5
    axes.add_collection(LineCollection(list(places), colors=shades, linewidths=0.4 + 0.7 * age, zorder=3))


def _model(camera: Camera, contents: Contents) -> Model:
    """The scenery in triangles and lines."""
    origin, extent = bounds(contents.domain, 3)
    limited = bool(np.isfinite(extent).all())
    low, high = (origin, origin + extent) if limited else (camera.middle - camera.reach, camera.middle + camera.reach)
    model = Model(low, high, contents.domain)
    land = landscape_in(contents.scenery)
    maps = [item for item in contents.scenery if item.dimensions == 2]
    for item in contents.scenery:
        if isinstance(item, Spheres) and land is not None:  # Half of it may be in the ground.
            for center, radius in zip(item.center, item.radius, strict=True):
                model.add_triangles(outward(capsule(center, center, float(radius))), STONE, closed=True)
        elif item.dimensions != 2 and (item is not land or not maps):
            model_thing(item, model)
    if land is not None and maps:
        paint(land, maps, model)
    return model


def _draw_lines(axes: "Axes", camera: Camera, model: Model) -> None:
    from matplotlib.collections import LineCollection

    if model.lines:
        places, depth, _ = camera.project(np.concatenate(model.lines))
        shades = np.concatenate(model.shades)
        shades[:, :3] = haze(shades[:, :3], depth.mean(axis=1), 0.4)
        axes.add_collection(LineCollection(list(places), colors=shades, linewidths=0.8, zorder=2))


def _draw_bodies(axes: "Axes", camera: Camera, contents: Contents, model: Model, colors: Mapping[str, RGB]) -> None:
    """All populations and the triangles of the scenery together, the farthest first."""
    from matplotlib.collections import PolyCollection

    shapes, shades, depths = [], [], []
    for triangles, color, closed in zip(model.triangles, model.colors, model.closed, strict=True):
        places, _, _ = camera.project(triangles)
        seen = ~closed | (doubled_area(places) > 0)
        triangles, color = triangles[seen], color[seen]
        places, depth, _ = camera.project(triangles)
        shapes.append(places)
        depths.append(depth.max(axis=1))  # Whoever stands on a triangle is in front of it.
        shades.append(haze(lit(color, brightness(triangles)), depth.mean(axis=1), 0.4))
    for name, vehicles in contents.vehicles.items():
        if len(vehicles):
            triangles = wings(vehicles, drawable(vehicles, DRAWN), camera, contents.style.size)
            places, depth, _ = camera.project(triangles)
            shapes.append(places)
            depths.append(depth.mean(axis=1))
            light = brightness(triangles)
            bright = np.array(colors[name])[None, :] * (0.72 + 0.28 * light)[:, None] + 0.12 * light[:, None]
            shades.append(haze(np.clip(bright, 0, 1), depths[-1]))
    if shapes:
        order = np.argsort(-np.concatenate(depths))
        outlines: Any = np.concatenate(shapes)[order]
        faces = np.concatenate(shades)[order]
        axes.add_collection(PolyCollection(outlines, facecolors=faces, edgecolors=faces, linewidths=0.2, zorder=4))


def doubled_area(places: Array) -> Array:
    """Twice the areas of triangles (k, 3, 2), positive where they are counterclockwise, shape (k,)."""
    one, two = places[:, 1] - places[:, 0], places[:, 2] - places[:, 0]
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])


def lit(color: Array, light: Array) -> Array:
    """Colors in more or less light, shape (k, 3)."""
    return np.asarray(np.clip(color * (0.66 + 0.38 * light)[:, None], 0, 1))


def brightness(triangles: Array) -> Array:
    """How much light falls on triangles (k, 3, 3), in [0, 1], shape (k,)."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    return np.asarray(np.minimum(np.abs(normal @ LIGHT), 1.0))


def wings(vehicles: Vehicles, rows: Array, camera: Camera, size: float) -> Array:
    """Triangles of vehicles [m], shape (2 k, 3, 3)."""
    n = len(vehicles)
    crowd = np.clip(1.15 - 0.17 * np.log10(max(n, 10)), 0.3, 1.0)
    length = (
        np.clip(4.0 * vehicles.radius[rows].astype(np.float64), 0.05 * crowd * camera.reach, 0.12 * camera.reach) * size
    )
    forward, up = vehicles.forward[rows].astype(np.float64), vehicles.up[rows].astype(np.float64)
    axes = np.stack([forward, np.cross(up, forward), up], axis=1)
    shape = np.einsum("tvc,kcx->ktvx", WINGS, axes) * length[:, None, None, None]
    return np.asarray((vehicles.position[rows].astype(np.float64)[:, None, None, :] + shape).reshape(-1, 3, 3))
