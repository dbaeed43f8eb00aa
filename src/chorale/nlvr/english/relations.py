"""Related utterances: those that share a phrase.

Every utterance that has a phrase of a grounded set is paired with random other utterances that have one, so an
utterance with two phrases has two partners. Other means another utterance, with images and labels of its own: its
sentence may be the same, and then its labels still tell programs apart. Those that have a phrase of the set with other
fillers can be partners as well, if asked for; they agree in what the phrase says apart from the fillers.

`matching` says how phrases are found. "tokens" compares lower-cased tokens and keeps the longest phrase; "reference"
is what the paper's authors did, see `reference`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chorale.domain import Related, Utterance
from chorale.errors import ChoraleError
from chorale.nlvr import reference
from chorale.nlvr.english.phrases import Occurrence, PhraseSet, find_by_tokens, read_phrases
from chorale.nlvr.english.slots import CLUSTERS, names

MATCHINGS = {"tokens": find_by_tokens, "reference": reference.find_by_substrings}
"""The ways to find a phrase set in sentences."""


class Relations:
    """Utterances of NLVR that share a phrase."""

    fillers = frozenset(
        name
        for cluster in ("color", "shape", "size", "one", "number")
        for value in CLUSTERS[cluster]
        for name in names(cluster, value)
    )

    def related(
        self,
        utterances: Sequence[Utterance],
        sets: str = "run",
        *,
        matching: str = "tokens",
        partners: int = 1,
        other_fillers: int = 0,
        seed: int = 0,
    ) -> list[Related]:
        groups = occurrences([utterance.sentence for utterance in utterances], read_phrases(sets), matching)
        return pair(groups, matching=matching, partners=partners, other_fillers=other_fillers, seed=seed)

    def matched(self, utterances: Sequence[Utterance], sets: str, *, matching: str) -> dict[str, int]:
        """How many utterances have a phrase of each set."""
        known = read_phrases(sets)
        by_phrase = occurrences([utterance.sentence for utterance in utterances], known, matching)
        return {one.name: sum(map(len, groups)) for one, groups in zip(known, by_phrase, strict=True)}


def occurrences(
    sentences: Sequence[str], sets: Sequence[PhraseSet], matching: str = "tokens"
) -> list[list[list[Occurrence]]]:
    """Where phrases occur: for each set, for each grounding of it, the utterances that have one of its phrases."""
    if matching not in MATCHINGS:
        raise ChoraleError(f"there is no matching {matching!r}; choose from {' and '.join(MATCHINGS)}")
    return [MATCHINGS[matching](sentences, phrases) for phrases in sets]


def pair(
    occurrences: Sequence[Sequence[Sequence[Occurrence]]],
    *,
    matching: str = "tokens",
    partners: int = 1,
    other_fillers: int = 0,
    seed: int = 0,
) -> list[Related]:
    """Pair each occurrence with random others of its grounding; in the order of utterances, then of groundings.

    The same seed gives the same pairs. There are also `other_fillers` from the other groundings of the set.
    """
    if partners < 1:
        raise ChoraleError(f"partners: expected at least 1, found {partners}")
    pairs: dict[int, list[Related]] = {}

    def draw(random: Random, ours: Occurrence, others: Sequence[Occurrence], count: int, other: bool) -> None:
        for theirs in random.sample(others, min(count, len(others))):
            related = Related(ours.utterance, theirs.utterance, ours.span, theirs.span, ours.phrase, other)
            pairs.setdefault(ours.utterance, []).append(related)

    random = Random(seed)
    for group in [group for groups in occurrences for group in groups]:
        for index, ours in enumerate(group):
            draw(random, ours, [*group[:index], *group[index + 1 :]], partners, False)
    random = Random(seed)
    for groups in occurrences if other_fillers else []:
        for number, group in enumerate(groups):
            elsewhere = [it for others in (*groups[:number], *groups[number + 1 :]) for it in others]
            for ours in group:
                others = [theirs for theirs in elsewhere if theirs.utterance != ours.utterance]
                draw(random, ours, others, other_fillers, True)
    by_utterance = [pairs[utterance] for utterance in sorted(pairs)]
    if matching == "reference":
        by_utterance = [reference.truncated(partners_of) for partners_of in by_utterance]
    return [related for partners_of in by_utterance for related in partners_of]
