"""What conditions say over time; what they say at a moment is compared with references in the contract."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.action_selection.registry import CONDITIONS, condition


def one(position=(0.0, 0.0), velocity=(0.0, 0.0)):
    return sm.Vehicles([position], [velocity], max_speed=5, max_force=10)


class Watch:
    """A vehicle at rest that says at every step whether a condition holds."""

    def __init__(self, when, vehicles=None, seed=3):
        self.vehicles = one() if vehicles is None else vehicles
        modes = sm.Modes(
            {"no": self.still, "yes": self.still},
            start="no",
            transitions=[("*", "yes", when), ("yes", "no", ~sm.Not(~when))],
        )
        # Not(~when) is `when`, so "yes" is left as soon as the condition does not hold.
        self.controller = sm.Controller(self.vehicles, modes, seed=seed, threads=1)

    @staticmethod
    def still(vehicles):
        return vehicles.velocity * 0

    def __call__(self, dt=0.1):
        self.controller.steer(dt)
        return sm.modes_of(self.controller)[0] == "yes"


def along(watch, other, places):
    """What the watch says while another vehicle goes from place to place on the x-axis."""
    said = []
    for x in places:
        other.position = [[x, 0.0]]
        said.append(watch())
    return said


def test_near_with_a_leaving_distance_has_a_hysteresis():
    wolf = one()
    places = [9, 7, 5.1, 5, 5.1, 7, 8, 8.1, 7, 5.1, 4]
    far = [False, False, False]
    assert along(Watch(sm.Near(wolf, 5)), wolf, places) == [*far, True, *far, *far, True]
    hysteresis = [*far, True, True, True, True, *far, True]
    assert along(Watch(sm.Near(wolf, 5, leave=8)), wolf, places) == hysteresis
    assert along(Watch(sm.Near(lambda: wolf.position, 5, leave=8)), wolf, places) == hysteresis
    assert along(Watch(sm.Near(wolf, 5, leave=8, which=0)), wolf, places) == hysteresis


def test_nobody_is_near_himself_nor_near_nobody():
    crowd = sm.Vehicles([[0.0, 0], [1, 0], [9, 0]], max_speed=1, max_force=1)
    watch = Watch(sm.Near(crowd, 2), crowd)
    watch()
    assert sm.modes_of(watch.controller).tolist() == ["yes", "yes", "no"]
    crowd.remove([False, True, False])
    watch()
    assert sm.modes_of(watch.controller).tolist() == ["no", "no"]


def test_distances_are_the_shortest_on_a_torus():
    vehicles, wolf = one((1.0, 1.0)), one((99.0, 99.0))
    modes = sm.Modes({"graze": Watch.still, "flee": Watch.still}, start="graze",
                     transitions=[("graze", "flee", sm.Near(wolf, 3) & sm.Near([99.0, 99.0], 3) & sm.Arrived(wolf, 3)
                                   & sm.Sees(wolf, range=3) & sm.Sees([99.0, 99.0], range=3))])  # fmt: skip
    controller = sm.Controller(vehicles, modes, domain=sm.Torus([100, 100]))
    controller.steer(0.1)
    assert sm.modes_of(controller)[0] == "flee"


def test_sees_remembers_for_some_seconds():
    wolf = one()
    seen = along(Watch(sm.Sees(wolf, range=5, memory=0.35)), wolf, [9, 4, 6, 6, 6, 6, 6, 4, 6])
    assert seen == [False, True, True, True, True, False, False, True, True]
    assert along(Watch(sm.Sees(wolf, range=5)), wolf, [9, 4, 6, 4]) == [False, True, False, True]


@pytest.mark.parametrize("which", ["nearest", 0])
def test_sees_within_the_full_angle(which):
    eye = one(velocity=(1.0, 0.0))
    for degrees, expected in ((0, True), (44, True), (46, False), (180, False), (-44, True), (-46, False)):
        place = 3 * np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])
        assert Watch(sm.Sees(one(place), angle=np.pi / 2, which=which), eye)() == expected, degrees


def test_after_counts_the_time_in_the_mode():
    """Left for the first time by 0.5 s; with any step, to rounding."""
    for dt in (0.1, 0.05, 1 / 60, 0.5):
        modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a",
                         transitions=[("a", "b", sm.After(0.5)), ("b", "a", sm.After(1.0))])  # fmt: skip
        controller = sm.Controller(one(), modes)
        names = []
        for _ in range(round(4.5 / dt)):
            controller.steer(dt)
            names.append(sm.modes_of(controller)[0])
        changes = np.flatnonzero(np.array(names[1:]) != np.array(names[:-1])) + 1
        np.testing.assert_allclose(changes * dt, [0.5, 1.5, 2.0, 3.0, 3.5], atol=1e-9)


def test_after_does_not_count_before_a_vehicle_was_there():
    modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a", transitions=[("a", "b", sm.After(0.5))])
    vehicles = one()
    controller = sm.Controller(vehicles, modes)
    for _ in range(10):
        controller.steer(0.1)
    vehicles.spawn([[3.0, 3.0]])
    for _ in range(5):
        controller.steer(0.1)
    assert sm.modes_of(controller).tolist() == ["b", "a"]
    controller.steer(0.1)
    assert sm.modes_of(controller).tolist() == ["b", "b"]


@pytest.mark.parametrize("dt", [0.2, 0.05, 0.0125])
def test_chance_happens_as_often_at_every_time_step(dt):
    """Of a Poisson process of rate r, 1 - exp(-r t) have happened by the time t; its standard deviation is known."""
    n, rate, seconds = 4000, 0.7, 1.2
    vehicles = sm.Vehicles(np.zeros((n, 2)), max_speed=1, max_force=1)
    modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a", transitions=[("a", "b", sm.Chance(rate))])
    controller = sm.Controller(vehicles, modes, seed=5)
    for _ in range(round(seconds / dt)):
        controller.steer(dt)
    expected = 1 - np.exp(-rate * seconds)
    share = (sm.modes_of(controller) == "b").mean()
    assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


def test_chances_are_independent_of_each_other():
    n = 4000
    vehicles = sm.Vehicles(np.zeros((n, 2)), max_speed=1, max_force=1)
    modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a",
                     transitions=[("a", "b", sm.Chance(5.0) & sm.Chance(5.0))])  # fmt: skip
    controller = sm.Controller(vehicles, modes)
    controller.steer(0.1)
    chance = 1 - np.exp(-0.5)
    assert (sm.modes_of(controller) == "b").mean() == pytest.approx(chance**2, abs=0.03)


def test_chances_go_by_ids_and_not_by_rows():
    n = 400
    order = np.random.default_rng(1).permutation(n)

    def chosen(ids):
        vehicles = sm.Vehicles(np.zeros((n, 2)), id=ids, max_speed=1, max_force=1)
        modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a", transitions=[("a", "b", sm.Chance(5.0))])
        controller = sm.Controller(vehicles, modes, seed=5)
        controller.steer(0.1)
        return vehicles.id[sm.modes_of(controller) == "b"]

    np.testing.assert_array_equal(np.sort(chosen(np.arange(n))), np.sort(chosen(order)))


def test_a_memory_misses_nothing_while_another_part_decides():
    """The first part says no while the target is seen, and yes when it is out of sight."""
    asked, target = [False], one((3.0, 0.0))
    for parts in (lambda a, b: a & b, lambda a, b: ~(~a | ~b)):
        first = sm.Where(lambda vehicles: np.full(len(vehicles), asked[0]))
        watch = Watch(parts(first, sm.Sees(target, range=5.0, memory=1.0)))
        asked[0] = False
        assert along(watch, target, [3.0, 3.0]) == [False, False]
        asked[0] = True
        assert along(watch, target, [9.0, 9.0]) == [True, True]


def test_arrived_at_one_of_several():
    goals = sm.Vehicles([[0.0, 0.0], [9.0, 0.0]], id=[4, 7])
    assert Watch(sm.Arrived(goals, 1.0, which=4))()
    assert Watch(sm.Arrived(goals, 1.0))()
    assert not Watch(sm.Arrived(goals, 1.0, which=7))()


def test_parts_are_asked_only_while_undecided():
    asked = []

    class Asked(sm.Condition):
        def judge(self, scene, memory):
            return np.ones(len(scene.vehicles), bool)

        def bind(self, scene, memory, truth):
            asked.append(truth.active)
            return super().bind(scene, memory, truth)

    vehicles = sm.Vehicles(np.zeros((4, 2)), max_speed=1, max_force=1)
    even = sm.Where(lambda v: v.id % 2 == 0)
    for when, left in ((even & Asked(), [1, 0, 1, 0]), (even | Asked(), [0, 1, 0, 1])):
        asked.clear()
        modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a", transitions=[("a", "b", when)])
        controller = sm.Controller(vehicles, modes)
        seen = []
        # After the step the mask shows who was left undecided before the part was asked.
        function = Asked.judge

        def judge(self, scene, memory, function=function, seen=seen):
            seen.append(asked[0].copy())
            return function(self, scene, memory)

        Asked.judge = judge
        controller.steer(0.1)
        Asked.judge = function
        assert seen[0].tolist() == left


def test_a_memory_stands_still_where_nobody_asks():
    class Counting(sm.Condition):
        def init(self, vehicles):
            return {"asked": np.zeros(len(vehicles))}

        def judge(self, scene, memory):
            memory["asked"] += 1
            return memory["asked"] > 9

    modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a", transitions=[("a", "b", Counting())])
    vehicles = sm.Vehicles(np.zeros((3, 2)), max_speed=1, max_force=1)
    controller = sm.Controller(vehicles, sm.Switch(modes, on=lambda vehicles: vehicles.id != 1))
    for _ in range(4):
        controller.steer(0.1)
    assert controller.memory("Counting")["asked"].tolist() == [4, 0, 4]


def test_a_condition_that_has_failed_is_asked_anew_about_those_that_are_asked_then():
    class Failing(sm.Condition):
        def init(self, vehicles):
            return {"asked": np.zeros(len(vehicles))}

        def judge(self, scene, memory):
            if fails:
                raise RuntimeError("it fails")
            memory["asked"] += 1
            return memory["asked"] > 9

    fails, on = True, np.ones(3, bool)
    modes = sm.Modes({"a": Watch.still, "b": Watch.still}, start="a", transitions=[("a", "b", Failing())])
    vehicles = sm.Vehicles(np.zeros((3, 2)), max_speed=1, max_force=1)
    controller = sm.Controller(vehicles, sm.Switch(modes, on=lambda vehicles: on))
    with pytest.raises(RuntimeError, match="it fails"):
        controller.steer(0.1)
    fails, on = False, np.zeros(3, bool)
    controller.steer(0.1)
    assert controller.memory("Failing")["asked"].tolist() == [0, 0, 0]
    on = np.array([True, False, True])
    controller.steer(0.1)
    assert controller.memory("Failing")["asked"].tolist() == [1, 0, 1]


def test_compositions_are_flat_and_cannot_be_written_with_words():
    a, b, c = sm.After(1), sm.After(2), sm.After(3)
    assert (a & b & c).components == (a, b, c)
    assert (a & (b & c)).components == (a, b, c)
    assert isinstance((a & b) | c, sm.AnyOf)
    assert len(((a & b) | c).components) == 2
    named = sm.AllOf([a, b], name="both")
    assert (named & c).components == (named, c)
    assert isinstance((lambda v: v.id > 0) & a, sm.AllOf)
    for wrong in (lambda: a and b, lambda: not a, lambda: a or b):
        with pytest.raises(TypeError, match=r"combine conditions with &, \| and ~"):
            wrong()


def test_nonsense_is_refused():
    wolf = one()
    for wrong, message in (
        (lambda: sm.Near(wolf, -1), "distance must be > 0 m, got -1"),
        (lambda: sm.Near(wolf, 5, leave=4), r"leave must be >= distance \(5 m\), got 4"),
        (lambda: sm.Near([1.0], 5), "target must be a point"),
        (lambda: sm.After(-1), "seconds must be >= 0 s, got -1"),
        (lambda: sm.Chance(float("nan")), "rate must be >= 0 1/s, got nan"),
        (lambda: sm.Sees(wolf, angle=7), "angle must be > 0 rad and <= 6.28319 rad, got 7"),
        (lambda: sm.Sees(wolf, attention=0), "attention must be a whole number >= 1, got 0"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
    for wrong, message in (
        (lambda: sm.Sees(wolf, occluders=3), "occluders must be a set of obstacles or a list of sets, got 3"),
        (lambda: sm.After(1) & 3, "must be a condition such as Near"),
        (lambda: sm.Not(sm.After), r"got After: write After\(\.\.\.\)"),
        (lambda: sm.AllOf([]), "components must be a list of at least one condition"),
        (lambda: sm.Where(3), "function must be a function vehicles -> bool"),
    ):
        with pytest.raises(TypeError, match=message):
            wrong()


def test_a_function_must_judge_every_vehicle():
    def wrong(vehicles):
        return True

    modes = sm.Modes({"a": Watch.still}, start="a", transitions=[("a", "a", wrong)])
    with pytest.raises(
        ValueError, match=r"wrong must judge each vehicle true or false, shape \(1,\), bool; got shape \(\)"
    ):
        sm.Controller(one(), modes).steer(0.1)


def test_a_user_must_say_how_to_judge():
    class Empty(sm.Condition):
        pass

    modes = sm.Modes({"a": Watch.still}, start="a", transitions=[("a", "a", Empty())])
    with pytest.raises(NotImplementedError, match="Empty must define judge"):
        sm.Controller(one(), modes).steer(0.1)


def test_a_name_is_registered_once():
    with pytest.raises(ValueError, match="there is a condition called Near already"):
        condition(CONDITIONS["Near"])


# ------------------------------------------------------------------------------------------------------- hiding


@pytest.mark.parametrize("aside", [0.0, 0.9, -0.9, 1.1, -1.1])
def test_what_is_behind_an_obstacle_is_not_seen(aside):
    """A ball of radius 1 beside the line from (0, 0) to (10, 0) hides what is behind it when it is nearer than 1."""
    ball, wall = sm.Spheres([[5.0, aside]], 1.0), sm.Walls([[[5.0, aside - 1], [5.0, aside + 1]]])
    for target in (one((10.0, 0.0)), [10.0, 0.0]):
        for occluders in (ball, wall, [sm.Spheres([[50.0, 50.0]], 1.0), wall]):
            assert Watch(sm.Sees(target, occluders=occluders))() == (abs(aside) > 1)


def test_what_is_beyond_the_target_hides_nothing():
    assert Watch(sm.Sees([10.0, 0.0], occluders=sm.Spheres([[11.5, 0.0]], 1.0)))()
    assert Watch(sm.Sees([10.0, 0.0], occluders=sm.Spheres([[-1.5, 0.0]], 1.0)))()


def test_attention_goes_to_the_nearest_in_view():
    """The nearest two are hidden; the third is in the open."""
    eye = one(velocity=(1.0, 0.0))
    wolves = sm.Vehicles([[0.0, 9.0], [8.0, 0.2], [7.0, 0.0], [-3.0, 0.0]], max_speed=1, max_force=1)
    ball = sm.Spheres([[5.0, 0.0]], 1.0)
    for attention, angle, expected in (
        (2, np.pi, False),
        (3, np.pi, True),
        (3, 0.5 * np.pi, False),
        (1, 2 * np.pi, True),
    ):
        assert Watch(sm.Sees(wolves, angle=angle, occluders=ball, attention=attention), eye)() == expected


def test_an_obstacle_across_the_edge_of_a_torus_hides():
    for y, expected in ((1.0, False), (4.0, True)):
        modes = sm.Modes({"no": Watch.still, "yes": Watch.still}, start="no", transitions=[
            ("no", "yes", sm.Sees(one((95.0, y)), range=20, occluders=sm.Spheres([[99.0, 1.0]], 1.0)))])  # fmt: skip
        controller = sm.Controller(one((4.0, 1.0)), modes, domain=sm.Torus([100, 100]))
        controller.steer(0.1)
        assert (sm.modes_of(controller)[0] == "yes") == expected
