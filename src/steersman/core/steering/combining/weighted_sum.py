"""WeightedSum: all parts at once, each with its weight.

    force = sum of weight_k * limited(force_k)

Reynolds 1999, "Combining Behaviors": the most straightforward blend. Its known weakness is that parts may cancel each
other; where that hurts, put the urgent part into a Priority. Separation and Arrive, which cancel each other around a goal,
are added before they are cut, and vehicles rest there; beside AvoidNeighbors, Arrive gives way (`balance`). Otherwise no
part can drown the others: by default each is truncated to max_force before weighting. "normalize" stretches each to
max_force (the boids law: normalized, scaled, summed); "raw" adds the bare forces. Weights divided by their sum: project H.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.per_row import Rows, holds
from steersman.core.neighborhood.request import Request
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import FLAG, TEXT, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import can_be_multiplied
from steersman.core.steering.behavior import Behavior, Function, as_behavior, as_weight
from steersman.core.steering.combining.balancing import (
    balanced_parts,
    bind_balance,
    is_given_way,
    neighbors_ahead,
)
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import LIMIT, NORMALIZE, RAW, Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import NOTHING, Memory
from steersman.core.vehicles.vehicles import Vehicles

TAKE = {"limit": LIMIT, "normalize": NORMALIZE, "raw": RAW}


def as_parts(parts: Any, name: str = "components") -> tuple[Behavior, ...]:
    """The parts of a combinator, in their normal form; `name` is their name in messages."""
    if not isinstance(parts, Sequence):
        raise TypeError(f"{name} must be a list of behaviors, got {brief(parts)}")
    if not parts:
        raise ValueError(f"{name} must be at least one behavior, got none")
    return tuple(as_behavior(part, name) for part in parts)


def as_weights(name: str, weights: Any, parts: Sequence[Any]) -> tuple[float, ...]:
    """The weights of parts, in their normal form."""
    listed = weights.ndim == 1 if isinstance(weights, np.ndarray) else isinstance(weights, Sequence)
    if not listed or isinstance(weights, (str, bytes)):
        raise TypeError(f"{name} must be a list of numbers, one a part, got {brief(weights)}")
    if len(weights) != len(parts):
        raise ValueError(f"{name} must be as many as the parts ({len(parts)}), got {len(weights)}")
    return tuple([as_weight(name, weight) for weight in weights])


PARTS = Kind("parts", "behaviors", lambda name, value: as_parts(value, name))
WEIGHTS = Kind("weights", "numbers", as_weights)


@registered
class WeightedSum(Behavior):
    """The weighted sum of its parts.

    `1.6 * Separation(radius=4) + Cohesion(radius=9)` is a WeightedSum of two. Sums written with `+` and `*` flatten into
    the sum around them; an explicit `WeightedSum(...)` inside another stays a node of its own.

    Args:
        components: The parts: behaviors, functions, or weighted ones (`2 * Seek(...)`).
        weights: Their weights, if not given with `*`. Raising one makes that part count more. Default: all 1.
        each: How a part's force is taken before weighting: "limit", "normalize" or "raw".
        normalize_weights: Divide the weights by their sum.
        balance: Whether, with each="limit", a part that comes to rest (Arrive, GoTo, FollowPath, Interpose, Hide) is
            weighed against one that pushes apart, if there is one of each: beside Separation the two are added before they
            are cut, and vehicles come to rest where they nearly cancel; beside AvoidNeighbors it does not act against its
            push. False cuts each alone.

    Raises:
        ValueError: There are not as many weights as parts.
    """

    components: Any = parameter(kind=PARTS, positional=True)
    weights: Sequence[float] | None = parameter(None, kind=WEIGHTS, optional=True, of="components")
    each: str = parameter("limit", kind=TEXT, choices=tuple(TAKE))
    normalize_weights: bool = parameter(False, kind=FLAG)
    balance: bool = parameter(True, kind=FLAG)
    flattens: bool = field(default=False, kw_only=True, compare=False)  # written with + and *

    def validate(self) -> None:
        """Flatten the parts that were written with `+` and `*`, and check the weights."""
        parts, weights, deepest = weighed_parts(self.components, self.weights)
        self._put(components=parts, weights=weights, nested=1 + deepest)
        if self.normalize_weights and not abs(sum(weights)) > 0:
            raise ValueError("weights must not add up to zero when normalize_weights is true")

    @property
    def is_plain(self) -> bool:
        """Whether it was written with `+` and `*`, and nothing but its parts and weights was set since."""
        default = self.each == "limit" and self.balance and not self.normalize_weights
        return self.flattens and default and self.name is None

    def expressed(self, write: Callable[[Any], str]) -> str | None:
        """The equation, `1.6 * a + b`, where it was written so."""
        if not self.is_plain or any(isinstance(part, Function) for part in self.components):
            return None
        assert self.weights is not None
        pairs = list(zip(self.weights, self.components, strict=True))
        return " + ".join(
            write(part) if weight == 1 and len(pairs) > 1 else f"{write(weight)} * {write(part)}"
            for weight, part in pairs
        )

    def parts(self) -> tuple[Behavior, ...]:
        """The parts."""
        return tuple(self.components)

    def deepest_part(self) -> int:
        """As found before the parts were flattened: `a + b + ...` looks at no part once more."""
        return self.nested - 1

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Whether the vehicle rests where a push and a pull nearly cancel, if there are such parts."""
        pair = self._balanced
        if pair is None or is_given_way(self.components[pair[0]]):
            return {}
        return {"rests": np.zeros(len(vehicles), bool)}

    def needs_for(self, body: Any) -> tuple[Request, ...]:
        """The neighbors that a body that cannot step aside may run into, where a push is weighed against a pull."""
        pair = self._balanced
        if pair is None or body.steps_aside or is_given_way(self.components[pair[0]]):
            return ()
        return (neighbors_ahead(self.components[pair[0]]),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """All parts into one sum, which goes up as a whole."""
        assert self.weights is not None
        total = sum(self.weights) if self.normalize_weights else 1.0
        return bind_sum(
            scene, out, [weight / total for weight in self.weights], TAKE[self.each], None, self._balanced, memory
        )

    @property
    def _balanced(self) -> tuple[int, int] | None:
        """The parts that are weighed against each other."""
        return balanced_parts(self.components) if self.balance and self.each == "limit" else None


def bind_sum(
    scene: Scene, out: Out, weights: Sequence[float], take: float, active: Array | None = None,
    balanced: tuple[int, int] | None = None, memory: Memory = NOTHING,
) -> list[Call]:  # fmt: skip
    """The calls that add up the parts of a node, each with its weight and taken alike.

    Args:
        scene: The scene of the node.
        out: Where the sum goes.
        weights: One a part.
        take: How forces are taken: CHOOSE, RAW, LIMIT or NORMALIZE.
        active: Of a node that defers all parts: the rows that each of them steers, shape (parts, n), uint8. Default: all
            rows that the node steers.
        balanced: Two parts that are weighed against each other (see `balancing.py`).
        memory: Of the node, which keeps the vehicles that rest there.
    """
    direct = not holds(out.edge, Rows) and bool(out.edge[0] == 1 and out.edge[1] == RAW)
    target = out if direct else scene.scratch(out.active)
    calls = [] if direct else [scene.clear_call(target)]
    if active is not None:
        calls += scene.look_calls(zip(scene.node.children, active, strict=True))
    if balanced is not None:
        calls += bind_balance(scene, memory, target, balanced, weights)
    for index, weight in enumerate(weights):
        if balanced is not None and index in balanced:
            continue
        part = target._replace(edge=scene.edge(weight, take))
        if active is not None:
            part = part._replace(active=active[index])
        calls += scene.part(index, part)
    if not direct:
        calls.append(scene.hand_up_call(target, out))
    return calls


def weighed_parts(
    parts: Any, weights: Any, flatten: float = math.inf, name: str = "components"
) -> tuple[tuple[Behavior, ...], tuple[Any, ...], int]:
    """Parts, weights, and how deep parts are nested. Sums written with `+` and `*` are flattened, if of so many at most."""
    behaviors = as_parts(parts, name)
    weighed = (1.0,) * len(behaviors) if weights is None else weights
    flat: list[Behavior] = []
    multiplied: list[Any] = []
    deepest = 0
    for part, weight in zip(behaviors, weighed, strict=True):
        inner, products, depth = _flattened(part, weight, flatten)
        flat.extend(inner)
        multiplied.extend(products)
        deepest = max(deepest, depth)
    return tuple(flat), tuple(multiplied), deepest


def _flattened(part: Behavior, weight: Any, flatten: float) -> tuple[Sequence[Behavior], Sequence[Any], int]:
    if isinstance(part, WeightedSum) and part.is_plain and len(part.components) <= flatten:
        assert part.weights is not None
        inside = part.nested - 1
        if isinstance(weight, float) and weight == 1:
            return part.components, part.weights, inside  # Without a look at each: `a + b + ...` takes n looks in all.
        if all(can_be_multiplied(weight, own) for own in part.weights):
            return part.components, [weight * own for own in part.weights], inside
    return (part,), (weight,), part.nested
