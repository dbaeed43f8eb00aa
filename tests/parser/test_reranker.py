"""The reranker against a twin that reads one program at a time, straight from the equations."""

import math
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from chorale.language import Basic, Function, Grammar
from chorale.parser.beam import Beam
from chorale.parser.reranker import BothWays, Reranker
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary

from .slow import WORDS, seeds, sentences

torch.set_num_threads(1)  # the tensors are tiny
FEW = settings(max_examples=max(settings.default.max_examples // 3, 1))

A, R = Basic("A"), Basic("R")
GRAMMAR = Grammar({"f": Function((A,), R), "g": Function((A,), A), "k": A, "l": A}, R, open_types=(A,))
SHARED = len(GRAMMAR)


def small(seed: int, weight: float = 1.0, dropout: float = 0.0) -> Reranker:
    """A tiny reranker in double precision with large random weights."""
    torch.manual_seed(seed)
    reranker = Reranker(
        GRAMMAR,
        Vocabulary(WORDS),
        Sizes(token_embedding=6, encoder=4, action_embedding=6, dropout=dropout),
        weight=weight,
    )
    reranker.network.double().eval()
    with torch.no_grad():
        for parameter in reranker.network.parameters():
            parameter.copy_(torch.randn_like(parameter))
        reranker.network.token_embedding.weight[0] = 0
    return reranker


def both_ways(lstms: BothWays, vectors: Tensor) -> Tensor:
    ahead, back = lstms.ahead(vectors)[0], lstms.back(vectors.flip(0))[0]
    return torch.cat([ahead, back.flip(0)], dim=1)


def judged(reranker: Reranker, sentence: list[str], program: list[int], grammar: Grammar = GRAMMAR) -> Tensor:
    """The logit of one program, without filling."""
    network = reranker.network
    words = both_ways(network.words, network.token_embedding(torch.tensor(reranker.vocabulary.ids(sentence))))
    vectors = list(network.action_embedding.weight[:SHARED])
    for production in grammar.productions[SHARED:]:
        ids = torch.tensor(reranker.vocabulary.ids(production.name.split("_")))
        vectors.append(network.token_embedding(ids).mean(0))
    compared = []
    for step in both_ways(network.program, torch.stack([vectors[action] for action in program])):
        weights = torch.softmax(torch.stack([step @ word for word in words]), 0)
        attended = sum((w * word for w, word in zip(weights, words, strict=True)), torch.zeros(()))
        compared.append(torch.tanh(network.compare(torch.cat([step, attended, step * attended]))))
    whole = torch.stack(compared)
    result: Tensor = network.verdict(torch.tanh(network.judge(torch.cat([whole.mean(0), whole.max(0).values]))))[0]
    return result


def filled(beams: list[list[list[int]]]) -> Tensor:
    width, length = max(map(len, beams)), max((len(program) for beam in beams for program in beam), default=0)
    actions = torch.full((len(beams), width, length), -1)
    for row, beam in enumerate(beams):
        for place, program in enumerate(beam):
            actions[row, place, : len(program)] = torch.tensor(program)
    return actions


def drawn(rng: random.Random, productions: int) -> list[list[int]]:
    """A beam of up to four programs; to the reranker any actions will do."""
    return [[rng.randrange(productions) for _ in range(rng.randint(1, 7))] for _ in range(rng.randint(1, 4))]


@FEW
@given(st.lists(sentences, min_size=1, max_size=4), seeds)
@torch.no_grad()
def test_a_batch_is_judged_as_each_program_by_itself(batch: list[list[str]], seed: int) -> None:
    reranker, rng = small(seed), random.Random(seed)
    beams = [drawn(rng, SHARED) for _ in batch]
    logits = reranker.logits(batch, filled(beams))
    for row, (sentence, beam) in enumerate(zip(batch, beams, strict=True)):
        for place, program in enumerate(beam):
            assert torch.isclose(logits[row, place], judged(reranker, sentence, program))


@FEW
@given(st.lists(sentences, min_size=1, max_size=3), seeds, st.data())
@torch.no_grad()
def test_constants_of_a_context_are_read_by_the_words_of_their_names(
    batch: list[list[str]], seed: int, data: st.DataObject
) -> None:
    names = st.lists(st.sampled_from(("a", "b_c", "d", "e_a")), max_size=3, unique=True)
    grammars = [GRAMMAR.with_terminals(dict.fromkeys(data.draw(names), A)) for _ in batch]
    reranker, rng = small(seed), random.Random(seed)
    beams = [drawn(rng, len(grammar)) for grammar in grammars]
    logits = reranker.logits(batch, filled(beams), grammars=grammars)
    for row, (sentence, beam, grammar) in enumerate(zip(batch, beams, grammars, strict=True)):
        for place, program in enumerate(beam):
            assert torch.isclose(logits[row, place], judged(reranker, sentence, program, grammar))


@FEW
@given(st.lists(sentences, min_size=1, max_size=3), seeds, st.sampled_from([0.0, 0.5, 1.0, 3.0]))
@torch.no_grad()
def test_the_first_is_the_one_with_the_largest_sum_of_logs(batch: list[list[str]], seed: int, weight: float) -> None:
    reranker, rng = small(seed, weight), random.Random(seed)
    beams = [drawn(rng, SHARED) for _ in batch]
    actions = filled(beams)
    logs = torch.full(actions.shape[:2], -torch.inf, dtype=torch.float64)
    for row, beam in enumerate(beams):
        logs[row, : len(beam)] = torch.tensor(sorted((rng.uniform(-9, 0) for _ in beam), reverse=True))
    places = torch.arange(actions.shape[1]).view(1, -1, 1, 1).expand(*actions.shape, 2).double()
    ranked = reranker.rerank(batch, Beam(actions, logs, places))
    assert ranked.beam.attention is not None
    for row, (sentence, beam) in enumerate(zip(batch, beams, strict=True)):
        chances = [1 / (1 + math.exp(-judged(reranker, sentence, program).item())) for program in beam]
        sums = [weight * math.log(chance) + log for chance, log in zip(chances, logs[row].tolist(), strict=False)]
        order = sorted(range(len(beam)), key=lambda place: -sums[place])
        found = [[action for action in program if action >= 0] for program in ranked.beam.actions[row].tolist()]
        assert found[: len(beam)] == [beam[place] for place in order]
        assert ranked.beam.log_probabilities[row, : len(beam)].tolist() == [logs[row, place].item() for place in order]
        assert ranked.probabilities[row, : len(beam)].tolist() == pytest.approx([chances[place] for place in order])
        if actions.shape[2]:
            assert ranked.beam.attention[row, : len(beam), 0, 0].tolist() == order
        assert not any(found[len(beam) :])


def test_gradients_are_those_of_differences_and_filling_leaves_no_trace() -> None:
    reranker = small(0)
    sentences, actions = [["a", "b"], ["c"]], filled([[[0, 2, 1], [3]], [[1, 1]]])
    here = actions[:, :, 0] >= 0

    def loss(*_: Tensor) -> Tensor:
        return reranker.logits(sentences, actions)[here].sum()

    assert torch.autograd.gradcheck(loss, tuple(reranker.network.parameters()), atol=1e-6, fast_mode=True)
    loss().backward()  # type: ignore[no-untyped-call]
    for embedding, row in ((reranker.network.token_embedding, 0), (reranker.network.action_embedding, SHARED)):
        assert embedding.weight.grad is not None
        assert (embedding.weight.grad[row] == 0).all()


def test_a_beam_without_programs_is_no_mistake() -> None:
    reranker = small(0)
    beam = Beam(torch.full((1, 3, 0), -1), torch.full((1, 3), -torch.inf, dtype=torch.float64), None)
    assert not reranker.rerank([["a"]], beam).beam.filled.any()
    logits = reranker.logits([["a"], ["b"]], filled([[[0]], [[]]]))
    logits.sum().backward()  # type: ignore[no-untyped-call]
    assert logits.isfinite().all()
    assert all(
        parameter.grad is not None and parameter.grad.isfinite().all() for parameter in reranker.network.parameters()
    )


def test_dropout_is_for_training_only() -> None:
    reranker = small(0, dropout=0.5)
    actions = filled([[[0, 1, 2]]])
    assert torch.equal(reranker.logits([["a"]], actions), reranker.logits([["a"]], actions))
    reranker.network.train()
    assert not torch.equal(reranker.logits([["a"]], actions), reranker.logits([["a"]], actions))


def test_learns_which_action_a_word_asks_for() -> None:
    """Right is a program with the action of the sentence's word, wherever both stand; the rest is noise."""
    torch.manual_seed(0)
    rng = random.Random(0)
    reranker = Reranker(
        GRAMMAR, Vocabulary(WORDS), Sizes(token_embedding=12, encoder=8, action_embedding=12, dropout=0.0)
    )
    asks, noise = {"a": 2, "b": 3}, (0, 1)

    def example() -> tuple[list[str], list[int], float]:
        word, action = rng.choice("ab"), rng.choice((2, 3))
        sentence = rng.choices("cde", k=3)
        program = rng.choices(noise, k=4)
        sentence.insert(rng.randint(0, 3), word)
        program.insert(rng.randint(0, 4), action)
        return sentence, program, float(asks[word] == action)

    optimizer = torch.optim.Adam(reranker.network.parameters(), lr=0.01)
    for _ in range(150):
        batch = [example() for _ in range(32)]
        logits = reranker.logits([it[0] for it in batch], filled([[it[1]] for it in batch]))[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.tensor([it[2] for it in batch]))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    batch = [example() for _ in range(200)]
    logits = reranker.logits([it[0] for it in batch], filled([[it[1]] for it in batch]))[:, 0]
    assert ((logits > 0).float() == torch.tensor([it[2] for it in batch])).float().mean() > 0.95
