"""Interruptions for tests: an exception at a chosen moment of a call."""

import dis
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import steersman as sm

PACKAGE = str(Path(sm.__file__).parent)

HEARD = ("RESUME", "CALL", "JUMP_BACKWARD")
"""How the names of those instructions begin after which Python hears signals."""


class Interrupted(BaseException):
    """What is raised."""


class Interruption:
    """Raises an exception at the k-th moment of a call, counted in code of the library; never, for a large k.

    Args:
        moment: Its number, from 0.
        lines: Whether moments are lines; else they are those at which Python hears signals.
    """

    def __init__(self, moment: int, *, lines: bool = False) -> None:
        self.left, self.lines, self.raised = moment, lines, False
        self.before: dict[FrameType, int] = {}

    def during(self, function: Callable[[], object]) -> bool:
        """Call a function; whether it was interrupted."""
        older = sys.gettrace()
        sys.settrace(self.trace)
        try:
            function()
        except Interrupted:
            return True
        finally:
            sys.settrace(older)
        return self.raised  # Caught somewhere: it has happened nevertheless.

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        """Look at a new frame."""
        if self.raised or not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = self.lines, not self.lines
        return self.moment

    def moment(self, frame: FrameType, event: str, _: Any) -> Any:
        """Count a moment."""
        if event == "return":
            self.before.pop(frame, None)
        elif (
            not self.raised
            and (event == "line" if self.lines else event == "opcode" and self._hears(frame))
            and not _leaves_with(frame)
        ):
            if self.left == 0:
                self.raised = True
                raise Interrupted
            self.left -= 1
        return self.moment

    def _hears(self, frame: FrameType) -> bool:
        before, self.before[frame] = self.before.get(frame), frame.f_code.co_code[frame.f_lasti]
        return before is not None and dis.opname[before].startswith(HEARD)


def _leaves_with(frame: FrameType) -> bool:
    """Whether what comes next ends a `with` block: Python hears no signal there, and locks would stay locked."""
    return frame.f_lasti in _ends_of_with(frame.f_code)


@cache
def _ends_of_with(code: CodeType) -> frozenset[int]:
    """Where `with` blocks of some code end: None, three times, is what `__exit__` is called with."""
    ends, instructions = [], list(dis.get_instructions(code))
    for at, before in enumerate(instructions[:-3]):
        following = instructions[at + 1 : at + 4] if before.opname == "SWAP" else instructions[at : at + 3]
        if all(each.opname == "LOAD_CONST" and each.argval is None for each in following):
            ends.append(before.offset)
    return frozenset(ends)
