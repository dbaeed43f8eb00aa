"""Folds: utterances held out by kind, so that a parser is judged on sentence templates that it has never seen.

Utterances are held out in groups that stay together:

kind       sentences that differ only in words that vary, such as colours and numbers (`kind_of`)
structure  known programs that differ only in what their sentences fill in
topic      utterances about the same contexts, where these bring constants: a table and all that is asked about it
length     no groups: the longest sentences are held out, and all shorter ones kept

A group goes to a fold by a hash of its text. So it depends neither on the order of the file nor on the other groups,
and every recipe is asked the same.

Stages choose their best epoch on dev, and that must not be the fold that is held out. So each fold has a dev of its
own: an eighth of the groups that are kept, drawn by the same hash. Nothing is trained on it either.

>>> kinds = [f"there are {number} blocks" for number in range(100)]
>>> fold = Folding("kind", kinds, [fold_of(kind, 5) for kind in kinds], 5).fold(0)
>>> len(fold.train), len(fold.dev), len(fold.held_out)
(62, 11, 27)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chorale.domain import Domain, Utterance, kind_of, needed
from chorale.errors import ChoraleError
from chorale.plumbing.files import fold_of

By = Literal["kind", "topic", "length", "structure"]
GROUPS: Mapping[By, str] = {"kind": "kinds", "topic": "topics", "length": "kinds", "structure": "structures"}
"""What the groups are called; of long sentences the kinds are counted."""
DEV_SHARE = 8
"""One in this many of the groups that are kept is dev."""

_NUMBERED_SLOT = re.compile(r"(\{[a-z]+)\d+\}")


@dataclass(frozen=True)
class Fold:
    """Three parts of a list of utterances, as indices."""

    number: int
    train: list[int]
    dev: list[int]
    held_out: list[int]


@dataclass(frozen=True)
class Folding:
    """The group and the fold of each utterance."""

    by: By
    groups: Sequence[str]
    folds: Sequence[int]
    count: int
    """How many folds are held out in turn; utterances of later ones are kept by all."""
    seed: int = 0

    def fold(self, number: int) -> Fold:
        """What is held out in one fold, and what is left."""
        if not 0 <= number < self.count:
            raise ChoraleError(f"there is no fold {number}; they are numbered from 0 to {self.count - 1}")
        salt = f"{self.seed}/dev of fold {number}"
        parts: dict[str, list[int]] = {"train": [], "dev": [], "held_out": []}
        for index, (group, fold) in enumerate(zip(self.groups, self.folds, strict=True)):
            is_dev = fold_of(group, DEV_SHARE, salt) == 0
            parts["held_out" if fold == number else "dev" if is_dev else "train"].append(index)
        for name, part in parts.items():
            if not part:
                what = f"{len(set(self.groups))} {GROUPS[self.by]}"
                raise ChoraleError(f"fold {number} leaves nothing for {name.replace('_', ' ')}: there are only {what}")
        return Fold(number, **parts)


def longest(lengths: Sequence[int], share: float) -> list[bool]:
    """Whether each is one of the longest, which are about this share; those of equal length stay together.

    >>> longest([3, 9, 5, 9, 4], 0.4)
    [False, True, False, True, False]
    """
    ends, total = {}, 0
    for length, count in sorted(Counter(lengths).items(), reverse=True):
        total += count
        ends[length] = total
    shortest = min(ends, key=lambda length: abs(ends[length] - share * len(lengths)), default=0)
    return [length >= shortest for length in lengths]


def folding_of(
    domain: Domain, utterances: Sequence[Utterance], by: By, count: int, programs: Mapping[str, str], seed: int = 0
) -> Folding:
    """How utterances are held out; `programs` are the known ones by identifier, which `structure` needs.

    By length there is one fold, the longest of `count` equal parts.
    """
    if by == "structure":
        groups = [structure(domain, utterance, programs) for utterance in utterances]
    elif by == "topic":
        groups = [repr(domain.topic(utterance)) for utterance in utterances]
    else:
        groups = [kind_of(domain, utterance.sentence) for utterance in utterances]
    if by == "length":
        long = longest([len(domain.words(utterance.sentence)) for utterance in utterances], 1 / count)
        return Folding(by, groups, [int(not it) for it in long], 1, seed)
    return Folding(by, groups, [fold_of(group, count, seed) for group in groups], count, seed)


def structure(domain: Domain, utterance: Utterance, programs: Mapping[str, str]) -> str:
    """The known program of an utterance, with slots for what its sentence fills in."""
    if utterance.identifier not in programs:
        raise ChoraleError(
            f"utterance {utterance.identifier}: its program is not known, which folds by structure need; only "
            "synthetic corpora tell it"
        )
    abstractions = needed(domain.abstractions, domain, "abstractions", "folds by structure")
    text = abstractions.slotted(utterance.sentence).program(programs[utterance.identifier])
    return _NUMBERED_SLOT.sub(r"\1}", text)  # whether two slots are filled alike is no matter of structure
