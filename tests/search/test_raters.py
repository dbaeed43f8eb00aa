from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from tests.search.conftest import Said

from chorale.domain import Utterance
from chorale.nlvr.domain import Nlvr
from chorale.search.raters import rater_rates
from chorale.search.search import search
from chorale.search.settings import SearchSettings


class Rated(Nlvr):
    """NLVR, with labels by raters of the test."""

    def __init__(self, names: dict[str, Sequence[str | None]]) -> None:
        self.names = names

    def raters(self, utterance: Utterance) -> Sequence[str | None]:  # type: ignore[override]
        return self.names[utterance.identifier]


def test_a_careless_rater_is_found_out_and_a_careful_one_is_not_blamed(corpus: list[Said]) -> None:
    rng = Random(1)
    said, raters = [], {}
    for utterance in corpus:
        names = [rng.choice(("careful", "careless")) for _ in utterance.answers]
        wrong = [name == "careless" and rng.random() < 0.3 for name in names]
        said.append(utterance.labelled(*(a != w for a, w in zip(utterance.answers, wrong, strict=True))))
        raters[utterance.identifier] = names
    domain = Rated(raters)
    rates = rater_rates(domain, "consistent", said, SearchSettings(max_actions=13))
    assert rates["careless"] > 2 * rates["careful"]
    assert all(0 < rate < 0.5 for rate in rates.values())


def test_without_names_there_are_no_rates(corpus: list[Said]) -> None:
    domain = Rated({utterance.identifier: [None] * 4 for utterance in corpus[:2]})
    assert rater_rates(domain, "consistent", corpus[:2], SearchSettings(max_actions=7)) == {}


def test_a_label_has_the_rate_of_its_rater_or_the_usual_one(corpus: list[Said]) -> None:
    said = corpus[0].labelled(True, None, None, None)
    domain = Rated({said.identifier: ["r0", None, None, "r9"]})
    grounding = domain.ground("consistent", [said])
    for rates, wrong in (({"r0": 0.01}, 0.01), ({"r9": 0.01}, 0.05), (None, 0.05)):
        [[found]] = search(domain, "consistent", grounding, SearchSettings(max_actions=3), rates=rates)
        assert {round(math.exp(candidate.fit), 6) for candidate in found.candidates} == {1 - wrong}
