"""Trees that are nested deep: as deep as is allowed all works, and one more is refused when it is made."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import steersman as sm
from steersman.core.steering.tree.node_parameters import DEEPEST

NESTING: dict[str, Callable[[Any], Any]] = {
    "Priority": lambda part: sm.Priority([part]),
    "WeightedSum": lambda part: sm.WeightedSum([sm.Wander(), part]),
    "Modes": lambda part: sm.Modes({"a": part, "b": sm.Wander()}, start="a", transitions=[("a", "b", sm.After(1))]),
    "operators": lambda part: 2.0 * part + sm.Wander(),
}


def nested(name: str, depth: int) -> Any:
    tree: Any = sm.Seek([5, 5])
    while tree.nested < depth:
        before = tree
        tree = NESTING[name](tree)
        if tree.nested == before.nested:  # A sum of a sum is one sum.
            return tree
    return tree


@pytest.mark.parametrize("name", NESTING)
def test_as_deep_as_is_allowed_all_works(name: str, tmp_path: Any) -> None:
    tree = nested(name, DEEPEST)
    world = sm.World(threads=1)
    world.add(sm.Vehicles([[0, 0], [1, 1]]), steering=tree)
    world.step()
    world.explain()
    world.sketch()
    sm.to_document(world)
    world.save(tmp_path / "deep.steersman")
    assert sm.World.load(tmp_path / "deep.steersman", threads=1).steps == 1
    for copied in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert copied.nested == tree.nested
    assert repr(tree)


@pytest.mark.parametrize("name", [name for name in NESTING if name != "operators"])
def test_one_more_is_refused_when_it_is_made(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"parts must be nested at most {DEEPEST} deep in a steering tree, got {DEEPEST + 1}"
    ):
        nested(name, 400)


def test_conditions_count() -> None:
    def condition(depth: int) -> Any:
        return sm.After(1) if depth == 0 else ~(condition(depth - 1) & sm.After(2))

    with pytest.raises(ValueError, match="nested at most"):
        condition(200)


def test_a_long_sum_is_not_deep() -> None:
    tree: Any = sm.Wander()
    for _ in range(400):
        tree = tree + sm.Wander()
    assert tree.nested == 2
