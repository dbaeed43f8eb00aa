"""Telling meanings apart: a context on which two programs say different things.

Two programs that agree wherever we looked may still mean different things, so an answer of "none" always says how many
contexts were looked at.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from chorale.domain import Domain, needed
from chorale.language import Language, Program, run

Batch = tuple[Sequence[Any], Language]
"""Generated contexts, and a language bound to them."""

_BATCH = 500


@dataclass(frozen=True)
class Difference:
    """Where two programs differ, if they do."""

    looked_at: int
    """How many contexts were looked at."""
    index: int | None = None
    """The context's index in the corpus; None if it was generated, or if there is none."""
    context: Any = None
    """The context, if it was generated."""
    answers: tuple[Any, Any] | None = None
    """What the two programs say there."""

    def __bool__(self) -> bool:
        return self.answers is not None

    def __str__(self) -> str:
        if self.answers is None:
            return f"no difference found on {self.looked_at:,} images"
        where = "a generated image" if self.index is None else f"image {self.index + 1} of the corpus"
        return f"they differ on {where}: {self.answers[0]} and {self.answers[1]}"


def distinguish(
    one: Program,
    other: Program,
    language: Language,
    generated: Iterable[Batch] = (),
    *,
    other_language: Language | None = None,
) -> Difference:
    """The first context on which two programs differ: of the corpus that the language is bound to, then generated.

    If the other program is written in another language, name it, bound to the same contexts.
    """
    batches: Iterator[tuple[Sequence[Any] | None, Language, Language]] = chain(
        [(None, language, other_language or language)], ((contexts, bound, bound) for contexts, bound in generated)
    )
    looked_at = 0
    for contexts, ours, theirs in batches:
        said, also = _answers(one, ours), _answers(other, theirs)
        looked_at += len(said)
        for index, answers in enumerate(zip(said, also, strict=True)):
            if answers[0] != answers[1]:
                if contexts is None:
                    return Difference(looked_at, index, None, answers)
                return Difference(looked_at, None, contexts[index], answers)
    return Difference(looked_at)


def generated(domain: Domain, language: str, count: int = 10_000, seed: int = 0) -> Iterator[Batch]:
    """So many generated contexts of a domain, some at a time; the same ones for the same seed."""
    rng, make = random.Random(seed), needed(domain.generator, domain, "generator", "telling programs apart")
    for start in range(0, count, _BATCH):
        contexts = [make(rng) for _ in range(min(_BATCH, count - start))]
        yield contexts, domain.bind(language, contexts)


@lru_cache(maxsize=8)
def on_generated(domain: Domain, language: str, count: int, seed: int = 0) -> Language:
    """A language on so many generated contexts, all at once; made only once."""
    rng, make = random.Random(seed), needed(domain.generator, domain, "generator", "telling meanings apart")
    return domain.bind(language, [make(rng) for _ in range(count)])


@lru_cache(maxsize=256)
def on_focused(domain: Domain, language: str, count: int, about: tuple[str, ...]) -> Language:
    """The same on contexts that have more of what is spoken of; on any, if the domain cannot make such."""
    if not about or domain.focus is None:
        return on_generated(domain, language, count)
    rng, focus = random.Random(" ".join(about)), domain.focus
    return domain.bind(language, [focus(rng, about) for _ in range(count)])


def _answers(program: Program, language: Language) -> Sequence[Any]:
    values = run(program, language)
    answers: Sequence[Any] = values.tolist() if isinstance(values, np.ndarray) else values
    return answers
