"""Contact of a moving ball with a segment: how far, where on the segment, and the normal there, in closed form."""

from typing import Any

import numpy as np
import pytest

from steersman.core.environment.obstacles.contact import touch_segment

Array = np.ndarray[Any, Any]


def touched(way: Array, forward: Array, tangent: Array, size: float, room: float) -> tuple[float, float, Array]:
    distance, where, normal = touch_segment(
        tuple(way), tuple(forward), tuple(tangent), np.float64(size), np.float64(room)
    )
    return float(distance), float(where), np.array(normal)


def unit(vector: Array) -> Array:
    return np.asarray(vector / np.linalg.norm(vector))


@pytest.mark.parametrize(("d", "room"), [(2, 0.0), (2, 0.4), (3, 0.4)])
def test_at_the_contact_the_ball_is_as_far_as_its_radius_from_the_place_that_is_told(d: int, room: float) -> None:
    """From all sides, to the side of the segment and to both of its ends; never before."""
    rng, ends = np.random.default_rng(d), {"start": 0, "end": 0, "side": 0, "never": 0}
    for _ in range(200):
        tangent, size = unit(rng.normal(size=d)), rng.uniform(0.5, 4.0)
        aim = tangent * rng.uniform(-0.2, 1.2) * size + rng.normal(0, 0.7 * room, d)
        way = aim + rng.uniform(1.0, 6.0) * unit(rng.normal(size=d))
        if np.linalg.norm(way - np.clip(way @ tangent, 0, size) * tangent) <= room + 1e-6:
            continue
        forward = unit(aim - way)
        distance, where, normal = touched(way, forward, tangent, size, room)
        steps = np.linspace(0, min(distance, 12.0), 100)[:, None]
        places = way + steps * forward
        gap = np.linalg.norm(places - np.clip(places @ tangent, 0, size)[:, None] * tangent, axis=1) - room
        assert (gap > -1e-6).all()
        if not np.isfinite(distance):
            ends["never"] += 1
            continue
        there = way + distance * forward
        assert where == pytest.approx(np.clip(there @ tangent, 0, size), abs=1e-5)
        assert np.linalg.norm(there - where * tangent) == pytest.approx(room, abs=1e-5)
        assert normal @ forward < 1e-9
        if room:
            np.testing.assert_allclose(normal, unit(there - where * tangent), atol=1e-5)
        ends["start" if where == 0 else "end" if where == size else "side"] += 1
    if room:
        assert min(ends.values()) > 3
    assert ends["side"] > 50


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("x", [-1.0, 3.0])
def test_one_that_leaves_near_the_line_of_a_segment_never_touches(d: int, x: float) -> None:
    """It is beyond an end, and nearer to the line than its radius: where it came from does not count."""
    for side in (0.2, -0.2):
        way, forward = np.zeros(d), np.zeros(d)
        way[:2], forward[:2] = (x, side), (np.sign(x), -side)
        distance, _, _ = touched(way, unit(forward), np.eye(d)[0], 2.0, 0.5)
        assert distance == np.inf


@pytest.mark.parametrize(("x", "where"), [(-0.3, 0.0), (1.2, 1.2), (2.3, 2.0)])
def test_one_that_touches_is_stopped_when_it_goes_nearer_and_not_when_it_leaves(x: float, where: float) -> None:
    tangent = np.array([1.0, 0.0])
    along = [([1.0, 0.0], np.inf), ([-1.0, 0.0], np.inf)] if x == where else []  # To the side it slides.
    for forward, expected in (([0.0, -1.0], 0.0), ([0.0, 1.0], np.inf), *along):
        distance, s, _ = touched(np.array([x, 0.2]), np.array(forward), tangent, 2.0, 0.5)
        assert distance == expected
        assert s == pytest.approx(where)
