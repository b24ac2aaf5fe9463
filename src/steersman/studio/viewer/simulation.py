"""The simulation behind a window: a thread of its own that steps a world, handles requests of the page, and sends messages.

Listeners get messages by `tell(kind, message)` and must return quickly; they drop the messages that a slow browser cannot
read in time, so the simulation never waits for a browser. A script may step the same world: they take turns
(`World.between_steps`).
"""

import dataclasses
import json
import math
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from itertools import count
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from steersman.core.environment.resources import Resources
from steersman.core.kernels.announcing import watched_compilation
from steersman.core.maths.shapes import Shape
from steersman.core.world.observers import Onlooker
from steersman.core.world.warmup import tell, warmup
from steersman.core.world.world import World
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.description import UNIT, describe
from steersman.drawing.palette import code_of, colors_of
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer import trees
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.coloring import colorings
from steersman.studio.viewer.compiling import Progress
from steersman.studio.viewer.conditions import names_in
from steersman.studio.viewer.course import MEANS, Course, course_of
from steersman.studio.viewer.element_messages import note_messages
from steersman.studio.viewer.events import Events
from steersman.studio.viewer.explanations import why_of
from steersman.studio.viewer.handles import Handle, handles_of
from steersman.studio.viewer.notes import moving, resting
from steersman.studio.viewer.packing import Track, elements_of, frame_of, scene_of
from steersman.studio.viewer.past import MINUTE, Past, PastInstant
from steersman.studio.viewer.replay import Film
from steersman.studio.viewer.requests import Request, obey, words_of_step
from steersman.studio.viewer.reset import Beginning
from steersman.studio.viewer.subscriptions import Subscriptions
from steersman.studio.viewer.verdict import Verdict

FRAME = 1 / 30
"""Time between two frames [s]."""

COMPLETE = 0.5
"""Time between two frames of all vehicles, where pages see a part of them [s]: their timelines keep these."""

LATER = 0.2
"""Time between two messages about slow changes: meters, resources, explanations [s]."""

DRAGGED = 0.1
"""Time between two pictures of the scenery during a drag [s]."""

LOOK = 2.5
"""Time for which a scenario rests where it opens [s], from the first picture of it that a page shows, so that its explanation
is read of the moment that it describes."""

LATEST = 20.0
"""Longest time for which it waits for that picture, where a page watches [s]."""

DRIVEN = 0.5
"""Time after a step of a script in which more of its steps are expected [s]: requests are handled in the script's thread
then, because it rarely gives other threads a turn."""

LONGEST = 10_000_000
"""Largest number of values in a recording: with 300 vehicles in 2D they last a quarter of an hour."""

CROWD = 1000
"""Largest population of which one vehicle is explained from the start, unless the picture chooses one: see `first_of`."""

Tell = Callable[[str, Any], None]

_SERIALS = count(1)
"""Serial numbers of the states that all simulations send: a page learns which of two is the later one."""


class Simulation:
    """A world that a window shows.

    Args:
        subject: The World, or the Stage.
        remake: Makes the stage anew, called with n and seed, where None stands for the default; None where a restart restores
            the present state of the world instead.
        playing: Whether it runs from the start.
        name: The name of the scenario; "" for none.
        address: The address that reproduces it; None for a world of a program.
    """

    def __init__(
        self,
        subject: World | Stage,
        *,
        remake: Callable[..., Stage] | None = None,
        playing: bool = False,
        name: str = "",
        address: Address | None = None,
    ) -> None:
        self.tell: Tell = _unsent
        self.sent: dict[str, Any] = {}
        self.remake, self.playing, self.speed, self.name = remake, playing, 1.0, name
        self.n: int | None = None if address is None else address.n
        self.address = address
        self.beside: Simulation | None = None
        self.leader: Simulation | None = None
        self.requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self.cost, self.frames = 0.0, 0
        self.selected: tuple[str, int] | None = None
        self.subscriptions = Subscriptions(self.say)
        self.film: Film | None = None
        self._paced, self._speed = (0.0, 0), 0.0
        self._driven = -math.inf
        self._put_off: deque[Request] = deque()
        self._thread = threading.Thread(target=self._live, name="steersman simulation", daemon=True)
        self._ended = False
        self._watched: Callable[[], None] = lambda: None
        self._stepping = self._prepared = self._foreseeing = False
        self.resting, self._shown = False, math.inf
        self._explains = True
        self._beginning: Beginning | None = Beginning(subject) if remake is None else None
        if address is not None:
            address.apply(subject if isinstance(subject, World) else subject.world)
        self.show(subject)
        self._opens = self._opening()

    # -------------------------------------------------------------------------------------------------- outside

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def end(self) -> None:
        """Stop the thread; the world stays as it is."""
        self._ended = True
        self.requests.put(None)
        if self.beside is not None:
            self.beside.end()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)
        self._watched()
        self.subscriptions.end()

    @property
    def beginning(self) -> Beginning:
        """The world as it was when the window was opened.

        Raises:
            ValueError: The state was not saved, because the stage is made anew.
        """
        if self._beginning is None:
            raise ValueError("this world is made anew to begin again")
        return self._beginning

    # -------------------------------------------------------------------------------------------------- the thread

    def _live(self) -> None:
        """Step, handle requests and send messages, until the end."""
        then = time.perf_counter()
        debt = 0.0
        while not self._ended:
            if not self.playing:
                self._opens = None  # A pause on the way there ends it.
                self.sent.pop("opening", None)
                self._wait()
                then, debt = time.perf_counter(), 0.0
                continue
            began = time.perf_counter()
            debt = owed(debt, began - then, self.speed, self.world.dt)
            then = began
            steps, hurried = self.world.steps, self._opens is not None
            if self._comes and "opening" not in self.sent:
                self.say("opening", {"time": self._opens})
            while self.playing and (self._comes if hurried else debt >= self.world.dt or self.speed == math.inf):
                if not self.step():
                    break
                debt -= self.world.dt
                if time.perf_counter() - began > FRAME:
                    break
            debt = 0.0 if hurried or self.speed == math.inf else debt
            if hurried and not self._comes:
                self.say("opening", {"time": None})
                self._opens = None  # A run that begins again is seen from its beginning.
                self._rest()
                then = time.perf_counter()
                continue
            with self._said():
                if self._comes:
                    self._say_track()  # What is on its way to where it opens is not seen yet.
                elif self.world.steps != steps:
                    self.publish()
            if not self._comes and self.world.steps != steps:
                self._lead()
            self._wait(max(FRAME - (time.perf_counter() - began), 0.0))

    def _rest(self) -> None:
        """Show the moment at which the window opens as a still picture for a time, unless a request plays on, or moves it."""
        world, steps = self.world, self.world.steps
        self.playing, self.resting, self._shown = False, True, math.inf
        with self._said():
            if not self._prepared:
                self.publish(whole=True)  # It is seen and explained meanwhile.
                self._prepare()  # Nothing is compiled when it plays on.
            self._foresee(now=False)
            self.publish(whole=True)
        self._lead()
        self.say_state()
        began = time.perf_counter()

        def end() -> float:
            return LOOK + (min(self._shown, began + LATEST) if self.subscriptions.watched else began)

        while (self.resting, self._ended, self.world, world.steps) == (True, False, world, steps) and (
            time.perf_counter() < end()
        ):
            self._wait(FRAME)
        # A run that begins again plays, too.
        plays, self.resting = self.resting and (self.world is not world or world.steps == steps), False
        if plays:
            self.playing = True
            self.say_state()

    def shown(self) -> None:
        """A page shows the moment at which the window opens."""
        self._shown = min(self._shown, time.perf_counter())

    @property
    def _comes(self) -> bool:
        """Whether the world is still on its way to where the window opens."""
        return self._opens is not None and self.world.time < self._opens - self.world.dt / 2

    def _opening(self) -> float | None:
        """The instant at which the window of a scenario opens [s]; None of a world that has begun."""
        stage = self.stage
        return None if stage is None or self.address is None or self.world.steps else stage.picture.opens

    def _wait(self, seconds: float | None = None) -> None:
        """Handle requests for some time [s]; without a time, until one request has come."""
        end = math.inf if seconds is None else time.perf_counter() + seconds
        while not self._ended:
            self._catch_up()
            left = end - time.perf_counter()
            try:
                request = self.requests.get(timeout=min(left, DRIVEN)) if left > 0 else self.requests.get_nowait()
            except queue.Empty:
                if left <= DRIVEN:
                    return
                continue
            if request is not None:
                self._put_off.append(request)
                self._catch_up()
            if seconds is None:
                return

    def _catch_up(self) -> None:
        """Handle waiting requests, unless a script steps the world: then its thread does, between two of its steps."""
        while self._put_off and not self._ended and time.perf_counter() - self._driven > DRIVEN:
            with self.world.between_steps():
                if self._put_off and not self._ended:
                    obey(self, self._put_off.popleft())
            self._lead()
        if self.requests.empty() and not self._ended:
            for each in (self, self.beside):
                if each is not None:
                    with each._said():
                        each._foresee()

    def stand_beside(self, other: "Simulation") -> None:
        """Show this simulation beside another one, which takes it along through time. It is not started yet."""
        self.playing, self.leader, other.beside = False, other, self

    def _lead(self) -> None:
        """Take the simulation that is shown beside this one to the same instant."""
        if self.beside is not None:
            self.beside.meet(self.world.time)

    def meet(self, time: float) -> None:
        """Go to the last step before an instant [s], or the first that can be reached."""
        with self._said():
            steps = math.floor(time / self.world.dt + 1e-6)
            if steps < self.world.steps and self.past.instants:
                self.go(steps)
            before = self.world.steps
            while self.world.steps < steps and self.step():
                pass
            if self.world.steps != before:
                self.publish()

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Between two steps: an error, as one of a picture, stops the run and is said, and the thread goes on."""
        with self.world.between_steps():
            try:
                yield
            except Exception as error:
                self.playing = self.resting = False
                self.say_state()
                self.say("trouble", {"message": f"the simulation cannot be shown: {words_of_step(error)}"})

    def step(self) -> bool:
        """Make one step; returns whether it succeeded."""
        with self.world.between_steps():
            self._stepping = True
            try:
                self._prepare()
                self._step()
                self._say_no_trouble()
            except Exception as error:
                self.playing = False
                self.say_state()
                self.say("trouble", {"message": f"the simulation stopped: {words_of_step(error)}"})
                return False
            finally:
                self._stepping = False
        return True

    def _say_no_trouble(self) -> None:
        """Take back what was said of a step that failed."""
        if "trouble" in self.sent:
            self.say("trouble", {"message": ""})
            del self.sent["trouble"]

    def _step(self) -> None:
        """Make one step, with a snapshot before it where one is due."""
        if self.past.due():
            self.past.take(self.verdict, self.edits)
        began = time.thread_time()
        self.world.step()
        self.past.stepped(time.thread_time() - began)
        if self.film is not None and self.film.numbers < LONGEST:
            self.film.explain(self.world)

    def go(self, steps: int) -> None:
        """Go to an instant of the last minute, by its number of steps; the run continues from there with the same bits.

        Errors are those of `Past.back`.
        """
        there, steps = self.past.back(steps)
        film, self.film = self.film, None  # It has the steps on the way there already.
        self._stepping = True
        try:
            while self.world.steps < steps:
                self.past.between(steps)
                self.world.step()
        finally:
            self._stepping, self.film = False, film
        self._arrive(there)

    def undo(self) -> None:
        """Return to the instant before the last change; errors are those of `Past.undo`."""
        self._arrive(self.past.undo(self.verdict, self.edits))

    def redo(self) -> None:
        """Return to the instant at which the last change was undone; errors are those of `Past.redo`."""
        self._arrive(self.past.redo())

    def visit(self, query: str) -> None:
        """Go back or on through the changes to the one with which the address was another one.

        Raises:
            ValueError: No change that can be undone or redone led to this address.
        """
        edits = Address.read(parse_qs(query)).edits
        past = self.past
        earlier = [each[2].edits for each in reversed(past.undone) if each[2].steps <= self.world.steps]
        later = [each.edits for *_, each in reversed(past.redone)]
        if self.edits == edits:
            return
        if edits in earlier:
            for _ in range(earlier.index(edits) + 1):
                self.undo()
        elif edits in later:
            for _ in range(later.index(edits) + 1):
                self.redo()
        else:
            raise ValueError("this instant is not kept any more")

    def _arrive(self, there: PastInstant) -> None:
        """Show the world as it is after a return to an earlier instant."""
        self.verdict = copy(there.verdict)
        self.events.cut(self.past.newest)
        if self.address is not None:
            self.address.edits = dict(there.edits)
        if self.film is not None:
            self.film.cut(self.world.time)
        self._track.clear()
        self._say_no_trouble()
        self.contents = self._contents()
        self._say_scenery()
        self._say_handles()
        self._say_trees()
        self.publish(whole=True)
        self.say_state()

    @property
    def edits(self) -> dict[Any, Any]:
        """The changed parameters in the address."""
        return {} if self.address is None else self.address.edits

    def _prepare(self) -> None:
        """Compile the kernels of a new world ahead of its first step, and tell the page how far that is."""
        if self._prepared:
            return
        self._prepared = True

        def say(number: int, count: int, seconds: float | None) -> None:
            self.say("preparing", {"number": number, "count": count, "seconds": seconds})

        with watched_compilation(begins=Progress(say)):
            compiled = warmup(self.world, progress=None if self.address is None else tell)
        if compiled or "preparing" in self.sent:
            self.say("preparing", {"number": 0, "count": compiled, "seconds": None})

    def _stepped(self, world: World) -> None:
        """Called after each step, also after those of a script, in the script's thread."""
        if self._foreseeing:
            return
        if self.film is not None and world.steps % self.film.every == 0 and self.film.numbers < LONGEST:
            self.film(world)
            if self.film.numbers >= LONGEST:
                self.say_state()
        self._track.add(world.steps, world.time, self.contents.vehicles)
        self._seek()
        if self._stepping:
            return
        if self.past.instants:
            self.past.lost()
        now = self._driven = time.perf_counter()
        while self._put_off:
            obey(self, self._put_off.popleft())
        if now - self._published > FRAME:
            self.publish()

    # ------------------------------------------------------------------------------------------------------ messages

    def show(self, subject: World | Stage) -> None:
        """Show a world from now on."""
        self._watched()
        self.film = None
        self.subject = subject
        self.world = subject if isinstance(subject, World) else subject.world
        with self.world.between_steps():
            if self.remake is not None:
                self._beginning = None
            self.past, self.events = Past(subject), Events()
            self._watched = self.world.on_step(Onlooker(self._stepped))
            self._observers = len(list(self.world.observers))
            self._prepared = False
            self._course: Course | None = None
            self._foreseen: Any = None
            if self.address is not None and self._explains:
                self.selected = first_of(subject)
            self._resources: list[Any] = []
            self._slow = self._published = self._furnished = self._completed = 0.0
            self._partial = False
            self.subscriptions.reset_views()
            self._said_past: dict[str, Any] = {}
            self._gone = math.inf
            self._track = Track()
            self.verdict = Verdict()
            for kind in [kind for kind in self.sent if kind not in ("scene", "trees", "state", "frame")]:
                self.sent.pop(kind)
            self._say_scene()

    def say(self, kind: str, message: Mapping[str, Any], key: str = "") -> None:
        """Send a message to all browsers, and to later ones the last message of each key.

        Args:
            kind: Its kind.
            message: The message.
            key: Its key. Default: its kind.
        """
        text = json.dumps({"type": kind, **message}, separators=(",", ":"), allow_nan=False, default=_plain)
        self.sent[key or kind] = text
        self.tell(key or kind, text)

    def look(self, sender: Any, planes: Any) -> None:
        """Note the view of a browser, as planes; None for everything."""
        self.subscriptions.look(sender, planes, self.contents.dimensions)
        if self._partial and not (self.leader or self).playing:
            self.publish(complete=True)

    def leave(self, sender: Any) -> None:
        """A browser has disconnected."""
        self.subscriptions.leave(sender)
        self.subscriptions.tell(self.world, self.span)

    def want(self, sender: Any, message: Mapping[str, Any]) -> None:
        """Note the subscriptions of a browser."""
        self.subscriptions.want(sender, message)
        self.subscriptions.tell(self.world, self.span, now=True)
        self.publish()

    @property
    def stage(self) -> Stage | None:
        """The stage; None for a world without a stage."""
        return self.subject if isinstance(self.subject, Stage) else None

    @property
    def _known(self) -> Mapping[str, Any]:
        """Names -> place [m], or thing, of the stage."""
        return {} if self.stage is None else self.stage.named

    def _contents(self) -> Contents:
        contents = contents_of(resting(self.subject))
        vehicles = dict(contents.vehicles)
        d = contents.dimensions  # What has other dimensions cannot be seen in the same picture.
        vehicles = {name: each for name, each in vehicles.items() if each.dimensions == d}
        return dataclasses.replace(contents, vehicles=vehicles, moving_notes=())

    def _say_scene(self) -> None:
        """Send the scene and the present frame."""
        self.contents = self._contents()
        stage = self.stage
        about = {
            "name": self.name,
            "run": secrets.token_hex(4),
            "shows": "" if stage is None else stage.description,
            "seconds": 0.0 if stage is None else stage.seconds,
            "dt": self.world.dt,
            "colorings": colorings(self.world),
            "others": [] if self.address is None else list(SCENARIOS),
        }
        if self.address is not None and self._explains:
            about["close_up"] = self.contents.style.close_up or 0.0
        scene = scene_of(self.contents, about)
        self.span = 2.0 * scene["reach"]
        self._resources = [each for each in self.contents.scenery if isinstance(each, Resources)]
        self._amounts = [each.amount.copy() for each in self._resources]
        self.say("scene", scene)
        self.subscriptions.tell(self.world, self.span, now=True)
        self._say_handles()
        self._say_trees()
        self.say_state()
        self.publish()

    def _say_trees(self) -> None:
        names = names_in(self.world, self._known)
        self.say("trees", {"populations": [trees.message(each, names) for each in self.world.populations.values()]})

    def say_state(self) -> int:
        """Send the state of the simulation (whether it plays, its speed, its seed, etc.), and return its serial number."""
        first = next(iter(self.world.populations.values()), None)
        beginning, led = self._beginning, self.leader or self
        self.say(
            "state",
            {
                "serial": (serial := next(_SERIALS)),
                "playing": led.playing,
                "rests": self.resting,
                "speed": "max" if led.speed == math.inf else led.speed,
                "seed": self.world.seed,
                "n": 0 if first is None else len(first.vehicles),
                "again": self.remake is not None,
                "reset": beginning is None or not beginning.problem,
                "reset_words": "" if beginning is None else beginning.words,
                "selected": self.selected,
                "recording": self.recording,
                "address": None if self.address is None else str(self.address),
            },
        )
        if self.beside is not None:
            self.beside.say_state()
        return serial

    @property
    def recording(self) -> str:
        """Whether the frames are recorded: "", "on", or "full" when no more frames are added."""
        if self.film is None:
            return ""
        return "on" if self.film.numbers < LONGEST else "full"

    def publish(self, *, whole: bool = False, complete: bool = False) -> None:
        """Send the present frame, and from time to time the slow changes; with `whole`, all of them.

        Args:
            whole: Whether all slow changes are sent.
            complete: Whether the frame has all vehicles, also those that no page sees.
        """
        began, working = time.perf_counter(), time.thread_time()
        about = {"time": self.world.time, "steps": self.world.steps, "pace": self._pace()}
        about |= {"branch": self.past.branch, "cut": self.past.cut}
        self._say_track()
        self.events.look(self.world)
        views = self.subscriptions.views
        if whole or complete or views is None or began - self._completed > COMPLETE:
            views, self._completed = None, began
        self._partial = views is not None
        frame = frame_of(
            self.contents,
            self.span,
            about,
            velocity=self.subscriptions.velocity,
            pixel=self.subscriptions.pixel,
            views=views,
            always=self.selected,
        )
        self.sent["frame"] = frame
        self.tell("frame", frame)
        self._published = began
        self.cost += time.thread_time() - working
        self.frames += 1
        self.subscriptions.tell(self.world, self.span, now=whole)
        self._say_notes()
        if whole or began - self._slow > LATER:
            self._slow = began
            self._publish_slowly()
        elif self.selected is not None:
            self._say_why()

    def _say_track(self) -> None:
        """Send where vehicles have been since the last frame."""
        if (track := self._track.packed(self.past.branch, self.past.cut)) is not None:
            self.tell("track", track)

    def _say_notes(self) -> None:
        """Send the notes of the moment."""
        if self.stage is None or all(isinstance(each, Shape) for each in self.stage.notes):
            return
        shapes, problem = moving(self.stage)
        self.say("notes", {"elements": note_messages(shapes, UNIT * self.span), "problem": problem})

    def _pace(self) -> float:
        """Steps a second in the last moments."""
        now, steps = time.perf_counter(), self.world.steps
        began, first = self._paced
        if now - began > 0.5 or steps < first:
            self._speed, self._paced = max(steps - first, 0) / max(now - began, 1e-9), (now, steps)
        return round(self._speed, 1)

    def _publish_slowly(self) -> None:
        """Send the data that change slowly, or are rarely visible."""
        if any(not np.array_equal(each.amount, was) for each, was in zip(self._resources, self._amounts, strict=True)):
            self._amounts = [each.amount.copy() for each in self._resources]
            self._say_scenery()
        self._say_verdict()
        self.say_past()
        if self.world.meters:
            values = {
                each.label: [each.unit, _number(each.now), each.metric.doc] for each in self.world.meters.values()
            }
            self.say("meters", {"time": self.world.time, "meters": values})
        self._say_why()

    def say_past(self) -> None:
        """Send the reach of the past, its events, and the change that would be undone."""
        past = self.past
        message = {
            "first": past.first,
            "newest": past.newest,
            "problem": past.problem,
            "forgetful": past.instants[-1].instant.forgetful if past.instants else [],
            "undo": past.change,
            "redo": past.redone[-1][0][1] if past.redone else "",
            "events": self.events.since(self.world.time - MINUTE),
        }
        if message != self._said_past:
            self._said_past = message
            self.say("past", message)

    def _say_verdict(self) -> None:
        """Send the verdict of the scenario's check, once its time is over."""
        if (verdict := self.verdict.of(self.stage)) is not None:
            self.say("verdict", verdict)
            passed = not verdict["problems"] and not verdict["unknown"]
            self.events.add(self.world, "verdict", f"the check {'passed' if passed else 'failed'}")

    def _seek(self) -> None:
        """Note when the selected vehicle has gone."""
        if self.selected is None:
            return
        name, vehicle = self.selected
        there = name in self.world.populations and bool(np.any(self.world[name].id == vehicle))
        self._gone = math.inf if there else min(self._gone, self.world.time)

    def _say_why(self) -> None:
        """Send the explanation of the selected vehicle, or since when it is gone."""
        if self.selected is None:
            return
        self._seek()
        about = {"time": self.world.time, "steps": self.world.steps}
        unsteered: dict[str, Any] = {"tree": None, "population": self.selected[0], "id": self.selected[1], "force": []}
        if self._gone < math.inf:
            self.say("why", {**unsteered, **about, "gone": self._gone})
            return
        try:
            glyph = self.contents.style.glyph(self.selected[0])
            why = why_of(self.world, *self.selected, self.span, self._known, glyph)
            if (course := self._present_course) is not None:
                color = colors_of(self.contents.vehicles, self.contents.colors)[self.selected[0]]
                drawn = course.messages(self.world.time, color)
                why["elements"] += [{**each, "of": why["tree"]["key"]} for each in drawn]
                why["legend"] += [(code_of(color), MEANS)] if drawn else []
            self.say("why", {**why, **about})
        except Exception:  # Nobody steers it, or a behavior of a user's own cannot say.
            self.say("why", {**unsteered, **about})

    # -------------------------------------------------------------------------------------------------- the course

    @property
    def _present_course(self) -> Course | None:
        """The course of the selected vehicle while it holds; after a change the one before, until the new one is known."""
        course = self._course
        if course is None or course.vehicle != self.selected:
            return None
        same = course.branch == self.past.branch
        return course if same or (self._foresees and course.steps == self.world.steps) else None

    @property
    def _foresees(self) -> bool:
        """Whether courses can be known: a stage that the window made stands still, compiled, and nobody else observes it."""
        if self.address is None or len(list(self.world.observers)) > self._observers:
            return False
        stands = not (self.leader or self).playing and time.perf_counter() - self._driven > DRIVEN
        return self._prepared and stands

    def _foresee(self, *, now: bool = True) -> None:
        """Find the course of the selected vehicle, where it can be known, and send it with the explanation, if `now`."""
        present = (self.selected, self.past.branch, self.world.steps)
        if self.stage is None or self.selected is None or self._foreseen == present or not self._foresees:
            return
        self._seek()
        before, self._foreseen, self._course = self._course, present, None
        if self._gone < math.inf:
            return
        self._foreseeing = True
        try:
            pure = self.address is not None and self.address.scene in SCENARIOS
            self._course = course_of(self.stage, self.selected, self.past.branch, pure=pure)
        finally:
            self._foreseeing = False
        if now and (before, self._course) != (None, None):
            self._say_why()

    # -------------------------------------------------------------------------------------------- changes of the world

    def changed(self) -> None:
        """Called after a tree has changed, and with it perhaps the contents of the picture."""
        before, self.contents = self.contents, self._contents()
        same = len(before.scenery) == len(self.contents.scenery) and all(
            one is other for one, other in zip(before.scenery, self.contents.scenery, strict=True)
        )
        if not same or not np.array_equal(before.points(), self.contents.points()):
            self._say_scenery()
            self._say_handles()
        self._say_trees()
        self._say_why()

    def _say_scenery(self) -> None:
        self._furnished = time.perf_counter()
        self.say("scenery", {"elements": elements_of(describe(self.contents, notes=False), self.contents.notes)})

    def _say_handles(self) -> None:
        """Send the handles; from now on only their moves."""
        self.handles: dict[str, Handle] = handles_of(
            self.world, self.stage, self.contents.scenery, describe(self.contents)
        )
        self.say("handles", {"handles": [each.message() for each in self.handles.values()]})
        self._taken_from = {name: each.place for name, each in self.handles.items()}
        self.sent.pop("moved", None)

    def put(self, name: Any, place: Any, *, done: bool) -> None:
        """Move a handle to a place; `done` tells that the drag is over.

        Raises:
            TypeError, ValueError: The place is not allowed.
        """
        handle = self.handles.get(name) if isinstance(name, str) else None
        if handle is None:
            raise KeyError("the object that was taken is not there any more")
        way = place - handle.place
        if way.any():
            handle.move(way)
            self.contents = self._contents()
        if done:
            self._say_scenery()
            self._say_handles()
            self._say_trees()
        elif way.any():
            self.handles = handles_of(self.world, self.stage, self.contents.scenery, describe(self.contents))
            self.say("moved", {"places": self._moved()})
            if time.perf_counter() - self._furnished > DRAGGED:
                self._say_scenery()
        self.subscriptions.tell(self.world, self.span, now=True)
        self._say_why()

    def _moved(self) -> dict[str, list[float]]:
        """The places of all handles that have moved since they were sent."""
        there = [(name, each.place, self._taken_from.get(name)) for name, each in self.handles.items()]
        return {
            name: place.tolist() for name, place, was in there if was is not None and not np.array_equal(place, was)
        }

    def choose(self, population: str, vehicle: int | None) -> int:
        """Select another vehicle, or none, and explain it; return the serial number of the state that says so."""
        self.selected, self._gone = None if vehicle is None else (population, vehicle), math.inf
        self._explains = vehicle is not None
        if vehicle is None:
            self.sent.pop("why", None)
        serial = self.say_state()
        self._say_why()
        return serial


def first_of(subject: World | Stage) -> tuple[str, int] | None:
    """The vehicle that a scenario explains when it is opened: that of its picture, or the first one that is steered.

    A vehicle of the picture may be missing where there are fewer than usual: the first one of its population takes its place.
    """
    world = subject if isinstance(subject, World) else subject.world
    chosen = {} if isinstance(subject, World) else subject.picture.sketch or {}
    for name in chosen or world.populations:
        population = world.populations[name]
        there = population.vehicles.id.tolist()
        present = [each for each in chosen.get(name, ()) if each in there]
        if present or (0 < len(there) <= CROWD and (chosen or population.tree is not None)):
            return name, int((present or there)[0])
    return None


def owed(debt: float, passed: float, speed: float, dt: float) -> float:
    """The simulated time that is still to be stepped [s]: a few frames at most, so that the world does not race after a hang.

    Args:
        debt: The time that was due before [s].
        passed: Real time since then [s].
        speed: Speed of the simulation relative to real time.
        dt: The time step [s].
    """
    return min(debt + passed * speed, 4 * FRAME * max(speed, 1.0) + dt)


def _unsent(kind: str, message: Any) -> None:
    """The listener before the first one is set: it ignores messages."""


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    """A JSON form of values that JSON does not have: numbers and arrays of NumPy."""
    return value.tolist()
