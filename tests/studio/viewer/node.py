"""The page's modules without a browser: run by Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import steersman.studio.viewer

PAGE = Path(steersman.studio.viewer.__file__).parent / "page"
MODULES = (
    "frames",
    "recorded",
    "camera",
    "grasp",
    "plots",
    "populations",
    "colors",
    "tree",
    "palette",
    "density",
    "why",
    "tour",
    "labels",
    "names",
    "placing",
    "stage",
    "outlines",
    "acting",
    "shares",
    "film",
    "reason",
    "lens",
    "framing",
    "cast",
    "timeline",
    "vectors",
)


def said(code: str) -> object:
    """What some JavaScript says, that has the modules whose names stand in it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    uris = {name: json.dumps((PAGE / f"{name}.js").as_uri()) for name in MODULES if f"{name}." in code}
    lines = [f"const {name} = await import({uri});" for name, uri in uris.items()]
    said = f"process.stdout.write(JSON.stringify({code}));"
    script = "\n".join(["globalThis.document = {};", *lines, said])
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
