"""Comparing the plans of two worlds: the arrays in which they may differ, and messages about all other differences."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from steersman.core.kernels.bound import Bound, Gate
from steersman.core.parameters.brief import brief
from steersman.core.parameters.parameters import PLAIN
from steersman.core.parameters.walking import parts_of
from steersman.core.typing import Array
from steersman.core.vehicles.holding import without_holder
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.world import World


def leaves_of(plan: StepPlan) -> list[Any]:
    """The leaves of a plan: the machine code, arrays and numbers in its calls, in order."""
    return [leaf for section in plan.sections for each in section.calls for leaf in _leaves(each)]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Bound):
        yield value.function
        yield from _leaves(value.arguments)
    elif isinstance(value, Gate):
        yield value.some
        yield value.row
        for each in value.behind:
            yield from _leaves(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def address_of(array: Array) -> int:
    """The address of an array."""
    return int(array.__array_interface__["data"][0])


def state_of(world: World, plan: StepPlan) -> tuple[list[Array], list[tuple[Array, Array]], list[Array]]:
    """The arrays that steps change and that keep their values from step to step.

    Returns:
        The columns of each population, shape (columns, capacity); the pairs of present and next memory; and all other arrays
        that are no constants: ids, counts and clocks.
    """
    columns, memory, other = [], [], []
    for steered in plan.steered:
        vehicles, population = steered.plan.vehicles, steered.population
        columns.append(vehicles.whole)
        for key in sorted(population.memories):
            memory += population.memories[key].blocks
        other += [vehicles.columns.id, vehicles.count, *steered.clock]
    return columns, memory, other


def changing(world: World, plan: StepPlan) -> list[tuple[int, int]]:
    """The first address of each array of `state_of`, and the address behind it."""
    columns, memory, other = state_of(world, plan)
    arrays = [*columns, *(each for pair in memory for each in pair), *other]
    return [(address_of(each), address_of(each) + each.nbytes) for each in arrays]


def differing(pattern: Sequence[Any], leaves: Sequence[Any], spans: Sequence[tuple[int, int]]) -> list[int] | None:
    """The numbers of the leaves in which two plans differ, if these are arrays of equal shape and dtype.

    Args:
        pattern: The leaves of the first plan, arrays among them as they were before its first step.
        leaves: The leaves of another plan, before its first step.
        spans: Ranges of addresses of the other plan in which differences do not count (see `changing`).

    Returns:
        The numbers; None if anything else differs.
    """
    if len(pattern) != len(leaves):
        return None
    numbers = []
    for number, (one, other) in enumerate(zip(pattern, leaves, strict=True)):
        if not isinstance(one, np.ndarray):
            if not (one is other or (type(one) in NUMBERS and type(one) is type(other) and one == other)):
                return None
            continue
        if not isinstance(other, np.ndarray) or one.shape != other.shape or one.dtype != other.dtype:
            return None
        place = address_of(other)
        if one.tobytes() != other.tobytes() and not any(first <= place < last for first, last in spans):
            numbers.append(number)
    return numbers


NUMBERS = frozenset({int, float, bool, np.bool_, *(np.dtype(name).type for name in "bBhHiIlLqQfd")})


def mismatch(first: World, world: World) -> str | None:
    """The first difference that keeps a world from being stepped with another one, as the end of a message; None for none."""
    here, there = first.populations, world.populations
    if list(here) != list(there):
        return f"populations {brief(list(there))}, not {brief(list(here))}"
    if world.dt != first.dt:
        return f"dt={world.dt:g} s, not {first.dt:g} s"
    if type(world.domain) is not type(first.domain):
        return f"the domain {type(world.domain).__name__}, not {type(first.domain).__name__}"
    if list(map(type, world.constraints)) != list(map(type, first.constraints)):
        return "other constraints"
    for name, one in here.items():
        other = there[name]
        a, b = one.vehicles, other.vehicles
        if (len(a), a.dimensions, a.dtype) != (len(b), b.dimensions, b.dtype):
            return f"{b!r} in {name!r}, not {a!r}"
        if not np.array_equal(a.id, b.id):
            return f"other ids in {name!r}"
        if type(one.locomotion) is not type(other.locomotion):
            return f"the body {type(other.locomotion).__name__} in {name!r}, not {type(one.locomotion).__name__}"
        if one.yields != other.yields:
            return f"yields={other.yields} in {name!r}, not {one.yields}"
        labels, others = [each.label for each in one.nodes], [each.label for each in other.nodes]
        if labels != others:
            return f"the tree {', '.join(others) or 'None'} in {name!r}, not {', '.join(labels) or 'None'}"
        if {key: each.schema() for key, each in one.memories.items()} != {
            key: each.schema() for key, each in other.memories.items()
        }:
            return f"other memory in {name!r}"
    return None


def other_number(first: World, world: World) -> str:
    """The parameters in which two worlds differ though `mismatch` finds nothing, as the end of a message."""
    differences = []
    for name, one in first.populations.items():
        pairs = known_pairs(first, world)
        other = world.populations[name]
        for a, b in zip(one.nodes, other.nodes, strict=True):
            for parameter, value in vars(a.behavior).items():
                if parameter != "components" and not alike(value, vars(b.behavior).get(parameter), pairs):
                    values = _apart(vars(b.behavior).get(parameter), value)
                    differences.append(f"{parameter} of {a.label} in {name!r}{values}")
        if not alike(one.locomotion, other.locomotion, pairs):
            differences.append(f"numbers of {type(one.locomotion).__name__} in {name!r}")
    if not alike(first.domain, world.domain, {}):
        differences.append("the domain")
    return f"another form of {', '.join(differences) or 'a part'}"


def _apart(here: Any, first: Any) -> str:
    """Two values in brackets, for a message; empty if they have the same text."""
    one, other = brief(here), brief(first)
    return "" if one == other else f" ({one}, not {other})"


def known_pairs(first: World, world: World) -> dict[int, Any]:
    """The id of each population's vehicles in one world -> the vehicles of that population in the other."""
    return {id(each.vehicles): world.populations[name].vehicles for name, each in first.populations.items()}


def same_parts(first: World, world: World) -> bool:
    """Whether two worlds without a `mismatch` have equal trees, bodies, constraints and domains, and so equal plans."""
    pairs = known_pairs(first, world)
    return (
        alike(first.domain, world.domain, pairs)
        and alike(first.constraints, world.constraints, pairs)
        and all(
            alike(one.steering, world.populations[name].steering, pairs)
            and alike(one.locomotion, world.populations[name].locomotion, pairs)
            for name, one in first.populations.items()
        )
    )


def alike(one: Any, other: Any, pairs: dict[int, Any]) -> bool:
    """Whether two values are equal, part by part; False if that is not known.

    Args:
        one, other: The values.
        pairs: The id of an object -> the object that corresponds to it.
    """
    one, other = without_holder(one), without_holder(other)
    if id(one) in pairs:
        return pairs[id(one)] is other
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) in PLAIN or isinstance(one, np.generic):
        return bool(one == other)
    if isinstance(one, np.ndarray):
        return bool(one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes())
    inside, there = parts_of(one), parts_of(other)
    if inside is None or there is None or len(inside) != len(there):
        return False
    return all(alike(a, b, pairs) for a, b in zip(inside, there, strict=True))
