"""Worlds with parts that do not run on a graphics processor are refused by name."""

import numpy as np
import pytest

import steersman as sm
from steersman.gpu.supported import check_supported

OTHERS = sm.Vehicles([[5, 5]])


def test_device_must_be_known():
    with pytest.raises(ValueError, match='device must be "cpu" or "cuda"'):
        sm.World(device="tpu")


def test_the_processor_is_the_usual_device():
    assert sm.World().device == "cpu"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"locomotion": sm.FreeBody()}, "the body FreeBody"),
        ({"locomotion": sm.PointMass(limits=[sm.Drag(1.0)])}, "the limit Drag"),
        ({"steering": sm.ORCA(of=OTHERS)}, "vehicles outside of the world .* ORCA about other vehicles"),
        ({"steering": sm.Separation(radius=5), "length": 3.0}, "Separation among bodies of length"),
        ({"steering": sm.Seek([1, 2]) + sm.FollowPath(sm.Path([[0, 0], [9, 9]], radius=1))}, "FollowPath"),
        ({"dtype": "float64"}, "vehicles of float64"),
        ({"flows": [sm.Sink(older_than=1.0)]}, "flows"),
        ({"steering": np.array([1.0, 2.0]) * sm.Wander() + sm.Seek([1, 2])}, "numbers per vehicle"),
        ({"steering": sm.Cohesion(radius=np.inf)}, "Cohesion with an infinite radius"),
        (
            {"steering": sm.Cohesion(radius=5, of=OTHERS)},
            "vehicles outside of the world .* Cohesion about other vehicles",
        ),
    ],
)
def test_other_parts_are_refused_by_name(given, named):
    about = {"dtype": "float32"} | {name: given.pop(name) for name in ("dtype", "length") if name in given}
    vehicles = sm.Vehicles([[0, 0], [1, 1]], **about)
    world = sm.World()
    world.add(vehicles, **given)
    with pytest.raises(ValueError, match=named):
        check_supported(list(world.populations.values()), world.domain, ())


def test_boxes_with_periodic_axes_are_refused():
    world = sm.World(domain=sm.Box([9, 9], periodic="x"))
    world.add(sm.Vehicles([[1, 1]]))
    with pytest.raises(ValueError, match="a Box with periodic axes"):
        check_supported(list(world.populations.values()), world.domain, ())


def test_constraints_are_refused_by_name():
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]], dtype="float32"))
    with pytest.raises(ValueError, match="the constraint ZeroOverlap"):
        check_supported(list(world.populations.values()), world.domain, (sm.ZeroOverlap(),))
    check_supported(list(world.populations.values()), world.domain, ())


@pytest.mark.parametrize(
    "steering", [sm.Cohesion(radius=np.inf, k=3), sm.ORCA(toward=sm.Arrive([1, 2])), sm.AvoidNeighbors()]
)
def test_the_nearest_are_supported(steering):
    world = sm.World()
    world.add(sm.Vehicles([[0, 0], [1, 1]], dtype="float32", length=3.0), steering=steering)
    check_supported(list(world.populations.values()), world.domain, ())


def test_columns_are_on_a_device_alone():
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), name="birds")
    with pytest.raises(RuntimeError, match='device is "cpu"'):
        world.device_column("birds", "velocity")
    with pytest.raises(ValueError, match=r"column must be one of position, velocity, .*, got 'color'"):
        world.device_column("birds", "color")
    with pytest.raises(KeyError, match="no population is called 'fish'"):
        world.device_column("fish", "velocity")
