"""The course: holes and mistakes are refused with a sentence, solutions pass, and a class can fork the layout."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from later import later
from loading import module_of
from matplotlib import pyplot

nbformat = later("nbformat")

ROOT = Path(__file__).parents[2]
FILE = ROOT / "course" / "course.py"


course = module_of(FILE)
LESSONS = {file.stem: file for file in course.lessons()}


@pytest.fixture(autouse=True)
def _lesson_module(monkeypatch):
    """The lessons import the module beside them; no test leaves it behind."""
    monkeypatch.syspath_prepend(str(course.LESSONS))
    yield
    sys.modules.pop("lesson", None)
    pyplot.close("all")


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "steering"
    course.make(folder)
    return folder


def test_there_are_eight_lessons():
    assert [name[0] for name in LESSONS] == list("12345678")


@pytest.mark.parametrize("name", LESSONS)
def test_holes_and_mistakes_are_refused_and_solutions_pass(name):
    tried = course.try_lesson(LESSONS[name])
    exercises = {each.name for each in tried}
    assert len(exercises) >= 2
    for exercise in exercises:
        versions = {each.version: each.message for each in tried if each.name == exercise}
        assert versions.pop("solution") == ""
        assert {"hole", "mistake 1"} <= set(versions)
        for version, message in versions.items():
            assert message.startswith(f"Exercise {exercise}: "), (exercise, version)
            assert len(message.split()) > 8, message
        assert "nothing" in versions["hole"]


@pytest.mark.parametrize("name", LESSONS)
def test_notebooks_are_valid_and_hide_solutions(name, class_folder):
    book = nbformat.read(class_folder / "lessons" / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    text = "\n".join(cell.source for cell in book.cells)
    cells = course.cells(LESSONS[name])
    hidden = [course.HOLE.search(cell.text)[0] for cell in cells if "solution" in cell.tags]
    assert text.count("...  # your law") == len(hidden) >= 2
    assert "SOLUTION" not in text
    for each in hidden:
        for line in each.splitlines()[1:-1]:
            assert line.strip() not in [given.strip() for given in text.splitlines()] or len(line.strip()) < 30, line
    solved = course.notebook(cells, solved=True)
    assert "your law\n" not in json.dumps(solved)
    assert [cell["source"] for cell in solved["cells"] if "mistake" in cell["metadata"].get("tags", ())] == []


def test_a_class_sees_how_far_it_is(class_folder, library, tmp_path):
    with_holes = library.run(
        [str(class_folder / "check.py"), str(class_folder / "lessons" / "2_arrival_and_pursuit.ipynb")]
    )
    assert with_holes.returncode == 1, with_holes.stderr
    assert "0 of 3 solved" in with_holes.stdout
    assert "2.1 Exercise 2.1: arrive returns nothing yet" in with_holes.stdout
    course.write_notebooks(tmp_path, solved=True)
    solved = library.run([str(class_folder / "check.py"), str(tmp_path / "2_arrival_and_pursuit.ipynb")])
    assert solved.returncode == 0, solved.stdout + solved.stderr
    assert "3 of 3 solved" in solved.stdout


def test_a_teacher_has_a_table_of_all_that_were_handed_in(class_folder, library, tmp_path):
    course.write_notebooks(tmp_path / "ann", solved=True)
    lesson = "2_arrival_and_pursuit.ipynb"
    handed_in = [str(tmp_path / "ann" / lesson), str(class_folder / "lessons" / lesson)]
    done = library.run([str(class_folder / "check.py"), "--csv", str(tmp_path / "grades.csv"), *handed_in])
    assert done.returncode == 1, done.stderr
    assert f"{handed_in[0]}: 3 of 3 solved" in done.stdout
    lines = (tmp_path / "grades.csv").read_text("utf-8").splitlines()
    assert lines[0] == "notebook,exercise,solved,problem"
    assert lines[1] == f"{handed_in[0]},2.1,1,"
    assert lines[4].startswith(f'{handed_in[1]},2.1,0,"Exercise 2.1: arrive returns nothing yet') or lines[
        4
    ].startswith(f"{handed_in[1]},2.1,0,Exercise 2.1: arrive returns nothing yet")
    absent = library.run([str(class_folder / "check.py"), "handed_in/none.ipynb"])
    assert (absent.returncode, absent.stderr) == (2, "there is no handed_in/none.ipynb\n")


def law(n=3):
    return np.arange(2.0 * n).reshape(n, 2)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "returns nothing yet"),
        ("text", "returns str, not an array of numbers"),
        (np.zeros(2), r"returns shape \(2,\), and \(3, 2\) is asked for"),
        (law() * np.array([[1], [1], [2]]), r"1 of 3 rows differ; row 2 is \[ 8. 10.\], and the law gives \[4. 5.\]"),
        (law() * np.array([[np.nan], [1], [1]]), "NaN comes from a division of zero by zero"),
        (lambda: 1 / 0, "stops with ZeroDivisionError: division by zero"),
    ],
)
def test_a_check_says_where_it_differs(answer, words):
    lesson = importlib.import_module("lesson")
    with pytest.raises(lesson.NotSolvedError, match=f"^Exercise 9.1: .*{words}.* Hint: Look again."):
        lesson.check_law("9.1", answer if callable(answer) else lambda: answer, law, hint="Look again.")


def test_a_check_takes_lists_and_other_types_of_numbers(capsys):
    lesson = importlib.import_module("lesson")
    lesson.check_law("9.1", lambda: law().astype(np.float32).tolist(), law, hint="")
    lesson.check_law("9.2", lambda: [law(), law(4)], lambda: (law(), law(4)), hint="")
    assert capsys.readouterr().out.count("is right") == 2


def test_work_of_learners_is_not_written_over(class_folder):
    with pytest.raises(FileExistsError, match="is not empty"):
        course.make(class_folder)


def test_a_class_installs_the_library_from_its_own_folder(tmp_path):
    wheel = tmp_path / "steersman-0-py3-none-any.whl"
    for missing in (wheel, tmp_path):
        with pytest.raises(FileNotFoundError, match="pip wheel"):
            course.make(tmp_path / "class", missing)
    assert not (tmp_path / "class").exists()
    wheel.write_bytes(b"wheel")
    course.make(tmp_path / "class", tmp_path)
    assert "MIT License" in (tmp_path / "class" / "LICENSE").read_text()
    needs = (tmp_path / "class" / "requirements.txt").read_text().splitlines()
    assert needs[0] == "./wheels/steersman-0-py3-none-any.whl[notebook]"
    assert (tmp_path / "class" / "wheels" / wheel.name).read_bytes() == b"wheel"


def test_a_lesson_is_a_plain_program(library, tmp_path):
    done = library.run([str(LESSONS["2_arrival_and_pursuit"])], cwd=tmp_path, warnings="error")
    assert done.returncode == 0, done.stderr
    assert "Exercise 2.3: place_beside is right." in done.stdout


def test_a_notebook_shows_the_widget(tmp_path):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("anywidget")
    course.write_notebooks(tmp_path, solved=True)
    book = nbformat.read(tmp_path / "2_arrival_and_pursuit.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    kinds = [kind for cell in book.cells for output in cell.get("outputs", ()) for kind in output.get("data", ())]
    assert kinds.count("application/vnd.jupyter.widget-view+json") == 3
