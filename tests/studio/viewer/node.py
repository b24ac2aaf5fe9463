"""The page's modules without a browser: run by Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import steersman.studio.viewer

PAGE = Path(steersman.studio.viewer.__file__).parent / "page"
MODULES = ("frames", "recorded", "camera")


def said(code: str) -> object:
    """What some JavaScript says, that has the modules whose names stand in it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    lines = ["globalThis.document = {};"]
    for name in MODULES:
        if f"{name}." in code:
            lines.append(f"const {name} = await import({json.dumps((PAGE / f'{name}.js').as_uri())});")
    script = "\n".join([*lines, f"process.stdout.write(JSON.stringify({code}));"])
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
