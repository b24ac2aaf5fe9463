"""Yuka, a library of game AI in JavaScript, under Node: a process that is told what to do line by line.

Its Vehicle, SteeringManager and EntityManager do the work; its clock is Node's. Its three behaviors of flocks know one
radius and no angle, so `yuka_node.mjs` has three of its own with the nine parameters, written as Yuka's are.
"""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work

PROGRAM = Path(__file__).with_suffix(".mjs")


class Yuka(Peer):
    """Under Node."""

    name = "Yuka (Node)"
    how = "its vehicles, managers and behaviors; for the flock behaviors written as its own are"

    def __init__(self) -> None:
        self.makes = dict.fromkeys(("flock", "small", "avoid", "path"), self.start)

    def missing(self) -> str | None:
        if not shutil.which("node"):
            return "there is no Node"
        if not (self.folder / "node_modules" / "yuka").exists():
            return "npm could not install yuka"
        return None

    @cached_property
    def folder(self) -> Path:
        """A folder with Yuka in it: a temporary one, or that of the environment variable STEERSMAN_PEERS_NPM."""
        if given := os.environ.get("STEERSMAN_PEERS_NPM"):
            return Path(given)
        folder = Path(tempfile.mkdtemp(prefix="steersman-peers-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        if npm := shutil.which("npm"):
            quiet = ("--no-package-lock", "--no-audit", "--no-fund", "--silent")
            subprocess.run(
                [npm, "install", "--prefix", str(folder), *quiet, "yuka@0.7"], check=False, capture_output=True
            )
        return folder

    def versions(self) -> str:
        node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        package = json.loads((self.folder / "node_modules" / "yuka" / "package.json").read_text())
        return f"yuka {package['version']} node {node}"

    def start(self, work: Work, n: int, seed: int) -> Running:
        return InNode(self.folder, work, n)


class InNode(Running):
    """The process."""

    def __init__(self, folder: Path, work: Work, n: int) -> None:
        module = folder / "node_modules" / "yuka" / "build" / "yuka.module.js"
        self.process = subprocess.Popen(
            ["node", str(PROGRAM), module.resolve().as_uri()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask({"make": work.name, "n": n, "numbers": work.numbers})

    def ask(self, what: dict) -> dict:
        """A line there, a line back."""
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"Node ended with {self.process.wait()}")
        return json.loads(line)

    def place(self, position: Array, velocity: Array) -> None:
        self.ask({"place": [position.tolist(), velocity.tolist()]})

    def step(self) -> None:
        self.steps(1)

    def steps(self, count: int) -> float:
        return self.ask({"steps": count})["seconds"]

    def read(self) -> tuple[Array, Array]:
        told = self.ask({"read": True})
        return np.array(told["position"]), np.array(told["velocity"])

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()
