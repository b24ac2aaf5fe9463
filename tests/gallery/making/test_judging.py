"""What checks of scenarios look at: leads, agreement, turns."""

import numpy as np
import pytest

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.gallery.making.lead import Lead, Swerve
from steersman.gallery.making.retreat import Retreat
from steersman.gallery.making.turns import Turns, turned


def lead_of(velocity, *, domain=None, steps=5, **how):
    """The lead of one at the origin, with another at (20, 0) that goes to the north at 2 m/s."""
    one = sm.Vehicles([[0, 0]], [velocity], max_speed=9, max_force=1)
    other = sm.Vehicles([[20, 0]], [[0.0, 2.0]], max_speed=2, max_force=1)
    world = sm.World(dt=0.01, **({} if domain is None else {"domain": domain}))
    world.add(one, name="one")
    world.add(other, name="other")
    lead = Lead(one, other, **how)
    world.on_step(lead)
    world.run(steps=steps)
    return lead.share()


def test_the_same_bearing_is_a_whole_lead_and_the_line_none():
    assert lead_of([5, 2]) == pytest.approx(1, abs=1e-3)
    assert lead_of([5, 0]) == pytest.approx(0, abs=0.02)
    assert lead_of([-5, -1]) < -0.4


def test_a_lead_is_seen_across_the_seam_of_a_torus():
    assert lead_of([5, 2], domain=sm.Torus([30, 30])) == pytest.approx(1, abs=1e-3)


def test_only_those_within_the_distances_are_looked_at():
    assert lead_of([5, 2], near=30) == 0
    assert lead_of([5, 2], far=10) == 0
    assert lead_of([5, 2], which=lambda: np.array([False])) == 0


def test_the_way_that_they_would_go_anyway_is_no_lead():
    assert lead_of([5, 2], without=lambda: np.array([[5, 2]])) == pytest.approx(0, abs=1e-3)
    assert lead_of([5, 0], without=lambda: np.array([[5, 2]])) == pytest.approx(-1, abs=0.02)


@pytest.mark.parametrize("kind", [Lead, Swerve, Retreat])
@pytest.mark.parametrize("counts", [(0, 1), (1, 0), (0, 0)])
def test_there_may_be_nobody_on_either_side(kind, counts):
    them, others = (sm.Vehicles(np.zeros((count, 2)), max_speed=1, max_force=1) for count in counts)
    world, about = sm.World(), {"far": 10, "which": lambda: np.ones(len(them), bool)} if kind is Retreat else {}
    world.add(them, name="them", steering=sm.Wander())
    world.add(others, name="others")
    look = kind(them, others, **about)
    world.on_step(look)
    world.step()
    assert np.isnan(look.worst()) if kind is Retreat else look.share() == 0


def test_a_lead_is_kept():
    lead = Lead(*[sm.Vehicles([[0, 0]], max_speed=1, max_force=1)] * 2)
    lead.resume({"led": 3.0, "moved": 4.0})
    assert (lead.share(), lead.saved()) == (0.75, {"led": 3.0, "moved": 4.0})


def swerve_of(force, velocity=(0.0, 5.0)):
    """The swerve of one at the origin that a force moves, with another at (20, 0) that goes to the north at 2 m/s."""
    one = sm.Vehicles([[0, 0]], [velocity], max_speed=9, max_force=5)
    other = sm.Vehicles([[20, 0]], [[0.0, 2.0]], max_speed=2, max_force=1)
    world = sm.World(dt=0.01)
    world.add(one, name="one", steering=lambda vehicles: np.array([force], float))
    world.add(other, name="other")
    swerve = Swerve(one, other)
    world.on_step(swerve)
    world.run(steps=5)
    again = Swerve(one, other)
    again.resume(swerve.saved())
    assert again.share() == swerve.share()
    return swerve.share()


def test_a_swerve_is_the_side_of_the_turn_and_not_of_the_way():
    assert swerve_of((0, 3)) == pytest.approx(1)
    assert swerve_of((0, -3)) == swerve_of((0, -0.3)) == pytest.approx(-1)
    assert swerve_of((4, -3)) == pytest.approx(-1, abs=0.01)
    assert swerve_of((0, -3), velocity=(0, -5)) == pytest.approx(-1)
    assert swerve_of((0, 0)) == 0


def retreat_of(velocities, *, domain=None, west=-3.0, steps=20, far=10.0):
    """From the menace from which vehicles at (0, 0) and (40, 0) run least; there is one 3 m west of each, in a domain."""
    them = sm.Vehicles([[0, 0], [40, 0]], velocities, max_speed=9, max_force=1)
    menaces = sm.Vehicles([[west, 0], [37, 0]], max_speed=1, max_force=1)
    world = sm.World(dt=0.01, **({} if domain is None else {"domain": domain}))
    world.add(them, name="them")
    retreat = Retreat(them, menaces, far=far, which=lambda: np.array([True, True]))
    world.on_step(retreat)
    world.run(steps=steps)
    return retreat.worst()


def test_who_runs_from_one_menace_alone_does_not_run_from_all():
    assert retreat_of([[2, 0], [3, 0]]) == pytest.approx(1)
    assert retreat_of([[2, 0], [-3, 0]]) == pytest.approx(-1)
    assert retreat_of([[0, 2], [3, 0]]) == pytest.approx(0, abs=0.1)
    assert retreat_of([[2, 0], [0, 0]]) == pytest.approx(0)


def test_of_menaces_the_first_may_be_left_out():
    them = sm.Vehicles([[-6.0, 0.0], [6.0, 0.0]], [[0.0, 2.0], [3.0, 0.0]], max_speed=9)
    menaces = sm.Vehicles([[-3.0, 0.0], [3.0, 0.0], [90.0, 0.0]], max_speed=1)
    world = sm.World(dt=0.001)
    world.add(them, name="them")
    world.add(menaces, name="menaces")
    retreat = Retreat(them, menaces, far=10, which=lambda: np.array([True, True]))
    world.on_step(retreat)
    world.run(steps=199)
    assert np.isnan(retreat.from_others())
    world.step()
    assert retreat.from_others() == pytest.approx(1)
    assert retreat.worst() == pytest.approx(0, abs=0.1)


def test_a_retreat_is_seen_across_the_seam_of_a_torus():
    assert retreat_of([[2, 0], [3, 0]], domain=sm.Torus([80, 80]), west=77) == pytest.approx(1)
    assert retreat_of([[0, 2], [3, 0]], domain=sm.Torus([80, 80]), west=77) == pytest.approx(0, abs=0.1)


def test_behind_a_menace_that_runs_past_one_may_go_on():
    """Two go west, toward the menaces there: one of these comes, the other one leaves, or both leave."""
    for velocities, west in (([[0.5, 0], [-0.5, 0]], -1.0), ([[-0.5, 0], [-0.5, 0]], np.nan)):
        them = sm.Vehicles([[0.0, 0.0], [40.0, 0.0]], [[-1.0, 0.0], [-1.0, 0.0]], max_speed=9)
        menaces = sm.Vehicles([[-3.0, 0.0], [37.0, 0.0]], velocities, max_speed=1)
        world = sm.World(dt=0.01)
        world.add(them, name="them")
        options = {"far": 10, "which": lambda: np.array([True, True])}
        coming, every = Retreat(them, menaces, coming=True, **options), Retreat(them, menaces, **options)
        for each in (coming, every):
            world.on_step(each)
        world.run(steps=20)
        assert coming.worst() == pytest.approx(west, nan_ok=True)
        assert every.worst() == pytest.approx(-1)
        assert coming.looks[1] == 0


def test_nothing_is_said_about_menaces_that_were_hardly_near():
    assert np.isnan(retreat_of([[2, 0], [3, 0]], steps=15))
    assert np.isnan(retreat_of([[2, 0], [3, 0]], far=2))


def agreement_of(heading):
    """Of a column of vehicles with these headings."""
    way = np.stack([np.cos(heading), np.sin(heading)], axis=1)
    them = sm.Vehicles(np.stack([3 * np.arange(len(way)), np.zeros(len(way))], axis=1), way, max_speed=1, max_force=1)
    world = sm.World()
    world.add(them, name="them")
    agreement = Agreement(them)
    world.on_step(agreement)
    world.step()
    return agreement.now()


def test_parts_that_agree_while_all_do_not():
    assert agreement_of(np.repeat([0.0, np.pi], 30)) > 0.5


def test_who_is_told_a_heading_agrees_no_more_with_neighbors_than_with_all():
    rng = np.random.default_rng(0)
    for width in (0.3, 1.0, 2.0):
        assert agreement_of(rng.uniform(-width, width, 200)) < 0.03


def test_turns_and_jolts():
    them = sm.Vehicles([[0, 0]], heading=[3.0], max_speed=1, max_force=1)
    turns, world = Turns(them), sm.World(dt=0.1)
    world.add(them, name="them")
    for heading in (3.1, -3.1, -3.0):  # Across the seam of angles.
        them.heading = heading
        turns(world)
    across = 2 * np.pi - 6.2
    assert turns.largest == pytest.approx(np.degrees(0.1))
    assert turns.jolt == pytest.approx((0.1 - across) / 0.01, rel=1e-3)


def test_how_far_they_have_turned():
    them = sm.Vehicles(np.zeros((3, 2)), [[1, 0], [2, 0], [2, 0]], max_speed=2, max_force=1)
    angle = turned(them)
    them.velocity = [[0, 1], [2, 0], [1, 3**0.5]]
    assert angle(them) == pytest.approx((90 + 0 + 60) / 3)
