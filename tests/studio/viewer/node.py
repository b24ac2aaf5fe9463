"""The page's modules without a browser: run by Node."""

import atexit
import functools
import json
import shutil
import subprocess
from pathlib import Path

import pytest

import steersman.studio.viewer

PAGE = Path(steersman.studio.viewer.__file__).parent / "page"
MODULES = (
    "frames", "recorded", "camera", "grain", "grasp", "plots", "populations", "colors", "tree", "palette", "density", "why",
    "tour", "labels", "names", "placing", "stage", "outlines", "acting", "shares", "film", "reason", "lens",
    "framing", "cast", "timeline", "vectors", "root", "notices", "painter",
)  # fmt: skip


SERVER = """
import { createInterface } from "node:readline";
const globals = Object.getOwnPropertyDescriptors(globalThis);
const Program = Object.getPrototypeOf(async () => {}).constructor;
for await (const line of createInterface({ input: process.stdin })) {
  const { modules, code } = JSON.parse(line);
  for (const name of Object.keys(globalThis)) if (!(name in globals)) delete globalThis[name];
  Object.defineProperties(globalThis, globals);
  globalThis.document = {};
  const answer = {};
  try {
    const loaded = await Promise.all(Object.values(modules).map((uri) => import(uri)));
    answer.said = await new Program(...Object.keys(modules), `"use strict"; return (${code});`)(...loaded);
  } catch (error) {
    answer.error = String(error?.stack ?? error);
  }
  process.stdout.write(`${JSON.stringify(answer)}\\n`);
}
"""
"""Answers each line of its input. The page's modules keep nothing from one answer for the next, and globals begin anew."""


@functools.cache
def server() -> "subprocess.Popen[str]":
    """A process for all answers: to start Node and to load the modules takes a tenth of a second."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    command = [node, "--input-type=module", "-e", SERVER]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    atexit.register(process.communicate)
    return process


def said(code: str) -> object:
    """What some JavaScript says, that has the modules whose names stand in it."""
    modules = {name: (PAGE / f"{name}.js").as_uri() for name in MODULES if f"{name}." in code}
    process = server()
    process.stdin.write(json.dumps({"modules": modules, "code": code}) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert "said" in answer, answer.get("error", "it says nothing")
    return answer["said"]
