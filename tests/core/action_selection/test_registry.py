"""No condition is forgotten: each, with all of its options, goes through the contract."""

import pytest
from contract.examples.modes import CONDITIONS as EXAMPLES
from contract.places import State
from contract.references.modes import JUDGES

import steersman as sm
from steersman.core.action_selection.kind import as_condition
from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.parameters.parameters import describe


def nodes(condition):
    return [condition, *(node for part in condition.parts() for node in nodes(part))]


PLACE = State.random(0, 2).place()
INSTANCES = [node for make in EXAMPLES.values() for node in nodes(as_condition(make(PLACE)))]


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_registered_condition_has_an_example_and_a_reference(name):
    known = any(type(instance) is CONDITIONS[name] for instance in INSTANCES)
    assert known, f"add examples of {name} to CONDITIONS in its test file"
    assert name in JUDGES, f"say when {name} holds in JUDGES of its test file"


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_option_of_a_condition_is_tried(name):
    mine = [instance for instance in INSTANCES if type(instance) is CONDITIONS[name]]
    for option in describe(CONDITIONS[name]):
        given = [getattr(instance, option.name) for instance in mine]
        assert option.name == "name" or any(value is not option.default for value in given), option.name


def test_conditions_are_public():
    assert all(getattr(sm, name) is cls for name, cls in CONDITIONS.items())
