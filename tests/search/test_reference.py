from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.search.conftest import Said

from chorale.language import Grammar, Type
from chorale.nlvr import Consistent, Macro
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.reference import agenda_consistent
from chorale.search.reference import derivations
from chorale.search.search import search
from chorale.search.settings import SearchSettings


def all_derivations(grammar: Grammar, kind: Type, length: int) -> list[tuple[int, ...]]:
    """The slow twin: every derivation of a type with so many actions, in the order of the productions."""
    found = []
    for number, production in enumerate(grammar.productions):
        if production.left == kind:
            for parts in _splits(length - 1, len(production.right)):
                pieces = [all_derivations(grammar, *pair) for pair in zip(production.right, parts, strict=True)]
                found += [(number, *(action for piece in row for action in piece)) for row in product(*pieces)]
    return sorted(found)


def _splits(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 0:
        return [()] if total == 0 else []
    return [(first, *rest) for first in range(1, total + 1) for rest in _splits(total - first, parts - 1)]


@pytest.mark.parametrize("language", [Consistent, Macro])
@pytest.mark.parametrize("required", [(), ("yellow",), ("black", "top"), ("2", "all_boxes"), ("no such function",)])
def test_the_derivations_are_those_with_everything_that_is_required_shortest_first(
    language: type[Consistent | Macro], required: tuple[str, ...]
) -> None:
    grammar = language.grammar
    everything = [actions for length in range(1, 7) for actions in all_derivations(grammar, grammar.root, length)]
    wanted = set(required)
    expected = [a for a in everything if wanted <= {grammar.productions[number].name for number in a}]
    assert list(derivations(grammar, required, 6)) == expected


def test_unrestricted_derivations_are_as_many_as_the_reference_lists() -> None:
    assert sum(1 for _ in derivations(Consistent.grammar, (), 6)) == 6 + 234 + 295 + 210


def test_candidates_are_right_on_all_images_contain_the_agenda_and_come_shortest_first(
    domain: Nlvr, corpus: list[Said]
) -> None:
    grounding = domain.ground("consistent", corpus)
    settings = SearchSettings(procedure="reference", keep=5)
    found = {i: each for group in search(domain, "consistent", grounding, settings) for i, each in group.items()}
    assert any(found.values())
    for index, candidates in found.items():
        utterance = corpus[index]
        assert len(candidates) <= 5
        for candidate in candidates:
            names = {grounding.bound.grammar.productions[number].name for number in candidate.program.action_ids}
            assert agenda_consistent(utterance.sentence) <= names
            assert grounding.answers(candidate.program, index) == utterance.answers


@pytest.mark.nlvr
@pytest.mark.slow
def test_the_reference_covers_as_many_training_utterances_as_published_within_a_point(domain: Nlvr, nlvr: Path) -> None:
    grounding = domain.ground("consistent", domain.read(nlvr / "train.json"))
    results = search(domain, "consistent", grounding, SearchSettings(procedure="reference"))
    covered = [bool(found) for group in results for found in group.values()]
    assert sum(covered) / len(covered) == pytest.approx(0.5406, abs=0.01)
