"""Windows without a screen: SDL draws into memory, arcade through EGL."""

import os
import sys

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
if not (os.environ.get("DISPLAY") or sys.platform in ("win32", "darwin")):
    os.environ.setdefault("ARCADE_HEADLESS", "True")


@pytest.fixture(scope="module")
def window():
    """An arcade window of 400 x 200 pixels."""
    arcade = pytest.importorskip("arcade")
    try:
        made = arcade.Window(400, 200, "test", visible=False)
    except Exception as error:  # No OpenGL 3.3 at all, neither of a card nor of Mesa.
        pytest.skip(f"there is no OpenGL: {error}")
    yield made
    made.close()


@pytest.fixture
def screen():
    """A pygame surface of 400 x 200 pixels that is the window."""
    pygame = pytest.importorskip("pygame")
    pygame.init()
    yield pygame.display.set_mode((400, 200))
    pygame.quit()
