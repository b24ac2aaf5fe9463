"""Scenario files: TOML documents that users write."""

import re
import tomllib
from pathlib import Path
from typing import Any

from steersman.scenarios.problems import Place, Problem, ScenarioError
from steersman.scenarios.toml_lines import lines_of


def read_file(path: Path) -> tuple[dict[str, Any], dict[Place, int]]:
    """A scenario file's document, and the line of everything in it.

    Raises:
        ScenarioError: There is no such file, it cannot be read, or it is not TOML.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ScenarioError([Problem("", f"cannot be read: {error.strerror or error}")], str(path)) from None
    except UnicodeDecodeError as error:
        raise ScenarioError([Problem("", f"is not UTF-8 text: {error.reason}")], str(path)) from None
    try:
        return tomllib.loads(text), lines_of(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError([_syntax_problem(str(error))], str(path)) from None


def _syntax_problem(message: str) -> Problem:
    """What the parser says, with the line in front."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if match is None:
        return Problem("", f"is not valid TOML: {message}")
    return Problem("", f"is not valid TOML: {match[1]} (column {match[3]})", int(match[2]))
