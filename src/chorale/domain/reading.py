"""A reading: one program for an utterance, and what is known about it. One type, from the search to the answer.

    search        program, log prior, log likelihood, meaning
    parser        log probability, that of its answer, attention
    model         answers, confidence and what speaks against it

It becomes text only in files and on the command line.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chorale.domain.queries import Query
from chorale.domain.utterance import Answer, Utterance
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.language.program import Program
from chorale.language.terms import named

if TYPE_CHECKING:
    from chorale.domain.tracing import TracedPart


@dataclass(frozen=True)
class Doubt:
    """One reason not to believe an answer."""

    kind: str
    text: str
    """For people."""

    def __str__(self) -> str:
        return self.text


NOT_KNOWN = "not known"


def not_known(reasons: Sequence[Doubt]) -> str:
    """That there is no answer, and the gravest reason; said in these words everywhere."""
    return f"{NOT_KNOWN}: {reasons[0]}" if reasons else NOT_KNOWN


class Origin(Protocol):
    """What gave a reading and can say more about it: a model."""

    def plain(self, reading: Reading) -> str | None: ...
    def query(self, reading: Reading) -> Query | None: ...
    def trace(self, reading: Reading) -> Sequence[TracedPart]: ...
    def explain(self, reading: Reading, *, answer_if: float) -> Any: ...
    def answer_text(self, answer: Answer | None) -> str: ...


@dataclass(frozen=True, repr=False)
class Reading:
    """A program for an utterance."""

    program: Program
    log_prior: float = 0.0
    """How plausible the program is for the sentence whatever the labels say, up to a constant."""
    log_likelihood: float = 0.0
    """How well it fits the labels."""
    log_probability: float = 0.0
    """The log probability of its meaning, by the parser."""
    answer_probability: float | None = None
    """The probability of its answer, if the parser adds up readings with equal answers."""
    meaning: Hashable = None
    """Readings of an utterance with the same key mean the same, as far as was looked at (see `meanings`)."""
    answers: tuple[Answer, ...] | None = None
    """What it says in each context of the utterance; None if that was not asked."""
    confidence: float | None = None
    """How likely its answers are right, if that was asked."""
    meant: float | None = None
    """How likely it is what was meant, if that was asked."""
    reasons: tuple[Doubt, ...] = ()
    """What speaks against it."""
    wrong: int = 0
    """In how many of the utterance's contexts it contradicts the label."""
    unexplained: tuple[str, ...] = ()
    """Content words of the sentence that it does not say."""
    true_of: float | None = None
    """The share of the contexts that were looked at of which it is true; None if its answers are not truth values."""
    attention: NDArray[np.float32] | None = field(default=None, compare=False)
    """Where each action of `decoded` looked, (action, word), if the parser attends to words."""
    rank_probability: float | None = None
    """The probability that the program is right, by the reranker, if there is one."""
    simplified_from: Program | None = None
    """What the parser wrote, if the program was simplified since."""
    same: tuple[Program, ...] = ()
    """Other programs of the same meaning, whose probability is counted in."""
    words: tuple[str, ...] = ()
    """The sentence as the parser read it."""
    utterance: Utterance | None = field(default=None, compare=False)
    """What was asked: the sentence and its contexts."""
    origin: Origin | None = field(default=None, compare=False)
    """What gave it."""

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)

    @property
    def is_silent(self) -> bool:
        """Whether it stands for an utterance that has no program."""
        return self.log_probability == -math.inf

    @property
    def sure(self) -> float:
        """How probable its answer is, if readings that answer alike were added up, else its meaning."""
        return self.probability if self.answer_probability is None else self.answer_probability

    @property
    def score(self) -> float:
        """What readings are ranked by where labels are known."""
        return self.log_likelihood + self.log_prior

    @property
    def decoded(self) -> Program:
        """What the parser wrote, before it was simplified; attention and weights belong to it."""
        return self.simplified_from or self.program

    def is_known(self, answer_if: float) -> bool:
        """Whether it is sure enough to be given as an answer."""
        return self.confidence is None or self.confidence >= answer_if

    @property
    def said(self) -> str:
        """Its answers as text; empty without contexts."""
        text = str if self.origin is None else self.origin.answer_text
        return ", ".join(map(text, self.answers or ()))

    def __repr__(self) -> str:
        answers = f", {self.said}" if self.answers else ""
        return f"<Reading {self.program}, {self.probability:.1%}{answers}>"

    def _repr_html_(self) -> str:
        """The program, what it says and its tree, for notebooks."""
        said = f" · {escape(self.said)}" if self.answers else ""
        return f"<p><code>{escape(self.program.text)}</code> {self.probability:.1%}{said}</p>{self.program.to_svg()}"

    # -- what only its origin can say ----------------------------------------------------------------------------------

    @property
    def plain(self) -> str | None:
        """The program in plain English; None if its language has no words for it."""
        return None if self.origin is None else self.origin.plain(self)

    @property
    def query(self) -> Query | None:
        """The program as SQL, or why there is none; None if its domain has no SQL, or nothing was asked about."""
        return None if self.origin is None else self.origin.query(self)

    @property
    def sql(self) -> str | None:
        """The program as SQL; None if there is no query of it."""
        return (query.text or None) if (query := self.query) is not None else None

    def trace(self) -> Sequence[TracedPart]:
        """Each part of the program, innermost first, with what it returns on the first context."""
        return self._origin().trace(self)

    def explain(self, *, answer_if: float = 0.5) -> Any:
        """Why the sentence was read so, and what follows for the first context; it shows itself in a notebook."""
        return self._origin().explain(self, answer_if=answer_if)

    def _origin(self) -> Origin:
        if self.origin is None:
            raise ChoraleError("this reading does not know its model; take one that `Model.parse` gave")
        return self.origin


def silence(utterance: Utterance, grammar: Grammar) -> Reading:
    """What stands for the reading of an utterance that has no program: it answers nothing."""
    nothing = Program(named("nothing", grammar.root), grammar)
    return Reading(nothing, log_probability=-math.inf, answers=(None,) * len(utterance.contexts), utterance=utterance)


def merged(readings: Iterable[tuple[Hashable, Reading]]) -> list[Reading]:
    """Readings with the same key as one, at the place of the first; probabilities add up, programs are kept."""
    by_program: dict[Hashable, Reading] = {}
    for key, one in readings:
        if (first := by_program.get(key)) is None:
            by_program[key] = one
        else:
            together = min(float(np.logaddexp(first.log_probability, one.log_probability)), 0.0)
            others = () if one.program == first.program else (one.program,)
            by_program[key] = replace(first, log_probability=together, same=(*first.same, *others))
    return list(by_program.values())
