"""How vehicles follow a path, and whether they stay in a region."""

import itertools

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.paths.path import Path, Projection
from steersman.environment.regions.region import Region
from steersman.geometry.vectors import Array
from steersman.vehicles.holding import of_vehicles
from steersman.vehicles.vehicles import Vehicles


@of_vehicles
def projected(vehicles: Vehicles, path: Path, domain: Domain | None = None) -> Projection:
    """The nearest points of a path; on a torus those of the image of a vehicle that is nearest to it."""
    position = vehicles.position.astype(np.float64)
    period = (domain or Open()).wrap(vehicles.dimensions, np.float64)[0]
    shifts = [np.array(s) * period for s in itertools.product(*[(0,) if not p else (-1, 0, 1) for p in period])]
    found = [path.project(position + shift) for shift in shifts]
    nearest = np.argmin([each.distance for each in found], axis=0)
    rows = np.arange(len(position))
    return Projection(*(np.stack(columns)[nearest, rows] for columns in zip(*found, strict=True)))


@of_vehicles
def path_error(vehicles: Vehicles, path: Path, domain: Domain | None = None) -> float:
    """Mean distance from the spine of a path [m]; NaN for nobody."""
    return float(projected(vehicles, path, domain).distance.mean()) if len(vehicles) else np.nan


@of_vehicles
def off_path(vehicles: Vehicles, path: Path, domain: Domain | None = None) -> float:
    """Fraction of the vehicles whose centers are outside of a path's tube; NaN for nobody."""
    if not len(vehicles):
        return np.nan
    nearest = projected(vehicles, path, domain)
    return float(np.mean(nearest.distance > path.radius[nearest.segment]))


@of_vehicles
def progress(vehicles: Vehicles, path: Path, domain: Domain | None = None) -> float:
    """Mean speed along the tangent of a path [m/s], negative against its direction; NaN for nobody."""
    if not len(vehicles):
        return np.nan
    tangent: Array = path.tangent_at(projected(vehicles, path, domain).s)
    return float(np.sum(tangent * vehicles.velocity, axis=1).mean())


@of_vehicles
def outside(vehicles: Vehicles, region: Region, domain: Domain | None = None) -> float:
    """Fraction of the vehicles whose centers are outside of a region; NaN for nobody."""
    return float(np.mean(~region.inside(vehicles.position, domain))) if len(vehicles) else np.nan
