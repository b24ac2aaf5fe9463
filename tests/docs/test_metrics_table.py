"""docs/metrics.md lists every metric, marks those that can be watched, and its examples run."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import steersman as sm
from steersman.runs import metrics
from steersman.runs.metrics.meters import METRICS

PAGE = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")
ROWS = [re.split(r"(?<!\\)\|", line)[1:-1] for line in PAGE.splitlines() if line.startswith("| `")]
FUNCTIONS = {name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))}
PLACE = np.random.default_rng(0).uniform(0, 20, (5, 12, 2))


def test_every_metric_has_its_row_and_is_marked_if_it_can_be_watched():
    named = [row[0].split() for row in ROWS]
    assert sorted(words[0].strip("`") for words in named) == sorted(FUNCTIONS)
    assert {words[0].strip("`") for words in named if "*" in words} == METRICS.keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip(" `*"))
def test_examples_run(row):
    name, _, unit, _, example = (part.strip() for part in row)
    about = {
        **{each: getattr(metrics, each) for each in FUNCTIONS},
        "boids": sm.Vehicles(PLACE[0], PLACE[1] - 10), "position": PLACE, "velocity": PLACE - 10, "gate": [[9, 0], [9, 20]],
        "rocks": sm.Spheres([[5.0, 5.0]], 2.0), "road": sm.Path([[0, 0], [20, 20]]), "meadow": sm.Box([20, 20]),
    }  # fmt: skip
    assert example.startswith(f"`{name.split()[0].strip('`')}(")
    found = eval(example.strip("`"), about)
    if name.endswith("*"):
        assert unit
        assert isinstance(found, float | int)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_docstring_says_what_and_how(name):
    text = inspect.getdoc(getattr(metrics, name)) or ""
    assert "Returns:" in text or "[" in text
    assert "Args:" in text or "rguments" in text
    assert re.search(r"Formula:|Raises:|Source:", text)
