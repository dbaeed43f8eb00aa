"""Related utterances: two that share a phrase, and should read it in the same way.

A domain finds them, training rewards agreement between them; neither knows the other. Utterances are known by their
index in the list they came in, the phrase by its tokens, counted as
`Domain.words` counts them. A capability; the consistency reward needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from chorale.domain.utterance import Utterance
from chorale.domain.word_lexicon import words_of

Span = tuple[int, int]
"""The first token of a phrase and the one after its last."""


@dataclass(frozen=True, slots=True)
class Related:
    """An utterance, its partner, and where the phrase they share stands in each."""

    utterance: int
    partner: int
    span: Span
    partner_span: Span
    phrase: str
    """The phrase as the utterance has it; the partner may put it in other words of the same set."""
    other_fillers: bool = False
    """Whether the partner has it with other fillers, such as another colour: `Relations.fillers` do not count."""


class Relations(Protocol):
    """Finds related utterances."""

    @property
    def fillers(self) -> frozenset[str]:
        """The terminals that say what fills the slots of phrases, such as colours."""
        ...

    def related(
        self,
        utterances: Sequence[Utterance],
        sets: str = "run",
        *,
        matching: str = "tokens",
        partners: int = 1,
        other_fillers: int = 0,
        seed: int = 0,
    ) -> list[Related]:
        """Pairs of utterances that share a phrase of these sets, with where it stands in both.

        An utterance has `partners` of them for each phrase, and `other_fillers` that have it with other fillers.
        """
        ...


class SharedPhrases:
    """Utterances that share this many content words in a row, such as "leftmost red"."""

    fillers: frozenset[str] = frozenset()

    def __init__(self, content: Collection[str], length: int = 2, words: Callable[[str], list[str]] = words_of) -> None:
        self._content, self._length, self._words = frozenset(content), length, words

    def related(
        self,
        utterances: Sequence[Utterance],
        sets: str = "",
        *,
        matching: str = "",
        partners: int = 1,
        other_fillers: int = 0,
        seed: int = 0,
    ) -> list[Related]:
        """The pairs, `partners` for each utterance and phrase; there is one set, and one way to find its phrases."""
        having: dict[str, list[tuple[int, Span]]] = {}
        for number, utterance in enumerate(utterances):
            words = self._words(utterance.sentence)
            for start in range(len(words) - self._length + 1):
                phrase = words[start : start + self._length]
                if self._content.issuperset(phrase):
                    having.setdefault(" ".join(phrase), []).append((number, (start, start + self._length)))
        rng, related = Random(seed), list[Related]()
        for phrase_text, places in having.items():
            for number, span in places:
                others = [place for place in places if place[0] != number]
                for partner, its_span in rng.sample(others, min(partners, len(others))):
                    related.append(Related(number, partner, span, its_span, phrase_text))
        return related


def matched(
    relations: Relations, utterances: Sequence[Utterance], made: Sequence[Related], sets: str, matching: str
) -> Mapping[str, int]:
    """How many utterances have each phrase, or a phrase of each set, if the domain counts them so (`matched`)."""
    own = getattr(relations, "matched", None)
    if own is not None:
        counts: Mapping[str, int] = own(utterances, sets, matching=matching)
        return counts
    return Counter(phrase for _, phrase in {(one.utterance, one.phrase) for one in made})
