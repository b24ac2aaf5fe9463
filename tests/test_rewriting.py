"""Assertions are rewritten by one of several processes, and the others read them."""

import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from rewriting import rewrite_share


def rewritten(folder: Path) -> set[str]:
    """The files whose rewritten form pytest would read."""
    files = folder.rglob("test_*.py")
    return {
        each.stem
        for each in files
        if rewrite._read_pyc(each, rewrite.get_cache_dir(each) / (each.stem + rewrite.PYC_TAIL))
    }


def test_each_process_rewrites_its_share(tmp_path, monkeypatch, request):
    for name in ("a/test_a.py", "b/test_b.py", "test_c.py", "d/test_d.py", "other.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def test_it():\n    assert 1 == 1\n")
    monkeypatch.setattr(request.config, "args", [str(tmp_path), str(tmp_path / "a")])
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "3")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    shares = []
    for worker in ("gw1", "gw0", "gw2"):
        before = rewritten(tmp_path)
        monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
        rewrite_share(request.config)
        shares.append(rewritten(tmp_path) - before)
    assert shares == [{"test_b"}, {"test_a", "test_c"}, {"test_d"}]


def test_what_is_rewritten_is_not_rewritten_again(tmp_path, monkeypatch, request):
    (tmp_path / "test_a.py").write_text("")
    monkeypatch.setattr(request.config, "args", [str(tmp_path)])
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "1")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    rewrite_share(request.config)
    assert rewritten(tmp_path) == {"test_a"}
    monkeypatch.setattr(rewrite, "_rewrite_test", lambda *_: pytest.fail("again"))
    rewrite_share(request.config)


def test_a_process_alone_rewrites_nothing(tmp_path, monkeypatch, request):
    (tmp_path / "test_a.py").write_text("")
    monkeypatch.setattr(request.config, "args", [str(tmp_path)])
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    rewrite_share(request.config)
    assert rewritten(tmp_path) == set()
