"""Rankers do without any kind of feature, as ablations want it."""

import pytest
from tests.towns import HEADER, town_rows

from chorale.domain import Unlabelled
from chorale.domain.candidates import features_of
from chorale.domain.templates import key_of
from chorale.tables.features import TEMPLATES
from chorale.tables.proposing import TableProposing
from chorale.tables.table import Table

KINDS = {kind.__name__: kind for kind in TEMPLATES}


@pytest.mark.parametrize("name", KINDS)
def test_any_single_template_gives_its_features(name: str) -> None:
    """The others may be those that look at lists."""
    sentence = "which town has the most people in Norland?"
    proposing = TableProposing()
    candidates = proposing.propose(Unlabelled(sentence, (Table(HEADER, town_rows(3)),)), 1, 30)
    assert candidates is not None
    for template in TEMPLATES[KINDS[name]]:
        posed = candidates.posed(proposing.keyed([template.name]))
        chosen = {KINDS[name]: [template]}
        slow = sorted(key_of(feature) for part in candidates.parts for feature in features_of(part, chosen))
        assert sorted(posed.keys.tolist()) == slow
