"""Structure and spreading against exact numbers: ideal gases, lattices, random walks, normal distributions."""

import numpy as np
import pytest

import steersman as sm
from steersman import metrics

RNG = np.random.default_rng(11)


@pytest.mark.parametrize(
    "domain",
    [
        sm.Torus([10, 8]),
        sm.Box([10, 8], [3, -2]),
        sm.Box([10, 8], periodic="x"),
        sm.Torus([6, 6, 6]),
        sm.Box([5, 6, 7]),
    ],
    ids=["torus", "box", "corridor", "torus 3D", "box 3D"],
)
def test_an_ideal_gas_has_no_structure(domain: sm.Domain) -> None:
    """Beside walls, too: without the correction g would fall to about 0.6 there."""
    gas = domain.origin + np.random.default_rng(3).uniform(0, 1, (40, 150, len(domain.size))) * domain.size
    at, g = metrics.pair_correlation(gas, 3.0, domain, bins=3)
    np.testing.assert_allclose(at, [0.5, 1.5, 2.5])
    np.testing.assert_allclose(g, 1, atol=0.04)
    if isinstance(domain, sm.Box):
        moved = sm.Box(domain.size, domain.origin)
        if not domain.periodic:
            np.testing.assert_allclose(metrics.pair_correlation(gas, 3.0, bins=3, within=moved)[1], g, rtol=1e-12)


def test_a_lattice_has_its_neighbors_at_their_distances() -> None:
    places = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
    at, g = metrics.pair_correlation(places, 1.6, sm.Torus([8, 8]), bins=16)
    shells = np.pi * np.diff(np.linspace(0, 1.6, 17) ** 2)
    expected = np.zeros(16)
    expected[10], expected[14] = 4, 4  # At 1 (the rim of classes 9 and 10) and at 1.414.
    count = g * shells * 63 / 64
    assert count[9] + count[10] == pytest.approx(4)
    assert count[14] == pytest.approx(4)
    assert count.sum() == pytest.approx(8)
    assert at[14] == pytest.approx(1.45)


def test_g_needs_a_size_and_reaches_no_farther_than_space() -> None:
    places = RNG.uniform(0, 4, (5, 2))
    with pytest.raises(ValueError, match="within must be given where space has no end"):
        metrics.pair_correlation(places, 1.0)
    with pytest.raises(ValueError, match="reach must be <= 2 m"):
        metrics.pair_correlation(places, 2.1, sm.Torus([4, 8]))
    with pytest.raises(ValueError, match="within must be None on a Torus"):
        metrics.pair_correlation(places, 1.0, sm.Torus([8, 8]), within=sm.Box([4, 4]))
    with pytest.raises(ValueError, match=r"within must hold all vehicles, got .*: 1 positions are outside"):
        metrics.pair_correlation([*places, [4.1, 0]], 1.0, within=sm.Box([4, 4]))
    assert np.isnan(metrics.pair_correlation(places[:1], 1.0, sm.Torus([4, 4])).values).all()


def test_velocities_that_change_along_a_wave_are_correlated_as_its_cosine() -> None:
    """u = cos(kx) in x direction: the mean of cos(kx) cos(kx + kr) is cos(kr) / 2, of its square 1/2."""
    x = np.arange(0, 40, 0.05)
    places = np.stack([x, np.zeros_like(x)], axis=1)
    velocity = np.stack([7 + np.cos(2 * np.pi * x / 8), np.full_like(x, -3.0)], axis=1)
    curve = metrics.velocity_correlation(places, 4.0, sm.Torus([40, 9]), bins=40, velocity=velocity)
    np.testing.assert_allclose(curve.values, np.cos(2 * np.pi * curve.at / 8), atol=0.04)
    assert metrics.correlation_length(curve) == pytest.approx(2.0, abs=0.03)


def test_independent_velocities_have_no_correlation_length() -> None:
    rng = np.random.default_rng(5)
    places, velocity = rng.uniform(0, 20, (20, 300, 3)), rng.normal(size=(20, 300, 3))
    curve = metrics.velocity_correlation(places, 8.0, sm.Torus([20, 20, 20]), bins=4, velocity=velocity)
    np.testing.assert_allclose(curve.values, -1 / 299, atol=0.02)
    assert metrics.correlation_length((np.array([1.0, 2.0]), np.array([0.5, 0.25]))) == np.inf
    assert metrics.correlation_length((np.array([1.0, 2.0]), np.array([-0.5, 0.25]))) == 0
    assert np.isnan(metrics.velocity_correlation(places, 8.0, velocity=np.ones_like(places)).values).all()


def test_where_there_are_no_vehicles_no_correlation_is_known() -> None:
    found = metrics.velocity_correlation(np.zeros((3, 0, 2)), 5.0, bins=4, velocity=np.zeros((3, 0, 2)))
    assert np.isnan(found[1]).all()


def test_numbers_of_an_ideal_gas_fluctuate_as_a_binomial_distribution() -> None:
    gas = np.random.default_rng(2).uniform(0, [12, 6], (200, 900, 2))
    found = metrics.number_fluctuations(gas, sm.Torus([12, 6]))
    p = 1 / np.array([2, 3, 4, 6, 8, 12, 16]) ** 2
    np.testing.assert_allclose(found.mean, 900 * p)
    np.testing.assert_allclose(found.deviation, np.sqrt(900 * p * (1 - p)), rtol=0.06)
    assert found.exponent == pytest.approx(0.5, abs=0.04)
    lattice = np.stack(np.meshgrid(np.arange(8) + 0.5, np.arange(8) + 0.5), axis=-1).reshape(-1, 2)
    still = metrics.number_fluctuations(lattice, sm.Box([8, 8]), divisions=[2, 4])
    np.testing.assert_array_equal(still.deviation, 0)
    here = metrics.number_fluctuations(lattice[:20], sm.Box([8, 8]), divisions=[2, 4])
    there = metrics.number_fluctuations(lattice[:20] - [1, 3], sm.Box([8, 8], [-1, -3]), divisions=[2, 4])
    np.testing.assert_array_equal(there.deviation, here.deviation)
    assert np.isnan(still.exponent)
    clumps = np.repeat(np.random.default_rng(1).uniform(0, 8, (100, 30, 2)), 30, axis=1)
    assert metrics.number_fluctuations(clumps, sm.Torus([8, 8])).deviation[0] > 4 * np.sqrt(225 * 0.75)


@pytest.mark.parametrize("d", [2, 3])
def test_a_random_walk_spreads_as_its_diffusion_coefficient_says(d: int) -> None:
    """Steps with variance 2 D dt along each axis; on a torus, which it leaves many times."""
    diffusion, dt, rng = 0.8, 0.1, np.random.default_rng(4)
    walk = np.cumsum(rng.normal(0, np.sqrt(2 * diffusion * dt), (300, 800, d)), axis=0)
    torus = sm.Torus([7.0] * d)
    at, msd = metrics.mean_square_displacement(walk % 7.0, dt, torus, lags=[1, 5, 20, 60])
    np.testing.assert_allclose(at, [0.1, 0.5, 2, 6])
    np.testing.assert_allclose(msd, 2 * d * diffusion * at, rtol=0.04)
    np.testing.assert_allclose(metrics.unwrapped(walk % 7.0, torus) - walk[0] % 7.0, walk - walk[0], atol=1e-9)


def test_straight_ways_spread_with_the_square_of_time() -> None:
    time = np.arange(50)[:, None, None]
    places = (time * np.array([[0.3, 0.4]])) % 5.0
    at, msd = metrics.mean_square_displacement(places, 2.0, sm.Torus([5, 5]))
    np.testing.assert_allclose(msd, (0.25 * at) ** 2)
    with pytest.raises(ValueError, match="lags must be whole numbers between 1 and 49"):
        metrics.mean_square_displacement(places, 2.0, lags=[50])


def test_cumulants_of_distributions_that_are_known() -> None:
    normal = np.random.default_rng(8).normal(size=(400_000, 3))
    assert metrics.binder_cumulant(normal[:, 0]) == pytest.approx(0, abs=0.01)
    assert metrics.binder_cumulant(np.hypot(normal[:, 0], normal[:, 1])) == pytest.approx(1 / 3, abs=0.01)
    assert metrics.binder_cumulant(np.linalg.norm(normal, axis=1)) == pytest.approx(4 / 9, abs=0.01)
    assert metrics.binder_cumulant([0.7] * 5) == pytest.approx(2 / 3)
    assert np.isnan(metrics.binder_cumulant([0.0, 0.0]))
    assert metrics.susceptibility(0.5 + 0.1 * normal[:, 0], 40) == pytest.approx(40 * 0.01, rel=0.01)
    assert metrics.susceptibility([1.0, 3.0], 10) == 10
    with pytest.raises(ValueError, match="order must have shape"):
        metrics.binder_cumulant([])
