"""Examples of the combinators."""

from typing import Any

from contract.examples.example import Example
from contract.examples.users import Tiring, drag
from contract.places import Place

import steersman as sm


def three(p: Place) -> list[Any]:
    """Parts of all kinds: one with a goal, one that often rests, one written in NumPy."""
    return [sm.Seek(p.state.point), sm.Flee(p.state.points, panic_distance=9.0), drag]


EXAMPLES: dict[str, Example] = {
    **{
        f"sum {each}": lambda p, each=each: sm.WeightedSum(three(p), weights=(0.5, 2.0, -0.3), each=each)
        for each in ("limit", "normalize", "raw")
    },
    "sum of shares": lambda p: sm.WeightedSum(three(p), weights=(1, 2, 3), normalize_weights=True),
    "sum by operators": lambda p: 0.5 * (sm.Seek(p.state.point) + 2 * sm.Cohesion(radius=9.0)) + drag,
    "sum of sums": lambda p: sm.WeightedSum([sm.WeightedSum(three(p), each="raw"), sm.Alignment(radius=9.0)]),
    "sum with memory": lambda p: sm.WeightedSum([sm.Wander(), sm.Wander(), sm.AvoidObstacles(p.rocks), Tiring()]),
    "priority": lambda p: sm.Priority(
        [sm.AvoidObstacles(p.rocks, lookahead=4.0), sm.Evade(p.others, panic_distance=7.0), sm.Seek(p.state.point)]
    ),
    "priority of groups": lambda p: sm.Priority(
        [
            sm.Flee(p.state.points, panic_distance=9.0),
            0.7 * sm.Separation(radius=6.0) + sm.Alignment(radius=6.0),
            sm.Priority([sm.Flee(p.others, panic_distance=7.0), sm.Wander()]),
        ]
    ),
}
