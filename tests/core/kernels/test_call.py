"""Running calls one after the other: for all rows, or for a few."""

import numpy as np

from steersman.core.kernels.call import BLOCKS, Call, flags_of, gated, run_all


def noted(calls):
    """Calls of functions that note what they are called for."""
    said = []

    def made(name):
        return lambda start, stop: said.append((name, int(start), int(stop)))

    return [Call(made(name)) if name.islower() else Call(lambda name=name: said.append(name), whole=True)
            for name in calls], said  # fmt: skip


def test_all_rows_are_one_block():
    calls, said = noted("aBc")
    run_all(calls, 9)
    assert said == [("a", 0, 9), "B", ("c", 0, 9)]


def test_a_few_rows_are_treated_alone_after_what_is_for_all():
    calls, said = noted("Aab")
    run_all(calls, 9, np.array([4, 7, 3, 4]))
    assert said == ["A", ("a", 3, 5), ("b", 3, 5), ("a", 7, 8), ("b", 7, 8)]
    calls, said = noted("aBc")
    run_all(calls, 9, np.array([0, 8]))
    assert said == [("a", 0, 1), ("a", 1, 8), ("a", 8, 9), "B", ("c", 0, 1), ("c", 8, 9)]


def test_nobody_and_many():
    calls, said = noted("aBc")
    run_all(calls, 9, np.array([], int))
    assert said == [("a", 0, 9), "B"]
    calls, said = noted("a")
    run_all(calls, 40, np.arange(BLOCKS + 1) * 3)
    assert said == [("a", 0, 40)]


def test_a_gate_is_passed_once_by_all_behind_it_and_by_each_block():
    some = flags_of(np.zeros(6))
    (opens, *behind, last), said = noted("abcd")

    def shut(start, stop):
        some[int(start)] = 0
        said.append("shut")

    some[2] = 1
    run_all([opens, *gated(some, [behind[0], Call(shut), behind[1]]), last], 6, np.array([2, 5]))
    assert said == [("a", 2, 3), ("b", 2, 3), "shut", ("c", 2, 3), ("d", 2, 3), ("a", 5, 6), ("d", 5, 6)]
