"""Keys: a node of a steering tree keeps its memory when the tree around it is edited, and nobody gets another's."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steersman as sm
from steersman.core.steering.behavior import Behavior, as_behavior
from steersman.core.steering.tree.tree import Node, assign_keys, grow


class Edited:
    """A tree that is replaced again and again."""

    def __init__(self, steering: Any) -> None:
        self.tree: Node = grow(as_behavior(steering))
        self.next_key = assign_keys(self.tree, None, 0)

    def replace(self, steering: Any) -> None:
        tree = grow(as_behavior(steering))
        self.next_key = assign_keys(tree, self.tree, self.next_key)
        self.tree = tree

    def keys(self, kind: type) -> list[int]:
        """Keys of all nodes of a class, in order."""
        return [node.key for node in self.tree.walk() if type(node.behavior) is kind]


def wanders(before: Any, after: Any) -> tuple[list[int], list[int]]:
    """Keys of the Wanders before and after an edit."""
    edited = Edited(before)
    first = edited.keys(sm.Wander)
    edited.replace(after)
    return first, edited.keys(sm.Wander)


def seek(x: float = 1.0) -> sm.Seek:
    return sm.Seek([x, 2.0])


def test_keys_count_from_zero_parents_first() -> None:
    tree = Edited(sm.Priority([seek(), sm.Wander() + seek(3)])).tree
    assert [node.key for node in tree.walk()] == [0, 1, 2, 3, 4]
    assert [node.depth for node in tree.walk()] == [0, 1, 1, 2, 2]


# The trees after an edit are written anew, as they would be when a file is read again: nothing is the same object.
EDITS = {
    "nothing": (sm.Priority([seek(), sm.Wander()]), sm.Priority([seek(), sm.Wander()])),
    "weights": (seek() + 2 * sm.Wander(), 3 * seek() + sm.Wander()),
    "insert in front": (sm.Priority([seek(), sm.Wander()]), sm.Priority([sm.Flee([0, 0]), seek(), sm.Wander()])),
    "insert another wander in front": (
        sm.Priority([seek(), sm.Wander()]),
        sm.Priority([sm.Wander("turn"), seek(), sm.Wander()]),
    ),
    "insert behind": (sm.Priority([sm.Wander()]), sm.Priority([sm.Wander(), seek()])),
    "remove a neighbor": (sm.Priority([seek(), sm.Wander(), seek(2)]), sm.Priority([sm.Wander()])),
    "wrap the root in a priority": (sm.Wander(), sm.Priority([seek(), sm.Wander()])),
    "wrap the root in a sum": (sm.Wander(), 0.5 * sm.Wander() + seek()),
    "unwrap": (sm.Priority([seek(), sm.Wander()]), sm.Wander()),
    "wrap inside": (sm.Priority([seek(), sm.Wander()]), sm.Priority([seek(), sm.Wander() + sm.Flee([0, 0])])),
    "another combinator": (sm.Priority([seek(), sm.Wander()]), seek() + sm.Wander()),
    "reorder": (sm.Priority([seek(), sm.Wander()]), sm.Priority([sm.Wander(), seek()])),
    "move across parents": (
        sm.Priority([sm.WeightedSum([seek(), sm.Wander()]), sm.WeightedSum([seek(2)])]),
        sm.Priority([sm.WeightedSum([seek()]), sm.WeightedSum([seek(2), sm.Wander()])]),
    ),
    "another parameter": (sm.Priority([seek(), sm.Wander()]), sm.Priority([seek(), sm.Wander(rate=2.0)])),
    "another parameter, and insert in front": (
        sm.Priority([seek(), sm.Wander()]),
        sm.Priority([sm.Flee([0, 0]), seek(), sm.Wander(rate=2.0)]),
    ),
    "name kept, all else changed": (
        sm.Priority([seek(), sm.Wander(name="stroll"), sm.Wander("turn", name="other")]),
        sm.Wander(rate=3.0, name="stroll") + seek(),
    ),
}


@pytest.mark.parametrize(("before", "after"), EDITS.values(), ids=EDITS)
def test_wander_keeps_its_key(before: Any, after: Any) -> None:
    first, then = wanders(before, after)
    assert first[0] in then, "the wander lost its memory"
    same = [node for node in grow(as_behavior(after)).walk() if type(node.behavior) is sm.Wander]
    assert then.index(first[0]) == len(same) - 1, "somebody else got its memory"


def test_the_behavior_that_stood_there_before_hands_nothing_on() -> None:
    """A Patrol, say, must not get the memory of the Wander whose place in the list it takes."""
    for after in (sm.Priority([seek(), seek(3)]), sm.Priority([seek(), sm.Wander("turn"), sm.Wander("jitter")])):
        first, then = wanders(sm.Priority([seek(), sm.Wander()]), after)
        assert first[0] not in then


def test_equal_wanders_keep_their_order() -> None:
    first, then = wanders(sm.Wander() + sm.Wander(), sm.Priority([sm.Wander() + seek() + sm.Wander()]))
    assert first == then
    assert len(set(first)) == 2
    first, then = wanders(sm.Wander() + sm.Wander(), sm.Wander() + sm.Wander() + sm.Wander())
    assert then[:2] == first
    assert then[2] not in first


def test_of_equal_wanders_that_behind_the_same_neighbor_stays_itself() -> None:
    before = sm.Priority([seek(), sm.Wander(), sm.Flee([0, 0]), sm.Wander(), seek(2)])
    first, then = wanders(before, sm.Priority([seek(3), sm.Flee([0, 0]), sm.Wander(), seek(4)]))
    assert then == first[1:]


def test_of_equal_wanders_the_same_object_stays_itself() -> None:
    a, b = sm.Wander(), sm.Wander()
    for before, after in (
        (sm.Priority([a, b]), sm.Priority([b])),
        (sm.Priority([a, b]), sm.Priority([b, a])),
        (sm.Priority([a, b]), sm.Priority([b, sm.Wander(), a])),
        (sm.Priority([a, seek() + b]), sm.Priority([b, seek() + sm.Wander()])),
    ):
        edited = Edited(before)
        keys = {id(node.behavior): node.key for node in edited.tree.walk()}
        edited.replace(after)
        for node in edited.tree.walk():
            if node.behavior is a or node.behavior is b:
                assert node.key == keys[id(node.behavior)]


def test_one_object_may_stand_twice() -> None:
    a = sm.Wander()
    first, then = wanders(a + a, sm.Priority([a + seek() + a]))
    assert first == then
    first, then = wanders(a + a, sm.Priority([a]))
    assert then == first[:1]


def test_changed_parameters_keep_memory_only_where_they_cannot_be_mixed_up() -> None:
    first, then = wanders(
        sm.Priority([sm.Wander(rate=1.0), seek(), sm.Wander(rate=2.0)]),
        sm.Priority([sm.Wander(rate=3.0), seek(), sm.Wander(rate=4.0)]),
    )
    assert first == then
    first, then = wanders(
        sm.Priority([sm.Wander(rate=1.0), sm.Wander(rate=2.0)]),
        sm.Priority([sm.Wander(rate=3.0), sm.Wander(rate=4.0), sm.Wander(rate=5.0)]),
    )
    assert not set(first) & set(then)


def test_names_are_kept_and_not_exchanged() -> None:
    a, b = sm.Wander(name="a"), sm.Wander(name="b")
    first, then = wanders(sm.Priority([a, b]), sm.Priority([sm.Wander(name="b"), sm.Wander(name="a")]))
    assert then == first[::-1]
    for after in (sm.Wander(name="c"), sm.Wander()):
        first, then = wanders(sm.Priority([a]), sm.Priority([after]))
        assert first != then, "whoever is renamed is somebody else"


def test_a_name_given_twice_is_refused_and_changes_nothing() -> None:
    vehicles = sm.Vehicles([[1.0, 2.0]])
    world = sm.World(threads=1)
    population = world.add(vehicles, steering=sm.Wander(name="stroll"))
    tree = population.tree
    with pytest.raises(
        ValueError, match="name must be different for every node of a steering tree, got 'stroll' twice"
    ):
        population.steering = sm.Wander(name="stroll") + sm.Wander(name="stroll")
    assert population.tree is tree


def test_a_removed_node_never_comes_back() -> None:
    edited = Edited(sm.Priority([seek(), sm.Wander()]))
    first = edited.keys(sm.Wander)
    edited.replace(sm.Priority([seek()]))
    edited.replace(sm.Priority([seek(), sm.Wander()]))
    assert edited.keys(sm.Wander)[0] > first[0]


# ------------------------------------------------------------------------------------------------ random edits

LEAVES = [
    *[sm.Wander() for _ in range(3)], *[sm.Wander("turn", rate=rate) for rate in (1.0, 1.0, 2.0)],
    *[seek(x) for x in (1.0, 1.0, 2.0)], sm.Wander(name="a"), sm.Wander(rate=9.0, name="b"), sm.Flee([0.0, 0.0]),
]  # fmt: skip
"""Objects that may stand in a tree: different ones of equal value, too."""


@st.composite
def trees(draw: Any, depth: int = 2) -> Any:
    """A random tree; every object and every name stands in it once."""
    order = draw(st.permutations(range(len(LEAVES))))
    leaves = [LEAVES[k] for k in order[: draw(st.integers(1, 7))]]

    def build(parts: list[Behavior], levels: int) -> Behavior:
        if levels == 0 or (len(parts) == 1 and draw(st.booleans())):
            return draw(st.sampled_from([sm.Priority, sm.WeightedSum]))(parts)
        cut = draw(st.integers(0, len(parts) - 1))
        head, tail = parts[: cut + 1], parts[cut + 1 :]
        group = build(head, levels - 1)
        return draw(st.sampled_from([sm.Priority, sm.WeightedSum]))([group, *tail])

    return build(leaves, draw(st.integers(0, depth)))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(edits=st.lists(trees(), min_size=2, max_size=5))
def test_whatever_is_edited_nobody_gets_anothers_memory(edits: list[Any]) -> None:
    edited = Edited(edits[0])
    for steering in edits[1:]:
        before, first_new = list(edited.tree.walk()), edited.next_key
        edited.replace(steering)
        now = list(edited.tree.walk())
        keys = [node.key for node in now]
        assert len(set(keys)) == len(keys), "two nodes share a key"
        old = {node.key: node for node in before}
        for node in now:
            assert node.key in old or node.key >= first_new, "a key was used again"
            if node.key in old:
                behavior = old[node.key].behavior
                assert type(behavior) is type(node.behavior)
                assert behavior.name == node.behavior.name
        places = {id(node.behavior): node.key for node in before}
        for node in now:
            if id(node.behavior) in places:
                assert node.key == places[id(node.behavior)], f"{node.behavior} lost its memory"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tree=trees())
def test_a_tree_written_once_more_keeps_everything(tree: Any) -> None:
    def anew(behavior: Any) -> Any:
        if behavior.parts():
            return type(behavior)([anew(part) for part in behavior.parts()])
        return dataclasses.replace(behavior)

    edited = Edited(tree)
    keys = [node.key for node in edited.tree.walk()]
    edited.replace(anew(tree))
    assert [node.key for node in edited.tree.walk()] == keys


# ------------------------------------------------------------------------------------------------ through a world


def strolling(steering: Any) -> tuple[sm.World, Any]:
    rng = np.random.default_rng(2)
    world = sm.World(seed=4, threads=1)
    return world, world.add(sm.Vehicles(rng.uniform(0, 9, (5, 2)), max_speed=2.0), name="walkers", steering=steering)


@pytest.mark.parametrize("law", ["sphere", "turn"])
def test_an_edit_while_running_leaves_the_walk_as_it_was(law: str) -> None:
    """The bits of a run agree with those of a run that nobody edited: memory and random numbers are kept."""
    world, _ = strolling(sm.Wander(law))
    world.run(steps=30, dt=0.1)
    edited, population = strolling(sm.Wander(law))
    edited.run(steps=10, dt=0.1)
    asleep = sm.Flee([900.0, 0.0], panic_distance=1.0)
    population.steering = sm.Priority([asleep, sm.Wander(law)])
    edited.run(steps=5)
    population.steering = sm.Priority([sm.Flee([0.0, 900.0], panic_distance=1.0), asleep, 1.0 * sm.Wander(law)])
    edited.run(steps=5)
    population.steering = sm.Wander(law)
    edited.run(steps=10)
    np.testing.assert_array_equal(edited["walkers"].block, world["walkers"].block)


def test_two_equal_wanders_walk_on_their_own() -> None:
    _, population = strolling(sm.Wander() + sm.Wander())
    world, _ = strolling(None)
    assert len(population.memories) == 2
    world, population = strolling(sm.WeightedSum([sm.Wander(), sm.Wander()]))
    world.run(steps=5, dt=0.1)
    one, other = (memory.snapshot()["point"] for memory in population.memories.values())
    assert (one != other).all()


def test_memory_of_another_shape_starts_anew() -> None:
    """The law decides what is remembered; a new law with the same key does not get the old law's columns."""
    world, population = strolling(sm.Wander("sphere", name="stroll"))
    world.run(steps=5, dt=0.1)
    population.steering = sm.Wander("turn", name="stroll")
    memory = next(iter(population.memories.values()))
    np.testing.assert_array_equal(memory.snapshot()["angles"], 0)
    world.run(steps=2)


def test_no_steering_at_all_may_be_assigned() -> None:
    world, population = strolling(sm.Wander())
    world.run(steps=5, dt=0.1)
    population.steering = None
    velocity = world["walkers"].velocity.copy()
    world.run(steps=2)
    np.testing.assert_array_equal(world["walkers"].velocity, velocity)
