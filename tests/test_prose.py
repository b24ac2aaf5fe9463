"""The English of docstrings and pages stays plain: words that stand where a noun should are counted."""

from functools import cache
from pathlib import Path

import prose
import pytest


@cache
def rates_of(group: str) -> dict[str, float]:
    return prose.rates(*prose.GROUPS[group])


@pytest.mark.parametrize("group", prose.GROUPS)
@pytest.mark.parametrize("word", prose.LIMITS)
def test_few_words_stand_where_a_noun_should(group: str, word: str) -> None:
    found, limit = rates_of(group)[word], prose.LIMITS[word][1]
    assert found <= limit, f"see python -m tests.prose src (or a page): {found:.2f} of {limit} in 1,000 words"


def test_words_are_counted_in_prose_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Who sees what? Nobody.\n\n```python\nwhat = who\n```\n\nEvery `what` is code; cats and dogs are not."
    )
    module = tmp_path / "module.py"
    module.write_text('"""Whatever."""\n\n\ndef f():\n    """Four words are here."""\n    return "who"\n')
    assert prose.rates([page]) == {name: pytest.approx(1000 / 12) for name in prose.LIMITS}
    assert prose.rates([module]) == {"what": pytest.approx(200), "who": 0, "somebody": 0}


def test_messages_are_those_of_errors_warnings_and_the_command_line(tmp_path: Path) -> None:
    text = """
def f():
    found = "who"
    warn("nobody came")
    yield "somebody must come"
    raise ValueError(f"{found} is what it was")
"""
    module = tmp_path / "module.py"
    module.write_text(text)
    assert [each.text for each in prose.messages(module)] == ["nobody came", "somebody must come", " is what it was"]
    (tmp_path / "cli").mkdir()
    command = tmp_path / "cli" / "command.py"
    command.write_text('"""Who."""\nprint("what")\n')
    assert [each.text for each in prose.messages(command)] == ["what"]
