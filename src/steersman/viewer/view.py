"""The door to the window: show a world in a browser, from a script or from the command."""

import contextlib
import threading
import webbrowser
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from typing import Any

from steersman.scenarios.stage import Stage
from steersman.viewer.simulation import Simulation
from steersman.world.world import World


class View:
    """A window that is open.

    Attributes:
        url: Its address, for this machine's browsers.
    """

    def __init__(self, simulation: Simulation, server: Any) -> None:
        self._simulation, self._server = simulation, server
        self.url: str = server.url

    def __repr__(self) -> str:
        return f"View({self.url!r})"

    def _repr_html_(self) -> str:
        """The window itself, in the cell of a notebook."""
        style = "width: 100%; height: 640px; border: 0; border-radius: 6px"
        return f'<iframe src="{escape(self.url)}" style="{style}" title="steersman" allow="clipboard-write"></iframe>'

    def close(self) -> None:
        """Close it; the world stays as it is."""
        self._simulation.end()
        self._server.end()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until Ctrl-C, or for some time [s], and close it."""
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait(seconds)
        self.close()


def require_websockets() -> None:
    """Raise ImportError, saying what to install, where websockets is missing."""
    if find_spec("websockets") is None:
        raise ImportError('the viewer needs websockets; please run: pip install "steersman[viewer]"')


def view(
    subject: World | Stage,
    *,
    block: bool = False,
    browser: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    playing: bool = False,
    again: Callable[..., Stage] | None = None,
    name: str = "",
) -> View:
    """Show a world in a browser.

    Args:
        subject: The World or the Stage.
        block: Whether to wait until Ctrl-C.
        browser: Whether to open a browser; without one, open the address yourself.
        host: The address to listen at. Others than this machine can reach it only at another one than the default.
        port: The port; 0 for any that is free.
        playing: Whether it runs from the start.
        again: Makes the stage anew, called with n and seed.
        name: The name of the scenario.

    Returns:
        The window.

    Raises:
        ImportError: websockets is not installed.
        OSError: The port is taken.
        ValueError: There is nothing to be seen.
    """
    require_websockets()
    from steersman.viewer.server import Server

    simulation = Simulation(subject, again=again, playing=playing, name=name)
    server = Server(simulation, host=host, port=port)
    try:
        server.start()
    except OSError:
        simulation.end()
        raise
    simulation.start()
    shown = View(simulation, server)
    if browser:
        webbrowser.open(shown.url)
    if block:
        shown.wait()
    return shown
