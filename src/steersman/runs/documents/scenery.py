"""Scenery: the named things in a world. Each section of a document lists things of its kinds.

    [[obstacles]]
    name = "rocks"
    kind = "spheres"
    center = [[20, 20], [60, 50]]
    radius = [5, 8]

A class of the library is a kind of its section, named by the last word of its name: `TriangleMesh` is a "mesh". Recipes are
other ways to make a thing.
"""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, final

from steersman.core.environment.fields.flow_field import FLOW_FIELD, FlowField
from steersman.core.environment.obstacles.obstacle import OBSTACLES
from steersman.core.environment.obstacles.obstacle_set import SIDES, ObstacleSet
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.paths.path import PATH, STOPS, Path
from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.regions.region import Region
from steersman.core.environment.resources import RESOURCES, Resources
from steersman.core.environment.surface import Surface
from steersman.core.environment.surfaces.kind import SURFACE
from steersman.core.parameters.kinds import FLAG, NUMBERS, POINTS, TEXT, Kind
from steersman.core.parameters.parameters import Parameters, parameter

T = TypeVar("T")


WHOLE = {"WalkMesh": "walk_mesh"}
"""Class -> name of its kind, for classes with a last word that is the name of another kind."""

FILE = Kind("file", "a file")


class Section(NamedTuple):
    """A section of a document.

    Attributes:
        base: The base class of its things.
        kind: The kind of the parameters that take its things.
        one: The words for one thing of the section.
        usual: The kind of a thing that names none.
        recipes: Kinds that are no classes: other ways to make a thing.
    """

    base: type
    kind: Kind
    one: str
    usual: str = ""
    recipes: Mapping[str, type["Recipe"]] = MappingProxyType({})

    @property
    def kinds(self) -> dict[str, Any]:
        """Name -> class, of all kinds of the section."""
        classes: dict[str, Any] = classes_of(self.base)
        named = {WHOLE.get(name) or re.findall("[A-Z][a-z]*", name)[-1].lower(): cls for name, cls in classes.items()}
        return {**named, **self.recipes}


@dataclass(frozen=True, eq=False)
class Recipe(Parameters):
    """A way to make an item other than by calling its class."""

    @abstractmethod
    def make(self) -> Any:
        """Make the item.

        Raises:
            TypeError, ValueError: It cannot be made like this.
            OSError: A file cannot be read.
        """


@final
@dataclass(frozen=True, eq=False)
class SplinePath(Recipe):
    """A smooth path through points.

    Args:
        points: Points that the spine goes through [m], shape (k, d).
        radius: Half the width of the tube [m].
        closed: Whether the last point leads back to the first.
        tolerance: Largest distance between the path and the curve [m].
    """

    points: Any = parameter(kind=STOPS, unit="m")
    radius: Any = parameter(1.0, kind=NUMBERS, unit="m")
    closed: bool = parameter(False, kind=FLAG)
    tolerance: float = parameter(0.01, above=0.0, unit="m")

    def make(self) -> Path:
        """The path."""
        return Path.spline(self.points, radius=self.radius, closed=self.closed, tolerance=self.tolerance)


@final
@dataclass(frozen=True, eq=False)
class Places(Recipe):
    """Places that hold an amount of a resource.

    Args:
        position: Positions of the places [m], shape (m, d).
        amount: The amount at each place.
    """

    position: Any = parameter(kind=POINTS, unit="m")
    amount: Any = parameter(1.0, kind=NUMBERS)

    def make(self) -> Resources:
        """The resources, full."""
        return Resources(self.position, self.amount)


@final
@dataclass(frozen=True, eq=False)
class MeshFile(Recipe):
    """A mesh from an OBJ, STL or PLY file.

    Args:
        file: The file, OBJ, STL or PLY.
        seen_from: From which side the surface is an obstacle.
    """

    file: Any = parameter(kind=FILE)
    seen_from: str | None = parameter(None, kind=TEXT, choices=SIDES, optional=True)

    def make(self) -> TriangleMesh:
        """The mesh."""
        return TriangleMesh.load(self.file, seen_from=self.seen_from)


@final
@dataclass(frozen=True, eq=False)
class WallsFile(Recipe):
    """Walls from a GeoJSON file.

    Args:
        file: The GeoJSON file.
        front: Side of the front of open walls.
        seen_from: From which side the walls are obstacles.
    """

    file: Any = parameter(kind=FILE)
    front: str = parameter("left", kind=TEXT, choices=("left", "right"))
    seen_from: str | None = parameter(None, kind=TEXT, choices=SIDES, optional=True)

    def make(self) -> Walls:
        """The walls."""
        return Walls.from_geojson(self.file, front=self.front, seen_from=self.seen_from)


SECTIONS: dict[str, Section] = {
    "obstacles": Section(
        ObstacleSet, OBSTACLES, "a set of obstacles", "spheres", {"mesh_file": MeshFile, "geojson": WallsFile}
    ),
    "paths": Section(Path, PATH, "a path", "path", {"spline": SplinePath}),
    "regions": Section(Region, REGION, "a region"),
    "fields": Section(FlowField, FLOW_FIELD, "a flow field"),
    "surfaces": Section(Surface, SURFACE, "a surface"),
    "resources": Section(Resources, RESOURCES, "a set of resources", "places", {"places": Places}),
}
"""Key in documents -> section. A thing may refer to things of the sections before its own."""


def classes_of(base: type[T]) -> dict[str, type[T]]:
    """The concrete classes of the library that derive from a base, by name. Classes with subclasses there count as bases."""
    below = [cls for cls in base.__subclasses__() if _is_in_the_library(cls)]
    classes: dict[str, type[T]] = {} if below or is_abstract(base) else {base.__name__: base}
    for cls in below:
        classes.update(classes_of(cls))
    return {name: cls for name, cls in sorted(classes.items()) if issubclass(cls, Parameters)}


def _is_in_the_library(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "steersman"


def is_abstract(cls: type) -> bool:
    """Whether a class has abstract methods."""
    return any(getattr(getattr(cls, name, None), "__isabstractmethod__", False) for name in dir(cls))
