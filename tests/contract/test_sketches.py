"""What every behavior shows of itself: plain shapes, that are true, and change nothing."""

from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import Array, Place, State
from contract.running import DT, NAME, SEED
from contract.trying import try_examples

import steersman as sm
from steersman.core.maths.shapes import Cross, ScaledArrow, Shape
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import BEHAVIORS
from steersman.core.steering.tree.node_parameters import NodeParameters
from steersman.core.world.sketching import Sketch
from steersman.core.world.state_hash import state_hash

KINDS = ((np.float32, 2, False), (np.float64, 3, True))

NOTHING_OF_THEIR_OWN = {
    "Dithered", "Flocking", "LookWhereYouGo", "Modes", "Orders", "Priority", "RoundRobin", "Switch", "TargetSpeed",
    "TruncatedSum", "WeightedSum",
}  # fmt: skip
"""Behaviors that show velocity, desired velocity and steering, and what their parts show."""


pytestmark = pytest.mark.filterwarnings("ignore:Arrive may overshoot")


def world_of(place: Place, steering: Any) -> sm.World:
    world = sm.World(domain=place.domain, seed=SEED, threads=1, dt=DT)
    world.add(place.vehicles, name=NAME, steering=steering)
    return world


def shapes_of(sketches: tuple[Sketch, ...], role: str, kind: type[Shape]) -> list[Any]:
    return [shape for each in sketches for shape in each.shapes if shape.role == role and isinstance(shape, kind)]


@try_examples(("dtype", "dimensions", "torus"), KINDS, some=1, every=2)
def test_sketches_are_finite_shapes_of_those_who_are_asked_for(
    name: str, dtype: Any, dimensions: int, torus: bool
) -> None:
    place = State.random(1, dimensions, torus=torus).place(dtype)
    world = world_of(place, EXAMPLES[name](place))
    before, hashed = place.fingerprint(), state_hash(world)
    some = place.vehicles.id[[5, 0, 3]]
    sketches = world.sketch(NAME, some)
    assert place.fingerprint() == before
    assert state_hash(world) == hashed
    told = world.explain(NAME, some)
    assert sketches[0].depth == 0
    for sketch in sketches:
        assert np.isin(sketch.id, some).all()
        assert sketch.shapes
        for shape in sketch.shapes:
            assert len(shape) > 0
            assert shape.dimensions == dimensions
            for field in (*shape.places, *shape.numbers):
                array = getattr(shape, field)
                assert array.dtype == np.float64
                assert len(array) == len(shape)
                assert np.isfinite(array).all()
    forces: dict[int, Array] = {}
    for sketch in sketches:
        for shape in shapes_of((sketch,), "steering", ScaledArrow):
            forces |= dict(zip(sketch.id.tolist(), shape.value, strict=True))
    np.testing.assert_allclose([forces[id] for id in told.id.tolist()], told.force, rtol=1e-6, atol=1e-6)


@try_examples(("dtype", "dimensions", "torus"), KINDS, some=1, every=2)
def test_who_is_asked_about_alone_is_told_the_same(name: str, dtype: Any, dimensions: int, torus: bool) -> None:
    """Only a few rows are steered once more then, and they do what they do among all."""
    place = State.random(3, dimensions, torus=torus).place(dtype)
    world = world_of(place, EXAMPLES[name](place))
    some = place.vehicles.id[[5, 0]]
    alone, told = world.sketch(NAME, some), world.explain(NAME, some)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("steersman.core.kernels.call.BLOCKS", -1)
        among_all, told_all = world.sketch(NAME, some), world.explain(NAME).of(some)
    assert [each[:4] for each in alone] == [each[:4] for each in among_all]
    for one, other in zip(alone, among_all, strict=True):
        np.testing.assert_array_equal(one.id, other.id)
        for shape, same in zip(one.shapes, other.shapes, strict=True):
            assert type(shape) is type(same)
            for field in (*shape.places, *shape.numbers):
                np.testing.assert_array_equal(getattr(shape, field), getattr(same, field))
    assert str(told) == str(told_all)
    for node, same in zip(told.walk(), told_all.walk(), strict=True):
        for field in ("id", "evaluated", "acts", "raw", "contribution", "turning", "turning_contribution", "max_force"):
            np.testing.assert_array_equal(getattr(node, field), getattr(same, field))


@try_examples(every=3)
def test_nobody_and_somebody_alone_are_sketched(name: str) -> None:
    for n, dtype, dimensions in ((0, np.float32, 2), (1, np.float64, 3)):
        place = State.random(2, dimensions, n).place(dtype)
        world = world_of(place, EXAMPLES[name](place))
        assert len(world.sketch(NAME)) >= n
        place.others.remove(np.ones(5, bool))
        assert len(world.sketch(NAME)) >= n


def goes_elsewhere(steering: Any, torus: bool) -> bool:
    """Whether a behavior does not always go straight for the point that it shows."""
    match steering:
        case sm.FollowLeader() | sm.FollowWall():  # Keeps apart from others, goes along.
            return True
        case sm.StayOnPath(law="smooth"):  # Is pushed in, too.
            return True
        case sm.OffsetPursuit(law="tangent") | sm.FollowPath(law="lane"):  # Flies by, comes to its lane by an arc.
            return True
        case sm.Arrive():
            return bool(steering.stop_distance > 0)  # Within that it brakes.
        case sm.GoTo() | sm.Formation() if torus and steering.by is not None:
            return True  # No way of a map leads across a seam, where the nearest image of the goal may be.
        case sm.Hide():
            return torus  # In one where nothing is far, each obstacle sees another image of the pursuer.
    return not isinstance(steering, Behavior) or bool(steering.parts())


@try_examples(("dtype", "dimensions", "torus"), [(np.float32, 2, True), (np.float64, 3, False)], some=1, every=2)
def test_who_shows_where_to_go_goes_there(name: str, dtype: Any, dimensions: int, torus: bool) -> None:
    """The desired velocity, or the force of those who push with all they have, leads to the point that is shown."""
    place = State.random(2, dimensions, torus=torus).place(dtype)
    steering = EXAMPLES[name](place)
    if goes_elsewhere(steering, torus):
        return
    world = world_of(place, steering)
    for id in place.vehicles.id[:4]:
        sketches = world.sketch(NAME, id)
        targets = [shape.center for shape in shapes_of(sketches, "target", Cross)]
        if len(targets) != 1 or len(targets[0]) != 1 or not sketches[0].acts:
            continue
        way = targets[0][0] - place.vehicles.position[place.vehicles.rows(id)[0]]
        led = [
            way @ shape.value[0] / (np.linalg.norm(way) * max(np.linalg.norm(shape.value[0]), 1e-12))
            for role in ("desired", "steering")
            for shape in shapes_of(sketches, role, ScaledArrow)
        ]
        assert max(led) > 1 - 1e-6


def test_all_behaviors_show_what_they_look_at() -> None:
    without = {
        name
        for name, behavior in BEHAVIORS.items()
        if behavior.sketch is NodeParameters.sketch  # type: ignore[attr-defined]
    }
    assert without == NOTHING_OF_THEIR_OWN
