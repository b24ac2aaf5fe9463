"""Examples of modes, and of the conditions by which they change; each condition is the first transition of a Modes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.examples.example import Example
from contract.examples.users import Tiring, drag
from contract.families import with_own
from contract.places import Place

import steersman as sm


def by_id(vehicles: sm.Vehicles) -> Any:
    """Every second one."""
    return vehicles.id % 2 == 0


def ignore(vehicles: sm.Vehicles, rows: Any) -> None:
    """What to do on entering a mode: nothing."""


@dataclass(frozen=True, eq=False)
class Slow(sm.Condition):
    """A user's own condition, with memory: slower than some speed, or judged at least three times."""

    below: float = 2.0

    def init(self, vehicles: sm.Vehicles) -> dict[str, Any]:
        return {"times": np.zeros(len(vehicles), np.int64)}

    def judge(self, scene: Any, memory: Any) -> Any:
        memory["times"][:] += 1
        return (scene.vehicles.speed < self.below) | (memory["times"] >= 3)


CONDITIONS: dict[str, Callable[[Place], Any]] = with_own("CONDITIONS", {
    "near somebody": lambda p: sm.Near(p.others, 8.0),
    "near somebody, leaving late": lambda p: sm.Near(p.others, 5.0, leave=9.0),
    "near each other": lambda p: sm.Near(p.vehicles, 6.0),
    "near a point": lambda p: sm.Near(p.state.point, 12.0, leave=14.0),
    "near one": lambda p: sm.Near(p.others, 9.0, which=2),
    "near the chosen": lambda p: sm.Near(p.others, 12.0, which=p.state.chosen),
    "near a callable of points": lambda p: sm.Near(lambda: p.state.points, 9.0),
    "arrived": lambda p: sm.Arrived(p.state.points, 11.0, speed=2.5),
    "arrived at one": lambda p: sm.Arrived(p.others, 12.0, which=9),
    "after no time": lambda p: sm.After(0.0),
    "after long": lambda p: sm.After(100.0) | sm.Near(p.state.point, 10.0),
    "chance": lambda p: sm.Chance(9.0),
    "sees somebody": lambda p: sm.Sees(p.others, range=9.0, angle=2.5),
    "sees one": lambda p: sm.Sees(p.others, range=16.0, angle=4.0, which=30),
    "sees a point": lambda p: sm.Sees(p.state.point, range=16.0, memory=0.7),
    "sees between rocks": lambda p: sm.Sees(p.others, range=20.0, angle=5.0, occluders=p.rocks, attention=2),
    "sees a point between rocks": lambda p: sm.Sees(p.state.point, occluders=[p.rocks], memory=0.2),
    "sees its own": lambda p: sm.Sees(p.vehicles, range=8.0, occluders=p.rocks),
    "where": lambda p: sm.Where(by_id),
    "user": lambda p: Slow(below=2.5),
    "all of": lambda p: sm.Near(p.others, 12.0) & sm.Arrived(p.state.point, 15.0) & by_id,
    "any of": lambda p: sm.Near(p.others, 4.0) | ~sm.Where(by_id) | sm.Sees(p.others, range=6.0),
    "neither": lambda p: ~(sm.Near(p.others, 6.0, leave=8.0) | by_id),
})  # fmt: skip
"""Name -> what makes a condition for a place; a test file of a condition adds its own."""


def two(p: Place, when: Any) -> sm.Modes:
    """Calm until something holds."""
    modes = {"calm": sm.Seek(p.state.point), "alarmed": sm.Flee(p.state.points)}
    return sm.Modes(modes, start="calm", transitions=[("calm", "alarmed", when), ("alarmed", "calm", sm.After(0.06))])


EXAMPLES: dict[str, Example] = {
    **{f"mode {name}": lambda p, make=make: two(p, make(p)) for name, make in CONDITIONS.items()},
    "modes in order": lambda p: sm.Modes(
        {"seek": sm.Seek(p.state.point), "flee": sm.Flee(p.others), "drag": drag, "sum": sm.Cohesion(radius=9) + drag},
        start="seek",
        transitions=[
            (["drag", "seek"], "flee", sm.Near(p.others, 5.0)),
            ("*", "drag", sm.Near(p.others, 9.0)),
            ("*", "sum", by_id),
            ("sum", "seek", sm.Chance(3.0)),
        ],
        on_enter={"flee": ignore},
    ),
    "modes with cooldown": lambda p: sm.Modes(
        {"tire": Tiring(), "alarmed": 2.0 * sm.Flee(p.state.points)},
        start="tire",
        transitions=[("tire", "alarmed", by_id), ("alarmed", "tire", by_id)],
        cooldown={"tire": 0.1},
        resume=False,
    ),
    "modes of modes": lambda p: (
        0.5
        * sm.Modes(
            {"calm": sm.Seek(p.state.point), "alarmed": two(p, sm.Near(p.others, 5.0))},
            start="calm",
            transitions=[("calm", "alarmed", sm.Near(p.others, 12.0))],
        )
        + sm.Priority([sm.Flee(p.state.points, panic_distance=9.0), two(p, sm.Chance(4.0))])
    ),
    "modes that never change": lambda p: sm.Modes({"only": sm.Seek(p.state.point)}, start="only", cooldown=1.0),
}
