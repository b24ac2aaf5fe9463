"""A release agrees with itself: versions, extras with their first programs, what is packed, and the workflows."""

import os
import re
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from release.contents import IN_SDIST, IN_WHEEL, problems
from release.first_programs import ELSEWHERE, PROGRAMS

import steersman

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_every_extra_has_a_first_program_or_a_reason():
    extras = {"", *PROJECT["optional-dependencies"]}
    assert set(PROGRAMS) | set(ELSEWHERE) == extras
    assert not set(PROGRAMS) & set(ELSEWHERE)
    for extra, program in PROGRAMS.items():
        compile(program, extra, "exec")


def test_versions_agree():
    version = PROJECT["version"]
    assert steersman.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    heading = re.search(
        r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert heading is not None
    assert heading[1] == version


def test_the_release_tries_every_python_that_is_allowed():
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    allowed = " ".join(f"3.{minor}" for minor in range(int(low), int(high)))
    assert f"for python in {allowed}; do" in (ROOT / ".ci" / "release").read_text("utf-8")
    assert f"Python 3.{low} to 3.{int(high) - 1}." in (ROOT / "docs" / "install.md").read_text("utf-8")


def test_the_windows_of_the_page_are_those_of_the_project():
    page = (ROOT / "docs" / "releasing.md").read_text("utf-8")
    for name in ("numpy", "numba", "platformdirs"):
        (bound,) = [each for each in PROJECT["dependencies"] if each.startswith(f"{name}>=")]
        assert f"| {name} | {bound.partition('>=')[2].partition(';')[0]} |" in page


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_workflows_do_what_the_scripts_do(workflow):
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    scripts = {each for command in commands for each in re.findall(r"\.ci/\w+", command)}
    assert scripts
    for each in scripts:
        assert os.access(ROOT / each, os.X_OK), each
    assert all("timeout-minutes" in job for job in jobs.values())


def test_only_the_tested_is_published_and_without_a_token():
    text = (ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8")
    assert "needs: tests" in text
    assert text.count("id-token: write") == 1
    assert "secrets." not in text
    assert "--trusted-publishing always" in (ROOT / ".ci" / "publish").read_text("utf-8")


def packed(folder, *, without=(), beside=()):
    """A wheel and an sdist that are as they should be, but for some names."""
    wheel, sdist = folder / "steersman-0-py3-none-any.whl", folder / "steersman-0.tar.gz"
    metadata = "License-Expression: MIT\nRequires-Python: >=3\nClassifier: Typing :: Typed\n"
    with zipfile.ZipFile(wheel, "w") as opened:
        for name in {
            *(f"{each}file" if each.endswith("/") else each for each in IN_WHEEL),
            "steersman-0.dist-info/licenses/LICENSE",
        }:
            if name not in without:
                opened.writestr(name, "")
        for name in beside:
            opened.writestr(name, "")
        opened.writestr("steersman-0.dist-info/METADATA", metadata)
    (folder / "empty").write_text("")
    with tarfile.open(sdist, "w:gz") as opened:
        for name in IN_SDIST:
            opened.add(folder / "empty", f"steersman-0/{name}file" if name.endswith("/") else f"steersman-0/{name}")
    return wheel, sdist


def test_what_is_packed_is_looked_into(tmp_path):
    assert list(problems(*packed(tmp_path))) == []
    assert list(problems(*packed(tmp_path, without=["steersman/py.typed"]))) == [
        "steersman/py.typed is not in the wheel"
    ]
    assert list(problems(*packed(tmp_path, beside=["docs/flock.webp"]))) == ["docs/flock.webp is in the wheel"]
    assert list(problems(*packed(tmp_path, beside=["steersman/x.nbi"]))) == ["steersman/x.nbi is in the wheel"]
