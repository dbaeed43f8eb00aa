"""Batched beam search against its slow twin."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from chorale.language import Basic, Function, Grammar
from chorale.language.derivation import term_of
from chorale.nlvr import Consistent
from chorale.parser.beam import Beam
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary

from .slow import OPEN, SMALL, WORDS, Slow, grammars, seeds, sentences, small_parser

FEW = settings(max_examples=max(settings.default.max_examples // 3, 1))


def same(beam: Beam, row: int, slow: Slow, width: int, max_actions: int) -> None:
    """Check one row of a beam against the twin's."""
    expected = slow.search(width, max_actions)
    found = [[action for action in program if action >= 0] for program in beam.actions[row].tolist()]
    assert [tuple(program) for program in found if program] == [h.actions for h in expected]
    scores = torch.tensor([h.score for h in expected], dtype=torch.float64)
    assert torch.allclose(beam.log_probabilities[row, : len(expected)], scores)
    assert (beam.log_probabilities[row, len(expected) :] == -torch.inf).all()
    assert beam.attention is not None
    for place, hypothesis in enumerate(expected):
        attention = beam.attention[row, place, : len(hypothesis.actions)]
        tokens = len(hypothesis.attention[0])
        assert torch.allclose(attention[:, :tokens], torch.stack(hypothesis.attention))
        assert torch.allclose(attention.sum(1), torch.ones((), dtype=torch.float64))
        assert (beam.attention[row, place, len(hypothesis.actions) :] == 0).all()


@FEW
@given(grammars(), st.lists(sentences, min_size=1, max_size=3), seeds, st.integers(1, 6), st.integers(0, 5))
@torch.no_grad()
def test_equals_a_search_of_one_hypothesis_at_a_time(
    grammar: Grammar, batch: list[list[str]], seed: int, width: int, more: int
) -> None:
    parser, max_actions = small_parser(grammar, seed), int(grammar.shortest[0]) + more
    beam = parser.search(parser.encode(batch), width, max_actions, attention=True)
    for row, sentence in enumerate(batch):
        same(beam, row, Slow(parser, sentence), width, max_actions)


@FEW
@given(grammars(open_types=OPEN), st.lists(sentences, min_size=1, max_size=3), seeds, st.data())
@torch.no_grad()
def test_equals_the_twin_with_constants_of_each_context(
    grammar: Grammar, batch: list[list[str]], seed: int, data: st.DataObject
) -> None:
    names = st.lists(st.sampled_from(("a", "b_c", "d", "e_a")), max_size=3, unique=True)
    kinds = st.sampled_from(OPEN)
    contexts = [grammar.with_terminals({name: data.draw(kinds) for name in data.draw(names)}) for _ in batch]
    parser = small_parser(grammar, seed)
    beam = parser.search(parser.encode(batch, grammars=contexts), 3, 8, attention=True)
    for row, (sentence, context) in enumerate(zip(batch, contexts, strict=True)):
        same(beam, row, Slow(parser, sentence, context), 3, 8)


@FEW
@given(grammars(), st.lists(sentences, min_size=1, max_size=3), seeds, st.data())
@torch.no_grad()
def test_equals_the_twin_with_an_agenda(
    grammar: Grammar, batch: list[list[str]], seed: int, data: st.DataObject
) -> None:
    agendas = [data.draw(st.sets(st.integers(0, len(grammar) - 1))) for _ in batch]
    parser = small_parser(grammar, seed, Sizes(token_embedding=6, encoder=4, action_embedding=6, coverage=True))
    beam = parser.search(parser.encode(batch, agendas=agendas), 3, 8, attention=True)
    for row, (sentence, agenda) in enumerate(zip(batch, agendas, strict=True)):
        same(beam, row, Slow(parser, sentence, agenda=sorted(agenda)), 3, 8)


@pytest.mark.parametrize("width", [1, 10, 100])
def test_every_program_found_is_legal_complete_and_short_enough(width: int) -> None:
    torch.manual_seed(0)
    parser = Parser(Consistent.grammar, Vocabulary(WORDS))
    beam = parser.search(parser.encode([["a", "b"], ["c"]]), width, 13)
    assert beam.filled.all()
    for program in beam.actions.flatten(0, 1).tolist():
        actions = [action for action in program if action >= 0]
        assert len(actions) <= 13
        term_of(actions, Consistent.grammar)  # raises if it is no program
    assert (beam.log_probabilities.diff(dim=1) <= 0).all()
    assert len({tuple(program) for program in beam.actions[0].tolist()}) == width


def test_a_beam_wider_than_the_grammar_has_programs_is_filled_with_nothing() -> None:
    r = Basic("R")
    parser = small_parser(Grammar({"k": r, "l": r}, r), 0, SMALL)
    beam = parser.search(parser.encode([["a"]]), 5, 4)
    assert beam.filled.tolist() == [[True, True, False, False, False]]
    assert beam.actions[0, 2:].tolist() == [[-1], [-1], [-1]]


def test_a_context_that_lacks_a_needed_constant_has_no_program() -> None:
    a, r = Basic("A"), Basic("R")
    grammar = Grammar({"f": Function((a,), r)}, r, open_types=(a,))
    parser = small_parser(grammar, 0)
    contexts = [grammar.with_terminals({}), grammar.with_terminals({"b": a})]
    beam = parser.search(parser.encode([["a"], ["b"]], grammars=contexts), 2, 5)
    assert beam.filled.tolist() == [[False, False], [True, False]]
