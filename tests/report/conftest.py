"""A finished run and one that was stopped, on a tiny corpus."""

import json
from pathlib import Path

import pytest
from tests.training.conftest import tiny  # noqa: F401 - a fixture

from chorale.runs.watching import Interrupted, Watcher
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

RECIPE = """\
name = "tiny"
stages = [
  {{ kind = "search", file = {file} }},
  {{ kind = "mml", max_actions = 9, epochs = 2, beam = 3 }},
  {{ kind = "mml", max_actions = 9, epochs = 1, beam = 3 }},
]
parser = {{ token_embedding = 8, encoder = 8, action_embedding = 8 }}
"""


class Impatient(Watcher):
    """Breaks off when the third stage begins."""

    def stage(self, index: int, *_: object) -> None:
        if index == 2:
            raise Interrupted


@pytest.fixture(scope="session")
def runs(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder with the runs `seed-0`, which is complete, and `seed-1`, which was stopped at its third stage."""
    folder = tmp_path_factory.mktemp("reported") / "tiny"
    recipe = parse_recipe(RECIPE.format(file=json.dumps(str(tiny / "candidates.jsonl"))))
    train(recipe, tiny, folder / "seed-0", seed=0)
    with pytest.raises(Interrupted):
        train(recipe, tiny, folder / "seed-1", seed=1, watcher=Impatient())
    return folder
