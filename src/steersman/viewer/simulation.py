"""The simulation behind a window: a thread of its own that steps a world, obeys the page, and tells what there is.

Whoever listens is told by `tell(kind, message)` and must not take long; what a browser cannot keep up with is dropped there,
so that nothing here ever waits.
"""

import dataclasses
import json
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.description import describe
from steersman.environment.resources import Resources
from steersman.scenarios.documents import to_document
from steersman.scenarios.registry import SCENARIOS
from steersman.scenarios.stage import Stage
from steersman.scenarios.toml_text import to_toml
from steersman.viewer import trees
from steersman.viewer.packing import elements_of, frame_of, packed, scene_of
from steersman.viewer.why import why_of
from steersman.world.observers import Onlooker
from steersman.world.world import World

FRAME = 1 / 30
"""Time between two frames [s]."""

LATER = 0.2
"""Time between two messages about what changes slowly: meters, resources, explanations [s]."""

DRIVEN = 0.5
"""For how long after a step of its own a script is taken to make more: its thread alone touches the world then [s]."""

Tell = Callable[[str, Any], None]
Answer = dict[str, Any]


class Wish(NamedTuple):
    """What a page asks for.

    Attributes:
        message: The message.
        answer: Called with the answer for whoever asked, and nobody else.
    """

    message: Mapping[str, Any]
    answer: Callable[[Mapping[str, Any]], object]


class Simulation:
    """A world that is watched.

    Args:
        subject: The World, or the Stage.
        again: Makes the stage anew, called with n and seed, of which None is as usual; None where there is no way back.
        playing: Whether it runs from the start.
        name: The name of the scenario; "" for none.
    """

    def __init__(
        self,
        subject: World | Stage,
        *,
        again: Callable[..., Stage] | None = None,
        playing: bool = False,
        name: str = "",
    ) -> None:
        self.tell: Tell = _nobody
        self.told: dict[str, Any] = {}
        self.again, self.playing, self.speed, self.name = again, playing, 1.0, name
        self.n: int | None = None
        self.wishes: queue.SimpleQueue[Wish | None] = queue.SimpleQueue()
        self.cost, self.frames = 0.0, 0
        self.selected: tuple[str, int] | None = None
        self.deciding = False
        self._paced, self._speed = (0.0, 0), 0.0
        self._driven = -math.inf
        self._put_off: deque[Wish] = deque()
        self._thread = threading.Thread(target=self._live, name="steersman simulation", daemon=True)
        self._ended = False
        self._watched: Callable[[], None] = lambda: None
        self._stepping = False
        self._show(subject)

    # -------------------------------------------------------------------------------------------------- outside

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self) -> None:
        """End; the world stays as it is."""
        self._ended = True
        self.wishes.put(None)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=10)
        self._watched()

    # -------------------------------------------------------------------------------------------------- the thread

    def _live(self) -> None:
        """Step, obey and tell, until the end."""
        then = time.perf_counter()
        debt = 0.0
        while not self._ended:
            if not self.playing:
                self._wait()
                then, debt = time.perf_counter(), 0.0
                continue
            began = time.perf_counter()
            debt = min(debt + (began - then) * self.speed, 4 * FRAME * max(self.speed, 1.0) + self.world.dt)
            then = began
            steps = self.world.steps
            while self.playing and (debt >= self.world.dt or self.speed == math.inf):
                if not self._step():
                    break
                debt -= self.world.dt
                if time.perf_counter() - began > FRAME:
                    break
            debt = 0.0 if self.speed == math.inf else debt
            if self.world.steps != steps:
                self._publish()
            self._wait(max(FRAME - (time.perf_counter() - began), 0.0))

    def _wait(self, seconds: float | None = None) -> None:
        """Obey what is asked for, until some time is over; without one, until something was asked."""
        end = math.inf if seconds is None else time.perf_counter() + seconds
        while not self._ended:
            self._catch_up()
            left = end - time.perf_counter()
            try:
                wish = self.wishes.get(timeout=min(left, DRIVEN)) if left > 0 else self.wishes.get_nowait()
            except queue.Empty:
                if left <= DRIVEN:
                    return
                continue
            if wish is not None:
                self._put_off.append(wish)
                self._catch_up()
            if seconds is None:
                return

    def _catch_up(self) -> None:
        """Obey what was asked for, unless a script steps the world: then its thread does, between two of its steps."""
        if time.perf_counter() - self._driven > DRIVEN:
            while self._put_off:
                self._obey(self._put_off.popleft())

    def _step(self) -> bool:
        """Make one step; whether it could be made."""
        self._stepping = True
        try:
            self.world.step()
        except Exception as error:
            self.playing = False
            self._say_state()
            self._say("trouble", {"message": f"the simulation stopped: {error}"})
            return False
        finally:
            self._stepping = False
        return True

    # -------------------------------------------------------------------------------------------------- what is told

    def _show(self, subject: World | Stage) -> None:
        """Show a world from now on."""
        self._watched()
        self.subject = subject
        self.world = subject if isinstance(subject, World) else subject.world
        self._watched = self.world.on_step(Onlooker(self._stepped))
        self._resources: list[Any] = []
        self._slow = 0.0
        self._published = 0.0
        self._judged = False
        for kind in ("why", "meters", "trouble", "verdict", "deciders"):
            self.told.pop(kind, None)
        self._say_scene()

    def _stepped(self, world: World) -> None:
        """Somebody else has made a step."""
        if self._stepping:
            return
        now = self._driven = time.perf_counter()
        while self._put_off:
            self._obey(self._put_off.popleft())
        if now - self._published > FRAME:
            self._publish()

    def _say(self, kind: str, message: Mapping[str, Any]) -> None:
        """Tell all, and all who come later."""
        text = json.dumps({"type": kind, **message}, separators=(",", ":"), allow_nan=False, default=_plain)
        self.told[kind] = text
        self.tell(kind, text)

    def _contents(self) -> Contents:
        contents = contents_of(self.subject)
        vehicles = dict(contents.vehicles)
        d = contents.dimensions  # What has other dimensions cannot be seen in the same picture.
        return dataclasses.replace(contents, vehicles={k: each for k, each in vehicles.items() if each.dimensions == d})

    def _say_scene(self) -> None:
        """Tell what there is, and where everybody is."""
        self.contents = self._contents()
        stage = self.subject if isinstance(self.subject, Stage) else None
        about = {
            "name": self.name,
            "shows": "" if stage is None else stage.description,
            "seconds": 0.0 if stage is None else stage.seconds,
            "dt": self.world.dt,
        }
        scene = scene_of(self.contents, about)
        self.span = 2.0 * scene["reach"]
        self._resources = [each for each in self.contents.scenery if isinstance(each, Resources)]
        self._amounts = [each.amount.copy() for each in self._resources]
        self._say("scene", scene)
        self._say_trees()
        self._say_state()
        self._publish()

    def _say_trees(self) -> None:
        populations = self.world.populations.values()
        self._say("trees", {"populations": [trees.told(each) for each in populations]})

    def _say_state(self) -> None:
        first = next(iter(self.world.populations.values()), None)
        self._say(
            "state",
            {
                "playing": self.playing,
                "speed": "max" if self.speed == math.inf else self.speed,
                "seed": self.world.seed,
                "n": 0 if first is None else len(first.vehicles),
                "again": self.again is not None,
                "selected": self.selected,
            },
        )

    def _publish(self) -> None:
        """Tell where everybody is now."""
        began, working = time.perf_counter(), time.thread_time()
        about = {"time": self.world.time, "steps": self.world.steps, "pace": self._pace()}
        frame = frame_of(self.contents, self.span, about)
        self.told["frame"] = frame
        self.tell("frame", frame)
        self._published = began
        self.cost += time.thread_time() - working
        self.frames += 1
        if began - self._slow > LATER:
            self._slow = began
            self._publish_slowly()
        elif self.selected is not None:
            self._say_why()

    def _pace(self) -> float:
        """Steps a second, lately."""
        now, steps = time.perf_counter(), self.world.steps
        began, first = self._paced
        if now - began > 0.5 or steps < first:
            self._speed, self._paced = max(steps - first, 0) / max(now - began, 1e-9), (now, steps)
        return round(self._speed, 1)

    def _publish_slowly(self) -> None:
        """Tell what changes slowly, or is seen rarely."""
        if any(not np.array_equal(each.amount, was) for each, was in zip(self._resources, self._amounts, strict=True)):
            self._amounts = [each.amount.copy() for each in self._resources]
            self._say("scenery", {"elements": elements_of(describe(self.contents))})
        if self.deciding:
            self._say_deciders()
        self._say_verdict()
        if self.world.meters:
            told = {meter.label: [meter.metric.unit, _number(meter.now)] for meter in self.world.meters.values()}
            self._say("meters", {"time": self.world.time, "meters": told})
        self._say_why()

    def _say_deciders(self) -> None:
        """Tell which behavior decides for each vehicle."""
        found = {}
        for name, population in self.world.populations.items():
            if population.tree is not None and len(population.vehicles):
                told = self.world.explain(name)
                names, codes = np.unique(told.winner, return_inverse=True)
                found[name] = {"names": names.tolist(), "ids": packed(told.id), "codes": packed(codes)}
        self._say("deciders", {"populations": found})

    def _say_verdict(self) -> None:
        """Tell what the scenario's check says, once its time is over."""
        stage = self.subject
        if self._judged or not isinstance(stage, Stage) or stage.check is None:
            return
        if self.world.time >= stage.seconds - 0.5 * self.world.dt:
            self._judged = True
            self._say("verdict", {"problems": stage.problems()})

    def _say_why(self) -> None:
        """Tell why the selected vehicle is steered as it is."""
        if self.selected is None:
            return
        try:
            self._say("why", why_of(self.world, *self.selected, self.span))
        except RuntimeError:  # A script is in the middle of a step.
            return
        except Exception:  # It is gone, nobody steers it, or a behavior of a user's own cannot say.
            self._say("why", {"tree": None, "population": self.selected[0], "id": self.selected[1], "force": []})

    # -------------------------------------------------------------------------------------------------- what is asked

    def _obey(self, wish: Wish) -> None:
        """Do what a page asks for, or say why not."""
        do = wish.message.get("do")
        action = ACTIONS.get(do) if isinstance(do, str) else None
        if action is None:
            wish.answer({"type": "refused", "message": f"there is no {do!r} to be done"})
            return
        try:
            wish.answer(action(self, wish.message) or {"type": "done"})
        except Exception as error:  # Whatever a page sends must not end the simulation.
            message = error.args[0] if isinstance(error, KeyError) and error.args else error
            wish.answer({"type": "refused", "message": str(message)})

    def _population(self, message: Mapping[str, Any]) -> Any:
        name: Any = message.get("population")
        if name not in self.world.populations:
            raise KeyError(f"there is no population {name!r}")
        return self.world.populations[name]

    def play(self, message: Mapping[str, Any]) -> None:
        """Go on."""
        self.playing = True
        self._say_state()

    def pause(self, message: Mapping[str, Any]) -> None:
        """Stand still."""
        self.playing = False
        self._publish()
        self._slow = 0.0
        self._publish_slowly()
        self._say_state()

    def step(self, message: Mapping[str, Any]) -> None:
        """Make one step, and stand still."""
        self.playing = False
        self._step()
        self._publish()
        self._publish_slowly()
        self._say_state()

    def pace(self, message: Mapping[str, Any]) -> None:
        """Change the speed."""
        value = message.get("value")
        if value != "max" and not (isinstance(value, (int, float)) and 0.01 <= value <= 1000):
            raise ValueError(f"speed must be a number from 0.01 to 1000, or 'max', got {value!r}")
        self.speed = math.inf if value == "max" else float(value)
        self._say_state()

    def reset(self, message: Mapping[str, Any]) -> None:
        """Begin again, if asked for with another number of vehicles or seed."""
        if self.again is None:
            raise ValueError("this world was made by a program, which alone can begin again")
        n, seed = message.get("n"), message.get("seed")
        made = self.again(n=self.n if n is None else n, seed=self.world.seed if seed is None else seed)
        self.n = self.n if n is None else n
        self.selected = None
        self._show(made)

    def open(self, message: Mapping[str, Any]) -> None:
        """Show another scenario."""
        name: Any = message.get("name")
        if name not in SCENARIOS:
            raise KeyError(f"there is no scenario {name!r}")
        stage = SCENARIOS[name].stage()
        self.again, self.name, self.n, self.selected = SCENARIOS[name].stage, name, None, None
        self._show(stage)

    def set(self, message: Mapping[str, Any]) -> None:
        """Change a parameter of a node."""
        trees.set_parameter(self._population(message), message["key"], message["name"], _number_in(message["value"]))
        self._changed()

    def weigh(self, message: Mapping[str, Any]) -> None:
        """Change the weight of a node."""
        trees.set_weight(self._population(message), message["key"], message["value"])
        self._changed()

    def switch(self, message: Mapping[str, Any]) -> None:
        """Switch a node on or off."""
        trees.switch(self._population(message), message["key"], bool(message["on"]))
        self._changed()

    def _changed(self) -> None:
        self._say_trees()
        self._say_why()

    def copy(self, message: Mapping[str, Any]) -> Answer:
        """A tree as Python or TOML."""
        names = {name: each.vehicles for name, each in self.world.populations.items()}
        if isinstance(self.subject, Stage):
            names = {**self.subject.scenery, **names}
        text = trees.written(self._population(message), message.get("as", "python"), names)
        return {"type": "copied", "text": text}

    def save(self, message: Mapping[str, Any]) -> Answer:
        """The whole scenario as it now is, as TOML."""
        text = to_toml(_lists(to_document(self.subject)))
        return {"type": "saved", "name": f"{self.name or 'world'}.toml", "text": text}

    def select(self, message: Mapping[str, Any]) -> None:
        """Explain a vehicle from now on; none without an id."""
        if message.get("id") is None:
            self.selected = None
            self.told.pop("why", None)
        else:
            self.selected = (self._population(message).name, int(message["id"]))
            self._say_why()
        self._say_state()

    def move(self, message: Mapping[str, Any]) -> None:
        """Put a vehicle somewhere else."""
        vehicles = self._population(message).vehicles
        place = _place(message.get("position"), vehicles.dimensions)
        vehicles.position[vehicles.rows(int(message["id"]))] = place
        self._publish()

    def decide(self, message: Mapping[str, Any]) -> None:
        """Tell from now on which behavior decides for each vehicle, or no more."""
        self.deciding = bool(message.get("on"))
        if self.deciding:
            self._say_deciders()

    def add(self, message: Mapping[str, Any]) -> None:
        """Add a vehicle at a place, to the population of the selected one or else to the first."""
        name: Any = message.get("population") or next(iter(self.world.populations), None)
        vehicles = self._population({"population": name}).vehicles
        self._choose(name, int(vehicles.spawn(_place(message.get("position"), vehicles.dimensions))[0]))

    def remove(self, message: Mapping[str, Any]) -> None:
        """Take a vehicle away."""
        self._population(message).vehicles.remove(int(message["id"]))
        self._choose("", None)

    def _choose(self, population: str, vehicle: int | None) -> None:
        """Select somebody else, and show it."""
        self.selected = None if vehicle is None else (population, vehicle)
        self._say_state()
        self._publish()
        self._say_why()


def _place(position: Any, d: int) -> Any:
    """A place that a page sends [m], shape (d,).

    Raises:
        ValueError: It is none.
    """
    place = np.asarray(position, np.float64)
    if place.shape != (d,) or not np.isfinite(place).all():
        raise ValueError(f"position must be {d} numbers, got {position!r}")
    return place


def _nobody(kind: str, message: Any) -> None:
    """Nobody listens yet."""


ACTIONS: dict[str, Callable[[Simulation, Mapping[str, Any]], Answer | None]] = {
    "play": Simulation.play,
    "pause": Simulation.pause,
    "step": Simulation.step,
    "speed": Simulation.pace,
    "reset": Simulation.reset,
    "open": Simulation.open,
    "set": Simulation.set,
    "weight": Simulation.weigh,
    "switch": Simulation.switch,
    "copy": Simulation.copy,
    "save": Simulation.save,
    "select": Simulation.select,
    "move": Simulation.move,
    "add": Simulation.add,
    "remove": Simulation.remove,
    "decide": Simulation.decide,
}
"""What a page may ask for."""


def _number_in(value: Any) -> Any:
    """A value from a page: JSON has no infinity."""
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    """What JSON has no form for: numbers and arrays of NumPy."""
    return value.tolist()


def _lists(value: Any) -> Any:
    """A document with its long columns as lists, so that it is one file."""
    if isinstance(value, Mapping):
        return {key: _lists(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_lists(each) for each in value] if isinstance(value, list) else value
