"""Modules that make themselves at home, and peers that are run: nothing is left where one stands."""

import logging
import os
import sys
from pathlib import Path

import pytest

from benchmarks.peers.importing import imported_aside
from benchmarks.peers.programs import everybody
from benchmarks.peers.sitting import sitting
from benchmarks.peers.work import WORKS

NOISY = """
import logging
log = logging.getLogger()
log.setLevel(logging.DEBUG)
log.addHandler(logging.FileHandler("file.log"))
log.addHandler(logging.StreamHandler())
log.debug("imported")
KNOWN = 7
"""


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty folder, where one stands."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_module_that_opens_a_log_leaves_neither_a_file_nor_handlers(tmp_path, empty, monkeypatch, capsys):
    (tmp_path / "noisy_module.py").write_text(NOISY)
    monkeypatch.syspath_prepend(str(tmp_path))
    root = logging.getLogger()
    level, handlers, off = root.level, list(root.handlers), root.manager.disable
    try:
        assert imported_aside("noisy_module").KNOWN == 7
    finally:
        sys.modules.pop("noisy_module", None)
    assert (root.level, root.handlers, root.manager.disable) == (level, handlers, off)
    assert list(empty.iterdir()) == []
    assert capsys.readouterr().err == ""


def test_a_module_that_is_not_there(empty):
    with pytest.raises(ImportError):
        imported_aside("no_such_module_at_all")
    assert Path.cwd() == empty


def test_running_the_peers_leaves_nothing(empty, tmp_path, monkeypatch):
    """Whoever is installed; a package for Node is not fetched for it."""
    if "STEERSMAN_PEERS_NPM" not in os.environ:
        monkeypatch.setenv("STEERSMAN_PEERS_NPM", str(tmp_path))
    for work in (WORKS["flock"], WORKS["crowd"]):
        sitting([(work, [10])], everybody(1), seconds=0.1, turns=2, share=0.001, seeds=2)
    assert list(empty.iterdir()) == []
