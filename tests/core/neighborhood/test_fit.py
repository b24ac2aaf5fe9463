"""A pass fits in with vehicles that come and go: what it finds is what a pass made anew finds, bit for bit."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.neighborhood.lookup import find_neighbors
from steersman.core.neighborhood.neighbor_pass import FEW, NeighborPass
from steersman.core.neighborhood.request import NeighborList, NeighborSum

SIDE = 40.0


def herd(n: int, dtype: Any = np.float32) -> sm.Vehicles:
    rng = np.random.default_rng(n)
    return sm.Vehicles(rng.uniform(0, SIDE, (n, 2)), rng.normal(size=(n, 2)), dtype=dtype)


def requests(of: Any) -> tuple[Any, ...]:
    near = (
        NeighborSum("offset", 5.0, of=of), NeighborSum("repulsion", 4.0, 4.0, of=of), NeighborSum("velocity", 5.0, of=of),
        NeighborSum("forward", 6.0, 3.0, of=of), NeighborSum("offset", 5.0, k=3, of=of), NeighborList(6.0, 200, of=of),
    )  # fmt: skip
    return (*near, NeighborSum("offset", np.inf, of=of), NeighborSum("repulsion", np.inf, k=4, of=of))


def found(look: NeighborPass, n: int) -> list[bytes]:
    look.build()
    look.run(2)
    sums = [column[:n].tobytes() for each in look.sums.values() for column in (*each.total, each.count)]
    return sums + [
        listed.row[row, : listed.number[row]].tobytes() for listed in look.lists.values() for row in range(n)
    ]


@pytest.mark.parametrize("domain", [sm.Open(), sm.Torus([SIDE, SIDE])], ids=["open", "torus"])
@pytest.mark.parametrize("others", ["own", "others", "others in float64"])
def test_a_pass_that_fits_in_finds_what_a_new_one_finds(others: str, domain: Any) -> None:
    vehicles = herd(FEW)
    of = None if others == "own" else herd(FEW, np.float64 if "64" in others else np.float32)
    for each in (vehicles, of):
        if each is not None:
            each.spawn(np.full((1, 2), 20.0))
    look, rng = NeighborPass(vehicles, requests(of), domain, of), np.random.default_rng(2)
    for count in (0, 5, 90, 3, 60, 0, 0, 40):  # Some of these have more than FEW, and others fewer.
        for each in (vehicles, of):
            if each is not None:
                each.remove(rng.choice(each.id, rng.integers(0, len(each) + 1), replace=False))
                each.spawn(rng.uniform(0, SIDE, (count, 2)), rng.normal(size=(count, 2)))
        assert look.lasts
        look.fit()
        n = len(vehicles)
        assert found(look, n) == found(NeighborPass(vehicles, requests(of), domain, of), n)
    vehicles.spawn(np.zeros((vehicles.capacity, 2)))
    assert not look.lasts


def test_neighbors_of_those_who_are_there() -> None:
    vehicles = herd(30)
    vehicles.spawn([[20.0, 20.0], [20.5, 20.0]])
    vehicles.remove(vehicles.id[:10])
    for k in (None, 2):
        told = find_neighbors(vehicles, sm.Open(), 3.0, k=k)
        assert len(told.indptr) == 23
        assert 21 in told.indices[told.indptr[20] : told.indptr[21]]
        assert told.indices.max() < 22
