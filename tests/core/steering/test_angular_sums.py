"""Angular accelerations in sums and priorities, in NumPy behaviors, in the trace, and when they are wrong."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from core.world.whole_state import whole_state
from sampling import KEPT

import steersman as sm

DT = 0.1


@dataclass(frozen=True, eq=False)
class Twist(sm.Behavior):
    """A constant angular acceleration, and a constant force, for some ids."""

    turns = True
    rate: Any = 1.0
    force: float = 0.0
    ids: Any = None

    def steer(self, scene, memory, out):
        rows = slice(None) if self.ids is None else np.isin(scene.vehicles.id, self.ids)
        out.angular[rows] = self.rate
        out.linear[rows] = self.force


def herd(n=6, d=2, **more):
    rng = np.random.default_rng(2)
    return sm.Vehicles(rng.normal(size=(n, d)) * 5, rng.normal(size=(n, d)), max_force=4, **{"dtype": KEPT[d], **more})


def turning(steering, d=2, **more):
    controller = sm.Controller(herd(d=d, **more), steering, threads=1)
    controller.steer(DT)
    return controller.turning


def test_weights_and_limits_hold_for_turning_too():
    assert turning(2.0 * Twist(1.5) + 0.5 * Twist(-2.0)).tolist() == [2.0] * 6
    assert turning(Twist(25.0) + Twist(3.0)).tolist() == [10.0] * 6  # each is limited to 10, and so is the sum
    assert turning(Twist(25.0) + -1.0 * Twist(25.0)).tolist() == [0.0] * 6
    assert turning(sm.WeightedSum([Twist(4.0), Twist(-0.1)], weights=(1, 0.5), each="normalize")).tolist() == [5.0] * 6
    assert turning(sm.WeightedSum([Twist(25.0), Twist(-22.0)], each="raw")).tolist() == [3.0] * 6
    nested = sm.WeightedSum([sm.WeightedSum([Twist(8.0), Twist(8.0)], each="raw"), Twist(-1.0)])
    assert turning(nested).tolist() == [9.0] * 6
    np.testing.assert_allclose(turning(Twist((3, 0, 4)) + Twist((3, 0, 4)), d=3), [[6, 0, 8]] * 6)
    np.testing.assert_allclose(turning(Twist((30, 0, 40)), d=3), [[6, 0, 8]] * 6)


def test_a_truncated_sum_spends_turning_as_it_spends_force():
    """8 of 10 are spent, so only 2 pull back; of a sum of 6 are 4 left for the third, of lengths 8 and 2 nothing.

    Where the first two spend all, the third cannot pull back.
    """
    parts = [Twist(8.0), Twist(-8.0), Twist(9.0)]
    assert turning(sm.TruncatedSum(parts[:2])).tolist() == [6.0] * 6
    assert turning(sm.TruncatedSum(parts)).tolist() == [10.0] * 6
    assert turning(sm.TruncatedSum(parts, accounting="lengths")).tolist() == [6.0] * 6
    assert turning(sm.TruncatedSum([Twist(8.0), Twist(8.0), Twist(-8.0)])).tolist() == [10.0] * 6
    assert turning(2.0 * sm.TruncatedSum([Twist(3.0), Twist(4.0)])).tolist() == [10.0] * 6
    np.testing.assert_allclose(turning(sm.TruncatedSum([Twist((6, 0, 8)), Twist((0, 5, 0))]), d=3), [[6, 0, 8]] * 6)


def test_in_a_priority_turning_belongs_to_the_part_that_acts():
    urgent, other = Twist(1.0, force=1.0, ids=[0, 3]), Twist(-2.0, ids=[0, 1, 3, 4])
    expected = [1, -2, 0, 1, -2, 0]
    assert turning(sm.Priority([urgent, other])).tolist() == expected
    assert turning(sm.Priority([lambda v: v.position * 0, sm.Priority([urgent, other])])).tolist() == expected
    assert turning(2 * sm.Priority([urgent, other]) + Twist(0.5)).tolist() == [2 * x + 0.5 for x in expected]
    # Whoever turns without a force acts; one who does neither leaves the vehicle to the next.
    assert turning(sm.Priority([Twist(3.0, ids=[2]), urgent])).tolist() == [1, 0, 3, 1, 0, 0]


def test_where_a_part_acts_by_its_force_its_turning_comes_along():
    """The first part turns nobody, but pushes vehicle 2; so vehicle 2 does not turn."""
    first = Twist(0.0, force=1.0, ids=[2])
    assert turning(sm.Priority([first, Twist(1.0)])).tolist() == [1, 1, 0, 1, 1, 1]


def test_a_behavior_must_say_that_it_turns():
    @dataclass(frozen=True, eq=False)
    class Silent(sm.Behavior):
        def steer(self, scene, memory, out):
            out.angular[:] = 1

    with pytest.raises(AttributeError, match=r"only a behavior with `turns = True` in its class has out\.angular"):
        turning(Silent())


def sums_of_turning(steering):
    """Of every call of a tree, how many arrays of angular accelerations it is given."""
    from steersman.core.steering.scene.scene import Clock
    from steersman.core.steering.tree.forces import Out
    from steersman.core.world.plan import SteeringPlan
    from steersman.core.world.population import Population

    vehicles = herd(d=3)
    population = Population("vehicles", vehicles, steering, sm.PointMass())
    calls = SteeringPlan(population, sm.Open(), Clock.new(float), 0, np.zeros((3, len(vehicles)))).calls
    outs = [(call.kernel.__name__, out) for call in calls for out in call.arguments if isinstance(out, Out)]
    return {name: len(out.angular) for name, out in outs}, len(calls)


def test_a_tree_pays_for_turning_only_where_somebody_turns():
    plain = sm.Priority([sm.Seek([0, 0, 0]) + sm.TruncatedSum([sm.Wander()]), sm.Priority([sm.Wander()], blend=1)])
    found, count = sums_of_turning(plain)
    assert "settle" in found
    assert set(found.values()) == {0}
    found, more = sums_of_turning(sm.Priority([plain]) + 0.5 * sm.Face([0, 0, 0]))
    assert (found["face"], found["settle"], found["allocate"], found["seek"]) == (3, 0, 0, 0)
    assert more == count + 4  # Face, and the outer Priority's begin, clear and settle
    assert sums_of_turning(sm.Seek([0, 0, 0]))[1] == 2


def test_the_trace_records_turning():
    from core.steering.tree.test_trace import stacked, trace

    vehicles = herd()
    records = trace(vehicles, sm.Priority([sm.Seek([0, 0]) + 0.5 * Twist(25.0), Twist(1.0)]))
    by_label = {record.node.label: record for record in records}
    first = next(record for record in records if record.node.label == "Twist")
    assert stacked(first.raw_angular).ravel().tolist() == [25.0] * 6
    assert stacked(first.angular_contribution).ravel().tolist() == [5.0] * 6
    assert stacked(records[0].raw_angular).ravel().tolist() == [5.0] * 6
    assert not stacked(by_label["Seek"].raw_angular).any()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_wrong_angular_acceleration_is_refused_and_named(value):
    rate = np.ones(6)
    vehicles = herd(id=np.arange(6) + 40)
    world = sm.World(seed=1)
    steering = sm.Priority([sm.Wander() + Twist(rate, name="whirl")])
    world.add(vehicles, name="birds", steering=steering, locomotion=sm.FreeBody(limits=[sm.SmoothForce(0.2)]))
    world.run(steps=3)
    rate[[1, 4]] = value
    before = whole_state(world)
    for _ in range(2):
        with pytest.raises(sm.NonFiniteError, match=r"^whirl made the angular acceleration \[.*\] rad/s\^2 for "
                                                    r"vehicles 41, 44 of 'birds'"):  # fmt: skip
            world.step()
        assert whole_state(world) == before
    rate[:] = 1
    world.step()
    controller = sm.Controller(herd(), Twist(np.array([0, 0, value, 0, 0, 0])))
    with pytest.raises(sm.NonFiniteError, match=r"^Twist made the angular acceleration .* for vehicle 2 of"):
        controller.steer(DT)


def test_a_whirl_stays_finite():
    vehicles = herd(max_angular_speed=1e100, max_angular_acceleration=1e100, angular_velocity=1e10,
                    response_time="step", dtype=np.float64)  # fmt: skip
    world = sm.World(dt=1e8)
    world.add(vehicles, steering=Twist(1e115), locomotion=sm.FreeBody())
    world.step()
    assert np.isfinite(vehicles.block).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda part: sm.TruncatedSum([part, sm.Seek([0, 0])]),
        lambda part: sm.Dithered([part], probabilities=[1.0]),
        lambda part: sm.RoundRobin([part]),
        lambda part: sm.Switch(part),
        lambda part: sm.ContextMap([part]),
        lambda part: sm.Modes({"turn": part}, start="turn", transitions=[]),
        lambda part: sm.ORCA(toward=part),
        lambda part: sm.SocialForce(part),
        lambda part: 1.0 * sm.Switch(sm.Priority([sm.TruncatedSum([part])])),
    ],
    ids=["TruncatedSum", "Dithered", "RoundRobin", "Switch", "ContextMap", "Modes", "ORCA", "SocialForce", "nested"],
)
def test_every_combinator_hands_turning_up(make):
    assert turning(make(Twist(4.0, force=1.0))).tolist() == [4.0] * 6
    twice = sm.Controller(herd(), make(Twist(4.0, force=1.0)), threads=1)
    for _ in range(3):  # nothing piles up from step to step
        twice.steer(DT)
        assert twice.turning.tolist() == [4.0] * 6


@pytest.mark.parametrize("d", [2, 3])
def test_a_behavior_is_given_a_row_for_each_vehicle_that_is_there(d):
    shapes = []

    class Looks(sm.Behavior):
        turns = True

        def steer(self, scene, memory, out):
            shapes.append((out.linear.shape, out.angular.shape))

    vehicles = herd(d=d)
    controller = sm.Controller(vehicles, Looks(), threads=1)
    controller.steer(DT)
    vehicles.spawn(np.zeros((1, d)))
    controller.steer(DT)
    vehicles.remove(vehicles.id[:3])
    controller.steer(DT)
    assert shapes == [((n, d), (n,) if d == 2 else (n, 3)) for n in (6, 7, 4)]
