"""The machine that something is measured on, in words, without its name."""

import os
import platform
import re
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")


def processors() -> str:
    """Which processors it has, and how many."""
    name = platform.processor() or platform.machine()
    if CPUINFO.exists() and (found := re.search(r"model name\s*:\s*(.+)", CPUINFO.read_text())):
        name = found[1].strip()
    return f"{name}, {os.cpu_count()} processors"
