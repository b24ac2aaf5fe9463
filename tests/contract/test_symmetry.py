"""The laws are the same in every frame, in every place, and for vehicles in every order."""

from dataclasses import replace
from typing import Any

import numpy as np
from contract.examples import EXAMPLES
from contract.places import State, mirror, rotation
from contract.running import DT, controller, forces
from contract.trying import INSTANCES, try_examples

import steersman as sm
from steersman.core.environment.obstacles.obstacle import OBSTACLES
from steersman.core.parameters.kinds import Description
from steersman.core.parameters.parameters import Parameters, describe
from steersman.core.steering.behavior import as_behavior
from steersman.core.steering.obstacles.follow_wall import FOLLOWED

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
def test_moving_the_world_far_away_changes_nothing(name: str) -> None:
    """A thousand kilometers: what is the rounding error of a place in float32 is a length in float64."""
    if "gusts" in name or "follow lane" in name:
        return  # Gusts have their places; lanes have none for one that is exactly between two.
    state = State.random(7, 3)
    shifted = state.moved(np.eye(3), np.full(3, 2.0**20))
    found, expected = steered(name, shifted), steered(name, state)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * (1 + np.abs(expected).max(initial=0)))


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


@try_examples(("dimensions",), (2, 3), some=1, every=2)
def test_who_goes_leaves_the_others_what_is_their_own(name: str, dimensions: int) -> None:
    """Points, ids, numbers and memory that are given by the row of a vehicle stay with it when rows before it go."""
    if any(each in name for each in (*OF_ALL, "callable of points", "by flags")):
        return  # Those functions and flags are of nine vehicles.
    state = with_strays(State.random(8, dimensions), 1)
    rows = np.array([8, 0, 1, 7, 2, 3, 4, 5, 6])
    stays = rows < 7
    said = []
    for when in (None, 0, 1):
        place = state.permuted(rows).place(np.float32 if dimensions == 2 else np.float64)
        steered, present = controller(place, EXAMPLES[name](place)), np.ones(9, bool)
        for step in range(3):
            if step == when:
                present = stays
                place.vehicles.remove(~stays)
            said.append(steered.steer(DT)[stays[present]].copy())
    close(np.stack(said[3:6]), np.stack(said[:3]))
    close(np.stack(said[6:]), np.stack(said[:3]))


def in_several_sets(value: Any, about: Description | None = None) -> Any:
    """A behavior or a part of it, its spheres in three sets that are told of in another order; itself if it has none."""
    if isinstance(value, (tuple, list)):
        parts = [in_several_sets(each) for each in value]
        if all(each is part for each, part in zip(value, parts, strict=True)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        changed = {key: in_several_sets(each) for key, each in value.items()}
        return changed if any(changed[key] is not each for key, each in value.items()) else value
    if isinstance(value, sm.Spheres) and about is not None and about.kind in (OBSTACLES, FOLLOWED):
        return [value.replace(center=value.center[k::3], radius=value.radius[k::3]) for k in (1, 2, 0)]
    if not isinstance(value, Parameters) or not type(value).__module__.startswith("steersman."):
        return value
    before = {about.name: (getattr(value, about.name), about) for about in describe(type(value))}
    after = {key: in_several_sets(each, about) for key, (each, about) in before.items()}
    changes = {key: each for key, each in after.items() if each is not before[key][0]}
    return value.replace(**changes) if changes else value


EACH_SET = ("anticipation", "centrifugal", "collision-free", "power law", "social force", "tanks")
"""What the names of examples say in which sets differ from one: pedestrians look at the nearest of each set, and a tank in a
set of tanks is a part of one room."""

WITH_ROCKS = [
    name
    for name, each in INSTANCES.items()
    if not any(word in name for word in EACH_SET) and in_several_sets(each) is not each
]


def test_rocks_are_taken_apart_in_many_examples() -> None:
    kinds = {type(INSTANCES[name]) for name in WITH_ROCKS}
    assert {sm.AvoidObstacles, sm.AvoidWalls, sm.Whiskers, sm.FollowWall, sm.Hide, sm.ORCA, sm.Modes, sm.GoTo} <= kinds


@try_examples(("dimensions", "torus"), ((2, True), (3, False)), some=1, examples=WITH_ROCKS)
def test_several_sets_of_obstacles_are_as_good_as_one(name: str, dimensions: int, torus: bool) -> None:
    """For vehicles outside of them: of a set that a vehicle is inside of, nothing bars its way."""
    dtype = np.float32 if dimensions == 2 else np.float64
    for seed in range(3):
        state = State.random(seed, dimensions, torus=torus)
        state = replace(state, rock_radius=0.4 * state.rock_radius)
        said = []
        for change in (as_behavior, lambda each: in_several_sets(as_behavior(each))):
            place = state.place(dtype)
            said.append(forces(place, change(EXAMPLES[name](place)), steps=2))
        outside = place.rocks.nearest(state.position, place.domain).distance > 0
        assert outside.sum() > 5
        close(said[1][:, outside], said[0][:, outside])
