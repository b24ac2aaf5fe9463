"""A step happens whole or not at all, and the error says what is wrong, and with whom."""

import re
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from core.world.whole_state import whole_state

import steersman as sm
from steersman.core.kernels.call import Call
from steersman.core.world.guard import vehicle_ids

NAN, INF = np.nan, np.inf
VECTORS = ("position", "velocity", "forward", "up", "angular_velocity")
SCALARS = (
    "mass", "radius", "max_speed", "max_force", "response_time", "max_angular_speed", "max_angular_acceleration",
    "length",
)  # fmt: skip


def herd(n=12, d=2, seed=1, **more):
    rng = np.random.default_rng(seed)
    arguments = {"max_speed": 3, "max_force": 5} | more
    return sm.Vehicles(rng.normal(size=(n, d)) * 10, rng.normal(size=(n, d)), **arguments)


def assert_refused(world, *others, error=sm.NonFiniteError, message=None):
    """A step raises, twice alike, and changes nothing."""
    before = whole_state(world, *others)
    for _ in range(2):
        with pytest.raises(error, match=message) as caught:
            world.step()
        assert whole_state(world, *others) == before
    return str(caught.value)


def running(d=2, quarry_in_world=True):
    """A world of two populations with memory, a few steps old, and the two."""
    hunters, rabbits = herd(d=d, id=np.arange(12) + 100), herd(5, d=d, seed=2)
    world = sm.World(seed=3)
    steering = sm.Pursue(rabbits, name="chase") + sm.Wander()
    world.add(hunters, name="hunters", steering=steering)
    if quarry_in_world:
        world.add(rabbits, name="rabbits", steering=sm.Wander("turn"))
    world.run(steps=3)
    return world, hunters, rabbits


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("column", [*VECTORS, *SCALARS])
def test_a_wrong_number_in_a_column(column, value):
    d = 3 if column == "up" else 2
    world, hunters, _ = running(d)
    view = getattr(hunters, column)
    old = view.copy()
    view[[4, 7]] = value
    message = assert_refused(world)
    assert message.startswith(f"{column} of 'hunters' must be finite and below 1e+15, got [")
    assert f"[{value}" in message
    assert message.endswith("for vehicles 104, 107; the world is unchanged")
    view[...] = old
    world.step()
    assert world.steps == 4


@pytest.mark.parametrize("column", SCALARS)
def test_a_negative_number_in_a_column(column):
    world, hunters, _ = running()
    getattr(hunters, column)[2] = -0.5
    sign = ">" if column == "mass" else ">="
    assert_refused(
        world, error=ValueError, message=f"^{column} of 'hunters' must be {sign} 0 .*got -0.5 for vehicle 102;"
    )


def test_minus_zero_is_zero():
    world, hunters, _ = running()
    hunters.radius[:] = -0.0
    world.step()


def test_a_vehicle_without_mass():
    world, hunters, _ = running()
    hunters.mass[3] = 0
    assert_refused(world, message=r"^mass of 'hunters' must be > 0 kg, got 0.0 for vehicle 103;")
    hunters.mass[2] = 1e-44  # Its velocity would be infinite, too, and its mass is allowed.
    assert_refused(world, message=r"^mass of 'hunters' must be > 0 kg, got 0.0 for vehicle 103;")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_number_whose_square_would_overflow(dtype):
    vehicles = herd(dtype=dtype)
    world = sm.World()
    world.add(vehicles)
    vehicles.position[1] = np.sqrt(np.finfo(dtype).max) * 2
    assert_refused(
        world, message=r"^position of 'vehicles' must be finite and below 1e\+(15|120), got .* for vehicle 1;"
    )


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("column", ["position", "velocity", "forward", "mass", "radius", "max_speed"])
@pytest.mark.parametrize("inside", [True, False])
def test_a_wrong_number_in_a_watched_population(column, value, inside):
    world, _, rabbits = running(quarry_in_world=inside)
    getattr(rabbits, column)[3] = value
    message = assert_refused(world, rabbits)
    whose = "'rabbits'" if inside else "the vehicles that 'hunters' watches"
    assert message.startswith(f"{column} of {whose} must be finite")
    assert "for vehicle 3;" in message


@pytest.mark.parametrize(
    "steering",
    [
        lambda others: sm.Seek(others),
        lambda others: sm.Evade(others),
        lambda others: sm.Priority([sm.Seek([0, 0]), sm.Flee(others)]),
        lambda others: sm.Separation(of=others) + sm.Seek([0, 0]),
    ],
    ids=["Seek", "Evade", "never asked", "neighbors"],
)
def test_whoever_is_watched_is_inspected(steering):
    others = herd(5, seed=2)
    world = sm.World()
    world.add(herd(), steering=steering(others))
    world.step()
    others.position[4, 1] = NAN
    assert_refused(world, others, message="^position of the vehicles that 'vehicles' watches .* for vehicle 4;")


def test_two_wrong_populations_and_then_none():
    world, hunters, rabbits = running()
    old = hunters.position.copy(), rabbits.position.copy()
    hunters.position[0] = rabbits.position[0] = NAN
    assert_refused(world, message="'hunters'")
    hunters.position[:] = old[0]
    assert_refused(world, message="'rabbits'")
    rabbits.position[:] = old[1]
    world.step()


def test_array_targets_are_copied_and_read_only():
    points = np.zeros((12, 2))
    seek = sm.Seek(points)
    points[0] = NAN
    assert not seek.target.any()
    with pytest.raises(ValueError, match="read-only"):
        seek.target[0] = NAN


def test_obstacles_are_copied_and_read_only():
    center, radius = np.zeros((2, 2)), np.ones(2)
    rocks = sm.Spheres(center, radius)
    center[0], radius[0] = NAN, NAN
    for array in (rocks.center, rocks.radius):
        assert np.isfinite(array).all()
        with pytest.raises(ValueError, match="read-only"):
            array[0] = NAN


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("each", [False, True])
def test_a_target_function_that_returns_a_wrong_number(value, each):
    good = True

    def here():
        points = np.zeros((12, 2)) if each else np.zeros(2)
        if not good:
            points[..., 1] = value
        return points

    world = sm.World()
    world.add(herd(), steering=sm.Seek(here) + sm.Wander())
    world.step()
    good = False
    assert_refused(world, error=ValueError, message=r"^target\(\) must be finite, got")
    good = True
    world.step()


def test_a_target_out_of_all_bounds():
    far = sm.Seek([1e300, 0])
    world = sm.World()
    world.add(herd(), steering=far + sm.Wander())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cast to float32 says so too
        assert_refused(world, message=r"^Seek made the force \[nan, .* for vehicles 0, 1, .* \(12 in all\)")


CONSTRUCTORS = [
    ("target", lambda x: sm.Seek([x, 0])),
    ("speed", lambda x: sm.Seek([0, 0], speed=x)),
    ("target", lambda x: sm.Flee([[0, 0], [0, x]])),
    ("target", lambda x: sm.Arrive([x, 0])),
    ("radius", lambda x: sm.Separation(radius=x if x != INF else NAN)),
    ("angle", lambda x: sm.Cohesion(angle=x)),
    ("strength", lambda x: sm.Wander(strength=x)),
    ("rate", lambda x: sm.Wander(rate=x)),
    ("lookahead", lambda x: sm.AvoidObstacles(sm.Spheres([0, 0], 1), lookahead=x)),
    ("center", lambda x: sm.Spheres([x, 0], 1)),
    ("radius", lambda x: sm.Spheres([0, 0], x)),
    ("weight", lambda x: x * sm.Seek([0, 0])),
    ("time", lambda x: sm.Constant(x)),
    ("size", lambda x: sm.Torus([x, 1])),
    ("origin", lambda x: sm.Box([1, 1], origin=x)),
    ("restitution", lambda x: sm.Box([1, 1], restitution=x)),
    ("dt", lambda x: sm.World(dt=x)),
    ("seconds", lambda x: sm.EverySeconds(x)),
    ("position", lambda x: sm.Vehicles([x, 0])),
]


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize(("name", "make"), CONSTRUCTORS)
def test_a_wrong_parameter_is_refused_at_once(name, make, value):
    with pytest.raises(ValueError, match=rf"^{name} must be .*(nan|inf)"):
        make(value)


@dataclass(frozen=True, eq=False)
class Faulty(sm.Behavior):
    """Wanders off by memory, and returns a wrong number for some."""

    faults: dict

    def init(self, vehicles):
        return {"calls": np.zeros(len(vehicles))}

    def steer(self, scene, memory, out):
        memory["calls"][:] += 1
        out.linear[:] = 1
        for row, value in self.faults.items():
            out.linear[row, 1] = value


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("nested", [False, True])
def test_a_behavior_that_returns_a_wrong_number_is_named(value, nested):
    faults = {}
    faulty = Faulty(faults, name="storm")
    world = sm.World(seed=1)
    steering = sm.Priority([sm.WeightedSum([sm.Wander(), faulty], each="raw")]) if nested else faulty
    population = world.add(herd(id=np.arange(12) + 50), name="birds", steering=steering)
    world.run(steps=2)
    faults |= {3: value, 8: value}
    message = assert_refused(world)
    shown = re.escape(f"{np.float32(value).item()}")
    assert re.match(rf"storm made the force \[1.0, {shown}\] N for vehicles 53, 58 of 'birds', which", message)
    faults.clear()
    world.step()
    (memory,) = (m for m in population.memories.values() if "calls" in m.schema())
    assert memory.snapshot()["calls"].tolist() == [3] * 12


def test_the_innermost_culprit_is_named_row_by_row():
    """Two parts are wrong, each for someone else: the first is named, with its own vehicles only."""
    first, second = Faulty({1: NAN}, name="first"), Faulty({2: NAN}, name="second")
    world = sm.World()
    world.add(herd(), steering=first + second)
    assert_refused(world, message="^first made the force .* for vehicle 1 of")


@pytest.mark.parametrize("failure", [RuntimeError("no idea"), ZeroDivisionError(), KeyboardInterrupt(), SystemExit(3)])
def test_a_behavior_that_raises(failure):
    armed = False

    def moody(vehicles):
        if armed:
            raise failure
        return vehicles.position * 0

    world = sm.World(seed=1)
    world.add(herd(), steering=sm.Wander() + moody)
    world.add(herd(), steering=Faulty({}))
    world.run(steps=2)
    before = whole_state(world)
    armed = True
    with pytest.raises(type(failure)):
        world.run(steps=2)
    assert whole_state(world) == before
    armed = False
    world.step()
    assert world.steps == 3


def test_a_behavior_that_returns_something_else():
    world = sm.World()
    population = world.add(herd(2), steering=sm.Wander())
    for result, message in (
        (None, r"must return forces of shape \(2, 2\), got None: is there a return missing"),
        (np.zeros((2, 3)), r"must return forces of shape \(2, 2\), got \(2, 3\)"),
    ):
        population.steering = lambda vehicles, result=result: result
        assert_refused(world, error=ValueError, message=message)


def test_an_observer_that_raises_comes_after_the_step():
    world, _, _ = running()
    seen = []

    def observer(world):
        seen.append(world.steps)
        raise LookupError("observer")

    forget = world.on_step(observer)
    with pytest.raises(LookupError):
        world.run(steps=5)
    assert seen == [4]
    assert world.steps == 4
    forget()
    world.run(steps=5)
    assert world.steps == 9
    assert seen == [4]


def test_a_behavior_must_not_step_the_world():
    world = sm.World()
    world.add(herd(), steering=lambda vehicles: world.step())
    assert_refused(world, error=RuntimeError, message="the world is in the middle of a step")


def test_a_behavior_must_not_spawn():
    vehicles = herd()
    forces = np.zeros((12, 2))

    def breeding(vehicles):
        vehicles.spawn([0, 0])
        return forces

    world = sm.World()
    population = world.add(vehicles, steering=sm.Wander() + breeding)
    with pytest.raises(RuntimeError, match="must not be spawned or removed in the middle of a step"):
        world.step()
    assert world.steps == 0
    assert len(vehicles) == 12
    population.steering = sm.Wander()
    world.step()
    assert len(vehicles) == 12


def test_a_refused_frame_keeps_its_time():
    world, hunters, _ = running()
    world.dt = 0.125
    hunters.mass[0] = NAN
    with pytest.raises(sm.NonFiniteError):
        world.advance(0.3)
    hunters.mass[0] = 1
    assert world.advance(0.0) == pytest.approx(0.4)
    assert world.steps == 5


def test_a_controller_is_all_or_nothing_too():
    vehicles, others = herd(), herd(5, seed=2)
    faults = {}
    controller = sm.Controller(vehicles, sm.Pursue(others) + sm.Wander() + Faulty(faults), name="birds")
    force = controller.steer(0.1).copy()

    def memory():
        memories = controller._population.memories
        return [values.tobytes() for key in memories for values in memories[key].snapshot().values()]

    before = memory(), controller.time, controller.steps
    for view, message in (
        (vehicles.velocity, "^velocity of 'birds' must be finite"),
        (others.forward, "^forward of the vehicles that 'birds' watches must be finite"),
    ):
        old = view.copy()
        view[1] = NAN
        with pytest.raises(sm.NonFiniteError, match=message):
            controller.steer(0.1)
        view[...] = old
    faults[2] = INF
    with pytest.raises(sm.NonFiniteError, match=r"^Faulty made the force .* for vehicle 2 of 'birds'"):
        controller.steer(0.1)
    assert (memory(), controller.time, controller.steps) == before
    faults.clear()
    assert np.isfinite(force).all()
    assert controller.steer(0.1).shape == (12, 2)


class Returning(sm.Behavior):
    """Returns its forces, as a function does, in place of writing them down."""

    def steer(self, scene, memory, out):
        return scene.vehicles.velocity


class Gliding(sm.Locomotion):
    """Returns its velocities in place of writing them down."""

    def propose(self, to):
        return to.vehicles.velocity


def test_what_a_behavior_or_body_returns_is_not_ignored():
    world = sm.World()
    population = world.add(herd(2), steering=Returning())
    assert_refused(
        world, error=TypeError, message=r"^Returning.steer must write forces to out.linear and return nothing"
    )
    population.steering, population.locomotion = None, Gliding()
    assert_refused(world, error=TypeError, message=r"^Gliding.propose must write velocities to to.velocity and return")


def spoil_view(vehicles):
    vehicles.velocity[:] = NAN
    return np.zeros_like(vehicles.velocity)


def spoil_column(vehicles):
    vehicles.mass = 3.0
    return np.zeros_like(vehicles.velocity)


def spoil_in_place(vehicles):
    np.add(vehicles.position, 1.0, out=vehicles.position)
    return np.zeros_like(vehicles.velocity)


def spoil_frame(vehicles):
    vehicles.heading = 1.0
    return np.zeros_like(vehicles.velocity)


@dataclass(frozen=True, eq=False)
class Spoiler(sm.Behavior):
    def steer(self, scene, memory, out):
        scene.vehicles.position += 1.0


@dataclass(frozen=True, eq=False)
class BoundSpoiler(sm.Behavior):
    def bind(self, scene, memory, out):
        return [Call(lambda: spoil_view(scene.vehicles), whole=True)]


@pytest.mark.parametrize(
    ("steering", "name"),
    [
        (spoil_view, "spoil_view"),
        (spoil_column, "spoil_column"),
        (spoil_in_place, "spoil_in_place"),
        (spoil_frame, "spoil_frame"),
        (sm.Wander() + spoil_view, "spoil_view"),
        (Spoiler(), "Spoiler"),
        (BoundSpoiler(), "BoundSpoiler"),
        (sm.Switch(sm.Wander(), on=lambda v: spoil_view(v).any(axis=1)), "a function"),
    ],
)
def test_a_behavior_writes_to_what_it_looks_at(steering, name):
    world = sm.World()
    population = world.add(herd(), name="hunters", steering=sm.Wander())
    world.run(steps=2)
    population.steering = steering
    world._ready()
    assert_refused(world, error=ValueError, message=f"{name}.* must not write .*; the world is unchanged")
    world["hunters"].velocity[:] = 1.0  # Between steps everybody may.
    with pytest.raises(ValueError, match="must not write"):
        world.explain()
    population.steering = sm.Wander()
    world.step()


BODIES = {
    "point mass": lambda d: sm.PointMass(),
    "free": lambda d: sm.FreeBody(),
    "limits": lambda d: sm.PointMass(limits=[sm.SmoothForce(0.2), sm.TurnRate(1.0)]),
    "wheeled": lambda d: sm.Wheeled(),
    "clips": lambda d: sm.MotionClips([sm.Clip("walk", speed=1.0)]),
    "flying": lambda d: sm.Flying(),
}


@dataclass(frozen=True, eq=False)
class CountingBody(sm.Locomotion):
    """Counts its steps in place."""

    speed: float = 0.0

    def init(self, vehicles):
        return {"steps": np.zeros(len(vehicles))}

    def propose(self, to):
        to.memory["steps"][:] += 1
        to.velocity[:] = self.speed


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("name", "d"), [*((name, 2) for name in BODIES if name != "flying"), ("flying", 3), ("free", 3)]
)
def test_a_force_that_is_large_but_finite_is_truncated(name, d, dtype):
    """As one is that is only a little beyond max_force."""
    size, ids = np.sqrt(np.finfo(dtype).max) * 1e4, [3, 5]
    direction = np.ones(d) / np.sqrt(d)

    def world_of(force):
        def push(vehicles):
            return np.where(np.isin(vehicles.id, ids)[:, None], force * direction, direction)

        world = sm.World()
        world.add(herd(d=d, dtype=dtype), steering=push, locomotion=BODIES[name](d))
        return world

    much, enough = world_of(size), world_of(5.0)
    for world in (much, enough):
        world.run(steps=3)
    np.testing.assert_allclose(much["vehicles"].block, enough["vehicles"].block, rtol=1e-5, atol=1e-6)
    controller = sm.Controller(herd(d=d, dtype=dtype), lambda v: np.full((12, d), size))
    np.testing.assert_allclose(controller.steer(0.1), np.full((12, d), 5 / np.sqrt(d)), rtol=1e-6)


def test_a_large_force_spoils_nothing_else():
    """Neither what is wrong beside it, nor what a body remembers, nor the columns that a behavior may not write to."""
    world, vehicles = sm.World(), herd()
    bad = np.full((12, 2), 1e30)
    population = world.add(vehicles, steering=lambda vehicles: bad)
    bad[4] = NAN
    assert_refused(world, message="made the force .*nan.* for vehicle 4 of")
    population.steering = sm.WeightedSum([lambda v: np.full((12, 2), 1e20)], weights=[1e20], each="raw")
    assert_refused(world, message="for vehicles 0, 1, 2, .* of 'vehicles', which is not finite or too large")
    population.steering = lambda vehicles: bad
    bad[4] = 1e30
    population.locomotion = CountingBody(speed=NAN)
    assert_refused(world, message="^the new velocity of vehicles 0, 1, ")
    population.locomotion = CountingBody()
    world.run(steps=3)
    assert [memory.snapshot()["steps"].tolist() for memory in population.memories.values()] == [[3] * 12]
    vehicles.velocity[:] = 1.0


def test_nobody_leaves_all_bounds():
    """Who is out of bounds could never come back: the next step would be refused, too."""
    vehicles = sm.Vehicles([[0, 0], [5, 5]], velocity=[1e14, 0], max_speed=1e14, id=[3, 4])
    world = sm.World(dt=100)
    world.add(vehicles)
    message = assert_refused(world, message="position of 'vehicles' must stay below 1e\\+15 m")
    assert "for vehicles 3, 4" in message
    world.step(dt=0.1)
    vehicles.position = [9.999e14, 0]
    vehicles.velocity = [1e13, 0]
    assert_refused(world)
    world.step(dt=1e-3)
    slow = sm.World(dt=1e9)
    slow.add(sm.Vehicles([[0, 0]], velocity=[1e8, 0], max_speed=1e8))
    assert_refused(slow)


def test_far_away_vehicles_hide_nobody_elses_wrong_force():
    """What is to be looked at more closely is forgotten afterwards, but not what is wrong."""
    world, far = sm.World(dt=0.1), sm.Vehicles([[5e13, 0.0]], max_speed=1e9)
    world.add(far, name="far", steering=sm.Seek([0.0, 0.0]))
    world.add(herd(), name="near", steering=lambda vehicles: np.full((12, 2), NAN))
    assert_refused(world, message="for vehicles 0, 1, .* of 'near', which is not finite")
    world.remove("near")
    world.step()


def test_a_surface_that_is_too_far_away():
    vehicles = sm.Vehicles([[0, 0, 0]], velocity=[1, 0, 0])
    world = sm.World()
    with np.errstate(over="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        population = world.add(vehicles, locomotion=sm.SurfaceBound(sm.Plane([0, 0, 1e39], [0, 0, 1])))
        assert_refused(world, message="position of 'vehicles' must stay below")
    population.locomotion = sm.SurfaceBound(sm.Plane([0, 0, 3], [0, 0, 1]))
    world.step()
    assert vehicles.position[0, 2] == 3


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, "vehicle 5"), (2, "vehicles 5, 6"), (10, "vehicles 5, 6, 7, 8, 9, 10, 11, 12, 13, 14"),
     (11, "vehicles 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ... (11 in all)")],
)  # fmt: skip
def test_a_message_names_ten_vehicles_at_most(count: int, told: str) -> None:
    vehicles = sm.Vehicles(np.zeros((20, 2)))
    rows = np.arange(20)
    assert vehicle_ids(vehicles, (rows >= 5) & (rows < 5 + count)) == told
