"""Templates: sentences with known programs, `templates.toml` filled with colours, shapes, sizes and numbers.

A template has one program and several phrasings of it. Filling chooses a phrasing and a value for every slot; the
program gets the name (`black`, `3`), the sentence one of its spellings ("black", "three"). Typos come last, as they do
with people.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random

from chorale.nlvr.pictures.scenes import COLORS, SHAPES, SIZES

PICTURES = ("towers", "scatter")
_SLOTS = {"color": COLORS, "shape": SHAPES, "size": tuple(SIZES.values())}
_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELLINGS = {"big": ("big", "large")} | {str(n): (word, str(n)) for n, word in enumerate(_NUMBER_WORDS, start=1)}
_FULL_STOP = 0.8  # people often leave it out


@dataclass(frozen=True, slots=True)
class Template:
    """A program with slots, and ways to say it."""

    picture: str
    """The kind of scene the sentence speaks about, one of `PICTURES`."""
    program: str
    phrasings: tuple[str, ...]
    numbers: Mapping[str, tuple[int, int]] = field(hash=False)
    """The least and the greatest value of each number slot."""

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots of the program, in order of appearance."""
        return slots_of(self.program)

    def fill(self, rng: Random) -> tuple[str, str]:
        """A sentence and its program."""
        values = self._values(rng)
        spelled = {slot: rng.choice(_SPELLINGS.get(value, (value,))) for slot, value in values.items()}
        sentence = rng.choice(self.phrasings).format_map(spelled)
        stop = "." if rng.random() < _FULL_STOP else ""
        return sentence[0].upper() + sentence[1:] + stop, self.program.format_map(values)

    def _values(self, rng: Random) -> dict[str, str]:
        values: dict[str, str] = {}
        for slot in self.slots:
            if slot in self.numbers:
                values[slot] = str(rng.randint(*self.numbers[slot]))
            else:
                free = [value for value in _SLOTS[slot.rstrip("2")] if value not in values.values()]
                values[slot] = rng.choice(free)
        return values


def slots_of(text: str) -> tuple[str, ...]:
    """The different slots of a text, in order of appearance."""
    return tuple(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(text) if name is not None))


@cache
def load_templates() -> tuple[Template, ...]:
    """The templates that ship with Chorale."""
    content = tomllib.loads(files("chorale.nlvr.english").joinpath("templates.toml").read_text(encoding="utf-8"))
    return tuple(
        Template(
            picture=entry["picture"],
            program=entry["program"],
            phrasings=tuple(entry["phrasings"]),
            numbers={slot: (least, greatest) for slot, (least, greatest) in entry.get("numbers", {}).items()},
        )
        for entry in content["template"]
    )


def misspell(sentence: str, rng: Random, typos: float) -> str:
    """The sentence with each word mistyped with probability `typos`; words under three letters stay as they are."""
    return " ".join(_mistype(word, rng) if rng.random() < typos else word for word in sentence.split(" "))


def _mistype(word: str, rng: Random) -> str:
    """The word with two letters swapped, or one dropped, doubled or replaced."""
    letters = word.rstrip(".")
    if len(letters) < 3 or not letters.isalpha():
        return word
    place = rng.randrange(len(letters) - 1)
    head, one, two, tail = word[:place], word[place], word[place + 1], word[place + 2 :]
    slip = rng.choice(string.ascii_lowercase.replace(one.lower(), ""))
    return head + rng.choice((two + one, one, one + one + two, slip + two)) + tail
