"""FollowFlow: toward the flow at the predicted position."""

import numpy as np
import pytest

import steersman as sm


def vehicle(position=(0.0, 0.0), velocity=(2.0, 0.0), **columns):
    options = {"mass": 2.0, "max_speed": 5.0, "max_force": 1e6, "response_time": 0.5, "dtype": np.float64}
    return sm.Vehicles([position], [velocity], **options | columns)


def force(vehicles, behavior, **options):
    return sm.Controller(vehicles, behavior, **options).steer(0.05)[0]


def test_it_is_flow_minus_velocity_and_not_the_other_way_round():
    """At rest it is pushed along the flow; who goes as the flow does is not pushed at all."""
    uniform = sm.FlowField.function(lambda points: np.broadcast_to([0.0, 3.0], points.shape))
    np.testing.assert_allclose(force(vehicle(velocity=(0, 0)), sm.FollowFlow(uniform)), [0, 2 * 3 / 0.5])
    np.testing.assert_allclose(force(vehicle(velocity=(0, 3)), sm.FollowFlow(uniform)), [0, 0])
    np.testing.assert_allclose(force(vehicle(), sm.FollowFlow(uniform)), [2 * -2 / 0.5, 2 * 3 / 0.5])


def test_the_field_is_sampled_where_the_vehicle_will_be():
    """Flow x upwards: from x = 1 at 2 m/s for 0.75 s it is the flow at 2.5."""
    shear = sm.FlowField.function(lambda points: np.column_stack([points[:, 0] * 0, points[:, 0]]))
    found = force(vehicle(position=(1, 0)), sm.FollowFlow(shear, lookahead=0.75))
    np.testing.assert_allclose(found, [-8, 2 * 2.5 / 0.5])


@pytest.mark.parametrize(("speed", "expected"), [("field", 5), ("max", 5), (3.0, 3), (8.0, 8)])
def test_speeds(speed, expected):
    """A flow of 13 m/s is faster than the vehicle can go."""
    field = sm.FlowField.grid([[[5.0, 12.0]]])
    found = force(vehicle(velocity=(0, 0)), sm.FollowFlow(field, speed=speed))
    np.testing.assert_allclose(found, np.array([5, 12]) / 13 * expected * 4)


def test_where_nothing_flows_it_stops():
    still = sm.FlowField.grid([[[0.0, 0.0]]])
    for speed in ("field", "max", 2.0):
        np.testing.assert_allclose(force(vehicle(), sm.FollowFlow(still, speed=speed)), [-8, 0])


def test_on_a_torus_it_looks_across_the_rim():
    rows = np.zeros((10, 1, 2))
    rows[0, 0] = (0, 4)
    field, torus = sm.FlowField.grid(rows), sm.Torus([10, 10])
    found = force(vehicle(position=(9, 0)), sm.FollowFlow(field, lookahead=0.5), domain=torus)
    np.testing.assert_allclose(found, [-8, 4 * 4], atol=1e-9)


def test_a_whirl_is_followed_round():
    """With little inertia the radius hardly grows in a whole turn."""
    whirl = sm.FlowField.function(lambda points: np.column_stack([-points[:, 1], points[:, 0]]))
    vehicles = vehicle(position=(4, 0), velocity=(0, 4), response_time=0.02)
    world = sm.World(dt=0.005)
    world.add(vehicles, steering=sm.FollowFlow(whirl, lookahead=0.02))
    world.run(seconds=2 * np.pi)
    np.testing.assert_allclose(vehicles.position, [[4, 0]], atol=0.35)


def test_what_is_refused():
    with pytest.raises(TypeError, match="field must be a FlowField"):
        sm.FollowFlow(lambda points: points)
    with pytest.raises(ValueError, match="lookahead must be >= 0 s, got -1"):
        sm.FollowFlow(sm.FlowField.grid([[[0.0, 0.0]]]), lookahead=-1)
    with pytest.raises(ValueError, match="field must have 3 dimensions like the vehicles, got 2"):
        sm.Controller(sm.Vehicles([[0, 0, 0]]), sm.FollowFlow(sm.FlowField.grid([[[0.0, 0.0]]]))).steer(0.1)
    with pytest.raises(ValueError, match='speed must be "field", "max" or a number >= 0 m/s'):
        sm.FollowFlow(sm.FlowField.grid([[[0.0, 0.0]]]), speed="current")
