"""A warning of people who do not see the walls of the space."""

from typing import Any

import pytest

import steersman as sm

BOX = sm.Box([15, 4], periodic="x")
WALLS = sm.Walls([[[0, 0], [15, 0]], [[0, 4], [15, 4]]])


def walked(steering: Any, domain: Any) -> None:
    world = sm.World(domain=domain, dt=0.02, threads=1)
    people = sm.Vehicles([[2.0, 2.0]], radius=0.15, max_speed=1.34, max_force=1e3, response_time="step")
    world.add(people, name="people", steering=steering)
    world.step()
    world.step()


@pytest.mark.parametrize("domain", [BOX, sm.Box([15, 4])])
def test_walls_of_a_box_that_are_no_obstacles_are_warned_of(domain: Any) -> None:
    match = "CollisionFreeSpeed of 'people' does not see the walls of the Box.*obstacles=sm.Walls"
    with pytest.warns(RuntimeWarning, match=match) as warned:
        walked(sm.CollisionFreeSpeed(sm.MatchVelocity([1, 0])), domain)
    assert [each.filename for each in warned] == [__file__]


@pytest.mark.parametrize(
    ("steering", "domain"),
    [
        (sm.CollisionFreeSpeed(sm.MatchVelocity([1, 0]), obstacles=WALLS), BOX),
        (sm.CollisionFreeSpeed(sm.Priority([sm.AvoidObstacles(WALLS), sm.MatchVelocity([1, 0])])), BOX),
        (sm.CollisionFreeSpeed(sm.MatchVelocity([1, 0])), sm.Torus([15, 4])),
        (sm.CollisionFreeSpeed(sm.MatchVelocity([1, 0])), sm.Open()),
        (sm.MatchVelocity([1, 0]), BOX),
    ],
)
@pytest.mark.filterwarnings("error")
def test_walls_that_are_known_and_spaces_without_are_not(steering: Any, domain: Any) -> None:
    walked(steering, domain)
