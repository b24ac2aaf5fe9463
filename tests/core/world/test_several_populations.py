"""Several populations see each other: `of=` takes a list of them, or "all"."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

AREA = sm.Torus([14.0, 14.0])

HOME = sm.Seek([7.0, 7.0])

LAWS: dict[str, Callable[[Any], Any]] = {
    "separation": lambda of: sm.Separation(radius=3.0, of=of) + HOME,
    "separation inverse_square": lambda of: sm.Separation(radius=3.0, law="inverse_square", of=of) + HOME,
    "separation mean_site": lambda of: sm.Separation(radius=3.0, law="mean_site", of=of),
    "separation of the nearest": lambda of: sm.Separation(radius=5.0, k=3, of=of) + HOME,
    "separation of all": lambda of: sm.Separation(radius=np.inf, of=of),
    "alignment": lambda of: sm.Alignment(radius=3.0, of=of),
    "alignment of velocities ahead": lambda of: sm.Alignment(radius=4.0, law="velocity", angle=3.0, of=of),
    "cohesion": lambda of: sm.Cohesion(radius=4.0, of=of),
    "a flock": lambda of: (
        sm.Separation(radius=2.0, of=of) + sm.Alignment(radius=4.0, angle=4.0, of=of) + sm.Cohesion(radius=4.0, of=of)
    ),
    "a flock below a Priority": lambda of: sm.Priority(
        [sm.Separation(radius=1.5, of=of), sm.Alignment(radius=4.0, of=of) + sm.Cohesion(radius=6.0, k=5, of=of)]
    ),
    "AvoidNeighbors": lambda of: sm.AvoidNeighbors(of=of, radius=6.0) + HOME,
    "AvoidNeighbors imminent": lambda of: sm.AvoidNeighbors(of=of, law="imminent", radius=6.0) + HOME,
    "AvoidNeighbors and rest": lambda of: sm.Priority([sm.AvoidNeighbors(of=of), sm.Arrive([7.0, 7.0])]),
    "ContextMap": lambda of: sm.ContextMap([HOME], neighbors=True, of=of),
    "ORCA": lambda of: sm.ORCA(toward=HOME, of=of, uneven=0.0),
    "Queue": lambda of: sm.Queue([7.0, 7.0], of=of),
}
"""Steering trees about the neighbors that are given."""


def crowd(n: int, seed: int, dtype: Any = np.float64, side: float = 14.0, ids: Any = None) -> sm.Vehicles:
    rng = np.random.default_rng(seed)
    kept = {"radius": rng.uniform(0.1, 0.3, n), "max_speed": 1.5, "max_force": rng.uniform(3, 6, n)}
    position, velocity = rng.uniform(0, side, (n, 2)), rng.normal(0, 1, (n, 2))
    return sm.Vehicles(position, velocity, response_time=0.3, dtype=dtype, id=ids, **kept)


def part(vehicles: sm.Vehicles, first: int, last: int) -> sm.Vehicles:
    """Some of the vehicles as a population of their own."""
    every = copy.deepcopy(vehicles)
    every.remove((np.arange(len(every)) < first) | (np.arange(len(every)) >= last))
    return every


def run(steering: Any, populations: list[sm.Vehicles], steps: int = 25, threads: int = 1, **about: Any) -> Any:
    """The positions and velocities at the end, shape (n, 4), of all populations one after the other."""
    world = sm.World(dt=1 / 30, threads=threads, **about)
    for each in populations:
        world.add(each, steering=steering)
    world.run(steps=steps)
    return np.concatenate([np.hstack([each.position, each.velocity]) for each in populations])


@pytest.mark.parametrize("domain", [None, AREA], ids=["open", "torus"])
@pytest.mark.parametrize("law", [law for law in LAWS if law != "AvoidNeighbors and rest"])  # they rest with their own
def test_split_populations_move_like_one_that_holds_all(law: str, domain: Any) -> None:
    whole = crowd(70, 3)
    one, two, three = part(whole, 0, 30), part(whole, 30, 31), part(whole, 31, 70)
    expected = run(LAWS[law](None), [whole], domain=domain)
    found = run(LAWS[law]("all"), [one, two, three], domain=domain)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "law", ["separation", "ORCA", "ContextMap", "AvoidNeighbors and rest", "a flock below a Priority"]
)
@pytest.mark.parametrize("of", ["all", "itself"])
def test_all_populations_of_one_are_the_own_population(law: str, of: str) -> None:
    first, second = crowd(40, 5, np.float32), crowd(40, 5, np.float32)
    expected = run(LAWS[law](None), [first])
    assert np.array_equal(run(LAWS[law]("all" if of == "all" else [second]), [second]), expected)


@pytest.mark.parametrize("law", LAWS)
def test_the_number_of_threads_does_not_matter(law: str) -> None:
    found = [
        run(
            LAWS[law]("all"), [crowd(4200, 1, np.float32, 150), crowd(300, 2, np.float32, 150)], 4, threads, domain=None
        )
        for threads in (1, 2, 4)
    ]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
