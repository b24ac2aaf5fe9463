"""Steering trees in documents: nested tables, each with the name of a behavior and its parameters."""

from typing import Any

from steersman.geometry.kinds import NUMBER, Description
from steersman.geometry.parameters import describe
from steersman.scenarios.problems import Place
from steersman.scenarios.reader import FAILED, Reader, Table, Value, is_plain, reads
from steersman.steering.behavior import STEERING
from steersman.steering.combining.context_map import WISHES
from steersman.steering.combining.weighted_sum import PARTS, WEIGHTS
from steersman.steering.registry import BEHAVIORS

WEIGHT = Description(name="weight", kind=NUMBER)


@reads(STEERING)
def steering(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A behavior: `{behavior = "Seek", target = [0, 0]}`; combinators have `parts`."""
    if value is None and description.optional:
        return Value(None, None)
    table = reader.table(value, place, "steering")
    return Value(FAILED, None) if table is None else node(reader, table, place)


@reads(PARTS)
def parts(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The parts of a combinator."""
    if not isinstance(value, list) or not value:
        raise TypeError(f"parts must be a list of at least one behavior, got {value!r}")
    made = [part(reader, item, (*place, index)) for index, item in enumerate(value)]
    failed = any(each.real is FAILED for each in made)
    return Value(FAILED if failed else [each.real for each in made], [each.plain for each in made])


@reads(WISHES)
def wishes(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Behaviors with their weights, where there are several lists of parts."""
    if not isinstance(value, list):
        raise TypeError(f"{description.name} must be a list of behaviors, got {value!r}")
    found = []
    for index, item in enumerate(value):
        made = part(reader, item, (*place, index))
        if isinstance(item, dict) and "weight" in item:
            weight = reader.value(WEIGHT, item["weight"], (*place, index, "weight")).real
            failed = FAILED in (weight, made.real)
            made = Value(FAILED if failed else weight * made.real, {"weight": item["weight"]} | (made.plain or {}))
        found.append(made)
    failed = any(each.real is FAILED for each in found)
    return Value(FAILED if failed else [each.real for each in found], [each.plain for each in found])


def part(reader: Reader, value: Any, place: Place) -> Value:
    """One part, with its weight if it has one."""
    if not is_plain(value):
        return Value(value, value)
    table = reader.table(value, place, "a part")
    return Value(FAILED, None) if table is None else node(reader, table, place, besides=("weight",))


def node(reader: Reader, table: Table, place: Place, *, besides: tuple[str, ...] = ()) -> Value:
    """One behavior with everything below it."""
    cls = reader.chosen(table, "behavior", dict(sorted(BEHAVIORS.items())), place)
    if cls is None:
        if isinstance(table.get("parts"), list):  # What stands below an unknown name is read all the same.
            parts(reader, Description(name="parts", kind=PARTS), table["parts"], (*place, "parts"))
        return Value(FAILED, None)
    weights = next((each for each in describe(cls) if each.kind is WEIGHTS), None)
    given, weighed = {}, [None] * len(table["parts"]) if isinstance(table.get("parts"), list) else []
    if weights is not None:
        given = {weights.name: weights_of(reader, table, place)}
    else:
        refuse_weights(reader, table, place, cls.__name__)
    made = reader.construct(cls, table, place, besides=("behavior", *besides), **given)
    plain = {"behavior": cls.__name__, **made.plain}
    if weights is not None and isinstance(plain.get("parts"), list) and len(plain["parts"]) == len(weighed):
        numbers = given[weights.name]
        if numbers is not FAILED and all(isinstance(part, dict) for part in plain["parts"]):
            plain["parts"] = [{"weight": weight} | part for weight, part in zip(numbers, plain["parts"], strict=True)]
    return Value(made.real, plain)


def weights_of(reader: Reader, table: Table, place: Place) -> Any:
    """The weights that stand with the parts; 1 where there is none."""
    found, items = [], table.get("parts")
    for index, part in enumerate(items if isinstance(items, list) else []):
        weight = part.get("weight", 1.0) if isinstance(part, dict) else 1.0
        found.append(reader.value(WEIGHT, weight, (*place, "parts", index, "weight")).real)
    return FAILED if any(weight is FAILED for weight in found) else tuple(found)


def refuse_weights(reader: Reader, table: Table, place: Place, name: str) -> None:
    """Note weights where nothing is weighed."""
    items = table.get("parts")
    for index, part in enumerate(items if isinstance(items, list) else []):
        if isinstance(part, dict) and "weight" in part:
            message = f"weight is for the parts of a weighted sum; {name} does not weigh its parts"
            reader.problems.add((*place, "parts", index, "weight"), message)
