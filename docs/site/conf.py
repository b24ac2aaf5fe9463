"""The site: docs/ as it is, and pages made from classes, modules and scenarios.

    python -m sphinx -W -c docs/site docs build/site

Pages are made into docs/made/, which git ignores. `-D steersman_replays=0` leaves the replays out, which take a few minutes;
`-D steersman_repository=URL` makes links of the names of files that are not in docs/.
"""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from made_pages import MADE, contents, make, make_replays

import steersman

project, author, copyright = "steersman", "the steersman developers", "the steersman developers"
version = release = steersman.__version__

extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["site", "made/replays", "**/__pycache__"]

html_theme = "pydata_sphinx_theme"
html_title = "steersman"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["replay.js"]
html_extra_path = ["../made/replays"]
html_show_sourcelink = False
html_theme_options: dict[str, Any] = {
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 8,
    "show_prev_next": True,
}


BESIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")
"""Links to files that are not in docs/."""


def begin(app: Any) -> None:
    """Make the pages before they are looked for."""
    make()
    if app.config.steersman_replays:
        make_replays()


def read(app: Any, name: str, source: list[str]) -> None:
    """Give the index its table of contents, by its own headings, and name files that are not in docs/."""
    if name == "index":
        source[0] += contents()
    if "/" not in name:
        where = app.config.steersman_repository
        source[0] = BESIDE.sub(rf"[\1]({where}/\2)" if where else r"\1 (`\2` of the repository)", source[0])


def setup(app: Any) -> None:
    """Sphinx calls it."""
    app.add_config_value("steersman_replays", True, "html", types=[bool, int, str])
    app.add_config_value("steersman_repository", "", "env")
    app.connect("builder-inited", begin, priority=100)
    app.connect("source-read", read)


MADE.joinpath("replays").mkdir(parents=True, exist_ok=True)  # Sphinx looks for it before it begins.
