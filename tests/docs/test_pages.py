"""The programs on the pages run as they stand: all Python blocks of a page, one after the other."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["own_behaviors.md", "own_physics.md"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.filterwarnings("error")
def test_the_program_of_a_page_runs(page, capsys):
    names: dict = {"__name__": "page"}
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), flags=re.DOTALL)
    assert len(blocks) >= 2
    for k, block in enumerate(blocks):
        exec(compile(block, f"{page}, block {k + 1}", "exec"), names)
    assert "nan" not in capsys.readouterr().out
