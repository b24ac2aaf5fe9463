"""Which cases of long tables are tried."""

import pytest
from sampling import EVERYTHING, covering


def test_a_cover_has_every_value_and_no_more_cases_than_it_needs():
    sizes, types, bodies = (1, 10, 100), ("single", "double"), ("point", "car")
    cases = [((n,), (one,), (body,)) for n in sizes for one in types for body in bodies]
    chosen = [cases[k] for k in covering(cases, "bodies")]
    assert len(chosen) == 3
    assert {each[0][0] for each in chosen} == set(sizes)
    assert {each[1][0] for each in chosen} == set(types)
    assert {each[2][0] for each in chosen} == set(bodies)


def test_values_that_belong_together_are_one():
    pairs = [(1, 2), (1, 3), (2, 3)]
    assert covering([(pair,) for pair in pairs], "pairs") == [0, 1, 2]


def test_which_combinations_are_tried_depends_on_the_subject():
    cases = [((a,), (b,)) for a in range(8) for b in range(8)]
    assert covering(cases, "one") == covering(cases, "one") != covering(cases, "another")
    assert len(covering(cases, "one")) == 8


@pytest.mark.each_value
@pytest.mark.parametrize(("speed", "force"), [(1, 2), (1, 3)])
@pytest.mark.parametrize("step", [0.1, 0.2, 0.3])
def test_this_test_is_tried_three_times(speed, force, step, request):
    tried = [item for item in request.session.items if item.originalname == request.node.originalname]
    assert len(tried) in (3, 6)  # Six with STEERSMAN_ALL.
    assert len({item.callspec.params["step"] for item in tried}) == 3
    assert {item.callspec.params["force"] for item in tried} == {2, 3}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("letter", ["a", "b", "c", "d", "e"])
def test_this_test_is_tried_in_part(letter, request):
    tried = [item for item in request.session.items if item.originalname == request.node.originalname]
    assert len(tried) == (5 if EVERYTHING else 3)
