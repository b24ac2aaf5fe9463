"""Examples of the behaviors about fields, regions and resources.

What cannot be turned, since it lies along the axes, says so in its name.
"""

from typing import Any

import numpy as np
from contract.examples.example import Example
from contract.examples.users import Tiring
from contract.places import Place

import steersman as sm


def grid(p: Place, **options: Any) -> sm.FlowGrid:
    """A grid of random velocities about the place's point."""
    d = p.state.dimensions
    vectors = np.random.default_rng(2).normal(0, 2, (*(5, 4, 3)[:d], d))
    return sm.FlowField.grid(vectors, p.state.point - 6, (3.0, 4.0, 5.0)[:d], **options)


def whirl(p: Place) -> sm.FlowFunction:
    """A field that is as periodic as the torus."""

    def flow(points: Any) -> Any:
        phase = 2 * np.pi / p.state.periods * (points - p.state.point)
        return 3 * np.roll(np.sin(phase), 1, axis=1) + np.cos(phase)

    return sm.FlowField.function(flow)


def disc(p: Place, radius: float = 7.0) -> sm.Sphere:
    return sm.Sphere(p.state.point, radius)


def box(p: Place) -> sm.Box:
    d = p.state.dimensions
    return sm.Box((14.0, 9.0, 12.0)[:d], p.state.point - (4, 5, 6)[:d])


def floor(p: Place) -> sm.Region:
    """A polygon with a dent; there is none in space."""
    if p.state.dimensions == 3:
        return box(p)
    corners = np.array([[-7, -5], [6, -6], [8, 6], [1, -1], [-6, 7]])
    return sm.Polygon(p.state.point + corners)


def food(p: Place, amount: float = 1e6) -> sm.Resources:
    """Plenty, so that nobody's share depends on who else eats."""
    return sm.Resources(p.state.sites, amount)


EXAMPLES: dict[str, Example] = {
    "follow flow of a grid, along the axes": lambda p: sm.FollowFlow(grid(p)),
    "follow flow that ends, along the axes": lambda p: sm.FollowFlow(
        grid(p, outside="zero"), lookahead=2.0, speed="max"
    ),
    "follow flow of a function, along the axes": lambda p: sm.FollowFlow(whirl(p), lookahead=0.0, speed=1.5),
    "contain in a disc": lambda p: sm.Contain(disc(p)),
    "contain in a disc, margin": lambda p: sm.Contain(disc(p), lookahead=0.3, margin=2.0, speed=1.5),
    "contain in a box, along the axes": lambda p: sm.Contain(box(p), lookahead=3.0, speed="offset"),
    "contain on a floor, along the axes": lambda p: sm.Contain(floor(p), speed="current"),
    "contain in a disc, inside": lambda p: sm.Contain(disc(p), law="inside"),
    "contain in a disc, inside, margin, depth": lambda p: sm.Contain(
        disc(p), law="inside", lookahead=0.3, margin=2.0, depth=3.0, speed=1.5
    ),
    "contain in a disc, normal": lambda p: sm.Contain(disc(p), law="normal", lookahead=2.0, margin=1.0),
    "contain in a box, inside, along the axes": lambda p: sm.Contain(
        box(p), law="inside", lookahead=3.0, speed="offset"
    ),
    "contain in a box, normal, along the axes": lambda p: sm.Contain(box(p), law="normal", thrust="full"),
    "contain on a floor, inside, along the axes": lambda p: sm.Contain(floor(p), law="inside", speed="current"),
    "contain on a floor, corners sought, along the axes": lambda p: sm.Contain(
        floor(p), law="inside", corners="seek", lookahead=2.0
    ),
    "contain on a floor, normal, along the axes": lambda p: sm.Contain(floor(p), law="normal", lookahead=2.0),
    "explore a disc, along the axes": lambda p: sm.Explore(disc(p), reach=3.0),
    "explore a box, along the axes": lambda p: sm.Explore(box(p), reach=2.0, speed=1.5),
    "explore a floor, along the axes": lambda p: sm.Explore(floor(p), reach=4.0, speed="current"),
    "explore, speed offset, along the axes": lambda p: sm.Explore(disc(p), reach=2.0, speed="offset"),
    "explore, full thrust, along the axes": lambda p: sm.Explore(disc(p), reach=2.0, thrust="full"),
    "forage": lambda p: sm.Forage(food(p), reach=9.0, bite=8.0, search=sm.Seek(p.state.point)),
    "forage, seek, view": lambda p: sm.Forage(
        food(p), reach=14.0, angle=3.0, approach="seek", bite=13.0, rate=2.0, search=sm.Flee(p.state.point)
    ),
    "forage and wander": lambda p: sm.Forage(food(p), reach=6.0, bite=5.0),
    "forage in vain": lambda p: sm.Forage(food(p, amount=0.0), search=Tiring()),
}
