"""Modes and conditions in documents.

    [populations.steering]
    behavior = "Modes"
    start = "graze"
    modes.graze = {behavior = "Wander"}
    modes.flee = {behavior = "Evade", menace = "wolves"}

    [[populations.steering.transitions]]
    from = "graze"
    to = "flee"
    when = {condition = "Near", target = "wolves", distance = 40.0}

Conditions are put together with `{all = [...]}`, `{any = [...]}` and `{not = {...}}`.
"""

from collections.abc import Mapping
from typing import Any

from steersman.action_selection.composing import AllOf, AnyOf, Not
from steersman.action_selection.modes import COOLDOWN, MODES, TRANSITIONS
from steersman.action_selection.registry import CONDITIONS
from steersman.geometry.kinds import Description
from steersman.scenarios.problems import Place
from steersman.scenarios.reader import FAILED, Reader, Table, Value, is_plain, reads
from steersman.scenarios.trees import node

COMPOSED: dict[str, Any] = {"all": AllOf, "any": AnyOf, "not": Not}
"""Key in documents -> what it makes of the conditions that stand there."""


@reads(MODES)
def modes(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A table of modes: name -> behavior."""
    table = reader.table(value, place, description.name)
    if table is None:
        return Value(FAILED, None)
    made = {name: _mode(reader, part, (*place, name)) for name, part in table.items()}
    failed = any(each.real is FAILED for each in made.values())
    real = FAILED if failed else {name: each.real for name, each in made.items()}
    return Value(real, {name: each.plain for name, each in made.items()})


def _mode(reader: Reader, value: Any, place: Place) -> Value:
    if not is_plain(value):
        return Value(value, value)
    table = reader.table(value, place, "a mode")
    return Value(FAILED, None) if table is None else node(reader, table, place)


@reads(TRANSITIONS)
def transitions(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A list of transitions: `{from = "graze", to = "flee", when = {...}}`."""
    tables = reader.tables(value, place, description.name)
    made = [_transition(reader, table, where) for table, where in tables]
    failed = len(made) < len(value) or any(FAILED in each.real for each in made)
    return Value(FAILED if failed else [each.real for each in made], [each.plain for each in made])


def _transition(reader: Reader, table: Table, place: Place) -> Value:
    """One transition; the class says whether there are such modes."""
    reader.check_keys(table, ("from", "to", "when"), place)
    real: dict[str, Any] = dict.fromkeys(("from", "to", "when"), FAILED)
    plain = dict(table)
    for key in real:
        if key not in table:
            reader.problems.add(
                place, f"{key} must be given: a transition goes from a mode to another, when something holds"
            )
        elif key == "when":
            made = condition(reader, table[key], (*place, key))
            real[key], plain[key] = made
        else:
            real[key] = table[key]
    return Value(tuple(real.values()), plain)


def condition(reader: Reader, value: Any, place: Place) -> Value:
    """One condition with everything that it is made of."""
    if not is_plain(value):
        return Value(value, value)
    table = reader.table(value, place, "a condition")
    if table is None:
        return Value(FAILED, None)
    key = next((each for each in COMPOSED if each in table), None)
    if key is not None:
        return _composed(reader, key, table, place)
    simple = {name: cls for name, cls in sorted(CONDITIONS.items()) if cls not in COMPOSED.values()}
    cls = reader.chosen(table, "condition", simple, place)
    if cls is None:
        return Value(FAILED, None)
    made = reader.construct(cls, table, place, besides=("condition",))
    return Value(made.real, {"condition": cls.__name__, **made.plain})


def _composed(reader: Reader, key: str, table: Table, place: Place) -> Value:
    """All of, any of, or not."""
    reader.check_keys(table, (key, "name"), place)
    items, where = table[key], (*place, key)
    if key != "not" and (not isinstance(items, (list, tuple)) or not items):
        reader.problems.add(where, f"{key} must be a list of at least one condition, got {items!r}")
        return Value(FAILED, None)
    named = {"name": table["name"]} if "name" in table else {}
    if key == "not":
        made = [condition(reader, items, where)]
    else:
        made = [condition(reader, item, (*where, index)) for index, item in enumerate(items)]
    plain = made[0].plain if key == "not" else [each.plain for each in made]
    if any(each.real is FAILED for each in made):
        return Value(FAILED, {key: plain} | named)
    real = made[0].real if key == "not" else [each.real for each in made]
    return Value(COMPOSED[key](real, **named), {key: plain} | named)


@reads(COOLDOWN)
def cooldown(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A number, or a table of modes and numbers; the class says which are right."""
    return Value(value, dict(value) if isinstance(value, Mapping) else value)
