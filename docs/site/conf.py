"""The site: docs/ as it is, and pages made from classes, modules and scenarios.

    python -m sphinx -W -c docs/site docs build/site

Pages are made into docs/made/, which git ignores. `-D steersman_replays=0` leaves the replays out, which take a few minutes;
`-D steersman_repository=URL` makes links of the names of files that are not in docs/.
"""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from links import dead_links
from living import LIVING, make_living
from made_pages import MADE, PAGES, contents, make, make_replays, slug_of_file
from sphinx.util import logging

import steersman
from steersman.gallery.registry import SCENARIOS

project, author, copyright = "steersman", "the steersman developers", "the steersman developers"
version = release = steersman.__version__

extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline", "deflist"]
smartquotes_excludes = {"builders": ["dummy"]}  # It writes nothing, and they are a tenth of its time.
exclude_patterns = ["site", "made/replays", "behaviors.md", "**/__pycache__"]

html_theme = "pydata_sphinx_theme"
html_title = "steersman"
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["site.css"]
html_js_files = ["replay.js", "living.js"]
html_extra_path = ["../made/replays"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "show_prev_next": True,
    "show_toc_level": 2,
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
}
html_sidebars: dict[str, list[str]] = {page: [] for page in ("index", "paper", "coming_from", "glossary")}
html_sidebars |= {f"made/{page}": [] for page in ("changelog", "contributing", "architecture")}


BESIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?![\w/]*\.md)([^)]+)\)")
"""Links to files that are not in docs/."""

FIGURE = re.compile(r"^!\[[^\]]*\]\(figures/figure_(\d+)\.png\)$", re.MULTILINE)

FENCED = re.compile(r"(^```.*?^```$|^#.*?$|\[[^\]]*\]\([^)]*\)|``.+?``)", re.DOTALL | re.MULTILINE)
"""Where no links are added: programs, headings, links."""

NAME = re.compile(r"`([A-Z]\w+|[a-z]+_\w+)(?:\([^`]*\))?`")

SCENARIO = re.compile(r"`([a-z]+)`(?!\])")

EXAMPLES = re.compile(r"\]\((?:\.\./)+examples/?\)")
EXAMPLE = re.compile(r"`(?:python )?(examples/[\w/]+\.py)`")
"""Programs, which are shown on a page of their own."""

ENTRY = re.compile(r"\]\((\.\./)?behaviors\.md(?:#(\w+))?\)")
"""Links to entries of the page of all classes, which have pages of their own here."""


def begin(app: Any) -> None:
    """Make the pages before they are looked for."""
    make()
    if app.config.steersman_replays:
        make_replays()
        make_living(MADE / "replays" / "living")


def read(app: Any, name: str, source: list[str]) -> None:
    """Give the index its table of contents, by its own headings, and name files that are not in docs/."""
    text = source[0] + (contents() if name == "index" else "")
    if "made/" not in name:
        where = app.config.steersman_repository
        text = EXAMPLES.sub("](made/examples.md)", text)
        text = BESIDE.sub(rf"[\1]({where}/\2)" if where else r"\1 (`\2` of the repository)", text)
    if name == "paper":
        text = SCENARIO.sub(linked, FIGURE.sub(living_figure, text))
    if "made/" not in name:
        text = "".join(
            part if k % 2 else EXAMPLE.sub(shown, NAME.sub(linked, part)) for k, part in enumerate(FENCED.split(text))
        )
    source[0] = ENTRY.sub(lambda found: f"]({found[1] or ''}made/{PAGES.get(found[2], 'behaviors')}.md)", text)


def living_figure(found: re.Match[str]) -> str:
    """A figure of the paper, with the button that brings it to life."""
    number = int(found[1])
    data = f'<figure class="living" data-figure="{number}" data-from="living/figure_{number:02d}"></figure>'
    return f"{found[0]}\n\n```{{raw}} html\n{data}\n```" if number in LIVING else found[0]


def linked(found: re.Match[str]) -> str:
    """The name of a class or scenario, with a link to its page."""
    name = found[1]
    page = PAGES.get(name.lower()) if name[0].isupper() else f"scenarios/{name}" if name in SCENARIOS else None
    return f"[{found[0]}](made/{page}.md)" if page else found[0]


def shown(found: re.Match[str]) -> str:
    """The name of a program, with a link to its source."""
    return f"[{found[0]}](made/examples.md#{slug_of_file(found[1])})"


def look_for_dead_links(app: Any, error: Exception | None) -> None:
    """Warn of each link to a file, or to a place in a page, that is not there."""
    if error is None and app.builder.name == "html":
        for line in dead_links(Path(app.outdir)):
            logging.getLogger("links").warning(line)


def setup(app: Any) -> None:
    """Sphinx calls it."""
    app.connect("build-finished", look_for_dead_links)
    app.add_config_value("steersman_replays", True, "html", types=[bool, int, str])
    app.add_config_value("steersman_repository", "", "env")
    app.connect("builder-inited", begin, priority=100)
    app.connect("source-read", read)


MADE.joinpath("replays").mkdir(parents=True, exist_ok=True)  # Sphinx looks for it before it begins.
