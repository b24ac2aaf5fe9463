"""Exit codes: errors become messages and codes."""

import pytest
import typer

from steersman.cli.shared.exit_codes import FAILED, INTERRUPTED, WRONG_USE, errors_as_exits


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyError("no scenario 'x y'"), WRONG_USE, "no scenario 'x y'"),
        (ValueError("first", "second"), WRONG_USE, "('first', 'second')"),
        (TypeError("a number"), WRONG_USE, "a number"),
        (ImportError("no package"), FAILED, "no package"),
        (OSError(28, "No space left"), FAILED, "--out: No space left"),
        (KeyboardInterrupt(), INTERRUPTED, "stopped"),
    ],
)
def test_an_error_is_told_once_with_its_code(error, code, words, capsys):
    with pytest.raises(typer.Exit) as exit_, errors_as_exits("--out"):
        raise error
    assert exit_.value.exit_code == code
    told = capsys.readouterr()
    assert (told.out + told.err).strip().removeprefix("Error: ") == words
