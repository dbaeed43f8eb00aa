"""Templates: sentences with known programs, `templates.toml` filled with colours, shapes, sizes and numbers.

A template has one program and several phrasings of it. Filling chooses a phrasing and a value for every slot; the
program gets the name (`black`, `3`), the sentence one of its spellings ("black", "three"). Typos come last, as they do
with people.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random

from chorale.nlvr.english.slots import SPELLINGS, cluster_of, fill, slots_of

PICTURES = ("towers", "scatter")
_FULL_STOP = 0.8  # people often leave it out


@dataclass(frozen=True, slots=True)
class SentenceTemplate:
    """A program with slots, and ways to say it."""

    picture: str
    """The kind of scene the sentence speaks about, one of `PICTURES`."""
    program: str
    phrasings: Sequence[str]
    numbers: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The least and the greatest value of each number slot, by its name."""

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots of the program, in order of appearance."""
        return slots_of(self.program)

    def fill(self, rng: Random) -> tuple[str, str]:
        """A sentence and its program."""
        values: dict[str, str] = {}
        for slot in self.slots:
            if slot.strip("{}") in self.numbers:
                values[slot] = str(rng.randint(*self.numbers[slot.strip("{}")]))
            else:
                values[slot] = rng.choice([v for v in SPELLINGS[cluster_of(slot)] if v not in values.values()])
        spelled = {slot: rng.choice(_spellings(cluster_of(slot), value)) for slot, value in values.items()}
        sentence = fill(rng.choice(self.phrasings), spelled)
        stop = "." if rng.random() < _FULL_STOP else ""
        return sentence[0].upper() + sentence[1:] + stop, fill(self.program, values)


def _spellings(cluster: str, value: str) -> tuple[str, ...]:
    """The ways to say a value; a phrasing writes the plural of a shape itself."""
    return SPELLINGS[cluster][value][: 1 if cluster == "shape" else None]


@cache
def load_templates() -> tuple[SentenceTemplate, ...]:
    """The templates that ship with Chorale."""
    content = tomllib.loads(files(__package__).joinpath("templates.toml").read_text(encoding="utf-8"))
    return tuple(SentenceTemplate(**entry) for entry in content["template"])


def misspell(sentence: str, rng: Random, typos: float) -> str:
    """The sentence with each word mistyped with probability `typos`; words under three letters stay as they are."""
    return " ".join(_mistype(word, rng) if rng.random() < typos else word for word in sentence.split(" "))


def _mistype(word: str, rng: Random) -> str:
    """The word with two letters swapped, or one dropped, doubled or replaced."""
    letters = word.rstrip(".")
    if len(letters) < 3 or not letters.isalpha():
        return word
    index = rng.randrange(len(letters) - 1)
    head, one, two, tail = word[:index], word[index], word[index + 1], word[index + 2 :]
    slip = rng.choice(string.ascii_lowercase.replace(one.lower(), ""))
    return head + rng.choice((two + one, one, one + one + two, slip + two)) + tail
