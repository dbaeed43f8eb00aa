"""What search promises on the real corpus, on a part of it."""

from functools import partial
from pathlib import Path

import pytest

from chorale.nlvr.domain import Nlvr
from chorale.search.candidates import Searcher, Settings, groups_of

EVERY = 10


@pytest.mark.nlvr
@pytest.mark.parametrize(
    ("settings", "least"),
    [(Settings(max_actions=11, noise=0.0), 0.72), (Settings(max_actions=15), 0.95)],
    ids=["strict", "tolerant"],
)
def test_most_training_utterances_have_a_candidate(domain: Nlvr, nlvr: Path, settings: Settings, least: float) -> None:
    grounding = domain.ground("consistent", domain.read(nlvr / "train.json"))
    searcher = Searcher(grounding, partial(domain.hints, "consistent"), settings)
    groups = groups_of(grounding, pool=True)[::EVERY]
    covered = [bool(result.candidates) for group in groups for result in searcher.search(group)]
    assert sum(covered) / len(covered) >= least
