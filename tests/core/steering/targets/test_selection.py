"""Whom to watch: ids that stay right when others come and go, masks, and what happens when the one is gone."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.targets.selection import as_which

DT = 0.1


def some(n: int = 3, **columns: Any) -> sm.Vehicles:
    """Vehicles at rest at the origin; seeking, each gets a unit vector toward its target as its force."""
    given = {"max_speed": 1.0, "max_force": 9.0, "response_time": 1.0} | columns
    return sm.Vehicles(np.zeros((n, 2)), **given)


EAST, NORTH, WEST, SOUTH = (9.0, 0.0), (0.0, 9.0), (-9.0, 0.0), (0.0, -9.0)


def others(**columns: Any) -> sm.Vehicles:
    return sm.Vehicles([EAST, NORTH, WEST, SOUTH], **columns)


def bearings(controller: sm.Controller) -> list[str]:
    """Where everybody is steered to; "?" for those whom the behavior leaves alone."""
    names = {(1, 0): "E", (0, 1): "N", (-1, 0): "W", (0, -1): "S", (2, 2): "?"}
    return [names[tuple(each)] for each in np.rint(controller.steer(DT)).astype(int).tolist()]


def nobody(vehicles: sm.Vehicles) -> Any:
    return np.full((len(vehicles), 2), 2.0)


def seeking(vehicles: sm.Vehicles, target: Any, which: Any) -> sm.Controller:
    return sm.Controller(vehicles, sm.Priority([sm.Seek(target, which=which), nobody]), threads=1)


@pytest.mark.parametrize("which", [1, [1], np.array([1]), np.int32(1)])
def test_an_id_is_the_same_one_whoever_else_goes(which: Any) -> None:
    quarry = others()
    controller = seeking(some(), quarry, which)
    assert bearings(controller) == ["N"] * 3
    quarry.remove(0)
    assert bearings(controller) == ["N"] * 3
    quarry.spawn([EAST])
    controller.vehicles.spawn([0.0, 0.0])
    assert bearings(controller) == ["N"] * 4


@pytest.mark.parametrize("which", [1, {0: 1, 2: 1}])
def test_a_target_that_dies_is_dropped_and_waited_for(which: Any) -> None:
    """A missile whose target is dead does not crash the game: what stands below in the Priority steers."""
    quarry = others()
    controller = seeking(some(), quarry, which)
    controller.steer(DT)
    quarry.remove(1)
    assert bearings(controller) == ["?"] * 3
    quarry.spawn(SOUTH)
    assert bearings(controller) == ["?"] * 3
    quarry.spawn(WEST, id=1)
    assert bearings(controller) == ["W", "W" if which == 1 else "?", "W"]


def test_ids_of_a_mask_are_ids_of_those_who_were_marked() -> None:
    quarry = others()
    controller = seeking(some(), quarry, np.array([False, False, True, True]))
    controller.vehicles.position[:, 0] = -1
    assert bearings(controller) == ["W"] * 3
    quarry.remove(quarry.position[:, 0] > 0)
    assert bearings(controller) == ["W"] * 3
    quarry.remove(2)
    assert [each[1] < 0 for each in controller.steer(DT)] == [True] * 3
    quarry.remove(3)
    assert bearings(controller) == ["?"] * 3


@pytest.mark.parametrize(
    ("marked", "expected"), [([True, True, False], ["E", "W", "W"]), ([False, True, True], ["E", "E", "W"])]
)
def test_the_nearest_marked_fellow_is_somebody_else(marked: list[bool], expected: list[str]) -> None:
    """Whatever row of the population and of the mask they have: here 1 and 2, and 0 and 1."""
    vehicles = some()
    vehicles.position = [[0, 0], [9, 0], [20, 0]]
    assert bearings(seeking(vehicles, vehicles, marked)) == expected


def test_of_marked_ones_that_are_equally_near_the_first_is_watched() -> None:
    others = sm.Vehicles([[0.0, 9.0], [3.0, 0.0], [-3.0, 0.0]], max_speed=1, dtype=float)
    controller = sm.Controller(
        sm.Vehicles([[0.0, 0.0]], max_speed=1, max_force=9, dtype=float), sm.Seek(others, which=[True, True, True])
    )
    (force,) = controller.steer(0.1)
    assert force[0] > 0
    np.testing.assert_allclose(force[1], 0, atol=1e-12)


def test_the_first_is_followed_by_the_next_one() -> None:
    quarry = others()
    controller = seeking(some(1), quarry, "first")
    seen = []
    for gone in (0, 2, 1, 3):
        seen += bearings(controller)
        quarry.remove(gone)
    assert [*seen, *bearings(controller)] == ["E", "N", "N", "S", "?"]


def test_ids_stay_with_the_vehicles_they_were_given_for() -> None:
    """Hunters that die, or that come, do not shift who hunts whom."""
    quarry, hunters = others(), some()
    controller = seeking(hunters, quarry, [2, 0, 3])
    assert bearings(controller) == ["W", "E", "S"]
    hunters.remove(0)
    assert bearings(controller) == ["E", "S"]
    hunters.spawn([0.0, 0.0])
    assert bearings(controller) == ["E", "S", "?"]
    hunters.spawn([0.0, 0.0], id=0)
    assert bearings(controller) == ["E", "S", "?", "W"]


def test_a_mapping_says_who_hunts_whom_however_many_there_are() -> None:
    quarry, hunters = others(), some(2)
    controller = seeking(hunters, quarry, {5: 3, 1: 0})
    assert bearings(controller) == ["?", "E"]
    hunters.spawn([0.0, 0.0], id=5)
    assert bearings(controller) == ["?", "E", "S"]


def test_an_id_that_never_was_is_refused_by_name() -> None:
    quarry = others(id=[4, 7, 8, 2])
    for which in (9, [4, 9, 7], {0: 9}):
        with pytest.raises(ValueError, match=r"which must be an id that target has or had, got 9; ids .* 4, 7, 8, 2$"):
            seeking(some(), quarry, which).steer(DT)
    assert bearings(seeking(some(1), sm.Vehicles(np.zeros((0, 2))), 9)) == ["?"]  # Who is to come nobody can tell.


def test_a_mask_needs_a_population() -> None:
    with pytest.raises(ValueError, match="which can be a mask of a population only"):
        sm.Seek([1.0, 2.0], which=[True, False])
    with pytest.raises(ValueError, match=r"which_a must have shape \(4,\), got \(2,\)"):
        sm.Interpose(others(), [0, 0], which_a=[True, False])


def test_a_formation_has_one_leader() -> None:
    with pytest.raises(ValueError, match='which must be "first" or an id: a formation has one leader, got '):
        sm.Formation(others(), which="nearest")


@pytest.mark.parametrize("behavior", [sm.Formation, lambda p, **how: sm.FollowLeader(p, **how)])
def test_a_leader_by_id(behavior: Any) -> None:
    def forces(quarry: sm.Vehicles, **how: Any) -> Any:
        return sm.Controller(some(), sm.Priority([behavior(quarry, **how), nobody]), threads=1).steer(DT).tolist()

    alone = sm.Vehicles([WEST])
    assert forces(others(id=[5, 6, 7, 8]), which=7) == forces(alone)
    quarry = others()
    quarry.remove([0, 1])
    assert forces(quarry) == forces(alone)  # The first who is left leads.
    quarry.remove(2)
    assert forces(quarry, which=2) == [[2, 2]] * 3


@pytest.mark.parametrize("condition", [sm.Near, sm.Arrived, lambda p, d, **how: sm.Sees(p, range=d, **how)])
def test_conditions_about_somebody_who_is_gone_do_not_hold(condition: Any) -> None:
    quarry = others()
    modes = sm.Modes({"far": nobody, "near": sm.Seek([0, 0])}, start="far", transitions=[
        ("far", "near", condition(quarry, 10.0, which=1)), ("near", "far", ~condition(quarry, 10.0, which=1))
    ])  # fmt: skip
    controller = sm.Controller(some(1), modes, threads=1)
    controller.steer(DT)
    assert sm.modes_of(controller).tolist() == ["near"]
    quarry.remove(1)
    controller.steer(DT)
    assert sm.modes_of(controller).tolist() == ["far"]


def test_normal_forms() -> None:
    assert as_which("which", {np.int64(3): np.int32(4)}) == {3: 4}
    assert as_which("which", [7]) == 7
    mine = np.array([1, 2])
    ids = as_which("which", mine)
    mine[0] = 9
    assert ids.tolist() == [1, 2]
    marked = as_which("which", [False, True, True, False], others(id=[9, 1, 2, 3]))
    assert marked.ids.tolist() == [1, 2]
    assert as_which("which", marked).ids.tolist() == [1, 2]


@pytest.mark.parametrize("which", [0, [0], np.array(0)])
def test_zero_is_an_id(which: Any) -> None:
    quarry = others(id=[3, 0, 1, 2])
    assert bearings(seeking(some(), quarry, which)) == ["N"] * 3
