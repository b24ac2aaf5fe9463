"""Explanations for the window: numbers that scale arrows, in any units."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.studio.viewer import explanations
from steersman.studio.viewer.explanations import why_of


def told(monkeypatch: pytest.MonkeyPatch, length: float, time: float, mass: float, limit: float = np.inf) -> Any:
    """The explanation of a vehicle that goes at three fifths of its top speed, and the seconds of its velocities."""
    seconds: list[Any] = []
    monkeypatch.setattr(explanations, "parted", lambda sketches, span, each: seconds.append(each) or {})
    vehicles = sm.Vehicles(
        [[0, 0], [3 * length, 0]], [[0, 1.5 * length / time]] * 2, max_speed=2.5 * length / time, mass=1.7 * mass,
        response_time=0.3 * time, max_force=limit * mass * length / time**2, id=[4, 9], dtype=np.float64,
    )  # fmt: skip
    world = sm.World(dt=0.05 * time)
    world.add(vehicles, name="ants", steering=sm.Seek([9 * length, 2 * length]))
    return {**why_of(world, "ants", 9, span=30 * length), "seconds": seconds[0]}


@pytest.mark.parametrize("limit", [7.0, 1e9])
def test_arrows_are_as_long_in_all_units(monkeypatch: pytest.MonkeyPatch, limit: float) -> None:
    one, other = told(monkeypatch, 1.0, 1.0, 1.0, limit), told(monkeypatch, 4.0, 0.5, 8.0, limit)
    force = 8.0 * 4.0 / 0.5**2
    np.testing.assert_allclose(other["force"], np.array(one["force"]) * force, rtol=1e-3)
    assert other["full"] == pytest.approx(one["full"] * force)
    assert other["response"] == pytest.approx(one["response"] * 4.0 / 0.5 / force)
    assert other["fastest"] == pytest.approx(one["fastest"] * 4.0 / 0.5)
    assert other["seconds"] == pytest.approx(one["seconds"] * 0.5)
    assert one["velocity"] == [0, 1.5]
    assert other["velocity"] == [0, 1.5 * 4.0 / 0.5]
    assert (other["id"], other["pace"]) == (one["id"], one["pace"]) == (9, 0.6)


def test_the_steering_is_the_change_of_velocity_within_the_response_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so leads from the velocity to the desired one, at top speed toward the goal; of a limit a part of the way."""
    free, held = (told(monkeypatch, 1.0, 1.0, 1.0, limit) for limit in (1e9, 7.0))
    assert free["response"] == pytest.approx(0.3 / 1.7)
    wish = np.array([6.0, 2.0]) / np.hypot(6, 2) * 2.5
    np.testing.assert_allclose(np.add(free["velocity"], np.multiply(free["force"], free["response"])), wish, rtol=1e-4)
    directions = [np.divide(each["force"], np.linalg.norm(each["force"])) for each in (free, held)]
    np.testing.assert_allclose(*directions, atol=1e-3)
    assert np.linalg.norm(held["force"]) == pytest.approx(7.0, rel=1e-4)


@pytest.mark.parametrize(("response", "time"), [(0, 0.1), (0.06, 0.06)])
def test_a_vehicle_responds_within_its_time_or_a_step(response: float, time: float) -> None:
    world = sm.World(dt=0.1)
    world.add(
        sm.Vehicles([[0, 0]], max_speed=5, max_force=1e9, response_time=response), name="a", steering=sm.Seek([9, 0])
    )
    why = why_of(world, "a", 0, span=30)
    assert (why["fastest"], why["response"]) == (5.0, pytest.approx(time))
    assert np.multiply(why["force"], why["response"]) == pytest.approx([5, 0], rel=1e-4)


def test_at_full_speed_velocities_are_as_long_as_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    here = told(monkeypatch, 1.0, 1.0, 1.0, 7.0)
    assert here["full"] == here["max_force"] == pytest.approx(7.0)
    assert here["seconds"] * 2.5 == pytest.approx(explanations.LONGEST * 30)


@pytest.mark.parametrize("thrust", ["match", "full"])
def test_the_desired_velocity_is_sent_where_the_force_does_not_tell_it(thrust: str) -> None:
    """A force of full thrust does not lead to it; what a law asks for otherwise does, also where a limit cuts that."""
    world = sm.World()
    one = sm.Vehicles([[0, 0]], [[0, 3]], max_speed=5, max_force=2)
    world.add(one, name="a", steering=sm.Seek([9, 0], thrust=thrust))
    desired = why_of(world, "a", 0, span=30)["desired"]
    assert desired == (pytest.approx([5, 0]) if thrust == "full" else None)


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize(
    ("make", "detail"),
    [
        (lambda rest: sm.FollowWall(sm.Sphere([9, 0, *rest], 4)), "distance to the wall"),
        (lambda rest: sm.FollowPath(sm.Path([[-9, 3, *rest], [30, 3, *rest]])), "to the middle of the path"),
        (lambda rest: sm.AvoidObstacles(sm.Spheres([[9, 0.5, *rest]], [4])), "how far off its line"),
    ],
)
def test_details_of_a_construction_are_marked(make: Any, detail: str, dimensions: int) -> None:
    """So that a reason is told without them."""
    rest = [0] * (dimensions - 2)
    world = sm.World()
    one = sm.Vehicles([[0, 0, *rest]], [[3, 0, *rest]], max_speed=5, max_force=20)
    world.add(one, name="a", steering=make(rest))
    why = why_of(world, "a", 0, span=30)
    marked = {each["says"] for each in [*why["near"], *why["elements"]] if each.get("detail")}
    assert marked == {detail}
