"""Does agreement with related utterances tell right programs from wrong ones? One JSON line per setting.

    python benchmarks/agreement.py RUN nlvr [PHRASES [MATCHING]]

The programs in the beam of each dev utterance are compared with those of training utterances that share a phrase with
it, just as the consistency reward does in training. Dev labels then say which of them are right. `by_agreement` is the
chance that C ranks a right program of an utterance above a wrong one (a half for ties), and `by_probability` the same
for the model's own probability. A reward can only teach what C knows and the model does not: `by_both` ranks by the
sum of the log-probability and some multiple of C, and `chosen` is dev consistency when the first by that sum is taken
(0: by probability alone).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.model import Model, load
from chorale.parser.beam import Beam
from chorale.parser.decoding import NetworkParser
from chorale.parser.decoding import beams as found_beams
from chorale.training.consistency import Agreement, RelatedPairs, aligned, consistency
from chorale.training.rewards import Rewards

PARTNERS = ((1, 0), (5, 0), (20, 0), (5, 5), (1, 19))  # with the same fillers, and with others
WEIGHTS = (1, 3, 10, 30)
THRESHOLDS = (0.6, 0.4, 0.7, 0.8)  # the paper's comes first; 0.7 is the reference's


def beams(model: Model, corpus: Corpus, width: int = 10) -> tuple[Beam, Tensor]:
    """The beam of every utterance in one piece, and which of its programs are right on all images."""
    count, steps, words = len(corpus), model.about.max_actions, max(map(len, corpus.words))
    actions = torch.full((count, width, steps), -1)
    scores = torch.full((count, width), -torch.inf)
    attention = torch.zeros((count, width, steps, words))
    right = torch.zeros((count, width))
    rewards = Rewards(corpus.grounding)
    assert isinstance(model.parser, NetworkParser)
    for chosen, found in found_beams(model.parser.network, corpus, width, steps, attention=True):
        assert found.attention is not None
        rows, step, word = torch.tensor(list(chosen)), found.actions.shape[2], found.attention.shape[3]
        actions[rows, :, :step] = found.actions
        scores[rows] = found.log_probabilities
        attention[rows, :, :step, :word] = found.attention
        right[rows] = rewards.of(list(chosen), found.actions)
    return Beam(actions, scores, attention), right


def ranked(values: Tensor, right: Tensor, found: Tensor) -> float:
    """How often a right program of an utterance has a higher value than a wrong one, mean over utterances with both."""
    shares = []
    for value, good, there in zip(values, right.bool(), found, strict=True):
        difference = value[good & there][:, None] - value[~good & there][None]
        if difference.numel():
            shares.append(float(((difference > 1e-6).float() + 0.5 * (difference.abs() <= 1e-6)).mean()))
    return round(sum(shares) / max(len(shares), 1), 3)


def chosen(values: Tensor, right: Tensor, found: Tensor) -> float:
    """The share of utterances whose program of the highest value is right."""
    best = values.masked_fill(~found, -torch.inf).argmax(1, keepdim=True)
    return round(float(right.gather(1, best).mean()), 3)


def main() -> None:
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="a trained run")
    parser.add_argument("data", type=Path, help="the folder with train.json and dev.json")
    parser.add_argument("phrases", nargs="?", default="run", help="the phrase set")
    parser.add_argument("matching", nargs="?", default="tokens", help="how phrases are matched")
    options = parser.parse_args()
    model = load(options.run)
    dev, train = (list(model.domain.read(options.data / f"{split}.json")) for split in ("dev", "train"))
    corpus = Corpus.of(model.domain, model.language, [*dev, *train])
    beam, right = beams(model, corpus)
    known, size = len(dev), len(corpus.shared)
    terminals = corpus.shared.terminal_ids
    fillers = frozenset(terminals[name] for name in model.domain.relations.fillers if name in terminals)
    for partners, others in PARTNERS:
        related = model.domain.relations.related(
            [*dev, *train], options.phrases, matching=options.matching, partners=partners, other_fillers=others
        )
        related = [one for one in related if one.utterance < known <= one.partner]
        pairs = RelatedPairs.of(related, range(len(corpus)))
        some = torch.unique(pairs.rows)
        there = beam.filled[some]
        for threshold in THRESHOLDS:
            how = Agreement(threshold, fillers)
            everywhere = consistency(beam, right, pairs, size, how)[:known]
            agreed = everywhere[some]
            looking = aligned(beam, pairs.rows, pairs.spans, size, how)[beam.filled[pairs.rows]]
            line = {
                "partners": partners,
                "other_fillers": others,
                "threshold": threshold,
                "utterances": len(some),
                "partner_right": round(float(right[pairs.related].any(1).float().mean()), 3),
                "aligned": round(float(looking.any(1).float().mean()), 3),
                "aligned_actions": round(float((looking > 0).sum(1).float().mean()), 2),
                "by_agreement": ranked(agreed, right[some], there),
                "by_probability": ranked(beam.log_probabilities[some], right[some], there),
                "by_both": {
                    f"{weight:g}": ranked(beam.log_probabilities[some] + weight * agreed, right[some], there)
                    for weight in WEIGHTS
                },
                "chosen": {
                    f"{weight:g}": chosen(
                        beam.log_probabilities[:known] + weight * everywhere, right[:known], beam.filled[:known]
                    )
                    for weight in (0, *WEIGHTS)
                },
            }
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
