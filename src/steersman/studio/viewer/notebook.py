"""The window in a cell of a notebook: a widget. Its messages take the channel of all widgets, so Python may run anywhere.

Messages to a cell are numbered, and the cell reports the last number that it has shown. A limited number of messages is on
the way; meanwhile the newest of each kind waits, so a slow notebook shows fewer frames, and no queue grows.
"""

import base64
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextvars import copy_context
from importlib.util import find_spec
from typing import Any

import traitlets
from anywidget import AnyWidget

from steersman.studio.viewer.page_files import cell_script
from steersman.studio.viewer.requests import Request, unheard
from steersman.studio.viewer.simulation import Simulation
from steersman.studio.viewer.view import View
from steersman.studio.viewer.watcher import Watcher

AHEAD = 8
"""Largest number of messages on the way to a cell."""

HEAVY = 2**20
"""Largest number of bytes on the way to a cell; a single message may be larger."""

LATE = 3.0
"""Time after which a message that was not shown counts as lost, if the cell has sent a newer message [s]."""

ASLEEP = 5.0
"""Time of silence after which a cell that has not shown everything counts as closed [s]."""

CELLS = 64
"""Largest number of known cells; pages that were reloaded leave closed ones behind."""


class Cell(Watcher):
    """A place where the widget is shown.

    Attributes:
        number: The number of the last message.
        context: The context of its last message. A message that is sent in it is an answer, so Jupyter returns it on the
            channel of the question, beside cells that are running.
    """

    def __init__(self, simulation: Simulation) -> None:
        super().__init__(simulation)
        self.number = 0
        self.context = copy_context()
        self.heard = time.monotonic()
        self._sent = self.heard
        self._away: deque[tuple[int, int]] = deque()

    @property
    def ready(self) -> bool:
        """Whether a message waits, and may be sent."""
        return bool(self.waiting) and len(self._away) < AHEAD and sum(size for _, size in self._away) < HEAVY

    @property
    def awake(self) -> bool:
        """Whether the cell seems to be visible."""
        return not self._away or time.monotonic() - self.heard < ASLEEP

    def next(self) -> tuple[int, Any]:
        """The next message to send, and its number."""
        message = super().next()
        self.number += 1
        self._sent = time.monotonic()
        self._away.append((self.number, len(message)))
        return self.number, message

    def shown(self, number: Any, *, asks: bool) -> None:
        """Note a message from the cell.

        Args:
            number: The number of the last message that it has shown.
            asks: Whether it is in use at this moment.
        """
        self.heard, self.context = time.monotonic(), copy_context()
        while self._away and isinstance(number, int) and self._away[0][0] <= number:
            self._away.popleft()
        if asks and self.heard - self._sent > LATE:  # It will miss a number, and begin again.
            self._away.clear()


class NotebookView(AnyWidget, View):
    """A world as a widget of a notebook.

    Args:
        simulation: The simulation to show; it is not started yet.

    Attributes:
        first: The messages at its creation, which are shown while Python is busy, and where a notebook is only read.
    """

    _esm = cell_script()
    first: Any = traitlets.List().tag(sync=True)

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._cells: dict[str, Cell] = {}
        # Entered as a lock: an interrupt on the way into a Condition would leave it locked.
        self._lock = threading.RLock()
        self._something = threading.Condition(self._lock)
        self._ended = False
        super().__init__(first=list(simulation.sent.values()))
        self.on_msg(self._hear)
        simulation.tell = self._tell
        self._thread = threading.Thread(target=self._send_all, name="steersman notebook", daemon=True)
        self._thread.start()

    def _repr_mimebundle_(self, **about: Any) -> Any:
        """The widget, and a picture for viewers of notebooks without widgets."""
        made = super()._repr_mimebundle_(**about)
        if made is not None and find_spec("matplotlib") is not None and not self._simulation.playing:
            from steersman.drawing.draw import as_png

            picture = as_png(self._simulation.subject)
            if picture is not None:
                made[0]["image/png"] = base64.b64encode(picture).decode()
        return made

    def close(self) -> None:
        """Close it in all cells; the world stays as it is."""
        with self._lock:
            ended, self._ended = self._ended, True
            self._something.notify_all()
        if ended:
            return
        self._simulation.end()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)
        super().close()

    # ------------------------------------------------------------------------------------------------------- sending

    def _tell(self, kind: str, message: Any) -> None:
        """Send a message to all cells; called by the simulation."""
        with self._lock:
            for cell in self._cells.values():
                cell.put(kind, message)
            self._something.notify_all()

    def _send_all(self) -> None:
        """Send messages as far as the limits allow, until the end."""
        while True:
            with self._lock:
                self._something.wait_for(lambda: self._over or any(cell.ready for cell in self._cells.values()))
                if self._over:
                    break
                parcels = [(cell.context, name, *cell.next()) for name, cell in self._cells.items() if cell.ready]
            for context, name, number, message in parcels:
                about = {"view": name, "number": number}
                if isinstance(message, bytes):
                    context.run(self.send, about, [message])
                else:
                    context.run(self.send, {**about, "text": message})
        self.close()

    @property
    def _over(self) -> bool:
        """Whether all cells are closed: some notebooks close the output of their cells without a message."""
        return self._ended or self.comm is None or bool(getattr(self.comm, "_closed", False))

    # ------------------------------------------------------------------------------------------------------ receiving

    def _hear(self, widget: Any, content: Any, buffers: Any) -> None:
        """Handle a message from a cell; called in a thread of the notebook."""
        name = content.get("view") if isinstance(content, Mapping) else None
        if not isinstance(name, str):
            return
        do = content.get("do")
        with self._lock:
            if do == "bye":
                if name in self._cells:
                    self._cells.pop(name).leave()
                if not any(cell.awake for cell in self._cells.values()):
                    self._simulation.requests.put(Request({"do": "pause"}, unheard))
                return
            cell = self._cells.get(name) or self._welcome(name)
            cell.shown(content.get("got"), asks=do is not None)
            if do not in (None, "hello"):
                cell.ask(content, lambda answer: self._answer(cell, answer))
            self._something.notify_all()

    def _welcome(self, name: str) -> Cell:
        """A new cell."""
        while len(self._cells) >= CELLS:
            self._cells.pop(min(self._cells, key=lambda each: self._cells[each].heard)).leave()
        cell = self._cells[name] = Cell(self._simulation)
        cell.greet()
        return cell

    def _answer(self, cell: Cell, message: Mapping[str, Any]) -> None:
        with self._lock:
            cell.answer(message)
            self._something.notify_all()
