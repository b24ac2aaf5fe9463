"""Examples of additions are tests of a library that has them; `test_contributing.py` runs them there."""

import os
import sys

collect_ignore = ["additions"]

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # Windows of games, where there may be no screen.
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
if not (os.environ.get("DISPLAY") or sys.platform in ("win32", "darwin")):
    os.environ.setdefault("ARCADE_HEADLESS", "True")
