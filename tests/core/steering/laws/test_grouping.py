"""Neighborhoods and the group laws."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steersman.core.steering import laws

CROWD = np.array([[1.0, 0], [0, 2], [-3, 0], [0, -4]])


@given(seed=st.integers(0, 1000), angle=st.floats(0.1, 2 * np.pi), inner=st.floats(0, 3))
def test_neighborhood_is_distance_and_angle(seed: int, angle: float, inner: float) -> None:
    rng = np.random.default_rng(seed)
    position, forward = rng.normal(0, 4, (12, 2)), laws.normalize(rng.normal(size=(12, 2)))
    seen = laws.neighborhood(position, forward, 5.0, angle=angle, inner_radius=inner)
    for i in range(12):
        for j in range(12):
            offset = position[j] - position[i]
            off_axis = abs((np.angle(complex(*offset) / complex(*forward[i]))) if i != j else 0.0)
            distance = np.hypot(*offset)
            expected = i != j and distance <= 5 and (distance <= inner or off_axis <= angle / 2)
            assert seen[i, j] == expected


def test_a_full_circle_sees_behind_and_edges_are_inside() -> None:
    behind = np.array([[-5.0, 0.0]])
    assert laws.neighborhood(np.zeros(2), np.array([1.0, 0]), 5.0, others=behind).all()
    assert not laws.neighborhood(np.zeros(2), np.array([1.0, 0]), 5.0, angle=6.0, others=behind).any()
    assert not laws.neighborhood(np.zeros(2), np.array([1.0, 0]), 4.999, others=behind).any()


def test_coincident_vehicles_are_neighbors() -> None:
    seen = laws.neighborhood(np.zeros((3, 2)), np.tile([1.0, 0], (3, 1)), 1.0, angle=1.0)
    np.testing.assert_array_equal(seen, ~np.eye(3, dtype=bool))


def test_separation_sums_unit_vectors_over_distance() -> None:
    np.testing.assert_allclose(laws.separation(np.zeros(2), CROWD), [-1 + 1 / 3, -1 / 2 + 1 / 4])
    np.testing.assert_allclose(laws.separation(np.zeros(2), CROWD, falloff=2), [-1 + 1 / 9, -1 / 4 + 1 / 16])
    np.testing.assert_allclose(laws.separation(np.zeros(2), CROWD, CROWD[:, 0] > 0, strength=5.0), [-5.0, 0])


def test_inverse_square_separation_is_limited_per_neighbor() -> None:
    force = laws.inverse_square_separation(np.zeros(2), CROWD, strength=8.0, limit=1.5)
    np.testing.assert_allclose(force, [-1.5 + 8 / 9, -1.5 + 0.5])


def test_mean_site_separation_flees_the_mean_and_brakes_alone() -> None:
    velocity = np.array([1.0, 1.0])
    steering = laws.mean_site_separation(np.zeros(2), velocity, CROWD, 2.0)
    np.testing.assert_allclose(steering, laws.flee(np.zeros(2), velocity, CROWD.mean(axis=0), 2.0))
    np.testing.assert_array_equal(laws.mean_site_separation(np.zeros(2), velocity, CROWD, 2.0, False), -velocity)


def test_cohesion_seeks_the_centroid() -> None:
    velocity, centroid = np.array([1.0, 0]), CROWD.mean(axis=0)
    np.testing.assert_allclose(laws.cohesion_offset(np.ones(2), CROWD), centroid - 1)
    np.testing.assert_allclose(
        laws.cohesion(np.ones(2), velocity, CROWD, 3.0), laws.seek(np.ones(2), velocity, centroid, 3.0)
    )


def test_alignment_takes_the_mean_not_the_sum() -> None:
    np.testing.assert_allclose(laws.alignment(np.ones(2), CROWD), CROWD.mean(axis=0) - 1)
    np.testing.assert_allclose(laws.alignment(np.ones(2), CROWD, [True, True, False, False]), [-0.5, 0])


def test_who_sees_nobody_does_nothing() -> None:
    nobody = np.zeros((3, 4), dtype=bool)
    p, v = np.ones((3, 2)), np.ones((3, 2))
    for force in (
        laws.separation(p, CROWD, nobody),
        laws.inverse_square_separation(p, CROWD, nobody),
        laws.cohesion(p, v, CROWD, 3.0, nobody),
        laws.cohesion_offset(p, CROWD, nobody),
        laws.alignment(v, CROWD, nobody),
    ):
        np.testing.assert_array_equal(force, np.zeros((3, 2)))


def test_pairs_push_each_other_apart_equally() -> None:
    p = np.random.default_rng(0).normal(0, 3, (30, 3))
    seen = laws.neighborhood(p, np.zeros_like(p), 4.0)
    np.testing.assert_allclose(laws.separation(p, p, seen).sum(axis=0), 0, atol=1e-12)


def test_flocking_normalizes_then_weighs_then_sums() -> None:
    force = laws.flocking(
        np.array([0.0, 9.0]), np.array([0.01, 0]), np.zeros(2), weights=(3.0, 2.0, 1.0), max_force=10.0
    )
    np.testing.assert_allclose(force, [20.0, 30.0])


def test_flocking_is_the_normalized_weighted_sum() -> None:
    parts = list(np.random.default_rng(1).normal(size=(3, 5, 2)))
    flock = laws.flocking(*parts, weights=(3.0, 2.0, 1.0), max_force=4.0)
    summed = laws.weighted_sum(parts, [3.0, 2.0, 1.0], each="normalize", max_force=4.0)
    np.testing.assert_allclose(flock, summed)


def test_neighbor_mean_counts() -> None:
    mean, count = laws.neighbor_mean(CROWD, np.eye(2, 4, dtype=bool))
    np.testing.assert_array_equal(mean, CROWD[:2])
    np.testing.assert_array_equal(count, [1, 1])
    mean, count = laws.neighbor_mean(np.zeros((0, 2)))
    assert count == 0
    np.testing.assert_array_equal(mean, [0, 0])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_coincident_neighbor_pushes_nowhere(dimensions: int) -> None:
    p = np.zeros((2, dimensions))
    np.testing.assert_array_equal(laws.separation(p, p), p)
    np.testing.assert_array_equal(laws.inverse_square_separation(p, p), p)


OF_NEIGHBORS = {"neighbors", "sites", "theirs", "values", "neighbors_velocity", "neighbors_radius"}
"""Arguments with a row for each neighbor."""

WITH_A_VIEW = [
    name
    for name in laws.__all__
    if callable(getattr(laws, name)) and "visible" in inspect.signature(getattr(laws, name)).parameters
]
"""Laws that are told which neighbors a vehicle sees."""


def test_all_laws_with_a_view_are_found() -> None:
    assert {"separation", "cohesion", "alignment", "avoid_neighbors", "vicsek_heading"} <= set(WITH_A_VIEW)


@pytest.mark.parametrize("name", WITH_A_VIEW)
def test_who_is_not_seen_is_as_if_it_were_not_there(name: str) -> None:
    """For one vehicle, and, where the law takes several, for several of which each sees others."""
    law, rng = getattr(laws, name), np.random.default_rng(2)
    own = {"max_speed": 2.0, "lookahead": 4.0, "radii": (1.0, 2.5, 9.0), "radius": 0.4}
    own |= {"distance": 3.0, "max_acceleration": 5.0, "law": "all"}
    for key in ("position", "velocity", "forward", "own"):
        own[key] = rng.normal(size=(2, 2))
    own["forward"] = laws.normalize(own["forward"])
    theirs = {key: rng.normal(0, 2, (7, 2)) for key in OF_NEIGHBORS} | {"neighbors_radius": rng.uniform(0.1, 0.9, 7)}
    takes = inspect.signature(law).parameters
    theirs = {key: each for key, each in theirs.items() if key in takes}
    own = {key: each for key, each in own.items() if key in takes}
    seen = np.array([[True, False, True, True, False, False, True], [False, True, False, True, True, False, False]])
    together = None if name in ("avoid_neighbors", "zones_heading") else law(**own, **theirs, visible=seen)
    matters = False
    for i in range(2):
        one = {key: each[i] if isinstance(each, np.ndarray) else each for key, each in own.items()}
        expected = law(**one, **{key: each[seen[i]] for key, each in theirs.items()})
        everybody = law(**one, **theirs)
        alone = law(**one, **theirs, visible=seen[i])
        np.testing.assert_allclose(np.hstack(alone), np.hstack(expected), rtol=1e-12, atol=1e-12)
        if together is not None:
            row = tuple(each[i] for each in together) if isinstance(together, tuple) else together[i]
            np.testing.assert_allclose(np.hstack(row), np.hstack(expected), rtol=1e-12, atol=1e-12)
        matters |= not np.allclose(np.hstack(everybody), np.hstack(expected))
    assert matters
