"""Supported: the check for parts of worlds that cannot be stepped together; errors name them before any world is stepped."""

from collections.abc import Iterable, Iterator
from typing import Any

from steersman.core.action_selection.condition import Condition
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.kernels.bound import Bound, Gate
from steersman.core.world.plan import watched_by
from steersman.core.world.state_hash import maps_with_doors
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.world import World

MANY = "Worlds cannot step", "step such worlds one by one, see docs/many_worlds.md"
"""The beginning of the message, and the advice at its end."""


def check_supported(world: World) -> None:
    """Raise ValueError, with the names of all such parts, if a world has parts that cannot be stepped together."""
    refuse(_problems(world), *MANY)


def check_calls(plan: StepPlan) -> None:
    """Raise ValueError, with the names of all such parts, if a step calls Python."""
    asking = [_caller_of(each) for section in plan.sections for each in section.calls if not each.is_machine_code]
    after = [whose_is(ask) for steering in plan.plans for ask in steering.afterwards]
    problems = [*(f"{each}, which asks Python at every step" for each in asking)]
    problems += [f"{each}, which calls Python after steps" for each in after]
    refuse(problems, *MANY)


def refuse(problems: Iterable[str], cannot: str, instead: str) -> None:
    """Raise ValueError if there are any problems. The message has each problem once, and the advice."""
    if words := "; ".join(dict.fromkeys(problems)):
        raise ValueError(f"{cannot} {words}: {instead}")


def world_problems(world: World) -> Iterator[str]:
    """Reasons why a world as a whole must be stepped alone on the processor."""
    if world.device != "cpu":
        yield f'device="{world.device}"'
    if not world.populations:
        yield "worlds without vehicles"


def population_problems(world: World, name: str) -> Iterator[str]:
    """Reasons why a population must be stepped alone on the processor."""
    population = world.populations[name]
    steered = {id(each.vehicles) for each in world.populations.values()}
    if any(id(each) not in steered for each in watched_by(population)):
        yield f"vehicles outside of the world that {name!r} watches"
    if maps_with_doors(population):
        yield f"maps of routes with doors ({name!r})"


def _problems(world: World) -> Iterator[str]:
    yield from world_problems(world)
    if world.observers:
        yield "functions given to on_step or watch"
    for name, population in world.populations.items():
        if len(population.vehicles) == 0:
            yield f"populations without vehicles ({name!r})"
        if population.flows:
            yield f"flows ({name!r})"
        yield from population_problems(world, name)


def _caller_of(call: Bound | Gate) -> str:
    """The name of the part of a tree that makes a call of Python."""
    while isinstance(call, Gate):
        call = next(each for each in call.behind if not each.is_machine_code)
    return whose_is(call.function)


def whose_is(function: Any) -> str:
    """The name of the part of a tree that a function of Python belongs to; if that is not known, of the function."""
    holder = getattr(function, "__self__", function)
    own = getattr(holder, "__dict__", {})
    for each in (holder, *own.values()):
        if isinstance(each, (Condition, FlowField)):
            return type(each).__name__
    if "scene" in own:
        label: str = own["scene"].node.label
        return label
    return str(getattr(holder, "__name__", type(holder).__name__)).strip("_")
