"""No behavior is forgotten."""

import pytest
from at_once import at_once
from contract.references import COMBINATIONS, REFERENCES
from contract.trying import INSTANCES

from steersman.core.parameters.parameters import describe
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import BEHAVIORS, registered


def nodes(behavior: Behavior) -> list[Behavior]:
    return [behavior, *(node for part in behavior.parts() for node in nodes(part))]


@at_once("name", BEHAVIORS)
def test_every_registered_behavior_has_an_example(name: str) -> None:
    assert any(type(instance) is BEHAVIORS[name] for instance in INSTANCES.values()), (
        f"add examples of {name} to EXAMPLES in its test file"
    )


@at_once("name", BEHAVIORS)
def test_every_option_of_a_behavior_is_tried(name: str) -> None:
    """Some example gives each parameter a value that is not its default, and each of its words."""
    mine = [node for instance in INSTANCES.values() for node in nodes(instance) if type(node) is BEHAVIORS[name]]
    for option in describe(BEHAVIORS[name]):
        if option.name in ("name", "components"):
            continue
        given = [getattr(instance, option.name) for instance in mine]
        assert any(value is not option.default for value in given), f"no example of {name} sets {option.name}"
        missing = [word for word in option.choices if not any(isinstance(v, str) and v == word for v in given)]
        assert not missing, f"no example of {name} has {option.name}={missing}"


def test_every_behavior_has_a_reference() -> None:
    missing = BEHAVIORS.keys() - REFERENCES.keys() - COMBINATIONS.keys()
    assert not missing, f"say what {sorted(missing)} should do in REFERENCES of their test files"


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="there is a behavior called Seek already"):
        registered(BEHAVIORS["Seek"])
