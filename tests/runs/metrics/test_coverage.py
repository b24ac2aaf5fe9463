"""Coverage: what has been seen, from where vehicles are."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import coverage


def test_what_lies_across_the_seam_of_a_torus_is_seen():
    vehicles = sm.Vehicles([[0.5, 5.0]], max_speed=1)
    world = sm.World(domain=sm.Torus([10, 10]))
    world.add(vehicles)
    seen, plain = (sm.Coverage(sm.Box([10, 10]), vehicles, reach=2.0, cell=1.0) for _ in range(2))
    world.on_step(seen)
    world.step()
    plain.look()
    assert seen.fraction > plain.fraction
    away = np.abs(seen.cells - vehicles.position)
    away = np.minimum(away, 10 - away)
    np.testing.assert_array_equal(seen.seen, np.hypot(*away.T) <= 2.0)


def test_a_crowd_that_is_looked_at_in_parts_sees_what_it_sees_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    vehicles = sm.Vehicles(np.random.default_rng(0).uniform(0, 10, (9, 2)))
    parts, whole = (sm.Coverage(sm.Box([10, 10]), vehicles, reach=1.0, cell=1.0) for _ in range(2))
    whole.look()
    monkeypatch.setattr(coverage, "PAIRS", 200)  # Two vehicles with the hundred cells.
    parts.look()
    np.testing.assert_array_equal(parts.seen, whole.seen)


@pytest.mark.parametrize("cell", [1e-6, 1e-200, 1e-320])
def test_cells_that_are_too_many_to_be_counted_are_too_many(cell: float) -> None:
    with pytest.raises(ValueError, match=r"cell must be larger than .* m: .* cells"):
        sm.Coverage(sm.Box([10, 10]), sm.Vehicles([[5, 5]]), reach=1.0, cell=cell)
