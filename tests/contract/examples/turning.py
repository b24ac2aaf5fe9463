"""Examples of the behaviors that turn a vehicle."""

import numpy as np
from contract.examples.example import Example
from contract.places import Place

import steersman as sm


def orientation(p: Place) -> object:
    """One for all: a heading, or a quaternion that is not normalized."""
    return 2.5 if p.state.dimensions == 2 else np.array([0.3, -0.5, 1.0, 0.7])


def orientations(p: Place) -> object:
    """One per vehicle."""
    n = len(p.vehicles)
    return np.linspace(-3, 9, n) if p.state.dimensions == 2 else np.sin(np.arange(4.0 * n).reshape(n, 4) + 0.3)


EXAMPLES: dict[str, Example] = {
    "face": lambda p: sm.Face(p.state.point),
    "face points, slow angle": lambda p: sm.Face(p.state.points, slow_angle=1.2),
    "face nearest": lambda p: sm.Face(p.others, law="lag"),
    "face ids, rate": lambda p: sm.Face(p.others, which=p.state.chosen, law="lag", rate=1.5),
    "look where you go": lambda p: sm.LookWhereYouGo(),
    "look where you go, slow angle": lambda p: sm.LookWhereYouGo(slow_angle=0.8),
    "look where you go, lag": lambda p: sm.LookWhereYouGo(law="lag", rate=2.0),
    "reach orientation": lambda p: sm.ReachOrientation(orientation(p)),
    "reach orientations": lambda p: sm.ReachOrientation(orientations(p), slow_angle=2.0),
    "reach orientation of the nearest": lambda p: sm.ReachOrientation(p.others, law="lag"),
    "reach orientation of one": lambda p: sm.ReachOrientation(p.others, which=2, rate=4.0, law="lag"),
    "seek and face": lambda p: sm.Seek(p.state.point) + 0.5 * sm.Face(p.others) + 0.7 * sm.LookWhereYouGo(),
    "normalized turning": lambda p: sm.WeightedSum(
        [sm.Face(p.state.point), sm.WeightedSum([sm.Face(p.others), sm.Wander()])], weights=(1, 2), each="normalize"
    ),
    "priority of turning that blends": lambda p: sm.Priority(
        [sm.Flee(p.state.point, panic_distance=9.0), sm.Wander() + 0.4 * sm.Face(p.others)], blend=0.5
    ),
    "priority of turning": lambda p: sm.Priority(
        [sm.Flee(p.state.point, panic_distance=9.0), sm.Wander() + 0.4 * sm.Face(p.others)]
    ),
}  # fmt: skip
