"""Parameters: checked once, with one form of message, compared by value."""

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.parameters.kinds import FLAG, INTEGER, NUMBER, TEXT, Kind
from steersman.core.parameters.parameters import Parameters, describe, parameter, same_value

THING = Kind("thing", "anything")


@dataclass(frozen=True, eq=False)
class Example(Parameters):
    """Of everything one.

    Args:
        radius: A radius [m].
        mass: A mass [kg].
        share: A share.
        offset: Any number [m].
        reach: May be infinite [m].
        level: Any number, infinity included.
        count: A whole number.
        speed: A number or a name [m/s].
        k: A whole number or None.
        loop: A flag.
        law: A name.
        title: Any text.
        target: Not checked here.
    """

    radius: float = parameter(1.0, low=0.0, unit="m")
    mass: float = parameter(1.0, above=0.0, unit="kg")
    share: float = parameter(0.5, low=0.0, high=1.0)
    offset: float = parameter(0.0, unit="m")
    reach: float = parameter(math.inf, low=0.0, infinite=True, unit="m")
    level: float = parameter(0.0, infinite=True)
    count: int = parameter(3, kind=INTEGER, low=1)
    speed: Any = parameter("max", above=0.0, unit="m/s", choices=("max", "current"))
    k: int | None = parameter(None, kind=INTEGER, low=1, optional=True)
    loop: bool = parameter(False, kind=FLAG)
    law: str = parameter("linear", kind=TEXT, choices=("linear", "braking"))
    title: str = parameter("", kind=TEXT)
    target: Any = parameter(None, kind=THING, positional=True)


BAD_VALUES = [
    ("radius", -1.0, "radius must be >= 0 m, got -1.0"),
    ("radius", math.nan, "radius must be >= 0 m, got nan"),
    ("radius", -math.inf, "radius must be >= 0 m, got -inf"),
    ("radius", math.inf, "radius must be finite, got inf"),
    ("radius", np.float32(np.inf), "radius must be finite, got "),
    ("mass", 0, "mass must be > 0 kg, got 0"),
    ("share", 1.5, "share must be >= 0 and <= 1, got 1.5"),
    ("share", math.inf, "share must be >= 0 and <= 1, got inf"),
    ("offset", math.nan, "offset must be a finite number in m, got nan"),
    ("reach", math.nan, "reach must be >= 0 m, got nan"),
    ("level", math.nan, "level must be a number, got nan"),
    ("count", 0, "count must be a whole number >= 1, got 0"),
    ("speed", "fast", 'speed must be "max", "current" or a number > 0 m/s, got \'fast\''),
    ("speed", 0.0, 'speed must be "max", "current" or a number > 0 m/s, got 0.0'),
    ("k", 0, "k must be a whole number >= 1 or None, got 0"),
    ("law", "cubic", 'law must be "linear" or "braking", got \'cubic\''),
]

BAD_KINDS = [
    ("radius", True, "radius must be a number >= 0 m, got True"),
    ("radius", np.True_, "radius must be a number >= 0 m, got "),
    ("radius", "1", "radius must be a number >= 0 m, got '1'"),
    ("radius", None, "radius must be a number >= 0 m, got None"),
    ("radius", [1.0], "radius must be a number >= 0 m, got [1.0]"),
    ("radius", 1j, "radius must be a number >= 0 m, got 1j"),
    ("offset", None, "offset must be a finite number in m, got None"),
    ("count", 2.0, "count must be a whole number >= 1, got 2.0"),
    ("count", True, "count must be a whole number >= 1, got True"),
    ("speed", None, 'speed must be "max", "current" or a number > 0 m/s, got None'),
    ("k", "all", "k must be a whole number >= 1 or None, got 'all'"),
    ("loop", 1, "loop must be true or false, got 1"),
    ("loop", "yes", "loop must be true or false, got 'yes'"),
    ("law", 1, 'law must be "linear" or "braking", got 1'),
    ("title", 3, "title must be a text, got 3"),
]

GOOD = [
    ("radius", 0),
    ("radius", np.float32(2.5)),
    ("radius", np.int64(3)),
    ("radius", Fraction(1, 3)),
    ("mass", 1e-300),
    ("share", 1.0),
    ("offset", -5.0),
    ("reach", math.inf),
    ("level", -math.inf),
    ("count", np.uint8(1)),
    ("speed", "current"),
    ("speed", 3.0),
    ("k", None),
    ("k", 7),
    ("loop", np.False_),
    ("law", "braking"),
    ("title", "anything"),
    ("target", object()),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD_VALUES)
def test_a_value_out_of_range_is_refused(name, value, message):
    with pytest.raises(ValueError) as error:
        Example(**{name: value})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(("name", "value", "message"), BAD_KINDS)
def test_a_value_of_another_kind_is_refused(name, value, message):
    with pytest.raises(TypeError) as error:
        Example(**{name: value})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_an_allowed_value_is_kept_as_it_is(name, value):
    assert getattr(Example(**{name: value}), name) is value


def test_parameters_are_given_by_name_unless_positional():
    point = object()
    assert Example(point).target is point
    with pytest.raises(TypeError, match="takes only target by position, got 2 values"):
        Example(point, 2.0)


def test_parameters_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Example().radius = 2.0


def test_a_parameter_without_a_default_must_be_given():
    @dataclass(frozen=True, eq=False)
    class Needy(Parameters):
        radius: float = parameter(low=0.0)

    assert describe(Needy)[0].default is dataclasses.MISSING
    with pytest.raises(TypeError, match="radius"):
        Needy()


def test_descriptions_name_the_fields_in_order():
    descriptions = {description.name: description for description in describe(Example)}
    assert list(descriptions) == [field.name for field in dataclasses.fields(Example)]
    radius = descriptions["radius"]
    assert (radius.unit, radius.low, radius.default, radius.kind, radius.doc) == ("m", 0.0, 1.0, NUMBER, "A radius.")


def test_validate_runs_after_every_field_was_checked():
    @dataclass(frozen=True, eq=False)
    class Ring(Example):
        inner: float = parameter(0.0, low=0.0, unit="m")

        def validate(self):
            if self.inner > self.radius:
                raise ValueError(f"inner must be <= radius, got {self.inner}")

    assert Ring(inner=0.5).inner == 0.5
    with pytest.raises(ValueError, match="inner must be <= radius, got 2"):
        Ring(inner=2)
    with pytest.raises(ValueError, match="radius must be >= 0 m"):
        Ring(radius=-1, inner=2)


def test_equality_is_by_value_arrays_included():
    rocks = np.array([[0.0, 1.0], [2.0, 3.0]])
    one, same = Example(rocks, radius=2.0), Example(rocks.copy(), radius=2)
    assert one == same
    assert hash(one) == hash(same)
    assert one != Example(rocks + 1, radius=2.0)
    assert one != Example(rocks, radius=3.0)
    assert one != Example(rocks[:1], radius=2.0)
    assert one != Example(rocks.tolist(), radius=2.0)
    assert one != "something else"


def test_another_class_with_the_same_fields_is_not_equal():
    @dataclass(frozen=True, eq=False)
    class Twin(Example):
        pass

    assert Twin() != Example()
    assert Twin() == Twin()


def test_same_value_looks_into_sequences():
    a = np.array([1.0, np.nan])
    assert same_value(a, a.copy())
    assert same_value((1, [a, Example()]), (1, [a.copy(), Example()]))
    assert not same_value((1, a), (1, a, 2))
    assert not same_value((1, a), (1, a + 1))
    assert not same_value(a, 1.0)
    assert not same_value(1, 2)


def test_what_is_abstract_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        sm.FlowField()


def test_what_cannot_be_left_out_is_chosen_and_what_is_usual_is_not() -> None:
    """A smoother needs one of its two numbers: without it there is a ValueError, of which nothing is to be seen."""
    assert sm.HeadingSmoother(time_constant=0.25).chosen() == {"time_constant": 0.25}
    assert sm.HeadingSmoother(3).chosen() == {"samples": 3}
    assert sm.Seek([1.0, 2.0], speed="max").chosen().keys() == {"target"}
