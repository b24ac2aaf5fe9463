"""The course: notebooks for a class, and checks that every exercise can be solved and cannot be passed by.

    python course/course.py make CLASS              # what a class can fork: notebooks with holes, checks, a workflow;
                                                    # with --wheel FOLDER it has the library, too
    python course/course.py solutions FOLDER        # the notebooks with solutions in, for the teacher
    python course/course.py try                     # every hole and every mistake is refused, every solution passes

A lesson is a Python file in cells (`# %%`, Jupytext's percent form). A cell with the tag "solution" defines a function;
the lines between its two markers are the hole. Cells with the tag "mistake" before it are wrong answers, and the next
cell has the tag "check".
"""

import argparse
import json
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
LESSONS = HERE / "lessons"
CELL = re.compile(r"^# %%(.*)$", re.MULTILINE)
HOLE = re.compile(r"^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION\n?", re.DOTALL | re.MULTILINE)
MARKER = re.compile(r"^ *### (?:BEGIN|END) SOLUTION\n?", re.MULTILINE)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class Cell(NamedTuple):
    """A cell of a lesson.

    Attributes:
        kind: "markdown" or "code".
        tags: Its tags.
        text: Its source.
    """

    kind: str
    tags: tuple[str, ...]
    text: str

    def holed(self) -> "Cell":
        """The cell with three dots in place of its solution."""
        return self._replace(text=HOLE.sub(r"\1...  # your law\n", self.text).rstrip("\n"))

    def solved(self) -> "Cell":
        """The cell with its solution, without the markers."""
        return self._replace(text=MARKER.sub("", self.text).rstrip("\n"))


class Tried(NamedTuple):
    """An exercise that was tried.

    Attributes:
        name: The first words of its check.
        version: "hole", "mistake 1", ..., or "solution".
        message: What the check said; "" if it passed.
    """

    name: str
    version: str
    message: str


def lessons() -> list[Path]:
    """The files of the lessons, in order."""
    return sorted(LESSONS.glob("[0-9]*.py"))


def cells(file: Path) -> list[Cell]:
    """The cells of a lesson: a Python file, or a notebook."""
    text = file.read_text("utf-8")
    if file.suffix == ".ipynb":
        return [
            Cell(each["cell_type"], tuple(each["metadata"].get("tags", ())), "".join(each["source"]))
            for each in json.loads(text)["cells"]
        ]
    found = []
    pieces = CELL.split(text)
    for head, body in zip(pieces[1::2], pieces[2::2], strict=True):
        tags = re.search(r"tags=(\[.*?\])", head)
        markdown = "[markdown]" in head
        source = re.sub(r"^# ?", "", body, flags=re.MULTILINE) if markdown else body
        found.append(
            Cell("markdown" if markdown else "code", tuple(json.loads(tags[1])) if tags else (), source.strip("\n"))
        )
    return found


def notebook(lesson: list[Cell], *, solved: bool) -> dict[str, Any]:
    """A lesson as a notebook (nbformat 4.5), with or without its solutions; mistakes are in neither."""
    made: list[dict[str, Any]] = []
    for cell in lesson:
        if "mistake" in cell.tags:
            continue
        if "solution" in cell.tags:
            cell = cell.solved() if solved else cell.holed()
        source = cell.text.replace("  # fmt: skip", "").splitlines(keepends=True)
        tags = ["exercise" if each == "solution" else each for each in cell.tags]
        each = {
            "cell_type": cell.kind,
            "id": f"cell-{len(made)}",
            "metadata": {"tags": tags} if tags else {},
            "source": source,
        }
        made.append(each | ({"execution_count": None, "outputs": []} if cell.kind == "code" else {}))
    return {"cells": made, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}


def write_notebooks(folder: Path, *, solved: bool) -> None:
    """Write all lessons as notebooks, and the module that they import."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in lessons():
        text = json.dumps(notebook(cells(file), solved=solved), indent=1, ensure_ascii=False)
        (folder / f"{file.stem}.ipynb").write_text(text + "\n", encoding="utf-8")
    shutil.copy(LESSONS / "lesson.py", folder)


def make(folder: Path, wheel: Path | None = None) -> None:
    """Write the layout that a class forks.

    Args:
        folder: The folder.
        wheel: The library itself, for a class that installs it from there: a file, or a folder that has one.

    Raises:
        FileExistsError: The folder has something in it.
        FileNotFoundError: There is no such wheel.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; notebooks of learners are not written over")
    if wheel is not None and wheel.is_dir():
        wheel = max(wheel.glob("steersman-*.whl"), key=lambda file: file.stat().st_mtime, default=wheel)
    if wheel is not None and not wheel.is_file():
        raise FileNotFoundError(f"{wheel} has no wheel; this makes one: python -m pip wheel --no-deps -w dist .")
    shutil.copytree(HERE / "class", folder, dirs_exist_ok=True)
    shutil.copy(HERE.parent / "LICENSE", folder)
    if wheel is not None:
        (folder / "wheels").mkdir()
        shutil.copy(wheel, folder / "wheels")
        needs = folder / "requirements.txt"
        text = needs.read_text("utf-8").replace("steersman[notebook]", f"./wheels/{wheel.name}[notebook]")
        needs.write_text(text, encoding="utf-8")
    write_notebooks(folder / "lessons", solved=False)


def run(cell: Cell, names: dict[str, Any], where: str) -> None:
    """Run a cell."""
    exec(compile(cell.text, where, "exec"), names)


def exercises(lesson: list[Cell]) -> Iterator[tuple[list[Cell], Cell | None, Cell | None]]:
    """The cells of code in order, as (those to run, solution, check): the mistakes are those to run before a solution."""
    waiting: list[Cell] = []
    solution: Cell | None = None
    for cell in lesson:
        if cell.kind != "code":
            continue
        if "mistake" in cell.tags:
            waiting.append(cell)
        elif "solution" in cell.tags:
            solution = cell
        elif "check" in cell.tags:
            yield waiting, solution, cell
            waiting, solution = [], None
        else:
            yield [cell], None, None


def try_lesson(file: Path) -> list[Tried]:
    """Run a lesson; each exercise with its hole, with each mistake, and with its solution, on which the lesson goes on."""
    if str(LESSONS) not in sys.path:
        sys.path.insert(0, str(LESSONS))
    from lesson import NotSolvedError

    names: dict[str, Any] = {"__name__": "lesson"}
    tried = []
    for before, solution, check in exercises(cells(file)):
        if check is None or solution is None:
            for cell in before:
                run(cell, names, file.name)
            continue
        found = re.search(r"check(?:_law)?\(\s*\"([\d.]+)\"", check.text)
        name = found[1] if found else check.text
        versions = [("hole", solution.holed())]
        versions += [(f"mistake {k + 1}", cell) for k, cell in enumerate(before)]
        for version, cell in [*versions, ("solution", solution)]:
            run(cell, names, f"{file.name}, {version} of {name}")
            try:
                run(check, names, f"{file.name}, check of {name}")
                message = ""
            except NotSolvedError as problem:
                message = str(problem)
            tried.append(Tried(name, version, message))
        if message:
            break  # The rest of the lesson stands on it.
    return tried


def try_all() -> int:
    """Print what came of every exercise; the number of those that were not as they should be."""
    bad = 0
    for file in lessons():
        began = time.process_time()
        tried = try_lesson(file)
        print(f"{file.stem}: {time.process_time() - began:.1f} s")
        for each in tried:
            wrong = bool(each.message) == (each.version == "solution")
            bad += wrong
            print(f"  {'WRONG ' if wrong else ''}{each.name} {each.version}: {each.message or 'passes'}")
    return bad


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make the course, or try it.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    fork = kinds.add_parser("make", help="a folder that a class can fork")
    fork.add_argument("folder", type=Path)
    fork.add_argument("--wheel", type=Path, help="the library, which goes into the folder")
    kinds.add_parser("solutions", help="the notebooks with solutions").add_argument("folder", type=Path)
    kinds.add_parser("try", help="try every exercise")
    chosen = parser.parse_args()
    if chosen.kind == "try":
        return 1 if try_all() else 0
    try:
        if chosen.kind == "make":
            make(chosen.folder, chosen.wheel)
        else:
            write_notebooks(chosen.folder, solved=True)
    except (FileExistsError, FileNotFoundError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{chosen.folder}: {len(lessons())} notebooks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
