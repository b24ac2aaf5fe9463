"""Contents of a picture, before anything is drawn: vehicles, their surroundings, trails, forces."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.open import Open
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.route_map import RouteMap
from steersman.core.environment.surfaces.heightfield import Heightfield
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.maths.shapes import Shape
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.population import Population
from steersman.core.world.sketching import Sketch
from steersman.core.world.surroundings import ITEMS, fixed_targets, surroundings
from steersman.core.world.world import World
from steersman.drawing.forces import Forces
from steersman.drawing.style import Picture
from steersman.drawing.trails import Ways

DRAWABLE = (*ITEMS, RouteMap)
"""The classes of items that can be drawn; maps of routes only where they are asked for."""


@dataclass(frozen=True, eq=False)
class Contents:
    """The contents of a picture.

    Attributes:
        vehicles: Populations by name.
        domain: The space.
        scenery: The surroundings: obstacles, paths, flow fields, regions, surfaces, resources, maps of
            routes.
        targets: Fixed points that vehicles head for [m], shape (k, d).
        world: The world that all of this is from, if there is one.
        trails: Where the vehicles have been, if that is known.
        forces: Steering forces to be shown, if any.
        sketches: The constructions of vehicles to be shown.
        colors: Colors of populations, names of the palette or `#rrggbb`; None and missing ones are chosen.
        style: Sizes, and the place of the camera.
        bodies: The bodies of the populations, by name, where they are known.
        labels: Words beside places: word -> point [m], shape (d,).
        named: What has a name, for its look: things of the scenery, and places [m], shape (d,).
        notes: Shapes that stay where they are, and tell what the picture is about.
        moving_notes: The same of the moment.
        title: Its title.
        caption: A sentence that tells where to look.
        time: Time since the start [s].
        frame: The lowest and the highest corner of the view [m]; None to see all.
    """

    vehicles: Mapping[str, Vehicles] = field(default_factory=dict)
    domain: Domain = field(default_factory=Open)
    scenery: tuple[Any, ...] = ()
    targets: Any = ()
    world: World | None = None
    trails: Ways | None = None
    forces: Forces | None = None
    sketches: tuple[Sketch, ...] = ()
    colors: Mapping[str, str | None] = field(default_factory=dict)
    style: Picture = field(default_factory=Picture)
    bodies: Mapping[str, Locomotion] = field(default_factory=dict)
    labels: Mapping[str, Any] = field(default_factory=dict)
    named: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Shape, ...] = ()
    moving_notes: tuple[Shape, ...] = ()
    title: str = ""
    caption: str = ""
    time: float | None = None
    frame: tuple[Array, Array] | None = None

    @property
    def dimensions(self) -> int:
        """2 or 3: those of the vehicles, else of the scenery; contents without any are seen in the plane."""
        dimensions = [each.dimensions for each in self.vehicles.values()]
        known = dimensions or [item.dimensions for item in self.scenery if item.dimensions is not None]
        return known[0] if known else 2

    def points(self) -> Array:
        """The targets, shape (k, d)."""
        return np.asarray(self.targets, np.float64).reshape(-1, self.dimensions)

    def look(self, item: Any) -> str | None:
        """The look of an item of the scenery, of the space that of the ground; None for the usual."""
        looks = self.style.looks or {}
        own = "ground" if isinstance(item, type(self.domain)) and item == self.domain else ""
        return looks.get(own) or next(
            (looks[name] for name, each in self.named.items() if each is item and name in looks), None
        )


@singledispatch
def contents_of(item: Any) -> Contents:
    """The contents of the picture of an object.

    Raises:
        TypeError: It cannot be drawn.
    """
    if isinstance(item, Obstacles):
        return Contents(scenery=item.sets)
    if isinstance(item, DRAWABLE):
        return Contents(scenery=(item,))
    raise TypeError(
        f"the object to draw must be a World, a Population, Vehicles, obstacles, a path, a flow field, a region, a surface, "
        f"resources, a map of routes, or a list of such items, got {brief(item)}"
    )


@contents_of.register
def _world(world: World) -> Contents:
    return Contents(
        vehicles={name: population.vehicles for name, population in world.populations.items()},
        domain=world.domain,
        world=world,
        bodies={name: population.locomotion for name, population in world.populations.items()},
        time=world.time,
        **_around(world.populations.values(), world.constraints),
    )


@contents_of.register
def _population(population: Population) -> Contents:
    return Contents(
        vehicles={population.name: population.vehicles},
        bodies={population.name: population.locomotion},
        **_around([population]),
    )


@contents_of.register
def _vehicles(vehicles: Vehicles) -> Contents:
    return Contents(vehicles={"vehicles": vehicles})


@contents_of.register
def _several(items: list | tuple) -> Contents:  # type: ignore[type-arg]
    """Several items in one picture."""
    parts = [contents_of(each) for each in items]
    together = Contents(
        vehicles={name: each for part in parts for name, each in part.vehicles.items()},
        bodies={name: each for part in parts for name, each in part.bodies.items()},
        scenery=tuple(item for part in parts for item in part.scenery),
    )
    if len(together.vehicles) < sum(len(part.vehicles) for part in parts):
        raise ValueError("several populations of one name cannot be drawn together; put them into a World")
    return together


def fits(item: Any, dimensions: int, scenery: Iterable[Any]) -> bool:
    """Whether an item can be seen: of these dimensions, or a map that is painted onto a landscape."""
    if item.dimensions in (None, dimensions):
        return True
    return isinstance(item, (Path, Region)) and any(isinstance(each, Heightfield) for each in scenery)


def _around(populations: Iterable[Population], *others: Any) -> dict[str, Any]:
    """The items that populations refer to, of their own dimensions."""
    names = list(populations)
    d = names[0].vehicles.dimensions if names else 2
    items = surroundings(names, *others)
    return {"scenery": tuple(item for item in items if fits(item, d, items)), "targets": fixed_targets(names, d)}
