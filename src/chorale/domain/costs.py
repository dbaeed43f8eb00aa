"""Costs: what the words of an utterance make of functions and constants, for a search in stages (`search.stages`).

Where a lexicon says which functions may be used (`Hints`), costs say how readily: each function and constant has a
price in nats, constants say words of the utterance, and each word that should be said and is not costs something, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.lexicon import Hints

MOST_WORDS = 63
"""Words that can be told apart, one a bit; those after them are not missed if nothing says them."""
UNASKED = 1.0
"""What a function or constant that no word asks for costs, unless a lexicon says otherwise."""
UNSAID = 3.0
"""What a word left unsaid costs, unless a lexicon says otherwise."""


@dataclass(frozen=True)
class Costs:
    """What there is to build programs of, and what it costs."""

    names: Mapping[str, float]
    """The functions and constants that may be used, the utterance's own among them."""
    says: Mapping[str, int] = field(default_factory=dict)
    """The words that each of them says, one a bit. No program says a word twice."""
    words: Sequence[str] = ()
    """The text of each word that has a bit."""
    wanted: int = 0
    """The words that should be said."""
    word: float = 1.0
    """What each of these costs that is not."""

    def before(self, name: str, arguments: Sequence[Any]) -> NDArray[np.float64] | None:
        """What calls of a function cost that depends on their arguments alone, a row of each batch for each call.

        What costs infinitely much is left out, and not even computed.
        """
        return None

    def extra(
        self, name: str, arguments: Sequence[Any], says: Sequence[NDArray[np.int64]], values: Any
    ) -> NDArray[np.float64] | None:
        """What they cost beyond that, which depends on values, or on the words that each argument says.

        All are batches, a row for each call. What costs infinitely much is left out.
        """
        return None

    def unsaid(self, says: int) -> tuple[str, ...]:
        """The words that should be said and are not."""
        missing = self.wanted & ~says
        return tuple(word for bit, word in enumerate(self.words) if missing >> bit & 1)


def costs_of(hints: Hints) -> Costs:
    """The costs that follow from a lexicon's hints: what no word asks for is expensive, as is a word left unsaid."""
    explains = hints.explains[:MOST_WORDS]
    says: dict[str, int] = {}
    for bit, (_, names) in enumerate(explains):
        for name in names & hints.allowed:
            says.setdefault(name, 1 << bit)  # of several words that ask for it, it says the first
    free = hints.glue | says.keys()
    return Costs(
        {name: 0.0 if name in free else UNASKED for name in sorted(hints.allowed)},
        says,
        [word for word, _ in explains],
        sum(1 << bit for bit, (_, names) in enumerate(explains) if names),
        UNSAID,
    )
