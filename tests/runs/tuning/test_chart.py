"""The chart of a search."""

from types import SimpleNamespace

import numpy as np
import pytest
from later import later, needs

from steersman.runs.tuning.chart import draw_search

pytestmark = needs("matplotlib")
figure = later("matplotlib.figure")


@pytest.fixture
def drawn(monkeypatch):
    """The figures that are saved."""
    figures = []
    monkeypatch.setattr(figure.Figure, "savefig", lambda self, file: figures.append(self))
    return figures


def tuned(goals, *values, front=()):
    candidates = [SimpleNamespace(means=dict(zip(goals, each, strict=True))) for each in values]
    return SimpleNamespace(goals=goals, candidates=candidates, front=[candidates[k] for k in front])


def lines_of(drawn):
    (axes,) = drawn[0].axes
    return {each.get_label(): np.array(each.get_xydata()).tolist() for each in axes.lines}


@pytest.mark.parametrize(("goal", "best"), [("minimize", [5, 2, 2, 1]), ("maximize", [5, 5, 7, 7])])
def test_the_best_so_far_never_gets_worse(drawn, goal, best):
    draw_search(tuned({"off": goal}, [5], [2], [7], [1]), "chart.svg")
    lines = lines_of(drawn)
    assert [y for _, y in lines["best so far"]] == best
    assert [y for _, y in lines["candidates"]] == [5, 2, 7, 1]


def test_a_candidate_that_failed_is_not_the_best(drawn):
    draw_search(tuned({"off": "minimize"}, [np.nan], [2], [np.nan], [1]), "chart.svg")
    assert lines_of(drawn)["best so far"][1:] == [[1, 2], [2, 2], [3, 1]]


def test_of_two_goals_the_front_is_drawn_in_its_order(drawn):
    goals = {"off": "minimize", "far": "maximize"}
    draw_search(tuned(goals, [5, 1], [2, 3], [7, 9], [6, 2], front=(1, 2)), "chart.svg")
    lines = lines_of(drawn)
    assert lines["candidates"] == [[5, 1], [2, 3], [7, 9], [6, 2]]
    assert lines["front"] == [[2, 3], [7, 9]]
    (axes,) = drawn[0].axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("minimize off", "maximize far")
