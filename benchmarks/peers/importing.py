"""Importing what makes itself at home: a module that opens files where it stands, or sets up the log of all of Python."""

import importlib
import logging
import os
import tempfile
from types import ModuleType


def imported_aside(name: str) -> ModuleType:
    """A module, imported so that nothing is left in the working directory, and Python's log is as it was.

    Args:
        name: What it is called.

    Raises:
        ImportError: It is not there.
    """
    root, here, off = logging.getLogger(), os.getcwd(), logging.root.manager.disable
    level, handlers = root.level, list(root.handlers)
    with tempfile.TemporaryDirectory() as folder:
        logging.disable(logging.DEBUG)
        os.chdir(folder)
        try:
            return importlib.import_module(name)
        finally:
            os.chdir(here)
            for handler in [each for each in root.handlers if each not in handlers]:
                root.removeHandler(handler)
                handler.close()  # Or its file could not be taken away everywhere.
            root.setLevel(level)
            logging.disable(off)
