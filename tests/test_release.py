"""A release: the same sources give the same bytes, everything is inside, and what it says of itself is in step."""

from __future__ import annotations

import os
import re
import tarfile
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
import yaml
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
WORKFLOWS = ROOT / ".github" / "workflows"


def build(sources: Path, target: Path) -> tuple[Path, Path]:
    """The wheel and the packed sources."""
    (wheel,) = WheelBuilder(str(sources)).build(directory=str(target), versions=["standard"])
    (packed,) = SdistBuilder(str(sources)).build(directory=str(target), versions=["standard"])
    return Path(wheel), Path(packed)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(ROOT, tmp_path_factory.mktemp("built"))


def test_the_unpacked_sources_give_the_same_bytes_at_another_time(built: tuple[Path, Path], tmp_path: Path) -> None:
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    sources = tmp_path / f"chorale-{VERSION}"
    for path in sources.rglob("*"):
        os.utime(path, (946_684_800, 946_684_800))
    again = build(sources, tmp_path / "again")
    assert [path.name for path in again] == [path.name for path in built]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_the_wheel_holds_every_file_of_the_package_and_every_recipe(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as archive:
        inside = {name for name in archive.namelist() if not name.startswith("chorale-")}
    package = {path.relative_to(ROOT / "src") for path in (ROOT / "src" / "chorale").rglob("*") if path.is_file()}
    files = {path.as_posix() for path in package if "__pycache__" not in path.parts}
    recipes = {f"chorale/recipes/{path.name}" for path in (ROOT / "recipes").glob("*.toml")}
    assert inside == files | recipes
    kinds = {Path(name).suffix for name in inside}
    assert kinds >= {".py", ".typed", ".toml", ".json", ".safetensors", ".gz", ".md"}


def test_everything_that_is_named_is_among_the_sources(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        assert any(f"/{path}/".startswith(f"{name}/") for path in inside), name


def test_version_citation_and_changelog_are_in_step() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == VERSION
    assert citation["abstract"] == PROJECT["project"]["description"]
    assert sorted(citation["keywords"]) == sorted(PROJECT["project"]["keywords"])
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = changelog.partition("\n## [Unreleased]\n")[2].partition("\n## [")[0]
    released = re.findall(r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert released[:1] == [VERSION] or f"What will be {VERSION}." in unreleased


def test_everything_that_is_asked_for_is_pinned() -> None:
    pinned = re.findall(r"^([\w.-]+)==\S+$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    names = {re.sub(r"[-_.]+", "-", name).lower() for name in pinned}
    assert len(names) == len(pinned)
    project = PROJECT["project"]
    lists = [PROJECT["build-system"]["requires"], project["dependencies"], *project["optional-dependencies"].values()]
    for text in chain.from_iterable(lists):
        assert re.sub(r"[-_.]+", "-", Requirement(text).name).lower() in names, text


def commands(workflow: str, job: str) -> list[str]:
    """The lines that a job of a workflow runs."""
    steps = yaml.safe_load((WORKFLOWS / workflow).read_text(encoding="utf-8"))["jobs"][job]["steps"]
    return [line.strip() for step in steps for line in step.get("run", "").splitlines()]


def test_the_workflows_run_what_everybody_runs() -> None:
    assert commands("test.yml", "test") == [".ci/run"]
    checked = commands("release.yml", "check")
    assert {".ci/run", "make release-check", "make docs", "make audit"} <= set(checked)
    assert yaml.safe_load((WORKFLOWS / "release.yml").read_text())["jobs"]["publish"]["needs"] == "check"
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in WORKFLOWS.glob("*.yml"):
        assert set(re.findall(r"\bmake ([a-z-]+)", path.read_text())) <= targets
