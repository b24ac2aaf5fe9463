"""Gates: blocks of rows of which nobody is to be treated are passed over, however rows are dealt out."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.world import section
from steersman.core.world.section import ALONE, RowSection


@kernel
def open_where(start: int, stop: int, wanted: Any, some: Any) -> None:
    any_wanted = np.uint8(0)
    for i in range(start, stop):
        any_wanted |= wanted[i]
    some[start] = any_wanted


@kernel
def count(start: int, stop: int, visits: Any) -> None:
    for i in range(start, stop):
        visits[i] += 1


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("size", [7, 64, 5000])
def test_a_block_with_somebody_is_treated_as_a_whole_and_one_with_nobody_not_at_all(
    threads: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(section, "BLOCK", size)
    n = 300
    wanted, inner = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    wanted[[40, 41, 290]] = 1
    inner[290] = 1
    within, deep, always = np.zeros((3, n), np.int64)
    gates = [flags_of(wanted), flags_of(inner)]
    nested = [Call(open_where, (inner, gates[1])), Call(count, (within,)), *gated(gates[1], [Call(count, (deep,))])]
    calls = [Call(open_where, (wanted, gates[0])), *gated(gates[0], nested), Call(count, (always,))]
    RowSection([(range(n), calls)], threads, serial=0).run()
    step = max(1, min(size, -(-n // (threads * section.SHARES if threads > 1 else 1))))
    blocks = np.arange(n) // step
    np.testing.assert_array_equal(always, 1)
    np.testing.assert_array_equal(within, np.isin(blocks, blocks[wanted == 1]))
    np.testing.assert_array_equal(deep, np.isin(blocks, blocks[inner == 1]))


def test_nobody_at_all_is_passed_over() -> None:
    visits = np.zeros(0, np.int64)
    some = flags_of(visits)
    assert some.shape == (1,)
    RowSection([(range(0), gated(some, [Call(count, (visits,))]))], 1).run()


def test_calls_for_all_rows_at_once_have_no_gate() -> None:
    seen = []
    whole = Call(lambda: seen.append(1), whole=True)
    visits = np.zeros(3, np.int64)
    calls = gated(flags_of(visits), [Call(count, (visits,)), whole, Call(count, (visits,))])
    assert [bool(call.gates) for call in calls] == [True, False, True]
    RowSection([(range(3), calls)], 1).run()
    assert seen == [1]
    assert not visits.any()


def test_programs_are_made_of_what_is_called_often_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody comes or goes at every few steps, making programs would take longer than the steps."""
    made: list[int] = []
    known = section.parts_of
    monkeypatch.setattr(section, "parts_of", lambda *stages: made.append(1) or known(*stages))
    rows = np.zeros(5, np.int64)
    often = RowSection([(rows, [Call(count, (rows,))])], 1)
    for turn in range(1, ALONE + 4):
        often.run()
        assert rows.tolist() == [turn] * 5
        assert len(made) == (turn > ALONE)


@kernel
def note(start: int, stop: int, numbers: Any, byte: Any, flag: Any, small: Any, real: Any, found: Any) -> None:
    for i in range(start, stop):
        found[i] = numbers[0] * 1000 + byte * 100 + small * 10 + (1 if flag else 0) + real


@pytest.mark.parametrize("threads", [1, 2])
def test_a_program_takes_numbers_of_every_kind_with_their_signs(threads: int) -> None:
    found, arguments = np.zeros(40), ((-3,), np.int8(-7), np.bool_(True), np.int32(-2), np.float32(-0.25))
    section = RowSection([(range(40), [Call(note, (*arguments, found))])], threads, serial=0)
    for _ in range(ALONE + 2):
        found[:] = 0
        section.run()
        np.testing.assert_array_equal(found, -3000 - 700 - 20 + 1 - 0.25)


@kernel
def refuse(start: int, stop: int, bad: Any) -> None:
    for i in range(start, stop):
        if bad[i]:
            raise ValueError("a bad row")


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_kernel_raises_in_a_program_is_raised(threads: int) -> None:
    """Whichever row it is, and whichever thread; the program works on."""
    bad, visits = np.zeros(40, np.uint8), np.zeros(40, np.int64)
    section = RowSection([(range(40), [Call(refuse, (bad,)), Call(count, (visits,))])], threads, serial=0)
    for _ in range(ALONE + 2):
        section.run()
    for row in (0, 17, 39):
        bad[row] = 1
        with pytest.raises(ValueError, match="a bad row"):
            section.run()
        bad[row] = 0
        section.run()


def test_rows_that_come_back_to_a_number_find_their_program(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    known = section.parts_of
    monkeypatch.setattr(section, "parts_of", lambda *stages: made.append(1) or known(*stages))
    rows: list[int] = []
    visits = np.zeros(200, np.int64)
    often, visited = RowSection([(rows, [Call(count, (visits,))])], 1), np.zeros(200, np.int64)
    for turn in range(3 * section.ALONE):
        rows[:] = range(5 + turn % 3)
        often.fit()
        often.run()
        visited[: len(rows)] += 1
        np.testing.assert_array_equal(visits, visited)
    assert not made
    for turn in range(6):
        rows[:] = range(5 + turn % 3)
        often.fit()
        often.run()
    assert len(made) == 3
    for n in range(100, 100 + 2 * section.MOST_COUNTS):
        rows[:] = range(n)
        often.fit()
        assert len(often._known) <= section.MOST_COUNTS


def test_what_commits_a_step_is_a_program_only_where_the_population_stays_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    known = section.parts_of
    monkeypatch.setattr(section, "parts_of", lambda *stages: made.append(1) or known(*stages))
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(0, 30, (50, 2)), max_speed=2)
    world = sm.World(domain=sm.Torus([30.0, 30.0]))
    world.add(vehicles, steering=sm.Wander() + sm.Separation(radius=3))
    world.step()
    for turn in range(8):
        vehicles.remove(vehicles.id[:3])
        vehicles.spawn(np.full((3 + turn, 2), 4.0))
        world.step()
    assert not made
    world.run(steps=ALONE + 2)
    assert len(made) == 5  # begin, look, steer and move, and nothing for constraints.
