"""Train a parser on a folder of data, and use it: python examples/train_on_your_data.py FOLDER

The folder holds train.jsonl.gz and dev.jsonl.gz (or .json, .jsonl), one picture a line, as NLVR has it:
{"identifier": "17-0", "sentence": "There is a black block.", "label": "true", "structured_rep": [[...], [...], [...]]}
Here a small one is made up. The recipe is a short form of `language`, one of those that `chorale recipes` lists, so it
learns little; `read_recipe(find_recipe("language"))` is the real one, and takes some twenty minutes on NLVR.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chorale
from chorale.nlvr.pictures.synthetic import write_corpus
from chorale.training.recipes import find_recipe, read_recipe
from chorale.training.train import train

SHORT = ["search.procedure=meaning", "search.max_actions=7", "mml.epochs=2", "reward.epochs=1", "collect.beam=10"]


def main(folder: Path) -> None:
    """Make data, train, evaluate, predict. The same call goes on where a training was stopped."""
    data = folder / "data"
    write_corpus(data, {"train": 20, "dev": 5})
    recipe = read_recipe(find_recipe("language"), SHORT)
    model = chorale.load(train(recipe, data, folder / "run", seed=1))
    found = model.evaluate(data / "dev.jsonl.gz")
    dev = model.domain.read(data / "dev.jsonl.gz")[:3]
    print(f"accuracy {found.score.accuracy:.1%}, consistency {found.score.consistency:.1%}")
    for utterance, reading in zip(dev, model.predict(dev), strict=True):
        print(utterance.sentence, reading.program, reading.said, sep="\n  ")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
