"""Messages that guide."""

import dataclasses
import inspect
import re
from dataclasses import dataclass

import pytest
from at_once import at_once

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
        (
            lambda: sm.World(domian=sm.Open()),
            "World has no parameter 'domian'; did you mean 'domain'? (parameters: domain,",
        ),
        (
            lambda: sm.World(sm.Open()),
            "World takes nothing by position, got 1 value; give it by name: World(domain=...)",
        ),
        (
            lambda: sm.World().run(3),
            "World.run takes nothing by position, got 1 value; give it by name: World.run(second",
        ),
        (lambda: sm.Vehicles([0, 0], max_sped=3), "Vehicles has no parameter 'max_sped'; did you mean 'max_speed'?"),
        (lambda: crowd(steering=[wander(), wander()]), "; several are combined: Priority([a, b]) or a + b"),
        (lambda: crowd(locomotion=sm.Wheeled), "locomotion must be a body such as PointMass(), got <class"),
        (lambda: crowd(locomotion=sm.Wheeled), ": write Wheeled()"),
        (lambda: sm.AvoidObstacles(sm.Vehicles([0, 0])), "others who move are avoided by AvoidNeighbors"),
        (
            lambda: sm.Separation(of=sm.Path([[0, 0], [1, 1]])),
            'of must be a population, a list of populations, "all", obstacles or points, got sm.Path(',
        ),
        (lambda: sm.Separation(of="boids"), "\"all\", obstacles or points, got 'boids'"),
        (lambda: sm.Open(3), "Open takes no arguments, got 1"),
        (lambda: sm.Vehicles(), "Vehicles needs position: Vehicles(position=...)"),
        (
            lambda: sm.Vehicles([0, 0]).spawn([1, 1], max_sped=3),
            "column 'max_sped'; did you mean 'max_speed'? (columns: ",
        ),
        (lambda: crowd().draw(force=True), "draw has no parameter 'force'; did you mean 'forces'?"),
        (lambda: crowd().watch("vehicles", evry=1), "got 1; did you mean the parameter 'every'?"),
        (
            lambda: sm.FlowField.image("a.png", lowe=[0, 0]),
            "FlowField.image has no parameter 'lowe'; did you mean 'low'?",
        ),
    ],
)
def test_a_call_that_does_not_fit_is_explained(make, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        make()


def crowd(**about):
    world = sm.World()
    world.add(sm.Vehicles([0, 0]), **about)
    return world


def open_calls():
    """Every public constructor, method and function that takes something by name."""
    for name in sm.__all__:
        thing = getattr(sm, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing) and name not in RESULTS and not issubclass(thing, Exception):
            yield name, thing
            for method in vars(thing):
                called = inspect.getattr_static(thing, method)
                if method[0] != "_" and (inspect.isfunction(called) or isinstance(called, (classmethod, staticmethod))):
                    yield f"{name}.{method}", getattr(thing, method)


RESULTS = ("Explanation", "Goals", "Neighbors", "Signals", "Sweep", "Tuned")
ANYTHING = inspect.Parameter.VAR_KEYWORD
NAMED = {
    name: function
    for name, function in open_calls()
    if any(
        p.kind is p.KEYWORD_ONLY or p.default is not p.empty for p in inspect.signature(function).parameters.values()
    )
    and not any(p.kind is ANYTHING for p in inspect.signature(function).parameters.values())
}


@at_once("name", NAMED)
def test_whatever_takes_something_by_name_knows_what_was_meant(name):
    last = list(inspect.signature(NAMED[name]).parameters)[-1]
    with pytest.raises(TypeError, match=rf"has no parameter '{last}_'.*\(parameters: .*{last}"):
        NAMED[name](**{f"{last}_": 1})


@pytest.mark.parametrize(
    "make", [lambda: crowd().populations["vehicles"], crowd, lambda: sm.Controller(sm.Vehicles([0, 0]), wander())]
)
def test_a_misspelled_attribute_is_refused(make):
    with pytest.raises(AttributeError, match="no attribute 'stering'"):
        make().stering = wander()


@pytest.mark.parametrize("name", ["steering", "locomotion"])
def test_vehicles_say_that_their_population_is_steered(name):
    vehicles = crowd()["vehicles"]
    with pytest.raises(AttributeError, match=rf"their population has: world\.populations\[name\]\.{name}"):
        setattr(vehicles, name, wander())
    assert not hasattr(vehicles, name)


def test_what_goes_wrong_inside_a_constructor_is_not_hidden():
    with pytest.raises(TypeError, match="speed must be"):
        sm.Wander(speed=None)


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
