"""LastSeen: targets that vehicles saw last; in place of a population, shared in groups, and forgotten."""

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from contract.examples.example import Example
from sampling import KEPT

import steersman as sm
from steersman.core.steering.sensing.line_of_sight import GRAZING
from steersman.core.world.state_hash import state_hash

EXAMPLES: dict[str, Example] = {
    "seen pursued": lambda p: sm.Pursue(sm.LastSeen(p.others, forget=2.0, range=11.0)),
    "seen sought, or a point": lambda p: sm.Priority([
        sm.Seek(sm.LastSeen(p.others, forget=0.2, angle=2.5, extrapolate=0.1)), sm.Arrive(p.state.point)]),
    "seen between rocks": lambda p: sm.Arrive(sm.LastSeen(p.others, forget=1.0, occluders=p.rocks, attention=2)),
    "seen one": lambda p: sm.Evade(sm.LastSeen(p.others, forget=1.0, range=19.0, which=p.state.chosen)),
    "seen its own": lambda p: sm.Seek(sm.LastSeen(p.vehicles, forget=1.0, range=9.0, extrapolate=math.inf)),
    "seen by all": lambda p: sm.Pursue(sm.LastSeen(p.others, forget=1.0, range=4.0, shared_by="all")),
    "seen by groups, and shadowed": lambda p: sm.Shadow(
        sm.LastSeen(p.others, forget=1.0, range=5.0, shared_by=p.vehicles.id % 3 - 1)),
    "seen, gone to": lambda p: sm.GoTo(sm.LastSeen(p.others, forget=1.0, angle=3.0)),
    "seen twice": lambda p: sm.Seek(sm.LastSeen(p.others, forget=1.0, range=9.0)) + 0.5 * sm.MatchVelocity(
        sm.LastSeen(p.others, forget=1.0, range=9.0)),
}  # fmt: skip

CONDITIONS: dict[str, Any] = {
    "knows": lambda p: sm.Knows(sm.LastSeen(p.others, forget=0.1, range=9.0, angle=3.0)),
    "knows of fresh": lambda p: sm.Knows(sm.LastSeen(p.others, forget=1.0, range=7.0, shared_by="all"), within=0.04),
}


def vehicles(*position: Any, velocity: Any = (0.0, 0.0), **more: Any) -> sm.Vehicles:
    given = {"max_speed": 3.0, "max_force": 30.0, "response_time": 0.5} | more
    return sm.Vehicles([*position], np.broadcast_to(velocity, (len(position), 2)), **given)


WALL = sm.Boxes(center=[[5.0, 0.0]], size=[[0.5, 3.0]])


class Watch:
    """Guards that stand and look, while a thief is put to places; what they know is read from their forces."""

    def __init__(self, guards: sm.Vehicles, seen: sm.LastSeen, steering: Any = None, **more: Any) -> None:
        self.guards, self.seen = guards, seen
        self.controller = sm.Controller(guards, sm.Seek(seen) if steering is None else steering(seen), **more)

    def __call__(self, dt: float = 0.5) -> Any:
        return self.controller.steer(dt).copy()

    def known(self) -> Any:
        """What they remember."""
        memory = self.controller.memory(self.seen)
        return memory["time"].tolist(), memory["position"].tolist()


def test_it_is_known_where_it_was_seen_and_then_forgotten() -> None:
    """Seen at 0 s, hidden from then on: known for 1 s, in the place of the first; then nothing is asked for."""
    thief, guard = vehicles((9.0, 7.0), velocity=(1.0, 0.0)), vehicles((0.0, 0.0))
    watch = Watch(guard, sm.LastSeen(thief, forget=1.0, occluders=WALL))
    way = np.array([9.0, 7.0]) / np.hypot(9.0, 7.0)
    forces = [watch()]
    thief.position[:] = [9.0, 0.0]
    forces += [watch() for _ in range(4)]
    for force in forces[:3]:
        np.testing.assert_allclose(force[0] / np.hypot(*force[0]), way)
    assert not np.any(forces[3:])
    assert watch.known() == ([0.0], [[9.0, 7.0]])


def test_the_last_sight_counts_and_not_the_first() -> None:
    thief, guard = vehicles((9.0, 7.0)), vehicles((0.0, 0.0))
    watch = Watch(guard, sm.LastSeen(thief, forget=9.0, occluders=WALL))
    for place in ([9.0, 7.0], [9.0, 8.0], [9.0, 0.0], [9.0, -1.0]):
        thief.position[:] = place
        watch()
    assert watch.known() == ([0.5], [[9.0, 8.0]])


@pytest.mark.parametrize(("extrapolate", "place", "speed"), [(0.0, 3.0, 0.0), (1.0, 5.0, 0.0), (math.inf, 6.0, 2.0)])
def test_it_goes_straight_on_for_a_time(extrapolate: float, place: float, speed: float) -> None:
    """Seen at (3, 0) with 2 m/s, 1.5 s ago."""
    thief, guard = vehicles((3.0, 0.0), velocity=(2.0, 0.0)), vehicles((0.0, 4.0))
    seen = sm.LastSeen(thief, forget=9.0, range=8.0, extrapolate=extrapolate)
    watch, follow = Watch(guard, seen, sm.MatchVelocity), Watch(guard, seen)
    for each in (watch, follow):
        thief.position[:] = [3.0, 0.0]
        each()
        thief.position[:] = [90.0, 0.0]
        each(), each()
    np.testing.assert_allclose(watch()[0], np.array([speed, 0.0]) / 0.5, atol=1e-12)
    way = np.array([place, -4.0])
    force = follow()[0]
    np.testing.assert_allclose(force / np.hypot(*force), way / np.hypot(*way))


def test_the_nearest_in_sight_is_kept_though_another_is_nearer() -> None:
    thieves, guard = vehicles((4.0, 0.0), (9.0, 7.0), (6.2, 0.0), (9.0, 8.0)), vehicles((-1.0, 0.0))
    thieves.position[0] = [6.1, 0.0]
    watch = Watch(guard, sm.LastSeen(thieves, forget=5.0, occluders=WALL))
    watch()
    assert watch.controller.memory(watch.seen)["id"].tolist() == [1]
    few = Watch(guard, sm.LastSeen(thieves, forget=5.0, occluders=WALL, attention=2))
    assert not few().any(), "two rays end at the wall"
    one = Watch(guard, sm.LastSeen(thieves, forget=5.0, occluders=WALL, which=3))
    one()
    assert one.controller.memory(one.seen)["id"].tolist() == [3]


def test_a_group_knows_what_one_of_it_sees() -> None:
    thief = vehicles((0.0, 0.0))
    guards = vehicles((1.0, 0.0), (50.0, 0.0), (60.0, 0.0), (70.0, 0.0), (2.0, 0.0))
    seen = sm.LastSeen(thief, forget=3.0, range=5.0, shared_by=[7, 7, 2, -1, -1])
    watch = Watch(guards, seen)
    assert watch().any(axis=1).tolist() == [True, True, False, False, True]
    thief.position[:] = [69.0, 0.0]
    watch()
    assert watch.known()[0] == [0.0, 0.0, -1.0, 0.5, 0.0], "who shares with nobody tells nobody"
    thief.position[:] = [62.0, 0.0]
    assert watch().any(axis=1).tolist() == [True, True, True, True, True]
    assert watch.known()[1] == [[0.0, 0.0], [0.0, 0.0], [62.0, 0.0], [69.0, 0.0], [0.0, 0.0]]


def test_those_who_come_to_nobody_share_with_nobody() -> None:
    thief, guards = vehicles((0.0, 0.0)), sm.Vehicles(np.zeros((0, 2)), response_time=2.0)
    watch = Watch(guards, sm.LastSeen(thief, forget=3.0, range=5.0, shared_by=np.zeros(0, int)))
    watch()
    guards.spawn([[1.0, 0.0], [50.0, 0.0]], max_speed=3.0, max_force=30.0, response_time=2.0)
    assert watch().any(axis=1).tolist() == [True, False]


def test_the_latest_sight_wins_and_outlives_the_one_who_saw() -> None:
    thief, guards = vehicles((0.0, 1.0)), vehicles((0.0, 0.0), (50.0, 0.0), (80.0, 0.0))
    watch = Watch(guards, sm.LastSeen(thief, forget=9.0, range=5.0, shared_by="all"))
    for place in ([0.0, 1.0], [50.0, 2.0], [20.0, 0.0]):
        thief.position[:] = place
        watch()
    assert watch.known() == ([0.5] * 3, [[50.0, 2.0]] * 3)
    guards.remove([False, True, False])
    new = guards.spawn([[90.0, 0.0]])
    watch()
    assert watch.known() == ([0.5, 0.5, 0.5], [[50.0, 2.0]] * 3)
    assert guards.id[-1] == new[0]


def test_own_eyes_count_before_what_others_say() -> None:
    thieves, guards = vehicles((0.0, 1.0), (50.0, 1.0)), vehicles((0.0, 0.0), (50.0, 0.0))
    watch = Watch(guards, sm.LastSeen(thieves, forget=9.0, range=5.0, shared_by="all"))
    watch()
    assert watch.known()[1] == [[0.0, 1.0], [50.0, 1.0]]


def test_of_two_sights_at_one_time_that_of_the_lower_id_is_told() -> None:
    """Whatever the order of the rows."""
    thieves = vehicles((0.0, 1.0), (50.0, 1.0))
    guards = vehicles((0.0, 0.0), (50.0, 0.0), (90.0, 0.0), id=[8, 3, 5])
    watch = Watch(guards, sm.LastSeen(thieves, forget=9.0, range=5.0, shared_by="all"))
    watch()
    assert watch.known()[1] == [[0.0, 1.0], [50.0, 1.0], [50.0, 1.0]]


def test_all_of_what_was_noticed_is_told() -> None:
    """How it moved, how it was turned in space, and how large it is: what a place beside it depends on."""
    up = np.array([[0.0, 0.6, 0.8]])
    thief = sm.Vehicles([[1.0, 2.0, 3.0]], [[2.0, 0.0, 0.0]], up=up, radius=0.7, dtype=np.float64)
    guards = sm.Vehicles([[0.0, 0.0, 0.0], [90.0, 0.0, 0.0]], max_force=9, dtype=np.float64)
    seen = sm.LastSeen(thief, forget=9.0, range=5.0, shared_by="all")
    controller = sm.Controller(guards, sm.OffsetPursuit(seen, offset=[0.0, 0.0, 3.0]))
    controller.steer(0.02)
    memory = controller.memory(seen)
    for name, column in memory.items():
        np.testing.assert_array_equal(column[1], column[0], err_msg=name)
    np.testing.assert_allclose(memory["up"][1], up[0])


def test_they_look_while_nothing_asks_them_to() -> None:
    """Below a part that claims, and in a mode that is not entered."""
    thief, guard = vehicles((3.0, 0.0)), vehicles((0.0, 0.0))
    seen = sm.LastSeen(thief, forget=9.0, range=5.0)
    asleep = sm.Modes({"sleep": sm.Seek([0.0, 9.0]), "go": sm.Seek(seen)}, start="sleep",
                      transitions=[("sleep", "go", sm.After(1.0) & sm.Knows(seen))])  # fmt: skip
    watch = Watch(guard, seen, lambda _: sm.Priority([asleep, sm.Seek(seen)]))
    watch()
    thief.position[:] = [90.0, 0.0]
    for _ in range(3):
        force = watch()
    assert force[0, 0] > 0
    assert force[0, 1] == 0
    assert sm.modes_of(watch.controller)[0] == "go"


def test_knowledge_that_is_written_twice_is_one() -> None:
    thief, guard = vehicles((3.0, 0.0)), vehicles((0.0, 0.0))
    a, b, c = (sm.LastSeen(thief, forget=9.0, range=r) for r in (5.0, 5.0, 4.0))
    controller = sm.Controller(guard, sm.Seek(a) + sm.Face(b) + sm.Priority([sm.Seek(c)]))
    labels = [node.label for node in controller.node("WeightedSum").walk()]
    assert labels.count("LastSeen") == 2


def test_memory_goes_on_in_a_tree_that_is_replaced() -> None:
    thief, guard = vehicles((3.0, 0.0)), vehicles((0.0, 0.0))
    seen = sm.LastSeen(thief, forget=9.0, range=5.0)
    watch = Watch(guard, seen)
    watch()
    thief.position[:] = [90.0, 0.0]
    watch.controller.steering = sm.Priority([sm.Pursue(seen), sm.Wander()])
    assert watch()[0, 0] > 0
    watch.controller.steering = sm.Pursue(sm.LastSeen(thief, forget=3.0, range=6.0))
    assert watch()[0, 0] > 0, "the only one of its class goes on with the memory"


def test_who_comes_knows_nothing_and_the_one_who_is_gone_is_still_remembered() -> None:
    thief, guards = vehicles((3.0, 0.0)), vehicles((0.0, 0.0), (1.0, 0.0))
    watch = Watch(guards, sm.LastSeen(thief, forget=9.0, range=5.0))
    watch()
    thief.remove([True])
    guards.remove([True, False])
    guards.spawn([[2.0, 0.0]])
    assert watch().any(axis=1).tolist() == [True, False]


def world(threads: int, torus: bool, d: int, shared: Any = None) -> sm.World:
    rng = np.random.default_rng(d + 10 * torus)
    space = sm.Torus([60.0] * d) if torus else sm.Box([60.0] * d)
    rocks = sm.Spheres(rng.uniform(0, 60, (12, d)), rng.uniform(2, 5, 12))
    prey = sm.Vehicles(rng.uniform(0, 60, (40, d)), rng.normal(0, 3, (40, d)), max_speed=4, max_force=20, dtype=float)
    dogs = sm.Vehicles(rng.uniform(0, 60, (90, d)), rng.normal(0, 3, (90, d)), max_speed=5, max_force=30, dtype=float)
    groups = rng.integers(-1, 5, 90) if shared == "groups" else shared
    seen = sm.LastSeen(prey, forget=0.7, range=16.0, angle=3.0, occluders=rocks, extrapolate=0.3, shared_by=groups)
    made = sm.World(domain=space, seed=3, threads=threads)
    made.add(prey, name="prey", steering=sm.Wander())
    made.add(dogs, name="dogs", steering=sm.Priority([sm.AvoidObstacles(rocks), sm.Pursue(seen), sm.Wander()]))
    return made


@pytest.mark.parametrize(
    ("torus", "d", "shared"), [(False, 2, None), (True, 2, "groups"), (True, 3, None), (False, 3, "all")]
)
def test_what_they_know_is_what_a_plain_loop_says(torus: bool, d: int, shared: Any) -> None:
    """Each guard's memory, kept by hand: the nearest in view, of those four the first that no rock hides."""
    made = world(1, torus, d, shared)
    dogs, prey = made["dogs"], made["prey"]
    seen = made.populations["dogs"].node("LastSeen").behavior
    (rocks,) = seen.occluders.sets
    time, place = np.full(len(dogs), -1.0), np.zeros((len(dogs), d))
    told = known = 0
    for _ in range(40):
        now, look, at, clock = dogs.position.copy(), dogs.forward.copy(), prey.position.copy(), made.time
        made.step()
        for i in range(len(dogs)):
            way = made.domain.difference(at, now[i])
            far = np.linalg.norm(way, axis=1)
            view = np.flatnonzero((far <= 16.0) & ((way * look[i]).sum(axis=1) >= math.cos(1.5) * far))
            for j in view[np.argsort(far[view], kind="stable")][:4]:
                center = made.domain.difference(rocks.center, now[i])
                along = center @ (way[j] / far[j])
                off = np.sqrt(np.maximum((center**2).sum(axis=1) - along**2, 0))
                outside = (center**2).sum(axis=1) > rocks.radius**2
                first = along - np.sqrt(np.maximum(rocks.radius**2 - off**2, 0))
                if not ((off < rocks.radius) & (along > 0) & (first < far[j] * GRAZING) & outside).any():
                    time[i], place[i] = clock, at[j]
                    break
        if shared is not None:
            group = np.zeros(len(dogs), int) if shared == "all" else seen.shared_by
            for g in np.unique(group[group >= 0]):
                mine = np.flatnonzero(group == g)
                best = mine[np.argmax(time[mine])]  # Ids are in order here.
                told += int((time[mine] < time[best]).sum())
                place[mine] = np.where((time[mine] < time[best])[:, None], place[best], place[mine])
                time[mine] = time[best]
        memory = made.populations["dogs"].memory("LastSeen")
        np.testing.assert_allclose(memory["time"], time)
        np.testing.assert_allclose(memory["position"], place, atol=1e-9)
        known += int((time >= 0).sum())
    assert known > 500
    assert (told > 0) == (shared is not None)


@pytest.mark.parametrize(("torus", "d", "shared"), [(False, 2, "groups"), (True, 3, "all")])
def test_threads_copies_and_files_go_on_with_the_same_bits(torus: bool, d: int, shared: Any, tmp_path: Any) -> None:
    one, four = world(1, torus, d, shared), world(4, torus, d, shared)
    for each in (one, four):
        each.run(steps=30)
        each["dogs"].remove(each["dogs"].id % 5 == 1)
        each["dogs"].spawn(np.full((3, d), 30.0), [1.0] * d, max_speed=5, max_force=30)
        each.run(steps=10)
    file = tmp_path / "world.steersman"
    one.save(file)
    others = [four, copy.deepcopy(one), pickle.loads(pickle.dumps(one)), sm.World.load(file)]
    for each in (one, *others):
        each.run(steps=30)
    assert [state_hash(each) for each in others] == [state_hash(one)] * len(others)


def test_a_sketch_shows_the_view_and_the_place() -> None:
    thief, guard = vehicles((3.0, 0.0)), vehicles((0.0, 0.0))
    made = sm.World()
    made.add(guard, name="guard", steering=sm.Pursue(sm.LastSeen(thief, forget=9.0, range=5.0)))
    made.run(steps=2)
    thief.position[:] = [90.0, 0.0]
    (sketch,) = [each for each in made.sketch("guard", 0) if each.label == "LastSeen"]
    crosses = [each.center.tolist() for each in sketch.shapes if type(each).__name__ == "Cross"]
    assert crosses == [[[3.0, 0.0]]]
    assert "LastSeen" not in str(made.explain("guard", 0)), "it asks for no force"


def test_wrong_inputs() -> None:
    thief, guard = vehicles((3.0, 0.0)), vehicles((0.0, 0.0), (1.0, 1.0))
    with pytest.raises(TypeError, match="population must be Vehicles"):
        sm.LastSeen([1.0, 2.0], forget=1.0)
    for forget in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="forget must be > 0 s"):
            sm.LastSeen(thief, forget=forget)
    with pytest.raises(ValueError, match='shared_by must be "all" or a whole number per vehicle'):
        sm.LastSeen(thief, forget=1.0, shared_by="none")
    with pytest.raises(TypeError, match="shared_by must be"):
        sm.LastSeen(thief, forget=1.0, shared_by=[0.5, 1.0])
    with pytest.raises(TypeError, match="target must be a LastSeen"):
        sm.Knows(thief)
    with pytest.raises(TypeError, match="of must be"):
        sm.Separation(radius=3, of=sm.LastSeen(thief, forget=1.0))
    seen = sm.LastSeen(thief, forget=1.0)
    for wrong, message in (
        (sm.Pursue(seen, which=0), "which must be left out where quarry is a LastSeen"),
        (sm.Formation(seen), "around must be the same for all vehicles"),
        (sm.Seek(sm.LastSeen(thief, forget=1.0, shared_by=[1, 2, 3])), "shared_by must hold a number per vehicle"),
        (sm.Seek(sm.LastSeen(thief, forget=1.0, occluders=sm.Spheres([[1, 2, 3]], [1]))), "occluders must have 2 dim"),
    ):
        with pytest.raises(ValueError, match=message):
            sm.Controller(guard, wrong).steer(0.1)


ROCKS = {2: sm.Spheres([[8.0, 8.0], [3.0, 14.0]], [2.0, 1.0]), 3: sm.Spheres([[8.0, 8.0, 8.0]], [2.0])}

TARGETED: dict[str, Any] = {
    "Arrive": lambda t, d: sm.Arrive(t),
    "ConstantBearing": lambda t, d: sm.ConstantBearing(t),
    "Dock": lambda t, d: sm.Dock(t, forward=[1.0] + [0.0] * (d - 1)),
    "Evade": lambda t, d: sm.Evade(t, panic_distance=15.0),
    "Face": lambda t, d: sm.Face(t) + sm.Seek(t),
    "Flee": lambda t, d: sm.Flee(t),
    "GoTo": lambda t, d: sm.GoTo(t),
    "Hide": lambda t, d: sm.Hide(t, ROCKS[d], only_if="seen"),
    "Interpose": lambda t, d: sm.Interpose(t, np.zeros(d)),
    "MatchVelocity": lambda t, d: sm.MatchVelocity(t),
    "OffsetPursuit": lambda t, d: sm.OffsetPursuit(t, offset=[-2.0] + [1.0] * (d - 1)),
    "OffsetPursuit past": lambda t, d: sm.OffsetPursuit(t, radius=3.0),
    "Pursue": lambda t, d: sm.Pursue(t),
    "Seek": lambda t, d: sm.Seek(t),
    "Shadow": lambda t, d: sm.Shadow(t),
    "Near": lambda t, d: mode(sm.Near(t, 9.0, leave=12.0)),
    "Arrived": lambda t, d: mode(sm.Arrived(t, 9.0)),
}


def mode(when: sm.Condition) -> sm.Modes:
    ways = {"a": sm.Wander(), "b": sm.Wander("turn")}
    return sm.Modes(ways, start="a", transitions=[("a", "b", when), ("b", "a", ~when)])


@pytest.mark.each_value
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", TARGETED)
def test_what_is_in_sight_is_as_good_as_the_population(name: str, d: int) -> None:
    """With eyes all around and no rock in between, each behavior does what it does with the population itself."""
    runs = []
    for knowing in (False, True):
        rng = np.random.default_rng(d)
        prey = sm.Vehicles(
            rng.uniform(0, 20, (4, d)), rng.normal(0, 2, (4, d)), max_speed=3, max_force=9, dtype=KEPT[d]
        )
        start = rng.uniform(0, 20, (12, d)), rng.normal(0, 2, (12, d))
        dogs = sm.Vehicles(*start, max_speed=4, max_force=30, dtype=KEPT[d])
        made = sm.World(seed=3, dt=1 / 30, threads=1)
        made.add(prey, name="prey", steering=sm.Wander())
        target: Any = sm.LastSeen(prey, forget=1.0) if knowing else prey
        body = sm.FreeBody() if name == "Face" else None
        made.add(dogs, name="dogs", steering=TARGETED[name](target, d), locomotion=body)
        made.run(steps=25)
        made.sketch("dogs", 3)
        runs.append(dogs.block.copy())
    np.testing.assert_array_equal(*runs)
    assert np.ptp(runs[0], axis=1).any()


@pytest.mark.parametrize("body", [sm.PointMass, sm.Flying])
def test_behind_a_wall_of_triangles_in_space_nothing_is_seen_and_less_is_heard(body: Any) -> None:
    """A wall 6 m wide and high at x = 5 m; a squad of half of them knows what one of it sees."""
    rng = np.random.default_rng(5)
    places, thief = rng.uniform([0, -5, 0], [10, 5, 8], (40, 3)), np.array([[8.0, 1.0, 4.0]])
    wall = sm.TriangleMesh([[5, -3, 0], [5, 3, 0], [5, 3, 6], [5, -3, 6]], [[0, 1, 2], [0, 2, 3]])
    guards = sm.Vehicles(places, rng.normal(0, 1, (40, 3)), max_speed=3, max_force=9, dtype=np.float64)
    quarry = sm.Vehicles(thief, max_speed=1, max_force=1, dtype=np.float64)
    seen = sm.LastSeen(quarry, forget=9.0, range=7.0, angle=2.0, occluders=wall)
    told = sm.LastSeen(quarry, forget=9.0, range=7.0, angle=2.0, occluders=wall, shared_by=np.arange(40) // 20)
    heard = sm.LastHeard(forget=9.0, walls=wall, through=0.3)
    world = sm.World(threads=1)
    world.add(quarry, name="thief")
    steering = sm.Priority([sm.Pursue(seen), sm.Pursue(told), sm.Seek(heard)])
    squad = world.add(guards, name="squad", steering=steering, locomotion=body())

    way = thief - places
    distance, part = np.linalg.norm(way, axis=1), (5 - places[:, 0]) / way[:, 0]
    y, z = (places + part[:, None] * way)[:, 1:].T
    hidden = (places[:, 0] < 5) & (np.abs(y) < 3) & (z > 0) & (z < 6)
    in_view = (distance <= 7) & (np.sum(way * guards.forward, axis=1) >= np.cos(1.0) * distance) & ~hidden
    world.noise(thief[0], 9.0)
    world.step()
    assert 0 < in_view.sum() < 20
    np.testing.assert_array_equal(squad.memory(seen)["time"] >= 0, in_view)
    np.testing.assert_array_equal(squad.memory(told)["time"] >= 0, np.repeat(in_view.reshape(2, 20).any(axis=1), 20))
    np.testing.assert_array_equal(squad.memory(heard)["time"] >= 0, distance <= np.where(hidden, 2.7, 9.0))
