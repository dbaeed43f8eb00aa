"""The readings of a beam by meaning, and where they differ.

Programs that say the same in hundreds of contexts are one reading, however they are written; their probabilities add
up. For each reading but the first there is a context in which it says something else than the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from chorale.domain import Difference, Domain, Meanings, Reading, Utterance, meanings_of
from chorale.domain.meanings import FOR_READINGS
from chorale.domain.reading import merged


def meanings_for(domain: Domain, language: str, utterance: Utterance | None) -> Meanings | None:
    """What tells the readings of an utterance apart for a person; None if the domain has nothing to tell them by."""
    is_own = domain.has_constants(language)
    if is_own and utterance is not None and utterance.contexts:
        return meanings_of(domain, language, utterance, FOR_READINGS, simplest_first=True)
    if is_own or not domain.makes_contexts:
        return None
    return meanings_of(domain, language, None, FOR_READINGS, simplest_first=True)


def by_meaning(readings: Sequence[Reading], domain: Domain, language: str) -> list[Reading]:
    """The meanings of a beam, in the order of their best programs.

    Where nothing tells programs apart, each of them is a reading of its own.
    """
    meanings = meanings_for(domain, language, readings[0].utterance) if readings else None
    if meanings is None:
        return list(readings)
    return merged((meanings.key(one.program), one) for one in readings)


def differences(readings: Sequence[Reading], domain: Domain, language: str) -> list[Difference | None]:
    """For each reading where it differs from the first; None for the first, and where nothing was found."""
    meanings = meanings_for(domain, language, readings[0].utterance) if readings else None
    if meanings is None:
        return [None] * len(readings)
    return [meanings.compare(readings[0].program, one.program) or None for one in readings]
