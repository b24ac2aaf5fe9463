"""Handles: the things that can be dragged besides vehicles: points to head for, obstacles, paths, regions.

A move makes a new thing, which replaces the old one in everything that refers to it in the world: steering trees, bodies,
constraints, flows, the scenery and labels of a stage, and meters. Memory is kept, as in every change of a tree. References
that only a program has, such as a variable or the check of a scenario, still refer to the old thing.
"""

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial, singledispatch
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet, Solids
from steersman.core.environment.obstacles.outlines import is_within
from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.open import Open
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.kinds import POINTS
from steersman.core.parameters.parameters import describe
from steersman.core.steering.targets.target import TARGET
from steersman.core.typing import Array
from steersman.core.world.population import Population
from steersman.core.world.state_hash import all_maps_with_doors
from steersman.core.world.world import World
from steersman.drawing.description import Description
from steersman.drawing.elements import Element, Marks, Mesh, View
from steersman.drawing.palette import FAINT, rgb
from steersman.drawing.scenery_flat import in_plane
from steersman.drawing.scenery_solid import in_space
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer.element_messages import element_of
from steersman.studio.viewer.parts import Part, parts
from steersman.studio.viewer.purposes import at_place
from steersman.studio.viewer.replacing import exchanged
from steersman.studio.viewer.trees import set_parameter

MOST = 500
"""Largest number of pieces of one set of obstacles, or of points of one behavior, to have handles; with more, none has."""

FINE = 4000
"""Largest number of triangles of a piece that are sent; a piece with more is sent as its bounding box."""

Move = Callable[[Array], None]


class Handle(NamedTuple):
    """A thing that can be dragged.

    Attributes:
        id: Its name between Python and the page; the same after a move.
        label: Its name in words.
        place: Its position [m], shape (d,).
        elements: Its shapes in the picture.
        move: Moves it by an offset [m], shape (d,).
        wraps: Whether it may be put at any of its images in a space with periodic axes.
    """

    id: str
    label: str
    place: Array
    elements: tuple[Element, ...]
    move: Move
    wraps: bool = True

    def message(self) -> dict[str, Any]:
        """The handle as JSON."""
        elements = [element_of(each) for each in self.elements]
        table = {"id": self.id, "label": self.label, "place": self.place.tolist(), "elements": elements}
        return table if self.wraps else {**table, "wraps": False}


class Piece(NamedTuple):
    """A part of obstacles that is moved as a whole.

    Attributes:
        place: Its middle [m], shape (d,).
        alone: A set with this piece alone.
        moved: The set with this piece moved by an offset [m].
    """

    place: Array
    alone: Obstacles
    moved: Callable[[Array], Obstacles]


def handles_of(world: World, stage: Stage | None, scenery: tuple[Any, ...], sets: Description) -> dict[str, Handle]:
    """The handles of a world, by id.

    Args:
        world: The world.
        stage: The stage of the world, if it has one.
        scenery: The scenery of the world, in the same order after every move.
        sets: The picture.
    """
    view, d = View(sets.low, sets.high, Open()), sets.dimensions
    handles = [
        *_obstacles(world, stage, scenery, view, d),
        *_paths_and_regions(world, stage, scenery, view, d),
        *_points(world, stage, d),
    ]
    return {each.id: each for each in handles}


# ------------------------------------------------------------------------------------------------------ obstacles


def _obstacles(world: World, stage: Stage | None, scenery: tuple[Any, ...], view: View, d: int) -> Iterator[Handle]:
    """The pieces of obstacles."""
    known = [item.obstacles if isinstance(item, (Interior, Skin)) else item for item in scenery]
    sets = {id(each): each for item in known if isinstance(item, Obstacles) for each in item.sets}
    for row, item in enumerate(sets.values()):
        if item.dimensions != d:
            continue
        handles = pieces(item)
        for k, piece in enumerate(handles if len(handles) <= MOST else ()):

            def move(way: Array, old: ObstacleSet = item, piece: Piece = piece) -> None:
                new = piece.moved(way)
                for each in new.sets:
                    each.disable(~old.enabled)
                put_in_place(world, stage, old, new)

            name = type(item).__name__
            label = name if len(handles) == 1 else f"{name} {k}"
            yield Handle(f"obstacle {row} {k}", label, piece.place, tuple(_outline(piece.alone, view, d)), move)


def _outline(alone: Obstacles, view: View, d: int) -> Iterator[Element]:
    """The elements of a piece; for large meshes, its bounding box."""
    for element in in_plane(alone, view) if d == 2 else in_space(alone, view):
        if isinstance(element, Mesh) and len(element.triangles) > FINE:
            corners = element.triangles.reshape(-1, 3)
            low, high = corners.min(axis=0), corners.max(axis=0)
            yield from in_space(Boxes((low + high) / 2, (high - low) / 2), view)
        else:
            yield element


@singledispatch
def pieces(item: Any) -> list[Piece]:
    """The pieces of a set of obstacles that are moved one by one; none for sets without a registered function."""
    return []


@pieces.register
def _solids(item: Solids) -> list[Piece]:
    """Each body: its rows of all parameters that have a row for each body."""
    names = [each.name for each in describe(type(item)) if np.shape(getattr(item, each.name))[:1] == (len(item),)]
    points = [each.name for each in describe(type(item)) if each.kind.is_like(POINTS) and not each.of]

    def moved(way: Array, k: int) -> Solids:
        shift = np.zeros((len(item), item.dimensions))
        shift[k] = way
        return item.replace(**{name: getattr(item, name) + shift for name in points})

    return [
        Piece(place, item.replace(**{name: getattr(item, name)[[k]] for name in names}), partial(moved, k=k))
        for k, place in enumerate(item.bounding_spheres()[0])
    ]


@pieces.register
def _walls(item: Walls) -> list[Piece]:
    """Chains; a ring is moved together with the walls inside of it."""
    chains = [np.asarray(points) for points in item.points]
    handles = []
    for k, points in enumerate(chains):
        inside = [j for j, other in enumerate(chains) if j != k and item.closed[k] and is_within(other, points).all()]
        along = {k, *inside}

        def moved(way: Array, along: set[int] = along) -> Walls:
            return item.replace(points=[each + way if j in along else each for j, each in enumerate(chains)])

        alone = item.replace(points=[points], closed=[item.closed[k]])
        handles.append(Piece((points.min(axis=0) + points.max(axis=0)) / 2, alone, moved))
    return handles


@pieces.register
def _mesh(item: TriangleMesh) -> list[Piece]:
    middle = (item.vertices.min(axis=0) + item.vertices.max(axis=0)) / 2
    return [Piece(middle, item, lambda way: item.replace(vertices=item.vertices + way))]


def put_in_place(world: World, stage: Stage | None, old: Any, new: Any) -> None:
    """Replace a thing by another one in everything that refers to it in a world and its stage; all or nothing.

    Raises:
        TypeError, ValueError: It is not allowed there.
    """

    def now(value: Any) -> Any:
        return exchanged(value, old, new, nodes=True)

    changes: list[tuple[Any, str, Any]] = [
        (population, name, now(getattr(population, name)))
        for population in world.populations.values()
        for name in ("steering", "locomotion", "flows")
    ]
    changes.append((world, "constraints", now(world.constraints)))
    if stage is not None:
        changes += [(stage, name, now(getattr(stage, name))) for name in ("scenery", "labels")]
    changes += [(meter, "subject", now(meter.subject)) for meter in (world.meters or {}).values()]
    before = all_maps_with_doors(world)
    for owner, name, value in changes:
        if value is not getattr(owner, name):
            setattr(owner, name, value)
    for former, by in zip(before, all_maps_with_doors(world), strict=True):
        if by is not former:
            by.set_tolls(former.current_tolls)  # It begins with those that it was made with.


# ---------------------------------------------------------------------------------------------- paths and regions


def _paths_and_regions(
    world: World, stage: Stage | None, scenery: tuple[Any, ...], view: View, d: int
) -> Iterator[Handle]:
    """The parts of paths and regions, except maps that are painted onto a landscape, and the world's own walls."""
    known = [item for item in scenery if isinstance(item, (Path, Region)) and item.dimensions == d]
    for row, item in enumerate(known):
        for part in () if item == world.domain else parts(item, view):

            def move(way: Array, old: Any = item, part: Part = part) -> None:
                new = part.moved(way)
                if isinstance(new, Path):
                    new.columns(np.float64, world.domain.wrap(d, np.float64))  # Refused here, and not by the next step.
                put_in_place(world, stage, old, new)

            name = type(item).__name__
            label = f"{name}, {part.name}" if part.name else name
            yield Handle(f"{name} {row} {part.name}".strip(), label, part.place, part.elements, move, part.wraps)


# --------------------------------------------------------------------------------------------------------- points


def _points(world: World, stage: Stage | None, d: int) -> Iterator[Handle]:
    """The points that nodes head for. Points at the same place are one handle: a target and the condition of an arrival."""
    handles: dict[tuple[float, ...], list[tuple[Population, int, str, int | None]]] = {}
    labels: dict[tuple[float, ...], list[str]] = {}
    for population in world.populations.values():
        for node in population.nodes:
            for about in describe(type(node.behavior)):
                value = getattr(node.behavior, about.name)
                if not about.kind.is_like(TARGET) or about.unit != "m" or not isinstance(value, np.ndarray):
                    continue
                if value.shape[-1] != d or (value.ndim == 2 and len(value) > MOST):
                    continue
                for row, point in enumerate(np.atleast_2d(value)):
                    key = tuple(point.tolist())
                    place = (population, node.key, about.name, row if value.ndim == 2 else None)
                    handles.setdefault(key, []).append(place)
                    labels.setdefault(key, []).append(f"{node.label}: {about.name}")
    for key, places in handles.items():
        first, at = places[0], np.array(key)

        def move(way: Array, places: Any = places, at: Array = at) -> None:
            for population, node, name, row in places:
                _move_point(population, node, name, row, way)
            if stage is not None:
                at_point = {word: np.array_equal(point, at) for word, point in stage.labels.items()}
                stage.labels = {word: at + way if at_point[word] else point for word, point in stage.labels.items()}
            for meter in (world.meters or {}).values():
                if at_place(meter.subject.to, at):
                    meter.subject = dataclasses.replace(meter.subject, to=at + way)

        mark = Marks(shape="plus", position=at[None], color=rgb(FAINT), size=7.0)
        name = f"point {first[0].name} {first[1]} {first[2]} {first[3]}"
        yield Handle(name, ", ".join(dict.fromkeys(labels[key])), at, (mark,), move)


def _move_point(population: Population, node: int, name: str, row: int | None, way: Array) -> None:
    """Move a point that a node heads for by an offset."""
    behavior: Any = next(each for each in population.nodes if each.key == node).behavior
    value = np.array(getattr(behavior, name))
    value[... if row is None else row] += way
    set_parameter(population, node, name, value)
