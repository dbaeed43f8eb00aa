"""A network that listens to a lexicon, against the slow twin and its gradient; and what it refuses."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.enumerated import enumerated

from chorale.domain import Hints
from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Grammar
from chorale.parser import lexical
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary

from .slow import OPEN, WORDS, Slow, grammars, seeds, sentences, small_parser
from .test_beam import same
from .test_scoring import some_programs

FEW = settings(max_examples=max(settings.default.max_examples // 3, 1))
LISTENING = Sizes(token_embedding=6, encoder=4, action_embedding=6, lexicon=True)


def draw_hints(data: st.DataObject, grammar: Grammar, sentence: list[str]) -> Hints:
    """Phrases anywhere in the sentence that ask for any terminals, known or not."""
    names = st.sampled_from([*sorted(grammar.terminal_ids), "elsewhere"])
    spans = st.integers(0, len(sentence) - 1).flatmap(lambda at: st.tuples(st.just(at), st.integers(at, len(sentence))))
    phrases = st.tuples(st.sampled_from("xy"), st.frozensets(names, max_size=3))
    listed = data.draw(st.lists(st.tuples(phrases, spans), max_size=4))
    allowed = data.draw(st.frozensets(names, min_size=1))
    return Hints(allowed, tuple(phrase for phrase, _ in listed), frozenset(), tokens=tuple(span for _, span in listed))


@FEW
@given(grammars(open_types=OPEN), st.lists(sentences, min_size=1, max_size=3), seeds, st.booleans(), st.data())
@torch.no_grad()
def test_beam_and_scores_equal_the_twins(
    grammar: Grammar, batch: list[list[str]], seed: int, own: bool, data: st.DataObject
) -> None:
    parser = small_parser(grammar, seed, LISTENING)
    names = st.lists(st.sampled_from(("a", "b_c", "d", "e_a")), max_size=3, unique=True)
    contexts = [grammar] * len(batch)
    if own:
        contexts = [
            grammar.with_terminals(dict.fromkeys(data.draw(names), data.draw(st.sampled_from(OPEN)))) for _ in batch
        ]
    hints = [draw_hints(data, *pair) for pair in zip(contexts, batch, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "FORBIDDEN", -3.0)  # milder, or programs that are all but impossible tie
        compare(parser, batch, contexts, hints, [some_programs(data, context) for context in contexts], own)


def compare(
    parser: Parser,
    batch: list[list[str]],
    contexts: list[Grammar],
    hints: list[Hints],
    programs: list[list[tuple[int, ...]]],
    own: bool,
) -> None:
    encoding = parser.encode(batch, grammars=contexts if own else None, hints=hints)
    beam = parser.search(encoding, 3, 8, attention=True)
    scores = parser.score(encoding, programs).log_probabilities
    for row, (sentence, context) in enumerate(zip(batch, contexts, strict=True)):
        slow = Slow(parser, sentence, context, hints=hints[row])
        same(beam, row, slow, 3, 8)
        for place, actions in enumerate(programs[row]):
            assert torch.allclose(scores[row, place], slow.score(actions))


A, R = Basic("A"), Basic("R")
GRAMMAR = Grammar({"f": Function((A,), R), "g": Function((A,), A), "k": A, "l": A}, R)
HINTS = Hints(
    frozenset("fgk"),
    (("a", frozenset("k")), ("b", frozenset("gl")), ("b", frozenset("gl"))),
    frozenset(),
    tokens=((0, 1), (1, 2), (1, 2)),
)


def test_gradient_goes_through_the_attention() -> None:
    torch.manual_seed(0)
    sizes = Sizes(token_embedding=3, encoder=2, action_embedding=3, dropout=0.0, lexicon=True)
    parser = Parser(GRAMMAR, Vocabulary("ab"), sizes)
    parser.network.double()
    programs = [list(enumerated(GRAMMAR, 6))[:4]]

    def loss(*_: torch.Tensor) -> torch.Tensor:
        return parser.score(parser.encode([["a", "b"]], hints=[HINTS]), programs).log_probabilities.mean()

    assert torch.autograd.gradcheck(loss, tuple(parser.network.parameters()), atol=1e-6, fast_mode=True)


def test_a_terminal_that_is_not_allowed_comes_last() -> None:
    parser = small_parser(GRAMMAR, 3, LISTENING)
    beam = parser.search(parser.encode([["a", "b"]], hints=[HINTS]), 20, 5)
    used = [GRAMMAR.terminal_ids["l"] in program for program in beam.actions[0][beam.filled[0]].tolist()]
    assert sorted(used) == used
    assert beam.log_probabilities[0, used.index(True)] < -1000


def test_the_lexicon_adds_three_weights_and_leaves_the_others_as_they_are() -> None:
    parsers = []
    for lexicon in (False, True):
        torch.manual_seed(1)
        parsers.append(Parser(GRAMMAR, Vocabulary(WORDS), Sizes(lexicon=lexicon)).network.state_dict())
    plain, listening = parsers
    assert listening.keys() - plain.keys() == {"lexicon"}
    assert listening["lexicon"].shape == (3,)
    assert all(torch.equal(plain[name], listening[name]) for name in plain)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ChoraleError, match="listens to a lexicon"):
        small_parser(GRAMMAR, 0, LISTENING).encode([["a"]])
    with pytest.raises(ValidationError, match="action_embedding equal to token_embedding"):
        Sizes(lexicon=True, token_embedding=7)
