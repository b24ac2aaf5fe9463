"""Messages that guide."""

import dataclasses
import inspect
import re
from dataclasses import dataclass

import pytest

import steersman as sm


@dataclass(frozen=True, eq=False)
class Drift(sm.Behavior):
    """A user's behavior."""

    wind: tuple[float, float] = (1.0, 0.0)


def wander():
    return sm.Wander()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sm.Separation(raduis=3), "Separation has no parameter 'raduis'; did you mean 'radius'? (parameters: "),
        (lambda: sm.Spheres(centre=[[0, 0]], radius=1), "Spheres has no parameter 'centre'; did you mean 'center'?"),
        (lambda: Drift(wnd=(1, 2)), "Drift has no parameter 'wnd'; did you mean 'wind'?"),
        (lambda: sm.Priority(wander(), wander()), "takes only components by position, got 2 values; several parts are"),
        (lambda: sm.Seek([1, 2], 3), "Seek takes only target by position, got 2 values; give the others by name"),
        (lambda: sm.Seek(), "Seek needs target: Seek(target=...)"),
        (lambda: sm.Seek().replace(target=3), "Seek needs target"),
        (lambda: wander().replace(spede=3), "Wander has no parameter 'spede'; did you mean 'speed'?"),
    ],
)
def test_a_call_that_does_not_fit_is_explained(make, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        make()


def test_what_goes_wrong_inside_a_constructor_is_not_hidden():
    with pytest.raises(TypeError, match="speed must be"):
        sm.Wander(speed=[])


@pytest.mark.parametrize("name", ["radius", "raduis"])
def test_a_frozen_object_says_how_it_is_changed(name):
    behavior = sm.Separation(radius=3.0)
    with pytest.raises(dataclasses.FrozenInstanceError, match=rf"\.replace\({name}=\.\.\.\)"):
        setattr(behavior, name, 4.0)
    assert behavior.radius == 3.0


def test_replace_changes_what_is_named_and_checks_it():
    behavior = sm.Seek([1.0, 2.0], speed=3.0, name="home")
    other = behavior.replace(target=(3.0, 4.0))
    assert (other.speed, other.name, list(other.target)) == (3.0, "home", [3.0, 4.0])
    assert list(behavior.target) == [1.0, 2.0]
    with pytest.raises(ValueError, match="speed must be"):
        behavior.replace(speed=-1.0)


def test_a_function_that_returns_nothing_is_told_so():
    vehicles = sm.Vehicles([[0.0, 0.0]])
    with pytest.raises(ValueError, match="got None: is there a return missing"):
        sm.Controller(vehicles, lambda vehicles: None).steer(0.1)


def test_editors_see_the_parameters():
    assert str(inspect.signature(sm.Seek)).startswith("(target: ")
    assert "radius" in inspect.signature(sm.Separation).parameters
