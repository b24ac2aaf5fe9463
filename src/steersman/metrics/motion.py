"""How a population moves: speed, order, spread."""

from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.geometry.vectors import Array
from steersman.vehicles.holding import of_vehicles
from steersman.vehicles.vehicles import Vehicles


@of_vehicles
def mean_speed(vehicles: Vehicles) -> float:
    """Mean speed [m/s]; NaN for nobody."""
    return float(np.mean(vehicles.speed, dtype=np.float64)) if len(vehicles) else np.nan


@of_vehicles
def polarization(vehicles: Vehicles) -> float:
    """Length of the mean unit velocity: 1 when all go one way, about 1/sqrt(n) when nobody agrees; NaN for nobody.

    A vehicle at rest counts with a zero vector. Vicsek et al. 1995 call it the order parameter.
    """
    if not len(vehicles):
        return np.nan
    return float(np.linalg.norm(directions(vehicles).mean(axis=0)))


@of_vehicles
def directions(vehicles: Vehicles) -> Array:
    """Unit velocities, shape (n, d), float64; zero for a vehicle at rest."""
    velocity = vehicles.velocity.astype(np.float64)
    speed = np.sqrt(np.sum(velocity**2, axis=1, keepdims=True))
    return np.asarray(np.divide(velocity, speed, out=np.zeros_like(velocity), where=speed > 0))


@of_vehicles
def center(vehicles: Vehicles, domain: Domain | None = None) -> Array:
    """The middle of a population [m], shape (d,): the mean position; on a torus the circular mean.

    NaN for nobody, and arbitrary where a population is spread evenly around a torus.
    """
    if not len(vehicles):
        return np.full(vehicles.dimensions, np.nan)
    position = vehicles.position.astype(np.float64)
    period = (domain or Open()).wrap(vehicles.dimensions, np.float64)[0]
    if not period.any():
        return np.asarray(position.mean(axis=0))
    angle = position * (2 * np.pi / period)
    mean = np.arctan2(np.sin(angle).mean(axis=0), np.cos(angle).mean(axis=0))
    return np.asarray(mean * period / (2 * np.pi))


@of_vehicles
def dispersion(vehicles: Vehicles, domain: Domain | None = None) -> float:
    """Root mean square distance from the middle of the population [m]; NaN for nobody."""
    if not len(vehicles):
        return np.nan
    offset = (domain or Open()).difference(vehicles.position.astype(np.float64), center(vehicles, domain))
    return float(np.sqrt(np.mean(np.sum(offset**2, axis=1))))


@of_vehicles
def milling(vehicles: Vehicles, domain: Domain | None = None) -> float:
    """Length of the mean of unit(offset from the middle) x unit(velocity), in [0, 1]: 1 when all circle one way.

    NaN for nobody.
    """
    if not len(vehicles):
        return np.nan
    offset = (domain or Open()).difference(vehicles.position.astype(np.float64), center(vehicles, domain))
    distance = np.sqrt(np.sum(offset**2, axis=1, keepdims=True))
    outward: Any = np.divide(offset, distance, out=np.zeros_like(offset), where=distance > 0)
    ahead = directions(vehicles)
    if vehicles.dimensions == 2:
        return float(abs(np.mean(outward[:, 0] * ahead[:, 1] - outward[:, 1] * ahead[:, 0])))
    return float(np.linalg.norm(np.cross(outward, ahead).mean(axis=0)))
