"""Readings: the beam grouped by meaning.

Programs that say the same on hundreds of generated contexts are one reading, however they are written; their
probabilities add up. For each reading but the first there is a context on which it says something else than the first.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Answer, Domain
from chorale.language import Language, Program, run
from chorale.search.distinguish import generated

CONTEXTS = 500
"""Generated contexts on which programs are compared."""


class Parsed(Protocol):
    """One program for a sentence, as `chorale.model.Parse` is."""

    @property
    def program(self) -> Program: ...
    @property
    def decoded(self) -> Program: ...
    @property
    def probability(self) -> float: ...
    @property
    def denotations(self) -> Sequence[Answer] | None: ...
    @property
    def words(self) -> Sequence[str]: ...
    @property
    def attention(self) -> NDArray[np.float32] | None: ...
    @property
    def plain(self) -> str | None: ...


@dataclass(frozen=True)
class Reading:
    """One meaning of a sentence."""

    parses: tuple[Parsed, ...]
    """The programs that have it, the best first."""
    difference: tuple[Any, Answer, Answer] | None = None
    """A context on which it differs from the first reading, what that one says there, and what this one says."""

    @property
    def best(self) -> Parsed:
        return self.parses[0]

    @property
    def probability(self) -> float:
        return sum(parse.probability for parse in self.parses)


def readings(parses: Sequence[Parsed], domain: Domain, language: str, *, contexts: int = CONTEXTS) -> list[Reading]:
    """The meanings of a beam, in the order of their best programs.

    In a domain without a generator each program is a reading of its own.
    """
    if domain.generator is None or not parses:
        return [Reading((parse,)) for parse in parses]
    made, bound = _simplest_first(domain, language, contexts)
    groups: dict[Hashable, list[Parsed]] = {}
    for parse in parses:
        groups.setdefault(_answers(run(parse.program, bound)), []).append(parse)
    first = next(iter(groups))
    return [Reading(tuple(some), _difference(first, said, made)) for said, some in groups.items()]


@lru_cache(maxsize=4)
def _simplest_first(domain: Domain, language: str, count: int) -> tuple[list[Any], Language]:
    """Generated contexts, those that take few words to write down first, so that differences are easy to see."""
    made = [context for contexts, _ in generated(domain, language, count) for context in contexts]
    made.sort(key=lambda context: len(repr(context)))
    return made, domain.bind(language, made)


def _answers(values: Any) -> tuple[Answer, ...]:
    return tuple(values.tolist() if isinstance(values, np.ndarray) else values)


def _difference(first: Any, other: Any, made: Sequence[Any]) -> tuple[Any, Answer, Answer] | None:
    """The first context on which two meanings differ, and what they say there."""
    return next(((context, one, two) for context, one, two in zip(made, first, other, strict=True) if one != two), None)
