"""One that watches a simulation, from a browser or from a notebook: what it has not been sent yet, and what it asks for."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from steersman.studio.viewer.simulation import Simulation
from steersman.studio.viewer.wishes import Wish, unheard


class Watcher:
    """One that watches: the newest of each kind waits for it, so what it is too slow for is forgotten.

    Args:
        simulation: What it watches.

    Attributes:
        waiting: What it has not been sent yet, by kind: texts are JSON, bytes are frames.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.waiting: dict[str, Any] = {}
        self._answers = 0

    def greet(self) -> None:
        """Have everything sent that there is to know."""
        told = self.simulation.told
        for kind in ("scene", *[kind for kind in list(told) if kind != "scene"]):
            if kind in told:
                self.put(kind, told[kind])

    def put(self, kind: str, message: Any) -> None:
        """Have something sent; what waits of the same kind is forgotten."""
        if kind == "scene":  # What waits is about another world.
            self.waiting = {name: each for name, each in self.waiting.items() if name.startswith("answer")}
        self.waiting[kind] = message

    def answer(self, message: Mapping[str, Any]) -> None:
        """Have an answer sent, unless too many wait already."""
        self._answers = (self._answers + 1) % 32
        self.put(f"answer {self._answers}", json.dumps(message))

    def next(self) -> Any:
        """What is to be sent next, which waits no more."""
        return self.waiting.pop(next(iter(self.waiting)))

    def ask(self, message: Any, answer: Callable[[Mapping[str, Any]], object]) -> None:
        """Hand on what it asks for; what is no JSON object is refused.

        Args:
            message: The message.
            answer: Called with the answer, in the thread of the simulation.
        """
        if not isinstance(message, dict):
            self.answer({"type": "refused", "message": "a message must be a JSON object"})
            return
        self.simulation.wishes.put(Wish(message, lambda given: answer({"re": message.get("re"), **given}), self))

    def leave(self) -> None:
        """Watch no longer: what it wanted to be told need not be told for it."""
        self.simulation.wishes.put(Wish({"do": "want"}, unheard, self))
