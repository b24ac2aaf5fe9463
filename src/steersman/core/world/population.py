"""A population in a world: vehicles, the tree that steers them, its memory, and the body that moves them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.open import Open
from steersman.core.kernels.signals import Action, at_once
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.parameters.arrays import as_array, as_floats, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import NUMBER, Description
from steersman.core.parameters.per_vehicle import NumberColumn
from steersman.core.parameters.showing import Shown
from steersman.core.steering.behavior import Behavior, as_behavior
from steersman.core.steering.driving.leading import lead_memory
from steersman.core.steering.driving.resting import resting_memory
from steersman.core.steering.sensing.last_heard import LastHeard
from steersman.core.steering.tree.lookup import find_node
from steersman.core.steering.tree.tree import Node, assign_keys, grow
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory, schema_of
from steersman.core.vehicles.turnover import Turnover, turnover
from steersman.core.vehicles.turns import Turn, takes_turn
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.flow import Flow
from steersman.core.world.flows.flows import Flows

YIELDS = Description("yields", NUMBER, low=0.0)
"""The weight of a population when it shares the work of avoiding with another one."""

LOCOMOTION_KEY = -1
"""The key of the body's memory; those of nodes count from 0."""


class Population(Shown):
    """Vehicles with their steering tree and its memory.

    Attributes:
        tree: The nodes of the steering tree with their keys; None without steering.
        memories: Memory of the stateful nodes, by key, and of the body, by LOCOMOTION_KEY.
        addressed: Ids of the vehicles that were present when the tree was assigned, shape (n,).
        edition: Counts the replacements of the tree and the body.
        flowing: The flows by which vehicles come and go, and their state.
    """

    __slots__ = (
        "__weakref__", "_births", "_ids", "_locomotion", "_name", "_next_key", "_remembering", "_vehicles", "_yields",
        "addressed", "edition", "flowing", "memories", "tree",
    )  # fmt: skip # A misspelled `steering` is an error.

    def __init__(self, name: str, vehicles: Vehicles, steering: Any, locomotion: Locomotion) -> None:
        if not isinstance(vehicles, Vehicles):
            raise TypeError(f"vehicles must be Vehicles, got {brief(vehicles)}")
        if not isinstance(name, str):
            raise TypeError(f"name must be a text, got {brief(name)}")
        self._name, self._vehicles, self.edition = name, vehicles, 0
        self._yields: float | None = None
        self._begin(steering, as_locomotion(locomotion))

    def _begin(self, steering: Any, locomotion: Locomotion) -> None:
        """Set all state to that of a new population, with empty memory."""
        self.tree: Node | None = None
        self.memories: dict[int, Memory] = {}
        self.flowing = Flows()
        self._next_key = 0
        self._remembering: list[Node] = []
        self._ids = self.addressed = self._vehicles.id
        self._births = self._vehicles.births
        self._locomotion = locomotion
        self.steering = steering

    def __repr__(self) -> str:
        steering, locomotion = "nothing" if self.tree is None else self.tree.label, type(self.locomotion).__name__
        return f"Population({self.name!r}, {self.vehicles!r}, steering={steering}, locomotion={locomotion})"

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def vehicles(self) -> Vehicles:
        """The vehicles; `spawn` and `remove` change their number."""
        return self._vehicles

    @property
    def turns(self) -> list[Turn]:
        """The turns of all objects that step its vehicles."""
        return self._vehicles.turns

    @property
    def locomotion(self) -> Locomotion:
        """The body that moves the vehicles. Another body of the same class takes over its memory."""
        return self._locomotion

    @locomotion.setter
    @takes_turn
    def locomotion(self, locomotion: Locomotion) -> None:
        self._remember(self.tree, as_locomotion(locomotion))
        self.edition += 1

    @property
    def steering(self) -> Behavior | None:
        """The steering tree. Assigning another one keeps the memory of the nodes that it continues (see `tree`)."""
        return None if self.tree is None else cast(Behavior, self.tree.behavior)

    @steering.setter
    @takes_turn
    def steering(self, steering: Any) -> None:
        tree = None if steering is None else grow(as_behavior(steering))
        next_key = self._next_key if tree is None else assign_keys(tree, self.tree, self._next_key)
        self._remember(tree)
        self._next_key, self.tree, self.addressed = next_key, tree, self.vehicles.id
        self.edition += 1

    @property
    def yields(self) -> float | None:
        """How readily its vehicles give way to those of other populations; may be assigned.

        Of two that avoid each other by ORCA, AvoidNeighbors or ContextMap, each does the part yields / (sum of both) of
        the avoiding. None: 1, and 0 as long as there is no steering: then the others do all of it.
        """
        return self._yields

    @yields.setter
    def yields(self, yields: float | None) -> None:
        self._yields = None if yields is None else float(YIELDS.normal(yields))

    @property
    def gives_way(self) -> float:
        """The weight that `yields` stands for: see there for None."""
        if self._yields is not None:
            return self._yields
        return 0.0 if self.tree is None else 1.0

    @property
    def flows(self) -> tuple[Flow, ...]:
        """Spawners and Sinks, which let vehicles come and go between steps, in this order; may be assigned.

        A new flow with the name of a former one continues its count.
        """
        return self.flowing.all

    @flows.setter
    @takes_turn
    def flows(self, flows: Any) -> None:
        self.flowing.replace(flows, self.vehicles)

    def passed(self, which: Any) -> int:
        """The number of vehicles that have come or gone by a flow so far.

        Args:
            which: The flow, or its name ("Spawner 1", "Sink 2", ... for flows without a given name).
        """
        return self.flowing.passed(which)

    @explained
    def node(self, which: Any = None, kind: type[Any] | None = None) -> Node:
        """A node of the steering tree (see `find_node`).

        Raises:
            KeyError: There is no such node, or the name is ambiguous.
        """
        return find_node(self.tree, which, kind)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the steering tree, parents first; none where nothing steers."""
        return () if self.tree is None else tuple(self.tree.walk())

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of the nodes of the tree, in the order in which it is walked."""
        return tuple(node.key for node in self.nodes)

    @property
    def next_key(self) -> int:
        """The first key that was never used."""
        return self._next_key

    @explained
    @takes_turn
    def resume(
        self,
        *,
        keys: Sequence[int] | None = None,
        next_key: int | None = None,
        addressed: Any = None,
        memory: Mapping[int, Mapping[str, Any]] | None = None,
        flows: Mapping[str, tuple[int, Mapping[str, Any]]] | None = None,
    ) -> None:
        """Continue from the state of another population with an equal tree.

        Args:
            keys: The keys of its nodes, in the order in which the tree is walked. Default: as they are.
            next_key: The first key that it never used.
            addressed: Ids of the vehicles that were present when its tree was assigned, shape (n,).
            memory: The memory of its nodes and body, by key: columns, shape (n, ...), by name.
            flows: The state of its flows, by name: the number of vehicles that have passed, and columns.

        Raises:
            KeyError: No node with such a key has memory, or no such column.
            ValueError: The numbers of keys and nodes differ, or a key occurs twice.
        """
        keys = self.keys if keys is None else tuple(keys)
        if len(keys) != len(self.keys) or len({*keys, LOCOMOTION_KEY}) != len(keys) + 1:
            raise ValueError(f"keys must be {len(self.keys)} different whole numbers >= 0, one a node, got {[*keys]}")
        known = {**dict(zip(self.keys, keys, strict=True)), LOCOMOTION_KEY: LOCOMOTION_KEY}
        for node, key in zip(self.nodes, keys, strict=True):
            node.key = key
        self.memories = {known[key]: remembered for key, remembered in self.memories.items()}
        self._next_key = max(self._next_key, max(keys, default=-1) + 1, next_key or 0)
        self.addressed = self.addressed if addressed is None else np.array(addressed, np.int64)
        for name, (passed, state) in (flows or {}).items():
            self.flowing.resume(name, passed, state)
        for key, columns in (memory or {}).items():
            if key not in self.memories:
                raise KeyError(f"nothing with the key {key} remembers anything; keys: {[*self.memories]}")
            self.memories[key].update(columns)
            self.memories[key].accept()
        self.edition += 1

    @takes_turn
    def restart(self, vehicles: Vehicles, **remembered: Any) -> None:
        """Continue from the state of another population with an equal tree, vehicles included, in the same Vehicles object.

        Args:
            vehicles: The state of its vehicles.
            **remembered: Its memory, as for `resume`.

        Raises:
            KeyError, ValueError: As for `resume`.
        """
        flows = self.flows
        self._vehicles.replace(vehicles.__getstate__())
        self._begin(self.steering, self._locomotion)
        self.flows = flows
        self.resume(**remembered)

    @explained
    @takes_turn
    def hold(
        self, block: Array, ids: Array, births: Array, born: int, next_id: int, memories: Mapping[int, Sequence[Array]],
        capacity: int | None = None,
    ) -> None:  # fmt: skip
        """Replace all vehicles and their memory by others, in the same arrays if there is room.

        Args:
            block, ids, births, born, next_id, capacity: See `Vehicles.hold`.
            memories: For each key the values of memory (see `Memory.hold`).
        """
        self._vehicles.hold(block, ids, births, born, next_id, capacity)
        held = {key: memory.hold(memories[key], self._vehicles.capacity) for key, memory in self.memories.items()}
        at_once([(setattr, self, "memories", held), *self._caught_up()])

    def replaceable(self) -> dict[str, Any]:
        """The attributes that `restart` replaces, except the vehicles; `take_back` restores them."""
        names = ("tree", "memories", "flowing", "_next_key", "_remembering", "_ids", "_births", "addressed")
        return {name: getattr(self, name) for name in names}

    def take_back(self, replaceable: Mapping[str, Any]) -> None:
        """Restore the attributes from before `restart`."""
        for name, value in replaceable.items():
            setattr(self, name, value)
        self.edition += 1

    @takes_turn
    def memory(self, which: Any) -> dict[str, Array]:
        """The memory of a behavior for every vehicle: a wander angle, a checkpoint, a mode.

        Args:
            which: The name given to the behavior, the name of its class if there is only one, or the behavior itself.

        Returns:
            Column -> read-only copy of its values, shape (n, ...), one row a vehicle; `remember` changes them.

        Raises:
            KeyError: There is no such behavior, the name is ambiguous, or the behavior has no memory.
        """
        return {name: frozen(column) for name, column in self._memory_of(which).snapshot().items()}

    @takes_turn
    def remember(self, which: Any, ids: Any = None, /, **columns: Any) -> None:
        """Change the memory of a behavior between steps: `herd.remember("Modes", [3, 7], entered=-1.0)`.

        Args:
            which: The behavior, as for `memory`.
            ids: The vehicles: an id, ids, or a mask of shape (n,). Default: all.
            **columns: New values of its columns, one row for each vehicle, shape (k, ...), or one for all of them.

        Raises:
            KeyError: There is no such behavior, column or vehicle.
            ValueError: A value is out of the range of the column. After any error nothing has changed.
        """
        memory = self._memory_of(which)
        unknown = [name for name in columns if name not in memory]
        if unknown:
            raise KeyError(f"there is no column {unknown[0]!r} in this memory; there are: {', '.join(memory)}")
        rows = slice(None) if ids is None else self.vehicles.rows(ids)
        new = {name: _as_memory(name, values, memory[name][rows]) for name, values in columns.items()}
        for name, values in new.items():
            memory[name][rows] = values
        memory.accept()

    @takes_turn
    def hear(self, domain: Domain, time: float, at: Any, loudness: float) -> None:
        """Let the vehicles hear a noise (see `Stepping.noise`)."""
        self._vehicles.bring_home()
        self.keep_up()
        for node in self.nodes:
            if isinstance(node.behavior, LastHeard):
                node.behavior.hear(self.memories[node.key], self.vehicles, domain, time, at, loudness)

    def order(self, vehicles: Any, /, *, missing: str = "raise", **orders: Any) -> Array:
        """Give orders to vehicles by id between steps: `army.order(squad, goal=(40, 10), missing="ignore")`.

        Args:
            vehicles: The vehicles: an id, ids, or a mask of shape (n,).
            missing: What to do about ids of vehicles that are not there: "raise" an error, or "ignore" them.
            **orders: New values of columns of `Orders`: a number or a point (d,) for all of them, or one for each; None: no
                point. `mode="flee"`, or a name for each, sets the mode of a `Modes`.

        Returns:
            The ids of the vehicles that the orders reached, shape (k,).

        Raises:
            KeyError: There is no such column, or it is there twice; there is no vehicle with an id.
            ValueError: A number is out of the range of a parameter that reads it. After any error no order was given.
        """
        if missing not in ("raise", "ignore"):
            raise ValueError(f'missing must be "raise" or "ignore", got {brief(missing)}')
        self._vehicles.bring_home()
        self.keep_up()
        requested = np.atleast_1d(as_array("ids", vehicles))
        there = np.ones(len(requested), bool)
        if requested.dtype != bool:
            there = self.vehicles.alive(requested)
            if missing == "raise" and not there.all():
                gone = brief(requested[~there][0].item())
                raise KeyError(f'no vehicle has id {gone}; please give missing="ignore" to order those that are there')
        rows = self.vehicles.rows(requested[there])
        changes = [change for name, value in orders.items() for change in self._ordered(name, value, rows, there)]
        for memory, columns in changes:
            for name, values in columns.items():
                memory[name][rows] = values
        for memory, _ in changes:
            memory.accept()
        return self.vehicles.id[rows]

    def _ordered(self, name: str, value: Any, rows: Array, there: Array) -> list[tuple[Memory, Any]]:
        """The memories that an order changes, each with new values of its columns.

        Args:
            name: The column of Orders, or "mode".
            value: The order.
            rows: The rows of the vehicles that get it, shape (k,).
            there: Of the vehicles that were asked for, whether each exists.
        """
        takers = [
            node
            for node in self.nodes
            if (node.behavior.orders or name == "mode") and name in self.memories.get(node.key, ())
        ]
        if len(takers) != 1:
            known = [
                column for node in self.nodes if node.behavior.orders for column in self.memories.get(node.key, ())
            ]
            several = "is in several behaviors; give it with remember" if takers else "is not there"
            raise KeyError(f"the column {name!r} {several}; columns of Orders: {', '.join(known) or 'none'}")
        (node,) = takers
        memory = self.memories[node.key]
        if not node.behavior.orders:
            each = value if isinstance(value, str) else _for_existing(name, np.asarray(value), there, ())
            return [(memory, node.behavior.entering(each))]  # type: ignore[attr-defined]
        column = memory[name]
        if value is None and column.ndim == 2:
            new = np.full(column.shape[1], np.nan)
        else:
            new = as_floats(name, value, column.dtype)
        new = np.broadcast_to(_for_existing(name, new, there, column.shape[1:]), column[rows].shape)
        for reader in node.walk():
            for each in vars(reader.behavior).values():
                for number in each if isinstance(each, tuple) else (each,):
                    if isinstance(number, NumberColumn) and number.column == name:
                        number.check(new)
        more = [(self.memories.get(each.key), each.behavior.when_ordered(name)) for each in node.walk()]
        return [(memory, {name: new}), *((other, changed) for other, changed in more if other is not None and changed)]

    def _memory_of(self, which: Any) -> Memory:
        self._vehicles.bring_home()
        self.keep_up()
        node = self.node(which)
        if node.key not in self.memories:
            raise KeyError(f"{node.label} remembers nothing")
        return self.memories[node.key]

    def recalled(self, key: int) -> tuple[Array, dict[str, Array]]:
        """The memory with a key as it is, without adapting it to vehicles that came or went.

        Returns:
            The ids of the vehicles in the memory, shape (m,), and copies of its columns, shape (m, ...); none where there is
            no memory. Removed vehicles have the id -1, because a new vehicle may have their id by now.
        """
        self._vehicles.bring_home()
        ids = self._ids
        if self._births is not self.vehicles.births:
            ids = np.where(np.isin(self._births, self.vehicles.births), ids, -1)
        return ids, self.memories[key].snapshot() if key in self.memories else {}

    def keep_up(self) -> None:
        """Adapt memory to vehicles that were spawned or removed, in the same arrays if there is room."""
        births, capacity = self.vehicles.births, self.vehicles.capacity
        self.vehicles.bring_home()
        if self._births is not births:
            turn = turnover(self._births, births)
            self.flowing.forget(self._ids[turn.gone])
        else:
            turn = None
        if any(memory.capacity != capacity for memory in self.memories.values()):
            self._remember(self.tree)
        elif turn is not None:
            self._follow(turn)

    def _remember(self, tree: Node | None, body: Locomotion | None = None) -> None:
        """Make memory for a tree and a body; take over present memory of the same keys, for vehicles that stayed.

        Args:
            tree: The tree.
            body: A body in place of the present one; of another class it takes over nothing. Default: the present one.
        """
        body = self._locomotion if body is None else body
        other_body = type(body) is not type(self._locomotion)
        self._vehicles.bring_home()
        older, capacity = self.memories, self.vehicles.capacity
        turn, n = turnover(self._births, self.vehicles.births), len(self._births)
        memories = {}
        still = () if tree is None else {node.key for node in tree.walk() if node.behavior.orders}
        for key, columns in _at_start([] if tree is None else tree.walk(), body, self.vehicles).items():
            continued = key in older and older[key].schema() == schema_of(columns)
            continued = continued and not (other_body and key == LOCOMOTION_KEY)
            memory = memories[key] = Memory(columns, capacity)
            memory.still = key in still
            if continued:
                memory.inherit(older[key], turn.from_rows(n))
        self._remembering = [] if tree is None else [node for node in tree.walk() if node.key in memories]
        at_once([(setattr, self, "memories", memories), (setattr, self, "_locomotion", body), *self._caught_up()])

    def _caught_up(self) -> list[Action]:
        """The actions that note that memory is adapted to the present vehicles."""
        return [(setattr, self, "_ids", self.vehicles.id), (setattr, self, "_births", self.vehicles.births)]

    def _follow(self, turn: Turnover) -> None:
        """Adapt memory to vehicles that came or went, within the present arrays."""
        fresh: dict[int, Mapping[str, Array]] = {}
        if turn.stayed < turn.n:
            fresh = _at_start(self._remembering, self._locomotion, self.vehicles)
            if any(schema_of(fresh.get(key, {})) != memory.schema() for key, memory in self.memories.items()):
                self._remember(self.tree)
                self.edition += 1
                return
        follow = [each for key, memory in self.memories.items() for each in memory.following(turn, fresh.get(key, {}))]
        at_once([*follow, *self._caught_up()])


def _for_existing(name: str, values: Array, there: Array, row: tuple[int, ...]) -> Array:
    """The values for the vehicles that exist, from one value for all or one for each vehicle that was asked for.

    Args:
        name: The name in messages.
        values: The values, shape `row` or (k, *row).
        there: Whether each vehicle that was asked for exists, shape (k,).
        row: The shape of one value.
    """
    if values.shape == row:
        return values
    if values.shape == (len(there), *row):
        return np.asarray(values[there])
    raise ValueError(f"{name} must have shape {row} or {(len(there), *row)}, got {values.shape}")


def _as_memory(name: str, values: Any, column: Array) -> Array:
    """New values of a column of memory, in its shape and type."""
    array = as_array(name, values)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must be numbers, got {brief(values)}")
    with np.errstate(all="ignore"):
        new = array.astype(column.dtype)
    same = new == array if column.dtype.kind in "iub" else np.isfinite(new) == np.isfinite(array)
    if np.isnan(array).any() or not np.all(same):
        raise ValueError(f"{name} must fit into a column of {column.dtype}, and not be NaN, got {brief(values)}")
    try:
        return np.broadcast_to(new, column.shape)
    except ValueError:
        raise ValueError(f"{name} must be one value or have shape {column.shape}, got shape {array.shape}") from None


def as_domain(domain: Domain | None) -> Domain:
    """The domain; Open() if none is given."""
    if domain is not None and not isinstance(domain, Domain):
        raise TypeError(f"domain must be Open(), Torus(size) or Box(size), got {brief(domain)}")
    return Open() if domain is None else domain


def as_locomotion(locomotion: Any) -> Locomotion:
    """The body, which is checked."""
    if not isinstance(locomotion, Locomotion):
        how = f": write {locomotion.__name__}()" if isinstance(locomotion, type) else ""
        raise TypeError(f"locomotion must be a body such as PointMass(), got {brief(locomotion)}{how}")
    return locomotion


def _columns_of(node: Node, vehicles: Vehicles) -> Mapping[str, Array]:
    """The initial columns of memory of a node."""
    columns = dict(node.behavior.init(vehicles))
    if node is node.resting:
        columns |= resting_memory(vehicles)
    if node is node.led:
        columns |= lead_memory(vehicles)
    return columns


def _at_start(nodes: Iterable[Node], body: Locomotion, vehicles: Vehicles) -> dict[int, Mapping[str, Array]]:
    """Key -> initial columns of memory, of nodes and of the body.

    Raises:
        ValueError: A column does not have one row per vehicle.
    """
    initial = [(node.key, node.label, _columns_of(node, vehicles)) for node in nodes]
    initial.append((LOCOMOTION_KEY, type(body).__name__, body.columns(vehicles)))
    n = len(vehicles)
    for _, label, columns in initial:
        for name, column in columns.items():
            if np.shape(column)[:1] != (n,):
                raise ValueError(
                    f"memory column {name!r} of {label} must have one row per vehicle ({n}), "
                    f"got shape {np.shape(column)}"
                )
    return {key: columns for key, _, columns in initial if columns}
