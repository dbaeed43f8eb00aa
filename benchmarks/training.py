"""How many utterances per second one core trains on, decodes, and collects candidates for; one JSON line.

Rewards are a stand-in (random bits), so that only the network is measured. The sentences are those of the NLVR training
set if it is at hand, else of the synthetic corpus; the candidates are random programs of 7 to 11 actions. The weights
are random but for a short training on programs of 13 to 21 actions, so that beams hold long ones: entirely random
weights prefer short programs, with which a search is over early.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from chorale.nlvr.english.words import normalise
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.pictures.synthetic import generate
from chorale.parser.parser import Parser
from chorale.parser.vocabulary import Vocabulary
from chorale.training.consistency import RelatedPairs, consistency
from chorale.training.objectives.mml import marginal_likelihood
from chorale.training.objectives.reward import expected_reward

BATCH = int(os.environ.get("CHORALE_BATCH", "16"))
ROUNDS = int(os.environ.get("CHORALE_ROUNDS", "5"))
BATCHES = 4  # per round
UTTERANCES = 512
GRAMMAR = Consistent.grammar
USUAL, LONG = (7, 11), (13, 21)  # actions of a candidate
WARM_UP = 60  # batches


def sentences() -> list[list[str]]:
    folder = Path(os.environ.get("CHORALE_NLVR", Path(__file__).resolve().parents[2] / "shared" / "nlvr"))
    if (folder / "train.json").is_file():
        with (folder / "train.json").open() as lines:
            texts = sorted({json.loads(line)["sentence"] for line in lines})
    else:
        texts = sorted({utterance.sentence for utterance in generate("train", UTTERANCES)})
    random.Random(1).shuffle(texts)
    return [normalise(text) for text in texts[:UTTERANCES]]


def walk(rng: random.Random, shortest: int, longest: int) -> list[int]:
    """A random program; structure is as likely as all names together, or most would be short."""
    while True:
        actions: list[int] = []
        waiting = [0]
        while waiting and len(actions) < longest:
            children = GRAMMAR.children[waiting.pop()]
            structure = [number for number, after in children.items() if after]
            names = [number for number, after in children.items() if not after]
            action = rng.choice(structure if structure and (not names or rng.random() < 0.5) else names)
            actions.append(action)
            waiting.extend(reversed(children[action]))
        if not waiting and len(actions) >= shortest:
            return actions


def candidates(utterances: int, rng: random.Random, lengths: tuple[int, int]) -> list[list[list[int]]]:
    """2 to 20 programs per utterance, 11 on average."""
    return [[walk(rng, *lengths) for _ in range(rng.randint(2, 20))] for _ in range(utterances)]


def rate(work: Callable[[int], object]) -> float:
    """Utterances per second of processor time, which others on the machine disturb little; the median over rounds."""
    work(0)
    rates = []
    for turn in range(ROUNDS):
        before = time.process_time()
        for number in range(BATCHES):
            work(turn * BATCHES + number)
        rates.append(BATCHES * BATCH / (time.process_time() - before))
    return round(statistics.median(rates), 1)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    tokens = sentences()
    parser = Parser(GRAMMAR, Vocabulary.of(tokens))
    optimiser = torch.optim.Adam(parser.network.parameters(), lr=0.005, fused=True)
    usual, long = (candidates(len(tokens), random.Random(1), lengths) for lengths in (USUAL, LONG))
    bits = np.random.default_rng(1)

    def batch(number: int) -> list[int]:
        return [(number * BATCH + place) % len(tokens) for place in range(BATCH)]

    def right(actions: Tensor) -> Tensor:
        return torch.from_numpy(bits.random(actions.shape[:2]) < 0.3)

    def step(loss: Tensor) -> None:
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()

    def likelihood(number: int, programs: list[list[list[int]]] = usual) -> None:
        rows = batch(number)
        encoding = parser.encode([tokens[row] for row in rows])
        step(marginal_likelihood(parser.score(encoding, [programs[row] for row in rows]).log_probabilities))

    def reward(max_actions: int) -> Callable[[int], None]:
        def work(number: int) -> None:
            encoding = parser.encode([tokens[row] for row in batch(number)])
            found = parser.search(encoding, 10, max_actions)
            scores = parser.score(encoding, found.actions.numpy())
            step(expected_reward(scores.log_probabilities, right(found.actions).float()))

        return work

    def related(max_actions: int) -> Callable[[int], None]:
        """Every utterance of the batch has one related utterance, which is decoded beside it."""

        def work(number: int) -> None:
            rows = batch(number)
            others = [(row + 7 * BATCH) % len(tokens) for row in rows]
            encoding = parser.encode([tokens[row] for row in rows + others])
            found = parser.search(encoding, 10, max_actions, attention=True)
            is_right = right(found.actions)
            ours = torch.arange(BATCH)
            spans = torch.tensor([[2, 6]]).expand(BATCH, 2)
            pairs = RelatedPairs(ours, spans, ours + BATCH, spans)
            rewards = is_right + consistency(found, is_right, pairs, len(GRAMMAR))
            scores = parser.score(encoding.first(BATCH), found.actions[:BATCH].numpy())
            step(expected_reward(scores.log_probabilities, rewards[:BATCH]))

        return work

    def decode(beam: int) -> Callable[[int], None]:
        def work(number: int) -> None:
            with torch.inference_mode():
                parser.search(parser.encode([tokens[row] for row in batch(number)]), beam, 21)

        return work

    for number in range(WARM_UP):
        likelihood(number, long)
    optimiser.param_groups[0]["lr"] = 0.0
    figures: dict[str, float] = {
        "marginal_likelihood": rate(likelihood),
        "expected_reward_13": rate(reward(13)),
        "expected_reward_21": rate(reward(21)),
        "consistency_13": rate(related(13)),
        "consistency_21": rate(related(21)),
    }
    parser.network.eval()
    figures["decoding_21"] = rate(decode(10))
    figures["collecting_21"] = rate(decode(100))
    print(json.dumps({"benchmark": "training", "unit": "utterances per second", "batch": BATCH, **figures}))


if __name__ == "__main__":
    main()
