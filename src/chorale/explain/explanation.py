"""An explanation: all that speaks for one program and against it, gathered once and shown in many ways.

What there is depends on the parser and the domain: a network has attention, a ranker the words that each part says and
the weights that decided, a domain with drawing pictures. What is missing is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chorale.domain import Answer, Difference, Domain, Doubt, Reading, TracedPart, Utterance
from chorale.domain.drawing import Format
from chorale.domain.parsing import SentenceParser
from chorale.errors import ChoraleError
from chorale.explain.readings import by_meaning, differences
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.ranker import Ranker
from chorale.ranker.weighing import Aligned, Weighed, aligned, compared, unaligned, weighed, weighed_by_key

MOST_READINGS = 6
"""How many readings are shown."""


@dataclass(frozen=True)
class Belief:
    """How far an answer is to be believed, and what speaks against it."""

    confidence: float
    reasons: tuple[Doubt, ...]
    is_enough: bool
    """Whether there is enough of it to answer."""
    meant: float
    """How likely the reading is what was meant."""

    def __str__(self) -> str:
        return f"{self.confidence:.0%} sure of the answer, {self.meant:.0%} that this is what was meant"


@dataclass(frozen=True)
class Explanation:
    """Why a sentence was read as it was, and what follows for a context."""

    sentence: str
    reading: Reading
    domain: Domain
    language: str
    context: Any
    """What was asked about; None if nothing was."""
    steps: tuple[TracedPart, ...]
    """Each part of the program with what it returns there."""
    tree: tuple[Aligned, ...]
    """The functions of the program, each before what it is called with; for a ranker with the words it says."""
    weights: tuple[Weighed, ...]
    """For a ranker: what speaks for the program and against it, the heaviest first, without what is next to nothing."""
    readings: tuple[Reading, ...]
    """The beam by meaning, the best first."""
    differences: tuple[Difference | None, ...] = ()
    """Where each of them differs from the first."""
    rival: Reading | None = None
    """The best reading of another meaning."""
    decided: tuple[Weighed, ...] = ()
    """For a ranker: what speaks for the program rather than for its rival."""
    trust: Belief | None = None
    """Whether to believe it; None for a program that is not the best of its beam."""
    has_keys: bool = False
    """Whether its weights are named by key rather than in words."""

    @property
    def said(self) -> Answer | None:
        """What the program says of the context."""
        return self.reading.answers[0] if self.reading.answers else None

    @property
    def answer(self) -> Answer | None:
        """The same, if it is to be believed; else None: not known."""
        return self.said if self.trust is None or self.trust.is_enough else None

    @property
    def others(self) -> tuple[int, float]:
        """How many readings are not shown, and how probable they are together."""
        rest = self.readings[MOST_READINGS:]
        return len(rest), sum(it.probability for it in rest)

    def html(self) -> str:
        """One page that needs nothing else."""
        from chorale.explain.page import page  # noqa: PLC0415 - the page knows explanations

        return page(self)

    _repr_html_ = html

    def picture(self, form: Format) -> bytes:
        """The trace as a picture, below the sentence and what was understood."""
        if not self.steps or self.domain.drawing is None:
            word = self.domain.context_word
            raise ChoraleError(f"there is nothing to draw: an explanation shows a trace only of a {word} that is drawn")
        return self.domain.drawing.draw_trace(self.steps, form, title=self.sentence, subtitle=self.reading.plain or "")

    def to_json(self) -> dict[str, Any]:
        """All of it for machines."""
        parse, text = self.reading, self.domain.answers.to_json
        return {
            "sentence": self.sentence,
            "words": list(parse.words),
            "answer": text(self.answer),
            "said": text(self.said),  # also where that is not believed
            "confidence": None if self.trust is None else self.trust.confidence,
            "meant": None if self.trust is None else self.trust.meant,
            "reasons": [] if self.trust is None else [{"kind": it.kind, "text": it.text} for it in self.trust.reasons],
            "program": parse.program.text,
            "plain": parse.plain,
            "sql": parse.sql,
            "probability": parse.probability,
            "steps": [{**step.to_json(), "result": step.result} for step in self.steps],
            "decoded": parse.decoded.text,  # before it was simplified; actions, attention and weights belong to it
            "actions": list(parse.decoded.actions),
            "attention": None
            if parse.attention is None
            else [[round(float(it), 4) for it in row] for row in parse.attention],
            "tree": [{"name": it.name, "depth": it.depth, "words": it.words} for it in self.tree],
            "weights": [_weight(it) for it in self.weights],
            "rival": None if self.rival is None else self.rival.program.text,
            "decided": [_weight(it) for it in self.decided],
            "readings": [self._shown(number) for number in range(len(self.readings[:MOST_READINGS]))],
            "other_readings": {"count": self.others[0], "probability": self.others[1]},
        }

    def _shown(self, number: int) -> dict[str, Any]:
        reading, difference, codec = self.readings[number], self.differences[number], self.domain.codec
        text = self.domain.answers.to_json
        differs = None
        if difference is not None and difference.answers is not None and codec is not None:
            first, here = map(text, difference.answers)
            differs = {"context": codec.to_json(difference.context), "first": first, "here": here}
        return {
            "plain": reading.plain,
            "probability": reading.probability,
            "answer": text(reading.answers[0]) if reading.answers else None,
            "programs": [program.text for program in (reading.program, *reading.same)],
            "differs": differs,
        }


def _weight(it: Weighed) -> dict[str, Any]:
    return {"part": it.part, "weight": round(it.weight, 4)}


def explain(
    reading: Reading,
    beam: Sequence[Reading],
    utterance: Utterance,
    domain: Domain,
    language: str,
    parser: SentenceParser,
    trust: Belief | None = None,
) -> Explanation:
    """Explain one program of a beam for an utterance, on the utterance's first context if it has any."""
    context = utterance.contexts[0] if utterance.contexts else None
    steps: Sequence[TracedPart] = ()
    if context is not None:
        steps = domain.tracing.trace(reading.program, domain.bind(language, utterance, [context]), context)
    readings = by_meaning(beam, domain, language)
    rival = next((it for it in readings if reading.program not in (it.program, *it.same)), None)
    tree: Sequence[Aligned] = unaligned(reading.program)
    weights: Sequence[Weighed] = ()
    decided: Sequence[Weighed] = ()
    if isinstance(parser, Ranker):
        tree = aligned(parser, utterance, reading.program)
        weights = weighed(parser, utterance, reading.decoded)  # that is what the ranker weighed
        if rival is not None:
            decided = compared(weights, weighed(parser, utterance, rival.decoded))
    elif isinstance(parser, KeyedRanker):
        weights = weighed_by_key(parser, utterance, reading.decoded)
        if rival is not None:
            decided = compared(weights, weighed_by_key(parser, utterance, rival.decoded))
    return Explanation(
        utterance.sentence,
        reading,
        domain,
        language,
        context,
        tuple(steps),
        tuple(tree),
        tuple(filter(_counts, weights)),
        tuple(readings),
        tuple(differences(readings, domain, language)),
        rival,
        tuple(filter(_counts, decided)),
        trust,
        isinstance(parser, KeyedRanker),
    )


def _counts(it: Weighed) -> bool:
    """Whether the weight is more than zero, in one digit after the point."""
    return abs(it.weight) >= 0.05
