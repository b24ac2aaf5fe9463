"""The pages do what they say: README.md and docs/*.md are read as a newcomer would who types all of it in.

Python blocks of a page run in order, as one program, in a folder of their own that has the pictures of the page. A block that
begins with a comment such as `# sheep.toml` is saved as that file; one that begins with `# sketch` is not run. Then the
commands run, those of `sh` blocks and those inside of sentences: `steersman ...`, with their options, as they stand: all of
README.md and every second one of the other pages, with STEERSMAN_ALL=1 all.
"""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
from matplotlib import pyplot
from sampling import EVERYTHING, is_drawn

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in PAGES.items()}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# ([\w.]+\.(?:py|toml))\b")
INSTALL = re.compile(r"(python3 -m pip|pip|uv) (install|add|init|sync)\b.*")
"""Commands that put something on a machine: what they name is compared with what there is, and they are not run."""


def blocks(name, kind):
    return [text for language, text in BLOCK.findall(TEXTS[name]) if language == kind]


def commands(name):
    """What is to be typed into a shell, without what installs."""
    lines = [line for block in blocks(name, "sh") for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.partition("#")[0].split("&&")]
    inside = re.findall(r"`(steersman [^`]+)`", BLOCK.sub("", TEXTS[name]))
    wanted = [part for part in (*parts, *inside) if part and not INSTALL.fullmatch(part)]
    return [re.sub(r"^uv run( --extra \w+)* ", "", part) for part in wanted]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    pyplot.close("all")


def lay_out(name, folder):
    """Save the files and the pictures of a page."""
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXTS[name]):
        shutil.copy(PAGES[name].parent / picture, folder)
    for block in (*blocks(name, "python"), *blocks(name, "toml")):
        if file := FILE.match(block):
            (folder / file[1]).write_text(block, encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in PAGES if blocks(name, "python")])
@pytest.mark.filterwarnings("error")
def test_the_program_of_a_page_runs(name, folder, capsys):
    lay_out(name, folder)
    names: dict = {"__name__": "page"}
    for k, block in enumerate(blocks(name, "python")):
        if not FILE.match(block) and not block.startswith("# sketch"):
            exec(compile(block, f"{PAGES[name].name}, block {k + 1}", "exec"), names)
    assert "nan" not in capsys.readouterr().out


@pytest.mark.parametrize(("name", "command"), [
    (name, each) for name in PAGES for each in commands(name) if name == "README" or is_drawn(each, 2, f"commands of {name}")
])  # fmt: skip
def test_the_commands_of_a_page_run(name, command, folder, library):
    lay_out(name, folder)
    tool, *arguments = shlex.split(command)
    if tool == "pytest":
        arguments.append("--version")  # Its options are known; the tests are running already.
    if arguments[:1] == ["view"]:
        arguments += ["--no-browser", "--seconds", "0.2"]  # It is open until somebody closes it.
    if arguments[:1] in (["run"], ["replay"]) and "--seconds" not in arguments and not EVERYTHING:
        arguments += [
            "--seconds",
            "0.3",
        ]  # That they run is tried here; what they say at the end, by the tests of the gallery.
    done = library.run([*(() if tool in ("python", "python3") else ("-m", tool)), *arguments])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip() + done.stderr.strip()


def test_what_is_installed_exists():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = "\n".join(TEXTS.values())
    extras = re.findall(r"steersman\[([\w,]+)\]", text) + re.findall(r"--extra (\w+)", text)
    assert len(extras) >= 5
    assert {extra for each in extras for extra in each.split(",")} <= set(project["optional-dependencies"])


def test_every_link_leads_somewhere():
    for name, text in TEXTS.items():
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCK.sub("", text)):
            assert (PAGES[name].parent / target).exists(), f"{PAGES[name].name}: {target}"


def test_whoever_writes_a_block_says_what_it_is():
    kinds = {
        kind for text in TEXTS.values() for kind in re.findall(r"^```(\w*)\n.+?^```$", text, re.DOTALL | re.MULTILINE)
    }
    assert kinds <= {"python", "sh", "toml", "text"}


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"README", "glossary"}))
def test_every_page_begins_with_a_program(name):
    text = TEXTS[name]
    before = text[: text.index("```python")]
    assert len(before.splitlines()) <= 10
    program = blocks(name, "python")[0]
    assert "import steersman as sm" in program
    assert not FILE.match(program)


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"README", "index"}))
def test_every_page_is_on_the_index(name):
    assert f"]({name}.md)" in TEXTS["index"]
