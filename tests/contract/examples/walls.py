"""Examples of the behaviors that feel obstacles, go along them, or hide behind them."""

import math

from contract.examples.example import Example
from contract.places import Place

import steersman as sm


def boulders(p: Place) -> sm.Spheres:
    """The place's rocks, larger: a single thin ray hits few of them in 3D."""
    return sm.Spheres(p.state.rock_center, p.state.rock_radius + 2)


EXAMPLES: dict[str, Example] = {
    "whiskers, right first": lambda p: sm.Whiskers(boulders(p)),
    "whiskers, right first, all options": lambda p: sm.Whiskers(
        [p.rocks, p.rocks], reach=16.0, spread=1.2, clearance=2.5, speed=2.0, thrust="full"
    ),
    "whiskers ahead": lambda p: sm.Whiskers(boulders(p), rays=1, reach=15.0, speed="current"),
    "whiskers parallel": lambda p: sm.Whiskers(p.rocks, rays=2, reach=17.0, speed="offset"),
    "avoid walls": lambda p: sm.AvoidWalls(p.rocks, reach=15.0),
    "avoid walls ahead": lambda p: sm.AvoidWalls(boulders(p), feelers=1, reach=15.0, strength=3.0),
    "avoid walls wide": lambda p: sm.AvoidWalls([p.rocks], spread=2.5, reach=20.0),
    "follow wall": lambda p: sm.FollowWall(p.rocks),
    "follow wall on the right": lambda p: sm.FollowWall(p.rocks, side="right", offset=1.0, lookahead=0.4),
    "follow wall, not on the right": lambda p: sm.FollowWall(
        [p.rocks, p.rocks], side="left", reach=3.0, speed="current", thrust="full"
    ),
    "follow wall, speed offset": lambda p: sm.FollowWall(p.rocks, offset=0.0, speed="offset"),
    "follow wall, a plane": lambda p: sm.FollowWall(sm.Plane(p.state.point, p.state.wind), offset=3.0, lookahead=0.3),
    "follow wall, a path": lambda p: sm.FollowWall(
        sm.Path([p.state.point - p.state.wind, p.state.point + p.state.wind]), offset=0.5, reach=4.0
    ),
    "hide": lambda p: sm.Hide(p.others, p.rocks),
    "hide behind": lambda p: sm.Hide(p.others, [p.rocks], which=9, favor="behind", margin=0.3, deceleration_time=40.0),
    "hide if seen": lambda p: sm.Hide(p.others, p.rocks, only_if="seen", memory=1.5, slowing_distance=60.0, speed=2.0),
    "hide if mutually seen": lambda p: sm.Hide(
        p.others, p.rocks, only_if="mutually_seen", angle=4.0, approach="seek", speed="current"
    ),
    "hide if seen all round": lambda p: sm.Hide(
        p.others, p.rocks, only_if="seen", angle=2 * math.pi, thrust="full", speed="offset"
    ),
    "hide from the near": lambda p: sm.Hide(p.others, p.rocks, which=p.state.chosen, panic_distance=10.0),
    "hide nowhere": lambda p: sm.Hide(p.others, sm.Spheres(p.state.rock_center[:0], 1.0), prediction=sm.Constant(0.6)),
}
