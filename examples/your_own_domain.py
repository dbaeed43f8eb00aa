"""A small domain, trained and asked: python examples/your_own_domain.py FOLDER

A context is two numbers; "x plus y" asks for a third. docs/your-own-domain.md builds a larger domain, step by step.
"""

import json
import sys
from collections import namedtuple
from pathlib import Path

import chorale
from chorale.domain import Domain, Hints
from chorale.language import Language, constants, function
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

Question = namedtuple("Question", "identifier sentence contexts answers")
ASKED = [("x plus y", [3, 5]), ("y plus y", [4, 2]), ("x times y", [2, 4]), ("y times y", [4, 1])]  # of (1, 2), (4, 1)
STAGES = '{kind = "search", procedure = "meaning"}, {kind = "mml", epochs = 15, learning_rate = 0.02}'


class Arithmetic(Language):
    """Plain typed functions; each works on all contexts at once, and gives an answer for each."""

    root = int
    operands = constants(str, {"x": 0, "y": 1})

    def __init__(self, pairs):
        self.pairs = pairs

    @function
    def plus(self, one: str, other: str) -> int:
        return tuple(pair[one] + pair[other] for pair in self.pairs)

    @function
    def times(self, one: str, other: str) -> int:
        return tuple(pair[one] * pair[other] for pair in self.pairs)

    def at(self, contexts):
        return Arithmetic([self.pairs[index] for index in contexts])


class Sums(Domain):
    """It is its own lexicon: every word names a function."""

    name, languages = "sums", {"arithmetic": Arithmetic}

    def read(self, path, *, labels_required=True):
        return [Question(**json.loads(line)) for line in path.read_text().splitlines()]

    def bind(self, language, contexts):
        return Arithmetic(contexts)

    def lexicon(self, language):
        return self

    def hints(self, utterance):
        words = utterance.sentence.split()
        return Hints(frozenset(words), tuple((word, frozenset({word})) for word in words), frozenset())


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    questions = [Question(sentence, sentence, [(1, 2), (4, 1)], answers) for sentence, answers in ASKED]
    for split in ("train.jsonl", "dev.jsonl"):
        (folder / split).write_text("\n".join(json.dumps(question._asdict()) for question in questions))
    recipe = parse_recipe(f'name = "sums"\ndomain = "sums"\nlanguage = "arithmetic"\nstages = [{STAGES}]')
    model = chorale.load(train(recipe, folder, folder / "run", domain=Sums()), Sums())
    for parse in model.parse("y times x", [(3, 4), (5, 0)])[:3]:
        print(parse.program, parse.denotations)
