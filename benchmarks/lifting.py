"""What it costs to write a language for one context: remarks about bottles on shelves, searched both ways.

    python benchmarks/lifting.py [--remarks 100] [--rounds 3]

The language of the tutorial (docs/your-own-domain.md) is written for one shelf, and lifted. Here it is written once
more, on all shelves at once, with sets of pairs. Both search the same remarks, from words alone (on 128 shelves, the
same for all) and by meaning (on the remark's own four shelves and on those of twelve others), and must find the same
programs. They take turns, so that a machine that is busy slows both alike. One JSON line: remarks per second of
processor time, and how many times as fast the lifted language is.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from chorale.domain import Domain, Reading, Utterance
from chorale.language import Language, constants, function
from chorale.search.from_words import FromWords, WordsSettings
from chorale.search.search import search
from chorale.search.settings import SearchSettings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.bar import write_bar

with tempfile.TemporaryDirectory() as folder:
    write_bar(Path(folder))
    sys.path.insert(0, folder)
    bar = import_module("bar")

Pairs = Annotated[frozenset[tuple[int, int]], "Places"]  # (shelf, place on the shelf)
Everywhere = Annotated[tuple[bool, ...], "bool"]  # one per shelf


class AllShelves(Language):
    """What the tutorial's language says of one shelf, on all shelves at once."""

    root = Everywhere
    numbers = constants(int, {"1": 1, "2": 2, "3": 3})

    def __init__(self, shelves: Sequence[Any]) -> None:
        self.shelves = list(shelves)

    @function
    def bottles(self) -> Pairs:
        return frozenset((n, place) for n, shelf in enumerate(self.shelves) for place in range(len(shelf)))

    @function
    def red(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if self.shelves[n][place].color == "red")

    @function
    def green(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if self.shelves[n][place].color == "green")

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
    def exists(self, some: Pairs) -> Everywhere:
        return tuple(count > 0 for count in self._counts(some))

    @function
    def exactly(self, number: int, some: Pairs) -> Everywhere:
        return tuple(count == number for count in self._counts(some))

    @function
    def at_least(self, number: int, some: Pairs) -> Everywhere:
        return tuple(count >= number for count in self._counts(some))

    def at(self, contexts: Sequence[int]) -> AllShelves:
        return AllShelves([self.shelves[n] for n in contexts])

    def _counts(self, some: Pairs) -> list[int]:
        counts = [0] * len(self.shelves)
        for n, _ in some:
            counts[n] += 1
        return counts


class Both(bar.Bar):  # type: ignore[misc, name-defined]
    """The tutorial's domain with both languages."""

    languages = {"vectorised": AllShelves, "lifted": bar.Shelves}  # noqa: RUF012


def remarks(count: int) -> Sequence[Utterance]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.jsonl"
        bar.write_corpus(path, count, seed=1)
        return Both().read(path)


def from_words(domain: Domain, language: str, said: Sequence[Utterance]) -> Callable[[int], list[Reading]]:
    words = FromWords(domain, language, WordsSettings(max_actions=9))
    words.meanings(said[0])  # binds the shelves
    return lambda index: words.search(said[index])


def by_meaning(domain: Domain, language: str, said: Sequence[Utterance]) -> Callable[[int], list[Reading]]:
    settings = SearchSettings(max_actions=9, noise=0, pool=False)
    found = search(domain, language, domain.ground(language, said), settings)
    return lambda index: next(found)[index]


def measured(made: Callable[..., Callable[[int], list[Reading]]], said: Sequence[Utterance], rounds: int) -> Any:
    """Remarks per second of both, and the ratio; each round starts with languages that remember nothing."""
    seconds = dict.fromkeys(Both.languages, 0.0)
    for _ in range(rounds):
        domain = Both()
        searches = {name: made(domain, name, said) for name in seconds}
        for index in range(len(said)):
            found = []
            for name, one in searches.items():
                start = time.process_time()
                readings = one(index)
                seconds[name] += time.process_time() - start
                found.append([reading.program.text for reading in readings])
            assert found[0] == found[1], said[index]
    speeds = {name: round(rounds * len(said) / spent, 1) for name, spent in seconds.items()}
    return {**speeds, "ratio": round(seconds["vectorised"] / seconds["lifted"], 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--remarks", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    said = remarks(options.remarks)
    kinds = {"from_words": from_words, "by_meaning": by_meaning}
    figures = {name: measured(made, said, options.rounds) for name, made in kinds.items()}
    print(json.dumps({"remarks": len(said), **figures}))


if __name__ == "__main__":
    main()
