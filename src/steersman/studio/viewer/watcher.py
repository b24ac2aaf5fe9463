"""A watcher of a simulation, in a browser or in a notebook: the messages that wait for it, and its requests."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from steersman.studio.viewer.requests import Request, unheard
from steersman.studio.viewer.simulation import Simulation

TRACKS = 2**20
"""Largest size of the messages about the steps between frames that wait together [bytes]."""


class Watcher:
    """A watcher: the newest message of each kind waits for it; older ones are dropped if it is too slow.

    Args:
        simulation: The simulation.

    Attributes:
        waiting: The messages that are not sent yet, by kind: texts are JSON, bytes are frames.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.waiting: dict[str, Any] = {}
        self._answers = 0

    def greet(self) -> None:
        """Queue the whole present state. Until the page tells which part it sees, it is sent all."""
        self.simulation.requests.put(Request({"do": "look"}, unheard, self))
        state = self.simulation.sent
        for kind in ("scene", *[kind for kind in list(state) if kind != "scene"]):
            if kind in state:
                self.put(kind, state[kind])

    def put(self, kind: str, message: Any) -> None:
        """Queue a message, in place of a waiting one of the same kind; tracks are put together."""
        if kind == "scene":  # What waits is about another world.
            self.waiting = {name: each for name, each in self.waiting.items() if name.startswith("answer")}
        before = self.waiting.get(kind, b"") if kind == "track" else b""
        self.waiting[kind] = before + message if 0 < len(before) < TRACKS else message

    def answer(self, message: Mapping[str, Any]) -> None:
        """Queue an answer; none takes the place of another one."""
        self._answers += 1
        self.put(f"answer {self._answers}", json.dumps(message))

    def next(self) -> Any:
        """Take the next message to send out of the queue."""
        return self.waiting.pop(next(iter(self.waiting)))

    def ask(self, message: Any, answer: Callable[[Mapping[str, Any]], object]) -> None:
        """Pass a request to the simulation; a message that is no JSON object is refused.

        Args:
            message: The message.
            answer: Called with the answer, in the thread of the simulation.
        """
        if not isinstance(message, dict):
            self.answer({"type": "refused", "message": "a message must be a JSON object"})
            return
        self.simulation.requests.put(Request(message, lambda reply: answer({"re": message.get("re"), **reply}), self))

    def leave(self) -> None:
        """Leave the simulation, which ends all subscriptions of this watcher."""
        self.simulation.requests.put(Request({"do": "leave"}, unheard, self))
