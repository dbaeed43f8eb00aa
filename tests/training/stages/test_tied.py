"""Tied rewards: the objective, a step of the stage against a plain computation, and a stage that is taken up again."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.people import PeopleDomain, write_questions
from tests.training.decided import decided
from tests.training.slotted import write_slotted
from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Grammar
from chorale.nlvr.domain import Nlvr
from chorale.parser.decoding import encode
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary
from chorale.runs.checkpoints import read_tensors
from chorale.runs.watching import Interrupted, Stop, Watcher
from chorale.training.abstract_cache import AbstractCache
from chorale.training.objectives.tied import TiedLoss, tied_reward
from chorale.training.recipes import Recipe, parse_recipe
from chorale.training.stages.tied import TiedReward
from chorale.training.train import train

INFINITE = -torch.inf
torch.set_num_threads(1)  # the tensors are tiny


def plain(logs: Sequence[float], rewards: Sequence[float], power: float) -> tuple[list[float], float]:
    """The weights of an utterance's programs, and its loss."""
    worth = [(reward * math.exp(log)) ** power if reward else 0.0 for log, reward in zip(logs, rewards, strict=True)]
    total = sum(worth)
    weights = [one / total if total else 0.0 for one in worth]
    return weights, -sum(weight * log for weight, log in zip(weights, logs, strict=True) if weight)


class TestObjective:
    def test_a_case_by_hand(self) -> None:
        logs = torch.tensor([[0.36, 0.04, 0.5], [0.2, 0.1, 0.0]]).log()
        rewards = torch.tensor([[1.0, 0.25, 0.0], [0.0, 0.0, 1.0]])
        # square roots 0.6 and 0.1; the second utterance has no program that is worth something
        expected = -(6 * math.log(0.36) + math.log(0.04)) / 7 / 2
        assert tied_reward(logs, rewards).item() == pytest.approx(expected)

    @given(
        st.lists(st.tuples(st.floats(-20, 0), st.sampled_from([0.0, 0.75, 0.9, 1.0])), min_size=1, max_size=5),
        st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    )
    def test_loss_and_gradient_equal_plain_ones(self, cases: list[tuple[float, float]], power: float) -> None:
        given_logs, rewards = zip(*cases, strict=True)
        logs = torch.tensor([given_logs], dtype=torch.float64, requires_grad=True)
        loss = tied_reward(logs, torch.tensor([rewards], dtype=torch.float64), power)
        loss.backward()
        weights, expected = plain(given_logs, rewards, power)
        assert loss.item() == pytest.approx(expected, abs=1e-9)
        assert logs.grad is not None
        assert logs.grad[0].tolist() == pytest.approx([-weight for weight in weights])

    def test_with_power_one_it_moves_as_the_marginal_likelihood_weighed_by_reward(self) -> None:
        logs = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
        rewards = torch.tensor([0.8, 0.0, 1.0, 0.75, 0.9], dtype=torch.float64).expand(3, 5)
        [ours] = torch.autograd.grad(tied_reward(logs, rewards, 1.0), logs)
        [theirs] = torch.autograd.grad(-(rewards * logs.exp()).sum(1).log().mean(), logs)
        assert torch.allclose(ours, theirs)

    def test_utterances_without_a_rewarded_program_leave_no_trace(self) -> None:
        logs = torch.tensor([[-1.0, INFINITE], [INFINITE, INFINITE]], requires_grad=True)
        loss = tied_reward(logs, torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
        loss.backward()
        assert loss.item() == 0
        assert logs.grad is not None
        assert (logs.grad == 0).all()

    def test_gradient_of_a_network(self) -> None:
        """Differences of the loss along every parameter, with the weights held, equal its gradient."""
        a, r = Basic("A"), Basic("R")
        signature = {"f": Function((a,), r), "g": Function((a,), a), "k": a, "l": a}
        torch.manual_seed(0)
        parser = Parser(
            Grammar(signature, r),
            Vocabulary("ab"),
            Sizes(token_embedding=3, encoder=2, action_embedding=3, dropout=0.0),
        )
        parser.network.double()
        listed = list(parser.grammar.enumerate(8))
        programs, rewards = [listed[:4], listed[1:5]], torch.tensor([[1.0, 0.0, 0.8, 0.75], [0.0, 0.9, 0.8, 1.0]])
        parameters = tuple(parser.network.parameters())

        def scores() -> Tensor:
            return parser.score(parser.encode([["a", "b"], ["b"]]), programs).log_probabilities

        lists = scores().tolist()
        held = torch.tensor([plain(logs, some, 0.5)[0] for logs, some in zip(lists, rewards.tolist(), strict=True)])

        def loss_with_held_weights(*_: Tensor) -> Tensor:
            return -(held * scores()).sum(1).mean()

        assert torch.autograd.gradcheck(loss_with_held_weights, parameters, atol=1e-6, fast_mode=True)
        expected = torch.autograd.grad(loss_with_held_weights(), parameters, allow_unused=True)
        found = torch.autograd.grad(tied_reward(scores(), rewards), parameters, allow_unused=True)
        for one, other in zip(found, expected, strict=True):
            assert (one is None) == (other is None)
            assert one is None or other is None or torch.allclose(one, other, atol=1e-6)


# -- the stage ---------------------------------------------------------------------------------------------------


@dataclass
class Held:
    """A stage before its first step."""

    stage: TiedReward
    corpus: Corpus
    parser: Parser
    examples: Mapping[str, Sequence[str]]

    def cache(self) -> AbstractCache:
        stage = self.stage
        cache = AbstractCache(
            self.corpus.grounding,
            [Nlvr.abstractions.slotted(utterance.sentence) for utterance in self.corpus.utterances],
            counted=stage.counted,
            ratio=stage.ratio,
            offered=stage.offered,
            max_actions=stage.max_actions,
        )
        cache.meet(self.examples)
        return cache


@pytest.fixture
def begin(tmp_path: Path) -> Callable[..., Held]:
    def start(**settings: Any) -> Held:
        write_slotted(tmp_path, {"train": 40, "dev": 2}, images=2, noise=0.1)
        stage = TiedReward(max_actions=9, beam=12, **settings)
        corpus, parser = decided(Nlvr(), "consistent", list(Nlvr().read(tmp_path / "train.jsonl")))
        return Held(stage, corpus, parser, Nlvr.abstractions.examples("consistent", str(tmp_path / "examples.toml")))

    return start


def beam_of(held: Held, number: int) -> list[tuple[int, ...]]:
    """The beam of one utterance by itself."""
    encoding = encode(held.parser, held.corpus, [number])
    found = held.parser.search(encoding, held.stage.beam, held.stage.max_actions)
    return [tuple(action for action in row if action >= 0) for row in found.actions[0].tolist()]


def loss_of(held: Held, number: int, rewards: Mapping[tuple[int, ...], float]) -> float:
    """The loss of one utterance, from what its programs are worth."""
    worth = {actions: value for actions, value in rewards.items() if value > 0}
    if not worth:
        return 0.0
    scores = held.parser.score(encode(held.parser, held.corpus, [number]), [list(worth)])
    return plain(scores.log_probabilities[0].tolist(), list(worth.values()), held.stage.power)[1]


def test_a_step_equals_a_plain_computation(begin: Callable[..., Held]) -> None:
    held = begin(counted="images", ratio=1.5, offered=3, power=0.7)
    objective = TiedLoss(held.stage, held.parser, held.corpus, held.cache())
    chosen, twin, judged = [4, 0, 9, 17], held.cache(), []
    for number in chosen:  # all beams are judged before anything is offered
        judged.append({it: twin.reward(number, np.array(it, dtype=np.int16)) for it in beam_of(held, number)})
    lacked, total = [], 0.0
    for number, rewards in zip(chosen, judged, strict=True):
        new = [actions for actions in twin.offers(number) if actions not in rewards]
        rewards |= {actions: twin.reward(number, np.array(actions, dtype=np.int16)) for actions in new}
        lacked.append(sum(rewards[actions] > 0 for actions in new))
        total += loss_of(held, number, rewards)
    assert total > 0
    assert sum(lacked) > 0
    assert objective.loss(chosen).item() == pytest.approx(total / len(chosen), rel=1e-4)
    figures = objective.figures.take()
    assert figures["offered"] == pytest.approx(sum(lacked) / len(chosen))
    assert figures["rewarded"] == sum(any(some.values()) for some in judged) / len(chosen)
    assert objective.memory is not None
    assert objective.memory.written() == twin.written()


def test_a_batch_without_a_rewarded_program_has_no_loss(begin: Callable[..., Held]) -> None:
    held = begin(ratio=1000000.0, offered=0, counted="images")
    loss = TiedLoss(held.stage, held.parser, held.corpus, held.cache()).loss([0, 1, 2])
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.item() == 0
    assert all(parameter.grad is None for parameter in held.parser.network.parameters())


# -- whole runs --------------------------------------------------------------------------------------------------


class AfterFirst(Watcher):
    """Asks to stop after the first epoch of tied rewards."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop

    def line(self, values: Mapping[str, Any]) -> None:
        if values["kind"] == "tied":
            self.stop.ask()


def small(folder: Path, *changes: str) -> Recipe:
    recipe = f"""
    name = "small"
    stages = [{{ kind = "tied", start = "scratch", max_actions = 9, beam = 12, epochs = 3 }}]
    [parser]
    token_embedding = 16
    encoder = 12
    action_embedding = 16
    [tied]
    file = "{folder / "examples.toml"}"
    learning_rate = 0.01
    counted = "images"
    ratio = 1.0
    """
    return parse_recipe(recipe, changes=changes)


def test_a_run_that_was_stopped_remembers_what_it_had_found(tmp_path: Path) -> None:
    write_slotted(tmp_path, {"train": 40, "dev": 6}, images=2)
    recipe, stop = small(tmp_path), Stop()
    with pytest.raises(Interrupted):
        train(recipe, tmp_path, tmp_path / "stopped", watcher=AfterFirst(stop), stop=stop)
    state = json.loads((tmp_path / "stopped" / "progress.json").read_text())["state"]["latest"]
    kept = json.loads(bytes(read_tensors(tmp_path / "stopped" / state["file"], state["sha256"])["memory"].tolist()))
    assert sum(map(len, kept.values())) > 20  # found in beams, beside the few that are written by hand
    for name in ("stopped", "whole"):
        train(recipe, tmp_path, tmp_path / name)
    for file in ("metrics.jsonl", "model.safetensors", "dev.json"):
        assert (tmp_path / "stopped" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


def test_a_domain_without_abstract_examples_ties_equal_sentences(tmp_path: Path) -> None:
    write_questions(tmp_path, train=40, dev=6)
    recipe = """
    name = "people"
    domain = "people"
    language = "asking"
    stages = [{ kind = "tied", start = "scratch", max_actions = 9, beam = 30, epochs = 2 }]
    """
    run = train(parse_recipe(recipe), tmp_path, tmp_path / "run", domain=PeopleDomain())
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert lines[1]["rewarded"] > 0


def test_a_language_without_examples_is_refused(tmp_path: Path) -> None:
    write_slotted(tmp_path, {"train": 6, "dev": 2}, images=2)
    with pytest.raises(ChoraleError, match="macro cannot read them"):
        train(small(tmp_path, "language=macro"), tmp_path, tmp_path / "run")
