"""A stage is one file: the folder is the list of kinds, and nothing else has to know a new one."""

import importlib
import re
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.training import stages
from chorale.training.recipes import keys, parse_recipe
from chorale.training.stage import ParserStage
from chorale.training.stages import KINDS, Kinds, register
from chorale.training.train import train

FOLDER = Path(stages.__file__).parent
NEW = '''
"""Shuffle: a kind of stage that somebody just added."""

from torch import Tensor

from chorale.training.descent import Objective
from chorale.training.stage import ParserStage, Trainer


class Shuffle(ParserStage):
    """Pull all weights of the output towards 0."""

    kind = "shuffle"

    def objective(self, trainer: Trainer, index: int, parser: object) -> Objective:
        return Shrinking(parser, range(len(trainer.train)))


class Shrinking(Objective):
    def loss(self, chosen: list[int]) -> Tensor:
        return self.learner.network.output.weight.square().mean()
'''


def test_every_file_is_a_kind_with_an_equation_or_a_reason_in_its_docstring() -> None:
    files = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    assert sorted(KINDS) == files
    for name in files:
        module = importlib.import_module(f"{stages.__name__}.{name}")
        assert len(module.__doc__ or "") > 60
        assert KINDS[name].__module__ == module.__name__


def test_no_other_file_lists_the_kinds() -> None:
    """Only recipes, which are data, name several kinds in one place."""
    source = FOLDER.parents[1]
    quoted = [re.compile(f'"{kind}"') for kind in KINDS if kind not in {"search", "reward", "coverage"}]
    for path in source.rglob("*.py"):
        if path.parent != FOLDER:
            named = [pattern.pattern for pattern in quoted if pattern.search(path.read_text())]
            assert len(named) < 2, f"{path} names the kinds {named}"


def test_a_file_that_is_added_is_a_kind_that_recipes_can_use(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shuffle.py").write_text(NEW)
    monkeypatch.setattr(stages, "__path__", [*stages.__path__, str(tmp_path)])
    found = Kinds()
    assert found.keys() == KINDS.keys() | {"shuffle"}
    monkeypatch.setitem(KINDS._known, "shuffle", found["shuffle"])
    recipe = parse_recipe('name = "s"\nstages = [{ kind = "shuffle", start = "scratch", epochs = 1, max_actions = 5 }]')
    assert ("shuffle.patience", "10", "How many epochs without a better one on dev end the stage.") in keys()
    assert (train(recipe, tiny, tmp_path / "run", domain=Nlvr()) / "model.json").exists()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Kinds]:
    """The kinds if a package is installed that has one, by an entry point of this name and value."""
    (tmp_path / "someones.py").write_text(NEW)
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(name: str, value: str) -> Kinds:
        monkeypatch.setattr(stages, "entry_points", lambda group: [EntryPoint(name, value, group)])
        return Kinds()

    return installed


def test_a_kind_of_an_installed_package_is_imported_when_it_is_asked_for(
    packages: Callable[[str, str], Kinds], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "someones", raising=False)
    found = packages("shuffle", "someones:Shuffle")
    assert found.keys() == KINDS.keys() | {"shuffle"}
    assert "someones" not in sys.modules
    assert found["shuffle"].kind == "shuffle"
    assert found["mml"] is KINDS["mml"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("shuffle", "nowhere.at_all:Shuffle", "'shuffle', from nowhere.at_all:Shuffle, cannot be imported"),
        ("shuffle", "someones:Shufle", "cannot be imported"),
        ("shuffle", "someones:Shrinking", "is not a chorale.training.stage.Stage"),
        ("mix", "someones:Shuffle", "'mix': someones:Shuffle calls itself 'shuffle'"),
    ],
)
def test_a_kind_that_cannot_be_had_is_named(
    packages: Callable[[str, str], Kinds], name: str, value: str, said: str
) -> None:
    found = packages(name, value)
    assert found["mml"] is KINDS["mml"]  # the others are none the worse for it
    with pytest.raises(ChoraleError, match=said):
        found[name]


def test_nobody_takes_the_name_of_one_of_ours() -> None:
    class Mml(ParserStage):
        kind = "mml"

    with pytest.raises(ChoraleError, match="there is a kind of stage 'mml' already"):
        register(Mml)
    assert register(KINDS["mml"]) is KINDS["mml"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if issubclass(kind, ParserStage)])
def test_what_a_quick_form_changes_are_keys_of_the_kind(kind: Any) -> None:
    assert kind.quick
    kind.model_validate(kind.quick)
