"""Examples of the combinators."""

from typing import Any

from contract.examples.crowds import halved
from contract.examples.example import Example
from contract.examples.users import Tiring, drag
from contract.places import Place

import steersman as sm


def three(p: Place) -> list[Any]:
    """Parts of all kinds: one with a goal, one that often rests, one written in NumPy."""
    return [sm.Seek(p.state.point), sm.Flee(p.state.points, panic_distance=9.0), drag]


def urgent(p: Place) -> list[Any]:
    """The same, most urgent first."""
    return [sm.Flee(p.state.points, panic_distance=9.0), drag, sm.Seek(p.state.point)]


def even(vehicles: sm.Vehicles) -> Any:
    """A flag for every second vehicle, by id."""
    return vehicles.id % 2 == 0


EXAMPLES: dict[str, Example] = {
    **{
        f"sum {each}": lambda p, each=each: sm.WeightedSum(three(p), weights=(0.5, 2.0, -0.3), each=each)
        for each in ("limit", "normalize", "raw")
    },
    "sum of shares": lambda p: sm.WeightedSum(three(p), weights=(1, 2, 3), normalize_weights=True),
    "sum by operators": lambda p: 0.5 * (sm.Seek(p.state.point) + 2 * sm.Cohesion(radius=9.0)) + drag,
    "sum of sums": lambda p: sm.WeightedSum([sm.WeightedSum(three(p), each="raw"), sm.Alignment(radius=9.0)]),
    "sum with memory": lambda p: sm.WeightedSum([sm.Wander(), sm.Wander(), sm.AvoidObstacles(p.rocks), Tiring()]),
    **{
        f"sum of push and pull, {word}": lambda p, balance=balance: sm.WeightedSum(
            [sm.Separation(radius=6.0), sm.Arrive(p.state.point), sm.Wander()], weights=(0.7, 1.5, 0.3), balance=balance
        )
        for word, balance in (("balanced", True), ("each cut alone", False))
    },
    "sum that gives way": lambda p: 0.7 * sm.AvoidNeighbors(8.0, 1.5) + 1.5 * sm.Arrive(p.state.point),
    "priority": lambda p: sm.Priority(
        [sm.AvoidObstacles(p.rocks, lookahead=4.0), sm.Evade(p.others, panic_distance=7.0), sm.Seek(p.state.point)]
    ),
    "priority that blends": lambda p: sm.Priority(
        [sm.AvoidNeighbors(8.0, 1.5), sm.Evade(p.others, panic_distance=7.0), sm.Seek(p.state.point)], blend=0.3
    ),
    "priority that shares": lambda p: sm.Priority(
        [
            sm.Contain(sm.Sphere(p.state.point, 8.0)),
            sm.Contain(sm.Sphere(p.state.point, 7.0), margin=1.0),
            sm.Evade(p.others, panic_distance=9.0),
            sm.Seek(p.state.point),
        ]
    ),
    "priority of groups": lambda p: sm.Priority(
        [
            sm.Flee(p.state.points, panic_distance=9.0),
            0.7 * sm.Separation(radius=6.0) + sm.Alignment(radius=6.0),
            sm.Priority([sm.Flee(p.others, panic_distance=7.0), sm.Wander()]),
        ]
    ),
    **{
        f"truncated sum {accounting} {each}": lambda p, accounting=accounting, each=each: sm.TruncatedSum(
            urgent(p), weights=(0.2, 0.6, 1.5), accounting=accounting, each=each
        )
        for accounting, each in (("running", "raw"), ("lengths", "limit"), ("lengths", "raw"), ("running", "normalize"))
    },
    "truncated sum by operators": lambda p: sm.TruncatedSum(
        [0.3 * sm.Flee(p.others), sm.Alignment(radius=9.0) + sm.Cohesion(radius=9.0), sm.Wander()]
    ),
    "dithered": lambda p: sm.Dithered(urgent(p), probabilities=(0.5, 0.4, 0.9)),
    "dithered that shares": lambda p: sm.Dithered(
        [sm.Contain(sm.Sphere(p.state.point, 7.0)), *urgent(p)], probabilities=(0.8, 0.5, 0.4, 0.9)
    ),
    "dithered of six": lambda p: sm.Dithered(
        [*urgent(p), sm.Flee(p.others), sm.Wander(), sm.Seek(p.state.points)],
        probabilities=(0.2, 0.3, 0.1, 0.5, 0.5, 0.7),
        period=0.2,
    ),
    "round robin": lambda p: sm.RoundRobin([sm.Seek(p.state.point), drag, sm.Wander()]),
    "round robin slow": lambda p: sm.RoundRobin(three(p), period=0.12),
    "switch on": lambda p: sm.Switch(sm.Seek(p.state.point), on=True),
    "switch by function": lambda p: sm.Switch(sm.Wander() + drag, on=even),
    "switch by flags": lambda p: sm.Switch([sm.Seek(p.state.point)], on=even(p.vehicles)),
    "switch for all": lambda p: sm.Switch(sm.Flee(p.others), on=lambda vehicles: len(vehicles) > 0),
    "orders": lambda p: sm.Orders(sm.Wander() + drag, {"boldness": 0.5, "goal": None}),
    "everything nested": lambda p: sm.Priority(
        [
            sm.Switch(sm.Evade(p.others, panic_distance=3.0), on=even),
            sm.Dithered(
                [sm.AvoidObstacles(p.rocks), sm.TruncatedSum([sm.Flee(p.others), drag])], probabilities=(0.5, 0.5)
            ),
            sm.RoundRobin([sm.Wander(), 0.5 * sm.Seek(p.state.point) + sm.Switch(drag, on=even)]),
        ]
    ),
    "context map": lambda p: sm.ContextMap([sm.Seek(p.state.point)], danger=[sm.Flee(p.others, panic_distance=9.0)]),
    "context map that is quick to change its mind": lambda p: sm.ContextMap(
        [sm.Seek(p.state.point), sm.Wander()], commitment=0.0, hysteresis=0.0
    ),
    "context map of obstacles": lambda p: sm.ContextMap(
        [0.5 * sm.Arrive(p.state.point), sm.Cohesion(radius=9.0, law="seek")],
        danger=[0.7 * sm.Separation(radius=6.0)],
        obstacles=[p.rocks],
        lookahead=3.0,
        directions=24,
        commitment=0.5,
    ),
    "context map of neighbors, slower in crowds": lambda p: sm.ContextMap(
        [sm.Seek(p.state.point)], neighbors=True, speed=halved, k=4
    ),
    "context map of neighbors, as people walk": lambda p: sm.ContextMap(
        [sm.Seek(p.state.point)], neighbors=True, speed="weidmann", k=2
    ),
    "context map of neighbors": lambda p: sm.ContextMap([sm.Seek(p.state.point)], neighbors=True, time_horizon=6.0),
    "context map of others, few directions, soft": lambda p: sm.ContextMap(
        [sm.Switch(sm.Wander(), on=even)],
        neighbors=True,
        of=p.others,
        obstacles=p.rocks,
        time_horizon=9.0,
        margin=1.5,
        directions=10,
        smoothing=0.2,
        k=3,
        angle=5.0,
        inner_radius=2.0,
        radius=15.0,
    ),
    "context map of a map": lambda p: sm.ContextMap(
        [sm.ContextMap([sm.Wander()], directions=9), sm.Priority([sm.Flee(p.state.points, panic_distance=5.0), drag])],
        directions=11,
    ),
    "pipeline": lambda p: sm.Pipeline(sm.Toward(p.state.points), constraints=sm.KeepClear(p.rocks)),
    "pipeline along a path": lambda p: sm.Pipeline(
        [sm.Toward(p.others, which=2), sm.Toward(p.state.point)],
        decomposers=[sm.AlongPath(p.state.sites, reach=3.0)],
        constraints=[sm.KeepClear(p.rocks, margin=0.2), sm.KeepClear([p.rocks], margin=0.0)],
        actuator=sm.Straight("seek"),
        fallback=sm.Wander(),
        rounds=1,
    ),
}
