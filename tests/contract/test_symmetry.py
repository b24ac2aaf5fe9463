"""The laws are the same in every frame, in every place, and for vehicles in every order."""

from dataclasses import replace
from typing import Any

import numpy as np
from contract.examples import EXAMPLES
from contract.places import State, mirror, rotation
from contract.running import forces
from contract.trying import INSTANCES, try_examples

HANDED = {
    # Random draws have no mirror image.
    **dict.fromkeys(
        [name for name in EXAMPLES if "wander" in name or "unpredictable" in name or "noise" in name], "mirror"
    ),
    **dict.fromkeys([name for name, each in INSTANCES.items() if "Wander" in repr(each)], "mirror"),
    # Slots are filled in order, the right one of two first.
    **dict.fromkeys([name for name in EXAMPLES if "formation" in name or "right" in name], "mirror"),
    # It goes to the left of who is in its way.
    **dict.fromkeys([name for name in EXAMPLES if "orca" in name], "mirror"),
    # To the left of who may meet somebody there is a little danger everywhere.
    **dict.fromkeys([name for name in EXAMPLES if name.startswith("context map of neighbors")], "mirror"),
}
"""Examples that tell left from right. (AvoidObstacles does, dead center, where nobody is in general position.)"""

SPIRALS = [name for name in EXAMPLES if name.startswith("context map")]
"""Examples whose directions lie on a spiral, in 3D, which has no mirror image."""

AXES = {
    "evade unpredictable",
    *(name for name in EXAMPLES if "formation" in name or "slot to the right" in name or "follow lane" in name),
}
"""Examples that choose a direction by the coordinate axes, in 3D (as the others' up does)."""

FIXED = "along the axes"
"""What the names of examples say that have something in them which cannot be turned, such as a box."""


def close(force: Any, expected: Any) -> None:
    """Equal to rounding: in the plane the kernels compute in float32, in space in float64."""
    rounding = 1e-8 if np.shape(force)[-1] == 3 else 2e-3
    np.testing.assert_allclose(force, expected, rtol=rounding, atol=rounding * (1 + np.abs(expected).max(initial=0)))


def steered(name: str, state: State) -> Any:
    place = state.place(np.float32 if state.dimensions == 2 else np.float64)
    return forces(place, EXAMPLES[name](place), steps=2)


@try_examples(("dimensions",), (2, 3), some=1, every=2)
def test_turning_the_world_turns_the_forces(name: str, dimensions: int) -> None:
    if dimensions == 3 and name in AXES:
        return  # Its random axis is chosen by the coordinate axes.
    if FIXED in name:
        return  # Something in it cannot be turned.
    state = State.random(1, dimensions)
    for angle in (0.7, -2.5):
        matrix = rotation(dimensions, angle)
        turned = state.moved(matrix, np.arange(1.0, dimensions + 1))
        close(steered(name, turned), steered(name, state) @ matrix.T)


@try_examples(("dimensions",), (2, 3), some=1, every=2)
def test_moving_the_world_changes_nothing(name: str, dimensions: int) -> None:
    if "gusts" in name:
        return  # Gusts have their places.
    state = State.random(2, dimensions)
    shifted = state.moved(np.eye(dimensions), np.array([3.0, -17.0, 5.5][:dimensions]))
    close(steered(name, shifted), steered(name, state))


@try_examples(every=3)
def test_on_a_torus_everybody_may_live_some_periods_away(name: str) -> None:
    """Moving the population by whole periods, or by anything together with the world, changes nothing."""
    state = State.random(3, 2, torus=True)
    force = steered(name, state)
    close(steered(name, state.moved(np.eye(2), np.array([5.0, -11.0]))), force)


QUARTER = {2: np.array([[0, -1], [1, 0]]), 3: np.array([[0, -1, 0], [0, 0, 1], [-1, 0, 0]])}
"""Turns that leave the axes the axes, but in another order."""


@try_examples(("dimensions",), (2, 3), some=1, every=2)
def test_a_torus_may_be_turned_so_that_its_axes_change(name: str, dimensions: int) -> None:
    """It is oblong: a period, a seam or a cell of one axis that is taken for that of another changes a force."""
    if FIXED in name or (dimensions == 3 and name in AXES):
        return  # Something in it cannot be turned.
    state, matrix = State.random(6, dimensions, torus=True), QUARTER[dimensions]
    close(steered(name, state.moved(matrix, np.zeros(dimensions))), steered(name, state) @ matrix.T)


@try_examples(("dimensions",), (2, 3), some=1, every=2)
def test_a_mirrored_world_has_mirrored_forces(name: str, dimensions: int) -> None:
    if name in HANDED or FIXED in name or (dimensions == 3 and name in SPIRALS):
        return  # It tells left from right, or cannot be turned over.
    state, matrix = State.random(4, dimensions), mirror(dimensions)
    close(steered(name, state.moved(matrix, np.zeros(dimensions))), steered(name, state) @ matrix.T)


@try_examples(("torus",), (False, True), some=1, every=2)
def test_the_order_of_vehicles_means_nothing(name: str, torus: bool) -> None:
    """With ids and everything that belongs to a vehicle along; so random draws follow the vehicle, not its row."""
    state = State.random(5, 2, torus=torus)
    order = np.random.default_rng(0).permutation(9)
    close(steered(name, state.permuted(order)), steered(name, state)[:, order])


def head_on(state: State) -> State:
    """Everything on one line, at unequal distances, and everybody goes exactly toward the next, or away from it."""

    def in_line(rows: Any, first: float, apart: float) -> Any:
        k = np.arange(len(rows))
        return np.stack([first + apart * k + 0.17 * k**2, 0 * k], axis=1)

    def along(rows: Any) -> Any:
        return np.where(np.arange(len(rows)) % 2 == 0, 1.0, -1.0)[:, None] * [1.0, 0.0]

    facing, other = along(state.position), -along(state.others_position)
    return replace(
        state,
        position=in_line(state.position, 0.0, 2.3),
        velocity=facing * np.linalg.norm(state.velocity, axis=1, keepdims=True),
        forward=facing,
        others_position=in_line(state.others_position, 1.1, 3.7),
        others_velocity=other * np.linalg.norm(state.others_velocity, axis=1, keepdims=True),
        others_forward=other,
        rock_center=in_line(state.rock_center, -9.3, 6.1),
        sites=in_line(state.sites, -4.7, 7.9),
        point=np.array([13.3, 0.0]),
        points=in_line(state.points, 3.1, 2.9),
    )


@try_examples(every=4)
def test_the_order_of_vehicles_means_nothing_where_they_go_head_on(name: str) -> None:
    """What is exactly ahead lies on no side: the one that a law takes is that of the vehicle, not that of its row."""
    state = head_on(State.random(5, 2))
    order = np.random.default_rng(1).permutation(9)
    close(steered(name, state.permuted(order)), steered(name, state)[:, order])


OF_ALL = ("formation", "all the world")
"""What the names of examples say in which everybody counts, however far away."""

FAR = 2
"""So many of the vehicles are far away."""


def with_strays(state: State, seed: int) -> State:
    """The last vehicles far away from all others, one here and one there, and not alike in anything."""
    rng, n, d = np.random.default_rng(seed), len(state.position), state.dimensions
    changes = {
        name: np.concatenate([getattr(state, name)[: n - FAR], rows])
        for name, rows in {
            "position": rng.choice([-1.0, 1.0], (FAR, d)) * rng.uniform(2e3, 4e3, (FAR, d)),
            "velocity": rng.normal(0, 2, (FAR, d)),
            "mass": rng.uniform(0.5, 3, FAR),
            "radius": rng.uniform(0.1, 0.9, FAR),
            "max_speed": rng.uniform(1, 4, FAR),
            "max_force": rng.uniform(2, 60, FAR),
        }.items()
    }
    return replace(state, **changes)


@try_examples(("dimensions",), (2, 3), some=1, every=3)
def test_who_is_far_away_means_nothing(name: str, dimensions: int) -> None:
    """Where neighbors are looked for within a radius, and in what belongs to a vehicle alone."""
    if any(each in name for each in OF_ALL):
        return
    said = [steered(name, with_strays(State.random(8, dimensions), seed))[:, :-FAR] for seed in (1, 2)]
    close(said[1], said[0])
