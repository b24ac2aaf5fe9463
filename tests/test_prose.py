"""The English of docstrings and pages stays plain: words that stand where a noun should are counted."""

from pathlib import Path

import prose
import pytest


@pytest.mark.parametrize("group", prose.GROUPS)
def test_few_words_stand_where_a_noun_should(group: str) -> None:
    problems = list(prose.too_many(group, *prose.GROUPS[group]))
    assert not problems, "\n".join(problems)


def test_where_words_are_too_many_the_lines_that_have_changed_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text("Who was here before?\n\nNothing is wrong.\n\nWho is new?\n")
    monkeypatch.setattr(prose, "changed", lambda: {page: {3, 5}, tmp_path / "other.md": {1}})
    assert list(prose.too_many("pages", [page], prose.texts)) == [
        "pages: who 200.000, more than 0.6 in 1,000 words", f"{page}:5: Who is new?",
    ]  # fmt: skip
    monkeypatch.setattr(prose, "changed", dict)
    assert list(prose.too_many("pages", [page], prose.texts))[1].startswith("no line")


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
