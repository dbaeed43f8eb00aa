"""Candidates: the programs of an utterance as a ranker with very many features sees them, as arrays.

A domain whose language is searched in stages proposes them (`Domain.proposing`). A program is a row of parts, a part
has features, and each feature is known by its key (`templates`). Texts and programs are made of those that somebody
asks for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.reading import Reading
from chorale.domain.templates import Feature, Keyed, Keys, Template, Templates, key_of, keyed
from chorale.domain.utterance import Answer, Utterance

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Posed:
    """The programs of an utterance, cheapest first, as arrays alone."""

    keys: Keys
    """Of the features of all parts, (feature,)."""
    part: NDArray[np.uint16]
    """The part that each feature belongs to, (feature,)."""
    template: NDArray[np.unsignedinteger[Any]]
    """The template that made each feature, as its place among all, (feature,)."""
    parts: int
    """How many parts there are; part 0 has no feature."""
    programs: NDArray[np.uint16]
    """The parts of each program, (program, part), 0 where it has fewer."""
    priors: NDArray[np.float32]
    """How plausible each program is before anything is learned, in nats, (program,)."""
    answers: NDArray[np.uint16]
    """A number for what each program answers, equal for equal answers, (program,)."""
    labels: Keys
    """What each part is in short: the key of its first template, (part,)."""
    words: Keys
    """The utterance, a number for each word, (word,)."""

    def __len__(self) -> int:
        return len(self.priors)


class Candidates(ABC):
    """The programs of one utterance."""

    parts: Sequence[Any]
    """What templates look at; the first is None."""
    programs: NDArray[np.int32]
    """The parts of each program."""

    @abstractmethod
    def priors(self) -> NDArray[np.float64]:
        """How plausible each program is, in nats."""

    @abstractmethod
    def answers(self) -> NDArray[np.intp]:
        """A number for what each program answers."""

    @abstractmethod
    def right(self, wanted: Answer) -> Flags:
        """Which programs give the right answer."""

    def meant(self, program: str) -> Flags:
        """Which programs mean the same as a known one, as far as the utterance's contexts and variants can tell."""
        return np.zeros(len(self.programs), bool)

    @abstractmethod
    def words(self) -> Sequence[str]:
        """The utterance as features see it."""

    @abstractmethod
    def reading(self, row: int) -> Reading:
        """One of the programs."""

    def posed(self, templates: Mapping[type, Keyed]) -> Posed:
        """All of them as arrays."""
        made = self.parts
        numbers: dict[type, list[int]] = {}
        for number, part in enumerate(made):
            numbers.setdefault(type(part), []).append(number)
        keys, parts, made_by = [np.zeros(0, np.uint32)], [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        labels, start = np.zeros(len(made), np.uint32), 0
        for kind, own in templates.items():
            if kind in numbers:
                at = np.array(numbers[kind], np.intp)
                own_keys, places, rows, labels[at] = own.keys([made[it] for it in numbers[kind]])
                keys.append(own_keys)
                parts.append(at[places])
                made_by.append(start + rows)
            start += len(own)
        return Posed(
            np.concatenate(keys),
            np.concatenate(parts).astype(np.uint16),
            np.concatenate(made_by).astype(np.min_scalar_type(start)),
            len(made),
            self.programs.astype(np.uint16),
            self.priors().astype(np.float32),
            self.answers().astype(np.uint16),
            labels,
            np.array([key_of((word,)) for word in self.words()], np.uint32),
        )


class Proposing(ABC):
    """What a domain proposes for utterances in one of its languages. A capability; rankers by key need it."""

    templates: Templates

    @abstractmethod
    def propose(self, utterance: Utterance, copies: int, most: int) -> Candidates | None:
        """The cheapest programs, at most `most`, told apart by variants; None if there are none."""

    @cached_property
    def names(self) -> list[str]:
        """The names of all templates."""
        return [template.name for table in self.templates.values() for template in table]

    def chosen(self, names: Collection[str] | None = None) -> dict[type, Sequence[Template]]:
        """The templates of each kind of part; all, or those of these names."""
        return {
            kind: [it for it in table if names is None or it.name in names] for kind, table in self.templates.items()
        }

    def keyed(self, names: Collection[str] | None = None) -> dict[type, Keyed]:
        """The same, made ready to give keys."""
        return keyed({kind: table for kind, table in self.chosen(names).items() if table})


def features_of(part: Any, templates: Mapping[type, Sequence[Template]]) -> list[Feature]:
    """The features of a part as texts."""
    return [feature for template in templates.get(type(part), ()) for feature in template.extract(part)]
