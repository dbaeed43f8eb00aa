"""A small domain, trained and asked: python examples/your_own_domain.py FOLDER

A context is two numbers; "x plus y" asks for a third. docs/your-own-domain.md builds a larger domain, step by step.
"""

import json
import sys
from pathlib import Path

import chorale
from chorale.domain import Domain, Hints
from chorale.language import Language, constants, function
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

ASKED = {"x plus y": [3, 5], "y plus y": [4, 2], "x times y": [2, 4], "y times y": [4, 1]}  # of [1, 2] and [4, 1]
STAGES = '{kind = "search", procedure = "meaning"}, {kind = "mml", epochs = 15, learning_rate = 0.02}'


class Arithmetic(Language):
    """Plain typed functions of one context."""

    per_context = True
    root = int
    operands = constants(str, {"x": 0, "y": 1})

    def __init__(self, pair):
        self.pair = pair

    @function
    def plus(self, one: str, other: str) -> int:
        return self.pair[one] + self.pair[other]

    @function
    def times(self, one: str, other: str) -> int:
        return self.pair[one] * self.pair[other]


class Sums(Domain):
    """It is its own lexicon: every word names a function."""

    name, languages = "sums", {"arithmetic": Arithmetic}

    def lexicon(self, language):
        return self

    def hints(self, utterance):
        words = utterance.sentence.split()
        return Hints(frozenset(words), tuple((word, frozenset({word})) for word in words), frozenset())


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    asked = [{"sentence": said, "contexts": [[1, 2], [4, 1]], "answers": answers} for said, answers in ASKED.items()]
    lines = "".join(json.dumps({"identifier": str(number), **one}) + "\n" for number, one in enumerate(asked))
    for split in ("train.jsonl", "dev.jsonl"):
        (folder / split).write_text(lines)
    recipe = parse_recipe(f'name = "sums"\ndomain = "sums"\nlanguage = "arithmetic"\nstages = [{STAGES}]')
    model = chorale.load(train(recipe, folder, folder / "run", domain=Sums()), Sums())
    for reading in model.parse("y times x", [[3, 4], [5, 0]])[:3]:
        print(reading.program, reading.said)
