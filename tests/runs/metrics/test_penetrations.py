"""How deep vehicles are in obstacles of each kind, against distances written as plain loops, in open space and on a torus."""

import itertools
import math

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import obstacle_collisions, penetration, penetrations

PERIODS = [20.0, 27.0, 23.0]
TURN = math.radians(30)
RING = [[2.0, 2.0], [9.0, 3.0], [5.0, 4.0], [4.0, 9.0]]
CHAIN = [[12.0, 2.0], [15.0, 8.0], [12.0, 15.0]]


def ball(center, radius):
    return lambda p: math.dist(p, center) - radius


def block(center, halves, turn=0.0):
    def distance(p):
        x, y, *z = (a - b for a, b in zip(p, center, strict=True))
        at = [x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn), *z]
        beyond = [abs(a) - b for a, b in zip(at, halves, strict=True)]
        return math.hypot(*(max(b, 0) for b in beyond)) + min(max(beyond), 0)

    return distance


def bar(a, b, radius):
    def distance(p):
        along = [q - o for o, q in zip(a, b, strict=True)]
        t = sum((x - o) * q for x, o, q in zip(p, a, along, strict=True)) / sum(q * q for q in along)
        t = min(1, max(0, t))
        return math.dist(p, [o + t * q for o, q in zip(a, along, strict=True)]) - radius

    return distance


def ring(corners):
    sides = [bar(a, b, 0) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]

    def distance(p):
        inside = False
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
                inside = not inside
        return min(side(p) for side in sides) * (-1 if inside else 1)

    return distance


def chain(points):
    return lambda p: min(bar(a, b, 0)(p) for a, b in itertools.pairwise(points))


def cube(low, edge):
    corners = np.array(list(itertools.product((0, 1), repeat=3)), float) * edge + low
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return sm.TriangleMesh(corners, [half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))])


KINDS = {
    "circles": (
        sm.Spheres([[3, 3], [5, 4], [19, 10]], [2, 1.5, 3]),
        [ball([3, 3], 2), ball([5, 4], 1.5), ball([19, 10], 3)],
    ),
    "spheres": (sm.Spheres([[3, 3, 3], [19, 10, 1]], [2, 4]), [ball([3, 3, 3], 2), ball([19, 10, 1], 4)]),
    "boxes in the plane": (
        sm.Boxes([[5, 5], [18, 12]], [[4, 2], [3, 2]], orientation=[TURN, 0]),
        [block([5, 5], [4, 2], TURN), block([18, 12], [3, 2])],
    ),
    "boxes": (
        sm.Boxes([[5, 5, 5], [18, 12, 1]], [[4, 2, 3], [3, 2, 4]]),
        [block([5, 5, 5], [4, 2, 3]), block([18, 12, 1], [3, 2, 4])],
    ),
    "capsules": (
        sm.Capsules([[2, 2], [16, 9]], [[9, 5], [21, 9]], [1, 2]),
        [bar([2, 2], [9, 5], 1), bar([16, 9], [21, 9], 2)],
    ),
    "capsules in space": (sm.Capsules([2, 2, 2], [9, 5, 12], 2), [bar([2, 2, 2], [9, 5, 12], 2)]),
    "a ring of walls": (sm.Walls(RING, closed=True, seen_from="outside"), [ring(RING)]),
    "a chain of walls": (sm.Walls(CHAIN, seen_from="both"), [chain(CHAIN)]),
    "a mesh": (cube([4, 4, 4], 5), [block([6.5, 6.5, 6.5], [2.5, 2.5, 2.5])]),
}


def deep(p, radius, distances, images):
    places = [[a + b for a, b in zip(p, image, strict=True)] for image in images]
    return max(0.0, radius - min(distance(place) for distance in distances for place in places))


@pytest.mark.parametrize("torus", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_depths(kind, torus):
    obstacles, distances = KINDS[kind]
    d = obstacles.dimensions
    rng = np.random.default_rng(1)
    position, radius = rng.uniform(0, 20, (3, 40, d)), rng.uniform(0, 2, 40)
    images = list(itertools.product(*((-each, 0.0, each) if torus else (0.0,) for each in PERIODS[:d])))
    expected = np.array(
        [[deep(p, r, distances, images) for p, r in zip(frame, radius, strict=True)] for frame in position.tolist()]
    )
    assert 0.02 < (expected > 0).mean() < 0.9
    domain = sm.Torus(PERIODS[:d]) if torus else None
    np.testing.assert_allclose(penetrations(position, obstacles, domain, radius=radius), expected, rtol=0, atol=1e-6)
    np.testing.assert_allclose(
        penetration(position, obstacles, domain, radius=radius), expected.max(axis=1), rtol=0, atol=1e-6
    )
    np.testing.assert_array_equal(
        obstacle_collisions(position, [obstacles], domain, radius=radius, slack=0.5), (expected > 0.5).sum(axis=1)
    )
    single = penetrations(position[0].astype(np.float32), obstacles, domain, radius=radius.astype(np.float32))
    np.testing.assert_allclose(single, expected[0], rtol=0, atol=2e-5)


@pytest.mark.parametrize(
    "kind", [kind for kind, (_, distances) in KINDS.items() if len(distances) == 1 and "chain" not in kind]
)
def test_of_one_that_is_seen_from_inside_who_leaves_is_behind_it(kind):
    obstacles, distances = KINDS[kind]
    position = np.random.default_rng(2).uniform(0, 12, (40, obstacles.dimensions))
    expected = [max(0.0, 0.3 + distances[0](p)) for p in position.tolist()]
    found = penetrations(position, obstacles.viewed_from("inside"), radius=0.3)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_several_kinds_count_together():
    (a, first), (b, second) = KINDS["circles"], KINDS["capsules"]
    position = np.random.default_rng(3).uniform(0, 12, (40, 2))
    expected = [deep(p, 0.5, [*first, *second], [(0.0, 0.0)]) for p in position.tolist()]
    np.testing.assert_allclose(penetrations(position, [a, b], radius=0.5), expected, rtol=0, atol=1e-6)
