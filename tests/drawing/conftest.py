"""Tests of pictures begin without figures, whatever was shown before."""

import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def no_figures():
    pyplot.close("all")
    yield
    pyplot.close("all")
