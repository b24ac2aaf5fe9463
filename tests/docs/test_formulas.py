"""Equations of the site: MathML that a browser reads, with every word of the text that it is made of."""

import inspect
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from steersman.core.steering.registry import BEHAVIORS

SITE = Path(__file__).parents[2] / "docs" / "site"


@pytest.fixture(scope="module")
def formulas():
    sys.path.insert(0, str(SITE))
    try:
        import formulas

        yield formulas
    finally:
        sys.path.remove(str(SITE))


def blocks(cls):
    text = inspect.cleandoc(sys.modules[cls.__module__].__doc__ or "")
    return [block for block in re.split(r"\n\n+", text) if block.startswith("    ")]


@pytest.mark.parametrize("name", BEHAVIORS)
def test_no_word_of_an_equation_is_lost(formulas, name):
    for block in blocks(BEHAVIORS[name]):
        if formulas.is_code(block):
            continue
        shown = "".join(ElementTree.fromstring(formulas.typeset(block)).itertext())
        left = re.sub(r"[^a-z]", "", shown.lower())
        for word in re.findall(r"[A-Za-z]{3,}", block):
            if word not in ("sum", "sqrt", "over", "tau", "theta"):
                assert word.lower() in left, f"{word} of {block}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("v / (4 tau)", "<mfrac><mrow><mi>v</mi></mrow><mrow><mn>4</mn>"),
        ("unit(a - b) / r^2", "<mfrac><mrow><mrow><mi>unit</mi>"),
        ("sqrt(2 b)", "<msqrt><mn>2</mn>"),
        ("sum over neighbors of f", "<munder>"),
        ("at most 1 / radius", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>radius</mi>"),
        ("w_c x", "<msub><mi>w</mi><mi>c</mi></msub>"),
        ("turn x velocity", "\u00d7"),
    ],
)
def test_signs_are_those_of_mathematics(formulas, text, shown):
    assert shown in formulas.formula(text)
