"""Writes docs/behaviors.md, everything that has parameters, and the tables of docs/metrics.md, from classes and docstrings.

And the index of the scenarios, which `steersman list` reads, and the colors of the page.

python docs/make_tables.py
"""

import dataclasses
import inspect
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import steersman
import steersman.core.public  # Every class is registered.
from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.environment.domain import Domain
from steersman.core.environment.routes.route_map import RouteMap
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.parameters.kinds import Description
from steersman.core.parameters.parameters import Parameters, describe
from steersman.core.steering.combining.stages import Actuator, Constraint, Decomposer, Targeter
from steersman.core.steering.registry import BEHAVIORS
from steersman.core.steering.targets.prediction import Predictor
from steersman.core.steering.tree.knowledge import KNOWLEDGE
from steersman.core.world.constraint import WorldConstraint
from steersman.core.world.flows.flow import Flow
from steersman.drawing.palette import theme_module
from steersman.gallery.index import FILE, index_of
from steersman.gallery.registry import SCENARIOS
from steersman.runs import metrics as measures
from steersman.runs.documents.scenery import SECTIONS, classes_of
from steersman.runs.metrics.metric import METRICS, unit_of

PAGE = Path(__file__).with_name("behaviors.md")
METRICS_PAGE = Path(__file__).with_name("metrics.md")
THEME = Path(steersman.__file__).parent / "studio" / "viewer" / "page" / "theme.js"

HEAD = """# Behaviors and what stands beside them

```python
import steersman as sm
from steersman.core.parameters.parameters import describe

for about in describe(sm.Arrive):
    print(f"{about.name}: {about.allowed}, {about.doc}")
```

It prints the parameters of Arrive; this page has those of everything.

Every class with its law, its source and its parameters, written by `python docs/make_tables.py` from the classes themselves.
A parameter without a default must be given; a default in words or a formula is what None stands for, for each vehicle. All
names are public: `sm.Seek`. In scenario documents the same names are used. Behaviors also take `name=`, by which a node keeps
its memory when the tree is replaced.
Values that are not allowed raise the [errors of arguments](faults.md#errors-of-arguments).
"""


PIPELINE: tuple[type, ...] = (Targeter, Decomposer, Constraint, Actuator)

DERIVED = re.compile(r" Default: (.+?)\.(?= [A-Z]|$)")
"""What a description says of a default that is None."""


def chapters() -> Iterator[tuple[str, list[type[Parameters]]]]:
    """Title and classes of every chapter."""
    for title, folder in (
        ("Goals", "goals"),
        ("Pursuit and evasion", "pursuit"),
        ("Wandering", "wandering"),
        ("Keeping clear of obstacles", "obstacles"),
        ("Paths and flow", "paths"),
        ("Turning", "turning"),
        ("Groups", "group"),
        ("Pedestrian research", "pedestrians"),
        ("Combining", "combining"),
        ("Action selection", "action_selection"),
    ):
        yield title, [cls for cls in BEHAVIORS.values() if folder in cls.__module__.split(".")]
    yield "Conditions", list(CONDITIONS.values())
    yield "Knowledge", list(KNOWLEDGE.values())
    yield "Predictors", list(classes_of(Predictor).values())
    yield "Bodies", list(LOCOMOTIONS.values())
    yield "Limits of bodies", list(classes_of(Limit).values())
    yield "Constraints of a world", list(classes_of(WorldConstraint).values())
    yield "Flows of a population", list(classes_of(Flow).values())
    yield "Stages of a Pipeline", [c for base in PIPELINE for c in classes_of(base).values()]
    for name, section in SECTIONS.items():
        yield name.capitalize(), list(classes_of(section.base).values())
    maps = classes_of(RouteMap).values()  # Those of adapters are imported, or not, with the programs that they adapt.
    yield "Maps of routes", [cls for cls in maps if cls.__module__.startswith("steersman.core.")]
    yield "Domains", list(classes_of(Domain).values())


def page() -> str:
    """The whole page."""
    found = [(title, sorted(classes, key=lambda cls: cls.__name__)) for title, classes in chapters() if classes]
    lines = [HEAD]
    for title, classes in found:
        names = " ".join(f"[{cls.__name__}](#{cls.__name__.lower()})" for cls in classes)
        lines.append(f"- **{title}**: {names}")
    lines.append("- [Metrics](#metrics)\n")
    written: set[type] = set()
    for title, classes in found:
        lines.append(f"## {title}\n")
        for cls in classes:
            lines += entry(cls) if cls not in written else [f"[{cls.__name__}](#{cls.__name__.lower()}): see above.\n"]
            written.add(cls)
    return "\n".join([*lines, *metrics()]) + "\n"


def as_text(block: str) -> str:
    """An equation as code."""
    return "```text\n" + "\n".join(line[4:] for line in block.split("\n")) + "\n```"


def entry(cls: type[Parameters], equation: Callable[[str], str] = as_text) -> list[str]:
    """A class: what it is, its law and source, its parameters."""
    module = sys.modules[cls.__module__]
    first = (inspect.getdoc(cls) or "").split("\n\n")[0].replace("\n", " ")
    about = inspect.cleandoc(module.__doc__ or "")
    lines = [f"### {cls.__name__}\n", f"{first}\n"]
    if about.partition(":")[0].replace(" ", "").lower() == cls.__name__.lower():
        lines += [law(about, equation), ""]
    rows = [row(each) for each in describe(cls) if each.name != "name"]
    if rows:
        lines += ["| parameter | default | unit | allowed | meaning |", "|---|---|---|---|---|", *rows, ""]
    return lines


def law(about: str, equation: Callable[[str], str] = as_text) -> str:
    """The page's text after its first sentence, with equations as a function shows them."""
    _, _, rest = about.partition("\n\n")
    blocks = [block for block in rest.split("\n\n") if block]
    return "\n\n".join(equation(each) if each.startswith("    ") else " ".join(each.split("\n")) for each in blocks)


def cells(about: Description) -> list[str]:
    """Name, default, unit, range and meaning of a parameter."""
    meaning, derived = about.doc, DERIVED.search(about.doc) if about.default is None else None
    if derived is not None:
        meaning = meaning.replace(derived[0], "", 1)
    usual = default(about.default) if derived is None else derived[1]
    return [f"`{about.name}`", usual, about.unit, about.allowed, meaning]


def row(about: Description) -> str:
    """One parameter."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells(about)) + " |"


def default(value: Any) -> str:
    """A default in words."""
    if value is dataclasses.MISSING:
        return ""
    if isinstance(value, Parameters):
        return f"`{type(value).__name__}()`"
    if isinstance(value, float):
        return "inf" if math.isinf(value) else f"{value:.6g}"
    if isinstance(value, np.ndarray):
        return f"`{value.tolist()}`"
    return f"`{value!r}`" if isinstance(value, (str, tuple, list)) else str(value)


def metrics() -> Iterable[str]:
    """The table of metrics."""
    yield "## Metrics\n"
    yield (
        "In `metrics` of a scenario's population, and by name in `world.watch`; those that measure toward something take it "
        "as `to`. [metrics.md](metrics.md) has the formulas and sources, and the functions behind the names.\n"
    )
    yield "| metric | unit | to | meaning |"
    yield "|---|---|---|---|"
    for name, metric in sorted(METRICS.items()):
        yield f"| `{name}` | {metric.unit} | {metric.to} | {metric.doc} |"


SENTENCE = r"(.*?)\.(?= [A-Z`]|$)"


def metrics_page() -> str:
    """docs/metrics.md, with its tables as the docstrings give them now."""
    before, begin, rest = METRICS_PAGE.read_text(encoding="utf-8").partition("<!-- tables -->\n")
    _, end, after = rest.partition("<!-- end of tables -->\n")
    return "".join([before, begin, *(f"{line}\n" for line in metric_tables()), end, after])


def metric_tables() -> Iterator[str]:
    """A table for each subject: the functions of some modules, with formula, unit and source."""
    functions = [each for name in measures.__all__ if inspect.isfunction(each := getattr(measures, name))]
    left = {each.__module__.rpartition(".")[2] for each in functions}
    for title, modules in {
        **SUBJECTS,
        "Others": sorted(left - {word for words in SUBJECTS.values() for word in words}),
    }.items():
        rows = [each for word in modules for each in functions if each.__module__.endswith(f".{word}")]
        if rows:
            yield from (f"\n### {title}\n", "| metric | formula | unit | source |", "|---|---|---|---|")
            yield from map(metric_row, rows)
    yield ""


SUBJECTS = {
    "Speed, order, spread": ["motion", "order", "grouping"],
    "Each other, obstacles, targets": ["contacts", "proximity"],
    "Goals and paths": ["arriving", "following"],
    "Smoothness, effort, being stuck": ["jitter", "energy", "stuck"],
    "Density and flow": ["crowding", "crossing", "streams"],
    "Structure, spreading, fluctuations": ["structure", "spreading", "extents", "turns"],
}
"""Heading -> modules of `runs/metrics/`."""


def metric_row(function: Callable[..., Any]) -> str:
    """One metric."""
    signature = inspect.signature(function)
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    text = " ".join((inspect.getdoc(function) or "").partition("\nReturns:\n")[0].split())
    formula = re.search(rf"Formula: {SENTENCE}", text)
    source = re.search(rf"Source[^:]*: {SENTENCE}", text)
    meaning = formula[1].partition(", see `")[0] if formula else text.partition(".")[0]
    cells = [meaning, unit_of(function), source[1] if source else ""]
    mark = " *" if function.__name__ in METRICS else ""
    return (
        f"| `{function.__name__}{inspect.Signature(bare)}`{mark} | "
        + " | ".join(cell.replace("|", "\\|") for cell in cells)
        + " |"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    METRICS_PAGE.write_text(metrics_page(), encoding="utf-8")
    FILE.write_text(index_of(SCENARIOS.values()), encoding="utf-8")
    THEME.write_text(theme_module(), encoding="utf-8")
    print(f"wrote {PAGE}, {METRICS_PAGE} and {FILE} of steersman {steersman.__version__}")
