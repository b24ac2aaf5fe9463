"""What a World has, beside a Controller's own physics: constraints, observers, sketches, snapshots."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash

DT = 1 / 30


def crowd(seed: int = 1, n: int = 60, dtype: Any = np.float32) -> sm.Vehicles:
    rng = np.random.default_rng(seed)
    return sm.Vehicles(
        rng.uniform(0, 12, (n, 2)),
        rng.uniform(-1, 1, (n, 2)),
        radius=rng.uniform(0.3, 0.9, n),
        max_speed=3,
        max_force=20,
        dtype=dtype,
    )


def tree(goal: Any = (6.0, 6.0)) -> sm.Behavior:
    return sm.Priority([sm.Separation(radius=1.0), sm.Seek(goal, name="go") + 0.3 * sm.Wander()])


def push(vehicles: sm.Vehicles, force: Any) -> None:
    """Somebody's physics."""
    vehicles.velocity[:] += force / vehicles.mass[:, None] * np.float32(DT)
    vehicles.position[:] += vehicles.velocity * np.float32(DT)


@pytest.mark.parametrize("velocities", [True, False])
@pytest.mark.parametrize("domain", [None, sm.Torus([13.0, 13.0]), sm.Box([12.0, 12.0])])
def test_zero_overlap_beside_own_physics_is_that_of_a_world(domain: Any, velocities: bool) -> None:
    """Vehicles coast in a world with the rule, and in one without, after which the rule is applied: the same bits."""
    rocks = sm.Spheres([[3.0, 3.0]], [1.0])
    rule = sm.ZeroOverlap(rocks, velocities=velocities)
    inside, own = crowd(), crowd()
    world, free = sm.World(domain=domain, dt=DT, constraints=[rule]), sm.World(domain=domain, dt=DT)
    world.add(inside)
    free.add(own)
    for _ in range(8):
        world.step()
        free.step()
        rule.apply(own, dt=DT, domain=domain)
        assert own.block.tobytes() == inside.block.tobytes()
    apart = np.linalg.norm(own.position[:, None] - own.position, axis=2) + 9 * np.eye(len(own))
    assert (apart >= (own.radius[:, None] + own.radius) * 0.99 - 1e-3).all() or domain is not None


def test_it_parts_several_populations_and_takes_controllers() -> None:
    a, b = sm.Vehicles([[0.0, 0.0]], radius=1.0), sm.Vehicles([[1.0, 0.0]], radius=1.0)
    sm.ZeroOverlap().apply(sm.Controller(a, sm.Wander()), b, dt=DT)
    np.testing.assert_allclose([a.position[0], b.position[0]], [[-0.5, 0], [1.5, 0]], atol=2e-3)


def test_wrong_inputs_of_apply() -> None:
    a = sm.Vehicles([[0.0, 0.0]])
    for dt in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="dt"):
            sm.ZeroOverlap().apply(a, dt=dt)
    with pytest.raises(TypeError, match="vehicles must be Vehicles"):
        sm.ZeroOverlap().apply([[0.0, 0.0]], dt=DT)
    with pytest.raises(ValueError, match="dim"):
        sm.ZeroOverlap().apply(a, dt=DT, domain=sm.Box([1, 1, 1]))
    a.position[0, 0] = np.nan
    with pytest.raises(ValueError, match="position must be finite"):
        sm.ZeroOverlap().apply(a, dt=DT)


def test_observers_are_called_by_their_triggers_and_may_be_removed() -> None:
    vehicles = crowd()
    controller = sm.Controller(vehicles, tree())
    every, seconds = [], []
    stop = controller.on_step(lambda c: every.append((c.steps, len(c.vehicles))))
    controller.on_step(lambda c: seconds.append(round(c.time, 2)), sm.EverySeconds(0.2))
    for _ in range(12):
        push(vehicles, controller.steer(DT))
    stop()
    controller.steer(DT)
    assert every == [(k + 1, 60) for k in range(12)]
    assert seconds == [0.2, 0.4]
    assert len(controller.observers) == 1


def test_a_zone_reports_beside_own_physics() -> None:
    runner = sm.Vehicles([[0.0, 0.0]], [3.0, 0.0], max_speed=3, max_force=9)
    controller = sm.Controller(runner, sm.Seek([90.0, 0.0]))
    line = sm.Zone(sm.Box([0.2, 4.0], [2.0, -2.0]), runner)
    controller.on_step(line)
    reported = []
    for _ in range(40):
        push(runner, controller.steer(DT))
        reported += line.entered.tolist()
    assert reported == [0]


def test_forces_are_those_of_the_vehicles_that_are_left() -> None:
    """An observer that removes vehicles: the rows of the forces are those of the others, and zero for new ones."""
    vehicles = sm.Vehicles([[0.0, 0.0], [20.0, 0.0], [0.0, 9.0]], max_speed=3, max_force=20)
    controller = sm.Controller(vehicles, sm.Seek([[10.0, 0.0], [10.0, 0.0], [0.0, 0.0]]))
    expected = controller.steer(DT).copy()

    def change(controller: sm.Controller) -> None:
        vehicles.remove(0)
        vehicles.spawn([[50.0, 50.0]])

    stop = controller.on_step(change)
    vehicles.velocity[:] = 0
    force = controller.steer(DT)
    stop()
    np.testing.assert_allclose(force, [*expected[1:], [0.0, 0.0]], atol=1e-4)
    push(vehicles, force)
    assert len(controller.steer(DT)) == 3


def test_a_sketch_is_that_of_a_world() -> None:
    """The same vehicles, in the same place."""
    world = sm.World(dt=DT, seed=3)
    world.add(crowd(), name="vehicles", steering=tree())
    own = sm.Controller(crowd(), tree(), seed=3)
    own.steer(DT)
    push_nothing = own.sketch([4, 7])
    assert [each.label for each in push_nothing] == [each.label for each in world.sketch("vehicles", [4, 7])]
    before = own.memory("Wander")
    own.sketch()
    assert all((own.memory("Wander")[name] == value).all() for name, value in before.items())
    with pytest.raises(KeyError):
        own.sketch(999)


def made() -> tuple[sm.Controller, list[float]]:
    """As a game makes it, at every start."""
    vehicles = crowd(seed=5)
    calm = sm.Modes({"a": tree(), "b": sm.Flee([0.0, 0.0])}, start="a", transitions=[("a", "b", sm.Chance(0.5))])
    controller = sm.Controller(vehicles, calm, seed=7, flows=[sm.Spawner(3.0, sm.Box([2.0, 2.0]), limit=20)])
    seen: list[float] = []
    controller.on_step(Counting(seen), sm.EverySeconds(0.25))
    return controller, seen


class Counting(sm.Keeping):
    """Counts its calls."""

    saved_attributes = ("count",)

    def __init__(self, seen: list[float]) -> None:
        self.seen, self.count = seen, 0

    def __call__(self, controller: Any) -> None:
        self.count += 1
        self.seen.append(controller.time)


def on(controller: sm.Controller, steps: int) -> None:
    for _ in range(steps):
        push(controller.vehicles, controller.steer(DT))


def test_it_goes_on_from_a_file_with_the_same_bits(tmp_path: Path) -> None:
    one, _ = made()
    on(one, 40)
    force = one.steer(DT).copy()
    one.save(tmp_path / "guards.steersman")
    told = one.explain().force
    if len(force) == len(one.vehicles):
        push(one.vehicles, force)
    on(one, 40)
    other, seen = made()
    on(other, 2)
    other.steer(6 * DT)
    vehicles = other.vehicles
    seen.clear()
    other.restore(tmp_path / "guards.steersman")
    np.testing.assert_array_equal(other.explain().force, told)  # With the time step of the file.
    if len(force) == len(other.vehicles):
        push(other.vehicles, force)
    on(other, 40)
    assert other.vehicles is vehicles
    assert (other.steps, other.time) == (one.steps, one.time)
    assert other.vehicles.block.tobytes() == one.vehicles.block.tobytes()
    assert sm.modes_of(other).tolist() == sm.modes_of(one).tolist()
    assert seen == [time for time in made_times(one) if time > 41 * DT + 1e-9]
    assert one.observers[0][0].count == other.observers[0][0].count


def made_times(controller: sm.Controller) -> list[float]:
    return controller.observers[0][0].seen


def test_a_file_of_a_controller_is_a_world(tmp_path: Path) -> None:
    one = sm.Controller(crowd(), tree(), seed=3)
    on(one, 10)
    one.steer(DT)
    one.save(tmp_path / "file")
    world = sm.World.load(tmp_path / "file")
    assert len(world["vehicles"]) == 60
    assert (world.steps, world.time) == (one.steps, one.time)
    assert state_hash(world)


def test_another_controller_does_not_take_it(tmp_path: Path) -> None:
    one = sm.Controller(crowd(), tree(), seed=3)
    one.steer(DT)
    one.save(tmp_path / "file")
    other = sm.Controller(crowd(seed=2), sm.Wander(), seed=3)
    before = other.vehicles.block.copy()
    with pytest.raises(sm.SnapshotError, match="of another world"):
        other.restore(tmp_path / "file")
    assert (other.vehicles.block == before).all()
    other.steer(DT)
