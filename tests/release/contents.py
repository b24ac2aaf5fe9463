"""What is in a wheel and in an sdist: `.ci/release` calls it with the folder that they are in.

python contents.py DIST
"""

import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

WHEEL_SIZE = 4_000_000
"""Largest wheel [bytes]; in November 2026 it has 3.0 million, 1.2 million of them cards of the gallery."""

SDIST_SIZE = 9_000_000
"""Largest sdist [bytes], with the pictures of the pages."""

IN_WHEEL = ("steersman/py.typed", "steersman/studio/viewer/page/", "steersman/gallery/scenarios/")
IN_SDIST = (
    "src/steersman/py.typed", "tests/", "docs/", "course/", "CHANGELOG.md", "CITATION.cff", "LICENSE",
    "pyproject.toml",
)  # fmt: skip
NOWHERE = ("__pycache__", ".pyc", ".nbi", ".nbc", ".ipynb", "uv.lock", "node_modules", ".git/", ".env")


def problems(wheel: Path, sdist: Path) -> Iterator[str]:
    """Everything that is not as it should be."""
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        metadata = next(opened.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    for each in names:
        if not each.startswith(("steersman/", "steersman-")):
            yield f"{each} is in the wheel"
        if any(part in each for part in NOWHERE):
            yield f"{each} is in the wheel"
    for each in IN_WHEEL:
        if not any(name.startswith(each) for name in names):
            yield f"{each} is not in the wheel"
    if not any(name.endswith("licenses/LICENSE") for name in names):
        yield "LICENSE is not in the wheel"
    if wheel.stat().st_size > WHEEL_SIZE:
        yield f"the wheel has {wheel.stat().st_size:,} bytes, more than {WHEEL_SIZE:,}"
    if not wheel.name.endswith("-py3-none-any.whl"):
        yield f"{wheel.name} is not for all machines"
    for line in ("License-Expression: MIT", "Requires-Python: ", "Classifier: Typing :: Typed"):
        if line not in metadata:
            yield f"the metadata have no {line}"

    with tarfile.open(sdist) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
    for each in IN_SDIST:
        if not any(name.startswith(each) for name in names):
            yield f"{each} is not in the sdist"
    for each in names:
        if any(part in each for part in NOWHERE):
            yield f"{each} is in the sdist"
    if sdist.stat().st_size > SDIST_SIZE:
        yield f"the sdist has {sdist.stat().st_size:,} bytes, more than {SDIST_SIZE:,}"


def main() -> int:
    """Print sizes and problems; 1 if there are any."""
    folder = Path(sys.argv[1])
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes; {sdist.name}: {sdist.stat().st_size:,} bytes")
    found = list(problems(wheel, sdist))
    for each in found:
        print(each)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
