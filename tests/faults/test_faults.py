"""Some thousands of bad inputs; `python -m tests.faults` tries as many as one likes."""

import pytest
from sampling import EVERYTHING

import steersman as sm
from faults.calls import FUNCTIONS, measures_of
from faults.constructors import classes, making, needed, signature, values
from faults.judging import Input, Source, source
from faults.trying import try_inputs

INPUTS = 8000 if EVERYTHING else 1500


def test_bad_inputs_are_answered_as_documented(capsys: pytest.CaptureFixture[str]) -> None:
    count = try_inputs(INPUTS, seed=14)
    with capsys.disabled():
        print(f"\n{count}")
    assert count.tried.total() >= INPUTS * 5 // 8
    assert not count.complaints, "\n" + count.listing()


@pytest.mark.parametrize("name", classes())
def test_what_is_allowed_is_taken(name: str) -> None:
    """Else most inputs would be refused for the same reason, and try nothing."""
    cls = classes()[name]
    given = {each: values(cls, each)[0] for each in needed(cls)}
    for each in signature(cls):
        for value in values(cls, each):
            making(cls, given | {each: value})()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_metrics_take_what_is_allowed(name: str) -> None:
    known = measures_of(name)
    for each, allowed in known.items():
        for value in allowed:
            getattr(sm.metrics, name)(**{key: other[0] for key, other in known.items()} | {each: value})


def raising(error: BaseException) -> Source:
    """A source of one input, which is answered by an exception."""

    def call() -> None:
        raise error

    return source("one")(lambda rng, count: iter([Input("radius", call, ("radius",))]))


@pytest.mark.parametrize(
    ("error", "complaint"),
    [
        (ValueError("radius must be >= 0 m, got -1"), ""),
        (ZeroDivisionError("radius must be >= 0 m, got -1"), "not documented"),
        (ValueError("the radius_2 must be >= 0 m, got -1"), "names none of radius"),
        (ValueError("radius is wrong"), "does not say what is allowed"),
        (ValueError("radius must be >= 0 m, got " + 1000 * "1"), "characters"),
    ],
)
def test_the_judge_is_not_asleep(error: BaseException, complaint: str) -> None:
    said = "".join(try_inputs(1, 0, [(raising(error), 1.0)]).complaints)
    assert complaint in said
    assert bool(complaint) == bool(said)
