"""Kinds: what parameters may be, and the one place where values get their normal form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.parameters.kinds import FLAG, INTEGER, NUMBER, TEXT, VECTOR, Description, Kind, Several
from steersman.core.parameters.parameters import Parameters, describe, parameter
from steersman.core.steering.registry import BEHAVIORS


def halved(name: str, value: Any) -> float:
    if value > 8:
        raise ValueError(f"{name} must be <= 8, got {value}")
    return min(value, 4.0)


def as_many(name: str, value: Any, other: Any) -> tuple[Any, ...]:
    return (value,) * int(other) if not isinstance(value, tuple) else value


SMALL = Kind("small", "a small number", halved)
MANY = Kind("many", "one or several", as_many)
WORDS = Several("words", 'words such as "go"', base=str)


@dataclass(frozen=True, eq=False)
class Pack(Parameters):
    count: Any = parameter(2.0, kind=SMALL)
    each: Any = parameter("a", kind=MANY, of="count")
    spare: Any = parameter(None, kind=SMALL, optional=True)
    speed: Any = parameter("max", kind=SMALL, choices=("max",))
    words: Any = parameter((), kind=WORDS)

    def validate(self):
        if self.spare is not None and self.spare > self.count:
            raise ValueError(f"spare must be <= {self.count}, got {self.spare}")


def test_values_are_brought_to_their_normal_form_in_order():
    pack = Pack(count=5, words=["go", "stop"])
    assert (pack.count, pack.each, pack.spare, pack.speed, pack.words) == (4.0, ("a",) * 4, None, "max", ("go", "stop"))
    assert pack.replace(count=3).count == 3


def test_validate_sees_normal_forms():
    with pytest.raises(ValueError, match=r"spare must be <= 2\.0, got 4\.0"):
        Pack(spare=7)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"count": 9}, ValueError, "count must be <= 8, got 9"),
        ({"speed": "fast"}, ValueError, "speed must be \"max\" or a small number, got 'fast'"),
        ({"words": "go"}, TypeError, "words must be a list of words such as \"go\", got 'go'"),
        ({"words": [3]}, TypeError, 'words must be words such as "go", got 3'),
    ],
)
def test_what_is_not_allowed_is_refused(given, error, message):
    with pytest.raises(error) as raised:
        Pack(**given)
    assert str(raised.value) == message


def test_a_kind_is_no_word():
    with pytest.raises(TypeError, match="kind must be a Kind such as INTEGER, got 'tarrget'"):
        parameter(kind="tarrget")


def test_a_kind_without_a_conversion_asks_for_its_class():
    about = Description(name="field", kind=Kind("field", "a field", base=sm.FlowField))
    wind = sm.FlowField.function(lambda points: points)
    assert about.normal(wind) is wind
    with pytest.raises(TypeError, match="field must be a field, got 3"):
        about.normal(3)
    assert Description(name="any", kind=Kind("any", "anything")).normal(about) is about


def test_kinds_that_are_like_others():
    near = Kind("vector", "a vector nearby", like=VECTOR)
    nearer = Kind("vector", "a vector nearer by", like=near)
    assert nearer.is_like(VECTOR)
    assert nearer.is_like(nearer)
    assert not VECTOR.is_like(near)
    assert not VECTOR.is_like(Kind("vector", "a vector (d,)")), "kinds are told apart by themselves, not by name"


@pytest.mark.parametrize(
    ("about", "allowed"),
    [
        (Description("x", NUMBER, unit="m", low=0), ">= 0 m"),
        (Description("x", INTEGER, low=1, optional=True), "a whole number >= 1 or None"),
        (Description("x", FLAG), "true or false"),
        (Description("x", TEXT), "a text"),
        (Description("x", TEXT, choices=("a", "b")), '"a" or "b"'),
        (Description("x", VECTOR, optional=True), "a vector (d,) or None"),
    ],
)
def test_what_is_allowed_in_words(about, allowed):
    assert about.allowed == allowed


@pytest.mark.parametrize("cls", BEHAVIORS.values(), ids=lambda cls: cls.__name__)
def test_what_a_parameter_is_about_stands_before_it(cls):
    known = [each.name for each in describe(cls)]
    for each in describe(cls):
        assert not each.of or each.of in known[: known.index(each.name)]


def test_the_normal_form_of_a_normal_form_is_itself():
    rocks, herd = sm.Spheres([[0, 0], [3, 4]], radius=[1, 2]), sm.Vehicles(np.zeros((3, 2)))
    things = [
        rocks, sm.Boxes([[0, 0]], [2, 1], 0.3), sm.Capsules([[0, 0]], [[1, 1]]), sm.Path([[0, 0], [0, 0], [1, 1]]),
        sm.Walls([[0, 0], [1, 0], [1, 1]], closed=True), sm.Torus([4, 5]), sm.Plane([0, 0], [0, 2]),
        sm.Polygon([[0, 0], [0, 1], [1, 0]]), sm.FlowField.grid(np.ones((2, 2, 2)), spacing=2.0),
        sm.Seek(herd, which=np.array([True, False, True])), sm.AvoidObstacles([rocks], goal=[1, 2]),
        sm.Dock([0, 0], forward=[0, 3]), sm.Formation(herd, slots=[[0, 1], [1, 0]], which=2), sm.Flying(),
        sm.Priority([sm.Wander(), lambda vehicles: vehicles.velocity]), sm.Arrive([0, 0], ramp=[0.0, 0.2, 1.0]),
        sm.Modes({"a": sm.Wander(), "b": sm.Seek([0, 0])}, start="a", transitions=[("*", "b", sm.After(1))], cooldown=2),
    ]  # fmt: skip
    for thing in things:
        assert thing.replace() == thing


def test_whole_numbers_are_as_low_and_as_high_as_memory_holds_them():
    about = Description(name="count", kind=INTEGER)
    largest = 2**63 - 1
    for value in (-largest, -3, 0, largest):
        assert about.normal(value) == value
    for value in (-largest - 1, largest + 1):
        with pytest.raises(ValueError, match="count must be at most"):
            about.normal(value)


@pytest.mark.parametrize(("numbers", "row"), [([1.0, -2.0, 3.0, -4.0], 1), ([-1.0, 2.0], 0), ([1.0, 2.0, -3.0], 2)])
def test_of_one_number_per_vehicle_the_first_that_is_wrong_is_named(numbers, row):
    with pytest.raises(ValueError, match=rf"panic_distance must be .*, got {numbers[row]} for row {row}$"):
        sm.Flee([0, 0], panic_distance=numbers)
