"""Phrases that NLVR's utterances share (the paper's appendix B).

A phrase set holds phrases that mean the same, with slots. Filling the slots grounds it: "COLOR block at the base"
becomes three grounded sets, one for each colour. A number's word and digits, and a shape's singular and plural, fill
the same grounded set. Files write slots in capitals (COLOR, COLOR1, COLOR2, NUMBER, SHAPE); within the code they are
those of `slots`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from chorale.domain import Span
from chorale.errors import ChoraleError, nearest
from chorale.nlvr.english import words
from chorale.nlvr.english.phrase_table import PhraseTable
from chorale.nlvr.english.slots import SPELLINGS, cluster_of, fillings, slots_of
from chorale.nlvr.english.toml_files import parse_toml
from chorale.plumbing.checking import Checked
from chorale.plumbing.files import read_text

SHIPPED = ("printed", "run")
SLOTS = {name: f"{{{name.lower()}}}" for name in ("COLOR", "COLOR1", "COLOR2", "NUMBER", "SHAPE")}
"""How files write the slots of phrases."""


def _translated(phrase: str) -> str:
    """A phrase of a file with slots as the code writes them."""
    if not phrase.strip():
        raise ValueError(f"expected text such as 'the base is COLOR', found {phrase!r}")
    for word in phrase.split():
        if word not in SLOTS and len(word) > 1 and word.isupper():
            close = nearest(word, SLOTS)
            hint = f"did you mean {close}?" if close else f"choose from {', '.join(SLOTS)}"
            raise ValueError(f"unknown slot {word} in {phrase!r}; {hint}")
        if word not in SLOTS and [token.text for token in words.tokens(word)] != [word.lower()]:
            raise ValueError(f"{word!r} in {phrase!r} is not a plain word, so no utterance has it")
    return " ".join(SLOTS.get(word, word) for word in phrase.split())


class PhraseSet(Checked):
    """Phrases that mean the same, with slots."""

    name: Annotated[str, Field(pattern=r"\S")]
    phrases: Annotated[list[Annotated[str, AfterValidator(_translated)]], Field(min_length=1)]

    @field_validator("phrases")
    @classmethod
    def _same_slots(cls, phrases: list[str]) -> list[str]:
        for number, phrase in enumerate(phrases, start=1):
            mine, firsts = (
                ", ".join(slot for slot in SLOTS if SLOTS[slot] in text.split()) or "none"
                for text in (phrase, phrases[0])
            )
            if mine != firsts:
                raise ValueError(
                    f"phrase {number} has the slots {mine}, but phrase 1 has {firsts}; "
                    "phrases of a set mean the same, so they have the same slots"
                )
        return phrases

    def grounded(self, spellings: Mapping[str, Mapping[str, Sequence[str]]] = SPELLINGS) -> Iterator[list[str]]:
        """The phrases with every filling of the slots, one list for each."""
        slots = sorted(slots_of(self.phrases[0]), key=lambda slot: slot.strip("{}"))
        for said in product(*(spellings[cluster_of(slot)].values() for slot in slots)):
            choices = dict(zip(slots, said, strict=True))
            yield [filled for phrase in self.phrases for filled in fillings(phrase, choices)]


class _PhraseFile(Checked):
    set: Annotated[list[PhraseSet], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A phrase in an utterance."""

    utterance: int
    span: Span
    phrase: str


def read_phrases(source: str | Path) -> list[PhraseSet]:
    """The phrase sets of a file, or the shipped ones by name: "printed" or "run"."""
    if str(source) in SHIPPED:
        file = f"phrases_{source}.toml"
        return parse_phrases(resources.files(__package__).joinpath(file).read_text("utf-8"), file)
    if not Path(source).exists():
        raise ChoraleError(f"{source}: no such file; shipped phrases are {' and '.join(SHIPPED)}")
    return parse_phrases(read_text(Path(source)), str(source))


def parse_phrases(text: str, file: str) -> list[PhraseSet]:
    """Phrase sets from TOML; `file` is what mistakes are reported under."""
    sets = parse_toml(_PhraseFile, text, file, "tables [[set]] with name and phrases").set
    for number, one in enumerate(sets, start=1):
        if one.name in (other.name for other in sets[: number - 1]):
            raise ChoraleError(f"{file}: set {number}: the name {one.name!r} occurs twice")
    return sets


def find_by_tokens(sentences: Sequence[str], phrases: PhraseSet) -> list[list[Occurrence]]:
    """For each grounding of a set the utterances that have one of its phrases: the longest, and the first of these."""
    groundings = list(phrases.grounded())
    # Two groundings of a set never share a phrase, since fillers are disjoint.
    table = PhraseTable((p.lower().split(), number) for number, said in enumerate(groundings) for p in said)
    occurrences: list[list[Occurrence]] = [[] for _ in groundings]
    for utterance, sentence in enumerate(sentences):
        tokens = [(token.text,) for token in words.tokens(sentence)]
        here = [(start, end, number) for start in range(len(tokens)) for end, number in table.at(tokens, start)]
        longest: dict[int, Occurrence] = {}
        for start, end, number in sorted(here, key=lambda match: match[0] - match[1]):
            phrase = " ".join(word for (word,) in tokens[start:end])
            longest.setdefault(number, Occurrence(utterance, (start, end), phrase))
        for number, occurrence in longest.items():
            occurrences[number].append(occurrence)
    return occurrences
