"""Runs that are split: the first process ends the others."""

from typing import Any

import pytest
import typer

from steersman.cli.running import split


class Link:
    """A link that notes the calls."""

    rank = 0

    def __init__(self) -> None:
        self.told: list[Any] = []

    def quit(self, code: int) -> None:
        self.told.append(code)

    def fail(self, error: BaseException) -> None:
        self.told.append(error)


@pytest.mark.parametrize(("code", "ended", "told"), [(2, False, [2]), (0, False, []), (1, True, [])])
def test_an_exit_before_the_end_ends_all_processes(
    code: int, ended: bool, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(split, "MPILink", Link)
    team = split.Team(None)
    team._ended = ended
    with pytest.raises(typer.Exit), team.leading():
        raise typer.Exit(code)
    assert isinstance(team._link, Link)
    assert team._link.told == told
