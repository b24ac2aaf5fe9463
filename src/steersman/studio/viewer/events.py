"""Events of a run for the marks of its timeline: changes of mode, contacts, vehicles that come or go, verdicts."""

import math
import time
from collections import Counter
from typing import Any

import numpy as np

from steersman.core.action_selection.change import code_of
from steersman.core.action_selection.modes import Modes
from steersman.core.typing import Array
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.runs.metrics.contacts import overlaps

MOST = 300
"""Largest number of events that are kept."""

TOGETHER = 0.25
"""Events of one kind within this time are one [s]."""

CROWD = 3000
"""Largest population whose contacts are noted."""

PART = 0.01
"""Largest part of the time that contacts may take."""

DEEP = 0.02
"""Least depth of a contact, as a part of the sum of the radii: vehicles that rest side by side touch by rounding."""

Event = tuple[int, float, str, str]
"""Number of steps, time [s], kind, and words."""


class Events:
    """The events of a run, as far as it was looked at.

    Args:
        whole: Whether contacts are looked for at every look, whatever time that takes.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole
        self.events: list[Event] = []
        self._cost = math.inf
        self._looked = -1
        self._forget()

    def look(self, world: World) -> None:
        """Note the changes since the last look; nothing in a part of the run that is repeated."""
        if world.steps <= self._looked:
            return
        first = self._looked < 0
        self._looked = world.steps
        events = [*self._comings(world), *self._changes(world), *self._contacts(world)]
        for kind, words in () if first else events:
            self.add(world, kind, words)

    def add(self, world: World, kind: str, words: str) -> None:
        """Note an event; one of the same kind just before becomes a part of it."""
        last = next((each for each in reversed(self.events) if each[2] == kind), None)
        if last is not None and world.time - last[1] < TOGETHER:
            if words not in last[3] and len(last[3]) < 120:
                self.events[self.events.index(last)] = (*last[:3], f"{last[3]}, {words}")
            return
        self.events = [*self.events[-MOST + 1 :], (world.steps, world.time, kind, words)]

    def since(self, time: float) -> list[Event]:
        """The events since a time [s]."""
        return [each for each in self.events if each[1] >= time]

    def cut_after(self, time: float) -> None:
        """Forget the events after a time [s], to which the run has gone back."""
        self.events = [each for each in self.events if each[1] <= time]
        self._forget()

    def cut(self, steps: int) -> None:
        """Forget the events after an instant, from which another run follows."""
        self.events = [each for each in self.events if each[0] <= steps]
        if self._looked > steps:
            self._forget()

    def _forget(self) -> None:
        """Forget how it was at the last look."""
        self._looked, self._due = -1, 0.0
        self._ids: dict[str, Array] = {}
        self._modes: dict[tuple[str, int], tuple[Array, Array]] = {}
        self._touching: dict[str, set[tuple[int, int]]] = {}

    def _comings(self, world: World) -> list[tuple[str, str]]:
        """Vehicles that have come, or gone."""
        events = []
        for name, population in world.populations.items():
            now, was = population.vehicles.id, self._ids.get(name)
            if was is None or not np.array_equal(was, now):
                came = 0 if was is None else len(np.setdiff1d(now, was, assume_unique=True))
                left = 0 if was is None else len(np.setdiff1d(was, now, assume_unique=True))
                events += [("birth", f"{name}: {came} came")] if came else []
                events += [("death", f"{name}: {left} left")] if left else []
                self._ids[name] = now.copy()
        return events

    def _changes(self, world: World) -> list[tuple[str, str]]:
        """Changes of mode."""
        events = []
        for name, population in world.populations.items():
            for key, names, codes in _modes_of(population):
                ids = population.vehicles.id
                if len(codes) != len(ids):
                    continue  # Vehicles that have come since the last step have no mode yet.
                was = self._modes.get((name, key))
                self._modes[name, key] = ids.copy(), codes.copy()
                if was is None or not np.array_equal(was[0], ids):
                    continue
                rows = np.flatnonzero(was[1] != codes)
                ways = [(names.get(int(was[1][k]), ""), names.get(int(codes[k]), "")) for k in rows]
                ids_of = {way: int(ids[k]) for way, k in zip(ways, rows, strict=True)}
                for (before, after), count in Counter(ways).items():
                    subject = f"{name} {ids_of[before, after]}" if count == 1 else f"{count} {name}"
                    if before and after:
                        events.append(("mode", f"{subject}: {before} to {after}"))
        return events

    def _contacts(self, world: World) -> list[tuple[str, str]]:
        """Pairs that have begun to overlap; for large populations not at every look."""
        began = time.perf_counter()
        if began < self._due and not self.whole:
            return []
        events = []
        for name, population in world.populations.items():
            vehicles = population.vehicles
            if not 1 < len(vehicles) <= CROWD or not np.isfinite(vehicles.position).all():
                continue
            rows, depth = overlaps(vehicles, world.domain)
            wide = vehicles.radius[rows].sum(axis=-1)
            now = {(int(a), int(b)) for a, b in vehicles.id[rows[depth > DEEP * wide]]}
            new = now - self._touching.get(name, now)
            self._touching[name] = now
            if new:
                a, b = min(new)
                events.append(
                    ("contact", f"{name}: {a} and {b} touch" if len(new) == 1 else f"{name}: {len(new)} contacts")
                )
        self._cost = min(self._cost, time.perf_counter() - began)  # The first look makes preparations for others.
        self._due = began + self._cost / PART
        return events


def _modes_of(population: Population) -> list[tuple[int, dict[int, str], Any]]:
    """Key, names of the modes by their numbers, and the mode of each vehicle, of each state machine."""
    machines = []
    for node in population.nodes:
        if isinstance(node.behavior, Modes) and (memory := population.memories.get(node.key)) is not None:
            names = {code_of(each): each for each in node.behavior.modes}
            machines.append((node.key, names, memory["mode"]))
    return machines
