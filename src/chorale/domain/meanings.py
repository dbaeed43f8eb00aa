"""Meanings: two programs mean the same if they say the same in every context of which the sentence could be said.

Nobody can look at all contexts, so some are generated (`Domain.variants`): the more, the safer. How many are enough
depends on what is at stake; all numbers stand here, each with its reason.

Meanings belong to an utterance. Where contexts are all of a kind, as pictures are, it may be None: any context will do.
Where an utterance brings constants of its own, as the cells of a table, its programs run only there, and the contexts
are the utterance's own and altered copies of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.utterance import Answer, Utterance
from chorale.errors import ChoraleError
from chorale.language.execution import run
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.plumbing.cache import Cache

if TYPE_CHECKING:
    from chorale.domain.domain import Domain

FOR_SEARCH = 128
"""Each of thousands of sub-programs is run on all of them, and a bit for each fits into two machine words."""
FOR_READINGS = 500
"""The readings of a beam differ more than programs do in general, and a person waits for them."""
FOR_CONSTANTS = 1_000
"""What is true of few contexts is still true of one."""
FOR_PROBES = 1_000
"""Toss-ups are counted over a corpus; one that is missed hardly matters."""
FOR_SHORTER_PROGRAMS = 300
"""Enough to rule most shorter programs out; what is left is compared on `FOR_TRUTH`."""
FOR_TRUTH = 4_000
"""Whether a program has the right meaning is a figure that is reported."""
FOR_DIFFERENCES = 10_000
"""Many are needed to say that two programs do not differ; they are made in batches, until two answers differ."""
AT_A_TIME = 500

_BOUND = 256  # topics whose contexts are kept


@dataclass(frozen=True)
class Difference:
    """Where two programs differ, if they do."""

    looked_at: int
    """How many contexts were looked at."""
    index: int | None = None
    """Which of them it is, counted from 0; None if there is none."""
    context: Any = None
    answers: tuple[Answer, Answer] | None = None
    """What the two programs say there."""

    def __bool__(self) -> bool:
        return self.answers is not None

    def __str__(self) -> str:
        if self.answers is None:
            return f"no difference found in {self.looked_at:,} contexts"
        return f"they differ: {self.answers[0]} and {self.answers[1]}"


class Meanings:
    """What programs say in contexts that tell them apart; `more` makes further contexts, some at a time."""

    def __init__(
        self,
        contexts: Sequence[Any],
        bind: Callable[[Sequence[Any]], Language],
        more: Callable[[], Iterator[Sequence[Any]]] = lambda: iter(()),
    ) -> None:
        self.contexts, self._bind, self._more = contexts, bind, more
        self.language = bind(contexts)
        """The language on all of the contexts."""
        self._constant: Cache[Program, bool] = Cache(200_000)

    def answers(self, program: Program) -> tuple[Answer, ...]:
        """What a program says in each context."""
        return answers_of(program, self.language)

    def key(self, program: Program) -> Hashable:
        """Equal keys, equal meaning as far as the contexts can tell."""
        said = run(program, self.language)
        if isinstance(said, np.ndarray) and said.dtype == bool:
            return said.tobytes()
        return tuple(said.tolist() if isinstance(said, np.ndarray) else said)  # 7 is 7, however many bytes it takes

    def is_constant(self, program: Program) -> bool:
        """Whether a program says the same in all contexts."""
        return self._constant.get(program, lambda: len(set(self.answers(program))) < 2)

    def true_of(self, program: Program) -> float | None:
        """The share of contexts of which a program is true; None if its answers are not truth values."""
        return shares_of_truth([run(program, self.language)])[0]

    def difference(self, one: Program, other: Program) -> Any:
        """A context in which two programs say different things; None if none was found."""
        return self.compare(one, other).context

    def compare(
        self, one: Program, other: Program, *, bind: Callable[[Sequence[Any]], Language] | None = None
    ) -> Difference:
        """The first context in which two programs differ: one of these, or one of those that are made when needed.

        `bind` binds the language of the other program, if it is not of the same.
        """
        looked_at = 0
        for contexts, ours in self._batches():
            theirs = ours if bind is None else bind(contexts)
            said, also = answers_of(one, ours), answers_of(other, theirs)
            for index, (first, second) in enumerate(zip(said, also, strict=True)):
                if first != second:
                    return Difference(looked_at + index + 1, looked_at + index, contexts[index], (first, second))
            looked_at += len(said)
        return Difference(looked_at)

    def _batches(self) -> Iterator[tuple[Sequence[Any], Language]]:
        yield self.contexts, self.language
        for contexts in self._more():
            yield contexts, self._bind(contexts)


def meanings_of(
    domain: Domain,
    language: str,
    utterance: Utterance | None = None,
    count: int = FOR_READINGS,
    *,
    simplest_first: bool = False,
) -> Meanings:
    """The meanings of an utterance, or of any; those of one topic (`Domain.topic`) with the same constants
    are made once.

    With `simplest_first`, contexts that take few words to write down come first, so that differences are easy to see.
    """
    if utterance is not None and not domain.makes_contexts and not domain.has_constants(language):
        return _made(domain, language, utterance, count, simplest_first)  # its own contexts are all that there are
    topic = None if utterance is None else domain.topic(utterance)
    if utterance is not None and domain.has_constants(language):
        topic = topic, frozenset(domain.constants(utterance))  # the words of a sentence may be constants too
    key = language, topic, count, simplest_first
    kept: Cache[Hashable, Meanings] = domain.__dict__.setdefault("_made_meanings", Cache(_BOUND))
    return kept.get(key, lambda: _made(domain, language, utterance, count, simplest_first))


def differences_of(
    domain: Domain,
    language: str,
    utterance: Utterance | None = None,
    contexts: Sequence[Any] = (),
    count: int = FOR_DIFFERENCES,
) -> Meanings:
    """To compare two programs with: first in these contexts, then in further ones that are made in batches."""

    def more() -> Iterator[Sequence[Any]]:
        for seed in range(0, -(-count // AT_A_TIME) if domain.makes_contexts else 0):
            yield domain.variants(utterance, min(AT_A_TIME, count - seed * AT_A_TIME), seed)

    return Meanings(contexts, lambda some: domain.bind(language, utterance, some), more)


def _made(domain: Domain, language: str, utterance: Utterance | None, count: int, simplest_first: bool) -> Meanings:
    own = () if utterance is None or not domain.has_constants(language) else utterance.contexts
    made = domain.variants(utterance, count, 0) if domain.makes_contexts else ()
    contexts = [*own, *made]
    if not contexts and utterance is not None:
        contexts = list(utterance.contexts)
    if not contexts:
        raise ChoraleError(
            f"the domain {domain.name} makes no contexts (`Domain.variants`), which telling meanings apart needs"
        )
    if simplest_first:
        contexts.sort(key=lambda context: len(repr(context)))
    return Meanings(contexts, lambda some: domain.bind(language, utterance, some))


def answers_of(program: Program, language: Language) -> tuple[Answer, ...]:
    """What a program says in each context that a language is bound to."""
    said = run(program, language)
    return tuple(said.tolist() if isinstance(said, np.ndarray) else said)


def shares_of_truth(values: Sequence[Any] | NDArray[Any]) -> list[float | None]:
    """The share of contexts of which each of some values is true; None for answers that are not truth values."""
    if isinstance(values, np.ndarray):
        if values.dtype == bool:
            return [float(share) for share in values.mean(axis=1)]
        return [None] * len(values)
    shares: list[float | None] = []
    for value in values:
        if isinstance(value, np.ndarray):
            shares.append(float(value.mean()) if value.dtype == bool else None)
        else:
            shares.append(sum(value) / len(value) if value and all(isinstance(it, bool) for it in value) else None)
    return shares
