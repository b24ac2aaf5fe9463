"""Modes: a state machine for every vehicle, all at once.

    mode  = target of the first transition out of the mode that holds, else mode
    force = force_mode

Reynolds 1999, "Combining Behaviors": a character may switch between behavioral modes as circumstances change in its world.
Caribou graze until they sense that wolves approach. Then they flee, and do not blend the two. Within a mode, behaviors are
blended as usual: a mode is any behavior or combinator, Modes included.

In every step each vehicle takes the first transition out of its mode with a condition that holds, if there is one; then the
mode that it is in steers it. After a change no transition is taken for the time `cooldown`, so that vehicles do not change
back and forth in every step when two conditions hold at once.

Memory stores a mode by its name, so vehicles keep their modes when the tree is replaced by one with modes in another order or
with new modes. It also stores the transition that took a vehicle into its mode, for `world.explain`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.action_selection.after import ROUNDING
from steersman.core.action_selection.change import ANY, NONE, code_of, departures, numbers_of
from steersman.core.action_selection.condition import Condition, Truth, judge_calls, remembers
from steersman.core.action_selection.kind import as_condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO
from steersman.core.parameters.brief import brief
from steersman.core.parameters.expression import user_value
from steersman.core.parameters.kinds import FLAG, TEXT, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior, as_behavior
from steersman.core.steering.combining.weighted_sum import bind_sum
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import RAW, Out
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

Hook = Callable[[Vehicles, Array], object]
"""Called with the vehicles and a mask of those that entered a mode, shape (n,), bool."""


class Rules(NamedTuple):
    """The state machine as kernels take it.

    Attributes:
        codes: The modes by their numbers, shape (k,), int64 (see `code_of`).
        start: Row of the mode in which all vehicles begin, shape (1,), int64.
        restarts: Whether a vehicle begins anew if another node has steered it meanwhile, shape (1,), bool.
        cooldown: The least duration of each mode [s], shape (k,), float64.
        leaves: Whether transition t leaves mode k, shape (t, k), uint8.
        enters: Row of the mode that each transition enters, shape (t,), int64.
        holds: Whether the condition of each transition holds, shape (t, n), uint8.
    """

    codes: Array
    start: Array
    restarts: Array
    cooldown: Array
    leaves: Array
    enters: Array
    holds: Array


class State(NamedTuple):
    """The columns of memory, shape (n,) each.

    Attributes:
        mode: The number of the mode of each vehicle.
        entered: The time at which the vehicle entered it [s]; negative: never.
        asked: The step in which this behavior last steered the vehicle; negative: none.
        fired: The number of the transition that led to the mode; negative: none.
    """

    mode: Array
    entered: Array
    asked: Array
    fired: Array


class ModeState(NamedTuple):
    """The modes of vehicles at the beginning of a step: row of the mode, and the time at which it was entered [s]."""

    row: Array
    entered: Array


@kernel
def place_of(code: int, rules: Rules) -> Any:
    """The row of the mode with a number; the row of the start if no mode has it any more."""
    for k in range(rules.codes.size):
        if rules.codes[k] == code:
            return k
    return rules.start[0]


@row_kernel
def recall(i: int, active: Array, now: State, rules: Rules, clock: Clock, at: ModeState) -> None:
    """Find the mode of each vehicle at the beginning of the step."""
    time, step = clock.time[0], np.int64(clock.step[0])
    row, goes_on = place_of(now.mode[i], rules), now.entered[i] >= ZERO
    if rules.restarts[0] and now.asked[i] + 1 != step:
        row, goes_on = rules.start[0], False
    goes_on = goes_on and rules.codes[row] == now.mode[i]
    at.row[i], at.entered[i] = row, (now.entered[i] if goes_on else time)


@row_kernel(every=True)
def select(i: int, active: Array, rules: Rules, t: int, at: ModeState, evaluated: Array) -> None:
    """Flag the vehicles in a mode that transition t leaves: only these need its condition."""
    evaluated[i] = active[i] != 0 and rules.leaves[t, at.row[i]] != 0


@kernel
def taken(i: int, row: int, entered: float, rules: Rules, time: float) -> Any:
    """The first transition out of a mode with a condition that holds; -1 for none."""
    if time - entered >= rules.cooldown[row]:
        for t in range(rules.enters.size):
            if rules.leaves[t, row] and rules.holds[t, i]:
                return t
    return -1


@row_kernel(every=True)
def decide(i: int, active: Array, at: ModeState, rules: Rules, clock: Clock, following: State, steered: Array) -> None:
    """Take the first transition with a condition that holds; flag the vehicles of each mode in `steered`, shape (k, n)."""
    time = clock.time[0]
    for k in range(rules.codes.size):
        steered[k, i] = 0
    if not active[i]:
        return
    mode, entered = at.row[i], at.entered[i]
    t = taken(i, mode, entered, rules, time)
    if t >= 0:
        mode, entered = rules.enters[t], time
    following.mode[i], following.entered[i] = rules.codes[mode], entered
    following.asked[i] = np.int64(clock.step[0])
    steered[mode, i] = 1


@row_kernel
def note(i: int, entered: Array, at: ModeState, rules: Rules, numbers: Array, clock: Clock, fired: Array) -> None:
    """Store the transition of every vehicle that enters a mode now.

    That is rare, so it is not a part of `decide`.
    """
    time = clock.time[0]
    if entered[i] == time:
        t = taken(i, at.row[i], at.entered[i], rules, time)
        fired[i] = numbers[t, at.row[i]] if t >= 0 else NONE


class Transition(NamedTuple):
    """A transition between modes.

    Attributes:
        leaves: The modes that it leaves, or ("*",).
        enters: The mode that it enters.
        when: The condition that must hold.
    """

    leaves: tuple[str, ...]
    enters: str
    when: Condition


@user_value.register
def _(transition: Transition) -> tuple[Any, ...]:
    leaves = transition.leaves[0] if len(transition.leaves) == 1 else list(transition.leaves)
    return leaves, transition.enters, transition.when


def check_mode(argument: str, name: Any, modes: Mapping[str, Any]) -> None:
    """Raise ValueError when there is no mode of a name."""
    if name not in modes:
        raise ValueError(f"{argument} must name modes that there are ({', '.join(modes)}), got {brief(name)}")


def as_modes(name: str, value: Any) -> dict[str, Behavior]:
    """Name -> behavior."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a table of names and behaviors, got {brief(value)}")
    if not value or not all(isinstance(key, str) and key not in ("", ANY) for key in value):
        raise ValueError(f'{name} must be at least one, each with a name other than "" and "*", got {[*value]}')
    return {key: as_behavior(part) for key, part in value.items()}


def as_transitions(name: str, value: Any, modes: Mapping[str, Any]) -> tuple[Transition, ...]:
    """Transitions between some modes."""
    if isinstance(value, (str, Mapping)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} must be a list of triples (mode, next mode, condition), got {brief(value)}")
    transitions = []
    for triple in value:
        if isinstance(triple, (str, Mapping)) or not hasattr(triple, "__len__") or len(triple) != 3:
            raise TypeError(f"{name} must be triples (mode, next mode, condition), got {brief(triple)}")
        leaves, enters, when = triple
        names = (leaves,) if isinstance(leaves, str) else tuple(leaves)
        for each in (*names, enters):
            if each != ANY or each is enters:
                check_mode(name, each, modes)
        transitions.append(Transition(names, enters, as_condition(when)))
    return tuple(transitions)


def as_cooldown(name: str, value: Any, modes: Mapping[str, Any]) -> float | dict[str, float]:
    """Seconds for all modes, or mode -> seconds."""
    for mode, seconds in (value if isinstance(value, Mapping) else dict.fromkeys(modes, value)).items():
        check_mode(name, mode, modes)
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float, np.number)):
            raise TypeError(f"{name} must be a number >= 0 s, or mode -> number, got {brief(seconds)}")
        if not 0 <= seconds < np.inf:
            raise ValueError(f"{name} must be >= 0 s and finite, got {brief(seconds)}")
    return dict(value) if isinstance(value, Mapping) else value


def as_hooks(name: str, value: Any, modes: Mapping[str, Any]) -> dict[str, Hook]:
    """Mode -> function that is called when vehicles have entered it."""
    if not isinstance(value, Mapping) or not all(map(callable, value.values())):
        raise TypeError(f"{name} must be a table of modes and functions, got {brief(value)}")
    for mode in value:
        check_mode(name, mode, modes)
    return dict(value)


MODES = Kind("modes", "name -> behavior", as_modes)
TRANSITIONS = Kind("transitions", "triples (mode, next mode, condition)", as_transitions)
COOLDOWN = Kind("cooldown", "a number >= 0 s, or mode -> number", as_cooldown)
HOOKS = Kind("hooks", "mode -> function (vehicles, rows)", as_hooks)


@registered
class Modes(Behavior):
    """One behavior at a time, chosen for every vehicle by conditions.

        sm.Modes(
            {"graze": sm.Wander(speed=1), "flee": sm.Evade(wolves) + sm.Separation()},
            start="graze",
            transitions=[
                ("graze", "flee", sm.Near(wolves, 40)),
                ("flee", "graze", sm.After(3) & ~sm.Near(wolves, 60)),
            ],
        )

    Only the current mode's part is computed, and only its memory advances. `modes_of` gives the mode of every vehicle.

    Args:
        modes: Name -> behavior (or function `vehicles -> forces`).
        start: The mode in which all vehicles begin.
        transitions: Triples (mode, next mode, condition), the first in order wins. The mode may be several, in a list, or
            "*" for any other than the next one. The condition may be a function `vehicles -> bool (n,)`.
        cooldown: How long a mode lasts at least [s]: a number, or mode -> number. Raising it makes changes rarer.
        on_enter: Mode -> function of (vehicles, who), called after a step in which vehicles have entered the mode, the
            start included; `who` is a mask, shape (n,), bool: `lambda vehicles, who: vehicles.remove(who)`. A step that is
            refused calls nothing.
        resume: Whether a vehicle that another node has steered meanwhile (one before it in a Priority, another mode of
            Modes around this one) goes on in the mode that it was in. Without, it begins anew at the start.
    """

    modes: Mapping[str, Any] = parameter(kind=MODES, positional=True)
    start: str = parameter(kind=TEXT)
    transitions: Any = parameter((), kind=TRANSITIONS, of="modes")
    cooldown: float | Mapping[str, float] = parameter(0.0, kind=COOLDOWN, of="modes", unit="s")
    on_enter: Mapping[str, Hook] | None = parameter(None, kind=HOOKS, of="modes", optional=True)

    resume: bool = parameter(True, kind=FLAG)

    def validate(self) -> None:
        """Check that the start is one of the modes."""
        check_mode("start", self.start, self.modes)

    def parts(self) -> tuple[Behavior, ...]:
        """The behaviors of the modes."""
        return tuple(self.modes.values())

    def defers(self, index: int) -> bool:
        """All parts: each mode is asked about the vehicles in it, each condition about those in the modes that it leaves."""
        return True

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of the transitions."""
        return tuple(when for _, _, when in self.transitions)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The initial columns of memory (see `State`)."""
        n = len(vehicles)
        mode, never = np.full(n, code_of(self.start), np.int64), np.full(n, -1)
        return {"mode": mode, "entered": np.full(n, -1.0), "asked": never, "fired": np.full(n, NONE, np.int32)}

    def names(self, mode: Array) -> Array:
        """The names of modes by their numbers in memory, shape (n,), str."""
        known = {code_of(name): name for name in self.modes}
        return np.array([known.get(int(code), self.start) for code in mode], dtype=np.str_)

    def entering(self, mode: Any) -> dict[str, Any]:
        """The memory of vehicles that are put into a mode, or into one each: they enter it in the next step."""
        for name in np.unique(np.asarray(mode)).tolist():
            check_mode("mode", name, self.modes)
        codes = [code_of(str(name)) for name in np.ravel(mode)]
        return {
            "mode": codes[0] if isinstance(mode, str) else np.array(codes, np.int64),
            "entered": -1.0,
            "fired": NONE,
        }

    def rules(self, node: Node, n: int) -> Rules:
        """The state machine as arrays, for its node in a tree and n vehicles."""
        row = {name: k for k, name in enumerate(self.modes)}
        least = self.cooldown if isinstance(self.cooldown, Mapping) else dict.fromkeys(row, self.cooldown)
        leaves = np.zeros((len(self.transitions), len(row)), np.uint8)
        for t, left, *_ in departures(node):
            leaves[t, row[left]] = 1
        return Rules(
            np.array([code_of(name) for name in row], np.int64),
            np.array([row[self.start]], np.int64),
            np.array([not self.resume]),
            np.array([least.get(name, 0.0) * (1 - ROUNDING) for name in row]),
            leaves,
            np.array([row[enters] for _, enters, _ in self.transitions], np.int64),
            np.zeros((len(self.transitions), n), np.uint8),
        )

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """Judge the conditions, decide, and let each mode steer its vehicles."""
        n = scene.capacity
        rules, steered = self.rules(scene.node, n), np.zeros((len(self.modes), n), np.uint8)
        now, following = (State(*map(get, State._fields)) for get in (memory.now, memory.next))
        at = ModeState(np.zeros(n, np.int64), np.zeros(n))
        scene.show(mode=at.row)
        calls = [Call(recall, (out.active, now, rules, scene.clock, at))]
        active = []
        for t, node in enumerate(scene.node.conditions):
            active.append(out.active if remembers(scene.shared, node) else np.zeros(n, np.uint8))
            if active[t] is not out.active:
                calls.append(Call(select, (out.active, rules, t, at, active[t])))
        calls += scene.look_calls(zip(scene.node.conditions, active, strict=True))
        for t, node in enumerate(scene.node.conditions):
            calls += judge_calls(scene.shared, node, Truth(rules.holds[t], active[t], at.entered))
        calls.append(Call(decide, (out.active, at, rules, scene.clock, following, steered)))
        calls.append(Call(note, (following.entered, at, rules, numbers_of(scene.node), scene.clock, following.fired)))
        calls += bind_sum(scene, out, [1.0] * len(self.modes), RAW, steered)
        if self.on_enter:
            scene.afterwards(_Entering(self.on_enter, scene, now))
        return calls


class _Entering:
    """Collects the hooks that are due when a step is accepted."""

    def __init__(self, hooks: Mapping[str, Hook], scene: Scene, now: State) -> None:
        self.hooks, self.scene, self.now = hooks, scene, now
        self.codes = {name: code_of(name) for name in hooks}

    def __call__(self) -> list[Callable[[], object]]:
        """The hooks to call. The vehicles that entered a mode are found now, before a hook removes vehicles."""
        ids = self.scene.vehicles.id
        mode, entered = self.now.mode[: len(ids)], self.now.entered[: len(ids)] == self.scene.clock.time[0]
        entries = [(name, ids[entered & (mode == code)]) for name, code in self.codes.items()]
        return [_Entered(self.hooks[name], self.scene.vehicles, members) for name, members in entries if len(members)]


@dataclass(frozen=True)
class _Entered:
    """One hook, with the ids of the vehicles that have entered its mode."""

    hook: Hook
    vehicles: Vehicles
    ids: Array

    def __call__(self) -> None:
        """Call the hook with a mask, without vehicles that another hook has removed meanwhile."""
        mask = np.isin(self.vehicles.id, self.ids)
        if mask.any():
            self.hook(self.vehicles, mask)
