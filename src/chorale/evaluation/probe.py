"""The probe: how often an answer hangs on a toss-up between meanings.

A parser's beam holds many programs and fewer *meanings*: programs that say the same on many generated contexts, and on
the utterance's own, are one meaning, and their probabilities add up. The parser's answer is the meaning of its first
program. It is a

    toss-up     if another meaning of the beam has more than half its probability
    decisive    if such a meaning also says something else about the utterance's own contexts

A right answer that was a decisive toss-up is luck as much as understanding. Nothing here needs known programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chorale.domain import Domain, Reading, Utterance, meanings_of
from chorale.domain.meanings import FOR_PROBES
from chorale.domain.parsing import Corpus, SentenceParser
from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Right, Score, score_of

RATIO = 2.0
"""The best meaning is clear if it is this many times as probable as any other."""


@dataclass(frozen=True)
class Rivals:
    """What the beam of an utterance holds: the best meaning and its rivals."""

    probability: float
    """Of the best meaning."""
    rival: float
    """Of the most probable other meaning; 0 if there is none."""
    deciding_rival: float
    """Of the most probable meaning that says something else about the utterance's own contexts; 0 if there is none."""

    @property
    def is_toss_up(self) -> bool:
        return self.probability < RATIO * self.rival

    @property
    def is_decisive(self) -> bool:
        return self.probability < RATIO * self.deciding_rival


@dataclass(frozen=True)
class Probe:
    """What `probe` found."""

    contexts: int
    meanings: Sequence[Rivals]
    """Of each utterance."""
    right: Sequence[Right] | None
    """Whether the best program is right; None without labels."""

    @property
    def toss_ups(self) -> float:
        """The share of utterances whose best meaning is a toss-up."""
        return sum(one.is_toss_up for one in self.meanings) / len(self.meanings)

    @property
    def decisive(self) -> float:
        """The share of utterances in which the toss-up decides an answer."""
        return sum(one.is_decisive for one in self.meanings) / len(self.meanings)

    def scores(self) -> dict[str, Score]:
        """Accuracy and consistency where the meaning is clear, a toss-up, and a toss-up that decides an answer."""
        parts = {
            "clear": [not one.is_toss_up for one in self.meanings],
            "toss-up": [one.is_toss_up for one in self.meanings],
            "decisive": [one.is_decisive for one in self.meanings],
        }
        chosen = {
            name: [right for right, is_in in zip(self.right or (), inside, strict=True) if is_in]
            for name, inside in parts.items()
            if self.right is not None
        }
        return {name: score_of(rights) for name, rights in chosen.items() if rights}

    def to_json(self) -> dict[str, Any]:
        """The figures for machines."""
        parts = {name: {**one.to_json(), "utterances": one.groups} for name, one in self.scores().items()}
        return {"contexts": self.contexts, "toss_ups": self.toss_ups, "decisive": self.decisive, "parts": parts}


def probe(
    parser: SentenceParser, corpus: Corpus, domain: Domain, language: str, *, contexts: int = FOR_PROBES
) -> Probe:
    """Look at the meanings in the beam of every utterance."""
    if not len(corpus):
        raise ChoraleError("no utterances to probe")
    judged: dict[int, tuple[Rivals, Right | None]] = {}
    for index, beam in parser.parse(corpus):
        asked: Utterance | None = corpus.utterances[index] if domain.has_constants(language) else None
        meanings = meanings_of(domain, language, asked, contexts)
        own = [corpus.grounding.answers(one.program, index) for one in beam]
        is_labelled = all(answer is not None for answer in corpus.utterances[index].answers)
        right = corpus.grounding.right(beam[0].program, index) if is_labelled else None
        judged[index] = rivals_of(beam, [meanings.key(one.program) for one in beam], own), right
    rights = [right for _, (_, right) in sorted(judged.items()) if right is not None]
    in_order = [rivals for _, (rivals, _) in sorted(judged.items())]
    return Probe(contexts, in_order, rights if len(rights) == len(in_order) else None)


def rivals_of(beam: Sequence[Reading], said: Sequence[Any], own: Sequence[Any]) -> Rivals:
    """The meanings of a beam, from what its programs say on generated and on the utterance's own contexts."""
    masses: dict[Any, float] = {}
    for one, meaning in zip(beam, zip(said, own, strict=True), strict=True):
        masses[meaning] = masses.get(meaning, 0.0) + one.probability
    best = (said[0], own[0])
    others = [mass for meaning, mass in masses.items() if meaning != best]
    deciding = [mass for meaning, mass in masses.items() if meaning[1] != best[1]]
    return Rivals(masses[best], max(others, default=0.0), max(deciding, default=0.0))
