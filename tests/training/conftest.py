"""A tiny corpus and a recipe for it, shared by the tests of training."""

import json
from pathlib import Path

import pytest

from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, generate, write_corpus
from chorale.training.recipes import Recipe, parse_recipe

TINY = """\
name = "tiny"
stages = [
  {{ kind = "search", file = {file} }},
  {{ kind = "mml", max_actions = 9, epochs = 3 }},
  {{ kind = "reward", max_actions = 11, epochs = 2 }},
  {{ kind = "collect", max_actions = 11, beam = 12 }},
  {{ kind = "mml", max_actions = 11, epochs = 2, choose = "both" }},
]

[parser]
token_embedding = 16
encoder = 12
action_embedding = 16

[mml]
batch = 8

[reward]
batch = 8
beam = 5
"""


def write_known_candidates(path: Path, utterances: int, knobs: Knobs) -> None:
    """The programs that made a synthetic corpus, as a file of candidates."""
    with open(path, "w", encoding="utf-8") as stream:
        for utterance in generate("train", utterances, knobs):
            record = {"identifier": str(utterance.number), "candidates": [{"program": utterance.program}]}
            stream.write(json.dumps(record) + "\n")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny corpus, candidates for it and the recipe tiny.toml."""
    folder = tmp_path_factory.mktemp("tiny")
    knobs = Knobs(seed=3)
    write_corpus(folder, {"train": 32, "dev": 12}, knobs)
    write_known_candidates(folder / "candidates.jsonl", 32, knobs)
    (folder / "tiny.toml").write_text(TINY.format(file=json.dumps(str(folder / "candidates.jsonl"))))
    return folder


@pytest.fixture
def recipe(tiny: Path) -> Recipe:
    return parse_recipe((tiny / "tiny.toml").read_text())


@pytest.fixture(scope="session")
def domain() -> Nlvr:
    return Nlvr()
