"""Writes the pictures of the pages: what the first program of each page draws.

python docs/make_pictures.py [PAGE ...]

Such as hills.png of the page `on_ground`.
"""

import contextlib
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parent
WIDTH = 640


def first_program(page: Path) -> str:
    """The Python block with which a page begins."""
    found = re.search(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return found[1] if found else ""


def keep(drawn: Path, path: Path, width: int) -> None:
    """Write a picture small, with few colors."""
    with Image.open(drawn) as picture:
        small = picture.convert("RGB")
        small.thumbnail((width, 2 * width), Image.Resampling.LANCZOS)
    small.quantize(200, kmeans=4, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"wrote {path}")


def main(pages: list[str]) -> None:
    """Draw those of some pages; of all, where none is named."""
    for page in sorted(DOCS / f"{each}.md" for each in pages) or sorted(DOCS.glob("*.md")):
        shown = re.findall(r"!\[[^\]]*\]\((\w+\.png)\)", page.read_text(encoding="utf-8"))
        if shown:
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                exec(first_program(page), {})
                for name in shown:
                    if Path(folder, name).exists():
                        keep(Path(folder, name), DOCS / name, WIDTH)


if __name__ == "__main__":
    main(sys.argv[1:])
