"""`benchmarks.run`: its CSV, what it compares, and its exit codes. Times are made up; nothing here is a measurement."""

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


def test_a_csv_holds_every_turn(old):
    rows = run.read_rows(old)
    assert [run.case_of(row) for row in rows] == [SMALL, Case("small world", 100, 2, 1)]
    assert all(
        len(row["each_ms"].split()) == len(row["reference_each_ms"].split()) == int(row["turns"]) for row in rows
    )
    assert run.multiples(rows[0]) == pytest.approx([0.1] * 5)


@pytest.mark.parametrize(("ms", "code", "word"), [(1.0, 0, "2 same"), (1.2, 1, "2 slower"), (0.8, 0, "2 faster")])
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


def test_a_csv_without_turns_is_refused_with_what_to_do(tmp_path, capsys):
    path = tmp_path / "old.csv"
    path.write_text("workload,n,dimensions,threads,ms,min_ms,turns\nsmall world,1,2,1,0.1,0.1,5\n")
    with pytest.raises(SystemExit):
        run.main(["--compare", str(path)])
    assert "measure it anew with --out" in capsys.readouterr().err


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
    ["small world", "flock sum torus", "flock flocking open", "flock clustered", "avoid circles", "bound to hills"],
)
def test_every_workload_is_found_by_its_name(label):
    turning = Turning(Case(label, 20, 3 if label in ("flock clustered", "bound to hills") else 2, 1))
    assert turning.turn() > 0
    assert len(turning.world.populations["vehicles"].vehicles) == 20


def test_names_of_no_workload_are_refused():
    with pytest.raises(ValueError, match="no workload is called 'flock'"):
        named("flock", 10, 2, 1)


def test_the_reference_is_the_same_work_every_time():
    assert Reference().work() == Reference().work()
