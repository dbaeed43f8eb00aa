from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.search.conftest import Said

from chorale.domain import Hints
from chorale.nlvr.domain import Nlvr
from chorale.search.candidates import Searcher, Settings, groups_of
from chorale.search.raters import rater_rates, rates_of_labels


def test_a_careless_rater_is_found_out_and_a_careful_one_is_not_blamed(
    domain: Nlvr, hints: Callable[[str], Hints], corpus: list[Said]
) -> None:
    rng = Random(1)
    said, raters = [], []
    for utterance in corpus:
        names = [rng.choice(("careful", "careless")) for _ in utterance.answers]
        wrong = [name == "careless" and rng.random() < 0.3 for name in names]
        said.append(utterance.labelled(*(a != w for a, w in zip(utterance.answers, wrong, strict=True))))
        raters.append(names)
    grounding = domain.ground("consistent", said)
    searcher = Searcher(grounding, hints, Settings(max_actions=13))
    rates = rater_rates(searcher, groups_of(grounding, True), raters)
    assert rates["careless"] > 2 * rates["careful"]
    assert all(0 < rate < 0.5 for rate in rates.values())


def test_without_names_there_are_no_rates(domain: Nlvr, hints: Callable[[str], Hints], corpus: list[Said]) -> None:
    grounding = domain.ground("consistent", corpus[:2])
    searcher = Searcher(grounding, hints, Settings(max_actions=7))
    assert rater_rates(searcher, groups_of(grounding, True), [[None] * 4] * 2) == {}


def test_a_label_has_the_rate_of_its_rater() -> None:
    assert rates_of_labels({"r0": 0.01}, [["r0", None, "r9"]], 0.05) == [[0.01, 0.05, 0.05]]
