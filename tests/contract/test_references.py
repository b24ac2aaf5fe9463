"""Every compiled behavior says what the bare equations say, with all of its options."""

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import Place, State
from contract.references import At, reference
from contract.references.wandering import walk
from contract.running import controller, root
from contract.trying import FIRST, try_examples
from sampling import EVERYTHING

import steersman as sm
from steersman import laws
from steersman.core.steering.behavior import as_behavior
from steersman.core.typing import Array

FLOAT32 = 2e-3
"""What rounding of float32 may do to a force, as a part of the largest."""


def assert_equal_forces(name: str, place: Place, forces: Array, expected: Array, rounding: float) -> None:
    """Forces are those of the equations; the worst vehicle is shown with all that its law knows of it."""
    size = np.abs(expected).max(initial=1e-3)
    off = np.abs(forces - expected) - rounding * (np.abs(expected) + size)
    if not (off <= 0).all():
        i = int(np.argmax(np.where(np.isfinite(off), off, np.inf).max(axis=1, initial=0)))
        vehicles = place.vehicles
        columns = ("position", "velocity", "forward", "mass", "max_speed", "max_force", "radius", "response_time")
        knows = ", ".join(f"{column} {getattr(vehicles, column)[i]}" for column in columns)
        wrong = int((off > 0).any(axis=1).sum())
        pytest.fail(
            f"{name}: {wrong} of {len(vehicles)} vehicles differ from the equation. The worst is row {i}: the kernel says "
            f"{forces[i]} N, the equation {expected[i]} N, a difference of {np.abs(forces - expected)[i].max():.3g} N where "
            f"{rounding * size:.3g} is rounding; {knows}"
        )


def assert_equal_claims(name: str, claims: Array, expected: Array, forces: Array) -> None:
    """The same vehicles are claimed; whoever is not is shown with its force."""
    rows = np.flatnonzero(claims != expected)
    if len(rows):
        i = rows[0]
        pytest.fail(
            f"{name}: rows {rows.tolist()} are {'claimed' if claims[i] else 'not claimed'} by the kernel, and by the rule "
            f"(a goal claims, else a force over a millionth of max_force) the other way round; the force of row {i} is "
            f"{forces[i]} N"
        )


@try_examples(("space",), ("torus", "space"), rare=("plane",), some=1)
def test_kernels_say_what_the_equations_say(name: str, space: str) -> None:
    """Every example; response times of 0 ("step") and of many sizes are among the vehicles. In space to rounding of
    float64; in the plane the kernels compute in float32, and the equations say what is right for the very same numbers in
    float64."""
    spoken = 0
    dtype, rounding = (np.float64, 1e-9) if space == "space" else (np.float32, FLOAT32)
    for seed in range(3):
        state = State.random(seed, 3 if space == "space" else 2, torus=space == "torus").rounded(dtype)
        place = state.place()
        expected, acts = reference(place, as_behavior(EXAMPLES[name](place)), step=seed * 7)
        place = state.place(dtype)
        record = root(place, as_behavior(EXAMPLES[name](place)), step=seed * 7)
        assert_equal_forces(name, place, np.stack(record.raw, axis=1), expected, rounding)
        assert_equal_claims(name, record.acts != 0, acts, expected)
        spoken += bool(expected.any() or np.any(record.raw_angular))
        if spoken == (2 if name in FIRST else 1) and not EVERYTHING:
            break
    assert spoken, f"example {name!r} never says anything, so nothing was compared"


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("wander")])
def test_wander_walks_as_its_law_does(name: str, dimensions: int) -> None:
    """Twelve steps with the random numbers drawn once more; the state is carried on by the law."""
    place = State.random(4, dimensions).place()
    behavior = EXAMPLES[name](place)
    steered = controller(place, behavior)
    states: list[object] = [None] * len(place.vehicles)
    for step in range(12):
        force = steered.steer(0.05)
        for i in range(len(place.vehicles)):
            expected, states[i] = walk(behavior, At(place, i, step), states[i])
            truncated = laws.truncate(expected, place.vehicles.max_force[i])
            np.testing.assert_allclose(force[i], truncated, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("response_time", ["step", 0.05, 0.3, "mass"])
@pytest.mark.parametrize("name", ["seek", "arrive", "arrive braking", "wander turn", "alignment", "pursue approach"])
def test_response_times_of_every_kind(name: str, response_time: float | str) -> None:
    place = State.random(8, 2).place()
    place.vehicles.response_time = place.vehicles.mass if response_time == "mass" else response_time
    behavior = as_behavior(EXAMPLES[name](place))
    expected, _ = reference(place, behavior)
    np.testing.assert_allclose(np.stack(root(place, behavior).raw, axis=1), expected, rtol=1e-9, atol=1e-9)


def test_response_time_equal_to_mass_is_reynolds_literal_vector() -> None:
    place = State.random(8, 2).place()
    place.vehicles.response_time = place.vehicles.mass
    raw = np.stack(root(place, sm.Seek(place.state.point)).raw, axis=1)
    way = place.state.point - place.vehicles.position
    unit = way / np.linalg.norm(way, axis=1, keepdims=True)
    np.testing.assert_allclose(raw, unit * place.vehicles.max_speed[:, None] - place.vehicles.velocity, rtol=1e-12)
