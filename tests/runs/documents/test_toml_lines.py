"""Lines of keys in TOML files."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from steersman.runs.documents.toml_lines import lines_of
from steersman.runs.documents.toml_text import to_toml

TEXT = '''# a comment
name = "x # no comment" # one
long = """
two = 2
"""

[domain]
kind = 'torus'
"quoted key" = [1,
  2]   # [

[[populations]]
n = 1
spawn = { shape = "box", size = [1,
    2] }

[[populations]]
n = 2
[populations.steering]
parts = [
  # nothing here
  { behavior = "A", x = 1979-05-27T07:32:00 },
  { behavior = "B", parts = [
      { behavior = "C" },
  ] },
]
a.b = 3
'''


def test_every_key_has_its_line():
    lines = lines_of(TEXT)
    expected = {
        ("name",): 2,
        ("long",): 3,
        ("domain",): 7,
        ("domain", "kind"): 8,
        ("domain", "quoted key"): 9,
        ("domain", "quoted key", 1): 10,
        ("populations", 0): 12,
        ("populations", 0, "spawn", "size"): 14,
        ("populations", 0, "spawn", "size", 1): 15,
        ("populations", 1, "n"): 18,
        ("populations", 1, "steering"): 19,
        ("populations", 1, "steering", "parts", 0, "x"): 22,
        ("populations", 1, "steering", "parts", 1, "parts", 0, "behavior"): 24,
        ("populations", 1, "steering", "a", "b"): 27,
    }
    assert {place: lines.get(place) for place in expected} == expected
    assert ("two",) not in lines


def test_windows_line_ends_and_empty_text():
    assert lines_of("a = 1\r\n\r\nb = 2\r\n") == {("a",): 1, ("b",): 3}
    assert lines_of("") == {}


KEYS = st.text(min_size=1, max_size=8)
LEAVES = st.one_of(st.integers(-(2**60), 2**60), st.floats(allow_nan=False), st.booleans(), st.text(max_size=12))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)


def places_of(value, place=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*place, key)
        yield from places_of(item, (*place, key))


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_whatever_is_written_is_read_back_and_every_place_has_a_line(document):
    text = to_toml(document)
    assert tomllib.loads(text) == document
    lines = lines_of(text)
    # A table or list that only opens the way to others below it has no line of its own.
    leaves = set(places_of(document))
    ends = {place for place in leaves if not any(other[: len(place)] == place != other for other in leaves)}
    assert {place for place in ends if place[0] != ""} - set(lines) <= {
        place for place in ends if _is_empty(document, place)
    }


def _is_empty(document, place):
    for step in place:
        document = document[step]
    return document in ({}, [])


def test_numbers_are_written_with_all_digits():
    document = {"a": 0.1 + 0.2, "b": 1e-300, "c": float("inf"), "d": -0.0, "e": 2**53 + 1}
    assert repr(tomllib.loads(to_toml(document))) == repr(document)


def test_long_lists_have_a_line_for_each_item_and_short_ones_one():
    points = [[float(k), 0.5] for k in range(20)]
    text = to_toml({"sites": points, "size": [1, 2], "one": [{"a": 1}]})
    assert "size = [1, 2]\n" in text
    assert "sites = [\n    [0.0, 0.5],\n    [1.0, 0.5],\n" in text
    assert max(map(len, text.splitlines())) <= 110
    assert tomllib.loads(text)["sites"] == points
