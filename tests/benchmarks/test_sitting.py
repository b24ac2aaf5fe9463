"""A sitting: turns, ratios, who is left out, and what is written."""

import csv

import numpy as np
import pytest

from benchmarks.peers import report
from benchmarks.peers.meaning import Verdict
from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.programs.all_pairs import AllPairs
from benchmarks.peers.programs.plain_objects import PlainObjects
from benchmarks.peers.programs.steersman_world import Steersman
from benchmarks.peers.sitting import Result, expected, measure, sitting
from benchmarks.peers.work import WORKS


class Clockwork(Running):
    """Takes, by its own clock, as long as it says; writes down who was stepped."""

    def __init__(self, name, seconds, log):
        self.name, self.seconds, self.log = name, seconds, log

    def place(self, position, velocity):
        self.log.append((self.name, 0))

    def step(self):
        raise AssertionError("steps() is asked")

    def steps(self, count):
        self.log.append((self.name, count))
        return self.seconds * count

    def read(self):
        return np.zeros((1, 2)), np.zeros((1, 2))


class Told(Peer):
    """A peer of so many seconds a step."""

    def __init__(self, name, seconds, log, why=None):
        self.name, self.why, self.how = name, why, ""
        self.makes = {work: lambda *_: Clockwork(name, seconds, log) for work in WORKS}

    def missing(self):
        return self.why


def test_turns_are_taken_in_changing_order_and_ratios_are_of_turns():
    log = []
    peers = [Told("steersman", 0.001, log), Told("slow", 0.004, log)]
    ours, slow = measure(WORKS["flock"], 100, peers, seconds=10.0, turns=4, share=0.01)
    assert ours.each == pytest.approx([1.0] * 4)
    assert slow.each == pytest.approx([4.0] * 4)
    assert slow.ratios == pytest.approx([4.0] * 4)
    assert slow.ratio == pytest.approx(4.0)
    order = [name for k, (name, _) in enumerate(log) if k == 0 or log[k - 1][0] != name]
    assert len(order) == 7, "both make ready, then slow ends one turn and begins the next, and so on"
    assert [n for _, n in log if n > 1] == [19] * sum(n > 1 for _, n in log)


def test_who_is_too_slow_or_missing_is_left_out_and_named():
    peers = [Told("steersman", 0.001, []), Told("slow", 5.0, []), Told("gone", 1.0, [], "it is not installed")]
    _, slow, gone = measure(WORKS["flock"], 100, peers, seconds=10.0, turns=3, share=0.01)
    assert slow.left_out == "3 steps take longer than 10 s"
    assert gone.left_out == "it is not installed"
    assert not slow.each
    known = {"slow": {10: 10.0, 100: 1000.0}}
    _, slow, _ = measure(WORKS["flock"], 1000, peers, seconds=10.0, turns=3, share=0.01, known=known)
    assert slow.left_out == "a step would take about 1e+02 s"


class Fragile(Clockwork):
    """Ends with an error after so many steps."""

    def __init__(self, left):
        super().__init__("fragile", 0.001, [])
        self.left = left

    def steps(self, count):
        self.left -= count
        if self.left < 0:
            raise RuntimeError("Node ended with 1\nand said more")
        return super().steps(count)


@pytest.mark.parametrize("steps", [0, 1, 30, 60])
def test_who_fails_is_left_out_and_the_others_go_on(steps):
    peers = [Told("steersman", 0.001, []), Told("fragile", 0.001, []), Told("slow", 0.004, [])]
    peers[1].makes = {work: lambda *_: Fragile(steps) for work in WORKS}
    ours, fragile, slow = measure(WORKS["flock"], 100, peers, seconds=10.0, turns=4, share=0.01)
    assert (fragile.left_out, fragile.each) == ("it failed: Node ended with 1", [])
    assert len(ours.each) == len(slow.each) == 4
    with pytest.raises(RuntimeError, match="Node ended"):
        measure(WORKS["flock"], 100, peers[1:], seconds=10.0, turns=4, share=0.01)


def test_growth_is_taken_from_the_last_two_sizes():
    assert expected({}, 10) == 0
    assert expected({10: 2.0}, 100) == pytest.approx(20.0)
    assert expected({10: 2.0, 100: 200.0}, 1000) == pytest.approx(20_000.0)
    assert expected({10: 2.0, 100: 1.0}, 1000) == pytest.approx(1.0)


def test_a_tiny_sitting_ends_in_rows_charts_and_tables(tmp_path, monkeypatch):
    page, readme = tmp_path / "docs" / "benchmarks.md", tmp_path / "README.md"
    page.parent.mkdir()
    names = ["sitting", *WORKS]
    marks = "<!-- {0}: made by benchmarks/peers -->\nold\n<!-- end of {0} -->\n"
    page.write_text("before\n" + "".join(marks.format(name) for name in names) + "after\n")
    readme.write_text(marks.format("quoted"))
    monkeypatch.setattr(report, "DOCS", page.parent)
    monkeypatch.setattr(report, "FOLDER", page.parent / "benchmarks")
    peers = [Steersman(1), PlainObjects(), AllPairs(), Told("Gone", 1.0, [], "gone is not installed")]
    plan = [(WORKS["flock"], [10, 20]), (WORKS["avoid"], [20])]
    results = sitting(plan, peers, seconds=0.2, turns=3, share=0.001, seeds=2)
    report.write(report.rows(results))
    with (page.parent / "benchmarks" / "peers.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    for row in rows:
        assert bool(row["ms"]) != bool(row["left_out"])
        if row["ms"]:
            assert len(row["each_ms"].split()) == int(row["turns"]) == 3
            assert row["same_work"] == "yes", row["seen"]
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| plain objects |" in text
    assert "Gone (gone is not installed)" in text
    assert text.count("old") == len(WORKS) - 2  # The others were not measured.
    assert "plain objects" in readme.read_text()
    for name in ("flock", "avoid"):
        assert (page.parent / "benchmarks" / f"{name}.png").stat().st_size > 5000
    report.write([row for row in report.rows(results) if row["workload"] == "avoid"])
    assert len(report.read_rows(page.parent / "benchmarks" / "peers.csv")) == 12, "the flock is forgotten"


def test_who_does_something_else_is_marked():
    us, them = Steersman(1), PlainObjects()
    ours = Result(WORKS["avoid"], 1000, us, [1.0, 1.1, 1.0], [1.0, 1.0, 1.0], Verdict(True, "fine"))
    other = Result(WORKS["avoid"], 1000, them, [4.0, 4.0, 4.2], [4.0, 3.6, 4.2], Verdict(False, "inside circles 0.3"))
    text = report.table(report.rows([ours, other]))
    assert "| plain objects * | 4.0 ms, 4.0\N{MULTIPLICATION SIGN} |" in text
    assert "plain objects does something else: inside circles 0.3." in text


def test_the_pages_say_what_the_csv_says():
    rows = report.read_rows(report.FOLDER / "peers.csv")
    page = (report.DOCS / "benchmarks.md").read_text(encoding="utf-8")
    assert {row["workload"] for row in rows} == set(WORKS)
    for name in WORKS:
        own = [row for row in rows if row["workload"] == name]
        assert f"-->\n{report.table(own)}\n<!-- end of {name} -->" in page
    assert f"-->\n{report.about(rows)}\n<!-- end of sitting -->" in page
    readme = (report.DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert f"-->\n{report.quoted(rows)}\n<!-- end of quoted -->" in readme
