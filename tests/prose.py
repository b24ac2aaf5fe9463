"""How plain the English of the project is: `python -m tests.prose` counts words that stand where a noun should.

    python -m tests.prose                        # rates of docstrings, pages and messages
    python -m tests.prose src/steersman/core     # those of a folder or a file, with every line that has such a word

"What", "who" and "somebody" as subjects make sentences that a reader has to solve. The libraries whose documentation reads
well (diffrax, equinox, Mesa, Newton) have 0.1 to 0.3, 0.2 to 0.5 and 0 of them in 1,000 words of docstrings.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

LIMITS = {
    "what": (r"what(?:ever)?", 1.0),
    "who": (r"who(?:m|se|ever)?", 0.6),
    "somebody": (r"(?:some|no|every|any)body", 0.3),
}
"""A pattern of words, and how many of them 1,000 words may have."""

Reader = Callable[[Path], Iterator["Text"]]

WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")

CODE = re.compile(r"``.*?``|`[^`\n]*`|\$\$.*?\$\$|<!--.*?-->", re.DOTALL)


class Text(NamedTuple):
    """Some lines of prose, and where they stand."""

    file: Path
    line: int
    text: str


def texts(path: Path) -> Iterator[Text]:
    """The docstrings of a Python file, or the prose of a page."""
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            body = getattr(node, "body", None)
            for each in body if isinstance(body, list) else ():
                value = each.value if isinstance(each, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield Text(path, value.lineno, value.value)
    else:
        fenced = re.split(r"^(```.*?^```)", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        line = 1
        for at, part in enumerate(fenced):
            if at % 2 == 0:
                yield Text(path, line, part)
            line += part.count("\n")


def messages(path: Path) -> Iterator[Text]:
    """The texts of a Python file that users read: of errors, warnings and findings, and all of the command line."""
    shown: set[Text] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Raise | ast.Yield) or (isinstance(node, ast.Call) and shows(path, node)):
            constants = (each for each in ast.walk(node) if isinstance(each, ast.Constant))
            shown |= {Text(path, each.lineno, each.value) for each in constants if isinstance(each.value, str)}
    yield from sorted(shown)


def shows(path: Path, call: ast.Call) -> bool:
    """Whether a call shows its texts: each call of the command line, and warnings."""
    return "cli" in path.parts or ast.unparse(call.func).endswith(("warn", "Problem"))


def files(path: Path) -> list[Path]:
    """The Python files and pages of a folder."""
    return sorted(each for kind in ("*.py", "*.md") for each in path.rglob(kind)) if path.is_dir() else [path]


def plain(text: str) -> str:
    """A text without code, its lines where they were."""
    return CODE.sub(lambda found: "\n" * found[0].count("\n"), text)


def rates(paths: list[Path], read: Reader = texts) -> dict[str, float]:
    """How many of each kind of words 1,000 words have."""
    counts, words = dict.fromkeys(LIMITS, 0), 0
    for text in (plain(each.text) for path in paths for each in read(path)):
        words += len(WORD.findall(text))
        for name, (pattern, _) in LIMITS.items():
            counts[name] += len(re.findall(rf"\b{pattern}\b", text, re.IGNORECASE))
    return {name: 1000 * count / max(words, 1) for name, count in counts.items()}


def lines(path: Path) -> Iterator[str]:
    """Every line that has one of the words."""
    patterns = "|".join(pattern for pattern, _ in LIMITS.values())
    for text in (*texts(path), *(messages(path) if path.suffix == ".py" else ())):
        for at, line in enumerate(plain(text.text).split("\n")):
            if re.search(rf"\b(?:{patterns})\b", line, re.IGNORECASE):
                yield f"{path}:{text.line + at}: {line.strip()}"


def changed() -> dict[Path, set[int]]:
    """The lines that differ from the last commit, by file; none where git does not tell."""
    try:
        done = subprocess.run(["git", "diff", "-U0", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return {}
    found: dict[Path, set[int]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("+++ b/"):
            here = found.setdefault(ROOT / line[6:], set())
        elif match := re.match(r"@@ .* \+(\d+)(?:,(\d+))? @@", line):
            here.update(range(int(match[1]), int(match[1]) + int(match[2] or 1)))
    return found


def too_many(name: str, members: list[Path], read: Reader) -> Iterator[str]:
    """A sentence for each limit that a group exceeds, and the lines since the last commit that have such words."""
    found = rates(members, read)
    over = [word for word, (_, limit) in LIMITS.items() if found[word] > limit]
    for word in over:
        yield f"{name}: {word} {found[word]:.3f}, more than {LIMITS[word][1]:g} in 1,000 words"
    if over:
        since = {file: lines_of for file, lines_of in changed().items() if file in set(members)}
        new = [each for file, at in since.items() for each in lines(file) if int(each.split(":")[1]) in at]
        yield from new or ["no line that has changed since the last commit has one of these words"]


def main() -> int:
    """Print rates; 1 where a limit is exceeded, and where."""
    chosen = [Path(each) for each in sys.argv[1:]]
    for each in (line for path in chosen for file in files(path) for line in lines(file)):
        print(each)
    groups = {str(path): (files(path), texts) for path in chosen} or GROUPS
    problems: list[str] = []
    for name, (members, read) in groups.items():
        print(f"{name:32}", *(f"{each} {rate:5.2f}" for each, rate in rates(members, read).items()))
        problems += too_many(name, members, read)
    print(*problems, sep="\n", end="\n" if problems else "")
    return int(bool(problems))


PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]

GROUPS: dict[str, tuple[list[Path], Reader]] = {
    "docstrings": (files(ROOT / "src"), texts),
    "pages": (PAGES, texts),
    "messages": (files(ROOT / "src"), messages),
}
"""Name -> files, and how their texts are read."""

if __name__ == "__main__":
    sys.exit(main())
