"""Every method of walking: a tree of the wanted velocity and the walls, and the body that it is meant for."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import steersman as sm

RADIUS = 0.2
"""Of bodies, where a model has no size of its own [m]."""


class Method(NamedTuple):
    """How people walk.

    Attributes:
        tree: `(go, walls)` -> behavior: `go` is the force toward the wanted velocity, `walls` None where there are none.
        dt: The time step [s].
        body: Columns of the people.
        radius: Of bodies, as the model was published [m].
    """

    tree: Callable[[Any, Any], Any]
    dt: float
    body: dict[str, Any]
    radius: float = RADIUS


REYNOLDS = {"response_time": 0.1, "max_force": 15.0}
AT_ONCE = {"response_time": "step", "max_force": 1e3}
FORCES = {"response_time": 0.5, "max_force": 1e4, "mass": 80.0}


def among(walls: Any, *parts: Any) -> Any:
    """Parts in order of priority, below the avoidance of walls."""
    rocks = [sm.AvoidObstacles(walls, lookahead=1.0)] if walls is not None else []
    return sm.Priority([*rocks, *parts], blend=0.3)


def urgent(walls: Any, evade: Any) -> Any:
    """What is urgent, in one place, as docs/which_combinator.md recommends for crowds."""
    if walls is None:
        return evade
    return sm.TruncatedSum([sm.AvoidObstacles(walls, lookahead=1.0), evade], each="limit")


METHODS: dict[str, Method] = {
    "SocialForce": Method(lambda go, walls: sm.SocialForce(go, obstacles=walls), 0.01, FORCES, 0.3),
    "SocialForce, ellipses": Method(
        lambda go, walls: sm.SocialForce(go, law="ellipses", obstacles=walls), 0.02, FORCES
    ),
    "CollisionFreeSpeed": Method(lambda go, walls: sm.CollisionFreeSpeed(go, obstacles=walls), 0.02, AT_ONCE, 0.15),
    "AnticipationVelocity": Method(lambda go, walls: sm.AnticipationVelocity(go, obstacles=walls), 0.02, AT_ONCE, 0.18),
    "GeneralizedCentrifugalForce": Method(
        lambda go, walls: sm.GeneralizedCentrifugalForce(go, obstacles=walls), 0.01, FORCES
    ),
    "PowerLaw": Method(lambda go, walls: sm.PowerLaw(go, obstacles=walls), 0.01, FORCES | {"response_time": 0.54}),
    "ORCA": Method(lambda go, walls: sm.ORCA(2.0, toward=go, obstacles=walls), 0.05, REYNOLDS),
    "ORCA, weidmann": Method(
        lambda go, walls: sm.ORCA(2.0, toward=go, obstacles=walls, speed="weidmann"), 0.05, REYNOLDS
    ),
    "AvoidNeighbors": Method(
        lambda go, walls: sm.Priority([urgent(walls, sm.AvoidNeighbors(2.0, 0.2)), go], blend=0.3), 0.05, REYNOLDS
    ),
    "ContextMap, neighbors": Method(
        lambda go, walls: sm.ContextMap([go], neighbors=True, time_horizon=2.0, obstacles=walls), 0.05, REYNOLDS
    ),
    "ContextMap, weidmann": Method(
        lambda go, walls: sm.ContextMap([go], neighbors=True, time_horizon=2.0, obstacles=walls, speed="weidmann"),
        0.05,
        REYNOLDS,
    ),
    "Separation": Method(lambda go, walls: among(walls, sm.Separation(radius=1.0) + go), 0.05, REYNOLDS),
}
"""Name -> method."""


def people(method: Method, position: Any, seed: int, speed: Any = None) -> tuple[sm.Vehicles, Any]:
    """People, and the speed that each wants [m/s]: 1.34 +- 0.26, as Weidmann 1993 found."""
    n = len(position)
    wanted = np.clip(np.random.default_rng(1000 + seed).normal(1.34, 0.26, n), 0.5, 2.2) if speed is None else speed
    return sm.Vehicles(position, radius=method.radius, max_speed=wanted, **method.body), np.broadcast_to(wanted, n)


def toward(method: Method, wanted: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The force of a wanted velocity, a function of positions."""

    def go(vehicles: Any) -> Any:
        tau = np.where(vehicles.response_time == 0, method.dt, vehicles.response_time)
        gain = (vehicles.mass / tau)[:, None]
        return (wanted(vehicles.position.astype(float)) - vehicles.velocity) * gain

    return go
