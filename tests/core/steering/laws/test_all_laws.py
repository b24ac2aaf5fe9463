"""What holds for every law: symmetry, broadcasting, types, and good behavior in degenerate cases."""

import inspect
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from core.steering.laws.states import HANDED, STEERING, State
from hypothesis import given, settings
from hypothesis import strategies as st

import steersman as sm
from steersman.core.steering import laws

ALL = STEERING | HANDED


def rotation(dimensions: int, angle: float) -> Any:
    """A rotation; in 3D around a slanted axis."""
    if dimensions == 2:
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    axis = laws.normalize(np.array([1.0, -2.0, 0.5]))
    return np.stack([laws.rotate(row, angle, axis) for row in np.eye(3)], axis=1)


@pytest.mark.each_value
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("name", ALL)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), angle=st.sampled_from([0.7, 2.5, -1.0]))
def test_laws_are_the_same_in_every_frame(name: str, dimensions: int, seed: int, angle: float) -> None:
    """Case A23 of the analytic cases: F(R x + c, R v) = R F(x, v)."""
    state, matrix = State.random(seed, dimensions), rotation(dimensions, angle)
    moved = state.moved(matrix, np.arange(1.0, dimensions + 1))
    np.testing.assert_allclose(ALL[name](moved), ALL[name](state) @ matrix.T, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "dimensions"),
    # In the plane, wander's state is told by components to the side, which change sign in a mirror.
    [(name, d) for name in STEERING for d in (2, 3) if (name, d) != ("wander", 2)],
)
def test_laws_are_the_same_in_a_mirror(name: str, dimensions: int) -> None:
    state, mirror = State.random(3, dimensions), np.eye(dimensions)
    mirror[0, 0] = -1
    moved = state.moved(mirror, np.zeros(dimensions))
    np.testing.assert_allclose(STEERING[name](moved), STEERING[name](state) @ mirror.T, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_one_vehicle_gets_what_it_gets_among_many(name: str) -> None:
    state = State.random(11, 3)
    together = ALL[name](state)
    assert together.shape == state.position.shape
    alone = np.array([ALL[name](state.vehicle(i)) for i in range(len(together))])
    np.testing.assert_allclose(together, alone, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ALL)
def test_the_floating_type_is_kept(name: str, dtype: Any) -> None:
    state = State.random(2, 3, dtype=dtype)
    assert ALL[name](state).dtype == dtype
    assert ALL[name](state.vehicle(0)).dtype == dtype


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("name", ALL)
def test_nothing_degenerate_gives_nan(name: str, dimensions: int) -> None:
    """All in one place, at rest, with no draw; once with a heading, once without, once without a crowd."""
    state = State.random(1, dimensions)
    nothing = {key: np.zeros_like(getattr(state, key)) for key in ALL_VECTORS}
    for changes in (
        {key: value for key, value in nothing.items() if "forward" not in key},
        nothing,
        nothing | {key: np.zeros((0, dimensions)) for key in ("crowd", "crowd_velocity", "centers")} | {"radii": []},
    ):
        force = ALL[name](replace(state, **changes))
        assert force.shape == (5, dimensions)
        assert np.isfinite(force).all()


ALL_VECTORS = [
    "position", "velocity", "forward", "target", "other", "other_velocity", "other_forward", "displacement", "draw",
    "crowd", "crowd_velocity",
]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_inputs_are_not_changed(name: str) -> None:
    state, same = State.random(4, 3), State.random(4, 3)
    ALL[name](state)
    for key in (*ALL_VECTORS, "turn", "centers", "radii"):
        np.testing.assert_array_equal(getattr(state, key), getattr(same, key))


CRUISING = {
    name: parameters
    for name in laws.__all__
    for parameters in (
        [inspect.signature(getattr(laws, name)).parameters] if inspect.isfunction(getattr(laws, name)) else []
    )
    if "speed" in parameters and isinstance(parameters["speed"].default, str)
}
"""The laws that take a cruise speed, and their parameters."""


@pytest.mark.parametrize("name", CRUISING)
def test_a_cruise_speed_below_the_maximum_speed_acts_as_a_lower_maximum_speed(name: str) -> None:
    s = State.random(5, 2)
    valid = vars(s) | {
        "pursuer": s.other, "pursuer_velocity": s.other_velocity, "quarry": s.other, "quarry_velocity": s.other_velocity,
        "neighbors": s.crowd, "sites": s.crowd, "theirs": laws.normalize(s.crowd_velocity), "visible": s.seen,
        "waypoints": s.crowd, "checkpoints": s.crowd, "index": np.zeros(5, int), "ahead": s.target, "remaining": 3.0,
        "path": sm.Path([[-9.0, -2], [0, 3], [9, -1]], radius=0.5), "normal": s.forward, "distance": 1.0,
        "offset": s.target, "flow": 3 * s.displacement, "time": 1.0, "slowing_distance": 4.0, "radius": 2.0,
        "seek_distance": 1.0, "margin": 1.0, "come_around": 3.0,
    }  # fmt: skip
    own = {key: valid[key] for key in CRUISING[name] if key in valid}
    slow, fast, slower = (
        answer[0] if isinstance(answer := getattr(laws, name)(**own, max_speed=top, speed=speed), tuple) else answer
        for top, speed in ((2.0, "max"), (5.0, "max"), (5.0, 2.0))
    )
    np.testing.assert_allclose(slower, slow, rtol=1e-12)
    assert not np.allclose(slower, fast)


def test_plain_lists_will_do() -> None:
    np.testing.assert_allclose(laws.seek([0, 0], [1, 0], [3, 4], 5), [2, 4])
    np.testing.assert_allclose(laws.arrive([0, 0], [1, 0], [3, 4], 5, slowing_distance=10), [0.5, 2])
    np.testing.assert_allclose(laws.separation([0, 0], [[0, 2], [4, 0]]), [-0.25, -0.5])


def test_numbers_may_be_given_one_a_vehicle() -> None:
    state = State.random(6, 2)
    speeds = np.arange(1.0, 6.0)
    together = laws.seek(state.position, state.velocity, state.target, speeds)
    for i in range(5):
        one = laws.seek(state.position[i], state.velocity[i], state.target[i], speeds[i])
        np.testing.assert_allclose(together[i], one)
    crowd = np.zeros((4, 2))
    pushes = laws.separation(state.position, crowd, strength=speeds)
    np.testing.assert_allclose(pushes, speeds[:, None] * laws.separation(state.position, crowd))


def test_every_exported_name_exists_once() -> None:
    assert len(set(laws.__all__)) == len(laws.__all__)
    assert all(hasattr(laws, name) for name in laws.__all__)
