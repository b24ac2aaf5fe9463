"""Worlds with parts that do not run on a graphics processor are refused by name."""

import importlib.util

import pytest

import steersman as sm

needs_numba_cuda = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda")


def test_device_must_be_known():
    with pytest.raises(ValueError, match='device must be "cpu" or "cuda"'):
        sm.World(device="tpu")


def test_the_processor_is_the_usual_device():
    assert sm.World().device == "cpu"


@needs_numba_cuda
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"locomotion": sm.FreeBody()}, "the body FreeBody"),
        ({"locomotion": sm.PointMass(limits=[sm.Drag(1.0)])}, "the limit Drag"),
        ({"steering": sm.Cohesion(radius=5, k=3)}, "Cohesion with the k nearest neighbors"),
        ({"steering": sm.Seek([1, 2]) + sm.FollowPath(sm.Path([[0, 0], [9, 9]], radius=1))}, "FollowPath"),
        ({"dtype": "float64"}, "vehicles of float64"),
    ],
)
def test_other_parts_are_refused_by_name(given, named):
    from steersman.gpu.supported import check_supported

    vehicles = sm.Vehicles([[0, 0], [1, 1]], dtype=given.pop("dtype", "float32"))
    world = sm.World()
    world.add(vehicles, **given)
    with pytest.raises(ValueError, match=named):
        check_supported(list(world.populations.values()), world.domain, ())
