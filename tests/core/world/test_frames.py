"""Vehicles that something else moves face where they go, unless somebody keeps their frames."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.frames import rotation

DT = 1 / 60
ROCK = sm.Spheres(center=[[0.0, 0.0]], radius=[5.0])


def kinds(d):
    return {"dtype": np.float32 if d == 2 else np.float64}


def integrate(vehicles, force, dt):
    """A game's own physics: it knows nothing of frames."""
    velocity = vehicles.velocity + force / vehicles.mass[:, None] * dt
    speed = np.linalg.norm(velocity, axis=1, keepdims=True)
    vehicles.velocity[:] = velocity * np.minimum(1, vehicles.max_speed[:, None] / np.maximum(speed, 1e-9))
    vehicles.position[:] += vehicles.velocity * dt


def drive(start, move=integrate, dt=DT, seconds=14.0, frames="follow", **law):
    """How near vehicles come to the middle of the rock [m], and how far they get up."""
    start = np.atleast_2d(start)
    d = start.shape[1]
    vehicles = sm.Vehicles(start, max_speed=4, max_force=12, radius=0.5, **kinds(d))
    goal = np.zeros(d)
    goal[1] = 20.0
    controller = sm.Controller(
        vehicles, sm.Priority([sm.AvoidObstacles(ROCKS[d], **law), sm.Seek(goal)]), seed=1, frames=frames
    )
    nearest = np.inf
    for _ in range(round(seconds / dt)):
        move(vehicles, controller.steer(dt), dt)
        nearest = min(nearest, np.linalg.norm(vehicles.position, axis=1).min())
    return nearest, vehicles


ROCKS = {2: ROCK, 3: sm.Spheres(center=[[0.0, 0.0, 0.0]], radius=[5.0])}


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
def test_a_users_own_physics_avoids_the_rock(d, dt):
    """It came as near as 0.11 m to the middle of a rock of radius 5: it looked along the x axis and drove along y."""
    start = np.zeros((5, d))
    start[:, 0], start[:, 1] = [-0.2, -0.1, 0.0, 0.1, 3.0], -20
    nearest, vehicles = drive(start, dt=dt, seconds=7.0)
    assert nearest > 5.4
    assert (vehicles.position[:, 1] > -5).all()
    ahead = vehicles.velocity / np.linalg.norm(vehicles.velocity, axis=1, keepdims=True)
    assert (np.sum(ahead * vehicles.forward, axis=1) > 0.99).all()
    if d == 3:
        np.testing.assert_allclose(np.sum(vehicles.up * vehicles.forward, axis=1), 0, atol=1e-6)


def test_frames_that_are_ones_own_would_drive_into_it():
    """By the paper's law: with `stops`, AvoidObstacles looks where vehicles move, too."""
    paper = {"magnitude": "full", "stops": False, "clearance": 0.0}
    assert drive([0.1, -20.0], frames="own", **paper)[0] < 1
    assert drive([0.1, -20.0], **paper)[0] > 5


@pytest.mark.parametrize("d", [2, 3])
def test_the_motion_is_that_of_a_point_mass(d):
    """To the bit: what PointMass keeps itself is not touched, and what follows a user's velocity is the same."""

    def point_mass(vehicles, force, dt):
        sm.PointMass().advance(vehicles, force, dt)

    def without_frames(vehicles, force, dt):
        twin = sm.Vehicles(vehicles.position, vehicles.velocity, max_speed=4, max_force=12, **kinds(d))
        sm.PointMass().advance(twin, force, dt)
        vehicles.velocity[:], vehicles.position[:] = twin.velocity, twin.position

    start = np.full((1, d), 0.3)
    start[:, 1] = -20
    # Until it is at the goal, where it turns back: frames follow one step later.
    kept, followed = (drive(start, move, seconds=11.0)[1] for move in (point_mass, without_frames))
    np.testing.assert_allclose(followed.position, kept.position, rtol=1e-5)
    np.testing.assert_allclose(followed.forward, kept.forward, atol=1e-5)


def facing(vehicles, write=None, steps=3, **how):
    """Velocities along y at every frame, as a game would write them; whatever else is written, too."""
    controller = sm.Controller(vehicles, sm.Wander(), **how)
    for k in range(steps):
        vehicles.velocity[:] = [0.0, 2.0]
        if write is not None:
            write(vehicles, k)
        controller.steer(0.1)
    return vehicles.heading


def still(n=2, **columns):
    return sm.Vehicles(np.zeros((n, 2)), max_speed=4, dtype=np.float64, **columns)


def assign(vehicles, k):
    vehicles.heading = 1.0


def in_place(vehicles, k):
    vehicles.forward[0] = [np.cos(0.1 * k), -np.sin(0.1 * k)]


def coast(vehicles, k):
    sm.FreeBody().advance(vehicles, np.zeros((2, 2)), 0.1)


@pytest.mark.parametrize(
    ("write", "how", "expected"),
    [
        (None, {}, [np.pi / 2, np.pi / 2]),
        (None, {"frames": "own"}, [0, 0]),
        (assign, {}, [1.0, 1.0]),
        (in_place, {}, [-0.2, np.pi / 2]),
        (coast, {}, [0, 0]),
        (lambda v, k: assign(v, k) if k < 2 else None, {}, [np.pi / 2, np.pi / 2]),
    ],
    ids=["nobody writes", "own", "assigned", "written in place", "moved by a free body", "written before"],
)
def test_a_frame_that_is_written_stays(write, how, expected):
    np.testing.assert_allclose(facing(still(), write, **how), expected, atol=1e-12)


def test_a_heading_from_the_start_holds_for_the_first_call():
    vehicles = still(heading=[0.5, 2.0])
    assert facing(vehicles, steps=1).tolist() == pytest.approx([0.5, 2.0])
    np.testing.assert_allclose(facing(vehicles, steps=2), np.pi / 2)


def test_who_stands_still_keeps_its_frame():
    vehicles = still()
    controller = sm.Controller(vehicles, sm.Wander())
    for velocity in ([0.0, -3.0], [0.0, 0.0], [1e-9, 0.0]):
        vehicles.velocity[:] = velocity
        controller.steer(0.1)
        np.testing.assert_allclose(vehicles.heading, -np.pi / 2)


def test_who_comes_and_goes_shifts_nobody():
    vehicles = still(3)
    controller = sm.Controller(vehicles, sm.Wander())
    vehicles.velocity[:] = [0.0, 2.0]
    controller.steer(0.1)
    vehicles.remove(0)
    vehicles.spawn([0, 0], heading=2.0)
    vehicles.velocity[:] = [-1.0, 0.0]
    vehicles.forward[1] = [0.0, -1.0]
    controller.steer(0.1)
    np.testing.assert_allclose(vehicles.heading, [np.pi, -np.pi / 2, 2.0])
    controller.steer(0.1)
    np.testing.assert_allclose(vehicles.heading, np.pi)


def test_an_explanation_looks_where_the_next_call_will():
    for explains in (False, True):
        vehicles = still()
        controller = sm.Controller(
            vehicles, sm.Priority([sm.AvoidObstacles(ROCK, magnitude="full", stops=False), sm.Seek([9, 9])])
        )
        vehicles.position[:], vehicles.velocity[:] = [[0, -8], [1, -9]], [0.0, 2.0]
        told = controller.explain().force if explains else None
        force = controller.steer(0.1)
        assert np.abs(force[:, 0]).min() > 0.01
        if told is not None:
            np.testing.assert_array_equal(told, force)
        vehicles.velocity[:] = [-2.0, 0.0]
        controller.steer(0.1)
        np.testing.assert_allclose(vehicles.heading, np.pi)


def test_angular_velocity_follows_an_orientation_of_ones_own():
    vehicles = still()
    controller = sm.Controller(vehicles, sm.Wander())
    for k in range(5):
        vehicles.heading = [3.0 + 0.2 * k, 0.3]  # Across pi.
        controller.steer(0.1)
    np.testing.assert_allclose(vehicles.angular_velocity, [2.0, 0.0], atol=1e-12)
    vehicles.heading = [1.0, 1.0]
    vehicles.angular_velocity = [7.0, 8.0]
    controller.steer(0.1)
    np.testing.assert_allclose(vehicles.angular_velocity, [7.0, 8.0])  # What is written stays.


def test_who_is_turned_no_more_comes_to_rest_also_when_others_come_and_go():
    for change in (lambda v: None, lambda v: v.spawn([0, 0]), lambda v: v.remove(0)):
        vehicles = still(3)
        controller = sm.Controller(vehicles, sm.Wander())
        for k in range(3):
            vehicles.heading = 0.2 * k
            controller.steer(0.1)
        np.testing.assert_allclose(vehicles.angular_velocity, 2.0)
        change(vehicles)
        controller.steer(0.1)
        np.testing.assert_allclose(vehicles.angular_velocity, 0.0, atol=1e-12)


def test_who_is_turned_no_more_comes_to_rest_also_after_it_was_restored(tmp_path):
    vehicles, others = still(3), still(3)
    controller, other = (sm.Controller(each, sm.Wander()) for each in (vehicles, others))
    for k in range(3):
        vehicles.heading = 0.2 * k
        controller.steer(0.1)
    controller.save(tmp_path / "now")
    other.restore(tmp_path / "now")
    np.testing.assert_allclose(others.angular_velocity, 2.0)
    other.steer(0.1)
    np.testing.assert_allclose(others.angular_velocity, 0.0, atol=1e-12)
    sm.PointMass().advance(vehicles, np.ones((3, 2)), 0.1)  # The frames of such a body are those of its velocity.
    controller.save(tmp_path / "moved")
    other.restore(tmp_path / "moved")
    other.steer(0.1)
    np.testing.assert_array_equal(others.angular_velocity, vehicles.angular_velocity)


def test_angular_velocity_in_space_is_the_rotation_of_the_frame():
    rng = np.random.default_rng(2)
    axis = rng.normal(size=(6, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    angle = np.array([0.0, 1e-3, 0.3, 1.5, 3.0, np.pi])
    vehicles = sm.Vehicles(np.zeros((6, 3)), forward=rng.normal(size=(6, 3)), dtype=np.float64)
    controller = sm.Controller(vehicles, sm.Wander())
    controller.steer(0.5)
    before = vehicles.matrix
    cross = np.cross(axis[:, None, :], np.eye(3)).transpose(0, 2, 1)
    turn = np.eye(3) + np.sin(angle)[:, None, None] * cross + (1 - np.cos(angle))[:, None, None] * cross @ cross
    after = turn @ before
    vehicles.forward[:], vehicles.up[:] = after[:, :, 0], after[:, :, 2]
    controller.steer(0.5)
    expected = axis * angle[:, None] / 0.5
    found = vehicles.angular_velocity.copy()
    found[-1] *= np.sign(found[-1] @ expected[-1])  # Half a turn goes either way.
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_another_word_is_refused():
    with pytest.raises(ValueError, match='frames must be "follow" or "own", got \'velocity\''):
        sm.Controller(still(), sm.Wander(), frames="velocity")


@pytest.mark.parametrize("d", [2, 3])
def test_a_removal_leaves_the_frames_of_the_others_as_they_are(d):
    """Frames and angular velocities of those that stay are the same to the bit at every step, whichever rows are removed."""
    n = 6

    def turned(removed):
        rng = np.random.default_rng(5)
        vehicles = sm.Vehicles(np.zeros((n, d)), rng.normal(size=(n, d)), max_speed=4, dtype=np.float64)
        controller = sm.Controller(vehicles, sm.TargetSpeed(1.0), seed=1)
        turns, told = rng.uniform(0.1, 0.3, n) * (-1) ** np.arange(n), {}
        for k in range(8):
            for row in removed.get(k, ()):
                vehicles.remove(row)
            angles = (turns * k)[vehicles.id]
            own = vehicles.id % 2 == 0  # Their owner turns these in place; the others follow the velocity.
            vehicles.velocity[:, :2] = 2 * np.column_stack([np.cos(angles), np.sin(angles)])
            vehicles.forward[own] = 0
            vehicles.forward[own, :2] = np.column_stack([np.sin(angles), -np.cos(angles)])[own]
            controller.steer(0.1)
            for row, name in enumerate(vehicles.id.tolist()):
                told[k, name] = vehicles.forward[row].tolist(), vehicles.angular_velocity[row].tolist()
        return told

    whole = turned({})
    for first in range(n):
        second = (first + 2) % n
        left = turned({3: [first], 5: [second]})
        assert left == {
            (k, name): each
            for (k, name), each in whole.items()
            if not (name == first and k >= 3) and not (name == second and k >= 5)
        }


def test_a_turn_of_nearly_half_a_circle_has_the_sign_of_the_short_way_round():
    """About every axis, a little less and a little more than half of a turn, and by any other angle."""
    rng = np.random.default_rng(3)
    axis = rng.normal(size=(40, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    forward = rng.normal(size=(40, 3))
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    up = np.cross(forward, axis)
    up /= np.linalg.norm(up, axis=1, keepdims=True)

    def turned(vectors, angle):
        c, s = np.cos(angle), np.sin(angle)
        return (
            vectors * c + np.cross(axis, vectors) * s + axis * np.sum(axis * vectors, axis=1, keepdims=True) * (1 - c)
        )

    for angle, short in ((np.pi - 1e-4, np.pi - 1e-4), (np.pi + 1e-4, 1e-4 - np.pi), (0.3, 0.3), (-2.9, -2.9)):
        after = turned(forward, angle), turned(up, angle)
        found = [rotation(*map(tuple, rows)) for rows in zip(forward, up, *after, strict=True)]
        np.testing.assert_allclose(found, short * axis, atol=2e-3)  # The axis is that of a mean, near half a circle.


@pytest.mark.parametrize("turn", [0.4, -0.4, 3.0, -3.0])
def test_in_the_plane_a_turn_to_the_right_is_below_zero_also_across_the_back(turn):
    """The heading goes from one side of pi to the other."""
    vehicles = sm.Vehicles([[0.0, 0.0]], heading=np.pi - np.sign(turn) * 0.1, dtype=np.float64)
    controller = sm.Controller(vehicles, sm.Wander())
    controller.steer(DT)
    vehicles.heading = vehicles.heading + turn
    controller.steer(DT)
    assert vehicles.angular_velocity.ravel()[0] == pytest.approx(turn / DT)
