"""Write the recorded results anew: `python -m tests.recorded`."""

import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from .table import FILES, FOLDER, differences, made, read, text_of


def main(words: list[str]) -> None:
    """Write the files that are named, or all, and say how many sections have changed."""
    for name in words or FILES:
        sections = made(import_module(f"{__package__}.{name}").SECTIONS)
        file = FOLDER / f"{name}.txt"
        before = read(name) if file.exists() else {}
        changed = [each for each, rows in sections.items() if any(differences(before.get(each, {}), rows))]
        file.write_text(text_of(sections), "utf-8")
        print(f"{name}.txt: {len(sections)} sections, {len(changed)} changed: {', '.join(changed[:20])}")


if __name__ == "__main__":
    main(sys.argv[1:])
