"""One text per parameter: what the docstring of its class says below `Args:`."""

import dataclasses
import subprocess
import sys
from collections.abc import Iterator

import pytest
from at_once import at_once

from steersman.core.parameters.docstrings import arguments, text_of
from steersman.core.parameters.parameters import Parameters, describe
from steersman.runs.documents import builder  # noqa: F401  brings the classes of documents

TEXT = """A thing.

    Longer.

    Args:
        size: How large [m].
        low, high: Where it begins and ends, in a text that
            goes on in a second line: like this.

    Raises:
        ValueError: No.
    """


def test_entries_are_read_up_to_the_next_section():
    both = "Where it begins and ends, in a text that goes on in a second line: like this."
    assert arguments(TEXT) == {"size": "How large [m].", "low": both, "high": both}


@pytest.mark.parametrize("text", ["", None, "A thing.", "A thing.\n\n    Raises:\n        ValueError: No.\n"])
def test_there_may_be_none(text):
    assert arguments(text) == {}


def test_what_is_inherited_is_said_by_the_base_unless_the_class_says_it_anew():
    class Base:
        """Base.

        Args:
            a: The base's.
            b: The base's.
        """

    class Derived(Base):
        """Derived.

        Args:
            b: Its own.
        """

    assert [text_of(Derived, name) for name in "abc"] == ["The base's.", "Its own.", ""]


def subclasses(cls: type) -> Iterator[type]:
    for below in cls.__subclasses__():
        if below.__module__.startswith("steersman."):
            yield below
        yield from subclasses(below)


CLASSES = sorted(set(subclasses(Parameters)), key=lambda cls: (cls.__module__, cls.__name__))


@at_once("cls", CLASSES)
def test_every_parameter_is_described_with_its_unit(cls):
    for each in describe(cls):
        text = text_of(cls, each.name)
        assert text, f"{cls.__name__} or a base of it must say below Args: what {each.name} is"
        assert text.endswith((".", ".)")), f"{cls.__name__}.{each.name}: {text}"
        assert not each.unit or f"[{each.unit}]" in text, f"{cls.__name__}.{each.name} is in {each.unit}: {text}"
        assert each.doc == text.replace(f" [{each.unit}]", "")


@at_once("cls", CLASSES)
def test_what_is_described_is_there(cls):
    known = {field.name for field in dataclasses.fields(cls)}
    assert set(arguments(cls.__dict__.get("__doc__"))) <= known


def test_without_docstrings_there_are_no_texts():
    program = (
        "import steersman as sm, steersman.core.parameters.parameters as p; print({d.doc for d in p.describe(sm.Seek)})"
    )
    done = subprocess.run([sys.executable, "-OO", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{''}"


def test_texts_are_parsed_when_somebody_asks():
    program = (
        "import steersman; from steersman.core.parameters.docstrings import arguments;"
        " print(arguments.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
