"""Steering trees in documents: nested tables, each with the name of a behavior and its parameters.

    [populations.steering]
    behavior = "Modes"
    start = "graze"
    modes.graze = {behavior = "Wander"}
    modes.flee = {behavior = "Evade", pursuer = "wolves"}

    [[populations.steering.transitions]]
    from = "graze"
    to = "flee"
    when = {condition = "Near", target = "wolves", distance = 40.0}

Conditions are put together with `{all = [...]}`, `{any = [...]}` and `{not = {...}}`.
"""

from typing import Any

from steersman.core.action_selection.composing import AllOf, AnyOf, Not
from steersman.core.action_selection.kind import CONDITION
from steersman.core.action_selection.modes import MODES, TRANSITIONS
from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.parameters.kinds import NUMBER, Description
from steersman.core.parameters.parameters import describe
from steersman.core.steering.behavior import STEERING, Behavior, as_behavior
from steersman.core.steering.combining.context_map import OPTIONAL_PARTS
from steersman.core.steering.combining.weighted_sum import PARTS, WEIGHTS
from steersman.core.steering.registry import BEHAVIORS
from steersman.runs.documents.problems import Place
from steersman.runs.documents.reader import FAILED, Reader, Table, is_plain, reads, whole

WEIGHT = Description(name="weight", kind=NUMBER, owner=Behavior)

COMPOSED: dict[str, Any] = {"all": AllOf, "any": AnyOf, "not": Not}
"""Key in documents -> class that combines the conditions of this key."""


@reads(STEERING)
def steering(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A behavior: `{behavior = "Seek", target = [0, 0]}`; combinators have `parts`."""
    return part(reader, value, place, "steering", besides=())


@reads(PARTS)
def parts(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The parts of a combinator."""
    if not isinstance(value, list) or not value:
        raise TypeError(f"parts must be a list of at least one behavior, got {value!r}")
    return whole([part(reader, item, (*place, index)) for index, item in enumerate(value)])


@reads(OPTIONAL_PARTS)
def weighed_behaviors(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Behaviors with their weights, where there are several lists of parts."""
    if not isinstance(value, list):
        raise TypeError(f"{description.name} must be a list of behaviors, got {value!r}")
    nodes = []
    for index, item in enumerate(value):
        made = part(reader, item, (*place, index))
        if isinstance(item, dict) and "weight" in item:
            weight = reader.value(WEIGHT, item["weight"], (*place, index, "weight"))
            made = FAILED if whole([weight, made]) is FAILED else weight * made
        nodes.append(made)
    return whole(nodes)


def part(
    reader: Reader, value: Any, place: Place, label: str = "a part", *, besides: tuple[str, ...] = ("weight",)
) -> Any:
    """One part; the combinator that weighs it reads its weight."""
    table = reader.table(value, place, label) if is_plain(value) else None
    if table is None:
        return FAILED if is_plain(value) else value
    return node(reader, table, place, besides=besides)


def node(reader: Reader, table: Table, place: Place, *, besides: tuple[str, ...] = ()) -> Any:
    """One behavior with everything below it."""
    if not is_plain(table.get("behavior")):  # A document that is written in Python may hold one beside its weight.
        return as_behavior(table["behavior"])
    cls = reader.chosen(table, "behavior", dict(sorted(BEHAVIORS.items())), place)
    if cls is None:
        if isinstance(table.get("parts"), list):  # Parts of an unknown behavior are read, too, to find their problems.
            parts(reader, Description(name="parts", kind=PARTS), table["parts"], (*place, "parts"))
        return FAILED
    weights = next((each for each in describe(cls) if each.kind is WEIGHTS), None)
    more = {}
    if weights is not None:
        more = {weights.name: weights_of(reader, table, place)}
    else:
        refuse_weights(reader, table, place, cls.__name__)
    return reader.construct(cls, table, place, besides=("behavior", *besides), **more)


def weights_of(reader: Reader, table: Table, place: Place) -> Any:
    """The weights in the tables of the parts; 1 if a part has none."""
    nodes, items = [], table.get("parts")
    for index, part in enumerate(items if isinstance(items, list) else []):
        weight = part.get("weight", 1.0) if isinstance(part, dict) else 1.0
        nodes.append(reader.value(WEIGHT, weight, (*place, "parts", index, "weight")))
    return whole(nodes)


def refuse_weights(reader: Reader, table: Table, place: Place, name: str) -> None:
    """Note weights below a node that does not weigh its parts."""
    items = table.get("parts")
    for index, part in enumerate(items if isinstance(items, list) else []):
        if isinstance(part, dict) and "weight" in part:
            message = f"weight is for the parts of a weighted sum; {name} does not weigh its parts"
            reader.problems.add((*place, "parts", index, "weight"), message)


# ---------------------------------------------------------------------------------------------------- modes


@reads(MODES)
def modes(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A table of modes: name -> behavior."""
    table = reader.table(value, place, description.name)
    if table is None:
        return FAILED
    made = {name: part(reader, item, (*place, name), "a mode", besides=()) for name, item in table.items()}
    return FAILED if whole(list(made.values())) is FAILED else made


@reads(TRANSITIONS)
def transitions(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A list of transitions: `{from = "graze", to = "flee", when = {...}}`."""
    tables = reader.tables(value, place, description.name)
    made = [transition(reader, table, where) for table, where in tables]
    return whole(made) if len(made) == len(value) else FAILED


def transition(reader: Reader, table: Table, place: Place) -> Any:
    """One transition. The class Modes checks that its modes exist."""
    reader.check_keys(table, ("from", "to", "when"), place)
    nodes: dict[str, Any] = dict.fromkeys(("from", "to", "when"), FAILED)
    for key in nodes:
        if key not in table:
            reader.problems.add(
                place, f"{key} must be given: a transition goes from a mode to another, when something holds"
            )
        elif key == "when":
            nodes[key] = condition(reader, table[key], (*place, key))
        else:
            nodes[key] = mode_of(reader, key, table[key], (*place, key))
    return whole(list(nodes.values()))


def mode_of(reader: Reader, key: str, value: Any, place: Place) -> Any:
    """The name of a mode, or a list of names for the start of a transition."""
    names = value if key == "from" and isinstance(value, (list, tuple)) else [value]
    if all(isinstance(name, str) for name in names):
        return value
    reader.problems.add(
        place, f"{key} must be {'a mode or a list of modes' if key == 'from' else 'a mode'}, got {value!r}"
    )
    return FAILED


@reads(CONDITION)
def cause(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A condition within another one: `{condition = "Startled", cause = {condition = "Near", ...}}`."""
    return condition(reader, value, place)


def condition(reader: Reader, value: Any, place: Place) -> Any:
    """One condition with all of its parts."""
    if not is_plain(value):
        return value
    table = reader.table(value, place, "a condition")
    if table is None:
        return FAILED
    key = next((each for each in COMPOSED if each in table), None)
    if key is not None:
        return composed(reader, key, table, place)
    simple = {name: cls for name, cls in sorted(CONDITIONS.items()) if cls not in COMPOSED.values()}
    cls = reader.chosen(table, "condition", simple, place)
    return FAILED if cls is None else reader.construct(cls, table, place, besides=("condition",))


def composed(reader: Reader, key: str, table: Table, place: Place) -> Any:
    """All of, any of, or not."""
    reader.check_keys(table, (key, "name"), place)
    items, where = table[key], (*place, key)
    if key == "not":
        made = condition(reader, items, where)
    elif isinstance(items, (list, tuple)) and items:
        made = whole([condition(reader, item, (*where, index)) for index, item in enumerate(items)])
    else:
        reader.problems.add(where, f"{key} must be a list of at least one condition, got {items!r}")
        made = FAILED
    named = {"name": table["name"]} if "name" in table else {}
    return made if made is FAILED else COMPOSED[key](made, **named)
