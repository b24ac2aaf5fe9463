"""ZeroOverlap: nobody overlaps after a step."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.constraint import WorldConstraint
from steersman.core.world.constraints import untangling
from steersman.core.world.constraints.moves import MOMENTUM, MOST


def untangled(*herds: sm.Vehicles, domain: Any = None, steps: int = 1, **how: Any) -> None:
    world = sm.World(domain=domain, constraints=[sm.ZeroOverlap(**how)])
    for herd in herds:
        world.add(herd)
    world.run(steps=steps)


def deepest(*herds: sm.Vehicles, domain: Any = None) -> float:
    """The deepest overlap of all pairs, as a part of the two radii."""
    position = np.concatenate([herd.position for herd in herds]).astype(float)
    radius = np.concatenate([herd.radius for herd in herds]).astype(float)
    way = (domain or sm.Open()).difference(position[:, None, :], position[None, :, :])
    distance = np.linalg.norm(way, axis=2)
    np.fill_diagonal(distance, np.inf)
    room = radius[:, None] + radius[None, :]
    return float(((room - distance) / np.maximum(room, 1e-9)).max())


def test_two_move_apart_by_half_each_until_they_touch() -> None:
    vehicles = sm.Vehicles([[0, 0], [0.6, 0.8], [5, 5]], radius=[1, 1, 1], dtype=np.float64)
    untangled(vehicles)
    np.testing.assert_allclose(vehicles.position, [[-0.3, -0.4], [0.9, 1.2], [5, 5]], atol=1e-12)
    untangled(vehicles)
    np.testing.assert_allclose(vehicles.position[0], [-0.3, -0.4], atol=1e-12)
    assert not vehicles.velocity.any()


def test_across_the_edge_of_a_torus() -> None:
    for size in (10.0, 2.5):
        vehicles = sm.Vehicles([[0.2, 1.0], [size - 0.4, 1.0]], radius=0.5, dtype=np.float64)
        untangled(vehicles, domain=sm.Torus([size, size]))
        np.testing.assert_allclose(vehicles.position, [[0.4, 1], [size - 0.6, 1]], atol=1e-12)


def test_populations_and_obstacles_take_part() -> None:
    """Of two populations each moves by half; an obstacle stands fast."""
    a = sm.Vehicles([[0.0, 0.0]], radius=1, dtype=np.float64)
    b = sm.Vehicles([[1.5, 0.0]], radius=1, dtype=np.float32)
    c = sm.Vehicles([[20.0, 0.0], [20, 5]], radius=0.5, dtype=np.float64)
    untangled(a, b, c, obstacles=[sm.Spheres([[21.2, 0.0]], 1.0), sm.Spheres([[20.0, 5.1]], 2.0)])
    assert a.position[0].tolist() == pytest.approx([-0.25, 0], abs=1e-6)
    assert b.position[0].tolist() == pytest.approx([1.75, 0], abs=1e-6)
    assert c.position[0].tolist() == pytest.approx([19.7, 0], abs=1e-9)
    assert c.position[1].tolist() == pytest.approx([20, 2.6], abs=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_who_is_in_a_room_stays_there(d: int) -> None:
    """Walls all around are no body; nor are a tank, and a tank with a pillar in one set."""
    low, high = [0.2] + [5.0] * (d - 1), [9.9] + [5.0] * (d - 1)
    middle, pillar = [5.0] * d, [7.0] + [5.0] * (d - 1)
    rooms: list[Any] = [
        sm.Spheres([middle], 5.0, seen_from="inside"),
        sm.Spheres([middle, pillar], [5.0, 0.5], seen_from="both"),
        sm.Boxes([middle], [5.0] * d, seen_from="inside"),
        sm.Boxes([middle], [5.0] * d, seen_from="both"),
    ]
    if d == 2:
        rooms.append(sm.Walls([[0, 0], [10, 0], [10, 10], [0, 10]], closed=True))
    for room in rooms:
        vehicles = sm.Vehicles([low, high, middle], radius=0.5, dtype=np.float64)
        untangled(vehicles, obstacles=[room])
        np.testing.assert_allclose(vehicles.position[:, 0], [0.5, 9.5, 5], atol=1e-9)
    beside = sm.Vehicles([[7.6] + [5.0] * (d - 1)], radius=0.5, dtype=np.float64)
    untangled(beside, obstacles=[rooms[1]])
    assert beside.position[0, 0] == pytest.approx(8.0)


@pytest.mark.parametrize("d", [2, 3])
def test_coincident_vehicles_part_deterministically(d: int) -> None:
    runs = []
    for _ in range(2):
        vehicles = sm.Vehicles(np.full((5, d), 3.0), radius=0.5, dtype=np.float64)
        untangled(vehicles, steps=3)
        assert deepest(vehicles) <= 1.1e-3
        runs.append(vehicles.position.tobytes())
    assert runs[0] == runs[1]


@pytest.mark.parametrize(("d", "at", "length"), [(2, 0, 0), (3, 0, 0), (2, 0, 3), (3, 0, 3), (2, 1e6, 0), (3, 1e9, 0)])
def test_a_pair_is_not_thrown_apart(d: int, at: float, length: float) -> None:
    """It touches after the first pass, but for rounding; others, which overlap elsewhere, need many more passes.

    Balls coincide; a capsule is beside the middle of a ball, so that the two part at right angles to it.
    """
    for seed in range(12):
        rng = np.random.default_rng(seed)
        along = rng.normal(size=d) if length else np.eye(d)[0]
        beside = np.array([-along[1], along[0], 0.0])[:d]
        pair = np.array([70.0, 50.0, 30.0])[:d] + at
        crowd = np.concatenate([rng.uniform(10, 25 if d == 2 else 17, (23, d)) + at, [pair]])
        drones = sm.Vehicles(crowd, radius=0.6, length=length, forward=along, dtype=np.float64)
        ship = sm.Vehicles([pair + (0.1 * beside if length else 0.0)], radius=1.0, dtype=np.float64)
        untangled(drones, ship, domain=None if at else sm.Torus([96, 64, 64][:d]))
        gap = np.linalg.norm(ship.position[0] - drones.position[-1])
        assert gap == pytest.approx(1.6, abs=2e-6), seed


@pytest.mark.parametrize("tolerance", [0.0, 1e-3])
def test_vehicles_that_touch_are_left_where_they_are(tolerance: float) -> None:
    """What is left after a step is rounding: the next one changes no bit, whatever the tolerance."""
    rng = np.random.default_rng(7)
    middle = np.stack(np.meshgrid(np.arange(6), np.arange(6)), axis=-1).reshape(-1, 2) * 10.0
    points = np.concatenate([middle, middle + rng.uniform(-0.5, 0.5, (36, 2))])
    vehicles = sm.Vehicles(points, radius=rng.uniform(0.5, 0.9, 72), dtype=np.float64)
    rocks = sm.Spheres(middle + np.array([0.0, 5.0]), 2.0)
    guests = sm.Vehicles(rocks.center + rng.normal(0, 0.5, (36, 2)), radius=0.3, dtype=np.float64)
    untangled(vehicles, guests, obstacles=rocks, tolerance=tolerance)
    before = vehicles.position.tobytes(), guests.position.tobytes()
    untangled(vehicles, guests, obstacles=rocks, tolerance=tolerance)
    assert (vehicles.position.tobytes(), guests.position.tobytes()) == before


@pytest.mark.parametrize(("tolerance", "moves"), [(0.2, False), (0.05, True), (0.0, True)])
def test_an_overlap_within_the_tolerance_stays(tolerance: float, moves: bool) -> None:
    """Of a tenth of the two radii."""
    pair = sm.Vehicles([[0.0, 0.0], [0.9, 0.0]], radius=0.5, dtype=np.float64)
    untangled(pair, tolerance=tolerance)
    assert (np.ptp(pair.position[:, 0]) > 0.9 + 1e-9) == moves


def test_few_passes_leave_overlaps_in_a_crowd() -> None:
    places = np.random.default_rng(3).uniform(0, 10, (100, 2))
    left = []
    for passes in (1, 50):
        crowd = sm.Vehicles(places, radius=0.45, dtype=np.float64)
        untangled(crowd, passes=passes)
        left.append(sm.metrics.overlap(crowd.position, radius=0.45))
    assert left[0] > 0.01 > left[1]


@pytest.mark.parametrize(("d", "share"), [(2, 0.6), (3, 0.4)])
def test_a_crowd_is_untangled_whatever_its_order(d: int, share: float) -> None:
    """60% of the plane is covered by 400 circles, thrown at random: one step untangles it to a thousandth."""
    n, radius = 400, 0.5
    volume = np.pi / 4 if d == 2 else np.pi / 6
    size = (n * volume / share) ** (1 / d)
    domain = sm.Torus([size] * d)
    points = np.random.default_rng(3).uniform(0, size, (n, d))
    vehicles = sm.Vehicles(points, radius=radius, dtype=np.float64)
    assert deepest(vehicles, domain=domain) > 0.5
    untangled(vehicles, domain=domain, passes=48)
    assert deepest(vehicles, domain=domain) <= 1.1e-3
    order = np.random.default_rng(4).permutation(n)
    other = sm.Vehicles(points[order], radius=radius, dtype=np.float64)
    untangled(other, domain=domain, passes=48)
    gap = np.linalg.norm(domain.difference(other.position, vehicles.position[order]), axis=1)
    assert gap.max() < 1e-6


def untangled_plainly(vehicles: sm.Vehicles, domain: Any, passes: int) -> Any:
    """The same by the definition: all pairs, every pass."""
    position, radius, last = vehicles.position.copy(), vehicles.radius, 0.0
    room = radius[:, None] + radius[None, :]
    for _ in range(passes):
        way = domain.difference(position[:, None, :], position[None, :, :])
        distance = np.linalg.norm(way, axis=2)
        np.fill_diagonal(distance, np.inf)
        deep = np.maximum(room - distance, 0)
        if (deep / room).max() <= 1e-3:
            break
        move = np.sum(0.5 * (deep / distance)[:, :, None] * way, axis=1)
        kept = MOMENTUM * np.broadcast_to(last, move.shape)
        size = np.linalg.norm(kept, axis=1)
        kept = kept * np.minimum(MOST * deep.sum(axis=1) / np.maximum(size, 1e-300), 1)[:, None]
        last = (move + kept) * (deep > 0).any(axis=1)[:, None]
        position += last
    return position


@pytest.mark.parametrize("pile", [0, 60])
def test_looking_only_where_something_has_moved_changes_nothing(pile: int) -> None:
    """Random radii on a torus; and a pile in which everybody has more neighbors than a list can hold."""
    rng = np.random.default_rng(5)
    domain, n = sm.Torus([24, 24]), 400
    points = rng.uniform(0, 24, (n, 2))
    points[:pile] = 12 + rng.normal(0, 0.2, (pile, 2))
    vehicles = sm.Vehicles(points, radius=rng.uniform(0.1, 0.7, n), dtype=np.float64)
    plain = untangled_plainly(vehicles, domain, 25)
    untangled(vehicles, domain=domain, passes=25)
    assert np.linalg.norm(domain.difference(vehicles.position, plain), axis=1).max() < 1e-6


@pytest.mark.parametrize("d", [2, 3])
def test_the_same_bits_for_any_number_of_threads(d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With obstacles, two populations and a pile; and steps go on from each other."""
    monkeypatch.setattr(untangling, "SERIAL", 0)
    rng = np.random.default_rng(6)
    points = rng.uniform(0, 30 if d == 2 else 12, (1200, d))
    points[:40] = points[40]
    rocks = [sm.Spheres(rng.uniform(0, 30 if d == 2 else 12, (9, d)), 1.5), sm.Spheres(np.full((1, d), 6.0), 2.0)]
    ends = []
    for threads in (1, 2, 3, 7):
        herds = [sm.Vehicles(points[:700], radius=0.4), sm.Vehicles(points[700:], radius=0.3)]
        world = sm.World(constraints=[sm.ZeroOverlap(rocks, passes=20)], threads=threads)
        for herd in herds:
            world.add(herd)
        world.run(steps=2)
        ends.append([herd.block.tobytes() for herd in herds])
    assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize("points", [[[1.1, 1.0]], [[0.9, 0.2], [1.1, 1.2]]])
def test_who_left_an_obstacle_is_looked_at_again(points: Any) -> None:
    """Leaving the one rock leads into the other, and into the neighbor."""
    rocks = [sm.Spheres([[0.0, 0.0]], 1.0), sm.Spheres([[2.2, 0.0]], 1.0)]
    vehicles = sm.Vehicles(points, radius=0.5, dtype=np.float64)
    untangled(vehicles, obstacles=rocks, passes=200)
    for rock in rocks:
        assert (rock.nearest(vehicles.position).distance >= 0.5 - 1e-3).all()
    assert deepest(vehicles) <= 1e-3


def test_a_crowd_that_pushes_stays_untangled() -> None:
    """Everybody seeks the middle; 60 pile up, and do not overlap."""
    rng = np.random.default_rng(1)
    vehicles = sm.Vehicles(rng.uniform(-9, 9, (60, 2)), radius=0.5, max_speed=2, max_force=9)
    world = sm.World(constraints=[sm.ZeroOverlap()], threads=1)
    world.add(vehicles, steering=sm.Arrive([0, 0]))
    for _ in range(240):
        world.step()
        assert deepest(vehicles) <= 2e-3
    assert np.linalg.norm(vehicles.position, axis=1).max() < 6
    free = sm.Vehicles(rng.uniform(-9, 9, (60, 2)), radius=0.5, max_speed=2, max_force=9)
    world = sm.World(threads=1)
    world.add(free, steering=sm.Arrive([0, 0]))
    world.run(steps=240)
    assert deepest(free) > 0.5


def test_a_step_knows_nothing_of_the_one_before() -> None:
    """A crowd that is not yet untangled goes on in another world with the same bits."""
    crowd = sm.Vehicles(np.random.default_rng(1).uniform(0, 3, (30, 2)), dtype=np.float64)
    world = sm.World(constraints=[sm.ZeroOverlap(passes=2)])
    world.add(crowd)
    world.step()
    other = sm.Vehicles(crowd.position, dtype=np.float64)
    world.step()
    untangled(other, passes=2)
    assert deepest(crowd) > 0.01
    np.testing.assert_array_equal(crowd.position, other.position)


def test_nothing_degenerate_hurts() -> None:
    for n in (0, 1, 3):
        for radius in (0.0, 0.5):
            vehicles = sm.Vehicles(np.zeros((n, 2)), radius=radius)
            vehicles.position[1:2] = 1e12
            untangled(vehicles, obstacles=sm.Spheres([[0, 0]], 0.0))
            assert np.isfinite(vehicles.block).all()


def test_a_box_keeps_them_in() -> None:
    vehicles = sm.Vehicles([[0.1, 5.0], [0.3, 5.0]], radius=0.5, dtype=np.float64)
    untangled(vehicles, domain=sm.Box([10, 10]))
    assert (vehicles.position >= 0).all()


def test_constraints_may_be_replaced_and_made_by_users() -> None:
    calls = []

    class Count(WorldConstraint):
        def bind(self, populations: Any, domain: Any) -> Any:
            from steersman.core.kernels.call import Call

            return [Call(lambda: calls.append(len(populations)), whole=True)]

    world = sm.World()
    world.add(sm.Vehicles([0, 0]))
    world.step()
    world.constraints = [Count()]
    world.run(steps=2)
    assert calls == [1, 1]
    assert len(world.constraints) == 1
    with pytest.raises(TypeError, match="constraints must be a list of constraints such as ZeroOverlap"):
        world.constraints = sm.ZeroOverlap()
    with pytest.raises(TypeError, match="constraints must be constraints such as"):
        sm.World(constraints=["tidy"])
    with pytest.raises(ValueError, match="passes must be a whole number >= 1, got 0"):
        sm.ZeroOverlap(passes=0)
    with pytest.raises(ValueError, match="obstacles must have 2 dimensions like the vehicles, got 3"):
        untangled(sm.Vehicles([0, 0]), obstacles=sm.Spheres([0, 0, 0], 1))
