"""What every behavior and combinator keeps, whatever it does."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import DT, NAME, SEED, controller, forces, has_memory, root, traced
from contract.trying import INSTANCES, PLACE, try_examples

import steersman as sm
from steersman.core.steering.tree.knowledge import Knowledge

PRECISIONS = ((np.float32, 2), (np.float64, 3))
"""What kernels are compiled for here: float32 in the plane, float64 in space. Each more costs minutes of compiling."""


pytestmark = pytest.mark.filterwarnings("ignore:Arrive may overshoot")
"""It says so where a spoilt place makes the slowing distance too short; that is tested elsewhere."""


@try_examples(every=2)
def test_nobody_and_somebody_alone_are_steered(name: str) -> None:
    for n in (0, 1):
        place = State.random(2, 2, n).place(np.float32)
        steered = controller(place, EXAMPLES[name](place))
        for _ in range(2):
            force = steered.steer(DT)
            assert force.shape == (n, 2)
            assert np.isfinite(force).all()


@try_examples(every=3)
def test_an_empty_population_may_be_watched(name: str) -> None:
    place = State.random(2, 2).place(np.float32)
    steering = EXAMPLES[name](place)
    place.others.remove(np.ones(5, bool))
    assert np.isfinite(controller(place, steering).steer(DT)).all()


@try_examples(("dtype", "dimensions"), PRECISIONS, some=1)
def test_forces_have_the_shape_and_type_of_the_vehicles_and_are_at_most_max_force(
    name: str, dtype: Any, dimensions: int
) -> None:
    for seed in range(2):
        place = State.random(seed, dimensions).place(dtype)
        force = forces(place, EXAMPLES[name](place), steps=2)
        assert force.shape == (2, 9, dimensions)
        assert force.dtype == dtype
        size = np.linalg.norm(force, axis=2)
        assert (size <= place.vehicles.max_force * (1 + 4 * np.finfo(dtype).eps)).all()


@try_examples(every=2)
def test_steering_changes_nothing_but_forces(name: str) -> None:
    place = State.random(3, 2, torus=True).place(np.float32)
    steering = EXAMPLES[name](place)
    before = place.fingerprint()
    forces(place, steering, steps=3)
    traced(place, steering)
    assert place.fingerprint() == before


def at_rest(s: State) -> State:
    return replace(s, velocity=s.velocity * 0, others_velocity=s.others_velocity * 0)


SPOILT = {
    "all in one place": lambda s: replace(
        s,
        **{
            name: np.broadcast_to(s.point, getattr(s, name).shape) for name in ("position", "others_position", "points")
        },
        sites=np.broadcast_to(s.point, s.sites.shape),
        rock_center=np.broadcast_to(s.point, s.rock_center.shape),
    ),
    "at rest": at_rest,
    "at rest in one place": lambda s: at_rest(SPOILT["all in one place"](s)),
    "same velocity in one place": lambda s: replace(
        SPOILT["all in one place"](s), velocity=s.velocity * 0 + 1, others_velocity=s.others_velocity * 0 + 1
    ),
    "on their targets": lambda s: replace(s, position=s.points, point=s.points[0]),
    "on their quarries": lambda s: replace(s, position=np.resize(s.others_position, s.position.shape)),
    "in the middle of rocks": lambda s: replace(s, position=np.resize(s.rock_center, s.position.shape)),
    "in line with rocks": lambda s: replace(s, position=s.rock_center[0] - 3 * s.forward),
    "radius 0": lambda s: replace(s, radius=s.radius * 0, rock_radius=s.rock_radius * 0),
    "max_speed 0": lambda s: replace(s, max_speed=s.max_speed * 0),
    "max_speed 0, at rest": lambda s: at_rest(replace(s, max_speed=s.max_speed * 0)),
    "max_force 0": lambda s: replace(s, max_force=s.max_force * 0),
    "nearly in one place": lambda s: replace(
        s, position=s.point + 1e-30 * s.position, others_position=s.point + 1e-30 * s.others_position
    ),
    "very far": lambda s: s.moved(np.eye(2), np.array([1e12, -1e12])),
    "very large": lambda s: s.moved(1e10 * np.eye(2), np.zeros(2)),
    "very heavy and soft": lambda s: replace(s, mass=s.mass * 1e6, response_time=s.response_time + 1e6),
}


@try_examples(("how",), SPOILT, some=3, every=2)
def test_nothing_degenerate_gives_nan(name: str, how: str) -> None:
    """The controller itself raises where a force is not finite; two steps, so that memory has been used."""
    place = SPOILT[how](State.random(5, 2)).place(np.float32)
    force = forces(place, EXAMPLES[name](place), steps=2)
    assert np.isfinite(force).all()
    assert (np.linalg.norm(force.astype(float), axis=2) <= place.vehicles.max_force * (1 + 1e-6)).all()


@try_examples(
    ("how",),
    ("all in one place", "at rest in one place", "in the middle of rocks", "max_speed 0, at rest"),
    some=1,
    every=2,
)
def test_nothing_degenerate_gives_nan_in_float64(name: str, how: str) -> None:
    place = SPOILT[how](State.random(6, 3)).place()
    assert np.isfinite(forces(place, EXAMPLES[name](place), steps=2)).all()


@try_examples(every=3)
def test_the_same_seed_gives_the_same_bits(name: str) -> None:
    runs = []
    for _ in range(2):
        place = State.random(7, 2).place(np.float32)
        runs.append(forces(place, EXAMPLES[name](place), steps=4))
    np.testing.assert_array_equal(runs[0].view(np.uint32), runs[1].view(np.uint32))


def part_way(vehicles: sm.Vehicles) -> Any:
    """A force for every second vehicle, by id, and none for the others."""
    return np.where(vehicles.id[:, None] % 2 == 0, 1.0, 0.0) * vehicles.forward


def memories(population: Any) -> dict[tuple[int, str], Any]:
    """All memory but that of what vehicles know: they look, whatever steers them."""
    looking = {node.key for node in population.nodes if isinstance(node.behavior, Knowledge)}
    return {
        (key, column): values
        for key, memory in population.memories.items()
        if key not in looking
        for column, values in memory.snapshot().items()
    }


MET = {"orca of others, view"}
"""ORCA remembers where vehicles of its own population want to go: beside others alone this changes nothing."""


@try_examples(
    examples=[name for name, each in INSTANCES.items() if has_memory(each, PLACE.vehicles) and name not in MET], every=2
)
def test_memory_rests_where_a_behavior_does_not_steer(name: str) -> None:
    """Half of the vehicles are claimed by something more urgent; the memory of the others advances as ever."""
    runs = {}
    for urgent in (False, True):
        place = State.random(1, 2).place(np.float32)
        inner = EXAMPLES[name](place)
        world = sm.World(seed=SEED, domain=place.domain, threads=1, dt=DT)
        first = part_way if urgent else (lambda vehicles: vehicles.forward * 0)
        population = world.add(place.vehicles, name=NAME, steering=sm.Priority([first, inner]))
        start = memories(population)
        assert start
        rests = place.vehicles.id % 2 == 0
        world.step()
        runs[urgent] = memories(population)
        # Some memories change rarely: when a waypoint is reached, or when everything above is satisfied.
        world.run(steps=100)
        later = memories(population)
        changes = any((later[key] != before).any() for key, before in start.items())
        assert urgent or changes, "memory never changes at all"
    for key, before in start.items():
        np.testing.assert_array_equal(later[key][rests], before[rests], err_msg=f"{key} moved on")
        np.testing.assert_array_equal(runs[True][key][~rests], runs[False][key][~rests])


@try_examples(every=3)
def test_vehicles_that_are_not_asked_get_nothing(name: str) -> None:
    place = State.random(1, 2).place(np.float32)
    alone = root(place, sm.Priority([part_way, EXAMPLES[name](place)]))
    ahead = part_way(place.vehicles)
    np.testing.assert_allclose(np.stack(alone.raw, axis=1)[ahead.any(axis=1)], ahead[ahead.any(axis=1)], rtol=1e-6)


@try_examples(every=3)
def test_steering_with_a_trace_gives_the_same_force(name: str) -> None:
    place = State.random(3, 2).place(np.float32)
    steering = EXAMPLES[name](place)
    raw = np.stack(root(place, steering).raw, axis=1)
    size = np.linalg.norm(raw, axis=1, keepdims=True)
    limit = place.vehicles.max_force[:, None]
    with np.errstate(all="ignore"):
        expected = np.where(size > limit, raw * (limit / size), raw)
    np.testing.assert_allclose(controller(place, steering).steer(DT), expected, rtol=1e-5, atol=1e-5)
