"""The layout of TOML files: short values on one line, longer ones indented level by level."""

import tomllib
from typing import Any

from steersman.runs.documents.toml_text import to_toml

DEEP: dict[str, Any] = {
    "steering": {
        "behavior": "Priority",
        "components": [
            {"behavior": "Seek", "target": [1.5, -2.0]},
            {"behavior": "WeightedSum", "components": [{"behavior": "Wander"}, {"behavior": "Flee", "target": [0, 0]}]},
        ],
    }
}


def test_lists_of_tables_are_indented_level_by_level() -> None:
    text = to_toml(DEEP)
    assert tomllib.loads(text) == DEEP
    depth = 0
    for line in text.splitlines():
        inner = line.lstrip()
        depth -= inner.startswith(("]", "}"))
        assert len(line) - len(inner) == 4 * depth, line
        depth += line.endswith(("[", "{"))
    assert depth == 0
    assert text.count("\n        ") >= 2
    assert "target = [1.5, -2.0]" in text


def test_tables_and_steering_are_sections_and_smaller_tables_stay_on_their_line() -> None:
    document = {"domain": {"kind": "box"}, "populations": [{"name": "a", "spawn": {"shape": "disc"}, **DEEP}]}
    lines = to_toml(document).splitlines()
    assert [line for line in lines if line.startswith("[")] == ["[domain]", "[[populations]]", "[populations.steering]"]
    assert 'spawn = {shape = "disc"}' in lines


def test_every_character_is_read_as_it_was() -> None:
    words = "".join(map(chr, range(256))) + "\u2028\ud7ff\ue000\U0001f426"
    document = {"words": words, "more": [{words: words}]}
    assert tomllib.loads(to_toml(document)) == document


def test_what_is_too_long_for_a_line_is_a_list_of_lines() -> None:
    points = {"points": [[k + 0.125, -k] for k in range(40)]}
    text = to_toml(points)
    assert tomllib.loads(text) == points
    assert text.count("\n    [") == 40
    assert "\n]" in text
    short = to_toml({"points": points["points"][:3]})
    assert short.count("\n") == 1
