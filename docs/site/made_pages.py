"""Pages of the site that are made: a page for each class, for each scenario, and a reference of all public names.

A class's page is its entry in behaviors.md with the scenarios that use it, which play by a click: nothing is written twice.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

DOCS = Path(__file__).parents[1]
MADE = DOCS / "made"
sys.path.insert(0, str(DOCS))

import make_tables  # noqa: E402 (a script beside the pages)

import steersman as sm  # noqa: E402
from steersman.gallery.index import read_index  # noqa: E402
from steersman.gallery.registry import SCENARIOS  # noqa: E402
from steersman.gallery.request import prepare  # noqa: E402
from steersman.studio.viewer import page as page_of_the_window  # noqa: E402
from steersman.studio.viewer.replay import replay  # noqa: E402

PICTURES = Path(page_of_the_window.__path__[0]) / "pictures"

ENTRIES = {each.name: each for each in read_index()}

SHOWN = 3
"""Scenarios on the page of a class."""

SECONDS = 20.0
"""Length of a replay [s]."""

HEADING = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)

LINK = re.compile(r"\]\((\w+)\.md\)")

WORDS = {"Args", "Attributes", "Raises", "Returns", "Yields"}


def parts() -> dict[str, str]:
    """Name -> a page for each heading of the index, with its list and its table of contents."""
    pieces = HEADING.split((DOCS / "index.md").read_text("utf-8"))
    made, seen = {}, set[str]()
    for title, text in zip(pieces[1::2], pieces[2::2], strict=True):
        mine = [page for page in dict.fromkeys(LINK.findall(text)) if page not in seen]
        seen.update(mine)
        listed = "\n".join(line for line in text.splitlines() if re.match(r"(- |\d+\. )", line))
        linked = LINK.sub(r"](../\1.md)", listed)
        made[title] = "\n\n".join([f"# {title}", linked, toctree(f"../{page}" for page in mine)])
    return made


def contents() -> str:
    """The table of contents of the index."""
    names = [f"made/{file_of(title)}" for title in parts()]
    return "\n\n" + toctree([*names, "made/scenarios", "made/classes", "made/reference"])


def file_of(title: str) -> str:
    """The name of a page."""
    return title.lower().replace(" ", "_")


def make() -> None:
    """Write all pages; one that has not changed is left alone, so that it is not built again."""
    pages = dict(class_pages()) | dict(scenario_pages()) | {"reference.md": reference()}
    pages |= {f"{file_of(title)}.md": text for title, text in parts().items()}
    pages["classes.md"] = overview()
    pages["scenarios.md"] = gallery()
    for folder in ("classes", "scenarios", "pictures"):
        (MADE / folder).mkdir(parents=True, exist_ok=True)
    for file in PICTURES.glob("*.light.webp"):
        copyfile(file, MADE / "pictures" / file.name.replace(".light", ""))
    for there in (*MADE.glob("classes/*.md"), *MADE.glob("scenarios/*.md")):
        if str(there.relative_to(MADE)) not in pages:
            there.unlink()
    for name, text in pages.items():
        file = MADE / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, encoding="utf-8")


def make_replays() -> None:
    """Write a replay of each scenario that has none, or an older one than its source."""
    for name, scenario in SCENARIOS.items():
        file = MADE / "replays" / "replays" / f"{name}.html"
        source = Path(inspect.getfile(scenario.make))
        if file.exists() and file.stat().st_mtime > source.stat().st_mtime:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        stage = prepare(name, None, {"seed": 1}, [], None, None)
        replay(stage, file, seconds=min(stage.seconds, SECONDS))


def names_in(scenario: str) -> set[str]:
    """The public names in the source of a scenario."""
    module: Any = inspect.getmodule(SCENARIOS[scenario].make)
    return set(re.findall(r"\bsm\.(\w+)", inspect.getsource(module)))


def users() -> dict[str, list[str]]:
    """Public name -> the scenarios in whose source it is, those first that have the fewest others."""
    names = {name: names_in(name) for name in SCENARIOS}
    order = sorted(names, key=lambda name: (len(names[name] & set(sm.__all__)), name))
    return {each: [name for name in order if each in names[name]] for each in sm.__all__}


def class_pages() -> Iterator[tuple[str, str]]:
    """A page for each class that has parameters."""
    used, written = users(), set()
    for title, classes in make_tables.chapters():
        for cls in classes:
            if cls in written:
                continue
            written.add(cls)
            lines = make_tables.entry(cls)
            lines[0] = f"# {cls.__name__}\n"
            lines.insert(2, f"*{title}.*\n")
            for name in used.get(cls.__name__, [])[:SHOWN]:
                about = ENTRIES[name]
                lines += [
                    f"## In {name}\n",
                    f"{about.shows}\n",
                    f"[![{name}](../pictures/{name}.webp)](../scenarios/{name}.md)\n",
                ]
            methods = list(members(cls))
            if methods:
                lines += ["## Methods\n", *methods]
            yield f"classes/{cls.__name__}.md", "\n".join(lines) + "\n"


def scenario_pages() -> Iterator[tuple[str, str]]:
    """A page for each scenario, with its replay."""
    known = {cls.__name__ for _, classes in make_tables.chapters() for cls in classes}
    for name, scenario in SCENARIOS.items():
        about = inspect.cleandoc(inspect.getmodule(scenario.make).__doc__ or "")
        first, _, rest = about.partition("\n\n")
        names = sorted(known & names_in(name))
        lines = [
            f"# {name}\n",
            f"{first}\n".replace("\n", " ") + "\n",
            f'```{{raw}} html\n<figure class="replay" data-replay="../../replays/{name}.html"></figure>\n```\n',
            f"![{name}](../pictures/{name}.webp)\n",
            make_tables.law("\n\n" + rest) + "\n",
            f"```sh\nsteersman view {name}\n```\n",
            "Classes: " + ", ".join(f"[{each}](../classes/{each}.md)" for each in names) + ".\n",
        ]
        yield f"scenarios/{name}.md", "\n".join(lines)


def gallery() -> str:
    """All scenarios."""
    lines = [
        "# Scenarios that play\n",
        "Each picture leads to a page where it plays. `steersman view NAME` opens one to change it.\n",
    ]
    lines.append('```{raw} html\n<div class="gallery">\n```\n')
    lines += [f"[![{name}: {ENTRIES[name].shows}](pictures/{name}.webp)](scenarios/{name}.md)\n" for name in SCENARIOS]
    lines.append("```{raw} html\n</div>\n```\n")
    return "\n".join([*lines, toctree(f"scenarios/{name}" for name in SCENARIOS)])


def overview() -> str:
    """All classes with parameters, by chapter."""
    lines, seen = ["# Classes with parameters\n"], []
    for title, classes in make_tables.chapters():
        lines.append(f"## {title}\n")
        for cls in sorted(classes, key=lambda cls: cls.__name__):
            lines.append(f"- [{cls.__name__}](classes/{cls.__name__}.md): {summary(cls)}")
            if f"classes/{cls.__name__}" not in seen:
                seen.append(f"classes/{cls.__name__}")
        lines.append("")
    return "\n".join([*lines, toctree(sorted(seen))])


def toctree(pages: Any) -> str:
    """A hidden table of contents."""
    return "\n".join(["```{toctree}", ":hidden:", "", *pages, "```", ""])


def reference() -> str:
    """All public names with their docstrings, but for those that have a page of their own."""
    own = {cls for _, classes in make_tables.chapters() for cls in classes}
    lines = [
        "# Reference\n",
        "All public names of `steersman`. Classes with parameters have [pages of their own](classes.md).\n",
    ]
    for name in sorted(sm.__all__, key=str.lower):
        each = getattr(sm, name)
        if each in own if isinstance(each, type) else False:
            lines += [f"## {name}\n", f"{summary(each)} [Its page](classes/{name}.md).\n"]
        elif inspect.ismodule(each):
            lines += [f"## {name}\n", f"{summary(each)}\n"]
            lines += [
                f"- `{one}`: {summary(getattr(each, one))}"
                for one in getattr(each, "__all__", ())
                if callable(getattr(each, one))
            ]
            lines.append("")
        elif callable(each):
            lines += [f"## {name}\n", signature(name, each), docstring(each)]
            lines += members(each) if isinstance(each, type) else []
    return "\n".join(lines) + "\n"


def members(cls: type) -> Iterator[str]:
    """Public methods and properties that the class itself has."""
    for name, each in vars(cls).items():
        plain = each.__func__ if isinstance(each, (classmethod, staticmethod)) else each
        if name.startswith("_") or not (inspect.isfunction(plain) or isinstance(each, property)):
            continue
        if isinstance(each, property):
            yield f"### {cls.__name__}.{name}\n"
            yield docstring(each.fget) if each.fget else ""
        elif inspect.getdoc(plain):
            yield f"### {cls.__name__}.{name}\n"
            yield signature(name, plain)
            yield docstring(plain)


def signature(name: str, each: Any) -> str:
    """How it is called."""
    try:
        made = inspect.signature(each)
    except (TypeError, ValueError):
        return ""
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in made.parameters.values()]
    text = str(made.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return f"```text\n{name}{re.sub(r'<[^>]*>', '...', text)}\n```\n"


def summary(each: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(each) or "").partition("\n\n")[0].split())


def docstring(each: Any) -> str:
    """A docstring as Markdown: its sections as lists, indented text as code."""
    lines: list[str] = []
    section = False
    for line in (inspect.getdoc(each) or "").split("\n"):
        if line.rstrip(":") in WORDS and line.endswith(":"):
            section = True
            lines += ["", f"**{line.rstrip(':')}**", ""]
        elif section and re.match(r"    \S", line):
            head, colon, rest = line.strip().partition(":")
            lines.append(f"- `{head}`:{rest}" if colon and " " not in head else f"- {line.strip()}")
        elif section and line.startswith("     "):
            lines.append(f"  {line.strip()}")
        else:
            section = section and (not line or line.startswith(" "))
            lines.append(line)
    return "\n".join(lines) + "\n"
