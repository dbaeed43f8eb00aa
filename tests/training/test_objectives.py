"""Each objective: hand-computed cases, a slow twin where it is vectorised, and its gradient against differences."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.enumerated import enumerated
from torch import Tensor

from chorale.language import Basic, Function, Grammar
from chorale.nlvr import Consistent
from chorale.parser.beam import Beam
from chorale.parser.network import Encoding
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary
from chorale.training.consistency import Agreement, RelatedPairs, consistency
from chorale.training.objectives.coverage import coverage_cost
from chorale.training.objectives.mml import marginal_likelihood
from chorale.training.objectives.reward import expected_reward
from chorale.training.rewards import renormalised

INFINITE = -torch.inf
torch.set_num_threads(1)  # the tensors are tiny


def tiny(*, covering: bool = False) -> Parser:
    """A network small enough to differentiate numerically, in double precision."""
    a, r = Basic("A"), Basic("R")
    signature = {"f": Function((a,), r), "g": Function((a,), a), "k": a, "l": a, "both": Function((a, a), r)}
    torch.manual_seed(0)
    parser = Parser(
        Grammar(signature, r),
        Vocabulary("ab"),
        Sizes(token_embedding=3, encoder=2, action_embedding=3, dropout=0.0, coverage=covering),
    )
    parser.network.double()
    return parser


def gradient_is_right(parser: Parser, loss: Callable[[], Tensor]) -> None:
    """Differences of the loss along every parameter equal its gradient."""
    parameters = tuple(parser.network.parameters())
    assert loss().abs() > 0
    assert torch.autograd.gradcheck(lambda *_: loss(), parameters, atol=1e-6, fast_mode=True)


def explore(parser: Parser, encoding: Encoding, *, attention: bool = False) -> tuple[Beam, Tensor]:
    """A beam, and its programs scored exactly, with gradient."""
    beam = parser.search(encoding, 4, 6, attention=attention)
    return beam, parser.score(encoding, beam.actions.numpy()).log_probabilities


class TestMarginalLikelihood:
    def test_is_minus_the_log_of_the_summed_probability(self) -> None:
        logs = torch.tensor([[0.1, 0.2], [0.5, 0.0]]).log()
        expected = -(torch.tensor(0.3).log() + torch.tensor(0.5).log()) / 2
        assert torch.isclose(marginal_likelihood(logs), expected)

    def test_utterances_without_candidates_leave_no_trace(self) -> None:
        logs = torch.tensor([[-1.0, INFINITE], [INFINITE, INFINITE]], requires_grad=True)
        loss = marginal_likelihood(logs)
        loss.backward()
        assert loss.item() == 0.5
        assert logs.grad is not None
        assert logs.grad.tolist() == [[-0.5, 0.0], [0.0, 0.0]]
        assert marginal_likelihood(torch.full((2, 0), INFINITE)).item() == 0

    def test_gradient(self) -> None:
        parser = tiny()
        listed = list(enumerated(parser.grammar, 6))
        programs = [listed[:4], listed[3:5]]

        def loss() -> Tensor:
            return marginal_likelihood(parser.score(parser.encode([["a", "b"], ["b"]]), programs).log_probabilities)

        gradient_is_right(parser, loss)


class TestExpectedReward:
    def test_weighs_rewards_by_probabilities_within_the_beam(self) -> None:
        logs = torch.tensor([[0.3, 0.1, 0.0], [0.2, 0.2, 0.4]]).log()
        rewards = torch.tensor([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
        assert torch.isclose(expected_reward(logs, rewards), torch.tensor(-(0.25 + 0.75) / 2))

    def test_an_empty_beam_has_no_reward_and_no_gradient(self) -> None:
        logs = torch.full((1, 2), INFINITE, requires_grad=True)
        loss = expected_reward(logs, torch.ones(1, 2))
        loss.backward()
        assert loss.item() == 0
        assert logs.grad is not None
        assert (logs.grad == 0).all()

    def test_equal_rewards_leave_no_gradient(self) -> None:
        logs = torch.randn(3, 4, requires_grad=True)
        expected_reward(logs, torch.full((3, 4), 0.7)).backward()
        assert logs.grad is not None
        assert torch.allclose(logs.grad, torch.zeros(()), atol=1e-7)

    def test_search_and_scores_see_the_same_dropout(self) -> None:
        torch.manual_seed(0)
        parser = Parser(Consistent.grammar, Vocabulary("ab"))
        beam, scores = explore(parser, parser.encode([["a", "b"], ["b"]]))
        assert torch.allclose(beam.log_probabilities, scores, atol=1e-5)
        assert scores.requires_grad

    def test_gradient(self) -> None:
        parser = tiny()

        def loss() -> Tensor:
            beam, scores = explore(parser, parser.encode([["a", "b"], ["b"]]))
            return expected_reward(scores, (beam.actions >= 0).sum(-1) % 2)

        gradient_is_right(parser, loss)


class TestCoverage:
    def test_cost_counts_what_is_missing_and_all_that_is_triggered_if_wrong(self) -> None:
        actions = torch.tensor([[[0, 1, 2, -1], [0, 3, 3, 9]]])
        agenda = torch.tensor([[0.0, 1.0, 1.0, 1.0]])
        costs = coverage_cost(actions, torch.tensor([[True, False]]), agenda)
        assert torch.allclose(costs, torch.tensor([[0.4 * 1, 0.4 * 2 + 0.6 * 3]]))

    def test_gradient(self) -> None:
        parser = tiny(covering=True)
        terminals = [parser.grammar.terminal_ids[name] for name in ("f", "g")]

        def loss() -> Tensor:
            encoding = parser.encode([["a", "b"], ["b"]], agendas=[terminals, terminals[:1]])
            beam, scores = explore(parser, encoding)
            assert encoding.agenda is not None
            right = (beam.actions >= 0).sum(-1) % 2 == 0
            return expected_reward(scores, -coverage_cost(beam.actions, right, encoding.agenda))

        gradient_is_right(parser, loss)


def looking(texts: Sequence[str], relevant: Sequence[set[str]], tokens: int, span: tuple[int, int]) -> Beam:
    """A beam of one utterance whose programs look at the phrase exactly where they name a relevant function."""
    programs = [Consistent.parse(text).action_ids for text in texts]
    names = [production.name for production in Consistent.grammar.productions]
    actions = torch.full((1, len(programs), max(map(len, programs))), -1)
    attention = torch.zeros((*actions.shape, tokens))
    for place, (program, some) in enumerate(zip(programs, relevant, strict=True)):
        actions[0, place, : len(program)] = torch.tensor(program)
        for step, action in enumerate(program):
            where = span[0] if names[action] in some else 0
            attention[0, place, step, where] = 1
    scores = torch.arange(len(programs), 0, -1).log()[None]
    return Beam(actions, scores, attention)


def joined(*beams: Beam) -> Beam:
    """Beams of one utterance each as one batch."""
    sizes = [max(beam.attention.shape[axis] for beam in beams if beam.attention is not None) for axis in (1, 2, 3)]
    batch = Beam(
        torch.full((len(beams), sizes[0], sizes[1]), -1),
        torch.full((len(beams), sizes[0]), INFINITE),
        torch.zeros((len(beams), *sizes)),
    )
    assert batch.attention is not None
    for row, beam in enumerate(beams):
        _, width, steps = beam.actions.shape
        assert beam.attention is not None
        batch.actions[row, :width, :steps] = beam.actions[0]
        batch.log_probabilities[row, :width] = beam.log_probabilities[0]
        batch.attention[row, :width, :steps, : beam.attention.shape[-1]] = beam.attention[0]
    return batch


def of_paper() -> tuple[Beam, Tensor, RelatedPairs]:
    """There is a (yellow object above a black object); There are 2 boxes with a (yellow object above a black object).

    The related utterance has one right program out of two; it has three of four parts of the whole beam's probability.
    """
    ours = looking(
        [
            "object_exists(yellow(above(black(all_objects))))",
            "object_exists(yellow(all_objects))",
            "object_exists(above(yellow(all_objects)))",
            "object_exists(all_objects)",
        ],
        [{"yellow", "above", "black"}, {"yellow"}, {"above", "yellow"}, set()],
        tokens=9,
        span=(3, 9),
    )
    theirs = looking(
        [
            "box_count_equals(2, box_filter(all_boxes, object_exists(yellow(above(black)))))",
            "box_exists(all_boxes)",
        ],
        [{"yellow", "above", "black"}, set()],
        tokens=11,
        span=(5, 11),
    )
    beam = joined(ours, replace(theirs, log_probabilities=torch.tensor([[3.0, 1.0]]).log()))
    right = torch.tensor([[True, True, False, True], [True, False, False, False]])
    pairs = RelatedPairs(torch.tensor([0]), torch.tensor([[3, 9]]), torch.tensor([1]), torch.tensor([[5, 11]]))
    return beam, right, pairs


class TestConsistency:
    productions = len(Consistent.grammar)

    def test_the_papers_example(self) -> None:
        rewards = consistency(*of_paper(), self.productions)
        assert torch.allclose(rewards[0], 0.75 * torch.tensor([1.0, 0.5, 0.8, 0.0]))
        assert (rewards[1] == 0).all()

    def test_programs_that_are_wrong_are_rewarded_as_well(self) -> None:
        beam, right, pairs = of_paper()
        right[0] = False
        assert torch.allclose(consistency(beam, right, pairs, self.productions)[0, 0], torch.tensor(0.75))

    def test_without_a_right_related_program_only_the_plain_reward_counts(self) -> None:
        beam, right, pairs = of_paper()
        right[1] = False
        assert (consistency(beam, right, pairs, self.productions) == 0).all()

    def test_several_related_utterances_are_averaged(self) -> None:
        beam, right, pairs = of_paper()
        twice = RelatedPairs(
            torch.tensor([0, 0]),
            pairs.spans.repeat(2, 1),
            torch.tensor([1, 0]),
            torch.tensor([[5, 11], [3, 9]]),
        )
        # Compared with itself: right ones are the 1st, 2nd and 4th, with 4, 2 and 1 parts of 10.
        itself = 0.4 * torch.tensor([1, 0.5, 0.8, 0]) + 0.3 * torch.tensor([0.5, 1, 2 / 3, 0])
        expected = (0.75 * torch.tensor([1.0, 0.5, 0.8, 0.0]) + itself) / 2
        assert torch.allclose(consistency(beam, right, twice, self.productions)[0], expected)

    @pytest.mark.parametrize(("threshold", "expected"), [(1.0, [0.75, 0.375, 0.6, 0.0]), (1.1, [0.0] * 4)])
    def test_attention_that_equals_the_threshold_is_enough(self, threshold: float, expected: list[float]) -> None:
        rewards = consistency(*of_paper(), self.productions, Agreement(threshold))
        assert torch.allclose(rewards[0], torch.tensor(expected))

    def test_fillers_do_not_count_where_phrases_have_others(self) -> None:
        beam, right, pairs = of_paper()
        how = Agreement(fillers=frozenset({Consistent.grammar.terminal_ids["black"]}))
        for other, expected in ((True, [0.75, 0.5, 0.75, 0.0]), (False, [0.75, 0.375, 0.6, 0.0])):
            rewards = consistency(
                beam, right, replace(pairs, other_fillers=torch.tensor([other])), self.productions, how
            )
            assert torch.allclose(rewards[0], torch.tensor(expected))

    def test_an_action_that_occurs_twice_counts_once(self) -> None:
        texts = ["object_exists(black(above(black(all_objects))))", "object_exists(black(all_objects))"]
        beam = looking(texts, [{"black"}, {"black"}], 4, (2, 4))
        right, place, span = torch.tensor([[False, True]]), torch.tensor([0]), torch.tensor([[2, 4]])
        pairs = RelatedPairs(place, span, place, span)
        weight = 1 / 3
        assert torch.allclose(consistency(beam, right, pairs, self.productions), torch.tensor([[weight, weight]]))

    def test_a_beam_without_attention_is_refused(self) -> None:
        beam, right, pairs = of_paper()
        with pytest.raises(ValueError, match="attention=True"):
            consistency(replace(beam, attention=None), right, pairs, self.productions)

    @given(st.integers(0, 10_000))
    def test_equals_sets_compared_one_by_one(self, seed: int) -> None:
        torch.manual_seed(seed)
        how = Agreement(0.5, frozenset({2}))
        actions = torch.randint(-1, 5, (3, 4, 6))
        scores = torch.randn(3, 4).sort(descending=True).values
        scores[0, 3] = INFINITE
        beam = Beam(actions, scores, torch.randn(3, 4, 6, 5).mul(2).softmax(-1))
        right = torch.rand(3, 4) < 0.5
        pairs = RelatedPairs(
            torch.randint(3, (4,)),
            torch.tensor([[0, 2], [1, 4], [2, 5], [3, 4]]),
            torch.randint(3, (4,)),
            torch.tensor([[0, 3], [1, 2], [0, 5], [2, 4]]),
            torch.tensor([True, False, True, False]),
        )
        assert torch.allclose(consistency(beam, right, pairs, 5, how), _slow(beam, right, pairs, how), atol=1e-6)

    def test_gradient(self) -> None:
        """The probabilities of the related programs are in the reward, but only as constants."""
        parser = tiny()
        span = torch.tensor([[0, 1]])
        pairs = RelatedPairs(torch.tensor([0]), span, torch.tensor([1]), span)
        beam = parser.search(parser.encode([["a", "b"], ["b", "a"]]), 4, 6, attention=True)
        right = (beam.actions >= 0).sum(-1) % 2 == 0
        rewards = right + consistency(beam, right, pairs, len(parser.grammar), Agreement(threshold=0.4))
        assert len(rewards.unique()) > 2

        def loss() -> Tensor:
            return expected_reward(explore(parser, parser.encode([["a", "b"], ["b", "a"]]))[1], rewards)

        gradient_is_right(parser, loss)

    def test_no_gradient_flows_through_the_reward(self) -> None:
        parser = tiny()
        span = torch.tensor([[0, 1]])
        beam, _ = explore(parser, parser.encode([["a", "b"], ["b", "a"]]), attention=True)
        pairs = RelatedPairs(torch.tensor([0]), span, torch.tensor([1]), span)
        assert not consistency(beam, beam.filled, pairs, len(parser.grammar)).requires_grad


def _slow(beam: Beam, right: Tensor, pairs: RelatedPairs, how: Agreement) -> Tensor:
    def relevant(row: int, place: int, span: Tensor, left_out: frozenset[int]) -> set[int]:
        assert beam.attention is not None
        found = set()
        for action, attention in zip(beam.actions[row, place].tolist(), beam.attention[row, place], strict=True):
            mass = attention[int(span[0]) : int(span[1])].sum()
            if action >= 0 and mass >= how.threshold and action not in left_out:
                found.add(action)
        return found

    result = torch.zeros_like(beam.log_probabilities)
    for row in range(len(result)):
        mine = [pair for pair in range(len(pairs.rows)) if pairs.rows[pair] == row]
        for pair in mine:
            other = int(pairs.related[pair])
            left_out = how.fillers if pairs.other_fillers is not None and pairs.other_fillers[pair] else frozenset()
            usable = [p for p in range(beam.actions.shape[1]) if right[other, p] and beam.filled[other, p]]
            whole = sum(map(float, beam.log_probabilities[other].exp()))
            for place in range(beam.actions.shape[1]):
                ours = relevant(row, place, pairs.spans[pair], left_out)
                for theirs_place in usable:
                    theirs = relevant(other, theirs_place, pairs.related_spans[pair], left_out)
                    score = 2 * len(ours & theirs) / max(len(ours) + len(theirs), 1)
                    weight = float(beam.log_probabilities[other, theirs_place].exp()) / whole
                    result[row, place] += weight * score / len(mine)
    return result * beam.filled


def test_probabilities_within_the_beam_add_up_to_one() -> None:
    assert torch.allclose(renormalised(torch.tensor([[-800.0, -801.0, INFINITE]])).sum(), torch.tensor(1.0))
