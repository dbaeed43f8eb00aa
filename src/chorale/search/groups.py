"""Groups: utterances that say the same and are searched together.

Utterances say the same if their words are the same and, where they bring constants of their own, these are too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from chorale.domain import Domain, Reading, Utterance
from chorale.plumbing.files import sha256
from chorale.search.settings import PROBES, SEED, SearchSettings

Group = tuple[int, ...]
"""Utterances that are searched together, by their index in the grounding."""

CandidateLists = dict[int, list[Reading]]
"""What was found for utterances, by their index in the grounding; best first."""


def what_is_said(domain: Domain, language: str, utterance: Utterance) -> str:
    """What utterances that say the same have in common."""
    said = normalised(utterance.sentence)
    return f"{said}\n{sha256(repr(domain.topic(utterance)).encode())}" if domain.has_constants(language) else said


def groups_of(domain: Domain, language: str, utterances: Sequence[Utterance], settings: SearchSettings) -> list[Group]:
    """The utterances by what they say, in order of first appearance; each by itself if nothing is pooled."""
    by_words: dict[str, list[int]] = {}
    for index, utterance in enumerate(utterances):
        key = what_is_said(domain, language, utterance) if is_pooled(settings) else str(index)
        by_words.setdefault(key, []).append(index)
    return list(map(tuple, by_words.values()))


def is_pooled(settings: SearchSettings) -> bool:
    """Whether utterances that say the same are searched together."""
    return settings.pool and settings.procedure == "meaning"


def probes_of(domain: Domain, language: str, utterances: int) -> list[int]:
    """The utterances that lend their contexts to tell meanings apart; none where programs run in their own only."""
    if domain.has_constants(language):
        return []
    return random.Random(SEED).sample(range(utterances), min(PROBES, utterances))


def normalised(sentence: str) -> str:
    """The words of a sentence in lower case."""
    return " ".join(re.findall(r"\w+", sentence.lower()))
