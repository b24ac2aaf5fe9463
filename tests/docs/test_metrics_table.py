"""Every metric has a docstring that gives the tables of docs/metrics.md its formula."""

import inspect
import re

import pytest

from steersman.runs import metrics
from steersman.runs.metrics.metric import METRICS

FUNCTIONS = {name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_docstring_says_what_and_how(name):
    text = inspect.getdoc(getattr(metrics, name)) or ""
    assert "Returns:" in text or "[" in text
    assert "Args:" in text or "rguments" in text
    assert re.search(r"Formula:|Source:", text)


def test_metrics_with_a_name_are_public():
    assert METRICS.keys() <= FUNCTIONS
