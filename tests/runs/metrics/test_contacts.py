"""Contacts: pairs and depths by hand, the same for few vehicles and for many."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import nearby
from steersman.runs.metrics.contacts import Contacts, overlap, overlaps


def test_pairs_and_depths():
    vehicles = sm.Vehicles([[0.0, 0.0], [0.75, 0.0], [0.75, 1.5], [9.5, 0.0]], radius=[0.5, 0.5, 1.25, 0.5])
    rows, depth = overlaps(vehicles)
    np.testing.assert_array_equal(rows, [[0, 1], [0, 2], [1, 2]])
    np.testing.assert_allclose(depth, [0.25, 1.75 - np.hypot(0.75, 1.5), 0.25], rtol=1e-6)
    assert overlap(vehicles, sm.Torus([10.0, 10.0])) == pytest.approx(0.5)
    assert overlap(sm.Vehicles(np.zeros((0, 2)))) == 0
    assert overlap(sm.Vehicles(np.zeros((3, 2)), radius=0.0)) == 0


def test_each_frame_may_have_its_own_radii():
    frames, radii = np.array([[[0.0, 0.0], [1.0, 0.0]]] * 2), [[0.25, 0.25], [0.25, 1.0]]
    rows, depth = overlaps(frames, radius=radii)
    np.testing.assert_array_equal(rows, [[1, 0, 1]])
    np.testing.assert_array_equal(depth, [0.25])
    with pytest.raises(ValueError, match=r"radius must be one number or have shape \(2,\), got shape \(2, 2\)"):
        overlaps(frames[0], radius=radii)


@pytest.mark.parametrize("domain", [sm.Open(), sm.Torus([20.0, 20.0])])
def test_many_are_looked_at_as_few_are(domain, monkeypatch):
    rng = np.random.default_rng(0)
    vehicles = sm.Vehicles(rng.uniform(0, 20, (250, 2)), radius=rng.uniform(0, 1, 250), dtype=np.float64)
    monkeypatch.setattr(nearby, "FEW", 1000)
    few = overlaps(vehicles, domain)
    monkeypatch.setattr(nearby, "FEW", 10)
    many = overlaps(vehicles, domain)
    order = np.lexsort(many[0].T[::-1])
    np.testing.assert_array_equal(many[0][order], few[0])
    np.testing.assert_allclose(many[1][order], few[1], rtol=1e-12)
    assert len(few[0]) > 50


@pytest.mark.parametrize(
    ("slack", "error", "message"),
    [
        (-1, ValueError, "slack must be >= 0 m, got -1"),
        (np.nan, ValueError, "slack must be"),
        ("x", TypeError, "slack must be"),
    ],
)
def test_a_slack_that_is_none_is_refused(slack, error, message):
    """With NaN nobody was ever touched; with less than zero everybody near was."""
    with pytest.raises(error, match=message):
        Contacts(sm.Vehicles([[0, 0]]), slack=slack)


@pytest.mark.parametrize("apart", [0.75, 1.0])
def test_a_depth_of_just_the_slack_is_no_contact(apart):
    """Whoever only touches is none without slack."""
    vehicles = sm.Vehicles([[0.0, 0.0], [apart, 0.0]], radius=0.5)
    for slack, pairs in ((1 - apart, set()), (np.nextafter(1 - apart, -1), {(0, 1)})):
        if slack >= 0:
            contacts = Contacts(vehicles, slack=slack)
            world = sm.World()
            contacts(world)
            assert contacts.pairs == pairs
            assert contacts.deepest == 1 - apart


def test_an_observer_sees_contacts_over_the_seam_of_a_torus():
    world = sm.World(domain=sm.Torus([10.0, 10.0]))
    world.add(sm.Vehicles([[0.25, 5.0], [9.5, 5.0]], radius=0.5), name="a")
    seen = Contacts(world["a"])
    seen(world)
    assert (seen.pairs, seen.deepest) == ({(0, 1)}, 0.25)


def test_an_observer_counts_every_pair_once():
    vehicles = sm.Vehicles([[0.0, 0.0], [3.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]], id=[7, 5])
    world = sm.World(dt=0.25)
    world.add(vehicles)
    seen, strict = Contacts(vehicles), Contacts(vehicles, slack=1.1)
    world.on_step(seen)
    world.on_step(strict)
    world.run(seconds=5)
    assert seen.pairs == {(7, 5)}
    assert seen.deepest == strict.deepest == 1.0
    assert not strict.pairs
    vehicles.position = [[0, 0], [0.5, 0]]
    vehicles.remove(7)
    vehicles.spawn([0, 0], id=7)
    seen(world)
    assert seen.pairs == {(7, 5)}
