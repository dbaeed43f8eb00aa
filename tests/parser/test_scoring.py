"""Exact scores against brute force."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.enumerated import enumerated

from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Grammar
from chorale.nlvr import Consistent
from chorale.parser.sizes import Sizes

from .slow import OPEN, Slow, grammars, seeds, sentences, small_parser

FEW = settings(max_examples=max(settings.default.max_examples // 3, 1))


def some_programs(data: st.DataObject, grammar: Grammar, most: int = 6) -> list[tuple[int, ...]]:
    listed = [actions for actions, _ in zip(enumerated(grammar, 9), range(200), strict=False)]
    return data.draw(st.lists(st.sampled_from(listed), max_size=most)) if listed else []


@FEW
@given(grammars(), st.lists(sentences, min_size=1, max_size=3), seeds, st.data())
@torch.no_grad()
def test_equal_the_product_of_the_probabilities_of_the_actions(
    grammar: Grammar, batch: list[list[str]], seed: int, data: st.DataObject
) -> None:
    parser = small_parser(grammar, seed, Sizes(token_embedding=6, encoder=4, action_embedding=6, coverage=True))
    programs = [some_programs(data, grammar) for _ in batch]
    agendas = [data.draw(st.sets(st.integers(0, len(grammar) - 1))) for _ in batch]
    scores = parser.score(parser.encode(batch, agendas=agendas), programs, attention=True)
    assert scores.attention is not None
    for row, sentence in enumerate(batch):
        slow = Slow(parser, sentence, agenda=sorted(agendas[row]))
        for place, actions in enumerate(programs[row]):
            assert torch.allclose(scores.log_probabilities[row, place], slow.score(actions))
            attention = scores.attention[row, place]
            assert torch.allclose(attention[: len(actions)].sum(1), attention.new_ones(()))
            assert (attention[len(actions) :] == 0).all()
        assert (scores.log_probabilities[row, len(programs[row]) :] == -torch.inf).all()


@FEW
@given(grammars(open_types=OPEN), st.lists(sentences, min_size=1, max_size=3), seeds, st.integers(1, 5))
@torch.no_grad()
def test_of_a_beam_equal_what_the_search_says(grammar: Grammar, batch: list[list[str]], seed: int, width: int) -> None:
    parser = small_parser(grammar, seed)
    contexts = [
        grammar.with_terminals({"b": Basic("A"), **({"c": Basic("B")} if row else {})}) for row in range(len(batch))
    ]
    for encoding in (parser.encode(batch), parser.encode(batch, grammars=contexts)):
        beam = parser.search(encoding, width, 8, attention=True)
        scores = parser.score(encoding, beam.actions.numpy(), attention=True)
        assert torch.allclose(scores.log_probabilities, beam.log_probabilities)
        assert scores.attention is not None
        assert beam.attention is not None
        assert torch.allclose(scores.attention, beam.attention)
        count = (len(batch) + 1) // 2
        first = parser.score(encoding.first(count), beam.actions[:count].numpy())
        assert torch.allclose(first.log_probabilities, scores.log_probabilities[:count])


@FEW
@given(grammars(), sentences, seeds)
@torch.no_grad()
def test_the_probabilities_of_all_programs_never_add_up_to_more_than_one(
    grammar: Grammar, sentence: list[str], seed: int
) -> None:
    parser = small_parser(grammar, seed)
    programs = [actions for actions, _ in zip(enumerated(grammar, 8), range(3000), strict=False)]
    total = parser.score(parser.encode([sentence]), [programs]).log_probabilities.exp().sum()
    assert total <= 1 + 1e-9


@given(sentences, seeds)
@torch.no_grad()
def test_the_probabilities_of_all_programs_of_a_finite_grammar_add_up_to_one(sentence: list[str], seed: int) -> None:
    a, b, r = Basic("A"), Basic("B"), Basic("R")
    signature = {"f": Function((a, b), r), "g": Function((b,), a), "k": a, "l": b, "m": b, "n": r}
    grammar = Grammar(signature, r)
    parser = small_parser(grammar, seed)
    programs = list(enumerated(grammar, 30))
    assert len(programs) == sum(grammar.count(30)) > 5
    total = parser.score(parser.encode([sentence]), [programs]).log_probabilities.exp().sum()
    assert torch.isclose(total, total.new_ones(()))


def test_programs_that_the_grammar_does_not_build_are_refused() -> None:
    parser = small_parser(Consistent.grammar, 0)
    encoding = parser.encode([["a"], ["b"]])
    right = list(Consistent.parse("object_exists(black(all_objects))").action_ids)
    with pytest.raises(ChoraleError, match=r"utterance 2 .* program 1: action 1 is not legal"):
        parser.score(encoding, [[right], [right[1:]]])
    with pytest.raises(ChoraleError, match=r"program 2: .* not complete"):
        parser.score(encoding, [[right, right[:-1]], []])
    with pytest.raises(ChoraleError, match="after the end"):
        parser.score(encoding, [[[*right, 0]], []])
    with pytest.raises(ChoraleError, match="not legal"):
        parser.score(encoding, [[[10_000]], []])
    assert parser.score(encoding, [[], []]).log_probabilities.shape == (2, 0)


def test_gradients_reach_every_parameter() -> None:
    parser = small_parser(Consistent.grammar, 0, Sizes(token_embedding=6, encoder=4, action_embedding=6, coverage=True))
    right = Consistent.parse("object_exists(black(all_objects))").action_ids
    scores = parser.score(parser.encode([["a", "b"]], agendas=[right[-2:]]), [[right]])
    scores.log_probabilities.sum().backward()
    for name, parameter in parser.network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
