"""The desired velocity of explanations and sketches: that of the law, whatever limits cut its force to."""

import numpy as np
import pytest

import steersman as sm

WEAK = 3.0


def desired(steering, velocity=(0, 3), max_force=WEAK, **about):
    """Of the root, in an explanation; that in the sketch is the same."""
    world = sm.World()
    body = {"max_speed": 4, "response_time": 0.5, "mass": 2, **about}
    world.add(sm.Vehicles([[0, 0]], [velocity], max_force=max_force, dtype=float, **body), name="a", steering=steering)
    explanation = world.explain("a", 0)
    (drawn,) = (shape.value[0] for each in world.sketch("a", 0) for shape in each.shapes if shape.role == "desired")
    np.testing.assert_allclose(explanation.desired_velocity[0], drawn, rtol=1e-6)
    return drawn.tolist()


EAST, WEST, STILL = sm.Seek([90, 0]), sm.Seek([-90, 0]), sm.Separation(radius=1)


@pytest.mark.parametrize(
    "steering",
    [
        EAST,
        1.0 * EAST + STILL,
        sm.Priority([STILL, EAST]),
        sm.Priority([STILL, sm.Modes({"go": EAST + STILL, "back": WEST}, start="go")]),
        sm.TruncatedSum([STILL, EAST]),
        sm.Seek([90, 0], thrust="full"),
        sm.Priority([STILL, sm.Seek([90, 0], thrust="full")]),
    ],
    ids=["alone", "sum", "priority", "modes", "truncated", "full", "full below"],
)
def test_where_one_law_alone_steers_it_is_that_of_the_law(steering):
    """Though its force is cut to a tenth of what leads there, by the vehicle or by the nodes above."""
    assert desired(steering) == pytest.approx([4, 0], abs=1e-5)


@pytest.mark.parametrize(("speed", "size"), [("max", 4), (1.5, 1.5), ("current", 3), ("offset", 4)])
@pytest.mark.parametrize("law", [sm.Seek, sm.Flee])
def test_a_full_thrust_shows_the_direction_and_the_speed_that_the_law_names(law, speed, size):
    way = 1 if law is sm.Seek else -1
    assert desired(law([90, 0], thrust="full", speed=speed)) == pytest.approx([way * size, 0], abs=1e-5)


def test_where_several_steer_it_is_what_they_make_together():
    """Half of each: the mean of the velocities that they desire."""
    steering = 0.5 * EAST + 0.5 * sm.Seek([0, -90])
    assert desired(steering, max_force=1e3) == pytest.approx([2, -2], abs=1e-3)


def test_where_a_node_chooses_another_way_it_is_that_way():
    """Around the rock that stands before the target, and not through it."""
    rock = sm.Spheres([[8, 0.5]], [2])
    x, y = desired(sm.ContextMap(interest=[EAST], obstacles=rock), velocity=(3, 0), max_force=1e3)
    assert x > 0
    assert y < -0.5


def test_a_part_that_is_not_taken_desires_nothing_for_its_node():
    """A sum of weight 0, and of two that cancel out: the velocity as it is."""
    for steering in (EAST * 0.0 + STILL, EAST + sm.Seek([90, 0], thrust="full") * 0.0 + WEST):
        assert desired(steering, velocity=(0, 0), max_force=1e3) == pytest.approx([0, 0], abs=1e-6)


def test_a_weight_counts_only_in_part():
    assert desired(0.25 * EAST + STILL, max_force=1e3) == pytest.approx([1, 3 - 0.75], abs=1e-4)
    assert desired(sm.Priority([STILL, 0.25 * sm.Seek([90, 0], thrust="full")])) == pytest.approx([1, 2.25], abs=1e-4)


def test_a_vehicle_that_responds_at_once_has_a_step_to_do_it():
    assert desired(EAST, response_time=0, max_force=1e9) == pytest.approx([4, 0], abs=1e-4)


def test_each_vehicle_has_its_own_desired_velocity():
    """By its own weight and mass, in the order of its row, also in an explanation of some; NaN nowhere."""
    world = sm.World()
    n = 5
    vehicles = sm.Vehicles(
        np.zeros((n, 2)), np.zeros((n, 2)), max_speed=4, max_force=WEAK, mass=np.arange(1.0, n + 1), dtype=float
    )
    weights = np.linspace(0, 1, n)
    world.add(vehicles, name="a", steering=sm.WeightedSum([weights * EAST, sm.Separation(radius=0.1) * 0.0]))
    explanation = world.explain("a")
    np.testing.assert_allclose(explanation.desired_velocity, np.outer(4 * weights, [1, 0]), atol=1e-4)
    np.testing.assert_allclose(explanation.of([3, 1]).desired_velocity, [[3, 0], [1, 0]], atol=1e-4)
    np.testing.assert_allclose(explanation["Seek"].desired_velocity, np.tile([4, 0], (n, 1)), atol=1e-4)
