"""Simplifying a program: the shortest one of the same meaning that can be proved, or that nothing tells apart.

First the laws of the language are applied (`chorale.language.rewriting`): what they give is proved. Then programs with
fewer actions are enumerated by meaning, made of the names that are left and of those that the laws let in
(`Laws.brings`), and the shortest one that agrees on thousands of generated contexts is taken. That is no proof, and the
answer says how many contexts were looked at. A domain that makes no contexts has the laws only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Domain, Utterance, differences_of
from chorale.domain.meanings import FOR_SHORTER_PROGRAMS, FOR_TRUTH
from chorale.language import Language, Program, rewritten, run
from chorale.language.terms import subterms
from chorale.search.enumeration import Enumeration

_ROUNDS = 3  # of adding a context that tells what was found from what was asked
_MOST_ACTIONS = 12  # of an enumerated program
_MOST = 1_000  # entries of a level of the enumeration


@dataclass(frozen=True)
class Simplified:
    """A program of the same meaning, and how that is known."""

    program: Program
    before: Program
    looked_at: int | None = None
    """On how many generated contexts the two were seen to agree; None if it is proved."""

    @property
    def known(self) -> str:
        """How it is known that the meaning is the same."""
        if self.looked_at is not None:
            return f"agrees on {self.looked_at:,} generated contexts"
        return "unchanged" if self.program == self.before else "proved"

    def __str__(self) -> str:
        return f"{self.program}  ({self.known})"


def simplified(
    program: Program, domain: Domain, language: str, *, utterance: Utterance | None = None, contexts: int = FOR_TRUTH
) -> Simplified:
    """The shortest program of the same meaning that is found; by laws alone without contexts to compare programs in.

    The program is a whole one of this language.
    """
    best = Simplified(rewritten(program, domain.languages[language]), program)
    while contexts and domain.makes_contexts:
        shorter = _shorter(best.program, domain, language, utterance, contexts)
        if shorter is None:
            break
        best = Simplified(shorter, program, contexts)
    return best


def _shorter(
    program: Program, domain: Domain, language: str, utterance: Utterance | None, contexts: int
) -> Program | None:
    """A program with fewer names that agrees on all contexts; None if none is found."""
    looked_at = list(domain.variants(utterance, min(FOR_SHORTER_PROGRAMS, contexts), 1))
    for _ in range(_ROUNDS):
        meanings = differences_of(domain, language, utterance, looked_at, contexts)
        first = _first_like(program, meanings.language)
        shorter = None if first is None else rewritten(first, domain.languages[language])
        if shorter is None or shorter.size >= program.size:
            return None
        difference = meanings.compare(program, shorter)
        if not difference:
            return shorter
        looked_at.append(difference.context)
    return None


def _first_like(program: Program, language: Language) -> Program | None:
    """The first program with fewer actions that says the same in all contexts of the language."""
    names = {part.name for term in subterms(program.term) for part in term.parts}
    enumeration = Enumeration(
        language,
        min(len(program.action_ids) - 1, _MOST_ACTIONS),
        allowed=names.union(language.laws.brings.split()),
        accept=partial(_say, run(program, language)),
        most=_MOST,
    )
    return next((enumeration.program(cost, 0) for cost, level in enumeration.root_levels() if len(level)), None)


def _say(wanted: Any, values: Any) -> NDArray[np.bool_]:
    """Which entries say what is wanted in every context."""
    if isinstance(values, list):
        return np.array([_plain(value) == _plain(wanted) for value in values], dtype=bool)
    same: NDArray[np.bool_] = (values == wanted).reshape(len(values), -1).all(axis=1)
    return same


def _plain(values: Any) -> Any:
    return values.tolist() if isinstance(values, np.ndarray) else values
