"""How far the exercises are: runs the notebooks' cells without Jupyter, and lists every check.

    python check.py                      # all lessons
    python check.py lessons/1_*.ipynb    # some; or notebooks that were handed in, from any folder

A check that fails does not stop the rest. The exit code is 0 if every exercise is solved.
"""

import contextlib
import io
import json
import os
import re
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
LESSONS = HERE / "lessons"


def results(notebook: Path) -> list[tuple[str, str]]:
    """(exercise, what its check says), "" where it passes."""
    found = []
    names: dict[str, object] = {"__name__": "lesson"}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        plain = "\n".join("" if re.match(r"\s*[%!]", line) else line for line in source.split("\n"))
        problem = ""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(plain, notebook.name, "exec"), names)
        except Exception as error:
            problem = str(error) if type(error).__name__ == "NotSolvedError" else f"{type(error).__name__}: {error}"
        if "check" in cell["metadata"].get("tags", ()):
            number = re.search(r"check(?:_law)?\(\s*\"([\d.]+)\"", source)
            found.append((number[1] if number else "?", problem))
    return found


def main() -> int:
    """Print the table."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.path.insert(0, str(LESSONS))
    chosen = [Path(each) for each in sys.argv[1:]] or sorted(LESSONS.glob("*.ipynb"))
    missing = 0
    for notebook in chosen:
        began = time.perf_counter()
        found = results(notebook)
        solved = sum(not problem for _, problem in found)
        missing += len(found) - solved
        print(f"{notebook.stem}: {solved} of {len(found)} solved ({time.perf_counter() - began:.0f} s)")
        for number, problem in found:
            print(f"  {number} {problem or 'right'}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
