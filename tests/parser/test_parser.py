"""The network's size, and what every step of it must keep to."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Grammar
from chorale.language.grammar import UNREACHABLE
from chorale.nlvr import Consistent, Macro
from chorale.parser.network import choose
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.tables import GrammarTables
from chorale.parser.vocabulary import Vocabulary

from .slow import WORDS, grammars, small_parser


@pytest.mark.parametrize("language", [Consistent, Macro])
def test_the_default_network_has_as_many_parameters_as_the_papers(language: type) -> None:
    grammar, vocabulary = language.grammar, Vocabulary([f"w{n}" for n in range(100)])
    network = Parser(grammar, vocabulary).network
    count = sum(parameter.numel() for parameter in network.parameters())
    assert count == 61_670 + 50 * (len(grammar) + 1) + 50 * len(vocabulary)


def test_coverage_adds_one_parameter_that_starts_at_one() -> None:
    plain = Parser(Consistent.grammar, Vocabulary(WORDS)).network
    covering = Parser(Consistent.grammar, Vocabulary(WORDS), Sizes(coverage=True)).network
    assert set(covering.state_dict()) - set(plain.state_dict()) == {"coverage"}
    assert covering.coverage.shape == ()
    assert covering.coverage.item() == 1


@given(grammars())
def test_options_are_exactly_the_legal_productions(grammar: Grammar) -> None:
    tables = GrammarTables.of(grammar)
    logs = choose(torch.randn(len(grammar.states), len(grammar)), torch.arange(len(grammar.states)), tables)
    options_legal = tables.growth < UNREACHABLE
    some = options_legal.any(1)  # a state that no program reaches may have none
    assert ((logs > -torch.inf) == options_legal)[some].all()
    for state in range(len(grammar.states)):
        legal = tables.options[state][options_legal[state]].tolist()
        assert sorted(legal) == sorted(grammar.children[state])
        assert sorted(legal) == grammar.legal[state].nonzero()[0].tolist()
    assert torch.allclose(logs.exp().sum(1)[some], torch.ones(()))


def test_a_sentence_is_read_alike_alone_and_beside_longer_ones() -> None:
    parser = small_parser(Consistent.grammar, 0)
    together, alone = parser.encode([["a"], ["b", "c", "d", "a"]]), parser.encode([["a"]])
    assert torch.allclose(together.start[0], alone.start[0])


def test_single_and_double_precision_agree() -> None:
    """They take different ways through torch: the encoder has a fast kernel in single precision only."""
    double, single = small_parser(Consistent.grammar, 0), small_parser(Consistent.grammar, 0)
    single.network.float()
    sentences = [["a"], ["b", "c", "d", "a"]]
    beam = double.search(double.encode(sentences), 3, 9)
    for parser in (double, single):
        scores = parser.score(parser.encode(sentences), beam.actions.numpy()).log_probabilities
        assert torch.allclose(scores.double(), beam.log_probabilities, atol=1e-3)


def test_the_same_seed_gives_the_same_weights_dropout_and_beam() -> None:
    def run() -> list[torch.Tensor]:
        torch.manual_seed(3)
        parser = Parser(Consistent.grammar, Vocabulary(WORDS))
        encoding = parser.encode([["a", "b"], ["c"]])
        return [encoding.tokens, parser.search(encoding, 5, 9).actions]

    assert all(torch.equal(first, second) for first, second in zip(run(), run(), strict=True))


def test_dropout_is_on_in_training_only() -> None:
    parser = Parser(Consistent.grammar, Vocabulary(WORDS))
    assert (parser.encode([list(WORDS)]).tokens == 0).any()
    parser.network.eval()
    assert not (parser.encode([list(WORDS)]).tokens == 0).any()


def test_a_sentence_without_tokens_reads_as_one_unknown_token() -> None:
    parser = small_parser(Consistent.grammar, 0)
    assert torch.equal(parser.encode([[]]).tokens, parser.encode([["never seen"]]).tokens)


def test_what_does_not_fit_the_parser_is_named() -> None:
    parser = small_parser(Consistent.grammar, 0)
    with pytest.raises(ChoraleError, match="at least one sentence"):
        parser.encode([])
    with pytest.raises(ChoraleError, match="does not extend Consistent"):
        parser.encode([["a"]], grammars=[Macro.grammar])
    with pytest.raises(ChoraleError, match="2 utterances, but 1"):
        parser.score(parser.encode([["a"]]), [[[0]], [[0]]])
    with pytest.raises(ChoraleError, match="the shortest has"):
        parser.search(parser.encode([["a"]]), 5, 1)
    for wrong in ({"dropout": 1.0}, {"encoder": 0}, {"encoder": 10**9}, {"wings": 2}):
        with pytest.raises(ValidationError, match=next(iter(wrong))):
            Sizes.model_validate(wrong)


def test_names_of_one_context_are_read_by_their_words() -> None:
    a, r = Basic("A"), Basic("R")
    grammar = Grammar({"f": Function((a,), r)}, r, open_types=(a,))
    parser = small_parser(grammar, 1)
    encoding = parser.encode(
        [["a"], ["b"]], grammars=[grammar.with_terminals({"b_c": a, "d": a}), grammar.with_terminals({"e": a})]
    )
    assert encoding.extra is not None
    vectors = parser.network.token_embedding.weight
    b, c, d, e = (vectors[parser.vocabulary.ids([word])[0]] for word in "bcde")
    assert torch.allclose(encoding.extra[0], torch.stack([(b + c) / 2, d]))
    assert torch.allclose(encoding.extra[1], torch.stack([e, torch.zeros_like(e)]))


class TestVocabulary:
    def test_the_most_frequent_tokens_come_first_and_rare_ones_are_unknown(self) -> None:
        vocabulary = Vocabulary.of([["b", "a"], ["b", "c", "c", "b"]], min_count=2)
        assert vocabulary.tokens == ["b", "c"]
        assert vocabulary.ids(["b", "a", "c"]) == [2, 1, 3]

    @given(st.lists(st.text(), unique=True))
    def test_the_list_of_tokens_is_all_that_needs_storing(self, tokens: list[str]) -> None:
        vocabulary = Vocabulary(tokens)
        again = Vocabulary(vocabulary.tokens)
        assert again.ids(tokens) == vocabulary.ids(tokens)
        assert len(again) == len(tokens) + 2
        assert all(token in again for token in tokens)

    def test_a_token_listed_twice_is_refused(self) -> None:
        with pytest.raises(ChoraleError, match="'a' twice"):
            Vocabulary(["a", "b", "a"])
