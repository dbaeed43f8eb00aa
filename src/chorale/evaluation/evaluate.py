"""How good a parser is: accuracy and consistency, as a whole and where it matters.

accuracy     right pairs / pairs, a pair being an utterance in one of its contexts
consistency  utterances right in every context / utterances

Both are given once more for utterances whose *abstraction* (the sentence with slots for the words that vary) occurs in
train and for those whose does not, which is where the gap lies, and by kind of context.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from chorale.domain import Answers, Reading, Utterance
from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Right, Score, score_of

SEEN, NOT_SEEN = "seen in train", "not seen in train"
"""Parts by whether train has sentences of the kind."""


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate` found."""

    score: Score
    baseline: str
    """Always saying this: true, or the most frequent answer where answers are not true or false."""
    baseline_accuracy: float
    """How often it is right to say that always."""
    parts: dict[str, Score]
    """Scores of parts of the data: kinds of context by name, then the sentence templates that train has and has not."""
    right: dict[str, Right] = field(repr=False)
    """By identifier of the utterance."""

    def to_json(self) -> dict[str, Any]:
        """The figures for machines."""
        parts = {name: _numbers(score) for name, score in self.parts.items()}
        baseline = {"answer": self.baseline, "accuracy": self.baseline_accuracy}
        return {**_numbers(self.score), "baseline": baseline, "parts": parts}

    def to_file(self) -> dict[str, Any]:
        """The figures, and what they are made of: the file `dev.json` of a run."""
        return {**self.to_json(), "right": {name: list(values) for name, values in self.right.items()}}


def evaluate(
    utterances: Sequence[Utterance],
    predictions: Sequence[Reading],
    *,
    abstraction: Callable[[str], str] | None = None,
    seen: Collection[str] | None = None,
    kind: Callable[[Any], str] | None = None,
    compared: Answers | None = None,
) -> Evaluation:
    """Score predictions; `seen` are the abstractions of the training sentences, `kind` names the kind of a context.

    `compared` says how answers are compared; see `Domain.answers`.
    """
    compared = compared or Answers()
    if not utterances:
        raise ChoraleError("no utterances to score")
    right: dict[str, Right] = {}
    members: dict[str, list[str]] = {}
    known = None if seen is None else frozenset(seen)
    answers: Counter[str] = Counter()
    for utterance, prediction in zip(utterances, predictions, strict=True):
        if any(answer is None for answer in utterance.answers):
            raise ChoraleError(f"utterance {utterance.identifier} has no labels; they are needed to score predictions")
        name = utterance.identifier
        right[name] = compared.right(prediction.answers or (), utterance.answers)
        answers.update(map(compared.text, utterance.answers))
        if known is not None and abstraction is not None:
            part = SEEN if abstraction(utterance.sentence) in known else NOT_SEEN
            members.setdefault(part, []).append(name)
        if kind is not None:
            members.setdefault(kind(utterance.contexts[0]), []).append(name)
    most = "true" if set(answers) <= {"true", "false"} else answers.most_common(1)[0][0]
    ordered = sorted(members, key=lambda name: (name in (SEEN, NOT_SEEN), name == NOT_SEEN, name))
    parts = {name: score_of([right[one] for one in members[name]]) for name in ordered}
    return Evaluation(score_of(list(right.values())), most, answers[most] / answers.total(), parts, right)


def _numbers(score: Score) -> dict[str, Any]:
    return {**score.to_json(), "pairs": score.pairs, "utterances": score.groups}
