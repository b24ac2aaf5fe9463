"""The files of the page: the pictures of the gallery."""

import io
import re

import pytest
from PIL import Image

from steersman.drawing.palette import TONES, theme_module
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.page_files import MOVING, part, picture


@pytest.mark.parametrize("paper", ["light", "dark"])
def test_every_scenario_has_pictures(paper):
    missing = [name for name in SCENARIOS if picture(f"{name}.{paper}.webp") is None]
    missing += [name for name in MOVING if picture(f"{name}.moving.{paper}.webp") is None]
    assert not missing, f"please run: python docs/make_cards.py {' '.join(missing)}"
    for name in SCENARIOS:
        image = Image.open(io.BytesIO(picture(f"{name}.{paper}.webp"))).convert("L")
        assert image.size == (320, 240)
        low, high = image.getextrema()
        assert high - low > 40, name  # Something is to be seen on it.
        assert (high > 240) == (paper == "light"), name


def test_there_are_no_other_pictures():
    assert picture("../style.css") is None
    assert picture("nosuch.light.webp") is None


def test_the_page_has_the_colors_of_pictures():
    """They stand in drawing/palette.py alone: `python docs/make_tables.py` writes them for the page."""
    assert part("theme.js") == theme_module()
    for mode, rule in enumerate(re.findall(r":root, :host \{(.*?)\}", part("style.css"), re.DOTALL)):
        told = dict(re.findall(r"--(\w+): (#\w{6});", rule))
        assert told == {name: TONES[name][mode].lower() for name in told}
        assert len(told) == 9
    codes = re.findall(r"#[0-9a-f]{3,8}\b", part("style.css").partition("* { box-sizing")[2])
    assert set(codes) == {"#000"}, "only of a mask"
