"""Writes docs/gallery.png: pictures of several built-in scenarios on one sheet.

    python docs/make_gallery.py [NAME[@PART] ...]

A part of its usual time after which a scenario is drawn: `circle_swap@0.2`.
"""

import sys
import tempfile
from pathlib import Path

from PIL import Image

from steersman.drawing.trails import Trails
from steersman.gallery.registry import SCENARIOS

PAGE = Path(__file__).with_name("gallery.png")

SHOWN = (
    "path_following", "battle_bot", "pedestrians",
    "circle_swap@0.27", "caribou_and_wolves", "flow_field",
    "obstacle_avoidance", "murmuration", "hills",
)  # fmt: skip
"""Scenarios of the gallery, row by row; with the part of their usual time after which they are drawn."""

COLUMNS, WIDTH, HEIGHT, GAP = 3, 400, 300, 6
PAPER = "#FBFAF6"


def portrait(wanted: str, folder: Path) -> Image.Image:
    """The picture of a scenario after its usual time, or a part of it, on a tile of the sheet."""
    name, _, part = wanted.partition("@")
    stage = SCENARIOS[name].stage()
    trails = Trails(stage.world, stage.picture.trails)
    stage.world.run(steps=round(stage.steps * float(part or 1)))
    stage.draw(folder / f"{name}.png", trails=trails)
    tile = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    with Image.open(folder / f"{name}.png") as picture:
        small = picture.convert("RGB")
        small.thumbnail((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    tile.paste(small, ((WIDTH - small.width) // 2, (HEIGHT - small.height) // 2))
    return tile


def gallery(names: list[str], path: Path) -> None:
    """Draw scenarios onto one sheet."""
    rows = -(-len(names) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (WIDTH + GAP) - GAP, rows * (HEIGHT + GAP) - GAP), "#FFFFFF")
    with tempfile.TemporaryDirectory() as folder:
        for k, name in enumerate(names):
            print(name, flush=True)
            sheet.paste(portrait(name, Path(folder)), (k % COLUMNS * (WIDTH + GAP), k // COLUMNS * (HEIGHT + GAP)))
    sheet.quantize(256, kmeans=4, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    chosen = sys.argv[1:]
    gallery(chosen or list(SHOWN), Path("gallery.png") if chosen else PAGE)
