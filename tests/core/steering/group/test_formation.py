"""Formation: the shapes, who takes which slot, and that slots are held."""

import itertools
import math

import numpy as np
import pytest

import steersman as sm
from steersman import laws

WIDE = [[-2.0, -4.0], [-2.0, 4.0], [-4.0, -8.0], [-4.0, 8.0]]


def chief(velocity=(0.0, 0.0)):
    return sm.Vehicles([[0.0, 0.0]], [velocity], forward=[1.0, 0.0], max_speed=3.0, dtype=np.float64)


def population(position, steering, dt=0.02, domain=None, **columns):
    vehicles = sm.Vehicles(position, dtype=np.float64, **({"max_speed": 5.0, "max_force": 20.0} | columns))
    world = sm.World(dt=dt, domain=domain)
    return world, world.add(vehicles, steering=steering)


def slots_of(group):
    (memory,) = group.memories.values()
    return list(memory.snapshot()["slot"])


def test_the_shapes():
    np.testing.assert_array_equal(laws.formation_slots("line", 4, 2.0), [[0, 2], [0, -2], [0, 4], [0, -4]])
    np.testing.assert_array_equal(laws.formation_slots("column", 2, 3.0), [[-3, 0], [-6, 0]])
    wedge = laws.formation_slots("wedge", 4, math.sqrt(2), 3)
    np.testing.assert_allclose(wedge, [[-1, 0, 1], [-1, 0, -1], [-2, 0, 2], [-2, 0, -2]])
    circle = laws.formation_slots("circle", 6, 1.0)
    np.testing.assert_allclose(np.hypot(*circle.T), 3 / math.pi)
    np.testing.assert_allclose(circle.mean(axis=0), 0, atol=1e-15)
    with pytest.raises(ValueError, match="shape must be"):
        laws.formation_slots("star", 4, 1.0)


def test_slots_are_to_the_right_and_behind_the_leader():
    """Forward is north here, so the slot (-2, 4), behind to the right, is in the south-east."""
    leader = sm.Vehicles([[10.0, 10.0]], forward=[0.0, 1.0])
    world, group = population([[0.0, 0.0]], sm.Formation(leader, slots=[[-2.0, 4.0]]))
    world.run(seconds=20)
    np.testing.assert_allclose(group.vehicles.position, [[14.0, 8.0]], atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_no_two_would_gain_a_tenth_by_exchanging_their_slots(seed):
    rng = np.random.default_rng(seed)
    start = rng.uniform(-20, 20, (12, 2))
    world, group = population(start, sm.Formation(chief(), slots="circle", spacing=3.0))
    world.step()
    taken, slots = np.array(slots_of(group)), laws.formation_slots("circle", 12, 3.0) * [1, -1]
    assert sorted(taken) == list(range(12))
    cost = np.sum((start[:, None] - slots[None]) ** 2, axis=2)
    for i, j in itertools.combinations(range(12), 2):
        now, then = cost[i, taken[i]] + cost[j, taken[j]], cost[i, taken[j]] + cost[j, taken[i]]
        assert then >= 0.9 * now - 1e-9


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("d", [2, 3])
def test_slots_are_assigned_with_the_least_sum_of_squares(d, seed):
    rng = np.random.default_rng(seed)
    start, slots = rng.uniform(-20, 20, (6, d)), rng.uniform(-5, 5, (6, d))
    world, group = population(start, sm.Formation(np.zeros(d), slots=slots))
    world.step()
    frame = np.eye(3)[[0, 2, 1]] * [[1], [1], [-1]] if d == 3 else np.diag([1, -1])
    cost = np.sum((start[:, None] - (slots @ frame)[None]) ** 2, axis=2)
    best = min(itertools.permutations(range(6)), key=lambda each: sum(cost[i, k] for i, k in enumerate(each)))
    assert slots_of(group) == list(best)


def test_no_two_of_many_meet_on_straight_ways_to_their_slots():
    """Greedy choices and exchanges by more than a tenth leave hundreds of such pairs."""
    rng = np.random.default_rng(3)
    start = rng.uniform(-60, 60, (300, 2))
    world, group = population(start, sm.Formation([80.0, 30.0], slots="wedge"))
    world.step()
    slots = np.vstack([[[0.0, 0.0]], laws.formation_slots("wedge", 299, 2.0)])  # At a place the head is taken, too.
    end = (slots * [1, -1])[slots_of(group)]
    apart, later = start[:, None] - start[None], end[:, None] - end[None]
    assert (np.sum(apart * later, axis=2) > -1e-6).all()


@pytest.mark.parametrize("d", [2, 3])
def test_a_formation_faces_a_direction(d):
    direction = np.array([0.0, 3.0] if d == 2 else [0.0, 3.0, 4.0])
    slots = np.array([[0.0, 0.0], [-4.0, 0.0]]) if d == 2 else np.array([[0.0, 0.0, 0.0], [-4.0, 0.0, 0.0]])
    for face in (direction, lambda: direction):
        world, group = population(slots + 0.5, sm.Formation(np.full(d, 9.0), slots=slots, face=face))
        world.run(seconds=15)
        found = group.vehicles.position[np.argsort(slots_of(group))]
        np.testing.assert_allclose(found, [np.full(d, 9.0), 9 - 4 * direction / np.linalg.norm(direction)], atol=1e-3)


def poses_of(world, id):
    """What is drawn of the formation: the slots of all, and the vehicle's own."""
    shapes = [shape for each in world.sketch(id=id) for shape in each.shapes]
    return [shape for shape in shapes if isinstance(shape, sm.shapes.Pose)]


def test_slots_are_drawn_for_members_who_face_as_the_first_that_has_an_order():
    """Vehicle 0 is no member, and 1 has no order."""
    form = sm.Formation([9.0, 9.0], slots="line", face="column:facing", members="squad")
    world, group = population(np.eye(5, 2) * 9, sm.Orders(form, {"facing": None, "squad": 1.0}))
    group.order([0], squad=0.0, facing=(-1.0, 0.0))
    for id, direction in enumerate([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0)], 2):
        group.order([id], facing=direction)
    world.step()
    slots = poses_of(world, 1)[0]
    np.testing.assert_allclose(slots.forward[0], [0, 1], atol=1e-12)
    np.testing.assert_allclose(sorted(slots.position[:, 0]), [6, 8, 10, 12], atol=1e-12)


def test_a_slot_across_the_seam_is_drawn_beside_its_vehicle():
    leader = sm.Vehicles([[19.0, 5.0]], forward=[1.0, 0.0])
    form = sm.Formation(leader, slots=[[-2.0, 0.0], [4.0, 0.0]])
    world, _ = population([[1.0, 5.0], [15.0, 5.0]], form, domain=sm.Torus([20.0, 20.0]))
    world.step()
    owns = [poses_of(world, id)[1].position[0] for id in (0, 1)]
    np.testing.assert_allclose(owns, [[3, 5], [17, 5]], atol=1e-6)


def test_a_squad_is_ordered_into_a_formation_that_turns_by_order():
    """Others are no members: a part below steers them, and orders of where to rally and to face do not count from them.

    One dies, and the rest close up.
    """
    start = np.stack([np.arange(8.0) * 3, np.zeros(8)], axis=1)
    tree = sm.Priority(
        [
            sm.Formation("column:rally", slots="line", spacing=2.0, face="column:facing", members="squad"),
            sm.Arrive("column:goal"),
        ]
    )
    columns = {"rally": None, "facing": None, "squad": 0.0, "goal": None}
    world, group = population(start, sm.Orders(tree, columns))
    group.order([1, 2, 4, 6], squad=1, rally=(10.0, 20.0), facing=(0.0, 1.0))
    group.order([0, 3], goal=(-5.0, -5.0), rally=(0.0, 30.0), facing=(-1.0, 0.0))
    group.vehicles.remove([2])
    world.run(seconds=20)
    squad = group.vehicles.rows([1, 4, 6])
    np.testing.assert_allclose(sorted(group.vehicles.position[squad, 0]), [8, 10, 12], atol=1e-2)
    np.testing.assert_allclose(group.vehicles.position[squad, 1], 20, atol=1e-2)
    np.testing.assert_allclose(group.vehicles.position[group.vehicles.rows([0, 3])], [[-5, -5]] * 2, atol=1e-2)
    np.testing.assert_array_equal(group.vehicles.position[group.vehicles.rows([5, 7])], start[[5, 7]])
    group.order([1, 2, 4, 6], facing=(1.0, 0.0), missing="ignore")
    group.order([5], squad=1)
    world.run(seconds=20)
    squad = group.vehicles.rows([1, 4, 5, 6])
    np.testing.assert_allclose(sorted(group.vehicles.position[squad, 1]), [17, 19, 21, 23], atol=1e-2)
    np.testing.assert_allclose(group.vehicles.position[squad, 0], 10, atol=1e-2)


@pytest.mark.parametrize("reassign", [0.0, 1.0])
@pytest.mark.parametrize("leave", [[0, 1], [2, 3], [0, 3]])
def test_a_squad_that_shrinks_closes_up(leave, reassign):
    start = np.stack([np.arange(4.0) * 3, np.zeros(4)], axis=1)
    formation = sm.Formation([10.0, 20.0], slots="line", face=[0.0, 1.0], members="squad", reassign=reassign)
    world, group = population(start, sm.Orders(formation, {"squad": 1.0}))
    world.run(seconds=20)
    np.testing.assert_allclose(sorted(group.vehicles.position[:, 0]), [7, 9, 11, 13], atol=1e-2)
    group.order(leave, squad=0)
    world.run(seconds=20)
    stay = sorted({0, 1, 2, 3} - {*leave})
    np.testing.assert_allclose(sorted(group.vehicles.position[stay, 0]), [9, 11], atol=1e-2)


def test_one_that_has_left_its_squad_for_another_errand_has_no_slot():
    tree = sm.Priority([sm.Arrive("column:goal"), sm.Formation([10.0, 20.0], slots="line", members="squad")])
    world, group = population([[8.0, 18.0], [12.0, 20.0]], sm.Orders(tree, {"squad": 1.0, "goal": None}))
    world.step()
    slots = lambda: next(m.snapshot()["slot"] for m in group.memories.values() if "slot" in m).tolist()  # noqa: E731
    assert sorted(slots()) == [0, 1]
    group.remember(group.steering, [0], squad=0.0, goal=[[0.0, 0.0]])  # An order would clear the slot by itself.
    world.run(steps=2)
    assert slots()[0] == -1
    assert slots()[1] >= 0


def test_a_line_that_is_told_to_face_about_stays_where_it_is():
    """Each takes the slot that lies where it stands."""
    start = np.array([[6.0, 20.0], [8.0, 20.0], [10.0, 20.0], [12.0, 20.0], [14.0, 20.0]])
    formation = sm.Formation([10.0, 20.0], slots="line", face="column:facing", reassign=0.0)
    world, group = population(start, sm.Orders(formation, {"facing": None}))
    group.order([0, 1, 2, 3, 4], facing=(0.0, 1.0))
    world.run(seconds=2)
    group.order([0, 1, 2, 3, 4], facing=(0.0, -1.0))
    for _ in range(20):
        world.run(seconds=0.5)
        np.testing.assert_allclose(group.vehicles.position, start, atol=0.02)


def test_who_holds_a_slot_keeps_it():
    world, group = population(np.array(WIDE) * [1, -1] + 0.3, sm.Formation(chief(), slots=WIDE, reassign=0.1))
    world.step()
    before = slots_of(group)
    rng = np.random.default_rng(0)
    for _ in range(100):
        group.vehicles.position += rng.normal(0, 0.1, (4, 2))
        world.step()
        assert slots_of(group) == before


def test_a_small_gain_is_no_reason_to_exchange():
    """12 m away each, 0.1 m on the wrong side: exchanging would save half a percent."""
    world, group = population(
        [[10.0, 0.1], [10.0, -0.1]], sm.Formation(chief(), slots=[[-2, -1], [-2, 1]]), max_speed=0
    )
    world.step()
    assert slots_of(group) == [0, 1]
    group.vehicles.position = group.vehicles.position[[1, 0]]
    world.run(seconds=3)
    assert slots_of(group) == [0, 1]


@pytest.mark.parametrize(("reassign", "order"), [(0.1, [1, 0, 2, 3]), (0.0, [0, 1, 2, 3])])
def test_those_who_are_driven_apart_exchange_their_slots_when_it_is_time(reassign, order):
    """Without a period it never is, as long as each has a slot."""
    world, group = population(np.array(WIDE) * [1, -1], sm.Formation(chief(), slots=WIDE, reassign=reassign))
    world.run(seconds=0.2)
    before = slots_of(group)
    group.vehicles.position = group.vehicles.position[[1, 0, 2, 3]]
    world.run(seconds=0.2)
    assert slots_of(group) == [before[row] for row in order]


def test_a_gap_is_closed_and_those_too_many_have_no_slot():
    world, group = population([[-1.0, 2.0], [-1.0, -2.0], [-5.0, 3.0]], sm.Formation(chief(), slots="column"))
    world.step()
    assert sorted(slots_of(group)) == [0, 1, 2]
    group.vehicles.remove(np.array([True, False, False]))
    world.step()
    assert sorted(slots_of(group)) == [0, 1]
    world, group = population([[-1.0, 2.0], [-1.0, -2.0], [-5.0, 30.0]], sm.Formation(chief(), slots=[[-1.0, 0.0]]))
    world.step()
    assert sorted(slots_of(group)) == [-1, -1, 0]
    assert (group.vehicles.speed > 0).sum() == 1


def test_slots_of_a_moving_leader_are_held_without_lag():
    leader = chief((2.0, 0.0))
    world, group = population(np.repeat([[1.0], [2.0], [3.0], [4.0]], 2, axis=1), sm.Formation(leader, slots="wedge"))
    world.add(leader)
    world.run(seconds=15)
    error = group.vehicles.position - leader.position - laws.formation_slots("wedge", 4, 2.0)[slots_of(group)] * [1, -1]
    assert np.abs(error).max() < 0.05
    np.testing.assert_allclose(group.vehicles.velocity, [[2.0, 0.0]] * 4, atol=1e-3)


def test_slots_of_a_turning_leader_are_held_without_lag():
    """The outer slots of a wedge swing round; they were 1 m behind."""
    leader = chief((2.0, 0.0))
    world, group = population(np.repeat([[1.0], [2.0], [3.0], [4.0]], 2, axis=1), sm.Formation(leader, slots="wedge"))
    world.add(leader, steering=lambda vehicles: 0.4 * vehicles.velocity[:, ::-1] * [-1, 1])
    world.run(seconds=20)
    for _ in range(5):
        world.run(seconds=1)
        forward = leader.forward[0]
        local = laws.formation_slots("wedge", 4, 2.0)[slots_of(group)]
        slots = leader.position + laws.to_global(local, np.array([forward, [forward[1], -forward[0]]]))
        assert np.abs(group.vehicles.position - slots).max() < 0.05


def test_the_leader_may_be_one_of_them():
    world, group = population([[0.0, 0.0], [5.0, 5.0], [-5.0, 1.0]], None)
    group.steering = sm.Formation(group.vehicles, slots="line", which=1, spacing=3.0)
    world.run(seconds=15)
    assert slots_of(group)[1] == -1
    np.testing.assert_array_equal(group.vehicles.position[1], [5, 5])
    np.testing.assert_allclose(sorted(group.vehicles.position[:, 1]), [2, 5, 8], atol=1e-3)


def test_a_formation_around_a_place_and_across_the_edge_of_a_torus():
    behavior = sm.Formation([1.0, 10.0], slots=[[-3.0, 0.0]])
    world, group = population([[5.0, 10.0]], behavior, domain=sm.Torus([20.0, 20.0]))
    world.run(seconds=15)
    np.testing.assert_allclose(group.vehicles.position, [[18.0, 10.0]], atol=1e-3)


def test_who_is_busy_keeps_a_slot():
    """Whoever flees from the pursuer leaves the slot alone, and nobody takes it meanwhile."""
    behavior = sm.Priority([sm.Flee([-2.0, 4.0], panic_distance=1.0), sm.Formation(chief(), slots=WIDE)])
    world, group = population(np.array(WIDE) * [1, -1], behavior)
    world.run(seconds=3)
    taken = next(memory.snapshot()["slot"] for memory in group.memories.values() if "slot" in memory)
    assert len({slot for slot in taken if slot >= 0}) == (taken >= 0).sum() >= 3


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="slots must be"):
        sm.Formation([0.0, 0.0], slots="star")
    with pytest.raises(ValueError, match="face must be a direction, shape"):
        sm.Formation([0.0, 0.0], face=[0.0, 0.0])
    with pytest.raises(TypeError, match="face must be a direction"):
        sm.Formation([0.0, 0.0], face=chief())
    with pytest.raises(ValueError, match="face must have shape"):
        population([[0.0, 0.0]], sm.Formation([0.0, 0.0], face=[1.0, 0.0, 0.0]))[0].step()
    with pytest.raises(ValueError, match="slots must have 2 dimensions like the vehicles, got 3"):
        population([[0.0, 0.0]], sm.Formation([0.0, 0.0], slots=[[0, 0, 1]]))[0].step()


@pytest.mark.parametrize("shape", ["line", "column", "wedge", "circle"])
def test_at_a_place_a_member_stands_in_the_slot_of_the_leader(shape):
    """The circle alone goes around its place."""
    world, group = population(np.arange(10.0).reshape(5, 2), sm.Formation([10.0, 10.0], slots=shape, spacing=2.0))
    world.run(seconds=20)
    nearest = np.linalg.norm(group.vehicles.position - 10, axis=1).min()
    assert (nearest > 1) if shape == "circle" else (nearest < 1e-2)


@pytest.mark.parametrize("count", [1, 2, 5, 6])
def test_a_line_at_a_place_has_its_middle_there(count):
    start = np.stack([np.zeros(count), np.arange(float(count))], axis=1)
    world, group = population(start, sm.Formation([10.0, 10.0], slots="line", spacing=2.0))
    world.run(seconds=20)
    places = np.sort(group.vehicles.position[:, 1])
    np.testing.assert_allclose(places.mean(), 10, atol=1e-2)
    np.testing.assert_allclose(np.diff(places), 2, atol=1e-2)


def test_members_of_two_squads_in_one_formation_are_refused():
    start = np.arange(8.0).reshape(4, 2)
    with pytest.raises(ValueError, match=r"members must be 1 .* got 2: every squad is a Formation of its own"):
        population(start, sm.Formation([9.0, 9.0], members=np.array([1.0, 1, 2, 2])))[0].step()
    world, group = population(start, sm.Orders(sm.Formation([9.0, 9.0], members="squad"), {"squad": 1}))
    world.step()
    group.order([3], squad=2)
    with pytest.raises(ValueError, match="got 2"):
        world.step()
    group.order([3], squad=0)
    world.step()


POCKET = sm.Walls([[12, 8], [24, 8], [24, 22], [12, 22]])
FLOOR = sm.Box([40.0, 30.0])
MAPS = {
    "grid": lambda: sm.RouteGrid(POCKET, region=FLOOR, clearance=0.5),
    "mesh": lambda: sm.NavMesh.around(POCKET, region=FLOOR, clearance=0.5),
}


@pytest.mark.each_value
@pytest.mark.parametrize("kind", MAPS)
@pytest.mark.parametrize("seed", range(4))
def test_with_a_map_members_come_to_their_slots_around_walls(kind, seed):
    """A column whose front half lies behind the wall of a pocket, and slot 2 in that: there its member waits beside it.

    Exchanges by straight distances sent those who had set out around the wall back and forth for ever.
    """
    start = np.random.default_rng(seed).uniform([14, 10], [22, 20], (6, 2))
    leader = sm.Vehicles([[30.0, 15.0]], forward=[1.0, 0.0], max_speed=3.0, dtype=np.float64)
    form = sm.Formation(leader, slots="column", by=MAPS[kind]())
    world, group = population(start, form, 1 / 30, FLOOR, radius=0.3, max_speed=3.0, max_force=30.0)
    for _ in range(30):
        world.run(seconds=1)
        assert POCKET.nearest(group.vehicles.position).distance.min() > 0.3
    slots = np.array([[28.0, 15.0], [26.0, 15.0], [24.0, 15.0], [22.0, 15.0], [20.0, 15.0], [18.0, 15.0]])
    off = np.linalg.norm(group.vehicles.position - slots[slots_of(group)], axis=1)
    assert sorted(off)[4] < 1e-2
    assert 0.4 < off.max() < 0.7


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize(("bound", "expected"), [([0, 0], [1, 0]), ([1, 0], [0, 1]), ([0, 1], [0, 1])])
def test_either_of_two_keeps_its_slot_while_it_is_on_its_route(bound, expected, joined):
    """Each is in the slot of the other. They exchange slots unless one of them, the first or the second, is under way.

    It is the same when a third one joins, and slots are matched anew.
    """
    leader = sm.Vehicles([[30.0, 15.0]], forward=[1.0, 0.0], max_speed=3.0, dtype=np.float64)
    form = sm.Formation(leader, slots=[[0.0, -4.0], [0.0, 4.0], [9.0, 0.0]], by=MAPS["grid"]())
    world, group = population([[30.0, 11.0], [30.0, 19.0]], form, 1 / 30, FLOOR, radius=0.3)
    group.remember("Formation", slot=[0, 1], bound=bound)
    if joined:
        group.vehicles.spawn([[38.0, 15.0]])
    world.step()
    assert slots_of(group)[:2] == expected


@pytest.mark.parametrize("kind", MAPS)
def test_with_a_map_members_follow_a_leader_around_a_wall_and_keep_their_slots_in_the_open(kind):
    places = {}
    for by in (MAPS[kind](), None):
        leader = sm.Vehicles([[26.0, 4.0]], forward=[1.0, 0.0], max_speed=1.5, max_force=9.0, dtype=np.float64)
        start = [[24.0, 4.0], [22.0, 3.0], [20.0, 4.5], [16.0, 15.0]]
        form = sm.Formation(leader, slots="column", by=by)
        world, group = population(start, form, 1 / 30, FLOOR, radius=0.3, max_speed=3.0, max_force=30.0)
        world.add(leader, name="leader", steering=sm.Patrol([[34.0, 4.0], [34.0, 24.0]]))
        world.run(seconds=4)
        places[by is None] = [group.vehicles.position[:3].copy()]
        world.run(seconds=22)
        heading = leader.forward[0]
        slots = leader.position[0] - np.arange(2, 10, 2)[:, None] * heading
        places[by is None].append(np.linalg.norm(group.vehicles.position - slots[slots_of(group)], axis=1).max())
    np.testing.assert_allclose(places[False][0], places[True][0], atol=1e-9)
    assert places[False][1] < 0.05


def test_a_map_of_floors_leads_members_up_the_stairs():
    def storey(x0, y0, x1, y1, z):
        return [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]

    floors = [storey(0, 0, 6, 10, 0), storey(10.2, 0, 20, 10, 3)]
    floors += [storey(6 + 0.3 * k, 4, 6.3 + 0.3 * k, 6, 0.2 * (k + 1)) for k in range(14)]
    corners = 4 * np.arange(len(floors))[:, None] + [0, 1, 2, 0, 2, 3]
    house = sm.WalkMesh(sm.TriangleMesh(np.reshape(floors, (-1, 3)), corners.reshape(-1, 3)), clearance=0.3)
    guide = sm.Vehicles([[16.0, 8.0, 3.0]], forward=[1.0, 0.0, 0.0], dtype=np.float64)
    guests = sm.Vehicles([[1.0, 1, 0], [2, 9, 0], [1, 5, 0]], max_speed=1.5, max_force=10, radius=0.2, dtype=np.float64)
    world = sm.World(dt=1 / 20)
    form = sm.Formation(guide, slots="column", spacing=1.5, by=house)
    group = world.add(guests, steering=form, locomotion=sm.SurfaceBound(house))
    world.run(seconds=25)
    slots = np.array([[14.5, 8, 3], [13, 8, 3], [11.5, 8, 3]])
    np.testing.assert_allclose(guests.position, slots[slots_of(group)], atol=0.02)
    assert world.sketch(id=0)


def test_a_map_in_the_plane_is_refused_for_vehicles_in_space():
    leader = sm.Vehicles([[0.0, 0.0, 0.0]])
    world = sm.World()
    world.add(sm.Vehicles([[1.0, 1.0, 1.0]]), steering=sm.Formation(leader, by=MAPS["grid"]()))
    with pytest.raises(ValueError, match="by must have 3 dimensions like the vehicles, got 2"):
        world.step()


def test_a_formation_without_members_acts_for_nobody():
    world, group = population(np.array([[0.0, 0.0], [3.0, 1.0]]), sm.Formation([9.0, 9.0], members=0))
    world.run(seconds=2)
    np.testing.assert_array_equal(group.vehicles.position, [[0, 0], [3, 1]])
    assert slots_of(group) == [-1, -1]
