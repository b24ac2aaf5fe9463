"""Examples of the behaviors that look at individuals: crowds, leaders, formations."""

from typing import Any

import numpy as np
from contract.examples.avoiding import boxes
from contract.examples.example import Example
from contract.places import Place

import steersman as sm


def squad(p: Place) -> Any:
    """The faster vehicles; without vehicles all of them."""
    speed = p.state.max_speed
    return np.where(speed >= np.median(speed), 1.0, 0.0) if len(speed) else 1.0


def halved(density: Any) -> Any:
    """Half of the speed at 0.01/m^2."""
    return 1 / (1 + 100 * density)


EXAMPLES: dict[str, Example] = {
    "avoid neighbors": lambda p: sm.AvoidNeighbors(8.0, 1.5),
    "avoid the imminent neighbor": lambda p: sm.AvoidNeighbors(8.0, 1.5, law="imminent"),
    "avoid all neighbors": lambda p: sm.AvoidNeighbors(8.0, 1.5, law="all", k=6, radius=30.0),
    "avoid neighbors view, of others": lambda p: sm.AvoidNeighbors(
        9.0, 2.0, angle=4.0, inner_radius=3.0, of=p.others, k=3
    ),
    "avoid neighbors of several populations": lambda p: sm.AvoidNeighbors(8.0, 1.5, of=[p.others, p.vehicles]),
    "follow leader": lambda p: sm.FollowLeader(p.others),
    "follow leader apart, of one's own": lambda p: sm.FollowLeader(
        p.vehicles, which="nearest", spacing=1.5, separation_radius=9.0, slowing_distance=20.0, clear_length=20.0
    ),
    "follow leader apart, ids, far": lambda p: sm.FollowLeader(
        p.others, which=p.state.chosen, behind=1.0, behind_time=1.5, clear_length=15.0, clear_width=9.0, speed=1.5
    ),
    "follow leader, sum": lambda p: sm.FollowLeader(p.others, law="sum", separation_radius=3.0),
    "follow leader ids, far": lambda p: sm.FollowLeader(
        p.others,
        which=p.state.chosen,
        law="sum",
        behind=1.0,
        behind_time=1.5,
        clear_length=15.0,
        clear_width=9.0,
        speed=1.5,
        separation_radius=3.0,
    ),
    "follow leader of one's own": lambda p: sm.FollowLeader(
        p.vehicles, which="nearest", law="sum", separation_radius=8.0, separation_weight=0.6, slowing_distance=20.0
    ),
    "queue": lambda p: sm.Queue(p.state.point),
    "queue exit": lambda p: sm.Queue(p.state.point, exit=p.state.wind, headway=2.0, spacing=0.1, radius=12.0, k=4),
    "queue of several populations": lambda p: sm.Queue(p.state.point, radius=12.0, of=[p.vehicles, p.others]),
    "queue before others": lambda p: sm.Queue(p.others, radius=20.0),
    "formation": lambda p: sm.Formation(p.others),
    "formation line": lambda p: sm.Formation(p.others, slots="line", which=30, spacing=3.0, slowing_distance=8.0),
    "formation column": lambda p: sm.Formation(p.others, slots="column", which=9),
    "formation circle at a place": lambda p: sm.Formation(p.others, slots="circle", reassign=0.0),
    "formation slots": lambda p: sm.Formation(
        p.others, slots=np.linspace(-9, 7, 5 * p.state.dimensions).reshape(5, -1)
    ),
    "formation that faces": lambda p: sm.Formation(p.others, slots="line", face=p.state.wind, members=squad(p)),
    "orca": lambda p: sm.ORCA(),
    "orca toward": lambda p: sm.ORCA(
        6.0, toward=sm.Seek(p.state.point), bias=0.3, uneven=0.6, k=5, radius=30.0, margin=0.3
    ),
    "orca, as fast as people walk": lambda p: sm.ORCA(4.0, toward=sm.Seek(p.state.point), speed="weidmann", k=4),
    "orca, slower in crowds": lambda p: sm.ORCA(4.0, toward=sm.Seek(p.state.point), speed=halved, k=3),
    "orca rocks": lambda p: sm.ORCA(
        3.0, toward=sm.Seek(p.state.point, speed=1.0), obstacles=p.rocks, obstacle_horizon=2.0, k=3
    ),
    "orca rocks and boxes": lambda p: sm.ORCA(toward=sm.Seek(p.state.point), obstacles=[p.rocks, boxes(p)], k=2),
    "orca of several populations": lambda p: sm.ORCA(6.0, toward=sm.Seek(p.state.point), of=[p.others, p.vehicles]),
    "orca of others, view": lambda p: sm.ORCA(
        2.0, toward=sm.Flee(p.state.point, panic_distance=9.0), of=p.others, share=1.0, angle=4.0, inner_radius=2.0
    ),
}
