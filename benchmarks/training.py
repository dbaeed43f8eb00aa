"""How many utterances per second one core trains on, decodes, and collects candidates for; one JSON line.

Rewards are a stand-in (random bits), so that only the network is measured. The sentences are those of the NLVR training
set if it is at hand, else of the synthetic corpus; the candidates are random programs of 7 to 11 actions. The weights
are random but for a short training on programs of 13 to 21 actions, so that beams hold long ones: entirely random
weights prefer short programs, with which a search is over early.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
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

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
BATCHES = 4  # per round
GRAMMAR = Consistent.grammar
USUAL, LONG = (7, 11), (13, 21)  # actions of a candidate


def sentences(folder: Path, count: int) -> list[list[str]]:
    if (folder / "train.json").is_file():
        with (folder / "train.json").open() as lines:
            texts = sorted({json.loads(line)["sentence"] for line in lines})
    else:
        texts = sorted({utterance.sentence for utterance in generate("train", count)})
    random.Random(1).shuffle(texts)
    return [normalise(text) for text in texts[:count]]


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


def rate(work: Callable[[int], object], size: int, rounds: int) -> float:
    """Utterances per second of processor time, which others on the machine disturb little; the median over rounds."""
    work(0)
    rates = []
    for turn in range(rounds):
        before = time.process_time()
        for number in range(BATCHES):
            work(turn * BATCHES + number)
        rates.append(BATCHES * size / (time.process_time() - before))
    return round(statistics.median(rates), 1)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path(os.environ.get("CHORALE_NLVR") or BESIDE), metavar="DIR")
    arguments.add_argument("--batch", type=int, default=16, help="utterances in a batch")
    arguments.add_argument(
        "--rounds", type=int, default=5, help=f"timed rounds of {BATCHES} batches; the median counts"
    )
    arguments.add_argument("--utterances", type=int, default=512, help="different sentences, at most")
    arguments.add_argument("--warm-up", type=int, default=60, help="batches of the short training beforehand")
    options = arguments.parse_args()
    size, timed = options.batch, partial(rate, size=options.batch, rounds=options.rounds)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    tokens = sentences(options.data, options.utterances)
    parser = Parser(GRAMMAR, Vocabulary.of(tokens))
    optimiser = torch.optim.Adam(parser.network.parameters(), lr=0.005, fused=True)
    usual, long = (candidates(len(tokens), random.Random(1), lengths) for lengths in (USUAL, LONG))
    bits = np.random.default_rng(1)

    def batch(number: int) -> list[int]:
        return [(number * size + place) % len(tokens) for place in range(size)]

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
            others = [(row + 7 * size) % len(tokens) for row in rows]
            encoding = parser.encode([tokens[row] for row in rows + others])
            found = parser.search(encoding, 10, max_actions, attention=True)
            is_right = right(found.actions)
            ours = torch.arange(size)
            spans = torch.tensor([[2, 6]]).expand(size, 2)
            pairs = RelatedPairs(ours, spans, ours + size, spans)
            rewards = is_right + consistency(found, is_right, pairs, len(GRAMMAR))
            scores = parser.score(encoding.first(size), found.actions[:size].numpy())
            step(expected_reward(scores.log_probabilities, rewards[:size]))

        return work

    def decode(beam: int) -> Callable[[int], None]:
        def work(number: int) -> None:
            with torch.inference_mode():
                parser.search(parser.encode([tokens[row] for row in batch(number)]), beam, 21)

        return work

    for number in range(options.warm_up):
        likelihood(number, long)
    optimiser.param_groups[0]["lr"] = 0.0
    figures: dict[str, float] = {
        "marginal_likelihood": timed(likelihood),
        "expected_reward_13": timed(reward(13)),
        "expected_reward_21": timed(reward(21)),
        "consistency_13": timed(related(13)),
        "consistency_21": timed(related(21)),
    }
    parser.network.eval()
    figures["decoding_21"] = timed(decode(10))
    figures["collecting_21"] = timed(decode(100))
    print(json.dumps({"benchmark": "training", "unit": "utterances per second", "batch": size, **figures}))


if __name__ == "__main__":
    main()
