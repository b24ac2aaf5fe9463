"""`benchmarks.run`: its CSV, what it compares, and its exit codes. Times are made up; nothing here is a measurement."""

import contextlib
import subprocess

import pytest

from benchmarks import against, run
from benchmarks.against import ROOT, Program, laid_out, pairs
from benchmarks.comparing import Reference
from benchmarks.turns import Case, Turning
from benchmarks.workloads import named

SMALL = Case("small world", 1, 2, 1)


class Made:
    """Stands for a case that is stepped: takes as long as it is told."""

    ms = 1.0

    def __init__(self, case):
        pass

    def turn(self):
        return Made.ms


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A CSV of the small worlds, a step of which took 1 ms, on a machine that takes 10 ms for its reference."""
    monkeypatch.setattr(run, "Turning", Made)
    monkeypatch.setattr(run, "machine_now", lambda reference: 10.0)
    monkeypatch.setattr(Made, "ms", 1.0)
    path = tmp_path / "old.csv"
    assert run.main(["--small", "--out", str(path)]) == 0
    return path


@pytest.mark.parametrize(("ms", "code", "word"), [(1.0, 0, "4 same"), (1.2, 1, "4 slower"), (0.8, 0, "4 faster")])
def test_comparing_ends_with_one_only_if_something_is_slower(old, monkeypatch, capsys, ms, code, word):
    monkeypatch.setattr(Made, "ms", ms)
    assert run.main(["--compare", str(old)]) == code
    assert word in capsys.readouterr().out


def test_a_machine_that_is_slower_today_is_no_regression(old, monkeypatch, capsys):
    monkeypatch.setattr(Made, "ms", 2.0)
    monkeypatch.setattr(run, "machine_now", lambda reference: 20.0)
    assert run.main(["--compare", str(old)]) == 0
    assert "the machine: x2.00" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--turns", "2"], ["--tolerance", "0"]])
def test_what_cannot_be_judged_is_refused(old, words):
    with pytest.raises(SystemExit) as refused:
        run.main(["--compare", str(old), *words])
    assert refused.value.code == 2


def test_a_damaged_csv_is_no_regression_and_is_told_before_anything_is_measured(old, monkeypatch, capsys):
    """It ended with 1, as if something had become slower."""
    lines = old.read_text().splitlines(keepends=True)
    monkeypatch.setattr(run, "measure", lambda *_: pytest.fail("something was measured"))
    old.write_text("".join(lines[:2]) + lines[2].replace("10 10 10 10 10", "10 10 0 10 10"))
    with pytest.raises(SystemExit) as refused:
        run.main(["--compare", str(old)])
    assert refused.value.code == 2
    assert "line 3: reference_each_ms must be times > 0 ms, got '10 10 0 10 10'" in capsys.readouterr().err


def test_another_machine_cannot_be_compared_with(old, monkeypatch, capsys):
    monkeypatch.setattr(run, "processors", lambda: "a Z80, 1 processors")
    monkeypatch.setattr(run, "measure", lambda *_: pytest.fail("something was measured"))
    with pytest.raises(SystemExit) as refused:
        run.main(["--compare", str(old)])
    assert refused.value.code == 2
    assert "was measured on another machine" in capsys.readouterr().err


def test_too_many_vehicles_for_the_memory_are_no_regression(old, monkeypatch, capsys):
    def full(*_):
        raise MemoryError("Unable to allocate 1.46 TiB")

    monkeypatch.setattr(run, "measure", full)
    with pytest.raises(SystemExit) as refused:
        run.main(["--compare", str(old)])
    assert refused.value.code == 2
    assert "1.46 TiB" in capsys.readouterr().err


def test_lines_that_were_taken_out_are_not_compared(old, capsys):
    old.write_text("".join(old.read_text().splitlines(keepends=True)[:2]))
    assert run.main(["--compare", str(old)]) == 0
    assert "\n1 same;" in capsys.readouterr().out


class Silent:
    """Stands for a program with which nothing can be run, or which does not even begin."""

    begins = True

    def __init__(self, tree):
        if not Silent.begins:
            raise RuntimeError("the program ended with 1, see above")

    def turn(self, case):
        return "AttributeError: no Torus"

    def close(self):
        pass


@pytest.mark.parametrize("begins", [True, False])
def test_a_version_with_which_nothing_can_be_run_is_not_passed(begins, monkeypatch, capsys):
    """It ended with 0, as if all were well, or with 1, as if something were slower."""
    monkeypatch.setattr(run, "Program", Silent)
    monkeypatch.setattr(run, "laid_out", lambda commit: contextlib.nullcontext(ROOT))
    monkeypatch.setattr(Silent, "begins", begins)
    try:
        code = run.main(["--against", "HEAD", "--small"])
    except SystemExit as refused:
        code = refused.code
    told = capsys.readouterr()
    assert code == 2
    assert ("nothing was compared" in told.out) if begins else ("the program ended with 1" in told.err)


def test_an_unknown_commit_is_told(capsys):
    with pytest.raises(SystemExit) as refused:
        run.main(["--against", "nowhere", "--small"])
    assert refused.value.code == 2
    assert "'nowhere' is no commit of this repository" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--forms", "summ"], ["--domains", "lava"]])
def test_workloads_that_there_are_not_are_refused(words):
    """They were measured as some other one, under their own name."""
    with pytest.raises(SystemExit):
        run.main(["--sizes", "20", *words])


def test_two_programs_take_turns(monkeypatch):
    asked = []

    class Player:
        def __init__(self, name, answers):
            self.name, self.answers = name, answers

        def turn(self, case):
            asked.append(self.name)
            return self.answers

    new, old, problem = pairs(SMALL, Player("new", 2.0), Player("old", 1.0), 4)
    assert (new, old, problem) == ([2.0] * 4, [1.0] * 4, "")
    assert asked == ["new", "old", "old", "new", "new", "old", "old", "new", "new", "old"]
    assert pairs(SMALL, Player("new", 2.0), Player("old", "AttributeError: no Heightfield"), 4)[2].startswith("then: ")


def test_a_program_loads_the_library_from_its_tree_and_takes_turns():
    program = Program(ROOT)
    try:
        assert program.turn(SMALL) > 0
        assert "no workload is called 'nothing'" in program.turn(Case("nothing", 1, 2, 1))
        assert program.turn(SMALL) > 0
    finally:
        program.close()


def test_another_library_than_that_of_the_tree_is_noticed(tmp_path):
    (tmp_path / "src").mkdir()
    with pytest.raises(RuntimeError, match="was to come from"):
        Program(tmp_path)


def test_a_commit_is_laid_out_and_gone_afterwards(tmp_path, monkeypatch):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    git("init", "-q")
    for text in ("first", "second"):
        (tmp_path / "file").write_text(text)
        git("add", "file")
        git("commit", "-qm", text)
    monkeypatch.setattr(against, "ROOT", tmp_path)
    with laid_out("HEAD~1") as tree:
        assert (tree / "file").read_text() == "first"
    assert not tree.exists()
    listed = subprocess.run(
        ["git", "worktree", "list"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert len(listed.splitlines()) == 1
    with pytest.raises(ValueError, match="'nowhere' is no commit"), laid_out("nowhere"):
        pass


@pytest.mark.parametrize(
    "label",
    [
        "small world",
        "coming and going",
        "flock sum torus",
        "flock flocking open",
        "flock clustered",
        "avoid circles",
        "bound to hills",
    ],
)
def test_every_workload_is_found_by_its_name(label):
    turning = Turning(Case(label, 20, 3 if label in ("flock clustered", "bound to hills") else 2, 1))
    assert turning.turn() > 0
    assert len(turning.world.populations["vehicles"].vehicles) == 20


@pytest.mark.parametrize("label", ["flock", "flock summ torus", "flock sum lava", "avoid rocks", ""])
def test_names_of_no_workload_are_refused(label):
    with pytest.raises(ValueError, match=f"no workload is called '{label}'"):
        named(label, 10, 2, 1)


def test_the_reference_is_the_same_work_every_time():
    assert Reference().work() == Reference().work()
