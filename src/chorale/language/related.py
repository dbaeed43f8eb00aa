"""Related utterances: two that share a phrase, and should read it in the same way.

A domain finds them, training rewards agreement between them; neither knows the other. Utterances are known by their
place in the list they came in, the phrase by its tokens, counted as `Domain.words` counts them.
"""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]
"""The first token of a phrase and the one behind its last."""


@dataclass(frozen=True, slots=True)
class Related:
    """An utterance, its partner, and where the phrase they share stands in each."""

    utterance: int
    partner: int
    span: Span
    partner_span: Span
    phrase: str
    """The phrase as the utterance has it; the partner may put it in other words of the same set."""
    other_fillers: bool = False
    """Whether the partner has the phrase with other fillers, such as another colour: `Domain.fillers` do not count."""
