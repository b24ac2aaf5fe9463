"""The floor plan: no two folders of the library import each other in a circle, and every module is imported by something.

Records are frozen: several parts of the library hold one, and none changes it under the others.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

import steersman

ROOT = Path(steersman.__file__).parent

ENTRANCES = {"steersman", "steersman.extensions", "steersman.core.public"}
"""They import from everywhere; what they import does not import them, but for `import steersman as sm` in the gallery."""

STARTED = {"steersman.__main__", "steersman.core.kernels.compile_worker"}
"""Modules that are run as programs."""

CHANGING = {
    "Address", "Camera", "Meter", "Named", "Node", "Outcome", "PopulationEntry", "Problems", "Proposal", "Reader", "Stage",
    "Tally",
}  # fmt: skip
"""Dataclasses that are not frozen: they are filled, or count, after they are made."""


def module(file: Path) -> str:
    return ".".join(("steersman", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


FILES = {module(file): file for file in ROOT.rglob("*.py")}


@cache
def imports(file: Path, *, later: bool) -> set[str]:
    """The modules that a file imports: when it is loaded, or `later`, too, within functions and for types."""
    found = set()

    def visit(nodes: list[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and not later:
                visit(node.orelse)
            elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("steersman"):
                for name in (each.name for each in node.names):
                    full = f"{node.module}.{name}"
                    found.add(full if full in FILES else node.module)
            elif isinstance(node, ast.Import):
                found.update(each.name for each in node.names if each.name.startswith("steersman"))
            elif later or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                visit(list(ast.iter_child_nodes(node)))

    visit([ast.parse(file.read_text("utf-8"))])
    return found


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_folders_do_not_import_each_other_in_a_circle(depth: int) -> None:
    def folder(name: str) -> str:
        return "/".join(FILES[name].parent.relative_to(ROOT).parts[:depth])

    edges: dict[str, set[str]] = {}
    for name, file in FILES.items():
        for other in imports(file, later=False) - ENTRANCES:
            if name not in ENTRANCES and other in FILES and folder(name) != folder(other):
                edges.setdefault(folder(name), set()).add(folder(other))
    while leaves := {each for each in edges if not edges[each] & edges.keys()}:
        edges = {each: others - leaves for each, others in edges.items() if each not in leaves}
    assert not edges, f"circles among {sorted(edges)}"


def test_every_module_is_imported_by_something() -> None:
    imported = set().union(*(imports(file, later=True) for file in FILES.values()))
    forgotten = {
        name
        for name, file in FILES.items()
        if name not in imported | ENTRANCES | STARTED
        and file.name != "__init__.py"
        and file.parent != ROOT / "gallery" / "scenarios"  # The registry imports the whole folder.
        and file.parent != ROOT / "cli" / "commands"
        and file.parent != ROOT / "adapters"  # A game imports the one of its engine.
    }
    assert not forgotten, f"nothing imports {sorted(forgotten)}: import them where their like are imported"


def test_dataclasses_are_frozen() -> None:
    frozen: set[str] = set()
    changing: set[str] = set()
    for file in FILES.values():
        for each in ast.walk(ast.parse(file.read_text("utf-8"))):
            for word in map(ast.unparse, each.decorator_list) if isinstance(each, ast.ClassDef) else ():
                if word.split("(")[0] in ("dataclass", "dataclasses.dataclass"):
                    (frozen if "frozen=True" in word else changing).add(each.name)
    assert changing == CHANGING
    assert len(frozen) > 100
