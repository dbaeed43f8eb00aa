"""Domains by name: installed ones, classes that a user names, and nothing else."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from chorale.domain import registry
from chorale.domain.registry import find_domain
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr


def test_nlvr_is_always_there() -> None:
    assert isinstance(find_domain("nlvr"), Nlvr)


def test_a_class_is_found_by_module_and_name_also_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_domain("tests.people:PeopleDomain").name == "people"
    own = ("from tests.people import PeopleDomain", "class Mine(PeopleDomain):", "    name = 'mine'")
    (tmp_path / "mine.py").write_text("\n".join(own))
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert find_domain("mine:Mine").name == "mine"
    assert sys.path == before


def test_an_installed_package_can_register_one(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("people", "tests.people:PeopleDomain", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    assert find_domain("people").name == "people"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nlrv", "there is no domain 'nlrv'; did you mean 'nlvr'"),
        ("nowhere:Bar", "domain 'nowhere:Bar': No module named 'nowhere'"),
        ("json:loads", "expected a chorale.domain.Domain"),
        ("json:Bar", "has no attribute 'Bar'"),
        (":", "expected a class such as mymodule:Bar"),
    ],
)
def test_what_is_no_domain_is_refused_in_words(name: str, message: str) -> None:
    with pytest.raises(ChoraleError, match=message):
        find_domain(name)


def test_a_model_from_a_stranger_imports_nothing(tmp_path: Path) -> None:
    """A model.json that names a module beside it must not run that module."""
    (tmp_path / "evil.py").write_text("print('executed')\nclass Bar: ...\n")
    shipped = Path(__file__).parents[2] / "src" / "chorale" / "models" / "consistency"
    text = (shipped / "model.json").read_text().replace('"domain": "nlvr"', '"domain": "evil:Bar"')
    (tmp_path / "model.json").write_text(text)
    script = "import sys, chorale\ntry:\n    chorale.load(sys.argv[1])\nexcept Exception as error:\n    print(error)\n"
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "executed" not in done.stdout
    assert "there is no domain 'evil:Bar' installed here" in done.stdout
