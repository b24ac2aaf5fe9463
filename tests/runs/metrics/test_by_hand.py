"""Every metric against its definition, written once more as plain loops over plain numbers.

In 2D and 3D, in open space and on a torus, float32 and float64, for nobody, one, two, some and many; with vehicles that
coincide and vehicles at rest. Many frames are the same as one after the other; vehicles are the same as their arrays.
"""

import inspect
import itertools
import math
import statistics
from types import SimpleNamespace

import numpy as np
import pytest
from at_once import at_once
from sampling import drawn

import steersman as sm
from steersman.runs import metrics

PERIODS = [10.0, 13.0, 11.5]
"""Sizes of a torus: oblong, so that no axis can stand for another."""

DT = 0.25


# ---------------------------------------------------------------------------------------------------- plain numbers


def way(a, b, period):
    """The shortest way from a to b: of all images of b the one that is nearest."""
    turns = period or [0.0] * len(a)
    return [min((y - x + k * p for k in (-2, -1, 0, 1, 2)), key=abs) for x, y, p in zip(a, b, turns, strict=True)]


def size(vector):
    return math.sqrt(sum(x * x for x in vector))


def apart(a, b, period):
    return size(way(a, b, period))


def unit(vector):
    return [x / size(vector) for x in vector] if size(vector) > 0 else [0.0] * len(vector)


def average(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else math.nan


def average_vector(vectors, d):
    return [average(vector[k] for vector in vectors) for k in range(d)]


def middle(c):
    if c.period is None:
        return average_vector(c.x, c.d)
    turns = [
        [
            complex(math.cos(2 * math.pi * p / q), math.sin(2 * math.pi * p / q))
            for p, q in zip(x, c.period, strict=True)
        ]
        for x in c.x
    ]
    means = [sum(turn[k] for turn in turns) / c.n if c.n else complex(math.nan) for k in range(c.d)]
    return [math.atan2(m.imag, m.real) * q / (2 * math.pi) % q for m, q in zip(means, c.period, strict=True)]


def pairs(c):
    return [(i, j, c.r[i] + c.r[j] - apart(c.x[i], c.x[j], c.period)) for i, j in itertools.combinations(range(c.n), 2)]


def nearest(c):
    return [min((apart(c.x[i], c.x[j], c.period) for j in range(c.n) if j != i), default=math.inf) for i in range(c.n)]


def cross(a, b):
    if len(a) == 2:
        return [a[0] * b[1] - a[1] * b[0]]
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def mill(c):
    m = middle(c)
    outward = [way(m, x, c.period) for x in c.x]
    outward = [unit(w) if size(w) > 1e-9 else [0.0] * c.d for w in outward]
    turning = [cross(w, unit(v)) for w, v in zip(outward, c.v, strict=True)]
    return size([average(t[k] for t in turning) for k in range(1 if c.d == 2 else 3)])


def local(c, k):
    found = []
    for i in range(c.n):
        others = sorted((apart(c.x[i], c.x[j], c.period), j) for j in range(c.n) if j != i)[:k]
        found.append(size(average_vector([unit(c.v[j]) for j in [i, *(j for _, j in others)]], c.d)))
    return average(found)


def to_goal(c):
    return [min(apart(x, g, c.period) for g in c.goal) for x in c.x]


def deep(c):
    """Depth in the rocks: balls."""
    return [
        max(0.0, *(r - (apart(x, middle_of, c.period) - ball) for middle_of, ball in c.rocks))
        for x, r in zip(c.x, c.r, strict=True)
    ]


def spine(c, straight=True):
    """Of everybody the distance from a path, the tangent there and the piece; at a bend, two pieces would be as near."""
    corners = c.straight if straight else c.bent
    found = []
    for x in c.x:
        best = (math.inf, None, None)
        for images in itertools.product((0,) if c.period is None else (-1, 0, 1), repeat=c.d):
            there = [p + k * q for p, k, q in zip(x, images, c.period or [0] * c.d, strict=True)]
            for piece, (a, b) in enumerate(itertools.pairwise(corners)):
                along = [q - p for p, q in zip(a, b, strict=True)]
                t = sum((p - q) * w for p, q, w in zip(there, a, along, strict=True)) / size(along) ** 2
                foot = [p + min(max(t, 0), 1) * w for p, w in zip(a, along, strict=True)]
                off = apart(there, foot, None)
                if off < best[0]:
                    best = (off, unit(along), piece)
        found.append(best)
    return found


def groups(c):
    """Clusters by painting: from each who has no number yet to all who can be reached from it."""
    number = [None] * c.n
    for i in range(c.n):
        if number[i] is None:
            number[i] = max((k for k in number if k is not None), default=-1) + 1
            edge = [i]
            while edge:
                a = edge.pop()
                near = [b for b in range(c.n) if number[b] is None and apart(c.x[a], c.x[b], c.period) <= REACH]
                for b in near:
                    number[b] = number[i]
                edge += near
    return number


def lanes(c):
    """Lanes along the second axis."""
    going = [i for i in range(c.n) if c.v[i][1] != 0]
    found = []
    for i in going:
        across = [[*c.x[j][:1], *c.x[j][2:]] for j in going]
        own = [*c.x[i][:1], *c.x[i][2:]]
        period = c.period and [*c.period[:1], *c.period[2:]]
        beside = [j for j, place in zip(going, across, strict=True) if apart(own, place, period) <= WIDTH]
        alike = sum((c.v[i][1] > 0) == (c.v[j][1] > 0) for j in beside)
        found.append(((2 * alike - len(beside)) / len(beside)) ** 2)
    return average(found)


REACH, WIDTH = 1.7, 0.9

SLACK, STANDING, WALKING = 0.2, 1.75, 1.5
"""Options that are not at their defaults."""

ONE_FRAME = {
    "mean_speed": lambda c: average(map(size, c.v)),
    "polarization": lambda c: size(average_vector(list(map(unit, c.v)), c.d)),
    "directions": lambda c: list(map(unit, c.v)),
    "center": middle,
    "dispersion": lambda c: math.sqrt(average(apart(middle(c), x, c.period) ** 2 for x in c.x)),
    "cohesion_radius": lambda c: max((apart(middle(c), x, c.period) for x in c.x), default=math.nan),
    "milling": mill,
    "local_polarization": lambda c: local(c, 7),
    "overlaps": lambda c: ([p[:2] for p in pairs(c) if p[2] > 0], [p[2] for p in pairs(c) if p[2] > 0]),
    "collisions": lambda c: sum(p[2] > SLACK for p in pairs(c)),
    "overlap": lambda c: max(0.0, *(p[2] for p in pairs(c)), 0.0),
    "overlapping": lambda c: average(float(any(i in p[:2] and p[2] > 0 for p in pairs(c))) for i in range(c.n)),
    "collided_pairs": lambda c: [p[:2] for p in pairs(c) if p[2] > SLACK],
    "cluster_labels": groups,
    "cluster_count": lambda c: len(set(groups(c))),
    "largest_cluster": lambda c: max((groups(c).count(k) for k in groups(c)), default=math.nan) / max(c.n, 1),
    "lane_order": lanes,
    "density": lambda c: (
        sum(apart(x, c.point, c.period) <= 3.0 for x in c.x) / (math.pi * 9 if c.d == 2 else math.pi * 36)
    ),
    "nearest_distances": nearest,
    "nearest_distance": lambda c: statistics.median(nearest(c)) if c.n else math.nan,
    "closest_approach": lambda c: min(nearest(c), default=math.inf),
    "penetrations": deep,
    "penetration": lambda c: max(deep(c), default=0.0),
    "obstacle_collisions": lambda c: sum(depth > SLACK for depth in deep(c)),
    "distances_to": to_goal,
    "distance_to": lambda c: average(to_goal(c)),
    "farthest_from": lambda c: max(to_goal(c), default=math.nan),
    "closest_to": lambda c: min(to_goal(c), default=math.nan),
    "retreat": lambda c: (
        max(
            0.0,
            *(
                sum(p * q for p, q in zip(v, unit(way(c.point, x, c.period)), strict=True))
                for x, v in zip(c.x, c.v, strict=True)
            ),
            0.0,
        )
        if c.n
        else math.nan
    ),
    "arrived": lambda c: average(float(g <= r) for g, r in zip(to_goal(c), c.r, strict=True)),
    "path_error": lambda c: average(found[0] for found in spine(c, straight=False)),
    "off_path": lambda c: average(float(found[0] > c.widths[found[2]]) for found in spine(c)),
    "progress": lambda c: average(
        sum(p * q for p, q in zip(v, found[1], strict=True)) for v, found in zip(c.v, spine(c), strict=True)
    ),
    "outside": lambda c: average(float(apart(x, c.point, c.period) > 3.0) for x in c.x),
    "kinetic_energy": lambda c: sum(m * size(v) ** 2 / 2 for m, v in zip(c.m, c.v, strict=True)),
    "walking_power": lambda c: average(STANDING + WALKING * size(v) ** 2 for v in c.v),
}
"""What a metric of one frame is: of a crowd `c` of n vehicles with places x, velocities v, radii r and masses m."""


def steps(run, i):
    return [way(a.x[i], b.x[i], a.period) for a, b in itertools.pairwise(run)]


def per_vehicle(function):
    return lambda run: [function(run, i) for i in range(run[0].n)]


def second(a, b, c):
    return [(p - 2 * q + r) / DT**2 for p, q, r in zip(a, b, c, strict=True)]


def turning(a, b, c):
    if not all(map(size, (a, b, c))):
        return math.nan
    change = second(unit(a), unit(b), unit(c))
    along = sum(p * q for p, q in zip(change, unit(b), strict=True))
    return size([p - along * q for p, q in zip(change, unit(b), strict=True)])


def triples(run):
    return zip(run, run[1:], run[2:], strict=False)


def root(numbers):
    return math.sqrt(average(x * x for x in numbers if not math.isnan(x)))


def firsts(a, b):
    return [(q - p) / DT for p, q in zip(a, b, strict=True)]


def first_time(run, i):
    return next((k * DT for k, c in enumerate(run) if to_goal(c)[i] <= c.r[i]), math.inf)


def waiting(run, i, k):
    """Whether vehicle i is stuck at frame k, found by going through its past: `place` is where it began to wait."""
    place, since = run[0].x[i], 0.0
    for number, c in enumerate(run[: k + 1]):
        if to_goal(c)[i] <= 0.5 or apart(place, c.x[i], c.period) > 0.8:
            place, since = c.x[i], number * DT
    return k * DT - since >= 0.75


def wants(run, i, k):
    return to_goal(run[k])[i] > 0.5


def longer(run):
    ratios = []
    for i in range(run[0].n):
        there = size([sum(step[k] for step in steps(run, i)) for k in range(run[0].d)])
        if there > 0:
            ratios.append(sum(map(size, steps(run, i))) / there)
    return average(ratios)


WHOLE_RUN = {
    "collided_pairs": lambda run: sorted({p[:2] for c in run for p in pairs(c) if p[2] > SLACK}),
    "accelerations": lambda run: [
        [firsts(p, q) for p, q in zip(a.v, b.v, strict=True)] for a, b in itertools.pairwise(run)
    ],
    "acceleration": lambda run: root(
        size(firsts(p, q)) for a, b in itertools.pairwise(run) for p, q in zip(a.v, b.v, strict=True)
    ),
    "jerks": lambda run: [[second(*v) for v in zip(a.v, b.v, c.v, strict=True)] for a, b, c in triples(run)],
    "jerk": lambda run: root(size(second(*v)) for a, b, c in triples(run) for v in zip(a.v, b.v, c.v, strict=True)),
    "turn_accelerations": lambda run: [
        [turning(*v) for v in zip(a.v, b.v, c.v, strict=True)] for a, b, c in triples(run)
    ],
    "turn_jitter": lambda run: root(turning(*v) for a, b, c in triples(run) for v in zip(a.v, b.v, c.v, strict=True)),
    "arrival_times": per_vehicle(first_time),
    "path_lengths": per_vehicle(lambda run, i: sum(map(size, steps(run, i)))),
    "detour": longer,
    "is_stuck": lambda run: [[waiting(run, i, k) for i in range(run[0].n)] for k in range(len(run))],
    "is_deadlocked": lambda run: [
        any(wants(run, i, k) for i in range(run[0].n))
        and all(waiting(run, i, k) for i in range(run[0].n) if wants(run, i, k))
        for k in range(len(run))
    ],
    "walking_energy": per_vehicle(lambda run, i: sum((STANDING + WALKING * size(c.v[i]) ** 2) * DT for c in run)),
    "work": per_vehicle(
        lambda run, i: sum(abs(size(b.v[i]) ** 2 - size(a.v[i]) ** 2) / 2 for a, b in itertools.pairwise(run))
    ),
    "effort": per_vehicle(lambda run, i: sum(size(firsts(a.v[i], b.v[i])) * DT for a, b in itertools.pairwise(run))),
}
"""What a metric of a whole run is, a list of crowds."""


# ------------------------------------------------------------------------------------------------------------- crowds


def crowd(d, dtype, n, frames=1, torus=True, seed=0):
    """The arguments of all metrics, and the same as lists of plain numbers for each frame."""
    rng = np.random.default_rng(seed)
    start = rng.uniform(0, PERIODS[:d], (n, d))
    velocity = np.cumsum(rng.normal(0, 1, (frames, n, d)), axis=0)
    position = start + np.cumsum(0.2 * velocity, axis=0)
    if n == 3:  # Two who are near each other across the seam, and nobody at the same place as another.
        position[0, :2] = [[0.2, *position[0, 0, 1:]], [9.7, *position[0, 0, 1:]]]
    elif n > 1:
        position[0, 1] = position[0, 0]
    if n > 1:
        velocity[:, 1] = 0
        position[:, 1] = position[0, 1]
    if n > 3 and frames > 2:  # Somebody rests for a moment.
        velocity[frames // 2, 3] = 0
    if n > 2:
        velocity[:, 2] = [1.0, 2.0, 3.0][:d]
    if torus:
        position %= PERIODS[:d]
    given = SimpleNamespace(
        position=position.astype(dtype), velocity=velocity.astype(dtype), domain=sm.Torus(PERIODS[:d]) if torus else None,
        radius=rng.uniform(0.1, 0.9 if n < 100 else 0.4, n).astype(dtype), mass=rng.uniform(0.5, 2, n).astype(dtype),
        goal=rng.uniform(0, PERIODS[:d], (3, d)), rocks=[([1.0, 9.5, 4.0][:d], 1.5), ([6.0, 5.0, 4.0][:d], 2.5)],
        bent=[[0.5, 9.0, 3.0][:d], [4.0, 5.0, 6.0][:d], [9.0, 6.0, 5.0][:d]], widths=[0.7, 1.6],
        straight=[[0.5, 9.0, 3.0][:d], [3.5, 7.0, 3.5][:d], [9.5, 3.0, 4.5][:d]],
        point=[1.0, 9.0, 2.0][:d],
    )  # fmt: skip
    given.plain = [
        SimpleNamespace(
            x=x.astype(float).tolist(), v=v.astype(float).tolist(), r=given.radius.astype(float).tolist(), n=n, d=d,
            m=given.mass.astype(float).tolist(), period=PERIODS[:d] if torus else None, goal=given.goal.tolist(),
            rocks=given.rocks, bent=given.bent, straight=given.straight, widths=given.widths, point=given.point,
        )
        for x, v in zip(given.position, given.velocity, strict=True)
    ]  # fmt: skip
    return given


def arguments(name, given):
    """What a metric is given beside its first argument, by name."""
    corners = given.bent if name == "path_error" else given.straight
    rocks = sm.Spheres([place for place, _ in given.rocks], [ball for _, ball in given.rocks])
    known = {
        "domain": given.domain, "radius": given.radius, "velocity": given.velocity, "mass": given.mass, "dt": DT,
        "obstacles": [rocks], "path": sm.Path(corners, radius=given.widths), "region": sm.Sphere(given.point, 3.0),
        "point": given.point, "target": given.goal, "goal": given.goal, "within": given.radius,
        "reach": REACH, "width": WIDTH, "slack": SLACK, "standing": STANDING, "walking": WALKING,
        "axis": [0, -2, 0][: given.position.shape[-1]],
    }  # fmt: skip
    if name.startswith("is_"):
        known |= {"radius": 0.8, "seconds": 0.75, "arrived": 0.5}
    names = list(inspect.signature(getattr(metrics, name)).parameters)[1:]
    return {key: value for key, value in known.items() if key in names}


def first(name, given):
    """The first argument."""
    return getattr(given, next(iter(inspect.signature(getattr(metrics, name)).parameters)))


def same(found, expected, tolerance=1e-9):
    if isinstance(found, tuple):
        for one, other in zip(found, expected, strict=True):
            same(one, other, tolerance)
        return
    if np.size(expected) == 0:
        assert np.size(found) == 0
        return
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


CASES = list(itertools.product((2, 3), (np.float32, np.float64), (True, False)))


def cases(name):
    """Dimensions, types and whether space wraps around: two that have nothing in common, and one more, by name."""
    usual = [(2, np.float32, True), (3, np.float64, False)]
    return usual + drawn([case for case in CASES if case not in usual], 1, f"metric {name}")


# -------------------------------------------------------------------------------------------------------------- tests


def test_every_metric_has_its_definition_here():
    public = {name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))}
    assert public == ONE_FRAME.keys() | WHOLE_RUN.keys() | ELSEWHERE


def test_without_options_any_contact_counts_and_a_walker_uses_what_whittle_says():
    """1.33 m/s is the speed at which a way costs least."""
    places = [[0.0, 0.0], [0.99, 0.0], [3.0, 0.0]]
    assert metrics.collisions(places, radius=0.5) == 1
    assert metrics.collided_pairs(places, radius=0.5).tolist() == [[0, 1]]
    assert metrics.obstacle_collisions(places, sm.Spheres([[0.0, 1.49]], 1.0), radius=0.5) == 1
    assert metrics.walking_power([[1.0, 0.0], [0.0, 0.0]]) == pytest.approx(2.23 + 1.26 / 2)
    np.testing.assert_allclose(metrics.walking_energy([[[1.0, 0.0]]] * 4, DT), [4 * DT * (2.23 + 1.26)])


def test_clusters_are_those_of_their_frame():
    frames = [[[0, 0], [1, 0], [9, 0]], [[0, 0], [5, 0], [6, 0]], [[0, 0], [5, 0], [9, 0]]]
    assert metrics.cluster_labels(frames, 2).tolist() == [[0, 0, 1], [0, 1, 1], [0, 1, 2]]
    assert metrics.cluster_count(frames, 2).tolist() == [2, 2, 3]


ELSEWHERE = {
    *("projected", "crossings", "flow", "specific_flow", "voronoi_areas", "voronoi_density"),
    *("pair_correlation", "velocity_correlation", "correlation_length", "number_fluctuations", "unwrapped"),
    *("mean_square_displacement", "susceptibility", "binder_cumulant", "hull_size", "voronoi_volumes"),
    *("turn_delays", "space_time"),
}
"""Those that have a test file of their own, or are what others here rest upon."""


@pytest.mark.parametrize("name", ONE_FRAME)
def test_one_frame(name):
    for (d, dtype, torus), n in itertools.product(cases(name), (0, 1, 2, 3, 24)):
        given = crowd(d, dtype, n, torus=torus, seed=n)
        bare = SimpleNamespace(**vars(given))
        bare.position, bare.velocity = given.position[0], given.velocity[0]
        found = getattr(metrics, name)(first(name, bare), **arguments(name, bare))
        same(found, ONE_FRAME[name](given.plain[0]))


@pytest.mark.each_value
@pytest.mark.parametrize("torus", [True, False])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(
    "name",
    [
        "overlaps",
        "collisions",
        "nearest_distances",
        "distances_to",
        "local_polarization",
        "collided_pairs",
        "lane_order",
        "cluster_labels",
    ],
)
def test_many(name, d, torus):
    """So many that they are found in a grid."""
    given = crowd(d, np.float64, 170, torus=torus)
    given.goal = np.random.default_rng(1).uniform(0, PERIODS[:d], (200, d))
    given.plain[0].goal = given.goal.tolist()
    given.position, given.velocity = given.position[0], given.velocity[0]
    same(getattr(metrics, name)(first(name, given), **arguments(name, given)), ONE_FRAME[name](given.plain[0]))


@pytest.mark.parametrize("name", WHOLE_RUN)
def test_a_whole_run(name):
    for (d, dtype, torus), n in itertools.product(cases(name), (0, 1, 2, 9)):
        given = crowd(d, dtype, n, frames=9, torus=torus, seed=n + 1)
        if name.startswith("is_") and n > 1:  # Somebody who waits, and somebody who goes to and fro.
            given.position[3:8, 0] = given.position[3, 0]
            given.position[::2, 1] = given.position[0, 1]
            given.position[1::2, 1] = given.position[0, 1] + dtype(0.3)
            if n > 2:  # The first of them waits at its goal.
                given.goal[0] = given.position[3, 0]
            for c, x in zip(given.plain, given.position, strict=True):
                c.x, c.goal = x.astype(float).tolist(), given.goal.tolist()
        found = getattr(metrics, name)(first(name, given), **arguments(name, given))
        same(found, WHOLE_RUN[name](given.plain), 1e-6 if name.startswith(("turn", "jerk")) else 1e-9)


@pytest.mark.parametrize("n", [0, 1, 5, 160])
@at_once("name", sorted(ONE_FRAME.keys() - WHOLE_RUN.keys()))
def test_many_frames_are_one_after_the_other(name, n):
    given = crowd(2, np.float32, n, frames=4)
    whole = getattr(metrics, name)(first(name, given), **arguments(name, given))
    for k in range(4):
        bare = SimpleNamespace(**vars(given))
        bare.position, bare.velocity = given.position[k], given.velocity[k]
        one = getattr(metrics, name)(first(name, bare), **arguments(name, bare))
        if name == "overlaps":
            here = whole[0][:, 0] == k
            np.testing.assert_array_equal(whole[0][here, 1:], one[0])
            np.testing.assert_array_equal(whole[1][here], one[1])
        else:
            np.testing.assert_array_equal(whole[k], one)


@at_once("name", sorted(ONE_FRAME))
def test_vehicles_are_the_same_as_their_arrays(name):
    given = crowd(2, np.float64, 12)
    given.position, given.velocity = given.position[0], given.velocity[0]
    vehicles = sm.Vehicles(
        given.position, given.velocity, radius=given.radius, mass=given.mass, max_speed=99, dtype=np.float64
    )
    rest = arguments(name, given)
    bare = getattr(metrics, name)(first(name, given), **rest)
    for column in ("radius", "velocity", "mass", "within"):
        rest.pop(column, None)
    same(getattr(metrics, name)(vehicles, **rest), bare, 0)
    same(getattr(metrics, name)(sm.World().add(vehicles), **rest), bare, 0)


@at_once("name", sorted(ONE_FRAME.keys() | WHOLE_RUN.keys()))
def test_what_is_not_finite_is_refused(name):
    given = crowd(2, np.float64, 3, frames=4)
    given.position[2, 1, 0] = given.velocity[2, 1, 0] = np.nan
    column = next(iter(inspect.signature(getattr(metrics, name)).parameters))
    with pytest.raises(ValueError, match=rf"^{column} must be finite, got nan at index \(2, 1, 0\)$"):
        getattr(metrics, name)(first(name, given), **arguments(name, given))


@at_once("name", sorted(ONE_FRAME.keys() | WHOLE_RUN.keys()))
def test_a_wrong_shape_or_kind_is_told(name):
    given = crowd(2, np.float64, 3, frames=4)
    rest = arguments(name, given)
    function = getattr(metrics, name)
    column = next(iter(inspect.signature(function).parameters))
    with pytest.raises(ValueError, match=rf"{column} must have shape .*frames, n, d"):
        function([1.0, 2.0], **rest)
    with pytest.raises(TypeError, match=rf"{column} must be .*world\['boids'\]"):
        function("boids", **rest)
    with pytest.raises(TypeError, match=r"has no parameter 'domian'; did you mean|has no parameter 'domian'"):
        function(first(name, given), **rest, domian=None)
    if "domain" in rest:
        with pytest.raises(ValueError, match="the domain must have 2 dimensions"):
            function(first(name, given), **(rest | {"domain": sm.Torus([1, 1, 1])}))
    if "dt" in rest:
        with pytest.raises(ValueError, match="dt must be > 0 s, got 0"):
            function(first(name, given), **(rest | {"dt": 0}))
    if "velocity" in rest:
        with pytest.raises(ValueError, match="velocity must have shape"):
            function(first(name, given), **(rest | {"velocity": given.velocity[:2]}))
        with pytest.raises(TypeError, match="velocity must be given beside position"):
            function(first(name, given), **(rest | {"velocity": None}))


def test_a_misspelt_metric_is_told():
    with pytest.raises(AttributeError, match="no attribute 'polarisation'; did you mean 'polarization'"):
        _ = metrics.polarisation
