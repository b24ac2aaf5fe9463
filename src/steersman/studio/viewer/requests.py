"""Wishes: the requests of a page to the simulation. Each is handled between two steps, in the simulation's thread."""

import logging
import math
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steersman.core.world.writing import NoDocumentError
from steersman.runs.documents.documents import to_document
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.documents.toml_text import in_lists, to_toml
from steersman.studio.viewer import trees
from steersman.studio.viewer.address import ON, WEIGHT, change, check
from steersman.studio.viewer.replay import Film

if TYPE_CHECKING:
    from steersman.studio.viewer.simulation import Simulation

FARTHEST = 1e6
"""Largest coordinate of a place that a page sends [m]: steps stay exact to a micrometer there."""

Answer = dict[str, Any]
Message = Mapping[str, Any]


class Request(NamedTuple):
    """A request of a page.

    Attributes:
        message: The message.
        answer: Called with the answer for the page that sent the request, and no other.
        sender: The browser that sent it. The data of its subscriptions are sent to all browsers until it disconnects.
    """

    message: Message
    answer: Callable[[Mapping[str, Any]], object]
    sender: Any = None


def unheard(answer: Mapping[str, Any]) -> None:
    """Ignore an answer: its browser has disconnected."""


def obey(simulation: "Simulation", request: Request) -> None:
    """Handle a request, or answer with the reason why it is refused."""
    do = request.message.get("do")
    action = ACTIONS.get(do) if isinstance(do, str) else None
    try:
        if do == "want":
            simulation.want(request.sender, request.message)
            request.answer({"type": "done"})
        elif do == "look":
            simulation.look(request.sender, request.message.get("planes"))
            request.answer({"type": "done"})
        elif do == "leave":
            simulation.leave(request.sender)
        elif action is None:
            request.answer({"type": "refused", "message": f"there is no {do!r} to be done"})
        else:
            change = change_of(simulation, request.message)
            answer = action(simulation, request.message) if change is None else changed(simulation, request, change)
            request.answer(answer or {"type": "done"})
    except Exception as error:  # Whatever a page sends must not end the simulation.
        request.answer({"type": "refused", "message": words_of(error)})


def change_of(simulation: "Simulation", message: Message) -> tuple[str, str] | None:
    """The change of the run that a request asks for, if any: its subject and its words."""
    do = str(message.get("do"))
    about = " ".join(str(message.get(name, "")) for name in ("population", "id", "key", "name", "handle", "hold"))
    if do == "put":
        handle = simulation.handles.get(str(message.get("handle")))
        still = handle is None or np.array_equal(handle.place, np.asarray(message.get("position"), object))
        return None if handle is None or still else (f"put {about}", f"{handle.label} was moved")
    return (f"{do} {about}", TOUCHES[do]) if do in TOUCHES else None


def changed(simulation: "Simulation", request: Request, change: tuple[str, str]) -> Answer | None:
    """Make a change of the run that can be undone."""
    past, (key, words) = simulation.past, change
    new = past.remember(key, words, simulation.verdict, simulation.edits, held="hold" in request.message)
    try:
        answer = ACTIONS[request.message["do"]](simulation, request.message)
    except Exception:
        if new:
            past.undone.pop()
        raise
    past.touch()
    simulation.events.cut(simulation.world.steps)
    simulation.verdict.touch(simulation.world.time, words)
    simulation.say_past()
    return answer


def words_of(error: Exception) -> str:
    """The words of an error for a page: those of the library, not those of Python."""
    if isinstance(error, ScenarioError):
        return "\n".join(map(str, error.problems))
    if isinstance(error, KeyError) and error.args and " " in str(error.args[0]):
        return str(error.args[0])
    last = traceback.extract_tb(error.__traceback__)[-1:]
    # Not by Python or NumPy, which know no names of ours.
    deliberate = not last or (last[0].line or "").startswith("raise")
    if deliberate and isinstance(error, (TypeError, ValueError, RuntimeError)) and str(error):
        return str(error)
    logging.getLogger("steersman").error("a request of the page failed", exc_info=error)
    return "this was not possible; the reason is written where steersman was started"


def words_of_step(error: Exception) -> str:
    """The words of an error that ended a step: those that were raised in words, in the library or in a script."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    if str(error) and last and (last[0].line or "").startswith("raise"):
        return str(error)
    logging.getLogger("steersman").error("a step failed in a window", exc_info=error)
    return (
        "a function of the scenario fails, perhaps since something was changed (undo takes that back); the reason is written "
        "where steersman was started"
    )


# ---------------------------------------------------------------------------------------------------------- time


def play(simulation: "Simulation", message: Message) -> None:
    """Run the simulation."""
    simulation.playing, simulation.resting = True, False
    simulation.say_state()


def pause(simulation: "Simulation", message: Message) -> None:
    """Pause the simulation."""
    simulation.playing = simulation.resting = False
    simulation.publish(whole=True)
    simulation.say_state()


def step(simulation: "Simulation", message: Message) -> None:
    """Make one step, and pause."""
    simulation.playing = False
    simulation.step()
    simulation.publish(whole=True)
    simulation.say_state()


def go(simulation: "Simulation", message: Message) -> None:
    """Go to an instant of the last minute, by its number of steps or `by` some steps from the present one, and pause."""
    name = "by" if "by" in message else "steps"
    steps = message.get(name)
    if not isinstance(steps, int) or isinstance(steps, bool):
        raise ValueError(f"{name} must be a whole number, got {steps!r}")
    simulation.playing = False
    simulation.go(simulation.world.steps + steps if name == "by" else steps)


def shown(simulation: "Simulation", message: Message) -> None:
    """Begin the rest where a scenario opens: a page shows that moment."""
    if message.get("steps") == simulation.world.steps:
        simulation.shown()


def undo(simulation: "Simulation", message: Message) -> None:
    """Return to the instant before the last change."""
    simulation.undo()


def redo(simulation: "Simulation", message: Message) -> None:
    """Return to the instant at which the last change was undone."""
    simulation.redo()


def visit(simulation: "Simulation", message: Message) -> None:
    """Return to what another address of this run showed, by undoing or redoing changes."""
    simulation.visit(str(message.get("address")))


def pace(simulation: "Simulation", message: Message) -> None:
    """Change the speed."""
    value = message.get("value")
    if value != "max" and not (isinstance(value, (int, float)) and 0.01 <= value <= 1000):
        raise ValueError(f"speed must be a number from 0.01 to 1000, or 'max', got {value!r}")
    simulation.speed = math.inf if value == "max" else float(value)
    simulation.say_state()


def reset(simulation: "Simulation", message: Message) -> None:
    """Restart, with another number of vehicles or seed if the request has one; what is shown beside it restarts, too."""
    before = simulation.world.seed
    _restart(simulation, message)
    other = simulation.beside
    if other is not None:
        seed = simulation.world.seed if other.world.seed == before else None
        with other.world.between_steps():
            _restart(other, {"seed": seed})


def _restart(simulation: "Simulation", message: Message) -> None:
    """Restart one simulation."""
    if simulation.remake is None:
        simulation.beginning.restore()
        made: Any = simulation.subject
    else:
        n, seed = message.get("n"), message.get("seed")
        check(n, seed)
        n, seed = simulation.n if n is None else n, simulation.world.seed if seed is None else seed
        made, address = simulation.remake(n=n, seed=seed), simulation.address
        if address is not None:
            address = replace(address, n=n, seed=seed)
            address.apply(made.world)
        simulation.n, simulation.address = n, address
    simulation.selected = None
    simulation.show(made)


# ------------------------------------------------------------------------------------------------------ steering


def set_value(simulation: "Simulation", message: Message) -> None:
    """Change a parameter of a node."""
    _edit(simulation, message, message["name"], _number_in(message["value"]))


def weigh(simulation: "Simulation", message: Message) -> None:
    """Change the weight of a node."""
    _edit(simulation, message, WEIGHT, message["value"])


def switch(simulation: "Simulation", message: Message) -> None:
    """Switch a node on or off."""
    _edit(simulation, message, ON, bool(message["on"]))


def _edit(simulation: "Simulation", message: Message, name: str, value: Any) -> None:
    """Change a value of a node, and note it in the address."""
    edit = (population_of(simulation, message).name, message["key"], name)
    change(simulation.world, edit, value)
    if simulation.address is not None:
        simulation.address.note(edit, value)
    simulation.changed()
    simulation.say_state()


def copy(simulation: "Simulation", message: Message) -> Answer:
    """A tree as Python or TOML; or only whether that is possible."""
    names = {name: each.vehicles for name, each in simulation.world.populations.items()}
    if isinstance(simulation.subject, Stage):
        names = {**simulation.subject.scenery, **names}
    text = trees.written(population_of(simulation, message), message.get("as", "python"), names)
    return {"type": "done"} if message.get("only") == "check" else {"type": "copied", "text": text}


def save(simulation: "Simulation", message: Message) -> Answer:
    """The whole scenario as it now is, as TOML; or only whether that is possible, with a note about missing parts."""
    document, note = _document_of(simulation)
    if message.get("only") == "check":
        return {"type": "done", "note": note}
    text = to_toml(in_lists(document))
    return {"type": "saved", "name": f"{simulation.name or 'world'}.toml", "text": text}


def _document_of(simulation: "Simulation") -> tuple[dict[str, Any], str]:
    """The document of the simulation, and a note about missing parts.

    Of a built-in scenario that no document can hold, it is the call, for as long as the user has changed nothing.

    Raises:
        NoDocumentError: No document can hold it.
    """
    subject, left_out = simulation.subject, list[str]()
    try:
        document = to_document(subject, left_out=left_out)
    except NoDocumentError:
        if not isinstance(subject, Stage) or not subject.recall or simulation.verdict.touched is not None:
            raise
        return dict(subject.recall), "The file calls this scenario, with its number and seed: parts of it are Python."
    return document, f"Left out, as no document holds Python functions: {', '.join(left_out)}." if left_out else ""


def record(simulation: "Simulation", message: Message) -> Answer | None:
    """Start a recording of the frames, or end it and answer with the replay."""
    film = simulation.film
    if message.get("on"):
        simulation.film = Film.of_world(simulation.subject)
        simulation.film(simulation.world)
        simulation.say_state()
        return None
    if film is None:
        raise ValueError("nothing is being recorded")
    if film.times[-1:] != [simulation.world.time] and simulation.recording == "on":
        film(simulation.world)
    text = film.html()  # Where this fails, the film is still there.
    simulation.film = None
    simulation.say_state()
    return {"type": "saved", "name": f"{simulation.name or 'world'}.html", "text": text}


# ------------------------------------------------------------------------------------------- vehicles and things


def select(simulation: "Simulation", message: Message) -> Answer:
    """Select a vehicle to explain from now on; no vehicle without an id. The answer has the `serial` of the next `state`."""
    if message.get("id") is None:
        serial = simulation.choose("", None)
    else:
        serial = simulation.choose(population_of(simulation, message).name, int(message["id"]))
    return {"type": "done", "serial": serial}


def move(simulation: "Simulation", message: Message) -> None:
    """Move a vehicle to another place."""
    vehicles = population_of(simulation, message).vehicles
    place = _place(message.get("position"), vehicles.dimensions)
    vehicles.position[vehicles.rows(int(message["id"]))] = place
    simulation.publish()


def put(simulation: "Simulation", message: Message) -> None:
    """Move an obstacle, or a point that a behavior heads for, to another place."""
    place = _place(message.get("position"), simulation.contents.dimensions)
    simulation.put(message.get("handle"), place, done=bool(message.get("done", True)))


def add(simulation: "Simulation", message: Message) -> None:
    """Add a vehicle at a place, to the population of the selected one or else to the first."""
    name: Any = message.get("population") or next(iter(simulation.world.populations), None)
    vehicles = population_of(simulation, {"population": name}).vehicles
    _check_changeable(simulation, name, "added to")
    number = int(vehicles.spawn(_place(message.get("position"), vehicles.dimensions))[0])
    simulation.choose(name, number)
    simulation.publish()


def remove(simulation: "Simulation", message: Message) -> None:
    """Remove a vehicle."""
    population = population_of(simulation, message)
    _check_changeable(simulation, population.name, "removed from")
    population.vehicles.remove(int(message["id"]))
    simulation.choose("", None)
    simulation.publish()


ACTIONS: dict[str, Callable[["Simulation", Message], Answer | None]] = {
    "play": play,
    "pause": pause,
    "step": step,
    "go": go,
    "shown": shown,
    "undo": undo,
    "redo": redo,
    "visit": visit,
    "speed": pace,
    "reset": reset,
    "set": set_value,
    "weight": weigh,
    "switch": switch,
    "copy": copy,
    "save": save,
    "record": record,
    "select": select,
    "move": move,
    "put": put,
    "add": add,
    "remove": remove,
}
"""Name of a request -> its function. Subscriptions are handled separately."""


TOUCHES = {
    "set": "a parameter was changed",
    "weight": "a weight was changed",
    "switch": "a behavior was switched",
    "move": "a vehicle was moved",
    "add": "a vehicle was added",
    "remove": "a vehicle was taken away",
}
"""Requests that make a run differ from its scenario, besides moves of things (`change_of`), in words."""


def population_of(simulation: "Simulation", message: Message) -> Any:
    """The population that a message is about."""
    name: Any = message.get("population")
    if not isinstance(name, str) or name not in simulation.world.populations:
        raise KeyError(f"there is no population {name!r}")
    return simulation.world.populations[name]


def _check_changeable(simulation: "Simulation", population: str, how: str) -> None:
    """Raise ValueError when vehicles can be neither added to a population nor removed from it."""
    fixed = {} if simulation.stage is None else simulation.stage.fixed_populations
    if population in fixed:
        raise ValueError(f"no vehicle can be {how} {population!r}: {fixed[population]}")


def _place(position: Any, d: int) -> Any:
    """A place that a page sends [m], shape (d,)."""
    place = np.asarray(position, np.float64)
    if place.shape != (d,) or not np.isfinite(place).all():
        raise ValueError(f"position must be {d} numbers, got {position!r}")
    if np.abs(place).max() > FARTHEST:
        raise ValueError(f"position must lie within {FARTHEST:g} m of the origin, got {position!r}")
    return place


def _number_in(value: Any) -> Any:
    """A value from a page: JSON has no infinity."""
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value
