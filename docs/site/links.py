"""Dead links of the built site."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r'<(?:a|img|link|script|iframe)\b[^>]*?\b(?:href|src)="([^"]*)"')

ID = re.compile(r'\bid="([^"]+)"')


def dead_links(folder: Path) -> Iterator[str]:
    """Each link of a page to a file that is not there, or to a place that its page does not have."""

    @cache
    def places(page: Path) -> frozenset[str]:
        return frozenset(ID.findall(page.read_text("utf-8")))

    for page in sorted(folder.rglob("*.html")):
        if {"replays", "_static"} & set(page.parts):
            continue
        for link in dict.fromkeys(LINK.findall(page.read_text("utf-8"))):
            if re.match(r"\w+:|//", link):
                continue
            file, _, place = unquote(link.partition("?")[0]).partition("#")
            target = (page.parent / file).resolve() if file else page
            if not target.exists():
                yield f"{page.relative_to(folder)}: there is no {file}"
            elif place and target.suffix == ".html" and place not in places(target):
                yield f"{page.relative_to(folder)}: {file or page.name} has no #{place}"
