"""What it costs to write a language for one context: remarks about bottles on shelves, searched both ways.

    python benchmarks/lifting.py [--remarks 100] [--rounds 3]

The language of the tutorial is written twice: on all shelves at once, with sets of pairs, and for one shelf, which
`chorale.language.lifted` lifts. Both search the same remarks, from words alone (on 128 shelves, the same for all) and
by meaning (on the remark's own four shelves and on 40 others), and must find the same programs. They take turns, so
that a machine that is busy slows both alike. One JSON line: remarks per second, and how many times as fast the lifted
language is.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Annotated, Any

from chorale.domain import Hints, SharedGrounding, Utterance
from chorale.language import Language, constants, function, lifted, run
from chorale.search.by_meaning import ByMeaning
from chorale.search.from_words import FromWords, WordsSettings
from chorale.search.settings import SearchSettings

COLORS, FILLS = ("red", "green"), ("full", "empty")
TEMPLATES = [
    ("There is a {color} bottle.", "exists({color}(bottles))"),
    ("There is a {color} bottle that is {fill}.", "exists({fill}({color}(bottles)))"),
    ("There are exactly {number} {color} bottles.", "exactly({digit}, {color}(bottles))"),
    ("There are at least {number} {fill} bottles.", "at_least({digit}, {fill}(bottles))"),
    ("The leftmost bottle is {color}.", "exists({color}(leftmost(bottles)))"),
    ("The leftmost {color} bottle is {fill}.", "exists({fill}(leftmost({color}(bottles))))"),
]
SAYS = {word: word for word in (*COLORS, *FILLS, "leftmost", "exactly")}
SAYS |= {"least": "at_least", "one": "1", "two": "2", "three": "3"}
GLUE = frozenset({"bottles", "exists"})


@dataclass(frozen=True)
class Bottle:
    """A bottle on a shelf."""

    color: str
    is_full: bool


Shelf = tuple[Bottle, ...]  # from left to right
Pairs = Annotated[frozenset[tuple[int, int]], "Bottles"]  # (shelf, place on the shelf)
Places = Annotated[set[int], "Bottles"]  # on the shelf
Answers = Annotated[tuple[bool, ...], "bool"]  # one per shelf


class AllShelves(Language):
    """What can be said of bottles, on all shelves at once."""

    root = Answers
    numbers = constants(int, {"1": 1, "2": 2, "3": 3})

    def __init__(self, shelves: Sequence[Shelf]) -> None:
        self.shelves = list(shelves)

    @function
    def bottles(self) -> Pairs:
        return frozenset((n, place) for n, shelf in enumerate(self.shelves) for place in range(len(shelf)))

    @function
    def red(self, some: Pairs) -> Pairs:
        return self._of_color("red", some)

    @function
    def green(self, some: Pairs) -> Pairs:
        return self._of_color("green", some)

    @function
    def full(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if self.shelves[n][place].is_full)

    @function
    def empty(self, some: Pairs) -> Pairs:
        return some - self.full(some)

    @function
    def leftmost(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if not any((n, before) in some for before in range(place)))

    @function
    def exists(self, some: Pairs) -> Answers:
        return tuple(count > 0 for count in self._counts(some))

    @function
    def exactly(self, number: int, some: Pairs) -> Answers:
        return tuple(count == number for count in self._counts(some))

    @function
    def at_least(self, number: int, some: Pairs) -> Answers:
        return tuple(count >= number for count in self._counts(some))

    def at(self, contexts: Sequence[int]) -> AllShelves:
        return AllShelves([self.shelves[n] for n in contexts])

    def _of_color(self, color: str, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if self.shelves[n][place].color == color)

    def _counts(self, some: Pairs) -> list[int]:
        counts = [0] * len(self.shelves)
        for n, _ in some:
            counts[n] += 1
        return counts


class OneShelf(Language):
    """The same, on one shelf."""

    per_context = True
    root = bool
    numbers = constants(int, {"1": 1, "2": 2, "3": 3})

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    @function
    def bottles(self) -> Places:
        return set(range(len(self.shelf)))

    @function
    def red(self, some: Places) -> Places:
        return {place for place in some if self.shelf[place].color == "red"}

    @function
    def green(self, some: Places) -> Places:
        return {place for place in some if self.shelf[place].color == "green"}

    @function
    def full(self, some: Places) -> Places:
        return {place for place in some if self.shelf[place].is_full}

    @function
    def empty(self, some: Places) -> Places:
        return {place for place in some if not self.shelf[place].is_full}

    @function
    def leftmost(self, some: Places) -> Places:
        return {min(some)} if some else set()

    @function
    def exists(self, some: Places) -> bool:
        return bool(some)

    @function
    def exactly(self, number: int, some: Places) -> bool:
        return len(some) == number

    @function
    def at_least(self, number: int, some: Places) -> bool:
        return len(some) >= number


@dataclass(frozen=True)
class Remark:
    """A remark about four shelves."""

    identifier: str
    sentence: str
    contexts: tuple[Shelf, ...]
    answers: tuple[bool | None, ...]


class Lexicon:
    """Which functions the words of a remark ask for."""

    def hints(self, utterance: Utterance) -> Hints:
        """A word asks for one function or for none."""
        words = re.findall(r"\w+", utterance.sentence.lower())
        said = tuple((word, frozenset({SAYS[word]})) for word in words if word in SAYS)
        return Hints(GLUE.union(*(wanted for _, wanted in said)), said, GLUE)


def random_shelf(rng: Random) -> Shelf:
    return tuple(Bottle(rng.choice(COLORS), rng.random() < 0.5) for _ in range(rng.randint(2, 6)))


def remarks(count: int, rng: Random) -> list[Remark]:
    made: list[Remark] = []
    while len(made) < count:
        sentence, meaning = rng.choice(TEMPLATES)
        number, digit = rng.choice([("two", "2"), ("three", "3")])
        words = {"color": rng.choice(COLORS), "fill": rng.choice(FILLS), "number": number, "digit": digit}
        shelves = tuple(random_shelf(rng) for _ in range(4))
        answers = run(AllShelves.parse(meaning.format(**words)), AllShelves(shelves))
        if len(set(answers)) == 2:
            made.append(Remark(str(len(made)), sentence.format(**words), shelves, answers))
    return made


def from_words(bind: Callable[[Sequence[Shelf]], Language], said: Sequence[Remark]) -> Callable[[int], list[str]]:
    rng = Random(0)
    language = bind([random_shelf(rng) for _ in range(128)])
    search = FromWords(lambda about: language, Lexicon(), WordsSettings(max_actions=9))
    return lambda index: [candidate.program.text for candidate in search.search(said[index])]


def by_meaning(bind: Callable[[Sequence[Shelf]], Language], said: Sequence[Remark]) -> Callable[[int], list[str]]:
    grounding = SharedGrounding(bind([shelf for remark in said for shelf in remark.contexts]), said)
    procedure = ByMeaning(Lexicon(), SearchSettings(max_actions=9, noise=0, pool=False))
    probes = range(min(10, len(said)))

    def search(index: int) -> list[str]:
        (found,) = procedure.search(grounding, (index,), probes)
        return [candidate.program.text for candidate in found.candidates]

    return search


def measured(search: Any, said: Sequence[Remark], rounds: int) -> dict[str, float]:
    """Remarks per second of both, and the ratio; each round starts with languages that remember nothing."""
    seconds = {"vectorised": 0.0, "lifted": 0.0}
    for _ in range(rounds):
        searches = {"vectorised": search(AllShelves, said), "lifted": search(partial(lifted, OneShelf), said)}
        for index in range(len(said)):
            found = []
            for name, one in searches.items():
                start = time.perf_counter()
                found.append(one(index))
                seconds[name] += time.perf_counter() - start
            assert found[0] == found[1], said[index]
    speeds = {name: round(rounds * len(said) / spent, 1) for name, spent in seconds.items()}
    return {**speeds, "ratio": round(seconds["vectorised"] / seconds["lifted"], 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--remarks", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    said = remarks(options.remarks, Random(1))
    kinds = {"from_words": from_words, "by_meaning": by_meaning}
    figures = {name: measured(search, said, options.rounds) for name, search in kinds.items()}
    print(json.dumps({"remarks": len(said), **figures}))


if __name__ == "__main__":
    main()
