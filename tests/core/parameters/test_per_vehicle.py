"""One number per vehicle: where it is allowed, to whom it belongs, and what is said of wrong ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.parameters.per_vehicle import rows_among
from steersman.core.world.state_hash import state_hash

N = 12


def world_of(steering: Any, n: int = N, threads: int = 1) -> sm.World:
    rng = np.random.default_rng(4)
    vehicles = sm.Vehicles(rng.uniform(0, 12, (n, 2)), rng.normal(0, 1, (n, 2)), max_speed=2.0, max_force=3.0)
    world = sm.World(seed=3, dt=0.05, threads=threads)
    world.add(vehicles, name="ants", steering=steering)
    return world


def after(steering: Any, steps: int = 5) -> Any:
    world = world_of(steering)
    world.run(steps=steps)
    return world["ants"].position.copy()


def tree(n: int = N) -> Any:
    boldness = np.linspace(0.1, 2.0, n)
    return boldness * sm.Wander(strength=np.linspace(0.2, 0.9, n)) + sm.Separation(
        radius=np.linspace(0.5, 4.0, n), strength=np.linspace(1, 2, n)
    )


def test_vehicles_go_as_in_the_world_where_all_have_their_number() -> None:
    groups = np.arange(N) < 5
    slow, fast = (after(sm.Seek([50.0, 3.0], speed=speed)) for speed in (0.5, 1.5))
    both = after(sm.Seek([50.0, 3.0], speed=np.where(groups, 0.5, 1.5)))
    np.testing.assert_array_equal(both, np.where(groups[:, None], slow, fast))


def test_weights_of_one_per_vehicle_weigh_each_vehicle() -> None:
    groups = np.arange(N) < 5
    forward, back = (after(weight * sm.Seek([50.0, 3.0])) for weight in (1.0, -0.5))
    both = after(np.where(groups, 1.0, -0.5) * sm.Seek([50.0, 3.0]))
    np.testing.assert_array_equal(both, np.where(groups[:, None], forward, back))
    np.testing.assert_array_equal(after(np.full(N, 2.0) * (3 * sm.Wander())), after(6.0 * sm.Wander()))


def test_weights_of_one_per_vehicle_weigh_a_sum_and_a_choice() -> None:
    groups = np.arange(N) < 5
    field = sm.Sphere([6.0, 6.0], 6.0)
    choices = {
        "sharing": lambda: sm.Priority([sm.Contain(field), sm.Seek([50.0, 3.0])]),
        "sum": lambda: sm.WeightedSum([sm.Wander(), sm.Seek([50.0, 3.0])], weights=[0.5, 0.25]),
    }
    for choice in choices.values():
        slow, fast = (after(sm.WeightedSum([choice()], weights=[weight])) for weight in (0.25, 1.5))
        both = after(sm.WeightedSum([choice()], weights=[np.where(groups, 0.25, 1.5)]))
        np.testing.assert_array_equal(both, np.where(groups[:, None], slow, fast))


@pytest.mark.parametrize("k", [None, 3])
def test_every_row_has_its_own_reach(k: int | None) -> None:
    groups = np.arange(N) < 5
    near, far = (after(sm.Cohesion(radius=radius, k=k), steps=1) for radius in (2.0, 6.0))
    both = after(sm.Cohesion(radius=np.where(groups, 2.0, 6.0), k=k), steps=1)
    np.testing.assert_array_equal(both, np.where(groups[:, None], near, far))
    assert not np.array_equal(near, far)


@pytest.mark.parametrize("n", [N, 300])
@pytest.mark.parametrize("k", [None, 4])
def test_every_row_has_its_own_view_of_those_in_its_place_too(n: int, k: int | None) -> None:
    rng = np.random.default_rng(8)
    places = rng.uniform(0, 12 if n == N else 40, (n // 2, 2)).repeat(2, axis=0)
    groups = np.arange(n) % 3 == 0

    def push(*numbers: Any) -> Any:
        radius, angle, inner, strength = numbers
        reach = {"radius": radius, "angle": angle, "inner_radius": inner, "k": k}
        tree = (
            sm.Separation(**reach, strength=strength)
            + sm.Separation(**reach, law="inverse_square", strength=strength, limit=2.0)
            + 0.2 * sm.Separation(radius=3.0, fade=False, falloff=2.5)
            + 0.1 * sm.Alignment(radius=radius, angle=4.0)
            + 0.1 * sm.Cohesion(radius=2.0 * radius)
        )
        vehicles = sm.Vehicles(places, forward=rng_forward, max_force=50.0)
        world = sm.World(seed=3, dt=0.05)
        world.add(vehicles, name="ants", steering=tree)
        return world.explain("ants").raw

    rng_forward = rng.normal(0, 1, (n, 2))
    one, other = (2.0, 4.0, 0.5, 3.0), (3.5, 2.0, 0.0, 1.0)
    alone = [push(*numbers) for numbers in (one, other)]
    both = push(*(np.where(groups, a, b) for a, b in zip(one, other, strict=True)))
    np.testing.assert_array_equal(both, np.where(groups[:, None], *alone))


def test_numbers_stay_with_their_vehicles() -> None:
    speed = np.linspace(0.2, 1.8, N)
    world = world_of(sm.TargetSpeed(speed=speed), threads=2)
    ants = world["ants"]
    world.run(steps=2)
    ants.remove([0, 3, 7])
    ants.spawn(np.zeros((40, 2)), [1.0, 0.0])
    ants.spawn([1.0, 1.0], [1.0, 0.0], id=[3])
    world.run(seconds=5)
    whose = np.where(ants.id < N, speed[np.minimum(ants.id, N - 1)], speed[-1])
    np.testing.assert_allclose(ants.speed, whose, rtol=1e-3)


def test_numbers_stay_with_vehicles_whose_ids_are_in_no_order() -> None:
    ants = sm.Vehicles(np.zeros((4, 2)), id=[7, 2, 9, 4], max_force=1e9)
    controller = sm.Controller(ants, sm.WeightedSum([sm.Seek([100.0, 0.0])], weights=[[1.0, 2.0, 3.0, 4.0]]))
    before = controller.steer(0.01).copy()
    np.testing.assert_allclose(before[:, 0] / before[0, 0], [1, 2, 3, 4], rtol=1e-6)
    ants.remove(2)
    np.testing.assert_allclose(controller.steer(0.01), before[[0, 2, 3]], rtol=1e-6)
    assert rows_among(np.array([4, 9, 5]), np.array([7, 2, 9, 4])).tolist() == [3, 2, -1]


def test_reaches_stay_with_their_vehicles() -> None:
    radius = np.full(N, 1e-3)
    radius[5] = 100.0
    world = world_of(sm.Cohesion(radius=radius))
    ants = world["ants"]
    world.step()
    ants.remove([0, 1])
    ants.spawn([3.0, 3.0])
    world.step()
    assert [node.raw.any(axis=1).nonzero()[0].tolist() for node in [world.explain("ants")]] == [[3]]


def test_points_stay_with_their_vehicles_and_newcomers_have_none() -> None:
    points = np.random.default_rng(5).uniform(0, 12, (N, 2))
    world = world_of(sm.GoTo(points))
    ants = world["ants"]
    world.step()
    ants.remove([2, 4])
    new = ants.spawn(np.full((30, 2), 6.0))
    world.run(seconds=60)
    stayed = np.setdiff1d(np.arange(N), [2, 4])
    np.testing.assert_allclose(ants.position[ants.rows(stayed)], points[stayed], atol=0.05)
    np.testing.assert_array_equal(ants.position[ants.rows(new)], np.full((30, 2), 6.0))


def test_bits_do_not_depend_on_threads() -> None:
    hashes = set()
    for threads in (1, 4):
        world = world_of(tree(3000), n=3000, threads=threads)
        world.run(steps=4)
        hashes.add(state_hash(world))
    assert len(hashes) == 1


def test_documents_and_snapshots_hold_them(tmp_path: Path) -> None:
    world = world_of(tree())
    world.run(steps=3)
    world["ants"].remove([1, 2])
    world.save(tmp_path / "world.steersman")
    saved = sm.World.load(tmp_path / "world.steersman")
    again = sm.from_document(sm.to_document(world), threads=1)
    for each in (saved, again):
        assert each.populations["ants"].steering == world.populations["ants"].steering
    for each in (world, saved, again):
        each.run(steps=4)
    assert state_hash(saved) == state_hash(world) == state_hash(again)


def test_a_tree_is_written_and_made_again() -> None:
    assert eval(repr(tree()), {"sm": sm}) == tree()
    assert tree() != 2 * tree()


def test_sketches_and_explanations_take_the_numbers_of_each_vehicle() -> None:
    world = world_of(tree())
    assert len(world.sketch("ants", [3, 5]))
    assert [part.weight for part in world.explain("ants", [0]).parts] == pytest.approx([0.1, 1.0])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1.0, float("nan")], "strength must be finite, got nan at index 1"),
        ([1.0, -2.0, -3.0], "strength must be >= 0 or None, got -2.0 for row 1"),
        ([[1.0], [2.0]], r"strength must be one number or have shape \(n,\), one per vehicle, got shape \(2, 1\)"),
        ([], r"strength must be one number or have shape \(n,\), one per vehicle, got shape \(0,\)"),
    ],
)
def test_wrong_numbers_are_refused(values: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sm.Wander(strength=values)


def test_as_many_as_vehicles_are_needed() -> None:
    with pytest.raises(ValueError, match=r"strength must be one number or have shape \(12,\), one per vehicle when"):
        world_of(sm.Wander(strength=[1.0, 2.0])).step()


def test_numbers_that_are_for_all_say_so() -> None:
    with pytest.raises(TypeError, match="falloff must be one number for all vehicles here, not one per vehicle"):
        world_of(sm.Separation(falloff=np.linspace(1, 2, N))).step()
    with pytest.raises(TypeError, match="radius must be"):
        sm.Spheres([[0, 0]], radius="x")


def test_a_behavior_in_numpy_takes_numbers_by_row() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True, eq=False)
    class Drift(sm.Behavior):
        wind: float = sm.parameter(1.0)

        def steer(self, scene: Any, memory: Any, out: Any) -> None:
            out.linear[:, 0] = scene.by_row(self.wind)

    wind = np.linspace(-1, 1, N)
    world = world_of(Drift(wind=wind))
    world["ants"].remove([2])
    np.testing.assert_allclose(world.explain("ants").raw[:, 0], np.delete(wind, 2), rtol=1e-6)

    @dataclass(frozen=True, eq=False)
    class Push(sm.Behavior):
        wind: float = sm.parameter(1.0)

        def steer(self, scene: Any, memory: Any, out: Any) -> None:
            out.linear += self.wind * scene.vehicles.velocity

    world_of(Push()).step()
    with pytest.raises(ValueError, match="broadcast") as refused:
        world_of(Push(wind=wind)).step()
    (note,) = refused.value.__notes__
    assert note == "wind of Push is one number per vehicle: scene.by_row(self.wind) gives its numbers, shape (n,)"


def test_it_is_known_who_is_alive() -> None:
    ants = world_of(sm.Wander())["ants"]
    ants.remove([2, 4])
    assert ants.alive([1, 2, 4, 5, 99]).tolist() == [True, False, False, True, False]
    assert ants.alive(3).tolist() == [True]
    assert ants.alive([]).tolist() == []
    with pytest.raises(TypeError, match="ids must be whole numbers, got float64"):
        ants.alive([1.5])


@pytest.mark.parametrize("radius", ["array", "column"])
@pytest.mark.parametrize("angle", ["array", "column"])
def test_a_search_takes_arrays_and_columns_beside_each_other(radius: str, angle: str) -> None:
    """Also where the columns change, and the larger numbers are those of other vehicles."""
    n, rng = 40, np.random.default_rng(6)
    place, forward = rng.uniform(0, 12, (n, 2)), rng.normal(size=(n, 2))
    sights, views = rng.uniform(0.5, 6, (2, n)), rng.uniform(0.5, 6, (2, n))

    def steered(radius: Any, angle: Any, *orders: dict[str, Any]) -> list[Any]:
        vehicles = sm.Vehicles(place, forward=forward, dtype=np.float64)
        tree = sm.Orders(sm.Cohesion(radius=radius, angle=angle), {"sight": 1.0, "view": 1.0})
        controller, forces = sm.Controller(vehicles, tree, threads=1), []
        for each in orders:
            controller.order(vehicles.id, **each)
            forces.append(controller.steer(0.1).copy())
        return forces

    orders = [{"sight": sights[k], "view": views[k]} for k in range(2)]
    taken = ["column:sight" if radius == "column" else sights[0], "column:view" if angle == "column" else views[0]]
    found = steered(*taken, *orders)
    now = [(sights[k if radius == "column" else 0], views[k if angle == "column" else 0]) for k in range(2)]
    expected = [steered(*each, {})[0] for each in now]
    assert found[0].any(axis=1).sum() > 20
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("others", [3.0, 8.0])
def test_who_sees_everybody_leaves_the_fading_of_others_as_it_is(others: float) -> None:
    """With one infinite radius among them, the pushes of no vehicle faded."""
    place = np.random.default_rng(0).uniform(0, 6, (12, 2))
    radius = np.where(np.arange(12) % 2, others, np.inf)

    def pushes(radius: Any) -> Any:
        vehicles = sm.Vehicles(place, max_force=1e9, dtype=np.float64)
        return sm.Controller(vehicles, sm.Separation(radius=radius, strength=1.0), threads=1).steer(0.1).copy()

    expected = np.where(radius[:, None] == others, pushes(others), pushes(np.inf))
    np.testing.assert_allclose(pushes(radius), expected, rtol=1e-9, atol=1e-12)
