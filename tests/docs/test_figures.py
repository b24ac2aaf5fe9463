"""The figures of the paper: all of them are there, on the page, small, and can be drawn."""

from pathlib import Path

import pytest
from loading import module_of
from matplotlib.figure import Figure

DOCS = Path(__file__).parents[2] / "docs"
NUMBERS = range(1, 18)


@pytest.fixture(scope="module")
def maker():
    return module_of(DOCS / "make_figures.py")


def test_all_figures_are_on_the_page_and_small(maker):
    assert list(maker.FIGURES) == list(NUMBERS)
    page = (DOCS / "paper.md").read_text(encoding="utf-8")
    sizes = [(DOCS / "figures" / f"figure_{number:02d}.png").stat().st_size for number in NUMBERS]
    assert all(f"](figures/figure_{number:02d}.png)" in page and f"## Figure {number}. " in page for number in NUMBERS)
    assert sum(sizes) < 500_000


@pytest.mark.parametrize("number", [3, 7, 14])
def test_figures_are_drawn(number, maker):
    axes = Figure(figsize=(2, 1.5), dpi=30).subplots()
    maker.FIGURES[number](axes)
    words = {text.get_text() for text in axes.texts}
    assert {3: "target", 7: "B", 14: "steering"}[number] in words
    assert len(axes.collections) > 5
