"""The entry point to the window: show a world in a browser, from a script or from the command."""

import contextlib
import sys
import threading
import webbrowser
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from steersman.core.world.world import World
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.simulation import Simulation

if TYPE_CHECKING:
    from steersman.studio.viewer.tabs import Open

NOTE = (
    "This frame works where Python runs on the machine of the browser. "
    'pip install "steersman[notebook]" makes it a widget, which works everywhere.'
)
"""The note below a window in a cell that could be a widget."""


class View:
    """A world that is shown.

    Attributes:
        url: Its address, for this machine's browsers; "" in a notebook's own cell, which has none.
    """

    url: str = ""

    def close(self) -> None:
        """Close it; the world stays as it is."""
        raise NotImplementedError

    def wait(self, seconds: float | None = None) -> None:
        """Wait until Ctrl-C, or for some time [s], and close it."""
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait(seconds)
        self.close()


class Window(View):
    """A window that is open in a browser."""

    def __init__(self, server: Any, note: str = "") -> None:
        self._simulation, self._server, self._note = server.tabs.own, server, note
        self.url = server.url

    def prepare(self, address: Address) -> None:
        """Make the simulation of the first tab ahead, so that a mistake in it is told here.

        Raises:
            ScenarioError: The scenario, or a number, is not allowed.
        """
        self._server.tabs.prepare(address)

    def __repr__(self) -> str:
        return f"Window({self.url!r})"

    def _repr_html_(self) -> str:
        """The window itself, in the cell of a notebook."""
        style = "width: 100%; height: 640px; border: 0; border-radius: 6px"
        frame = f'<iframe src="{escape(self.url)}" style="{style}" title="steersman" allow="clipboard-write"></iframe>'
        return frame + (f"<div>{escape(self._note)}</div>" if self._note else "")

    def close(self) -> None:
        """Close it; the world stays as it is."""
        self._server.end()


IN_CELLS: "WeakKeyDictionary[World, Callable[[], View | None]]" = WeakKeyDictionary()
"""The views of worlds in notebooks, one per world: with two, a cell that is run again would step the same world twice."""


def require_websockets(extra: str = "viewer") -> None:
    """Raise an ImportError with the command to install, if websockets is missing."""
    if find_spec("websockets") is None:
        needed = "anywidget in a notebook" if extra == "notebook" else "websockets"
        raise ImportError(f'the viewer needs {needed}; please run: pip install "steersman[{extra}]"')


def in_notebook() -> bool:
    """Whether Python runs behind a notebook: Jupyter's, or marimo's."""
    jupyter, marimo = sys.modules.get("IPython"), sys.modules.get("marimo")
    if jupyter is not None and getattr(jupyter.get_ipython(), "kernel", None) is not None:
        return True
    return marimo is not None and bool(marimo.running_in_notebook())


def view(
    subject: World | Stage,
    *,
    block: bool = False,
    browser: bool | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    playing: bool = False,
    remake: Callable[..., Stage] | None = None,
    name: str = "",
) -> View:
    """Show a world in a browser, or in the cell of a notebook.

    Args:
        subject: The World or the Stage.
        block: Whether to wait until Ctrl-C.
        browser: Whether to open a browser; if not, open the address yourself. None opens one, except in a notebook: there
            the cell shows the returned view, and an earlier view of the same world is closed.
        host: The address to listen at. At the default, other machines cannot reach it.
        port: The port; 0 for any that is free.
        playing: Whether it runs from the start.
        remake: Makes the stage anew, called with n and seed.
        name: The name of the scenario.

    Returns:
        The window.

    Raises:
        ImportError: websockets is not installed; nor, in a notebook, anywidget.
        OSError: The port is taken.
        ValueError: There is nothing to show.
    """
    cell = browser is None and not block and in_notebook()
    world = subject if isinstance(subject, World) else subject.world
    if cell and (before := IN_CELLS.pop(world, _nothing)()) is not None:
        before.close()
    widget = cell and find_spec("anywidget") is not None
    if not widget:
        require_websockets("notebook" if cell else "viewer")
    simulation = Simulation(subject, remake=remake, playing=playing, name=name)
    shown = _in_cell(simulation) if widget else serve(simulation, host, port, NOTE if cell else "")
    simulation.start()
    if cell:
        IN_CELLS[world] = ref(shown)
    elif browser is not False:
        webbrowser.open(shown.url)
    if block:
        shown.wait()
    return shown


def _nothing() -> None:
    """The view of a world that is in no cell."""


def _in_cell(simulation: Simulation) -> View:
    """A simulation as a widget."""
    from steersman.studio.viewer.notebook import NotebookView

    return NotebookView(simulation)


def serve(own: "Simulation | Open", host: str = "127.0.0.1", port: int = 0, note: str = "") -> Window:
    """A window behind a server.

    Args:
        own: The simulation that all browsers share; or a function that makes one for the address of each tab.
        host: The address to listen at.
        port: The port; 0 for any that is free.
        note: A note below the window in a cell.

    Raises:
        ImportError: websockets is not installed.
        OSError: The port is taken.
    """
    require_websockets()
    from steersman.studio.viewer.server import Server

    server = Server(own, host=host, port=port)
    try:
        server.start()
    except OSError:
        server.tabs.end()
        raise
    return Window(server, note)
