"""The page as one file: its modules, one after the other, with the style in the head. It loads no other files.

A cell of a notebook shows the same page as one module.
"""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from steersman.gallery.registry import SCENARIOS
from steersman.gallery.search import words_of

MODULES = (
    "root", "linear", "theme", "palette", "shaders", "shapes", "grain", "camera", "names", "outlines", "painter", "frames",
    "controls", "notices", "density", "cast", "framing", "stage", "pointer", "placing", "labels", "lens", "film", "tree",
    "grasp", "acting", "vectors", "populations", "reason", "tour", "shares", "why", "colors", "timings", "plots", "timeline",
    "recorded", "socket", "beside", "live",
)  # fmt: skip
"""The modules of the page, in the order of their imports."""

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"/\*\* @[^\n]*?\*/ ?")
BESIDE = re.compile(r"(?<=[;,{}]) // [^\n]*$", re.MULTILINE)
SPACES = re.compile(r"(?<=[:;{},])\s+|\s+(?=[{}])")
INDENTED = re.compile(r"^ +", re.MULTILINE)
PARTED = re.compile(r"(?<=[,([{])\n|\n(?=[)\]}])")
SIGNS = re.compile(
    r" ([=!]==?|=>|[?:*/<>=]|[<>+*-]=|&&|\|\||\?\?=?|[+-](?= [^+-])) |(?<=\})\n|(?<=[,;:=){}]) +| +(?=[{}])"
)
WORDS = re.compile(r"\b(if|for|while|switch|catch|return|const|let|of|case) (?=[(\[!])|\n(?=\n)")
"""Spaces and lines that code does without."""
SPARE = re.compile(r"(?<!\w)\((\w+)\)(?==>)|,(?=[)\]}])|(?<=[^)]);(?=\})|(?<=.)\n(?:(?=\.)|([?:]|&&|\|\|) ?)|(?<= =)\n")
"""Signs that code does without: brackets around one parameter, commas and semicolons before an end, lines that go on."""
NEXT = re.compile(r"[`\"'/{}]")
"""A sign that may begin or end a text."""
STRING = re.compile(r"""(["'])(?:(?!\1)[^\\\n]|\\.)*\1""")
REGEX = re.compile(r"(?:(?<=[(,=:!&|?;{}] )|(?<=[(=!\[\n]))/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
REMARK = re.compile(r"//[^\n]*")
TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)", re.DOTALL)
"""A part of the text of a template, up to its end or to the next expression in it."""
PROGRAM = re.compile(r"(?:(?<=`)|(?<=es))\n[^`]*`")
DENSE = re.compile(r" ?([=+*/<>?:,(){}&|!-]+) ?|\b0(?=\.\d*[1-9])|(?<=\d\.)0\b|(?<=\})\n")
"""Lines of a program of the graphics card, and what it does without: spaces beside signs, zeros, ends of lines."""
EXPORT = re.compile(r"^export (?:const|class|function|async function) (\w+)", re.MULTILINE)


@functools.cache
def part(name: str) -> str:
    """The text of a file of the page."""
    return files("steersman.studio.viewer").joinpath("page", name).read_text(encoding="utf-8")


@functools.cache
def style() -> str:
    """The style of all pages, without spaces beside its signs."""
    return SPACES.sub("", part("style.css"))


@functools.cache
def script() -> str:
    """All modules as one: each is a function that returns its exports; `main` is included unchanged."""
    return "\n".join([*map(_module, MODULES), _body("main")])


@functools.cache
def cell_script() -> str:
    """The page as a module for anywidget. All modules are evaluated anew for each place where it is shown."""
    markup = part("index.html").partition('<body class="window">\n')[2].partition("<!-- data -->")[0]
    cell = _module("cell").replace('["",""]', json.dumps([markup, style()]))
    page = "\n".join([*map(_module, MODULES), cell])
    return (
        f"const page = () => {{\n{page}\nreturn $cell;\n}};\nexport default {{ render: (it) => page().render(it) }};\n"
    )


def _module(name: str) -> str:
    exported = ",".join(EXPORT.findall(part(f"{name}.js")))
    return f"const ${name} = (() => {{\n{_body(name)}\nreturn {{{exported}}};\n}})();\n"


def _body(name: str) -> str:
    text = PARTED.sub("", INDENTED.sub("", BESIDE.sub("", TYPE.sub("", COMMENT.sub("", part(f"{name}.js"))))))
    if name == "shaders":
        text = PROGRAM.sub(lambda found: DENSE.sub(r"\1", found[0]), text)
    text = "".join(squeezed(IMPORT.sub(r"const \1 = $\2;", text)))
    return text.replace("\nexport ", "\n").replace(";\n", ";")


def squeezed(text: str) -> Iterator[str]:
    """Pieces of a module: texts, templates and regular expressions as they are, and code without spaces beside signs."""
    begin = at = 0
    braces: list[int] = []  # In each expression of a template that is open.
    while next_sign := NEXT.search(text, at):
        at, sign = next_sign.start(), next_sign[0]
        template = TEMPLATE.match(text, at) if sign == "`" or (sign == "}" and braces and not braces[-1]) else None
        found = template or STRING.match(text, at) or REGEX.match(text, at) or REMARK.match(text, at)
        if found is None:
            if braces and sign in "{}":
                braces[-1] += 1 if sign == "{" else -1
            at += 1
            continue
        if template and sign == "}":
            braces.pop()
        if template and template[1] == "${":
            braces.append(0)
        yield _tight(text[begin:at])
        yield found[0]
        begin = at = found.end()
    yield _tight(text[begin:])


def _tight(code: str) -> str:
    return SPARE.sub(r"\1\2", WORDS.sub(r"\1", SIGNS.sub(r"\1", code)))


def page_html(title: str = "steersman", data: Mapping[str, str] | None = None) -> str:
    """The page; with data in it, a recording, it needs no server.

    Args:
        title: Its title in the browser.
        data: Texts that are put into it, by their ids in the page.
    """
    texts = "".join(
        f'<script type="application/octet-stream" id="{escape(name)}">{text}</script>\n'
        for name, text in (data or {}).items()
    )
    page = part("index.html").replace("<title>steersman</title>", f"<title>{escape(title)}</title>")
    page = page.replace("/* style */", style()).replace("<!-- data -->", texts)
    return page.replace("// script", script())


MOVING = ("boids", "circle_swap", "flocking", "aquarium")
"""Scenarios with a moving picture at the top of the gallery."""

SUBJECTS = {
    "one vehicle": ("individual", "turning"),
    "groups": ("group", "flocking", "formation", "order", "random"),
    "crowds": ("crowd",),
    "obstacles": ("obstacles", "region"),
    "paths and routes": ("path", "routes", "field", "surface"),
    "stories": ("story", "game AI", "orders", "resources"),
    "decisions": ("modes", "think", "knowledge", "priority", "truncated sum", "combining"),
    "bodies": ("locomotion",),
}
"""Subject -> the tags that belong to it."""

SOURCES = ("OpenSteer", "game AI lecture", "project notes")
"""Tags that name a source, besides those with a year."""


def gallery_html(token: str) -> str:
    """The page of all scenarios, by tag."""
    cards: list[dict[str, Any]] = []
    groups: dict[str, list[str]] = {"subject": list(SUBJECTS), "source": [], "space": []}
    for each in SCENARIOS.values():
        subjects = [subject for subject, tags in SUBJECTS.items() if not set(tags).isdisjoint(each.tags)]
        sources = [tag for tag in each.tags if tag in SOURCES or any(part.isdigit() for part in tag.split())]
        space = f"{each.dimensions}D"
        cards.append({
            "name": each.name,
            "shows": each.shows,
            "tags": [*subjects, *sources, space],
            "words": " ".join([words_of(each), *subjects, space]),
            "address": f"/?scene={quote(each.name)}&token={quote(token)}",
            "moving": each.name in MOVING,
        })  # fmt: skip
        groups["source"] += [tag for tag in sources if tag not in groups["source"]]
        groups["space"] += [space] if space not in groups["space"] else []
    page = part("gallery.html").replace("/* style */", style()).replace("null /* cards */", _safe(cards))
    return page.replace("null /* groups */", _safe(groups)).replace("null /* token */", _safe(quote(token)))


@functools.cache
def picture(name: str) -> bytes | None:
    """A picture of the gallery by the name of its file; None where there is none."""
    folder = files("steersman.studio.viewer").joinpath("page", "pictures")
    known = {each.name for each in folder.iterdir()}
    return folder.joinpath(name).read_bytes() if name in known else None


def _safe(value: Any) -> str:
    """JSON that can stand in a script."""
    return json.dumps(value).replace("<", "\\u003c")
