"""The parts of worlds that cannot be split. They are refused by name, before anything moves."""

from collections.abc import Iterator

from steersman.core.action_selection.condition import Condition
from steersman.core.kernels.call import Call
from steersman.core.neighborhood.neighbor_pass import live_columns
from steersman.core.parameters.walking import fields_of, walk
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.tree.tree import Node
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.sink import Sink
from steersman.core.world.flows.spawner import Spawner
from steersman.core.world.many.supported import population_problems, refuse, whose_is, world_problems
from steersman.core.world.population import Population
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.world import World

SPLIT = "split_world cannot split", "step such a world in one process, see docs/scaling.md"
"""What is refused, and what to do instead."""


def check_supported(world: World) -> None:
    """Raise ValueError where a world has parts that cannot be split; it names them all."""
    refuse(_problems(world), *SPLIT)


def check_plan(plan: StepPlan) -> None:
    """Raise ValueError where a step looks at all vehicles at once, or asks Python; it names the parts that do."""
    problems = []
    for each in plan.steered:
        calls = [*each.steer, *each.move]
        problems += [f"{_name_of(call)}, which looks at all vehicles at once" for call in calls if call.asks_all]
        problems += [f"{whose_is(ask)}, which calls Python after steps" for ask in each.plan.afterwards]
        problems += ["radii that are read from columns" for one in each.plan.around.merged if any(live_columns(one))]
    refuse(problems, *SPLIT)


def _problems(world: World) -> Iterator[str]:
    yield from world_problems(world)
    for constraint in world.constraints:
        yield f"{type(constraint).__name__}, a constraint on all vehicles together"
    for name, population in world.populations.items():
        if population.vehicles.length.any():
            yield f"bodies of length ({name!r})"
        for flow in population.flows:
            if not isinstance(flow, (Spawner, Sink)):
                yield f"{type(flow).__name__} ({name!r})"
        yield from population_problems(world, name)


def _name_of(call: Call) -> str:
    """The part of a tree that makes a call."""
    law = getattr(call.kernel, "py_func", None)
    if law is None:
        return whose_is(call.kernel)
    return f"{law.__module__.rpartition('.')[2]} ({law.__name__})"


def named_by(population: Population) -> Iterator[Vehicles]:
    """The populations that behaviors name other than as neighbors: each process needs all of their vehicles."""
    for node in population.nodes:
        yield from _named_by(node)


def _named_by(node: Node) -> Iterator[Vehicles]:
    looks = bool(node.behavior.needs())
    for name, value in fields_of(node.behavior).items():
        if (name == "of" and looks) or isinstance(value, (Behavior, Condition)):
            continue
        for each in walk(value, lambda one: not isinstance(one, (Behavior, Condition))):
            held = without_holder(each)
            if isinstance(held, Vehicles):
                yield held
