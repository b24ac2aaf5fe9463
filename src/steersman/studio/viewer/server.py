"""The server of a window: the page and its pictures over HTTP, simulations over a WebSocket, on one port.

It refuses requests without the token of the opened address, and requests from other pages (the browser names the origin of
a page in `Origin`). For a slow browser newer messages replace waiting ones, so no queue grows; answers to its own requests
wait all.
"""

import asyncio
import contextlib
import gzip
import hmac
import json
import os
import secrets
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from steersman.core.kernels.announcing import watched_compilation
from steersman.core.kernels.cache import cache_folder
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.compiling import Progress
from steersman.studio.viewer.page_files import gallery_html, page_html, picture
from steersman.studio.viewer.requests import words_of
from steersman.studio.viewer.simulation import Simulation
from steersman.studio.viewer.tabs import Open, Tabs
from steersman.studio.viewer.watcher import Watcher

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

MOST_BYTES = 65_536
"""Largest size of a message from a page [bytes]."""

AHEAD = 3
"""Largest number of frames on the way to a browser."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self' http://127.0.0.1:* http://localhost:* vscode-webview:"
)
"""The content security policy: a page may load nothing from other servers. Notebooks of this machine may show it."""


class Browser(Watcher):
    """A browser that watches."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__(simulation)
        self.something = asyncio.Event()

    def put(self, kind: str, message: Any) -> None:
        """Queue a message, and wake the sender."""
        super().put(kind, message)
        self.something.set()

    async def take(self) -> Any:
        """The next message."""
        while not self.waiting:
            self.something.clear()
            await self.something.wait()
        return self.next()


class Server:
    """Shows simulations to browsers.

    Args:
        own: The simulation to show; or a function that makes one for the address of each tab.
        host: The address to listen at.
        port: The port; 0 for any that is free.

    Attributes:
        url: The address to open, with the token.
    """

    def __init__(self, own: Simulation | Open, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.tabs, self.host, self.port = Tabs(own), host, port
        self.token = token_of(port)
        self.url = ""
        self._browsers: set[Browser] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._error: Exception | None = None
        self._end: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._serve, name="steersman server", daemon=True)

    def start(self) -> str:
        """Listen, and return the address to open.

        Raises:
            OSError: The port is taken.
        """
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self.url

    def end(self) -> None:
        """End the simulations, close all connections, and stop listening."""
        self.tabs.end()
        if self._loop is not None and self._end is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(timeout=5)

    def tell(self, simulation: Simulation, kind: str, message: Any) -> None:
        """Send a message to all browsers that watch a simulation; called by the simulation."""
        if self._browsers and self._loop is not None:
            self._loop.call_soon_threadsafe(self._put, simulation, kind, message)

    def _put(self, simulation: Simulation, kind: str, message: Any) -> None:
        for browser in self._browsers:
            if browser.simulation is simulation:
                browser.put(kind, message)

    # -------------------------------------------------------------------------------------------------- the loop

    def _serve(self) -> None:
        try:
            asyncio.run(self._listen())
        except Exception as error:
            self._error = error
            self._ready.set()

    async def _listen(self) -> None:
        from websockets.asyncio.server import serve

        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        listening = serve(
            self._watch, self.host, self.port, process_request=self._request, max_size=MOST_BYTES, compression=None,
            write_limit=262_144, close_timeout=1, server_header=None, logger=_silent(),
            ping_timeout=None,  # A page that draws slowly answers late: what is on the way to it comes first.
        )  # fmt: skip
        async with listening as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            shown = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
            self.url = f"http://{shown}:{self.port}/?token={quote(self.token)}"
            self._ready.set()
            await self._end.wait()

    async def _request(self, connection: "ServerConnection", request: "Request") -> "Response | None":
        """Answer a request; None where it becomes a WebSocket."""
        address = urlsplit(request.path)
        query = parse_qs(address.query)
        host = request.headers.get("Host", "")
        if self.host == "127.0.0.1" and host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return _page(HTTPStatus.FORBIDDEN, "this address is not the viewer's")
        if not hmac.compare_digest(query.get("token", [""])[0].encode(), self.token.encode()):
            return _page(HTTPStatus.FORBIDDEN, "the token is missing or wrong: open the address that steersman printed")
        if address.path == "/live":
            if request.headers.get("Origin") != f"http://{host}":
                return _page(HTTPStatus.FORBIDDEN, "only the viewer's own page may connect")
            return None
        route = ROUTES.get(address.path)
        if route is None:
            return _page(HTTPStatus.NOT_FOUND, "there is no such page")
        answer: Response = await route(self, query)
        if "gzip" in request.headers.get("Accept-Encoding", "") and answer.headers["Content-Type"].startswith("text/"):
            answer.body = gzip.compress(answer.body, 6)
            del answer.headers["Content-Length"]
            answer.headers.update({"Content-Encoding": "gzip", "Content-Length": str(len(answer.body))})
        return answer

    async def _watch(self, connection: "ServerConnection") -> None:
        """Send messages to a browser, and handle its messages, until it disconnects."""
        from websockets.exceptions import ConnectionClosed

        assert connection.request is not None
        query = parse_qs(urlsplit(connection.request.path).query)
        tab = query.get("tab", [""])[0] or secrets.token_urlsafe(9)
        try:
            simulation = await self._simulation_of(connection, tab, query)
        except ConnectionClosed:
            return
        if simulation is None:
            return
        browser = Browser(simulation)
        simulation.tell = partial(self.tell, simulation)
        self._browsers.add(browser)
        browser.greet()
        sending = asyncio.create_task(_send(connection, browser))
        try:
            async for text in connection:
                self._hear(browser, text)
        except ConnectionClosed:
            pass
        finally:
            self._browsers.discard(browser)
            sending.cancel()
            browser.leave()
            if not any(each.simulation is simulation for each in self._browsers):
                self.tabs.leave(tab)

    async def _simulation_of(
        self, connection: "ServerConnection", tab: str, query: Mapping[str, list[str]]
    ) -> Simulation | None:
        """The simulation of a tab, which hears of compilation; None where its address is refused."""
        loop = asyncio.get_running_loop()
        sent: list[asyncio.Task[None]] = []

        def say(number: int, count: int, seconds: float | None) -> None:
            note = json.dumps({"type": "preparing", "number": number, "count": count, "seconds": seconds})
            loop.call_soon_threadsafe(lambda: sent.append(loop.create_task(_say(connection, note))))

        def enter() -> Simulation:
            with watched_compilation(begins=Progress(say)):
                return self.tabs.enter(tab, Address.read(query))

        try:
            return await asyncio.to_thread(enter)
        except Exception as error:  # Also the code of a user's scenario.
            await connection.send(json.dumps({"type": "closed", "message": words_of(error)}))
            await connection.close()
            return None

    def _hear(self, browser: Browser, text: str | bytes) -> None:
        """Pass a request of a page to the simulation; other messages are refused."""
        loop = self._loop
        assert loop is not None
        try:
            message = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            message = None
        browser.ask(message, lambda reply: loop.call_soon_threadsafe(browser.answer, reply))


async def _say(connection: "ServerConnection", text: str) -> None:
    """Send a message, unless the browser has disconnected."""
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed):
        await connection.send(text)


async def _send(connection: "ServerConnection", browser: Browser) -> None:
    """Send the waiting messages one after the other, as fast as the browser reads them.

    A ping after each frame is answered when the browser has read all messages before it, so few frames are on the way, and
    the frames that arrive are recent.
    """
    from websockets.exceptions import ConnectionClosed

    unread: deque[Awaitable[float]] = deque()
    try:
        while True:
            message = await browser.take()
            await connection.send(message)
            if isinstance(message, bytes):
                unread.append(await connection.ping())
                if len(unread) >= AHEAD:
                    await unread.popleft()
    except ConnectionClosed:
        return


def token_of(port: int) -> str:
    """The token of a server. That of a chosen port is kept, so that open pages find the server after a restart."""
    new = secrets.token_urlsafe(18)
    if not port:
        return new
    file = cache_folder() / "tokens" / str(port)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            contextlib.suppress(FileExistsError),
            open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as made,
        ):
            made.write(new)
        saved = file.read_text().strip()
    except OSError:  # Nothing can be kept here.
        return new
    return saved if len(saved) == len(new) else new


def _silent() -> Any:
    """A logger without output: browsers that disconnect in the middle of a message are no reason for a report."""
    import logging

    logger = logging.getLogger("steersman.studio.viewer")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger


def _answer(status: HTTPStatus, kind: str, body: bytes) -> "Response":
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    about = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        "Connection": "close",
    }
    return Response(status.value, status.phrase, Headers(about), body)


def _page(status: HTTPStatus, text: str) -> "Response":
    return _answer(status, "text/plain; charset=utf-8", f"{text}\n".encode())


def _html(text: str) -> "Response":
    return _answer(HTTPStatus.OK, "text/html; charset=utf-8", text.encode())


async def _scene_page(server: Server, query: Mapping[str, list[str]]) -> "Response":
    return _html(page_html())


async def _gallery(server: Server, query: Mapping[str, list[str]]) -> "Response":
    if "scene" not in query:
        return _html(gallery_html(server.token))
    answer = _page(HTTPStatus.FOUND, "the scene has a page of its own")
    answer.headers["Location"] = f"/?{urlencode(query, doseq=True)}"
    return answer


async def _picture(server: Server, query: Mapping[str, list[str]]) -> "Response":
    image = picture(query.get("name", [""])[0])
    if image is None:
        return _page(HTTPStatus.NOT_FOUND, "there is no such picture")
    return _answer(HTTPStatus.OK, "image/webp", image)


Route = Callable[[Server, Mapping[str, list[str]]], Awaitable[Any]]

ROUTES: dict[str, Route] = {"/": _scene_page, "/gallery": _gallery, "/picture": _picture}
"""Path of a request over HTTP -> the function that answers it."""
