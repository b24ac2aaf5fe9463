"""Frames as bytes: a live run over a local socket, or a recorded one in a file, for Godot and programs of your own.

    sender = Sender(port=9080)
    world.on_step(sender, sm.EverySeconds(1 / 60))

A frame is, with all numbers little-endian:

    4 bytes     "STRF"
    uint32      length of the rest of the frame in bytes
    float64     time since the start [s]
    uint32      number of populations; then for each of them
        uint32      length of its name in bytes, with the zeros at its end, a multiple of 4
        bytes       its name in UTF-8, filled with zeros
        uint32      n, the number of its vehicles
        n * int64   their ids
        n * 12 * float32   their matrices: three rows of four numbers each

A matrix takes points of a model that is one long, faces along -z and has y up, to the world with y up, in meters: x, y, z of
the world are x, z, -y there. These are the axes of Godot, and the rows are those of `MultiMesh.buffer`. Frames follow
each other, in a file as on a socket; a client that is slow misses frames, but never a part of one.
"""

import socket
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import numpy as np

from steersman.adapters.frames import Frame, Rows, frame_of, rows_of
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array

MAGIC = b"STRF"

UP = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], np.float32)
"""From z up to y up."""


class Sender:
    """Sends frames to every program that connects. It never waits: for none of them, and for a slow one least of all.

    Args:
        port: The port; 0 takes a free one.
        host: The address on which it listens. Default: this machine alone.
        size: How long a vehicle is [m]. Default: twice its radius.

    Attributes:
        port: The port.
        clients: How many programs are connected.
        skipped: How many frames slow clients have missed.

    Raises:
        OSError: The port is in use.
    """

    def __init__(self, port: int = 9080, *, host: str = "127.0.0.1", size: float | None = None) -> None:
        self.size = None if size is None else as_number("size", size, above=0)
        self._listening = socket.create_server((host, port))
        self._listening.setblocking(False)
        self.port: int = self._listening.getsockname()[1]
        self.skipped = 0
        self._clients: dict[socket.socket, memoryview] = {}

    @property
    def clients(self) -> int:
        """How many programs are connected."""
        return len(self._clients)

    def __call__(self, world: Any) -> None:
        """Send a world as it is now: a function for `on_step`."""
        self._meet()
        if self._clients:
            self._send(packed(frame_of(world), self.size))

    def send(self, time: float, populations: Mapping[str, Any]) -> None:
        """Send vehicles of a Controller, or as they are drawn: `sender.send(world.time, {"fish": world.drawn(fraction)})`.

        Args:
            time: The time [s].
            populations: Vehicles or poses by name.
        """
        self._meet()
        if self._clients:
            rows = {name: rows_of(each) for name, each in populations.items()}
            self._send(packed(Frame(float(time), rows), self.size))

    def _meet(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._clients[client] = memoryview(b"")

    def _send(self, frame: bytes) -> None:
        for client, rest in list(self._clients.items()):
            try:
                left = _push(client, rest)
                if left:
                    self.skipped += 1
                else:
                    left = _push(client, memoryview(frame))
                self._clients[client] = left
            except OSError:  # It has gone.
                client.close()
                del self._clients[client]

    def close(self) -> None:
        """Close all connections."""
        for each in (*self._clients, self._listening):
            each.close()
        self._clients.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _push(client: socket.socket, data: memoryview) -> memoryview:
    """Send as much as the client takes now; returns the rest."""
    try:
        while data:
            data = data[client.send(data) :]
    except BlockingIOError:
        pass
    return data


def packed(frame: Frame, size: float | None = None) -> bytes:
    """The bytes of a frame."""
    parts = [struct.pack("<dI", frame.time, len(frame.populations))]
    for name, rows in frame.populations.items():
        text = name.encode()
        text += b"\0" * (-len(text) % 4)
        parts += [struct.pack("<I", len(text)), text, struct.pack("<I", len(rows.id)), rows.id.astype("<i8").tobytes()]
        parts.append(matrices_of(rows, size).astype("<f4").tobytes())
    whole = b"".join(parts)
    return MAGIC + struct.pack("<I", len(whole)) + whole


def matrices_of(rows: Rows, size: float | None = None) -> Array:
    """Matrices of vehicles, shape (n, 3, 4), float32: see the head of this module."""
    length = np.full(len(rows.id), size) if size else np.where(rows.radius > 0, 2 * rows.radius, 1.0)
    result = np.empty((len(rows.id), 3, 4), np.float32)
    forward, left, up = (rows.matrix[:, :, k] * length[:, None] for k in range(3))
    result[:, :, :3] = UP @ np.stack([-left, up, -forward], axis=2).astype(np.float32)
    result[:, :, 3] = rows.position.astype(np.float32) @ UP.T
    return result


def write_stream(frames: Iterable[Frame], file: Path, *, size: float | None = None) -> None:
    """Write frames into a file, as they would go over the socket.

    Args:
        frames: The frames.
        file: The file.
        size: How long a vehicle is [m]. Default: twice its radius.
    """
    with file.open("wb") as out:
        for frame in frames:
            out.write(packed(frame, size))


class Sent(NamedTuple):
    """The vehicles of a population in a frame that was read.

    Attributes:
        id: Ids, shape (n,), int64.
        matrix: Matrices, shape (n, 3, 4), float32; the last column is the position with y up [m].
    """

    id: Array
    matrix: Array


def read_stream(source: "str | Path | socket.socket") -> Iterator[tuple[float, dict[str, Sent]]]:
    """The frames of a file or of a connected socket, until it ends: the reader by which others can be written.

    Args:
        source: A file, or a socket.

    Returns:
        Time [s] and populations by name, for each frame.

    Raises:
        ValueError: The bytes are no frames, or end within one.
    """
    with source.makefile("rb") if isinstance(source, socket.socket) else open(source, "rb") as stream:
        while head := stream.read(8):
            if len(head) < 8 or head[:4] != MAGIC:
                raise ValueError(f"a frame must begin with {MAGIC!r} and a length, got {head!r}")
            yield _unpacked(_exactly(stream, int.from_bytes(head[4:], "little")))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise ValueError(f"a frame must have {count} bytes, but they end after {len(data)}")
    return data


def _unpacked(data: bytes) -> tuple[float, dict[str, Sent]]:
    time, count = struct.unpack_from("<dI", data)
    place, populations = 12, {}
    for _ in range(count):
        (length,) = struct.unpack_from("<I", data, place)
        name = data[place + 4 : place + 4 + length].rstrip(b"\0").decode()
        (n,) = struct.unpack_from("<I", data, place + 4 + length)
        place += 8 + length
        matrix = np.frombuffer(data, "<f4", 12 * n, place + 8 * n).reshape(n, 3, 4)
        populations[name] = Sent(np.frombuffer(data, "<i8", n, place), matrix)
        place += 56 * n
    return time, populations
