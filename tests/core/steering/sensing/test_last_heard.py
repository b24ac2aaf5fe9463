"""LastHeard: noises are heard within their range, less far behind walls, and forgotten."""

import copy
import math
from typing import Any

import numpy as np
import pytest
from contract.examples.example import Example

import steersman as sm
from steersman.core.world.state_hash import state_hash

EXAMPLES: dict[str, Example] = {
    "heard, or sought": lambda p: sm.Priority([
        sm.Seek(sm.LastHeard(forget=1.0, acuity=2.0, walls=p.rocks, through=0.5, shared_by="all")),
        sm.Seek(p.state.point)]),
}  # fmt: skip

WALL = sm.Boxes(center=[[5.0, 0.0]], size=[[0.5, 3.0]])


def listeners(*position: Any) -> sm.Vehicles:
    return sm.Vehicles([*position], max_speed=3.0, max_force=30.0, response_time=0.5)


def acting(vehicles: sm.Vehicles, known: sm.LastHeard) -> sm.Controller:
    return sm.Controller(vehicles, sm.Seek(known))


@pytest.mark.parametrize("acuity", [1.0, 0.5])
def test_it_is_heard_within_its_range(acuity: float) -> None:
    vehicles = listeners((0.0, 0.0), (8.0, 0.0), (3.9, 0.0), (0.0, 0.0))
    vehicles.position[3] = [20.0, 0.0]
    controller = acting(vehicles, sm.LastHeard(forget=1.0, acuity=acuity))
    assert not controller.steer(0.5).any()
    controller.noise([10.0, 0.0], 10.0)
    reach = 10.0 * acuity
    np.testing.assert_array_equal(controller.steer(0.5).any(axis=1), np.abs(vehicles.position[:, 0] - 10.0) <= reach)
    assert controller.steer(0.5)[1, 0] > 0


def test_behind_a_wall_it_keeps_a_part_of_its_range() -> None:
    vehicles = listeners((0.0, 0.0), (4.0, 0.0), (0.0, 9.0))
    for loudness, heard in ((13.0, [False, False, True]), (17.0, [False, True, True]), (34.0, [True] * 3)):
        controller = acting(vehicles, sm.LastHeard(forget=1.0, walls=WALL, through=0.3))
        controller.noise([9.0, 0.0], loudness)
        assert controller.steer(0.5).any(axis=1).tolist() == heard, loudness
        loud = acting(vehicles, sm.LastHeard(forget=1.0))
        loud.noise([9.0, 0.0], loudness)
        assert loud.steer(0.5).any(axis=1).all(), "no walls were named"


def test_a_wall_behind_the_noise_or_beside_the_way_damps_nothing() -> None:
    vehicles = listeners((0.0, 0.0), (2.0, 8.0))
    controller = acting(vehicles, sm.LastHeard(forget=1.0, walls=WALL, through=0.3))
    controller.noise([4.0, 0.0], 8.5)  # The wall begins at 4.75 m.
    assert controller.steer(0.5).any(axis=1).all()


def test_the_one_that_is_heard_best_counts_and_a_later_one_more() -> None:
    known = sm.LastHeard(forget=9.0)
    controller = acting(listeners((0.0, 0.0)), known)
    for x, loudness in ((5.0, 6.0), (-8.0, 30.0), (2.0, 3.0), (90.0, 10.0)):
        controller.noise([x, 0.0], loudness)
    controller.steer(0.5)
    assert controller.memory(known)["position"].tolist() == [[-8.0, 0.0]]
    controller.noise([5.0, 0.0], 6.0)
    controller.steer(0.5)
    assert controller.memory(known)["position"].tolist() == [[5.0, 0.0]]


@pytest.mark.parametrize(("forget", "within"), [(1.0, np.inf), (9.0, 1.0)])
def test_it_is_known_for_a_time_and_fresh_in_one_step(forget: float, within: float) -> None:
    known = sm.LastHeard(forget=forget)
    begin, end = sm.Knows(known, within=0.0), ~sm.Knows(known, within=within)
    modes = sm.Modes({"no": sm.Wander(), "yes": sm.Wander()}, start="no",
                     transitions=[("no", "yes", begin), ("yes", "no", end)])  # fmt: skip
    controller = sm.Controller(listeners((0.0, 0.0)), modes)
    said = []
    for step in range(6):
        if step == 1:
            controller.noise([1.0, 0.0], 5.0)
        controller.steer(0.5)
        said.append(sm.modes_of(controller)[0])
    assert said == ["no", "yes", "yes", "yes", "no", "no"]


@pytest.mark.parametrize("d", [2, 3])
def test_over_the_seam_and_for_all_populations(d: int) -> None:
    world = sm.World(domain=sm.Torus([50.0] * d))
    near, far = ([[x] + [1.0] * (d - 1)] for x in (48.0, 25.0))
    for name, place in (("a", near), ("b", far)):
        world.add(sm.Vehicles(place, max_speed=1, max_force=1), name=name, steering=sm.Seek(sm.LastHeard(forget=2.0)))
    world.noise([1.0] * d, 5.0)
    world.step()
    assert world["a"].velocity[0, 0] > 0
    assert not world["b"].velocity.any()


def test_a_group_hears_what_one_of_it_hears() -> None:
    known = sm.LastHeard(forget=9.0, shared_by=[1, 1, 2])
    controller = acting(listeners((0.0, 0.0), (30.0, 0.0), (60.0, 0.0)), known)
    controller.noise([2.0, 0.0], 5.0)
    assert controller.steer(0.5).any(axis=1).tolist() == [True, True, False]


def test_copies_and_files_remember(tmp_path: Any) -> None:
    rng = np.random.default_rng(1)
    world = sm.World(seed=2)
    world.add(sm.Vehicles(rng.uniform(0, 20, (30, 2)), max_speed=3, max_force=9), name="guards",
              steering=sm.Priority([sm.Arrive(sm.LastHeard(forget=1.0, walls=WALL)), sm.Wander()]))  # fmt: skip
    world.run(steps=5)
    world.noise([9.0, 9.0], 8.0)
    world.save(tmp_path / "world.steersman")
    others = [copy.deepcopy(world), sm.World.load(tmp_path / "world.steersman")]
    for each in (world, *others):
        each.run(steps=90)
    assert [state_hash(each) for each in others] == [state_hash(world)] * 2


def test_wrong_inputs() -> None:
    controller = acting(listeners((0.0, 0.0)), sm.LastHeard(forget=1.0))
    for loudness in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="loudness must be >= 0 m and finite"):
            controller.noise([0.0, 0.0], loudness)
    with pytest.raises(TypeError, match="loudness must be a number"):
        controller.noise([0.0, 0.0], "loud")
    with pytest.raises(ValueError, match="at must"):
        controller.noise([0.0, 0.0, 0.0], 1.0)
    with pytest.raises(ValueError, match="at must"):
        controller.noise([0.0, np.nan], 1.0)


def test_one_noise_at_a_time() -> None:
    world = sm.World()
    world.add(sm.Vehicles([0.0, 0.0]))
    with pytest.raises(ValueError, match=r"at must be one point \(d,\), got 2: make a noise for each of them"):
        world.noise([[0, 0], [1, 1]], loudness=5)
