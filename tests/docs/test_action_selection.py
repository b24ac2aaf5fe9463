"""The program on the page about action selection runs, and says what the page says."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "action_selection.md"


def test_the_program_runs(capsys):
    program = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)[0]
    names: dict = {}
    exec(compile(program, str(PAGE), "exec"), names)
    last = capsys.readouterr().out
    assert re.search(r"(graze|flee).* \d+ flee", last)
    assert set(names["sm"].modes_of(names["herd"])) <= {"graze", "flee"}
    assert "flee: WeightedSum" in str(names["world"].explain("caribou"))
