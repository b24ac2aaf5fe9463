"""Standard impostors: changes with which a scenario with such a part must fail. `python -m tests.stories` tries all.

They are found in the trees of a stage, and named after the population that they change:

- a role is not played: a population stands still, or drifts as it began;
- the answer is given: a heading or a place is fixed instead of found among neighbors;
- nothing is predicted: Seek for Pursue, Flee for Evade, a constant time, no look ahead;
- one of several is ignored: obstacles, pursuers, neighbors, checkpoints, occluders;
- vehicles do not keep clear: Separation and avoidance are left out;
- the body is another one: a point mass for it, wheels without a wheelbase.

A scenario for which one of them is none says so in `Scenario.exempt`, with the reason.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steersman.core.action_selection.sees import Sees
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.spheres import Spheres
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.locomotion.point_mass import PointMass
from steersman.core.locomotion.wheeled import Wheeled
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.walking import fields_of, walk
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.context_map import ContextMap
from steersman.core.steering.goals.arrive import Arrive
from steersman.core.steering.goals.flee import Flee
from steersman.core.steering.goals.match_velocity import MatchVelocity
from steersman.core.steering.goals.seek import Seek
from steersman.core.steering.group.alignment import Alignment
from steersman.core.steering.group.avoid_neighbors import AvoidNeighbors
from steersman.core.steering.group.cohesion import Cohesion
from steersman.core.steering.group.flocking import Flocking
from steersman.core.steering.group.orca import ORCA
from steersman.core.steering.group.separation import Separation
from steersman.core.steering.obstacles.avoid_obstacles import AvoidObstacles
from steersman.core.steering.obstacles.avoid_walls import AvoidWalls
from steersman.core.steering.obstacles.contain import Contain
from steersman.core.steering.obstacles.follow_wall import FollowWall
from steersman.core.steering.paths.follow_flow import FollowFlow
from steersman.core.steering.paths.patrol import Patrol
from steersman.core.steering.pursuit.evade import Evade
from steersman.core.steering.pursuit.hide import Hide
from steersman.core.steering.pursuit.interpose import Interpose
from steersman.core.steering.pursuit.offset_pursuit import OffsetPursuit
from steersman.core.steering.pursuit.pursue import Pursue
from steersman.core.steering.sensing.last_seen import LastSeen
from steersman.core.steering.targets.prediction import Constant
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.population import Population
from steersman.gallery.making.impostors import instead, nothing
from steersman.gallery.making.scenario import Impostor
from steersman.runs.documents.stage import Stage

Change = Callable[[Any], Any]
"""Makes the new part from the old one; None, or the part itself, where it is not concerned."""


class Rule(NamedTuple):
    """A change that must fail the check of every scenario with such a part.

    Attributes:
        kinds: The classes that it is about.
        told: The difference, after the name of the class.
        change: Makes the new part.
    """

    kinds: Sequence[type[Parameters]]
    told: str
    change: Change


def standard_impostors(stage: Stage) -> dict[str, Impostor]:
    """All that must not pass for a stage as it is before its first step, by name."""
    found: dict[str, Impostor] = {}
    steered = {
        name: each for name, each in stage.world.populations.items() if each.steering is not None and len(each.vehicles)
    }
    for name, population in steered.items():
        found[f"{name}: stand still"] = partial(_stop, name=name, still=True)
        if len(steered) > 1 and np.any(population.vehicles.velocity):
            found[f"{name}: drift"] = partial(_stop, name=name, still=False)
        if type(population.locomotion) is not PointMass or population.locomotion.limits:
            found[f"{name}: point masses"] = partial(_point_masses, name=name)
        parts = [*walk((population.steering, population.locomotion))]
        for rule in (*RULES, *_told(population)):
            for kind in rule.kinds:
                own = [each for each in parts if type(each) is kind]
                if any(_changed(rule.change, each) is not each for each in own):
                    found[f"{name}: {kind.__name__} {rule.told}"] = instead(
                        kind, partial(_changed, rule.change), of=name
                    )
    return found


def _changed(change: Change, part: Any) -> Any:
    made = change(part)
    return part if made is None else made


def _stop(stage: Stage, name: str, *, still: bool) -> None:
    """Nothing steers a population, and with `still` it is at rest from the start."""
    population = stage.world.populations[name]
    population.steering = None
    if still:
        population.vehicles.velocity[:] = 0


def _point_masses(stage: Stage, name: str) -> None:
    stage.world.populations[name].locomotion = PointMass()


# The answer is told.


def _told(population: Population) -> tuple[Rule, ...]:
    """Alignment with a given heading, and Cohesion with a given place."""
    them = population.vehicles
    place = np.asarray(them.position, float).mean(axis=0)
    heading = np.zeros(them.dimensions)
    heading[0] = float(np.linalg.norm(them.velocity, axis=1).mean()) or float(np.mean(them.max_speed))

    def go(weight: float) -> Behavior:
        return weight * MatchVelocity(heading)

    def gather(it: Cohesion) -> Behavior:
        return Arrive(place) if it.speed == "offset" else Seek(place)

    def flock(it: Flocking, **left_out: float) -> Behavior:
        rest = it.replace(**left_out)
        return rest + (go(it.alignment_weight) if "alignment_weight" in left_out else it.cohesion_weight * Seek(place))

    return (
        Rule([Alignment], "is told the heading", lambda _: MatchVelocity(heading)),
        Rule([Cohesion], "is told the place", gather),
        Rule([Flocking], "is told the heading", lambda it: flock(it, alignment_weight=0.0)),
        Rule([Flocking], "is told the place", lambda it: flock(it, cohesion_weight=0.0)),
    )


# Nothing is predicted.


def _driven(part: Any) -> dict[str, Any]:
    """How fast and how hard it goes."""
    return {"speed": part.speed, "thrust": part.thrust}


def _where_they_are(it: Interpose) -> Behavior:
    """Interpose without prediction: to the place between where the two are."""

    def place() -> Array:
        a, b = (
            each.position[slice(None) if isinstance(which, str) else each.rows(which)]
            if isinstance(each, Vehicles)
            else each
            for each, which in ((it.a, it.which_a), (it.b, it.which_b))
        )
        return np.asarray(a + it.ratio * (b - a))

    return Arrive(place)


def _constant(it: OffsetPursuit) -> Behavior:
    return it.replace(law="literal", come_around=None, prediction=Constant(0), approach=None)


# One of several is ignored.


def fewer(obstacles: Any) -> Any:
    """Obstacles of which every other one is not there, beginning with the first; None where there is but one."""
    if isinstance(obstacles, (list, tuple)):
        return [*obstacles[1:]] if len(obstacles) > 1 else None
    if isinstance(obstacles, (Spheres, Boxes)) and len(obstacles) > 1:
        left = np.arange(len(obstacles)) % 2 > 0
        fields = fields_of(obstacles)
        return obstacles.replace(**{
            name: each[left] for name, each in fields.items() if isinstance(each, np.ndarray) and len(each) == len(left)
        })  # fmt: skip
    if isinstance(obstacles, Walls):
        if len(obstacles.points) > 1:
            return obstacles.replace(points=obstacles.points[1:], closed=obstacles.closed[1:])
        chain = obstacles.points[0]
        if len(chain) > 2:
            rest = np.roll(chain, -1, axis=0) if obstacles.closed[0] else chain[1:]
            return Walls(rest, seen_from="both")
    return None


def _without_some(part: Any, name: str) -> Any:
    left = fewer(getattr(part, name))
    return None if left is None else part.replace(**{name: left})


def _first_only(part: Any) -> Any:
    """A part that minds the first pursuer alone."""
    others = next(getattr(part, name) for name in ("pursuer", "target") if hasattr(part, name))
    several = isinstance(others, Vehicles) and len(others) > 1 and isinstance(part.which, str)
    return part.replace(which="first") if several else None


def _another_order(it: Patrol) -> Any:
    stops = np.asarray(it.checkpoints)
    return it.replace(checkpoints=stops[[0, *range(2, len(stops)), 1]]) if len(stops) > 3 else None


def _of_flocking(it: Flocking) -> Any:
    return it.replace(separation_weight=0.0)


RULES = (
    Rule([Pursue], "seeks", lambda it: Seek(it.quarry, which=it.which, **_driven(it))),
    Rule([Pursue], "predicts 1 s, always", lambda it: it.replace(prediction=Constant(1))),
    Rule(
        [Evade], "flees", lambda it: Flee(it.pursuer, which=it.which, panic_distance=it.panic_distance, **_driven(it))
    ),
    Rule([Evade], "predicts 5 s, always", lambda it: it.replace(prediction=Constant(5))),
    Rule([Interpose], "goes where the middle is", _where_they_are),
    Rule([OffsetPursuit], "goes where the place is", _constant),
    Rule([FollowFlow, ContextMap], "does not look ahead", lambda it: it.replace(lookahead=0.02 * it.lookahead)),
    Rule([AvoidObstacles, ContextMap, ORCA], "ignores some", partial(_without_some, name="obstacles")),
    Rule([AvoidWalls, FollowWall], "ignores some", partial(_without_some, name="walls")),
    Rule(
        [Sees, LastSeen],
        "sees through all",
        lambda it: it.replace(occluders=None) if it.occluders is not None else None,
    ),
    Rule([Evade, Flee, Hide], "minds the first alone", _first_only),
    Rule([AvoidNeighbors, ORCA], "minds one alone", lambda it: it.replace(k=1) if it.k != 1 else None),
    Rule([Patrol], "has another order", _another_order),
    Rule([Patrol], "leaves one out", lambda it: it.replace(checkpoints=np.asarray(it.checkpoints)[1:])),
    Rule([Separation, AvoidNeighbors, AvoidObstacles, AvoidWalls, Contain], "is left out", lambda _: nothing),
    Rule([ORCA], "is left out", lambda it: it.toward),
    Rule([Flocking], "does not separate", _of_flocking),
    Rule([Wheeled], "has no wheelbase", lambda it: it.replace(wheelbase=None) if it.wheelbase is not None else None),
)
"""Changes that must fail a check, of any population."""
