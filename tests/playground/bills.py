"""Domains without pictures, for the playground: questions about bills, whose answers are numbers.

In `Bills` all programs are made of the same functions, and sentences are read without a bill, too. In `ItemisedBills` a
bill brings its items as constants, and a sentence its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Annotated, Any, ClassVar

from chorale.domain import Codec, Domain, Hints, Utterance
from chorale.errors import ChoraleError
from chorale.language import Basic, Language, function
from chorale.model import Model
from chorale.ranker.ranker import Ranker
from chorale.runs.models import ModelFile
from chorale.search.from_words import WordsSettings

Lines = Annotated[tuple[frozenset[int], ...], "Lines"]  # some lines of each bill, by their number
Said = Annotated[tuple[int, ...], "Said"]  # an answer for each bill
Item = Annotated[str, "Item"]
Amount = Annotated[int, "Amount"]

ITEMS = {"tea": "drink", "juice": "drink", "soup": "meal", "pasta": "meal", "cake": "meal"}
DEAR = 5
ASK = {
    "many": {"count"},
    "cost": {"total"},
    "sum": {"count", "total"},  # which of them must be taught
    "drinks": {"drinks"},
    "meals": {"meals"},
    "dear": {"dear"},
    "above": {"above"},
}
LIGHT = {"how", "what", "do", "does", "the", "is", "are", "there", "of", "all", "lines"}


class Adding(Language):
    """Which lines a question is about, and what it wants to know of them."""

    root = Said

    def __init__(self, bills: Sequence[Mapping[str, Any]]) -> None:
        self.bills = [bill["lines"] for bill in bills]

    def _kept(self, lines: Lines, keep: Any) -> Lines:
        return tuple(frozenset(n for n in some if keep(bill[n])) for some, bill in zip(lines, self.bills, strict=True))

    @function
    def all_lines(self) -> Lines:
        return tuple(frozenset(range(len(bill))) for bill in self.bills)

    @function
    def drinks(self, lines: Lines) -> Lines:
        return self._kept(lines, lambda line: ITEMS[line["item"]] == "drink")

    @function
    def meals(self, lines: Lines) -> Lines:
        return self._kept(lines, lambda line: ITEMS[line["item"]] == "meal")

    @function
    def dear(self, lines: Lines) -> Lines:
        return self._kept(lines, lambda line: line["price"] >= DEAR)

    @function
    def count(self, lines: Lines) -> Said:
        return tuple(map(len, lines))

    @function
    def total(self, lines: Lines) -> Said:
        return tuple(sum(bill[n]["price"] for n in some) for some, bill in zip(lines, self.bills, strict=True))


class Itemising(Adding):
    """The same with the items of the bill and the numbers of the sentence."""

    open_types = (Item, Amount)

    @function
    def only(self, item: Item, lines: Lines) -> Lines:
        return self._kept(lines, lambda line: line["item"] == item)

    @function
    def above(self, amount: Amount, lines: Lines) -> Lines:
        return self._kept(lines, lambda line: line["price"] > amount)


class BillLexicon:
    """Words ask for functions, and in `Itemising` items and numbers for themselves."""

    def __init__(self, signature: Iterable[str]) -> None:
        self.known = set(signature)

    def hints(self, utterance: Utterance) -> Hints:
        words = _words(utterance.sentence)
        own = set(_constants(utterance)) if "only" in self.known else set()
        asked = [(n, word, frozenset(self._terminals(word, own))) for n, word in enumerate(words)]
        said = [(n, word, names) for n, word, names in asked if names]
        glue = frozenset({"all_lines", "only"} & self.known)
        return Hints(
            allowed=glue.union(*(names for _, _, names in said)),
            explains=tuple((word, names) for _, word, names in said),
            glue=glue,
            words=tuple(words),
            spans=tuple((n, n + 1) for n, _, _ in said),
            tokens=tuple((n, n + 1) for n, _, _ in said),
            unknown=tuple(word for _, word, names in asked if not names and word not in LIGHT),
        )

    def _terminals(self, word: str, own: set[str]) -> set[str]:
        return {word} if word in own else ASK.get(word, set()) & self.known


def _words(sentence: str) -> list[str]:
    return re.findall(r"\w+", sentence.lower())


def _constants(utterance: Utterance) -> dict[str, tuple[Basic, Any]]:
    items = {line["item"] for bill in utterance.contexts for line in bill["lines"]}
    numbers = {word for word in _words(utterance.sentence) if word.isdecimal()}
    return {
        **{item: (Basic("Item"), item) for item in sorted(items)},
        **{number: (Basic("Amount"), int(number)) for number in sorted(numbers)},
    }


class Bills(Domain):
    """Questions about bills, which are plain JSON."""

    name = "bills"
    languages: ClassVar[Mapping[str, type[Language]]] = {"adding": Adding}
    codec = Codec()
    context_word = "bill"
    sentences = ("How many drinks are there?", "What do the dear meals cost?", "What is the sum of the drinks?")

    def lexicon(self, language: str) -> BillLexicon:
        return BillLexicon(self.languages[language].grammar.signature)

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> list[Any]:
        rng = Random(seed)
        return [{"lines": [_line(rng) for _ in range(rng.randint(1, 5))]} for _ in range(count)]


class BillsWithoutJson(Bills):
    """The same, but nobody said how a bill is read."""

    name = "bills-without-json"
    codec = None


class ItemCodec(Codec):
    """Bills that are looked at before programs see them."""

    def from_json(self, value: Any) -> Any:
        lines = value.get("lines") if isinstance(value, dict) else None
        if not isinstance(lines, list) or not all(isinstance(it, dict) and it.get("item") in ITEMS for it in lines):
            raise ChoraleError("expected lines, each with an item and a price")
        return value


class ItemisedBills(Bills):
    """Questions with constants of their own."""

    name = "itemised-bills"
    languages: ClassVar[Mapping[str, type[Language]]] = {"itemising": Itemising}
    codec = ItemCodec()
    sentences = ()

    def constants(self, utterance: Utterance) -> dict[str, tuple[Basic, Any]]:
        return _constants(utterance)

    def topic(self, utterance: Utterance) -> str:
        """The constants: those of the bill and those of the sentence."""
        return repr((utterance.contexts, sorted(self.constants(utterance))))

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> list[Any]:
        """The bill with other items and prices; items that it has not are no constants of its programs."""
        if utterance is None:
            return super().variants(utterance, count, seed)
        rng, [bill] = Random(seed), utterance.contexts
        items = sorted({line["item"] for line in bill["lines"]})
        return [
            {"lines": [{"item": rng.choice(items), "price": rng.randint(1, 9)} for _ in bill["lines"]]}
            for _ in range(count)
        ]


def _line(rng: Random) -> dict[str, Any]:
    return {"item": rng.choice(sorted(ITEMS)), "price": rng.randint(1, 9)}


def untrained(domain: Domain) -> Model:
    """A ranker that knows the lexicon and nothing else."""
    [language] = domain.languages
    about = ModelFile(format=3, kind="ranker", domain=domain.name, language=language, grammar="")
    return Model(Ranker(domain, language, WordsSettings(), {}), domain, about)
