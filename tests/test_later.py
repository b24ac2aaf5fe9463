"""Modules that are imported when a test uses them."""

import sys

import pytest
from later import later, needs


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "a_module_of_this_test.py").write_text("NUMBER = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "a_module_of_this_test"
    sys.modules.pop("a_module_of_this_test", None)


def test_a_module_is_imported_at_its_first_use(module):
    made = later(module)
    assert not hasattr(made, "__test__")  # As pytest asks each name in a file.
    assert module not in sys.modules
    assert made.NUMBER == 3
    assert module in sys.modules


def test_what_is_written_to_it_is_written_to_the_module(module, monkeypatch):
    made = later(module)
    with monkeypatch.context() as changed:
        changed.setattr(made, "NUMBER", 4)
        assert sys.modules[module].NUMBER == 4
        changed.delattr(made, "NUMBER")
        assert not hasattr(sys.modules[module], "NUMBER")
    assert sys.modules[module].NUMBER == 3


def test_without_it_tests_are_skipped():
    with pytest.raises(pytest.skip.Exception, match="no_such_module"):
        _ = later("no_such_module").NUMBER
    assert needs("no_such_module").args == (True,)
    assert needs("pytest").args == (False,)
