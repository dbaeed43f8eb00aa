"""What search promises on the real corpus, on a part of it."""

from pathlib import Path

import pytest

from chorale.nlvr.domain import Nlvr
from chorale.search.groups import groups_of
from chorale.search.search import search
from chorale.search.settings import SearchSettings

EVERY = 10


@pytest.mark.nlvr
@pytest.mark.parametrize(
    ("settings", "least"),
    [(SearchSettings(max_actions=11, noise=0.0), 0.72), (SearchSettings(max_actions=15), 0.95)],
    ids=["strict", "tolerant"],
)
def test_most_training_utterances_have_a_candidate(
    domain: Nlvr, nlvr: Path, settings: SearchSettings, least: float
) -> None:
    grounding = domain.ground("consistent", domain.read(nlvr / "train.json"))
    groups = groups_of(domain, "consistent", grounding.utterances, settings)[::EVERY]
    results = search(domain, "consistent", grounding, settings, groups=groups)
    covered = [bool(found) for group in results for found in group.values()]
    assert sum(covered) / len(covered) >= least
