"""How far the exercises are: runs the notebooks' cells without Jupyter, and lists every check.

    python check.py                      # all lessons
    python check.py lessons/1_*.ipynb    # some; or notebooks that were handed in, from any folder
    python check.py --csv grades.csv handed_in/*/*.ipynb    # and a table: notebook, exercise, 1 or 0, what is wrong

A check that fails does not stop the rest. The exit code is 0 if every exercise is solved.
"""

import contextlib
import csv
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
    named = sys.argv[1:]
    table = named[1] if named[:1] == ["--csv"] and len(named) > 1 else None
    files = [Path(each) for each in (named[2:] if table else named)]
    absent = [str(each) for each in files if not each.is_file()]
    if absent:
        print(f"there is no {' and no '.join(absent)}", file=sys.stderr)
        return 2
    missing, rows = 0, []
    for notebook in files or sorted(LESSONS.glob("*.ipynb")):
        began = time.perf_counter()
        found = results(notebook)
        solved = sum(not problem for _, problem in found)
        missing += len(found) - solved
        print(
            f"{notebook if files else notebook.stem}: {solved} of {len(found)} solved ({time.perf_counter() - began:.0f} s)"
        )
        for number, problem in found:
            print(f"  {number} {problem or 'right'}")
        rows += [(str(notebook), number, int(not problem), problem) for number, problem in found]
    if table:
        with open(table, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("notebook", "exercise", "solved", "problem"), *rows])
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
