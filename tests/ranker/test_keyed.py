"""A ranker by key: probabilities add up, by program and by answer; the slow twin looks at features as texts."""

from __future__ import annotations

import pickle
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.tables.made_up import CITIES, MATCHES

from chorale.domain import Unlabelled, Utterance
from chorale.domain.candidates import features_of
from chorale.domain.parsing import Corpus
from chorale.domain.templates import Feature, key_of
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.ranker import BEAM
from chorale.ranker.weights import KeyWeights
from chorale.tables.domain import Tables
from chorale.tables.table import Table

ASKED = Unlabelled("how many cities are in norland?", (CITIES,))
OTHER = Unlabelled("which opponent was met in 1998?", (MATCHES,))
SMALL = ProposalSettings(copies=1, meanings=60)


def ranker_with(weights: dict[Feature, float], templates: list[str] | None = None) -> KeyedRanker:
    keys = np.array([key_of(feature) for feature in weights], np.uint32)
    known = KeyWeights.of_pairs(keys, np.array(list(weights.values()), np.float64))
    return KeyedRanker(Tables(), "tables", SMALL, known, templates)


PLAIN = ranker_with({})


def features_by_program(ranker: KeyedRanker, asked: Utterance) -> list[list[Feature]]:
    """The features of each program, as texts."""
    found = ranker.candidates(asked)
    assert found is not None
    chosen = ranker.proposing.chosen(ranker.templates)
    return [
        [feature for part in row if part for feature in features_of(found.parts[part], chosen)]
        for row in found.programs.tolist()
    ]


EVERY = features_by_program(PLAIN, ASKED)
KNOWN = sorted({feature for features in EVERY for feature in features})


@settings(max_examples=15)
@given(st.dictionaries(st.sampled_from(KNOWN), st.floats(-3, 3, width=16).filter(bool), max_size=30))
def test_programs_are_as_probable_as_the_weights_of_their_features_say(weights: dict[Feature, float]) -> None:
    ranker = ranker_with(weights)
    scored = ranker.scored(ASKED)
    assert scored is not None
    scores = [
        prior + sum(weights.get(feature, 0.0) for feature in features)
        for features, prior in zip(EVERY, scored.candidates.priors().tolist(), strict=True)
    ]
    total = sum(map(exp, scores))
    shares = [exp(score) / total for score in scores]
    assert np.exp(scored.log_probabilities).tolist() == pytest.approx(shares, rel=1e-4)
    answers = scored.candidates.answers().tolist()
    by_answer = [sum(share for share, it in zip(shares, answers, strict=True) if it == own) for own in answers]
    order = sorted(range(len(scores)), key=lambda row: (-by_answer[row], -shares[row]))
    found = ranker.ranked(ASKED)
    assert [reading.answer_probability for reading in found] == pytest.approx(
        [by_answer[row] for row in order[:BEAM]], rel=1e-4
    )
    assert [exp(reading.log_probability) for reading in found] == pytest.approx(
        [shares[row] for row in order[:BEAM]], rel=1e-4
    )


def test_a_feature_with_much_weight_puts_its_program_first() -> None:
    rows = [row for row, features in enumerate(EVERY) if len(features) > len(EVERY[0]) // 2]
    counts = {feature: sum(feature in features for features in EVERY) for feature in KNOWN}
    row = max(rows)
    rare = min(EVERY[row], key=lambda feature: counts[feature])
    best = ranker_with({rare: 50.0}).ranked(ASKED)[0]
    candidates = PLAIN.candidates(ASKED)
    assert candidates is not None
    first = {candidates.reading(it).program for it, features in enumerate(EVERY) if rare in features}
    assert best.program in first
    assert best.sure == pytest.approx(1.0, abs=1e-6)


def test_readings_of_the_most_probable_answer_come_first() -> None:
    found = PLAIN.ranked(ASKED, 60)
    assert [it.sure for it in found] == sorted((it.sure for it in found), reverse=True)
    assert sum(it.probability for it in found) == pytest.approx(1.0)
    together = [it.probability for it in found if it.sure == found[0].sure]
    assert len(together) > 1
    assert sum(together) == pytest.approx(found[0].sure)


def test_answers_are_remembered_and_no_more_are_given_than_are_wanted() -> None:
    ranker = ranker_with({})
    corpus = Corpus.of(Tables(), "tables", [ASKED, OTHER, ASKED])
    found = dict(ranker.parse(corpus))
    assert [found[it] for it in range(3)] == [ranker.ranked(ASKED), ranker.ranked(OTHER), found[0]]
    assert len(ranker.remembered) == 2
    assert [len(some) for _, some in ranker.parse(corpus, top=3)] == [3, 3, 3]
    assert [len(some) for _, some in ranker.parse(corpus, beam=4)] == [4, 4, 4]


def test_other_weights_remember_nothing_of_those_before() -> None:
    ranker = ranker_with({})
    list(ranker.parse(Corpus.of(Tables(), "tables", [ASKED])))
    other = ranker.with_weights(ranker_with({KNOWN[0]: 9.0}).weights)
    assert len(other.remembered) == 0
    assert (other.domain, other.search, other.templates) == (ranker.domain, ranker.search, ranker.templates)
    assert other.ranked(ASKED) != ranker.ranked(ASKED)


def test_reasons_are_the_features_that_have_a_weight_the_heaviest_first() -> None:
    features = sorted(set(EVERY[0]))
    ranker = ranker_with({features[0]: 0.5, features[1]: -2.0, ("nothing", "of", "it"): 9.0})
    candidates = ranker.candidates(ASKED)
    assert candidates is not None
    found = ranker.reasons(ASKED, candidates.reading(0).program)
    assert {(reason.feature, reason.weight) for reason in found} == {(features[0], 0.5), (features[1], -2.0)}
    assert found[0].feature == features[1]
    other = PLAIN.candidates(OTHER)
    assert other is not None
    assert ranker.reasons(ASKED, other.reading(0).program) == []


def test_templates_that_are_left_out_count_for_nothing() -> None:
    feature = EVERY[0][0]
    others = [name for name in PLAIN.proposing.names if name != feature[0]]
    assert ranker_with({feature: 9.0}, others).ranked(ASKED) == PLAIN.ranked(ASKED)
    assert ranker_with({feature: 9.0}).ranked(ASKED) != PLAIN.ranked(ASKED)


def test_where_nothing_is_proposed_nothing_is_said() -> None:
    asked = Unlabelled("which is it?", (Table(["a"], []),))
    assert PLAIN.ranked(asked) == []
    assert PLAIN.scored(asked) is None
    candidates = PLAIN.candidates(ASKED)
    assert candidates is not None
    assert PLAIN.reasons(asked, candidates.reading(0).program) == []


def test_a_ranker_survives_the_journey_to_a_worker() -> None:
    ranker = ranker_with({KNOWN[0]: 2.0})
    assert pickle.loads(pickle.dumps(ranker)).ranked(ASKED) == ranker.ranked(ASKED)


def test_a_domain_that_proposes_nothing_is_told_so() -> None:
    with pytest.raises(ChoraleError, match="proposals for extended"):
        KeyedRanker(Nlvr(), "extended", SMALL, KeyWeights.none())


@pytest.mark.parametrize("wrong", [{"copies": -1}, {"copies": 21}, {"meanings": 0}, {"meanings": 5_001}], ids=str)
def test_settings_out_of_bounds_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        ProposalSettings(**wrong)
