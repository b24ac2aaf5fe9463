"""steersman list."""

import json
import subprocess
import sys

from calling import call

from steersman.gallery.index import FILE, index_of
from steersman.gallery.registry import SCENARIOS


def test_the_index_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == index_of(SCENARIOS.values()), "please run: python docs/make_tables.py"


def test_a_list_loads_nothing_that_computes():
    program = (
        "import json, sys; from steersman.cli.main import run; sys.argv[1:] = ['list', 'path']\n"
        "try: run()\n"
        "except SystemExit: print(json.dumps([*sys.modules]), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "path_following" in done.stdout
    loaded = json.loads(done.stderr)
    assert not {"numba", "numpy", "matplotlib", "pyarrow", "steersman.core.public", "steersman.gallery.registry"} & {
        *loaded
    }


def test_list():
    result = call("list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in SCENARIOS)


def test_list_of_those_with_a_word():
    result = call("list", "path")
    assert result.exit_code == 0
    assert "path_following" in result.stdout
    assert "seek_flee" not in result.stdout
    assert call("list", "nonsense").exit_code == 2
