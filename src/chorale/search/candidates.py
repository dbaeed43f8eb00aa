"""Candidates: programs that fit an utterance's answers. One type, from the search to the loss."""

from __future__ import annotations

from dataclasses import dataclass

from chorale.language import Program
from chorale.search.prior import Prior

Group = tuple[int, ...]
"""Utterances that are searched together, by their index in the grounding."""


@dataclass(frozen=True)
class Candidate:
    """A program for an utterance, with how well it fits and how plausible it is."""

    program: Program
    prior: Prior
    wrong: int = 0
    """In how many of the utterance's own contexts it contradicts the answer."""
    fit: float = 0.0
    """Log-likelihood of all pooled answers."""
    meaning: int = 0
    """Candidates of an utterance with the same number mean the same, as far as was looked at."""
    true_of: float | None = None
    """The share of the contexts that were looked at of which it is true; None if its answers are no truth values."""

    @property
    def score(self) -> float:
        """What candidates are ranked by."""
        return self.fit + self.prior.log


@dataclass(frozen=True)
class Found:
    """What was found for one utterance, which is known by its index in the grounding; best first."""

    utterance: int
    candidates: tuple[Candidate, ...]
