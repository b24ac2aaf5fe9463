"""Pages of the site that are made: a page for each class, for each scenario, and a reference of all public names.

A class's page is its entry in behaviors.md with the scenarios that use it, which play by a click: nothing is written twice.
"""

import inspect
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from shutil import copyfile
from typing import Any

import formulas
import make_tables
from curves import PLOTS, plot
from docstrings import BENEATH, DESCRIBED, docstring, markdown, members, page_of, signature, summary
from small_worlds import WORLDS

import steersman as sm
from steersman.core.world.population import Population
from steersman.gallery.index import read_index
from steersman.gallery.registry import SCENARIOS
from steersman.gallery.request import prepare
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.reading import Meters
from steersman.studio.viewer import page as page_of_the_window
from steersman.studio.viewer.replay import replay

DOCS = Path(__file__).parents[1]
ROOT, MADE = DOCS.parent, DOCS / "made"

PICTURES = Path(page_of_the_window.__path__[0]) / "pictures"

ENTRIES = {each.name: each for each in read_index()}

CLASSES = [name for name in sm.__all__ if isinstance(getattr(sm, name), type)]
PAGES = {name.lower(): f"names/{name}" for name in CLASSES}
PAGES |= {cls.__name__.lower(): f"classes/{cls.__name__}" for _, classes in make_tables.chapters() for cls in classes}
"""Name of a class, in small letters -> page."""


CLASS = re.compile(rf"`({'|'.join(CLASSES)})`")

RETURNED = (Population, Meters, Meter)
"""Classes that are not public names, of objects that worlds return."""

OTHER = re.compile(r"(?<![\w/(`\[])docs/(\w+\.md)")
"""Pages that docstrings name."""

UNSOUGHT = ("changelog.md", "architecture.md", "behaviors.md")
"""Pages that a search leaves out: they name everything."""


SHOWN = 3
"""Scenarios on the page of a class."""

SECONDS = 20.0
"""Length of a replay [s]."""

INTRODUCTION = """A page each: the law, when to take it, the parameters with their units and ranges, and a run that plays on
the page. All names are public: `sm.Seek`. [Which behavior?](../which_behavior.md) and
[Which combinator?](../which_combinator.md) compare them.
"""

HEADING = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)

LINK = re.compile(r"\]\((\w+)\.md\)")

APART = {"behaviors", "coming_from", "glossary", "paper"}
"""Pages that stand in the first row of the site, or, with a page for each class, are not on it."""


def parts() -> dict[str, str]:
    """Name -> a page for each heading of the index, with its list and its table of contents."""
    pieces = HEADING.split((DOCS / "index.md").read_text("utf-8"))
    made, seen = {}, set[str]()
    for title, text in zip(pieces[1::2], pieces[2::2], strict=True):
        mine = [page for page in dict.fromkeys(LINK.findall(text)) if page not in seen | APART]
        seen.update(mine)
        listed = "\n".join(line for line in text.splitlines() if re.match(r"(- |\d+\. )", line))
        linked = LINK.sub(r"](../\1.md)", listed)
        made[title] = "\n\n".join([f"# {title}", linked, toctree(f"../{page}" for page in mine)])
    return made


def contents() -> str:
    """The table of contents of the index."""
    start, *others = [f"made/{file_of(title)}" for title in parts()]
    first = [start, "Behaviors <made/behaviors>", "The paper <paper>", *others]
    rest = ["Coming from <coming_from>", "made/gallery", "made/examples", "made/reference", "glossary"]
    return "\n\n" + toctree([*first, *rest, "made/changelog", "made/contributing", "made/architecture"])


def file_of(title: str) -> str:
    """The name of a page."""
    return title.lower().replace(" ", "_")


def make() -> None:
    """Write all pages; one that has not changed is left alone, so that it is not built again."""
    for folder in ("classes", "scenarios", "names", "pictures", "plots"):
        (MADE / folder).mkdir(parents=True, exist_ok=True)
    for file in PICTURES.glob("*.light.webp"):
        copyfile(file, MADE / "pictures" / file.name.replace(".light", ""))
    pages = dict(class_pages()) | dict(scenario_pages()) | dict(name_pages())
    pages |= {f"{file_of(title)}.md": text for title, text in parts().items()}
    pages |= {"behaviors.md": overview(), "gallery.md": gallery(), "reference.md": reference()}
    pages["examples.md"] = examples()
    pages |= {f"{name}.md": beside(f"{name.upper()}.md") for name in ("changelog", "contributing", "architecture")}
    for there in MADE.glob("**/*.md"):
        if str(there.relative_to(MADE)) not in pages:
            there.unlink()
    for name, plain in pages.items():
        text = OTHER.sub(rf"[\1]({'../' * (name.count('/') + 1)}\1)", plain)
        if name in UNSOUGHT:
            text = f"---\nnosearch: true\n---\n\n{text}"
        file = MADE / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, encoding="utf-8")


def make_replays() -> None:
    """Write a replay of each scenario and small world that has none, or an older one than its source, on all processors."""
    folder = MADE / "replays" / "replays"
    folder.mkdir(parents=True, exist_ok=True)
    makes = {name: scenario.make for name, scenario in SCENARIOS.items()} | {name: WORLDS[name][1] for name in WORLDS}
    wanted = [name for name, make in makes.items() if is_older(folder / f"{name}.html", make)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        list(pool.map(write_replay, wanted, [folder] * len(wanted)))


def is_older(file: Path, make: Any) -> bool:
    """Whether a file is older than the source of a function, or not there."""
    return not file.exists() or file.stat().st_mtime < Path(inspect.getfile(make)).stat().st_mtime


def write_replay(name: str, folder: Path) -> None:
    """Write the replay of a scenario, or of the small world of a class."""
    if name in WORLDS:
        stage = WORLDS[name][1]()
        stage.name = name
    else:
        stage = prepare(name, None, {"seed": 1}, [], None, None)
    replay(stage, folder / f"{name}.html", seconds=min(stage.seconds, SECONDS))


def names_in(scenario: str) -> set[str]:
    """The public names in the source of a scenario."""
    module: Any = inspect.getmodule(SCENARIOS[scenario].make)
    source, _, _ = inspect.getsource(module).partition("\nSCENARIO = ")  # what follows are worlds that must fail
    return set(re.findall(r"\bsm\.(\w+)", source))


def users() -> dict[str, list[str]]:
    """Public name -> the scenarios in whose source it is: those of a like name first, then those with the fewest others."""
    names = {name: names_in(name) for name in SCENARIOS}
    order = sorted(names, key=lambda name: (len(names[name] & set(sm.__all__)), name))

    def like(scenario: str, each: str) -> int:
        """How many words they share, by their first letters."""
        words = {word[:4].lower() for word in re.findall(r"[A-Z][a-z]+", each)}
        return -len(words & {word[:4] for word in scenario.split("_")})

    return {
        each: sorted((one for one in order if each in names[one]), key=lambda one: like(one, each))
        for each in sm.__all__
    }


def class_pages() -> Iterator[tuple[str, str]]:
    """A page for each class that has parameters."""
    used, written, rows, sections = users(), set[type](), advice(), cited()
    programs = programs_with()
    for title, classes in make_tables.chapters():
        for cls in classes:
            if cls in written:
                continue
            written.add(cls)
            name, scenarios = cls.__name__, used.get(cls.__name__, [])[:SHOWN]
            lines = make_tables.entry(cls, equation)
            lines[0] = f"# {name}\n"
            at = next((k for k, line in enumerate(lines) if line.startswith("| parameter")), len(lines))
            del lines[at:]
            about = [each for each in paragraphs(cls)[1:] if not each.startswith("    ")]
            if name in sections:
                heading, pages = sections[name]
                about.append(f"**Source:** Reynolds 1999, {pages}: [{heading}](../../paper.md#{slug(heading)}).")
            if name in rows:
                about += [f"**Take it for** {rows[name][0]}.", f"**Take something else:** {rows[name][1]}."]
            lines += [*(f"{each}\n" for each in about), *parameters(cls), *errors(cls)]
            if name in programs:
                links = ", ".join(f"[{title}](../../{page}.md)" for title, page in programs[name][:4])
                lines.append(f"**Programs with it:** {links}.\n")
            if name in PLOTS:
                plot(name, MADE / "plots")
                lines += [
                    "## As a curve\n",
                    f"{PLOTS[name].says}\n",
                    f"![{PLOTS[name].says}](../plots/{name}.svg){{.dark-light}}\n",
                ]
            first = scenarios[:1]
            lines[2:2] = [
                f"*{title}.*" + "".join(f" Here in [{each}](../scenarios/{each}.md):" for each in first) + "\n"
            ]
            lines[3:3] = [shown(each) for each in first]
            if not first and name in WORLDS:
                lines[3:3] = [f"{played(name)}\n\n{WORLDS[name][0]}\n"]
            for each in scenarios[1:]:
                lines += [f"## In {each}\n", f"{ENTRIES[each].shows}\n", f"{picture(each)}\n"]
            methods = list(members(cls))
            if methods:
                lines += ["## Methods\n", *methods]
            yield f"classes/{name}.md", "\n".join(lines) + "\n"


def parameters(cls: type) -> Iterator[str]:
    """A list of the parameters, which a phone can show as well."""
    found = [each for each in make_tables.describe(cls) if each.name != "name"]
    yield from ("## Parameters\n",) if found else ()
    for name, usual, unit, allowed, meaning in map(make_tables.cells, found):
        about = [f"[{unit}]"] * bool(unit) + [f"default {usual}"] * bool(usual) + [f"{allowed}"]
        yield f"{name} {'; '.join(about).replace('*', chr(92) + '*').replace(']; ', '] ', 1)}\n: {meaning}\n"


def errors(cls: type) -> Iterator[str]:
    """The errors that the class raises by itself, and a link to those of all classes."""
    _, _, own = (inspect.getdoc(cls) or "").partition("\nRaises:\n")
    yield f"**Errors** are those [of all arguments](../../faults.md#errors-of-arguments){', and these:' if own else '.'}\n"
    yield from (markdown(f"Raises:\n{own}").partition("**Raises**\n")[2],) if own else ()


def equation(block: str) -> str:
    """An indented block of a docstring: typeset, or a program."""
    if formulas.is_code(block):
        return make_tables.as_text(block).replace("```text", "```python", 1)
    return f"```{{raw}} html\n{formulas.typeset(block)}\n```"


def paragraphs(cls: type) -> list[str]:
    """The docstring of a class up to its arguments."""
    text = (inspect.getdoc(cls) or "").partition("\nArgs:\n")[0].partition("\nRaises:\n")[0]
    return [each.strip("\n") for each in re.split(r"\n\n+", text) if each.strip()]


def programs_with() -> dict[str, list[tuple[str, str]]]:
    """Class -> title and file of the pages whose programs use it, those first that use the fewest others."""
    found = dict[str, list[tuple[int, str, str]]]()
    for file in sorted(DOCS.glob("*.md")):
        text = file.read_text("utf-8")
        names = set(
            re.findall(r"\bsm\.(\w+)\(", "".join(re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)))
        )
        for name in names:
            found.setdefault(name, []).append((len(names), text.partition("\n")[0].removeprefix("# "), file.stem))
    return {name: [each[1:] for each in sorted(pages) if each[2] != "index"] for name, pages in found.items()}


def cited() -> dict[str, tuple[str, str]]:
    """Class -> the section of paper.md that names it first, and the pages of the paper there."""
    found = dict[str, tuple[str, str]]()
    for section in (DOCS / "paper.md").read_text("utf-8").split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        pages = re.search(r"(pages? \d+(?: (?:and|to) \d+)?)", text.lower())
        for name in CLASS.findall(text.partition("*Unclear")[0].partition("*Wrong")[0]) if pages else ():
            found.setdefault(name, (title, pages[1]))
    return found


def slug(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def advice() -> dict[str, tuple[str, str]]:
    """Behavior -> when to take it, and what to take else, as which_behavior.md says; with links."""
    text = (DOCS / "which_behavior.md").read_text("utf-8").replace("](", "](../../")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]

    def link(words: str) -> str:
        return CLASS.sub(lambda found: f"[{found[0]}](../{PAGES[found[1].lower()]}.md)", words)

    return {row[0].strip("`"): (link(row[1]), link(row[2])) for row in rows}


def shown(scenario: str) -> str:
    """A picture that becomes the replay of a scenario by a click."""
    return f"{played(scenario)}\n\n{picture(scenario)}\n"


def played(name: str) -> str:
    """A button that becomes the replay of a scenario, or of the small world of a class."""
    return f'```{{raw}} html\n<figure class="replay" data-replay="../../replays/{name}.html"></figure>\n```'


def picture(scenario: str) -> str:
    """The picture of a scenario, with a link to its page."""
    return f"[![{scenario}](../pictures/{scenario}.webp)](../scenarios/{scenario}.md)"


def beside(file: str) -> str:
    """A page that is not in docs/."""
    text = (ROOT / file).read_text("utf-8").replace("](docs/", "](../")
    return re.sub(r"\]\((\w+)\.md\)", lambda found: f"]({found[1].lower()}.md)", text)


def examples() -> str:
    """The whole programs of examples/, each with its first lines as text."""
    lines = ["# Examples\n", "Whole programs: copy one into a file of its own, and run it.\n"]
    for file in sorted((ROOT / "examples").rglob("*.py")):
        about, _, code = file.read_text("utf-8").removeprefix('"""').partition('"""')
        name = file.relative_to(ROOT).as_posix()
        lines += [f"({slug_of_file(name)})=\n## {name}\n", f"{about.strip()}\n", f"```python\n{code.strip()}\n```\n"]
    return "\n".join(lines)


def slug_of_file(name: str) -> str:
    """The anchor of a program on the page of the examples."""
    return re.sub(r"\W", "-", name.removesuffix(".py"))


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
            f"{played(name)}\n",
            f"![{name}](../pictures/{name}.webp)\n",
            make_tables.law("\n\n" + rest) + "\n",
            f"```sh\nsteersman view {name}\n```\n",
            "Classes: " + ", ".join(f"[{each}](../classes/{each}.md)" for each in names) + ".\n",
            "## Its parameters and its program\n",
            docstring(scenario.make).partition("\n\n")[2],
            f"```python\n{program(scenario.make)}\n```\n",
        ]
        yield f"scenarios/{name}.md", "\n".join(lines)


def program(make: Any) -> str:
    """The source of a function without its docstring."""
    source = inspect.getsource(make)
    return re.sub(r'\n    """.*?"""\n', "\n", source, count=1, flags=re.DOTALL).strip()


def gallery() -> str:
    """All scenarios."""
    lines = [
        "# Gallery\n",
        "Each picture leads to a page where it plays. `steersman view NAME` opens one to change it.\n",
    ]
    lines.append('```{raw} html\n<div class="gallery">\n```\n')
    lines += [f"[![{name}: {ENTRIES[name].shows}](pictures/{name}.webp)](scenarios/{name}.md)\n" for name in SCENARIOS]
    lines.append("```{raw} html\n</div>\n```\n")
    return "\n".join([*lines, toctree(f"scenarios/{name}" for name in SCENARIOS)])


def overview() -> str:
    """All classes with parameters, by chapter."""
    lines, seen = ["# Behaviors and what stands beside them\n", INTRODUCTION], []
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
    """All public names: one line each, or, of functions, the docstring; classes have pages of their own."""
    lines = [
        "# Reference\n",
        "All public names of `steersman`. Classes have pages of their own, with all their methods. "
        "Only errors beyond [those of all arguments](../faults.md#errors-of-arguments) are listed.\n",
    ]
    pages = []
    public = {name: getattr(sm, name) for name in sm.__all__} | {cls.__name__: cls for cls in RETURNED}
    for name, each in sorted(public.items(), key=lambda pair: pair[0].lower()):
        if isinstance(each, type):
            page = page_of(each)
            pages += [page] if each not in DESCRIBED else []
            lines += [f"## {name}\n", f"{summary(each)} [All of it]({page}.md).\n"]
        elif inspect.ismodule(each):
            pages.append(f"names/{name}")
            lines += [f"## {name}\n", f"{summary(each)} [All of it](names/{name}.md).\n"]
        elif callable(each):
            lines += [f"## {name}\n", signature(name, each), docstring(each)]
        else:
            lines += [f"## {name}\n", f"{summary(each)}\n"]
    lines += ["## Bases that have no public name\n", "Classes with parameters have their methods, too.\n"]
    for name, each in sorted(BENEATH.items()):
        pages.append(f"names/{name}")
        lines.append(f"- [{name}](names/{name}.md): {summary(each)}")
    return "\n".join([*lines, "", toctree(dict.fromkeys(pages))]) + "\n"


def name_pages() -> Iterator[tuple[str, str]]:
    """A page for each public class without parameters, for those of objects that worlds return, and for bases beneath."""
    for each in (*(getattr(sm, name) for name in sm.__all__), *RETURNED, *BENEATH.values()):
        if inspect.ismodule(each):
            title = next(name for name in sm.__all__ if getattr(sm, name) is each)
            made = [getattr(each, name) for name in getattr(each, "__all__", ())]
            parts = [
                [f"## {one.__name__}\n", signature(one.__name__, one), docstring(one)] for one in made if callable(one)
            ]
            yield (
                f"names/{title}.md",
                "\n".join([f"# {title}\n", docstring(each), *(line for part in parts for line in part)]),
            )
        elif isinstance(each, type) and each not in DESCRIBED:
            title = each.__name__
            parts = [f"# {title}\n", signature(title, each), docstring(each), "## Methods\n", *members(each)]
            yield f"names/{title}.md", "\n".join(parts)
