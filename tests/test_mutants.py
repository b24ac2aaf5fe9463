"""The mutants can still be made: their pieces of code are there, and so are the tests that kill them."""

import ast

import pytest

from tests.mutants import MUTANTS, ROOT, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)
def test_a_mutant_changes_the_code_it_names(mutant: Mutant) -> None:
    if mutant.file.endswith(".py"):
        changed, code = (
            ast.dump(ast.parse(text)) for text in (mutant.text(), (ROOT / "src/steersman" / mutant.file).read_text())
        )
        assert changed != code
    else:
        mutant.text()
    file, _, word = mutant.test.partition(" -k ")
    assert word in (ROOT / "tests" / file).read_text()


def test_names_of_mutants_differ() -> None:
    assert len({each.name for each in MUTANTS}) == len(MUTANTS)
