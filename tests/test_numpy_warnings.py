"""Each place where a warning of NumPy is switched off is reached by a value that would warn, and lets no warning out.

A place without such a value is not needed: it hides warnings of mistakes.
"""

import ast
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.paths.bends import corners_of
from steersman.core.kernels.numbers import squared
from steersman.core.parameters.per_vehicle import NumberColumn, PerVehicle
from steersman.core.steering.driving.approach import shortest_slowing_of
from steersman.core.steering.laws.path_following import _carried
from steersman.core.steering.laws.vectors import ratio
from steersman.drawing.trails import Trails
from steersman.runs.metrics.coverage import Coverage
from steersman.scaling.link import Alone
from steersman.scaling.split_world import SplitWorld
from steersman.studio.viewer.packing import _in_view

SOURCES = Path(sm.__file__).parent
HUGE = 1e300


def places() -> list[str]:
    """Every function with `np.errstate` in it: "core/kernels/numbers.py squared"."""
    texts = {file.relative_to(SOURCES).as_posix(): file.read_text("utf-8") for file in SOURCES.rglob("*.py")}
    return sorted(
        f"{file} {function.name}"
        for file, text in texts.items()
        if "errstate(" in text
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef) and "errstate(" in ast.unparse(function)
    )


def vehicles(**about: Any) -> sm.Vehicles:
    """Two vehicles."""
    return sm.Vehicles([[0.0, 0.0], [3.0, 1.0]], **{"max_speed": 2.0, "dtype": np.float32} | about)


def world(steering: Any, **about: Any) -> sm.World:
    """A world in which they are steered."""
    made = sm.World(dt=0.1, seed=1)
    made.add(vehicles(**about), name="ants", steering=steering)
    return made


def warning_after(steps: int, answer: float = 1.0) -> Callable[[sm.Vehicles], Any]:
    """A function that steers without a warning in so many steps, and with one when it is asked again, to explain."""
    asked: list[int] = []

    def steer(vehicles: sm.Vehicles) -> Any:
        asked.append(1)
        return np.full(vehicles.position.shape, answer) + np.minimum(1 / np.full(1, float(len(asked) <= steps)), 0.0)

    return steer


CASES: dict[str, Callable[[], object]] = {}


def case(place: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
    """The value for a place."""

    def added(make: Callable[[], object]) -> Callable[[], object]:
        CASES[place] = make
        return make

    return added


@case("drawing/trails.py _broken")
def _() -> object:
    made = world(None)
    trails = Trails(made, 1.0)
    made["ants"].position[1] = np.inf
    trails.note(1.0, {"ants": made["ants"]})
    return trails.of("ants")


@case("scaling/split_world.py _reaches")
def _() -> object:
    return SplitWorld(world(sm.Separation(radius=2.0)), Alone(), False, 1, 0.1).step()


@case("runs/metrics/coverage.py __init__")
def _() -> object:
    with pytest.raises(ValueError, match="cell must be larger than"):
        Coverage(sm.Box([HUGE, HUGE]), vehicles(), reach=1.0, cell=1e-100)
    return None


@case("core/environment/paths/bends.py _radii")
def _() -> object:
    return corners_of(sm.Path([[0, 0], [5, 0], [9, 0], [9, 9]], radius=1.0), 1, 1.0)


@case("core/environment/paths/path.py _check_images")
def _() -> object:
    with pytest.raises(ValueError, match="path must be shorter, or the torus larger"):
        sm.Path([[0, 0], [1e200, 1e200]]).columns(np.float64, sm.Torus([1.0, 1.0]).wrap(2, np.float64))
    return None


@case("core/environment/routes/route_grid.py shape")
def _() -> object:
    with pytest.raises(ValueError, match="must be larger"):
        sm.RouteGrid(sm.Spheres([[0.0, 0.0], [1e3, 9.0]]), spacing=1e-320).shape  # noqa: B018
    return None


@case("core/world/population.py _as_memory")
def _() -> object:
    made = world(sm.Wander(law="sphere"))
    with pytest.raises(ValueError, match="must fit into a column"):
        made.populations["ants"].remember("Wander", point=HUGE)
    return None


@case("core/world/sketching.py sketch")
def _() -> object:
    made = world(warning_after(1))
    made.step()
    return made.sketch("ants")


@case("core/world/sketching.py rehearse_sketches")
def _() -> object:
    return sm.warmup(world(warning_after(0)), progress=None, explain=True)


@case("core/world/diagnosis.py force_error")
def _() -> object:
    made = world(warning_after(1, np.nan))
    with pytest.raises(sm.NonFiniteError, match="not finite"):
        made.step()
    return None


@case("core/world/explain.py explain")
def _() -> object:
    made = world(warning_after(1))
    made.step()
    return made.explain("ants")


@case("core/environment/walking/portals.py nodes_of")
def _() -> object:
    with pytest.raises(ValueError, match="spacing must be larger"):
        sm.WalkMesh(sm.Heightfield(np.zeros((3, 3)), low=[0, 0], high=[10, 10]), spacing=5e-324)
    return None


@case("core/kernels/numbers.py squared")
def _() -> object:
    assert squared(np.dtype(np.float32), 1e30) == np.inf
    return None


@case("core/steering/laws/path_following.py _carried")
def _() -> object:
    turned = _carried(*(np.array([each]) for each in ([0.0, 2.0], [1.0, 0.0], [-1.0, 0.0])))
    np.testing.assert_array_equal(turned, 0)
    return turned


@case("core/steering/laws/vectors.py ratio")
def _() -> object:
    np.testing.assert_array_equal(ratio(np.array([HUGE, 1.0]), np.array([1e-300, 0.0]), otherwise=3.0), 3.0)
    return None


@case("core/steering/driving/pace.py pace_calls")
def _() -> object:
    return world(sm.ORCA(speed="weidmann")).step()


@case("core/steering/driving/approach.py shortest_slowing_of")
def _() -> object:
    np.testing.assert_array_equal(shortest_slowing_of(np.array([1.0, 0.0]), 1.0, np.zeros(2), 1.0), [np.inf, 0.0])
    return None


@case("core/locomotion/locomotion.py check_proposal")
def _() -> object:
    with pytest.raises(ValueError, match="must not be so large"):
        sm.PointMass().advance(vehicles(velocity=[1e3, 0.0], max_speed=1e3), np.zeros((2, 2)), 1e38)
    return None


@case("core/parameters/per_vehicle.py _with")
def _() -> object:
    return PerVehicle("radius", np.array([1e308, 1.0])) * 10


@case("core/parameters/per_vehicle.py compute")
def _() -> object:
    made = NumberColumn("strength", "boldness", bool, "any") * 1e308
    np.testing.assert_array_equal(made.compute(lambda column: np.full(2, 10.0)), np.inf)
    return None


@case("core/parameters/arrays.py as_floats")
def _() -> object:
    with pytest.raises(ValueError, match="must be finite in float32"):
        vehicles(dtype=np.float32, velocity=[HUGE, 0.0])
    return None


@case("core/action_selection/arrived.py bind")
def _() -> object:
    either = {"a": sm.Wander(), "b": sm.Wander()}
    arrived = sm.Arrived([1.0, 2.0], distance=HUGE)
    return world(sm.Modes(either, start="a", transitions=[("a", "b", arrived)]), dtype=np.float32).step()


@case("core/neighborhood/source.py refresh")
def _() -> object:
    far = sm.Vehicles([[1e100, 0.0]], dtype=np.float64)
    return world(sm.Separation(radius=2.0, of=far), dtype=np.float32).step()


@case("studio/viewer/packing.py _in_view")
def _() -> object:
    ants = vehicles()
    return _in_view(ants, ants.radius, slice(None), [np.array([[1e308, 1e308, 1e308]])], None)


class Off:
    """`np.errstate` that does nothing at one place, and what it always does elsewhere."""

    place = ""

    def __new__(cls, **about: str) -> Any:
        code = sys._getframe(1).f_code
        here = f"{Path(code.co_filename).as_posix()} {code.co_name}".endswith(f"steersman/{cls.place}")
        return object.__new__(cls) if here else ERRSTATE(**about)

    def __init__(self, **about: str) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *about: object) -> None:
        pass


ERRSTATE = np.errstate


def told(make: Callable[[], object]) -> list[str]:
    """The warnings of NumPy."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make()
    return [
        str(each.message) for each in caught if each.category is RuntimeWarning and "encountered" in str(each.message)
    ]


@pytest.mark.parametrize("place", CASES)
def test_a_place_without_warnings_is_needed_and_lets_none_out(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(CASES[place]) == []
    monkeypatch.setattr(Off, "place", place)
    monkeypatch.setattr(np, "errstate", Off)
    assert told(CASES[place]), "nothing warns there"


def test_every_place_has_its_value() -> None:
    assert sorted(CASES) == places()
