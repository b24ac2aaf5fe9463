"""Lines of sight: who is hidden by what, pick by pick."""

import numpy as np
import pytest
from precision import assert_single_precision

import steersman as sm
from steersman.core.environment.obstacles.obstacle import as_obstacles
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.sensing.line_of_sight import half_angle_cosine, in_view, sight_calls

EYES = np.array([[0.0, 0.0], [0.0, 4.0], [0.0, 8.0]])
OTHERS = (np.array([10.0, 10.0, 0.0], np.float32), np.array([0.0, 4.0, 8.0], np.float32))
ROCKS = as_obstacles([sm.Spheres([[5.0, 0.0]], 1.0), sm.Walls([[5.0, 3.0], [5.0, 5.0]])])


class Looking(Behavior):
    """Keeps the calls that look, and what they say."""

    def bind(self, scene, memory, out):
        picks = np.array(self.picks)
        self.seen[:] = 7
        self.calls[:] = sight_calls(scene, self.rocks, self.others, picks, out.active, self.seen)
        return self.calls


def looking(picks, eyes=EYES, others=OTHERS, rocks=ROCKS):
    behavior, seen = Looking(), np.zeros(len(eyes), np.int32)
    for name, value in (("picks", picks), ("seen", seen), ("calls", []), ("others", others), ("rocks", rocks)):
        object.__setattr__(behavior, name, value)
    world = sm.World()
    world.add(sm.Vehicles(eyes, dtype=others[0].dtype), steering=behavior)
    world.step()
    return behavior


def test_one_who_is_not_hidden_is_seen():
    """It is told by its number among the picks, from 1."""
    assert looking([[0], [1], [2]]).seen.tolist() == [0, 0, 1]
    assert looking([[0, 1], [0, -1], [-1, -1]]).seen.tolist() == [2, 1, 0]


def test_rays_stay_in_single_precision():
    for call in looking([[0], [1], [2]]).calls:
        assert_single_precision(call.kernel, np.uint64(0), np.uint64(1), *call.arguments)


@pytest.mark.parametrize(
    ("angle", "behind", "beside"), [(2 * np.pi, True, True), (np.pi, False, True), (1, False, False)]
)
def test_the_field_of_view(angle, behind, beside):
    cosine = half_angle_cosine(angle)
    assert in_view((1.0, 0.0), (1.0, 0.0), cosine)
    assert in_view((-2.0, 0.0), (1.0, 0.0), cosine) == behind
    assert in_view((-2.0, 0.0), (1.0000001, 0.0), cosine) == behind
    assert in_view((1e-9, 2.0), (1.0, 0.0), cosine) == beside


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_touches_the_target_does_not_hide_it(dtype):
    """Targets at the surface of a rock, on the side of the eye, are seen; by a rock of 1 cm more they are hidden."""
    angles = np.linspace(-1.3, 1.3, 131)
    targets = tuple((3.0 * np.array([-np.cos(angles), np.sin(angles)])).astype(dtype))
    eyes, picks = np.tile([[-40.0, 0.0]], (len(angles), 1)), np.arange(len(angles))[:, None]
    for radius, seen in ((3.0, 1), (3.01, 0)):
        rock = as_obstacles(sm.Spheres([[0.0, 0.0]], [radius]))
        np.testing.assert_array_equal(looking(picks, eyes, targets, rock).seen, seen)
