"""Can agreement tell a program that is right by luck from one that is right? One JSON line per run.

    python benchmarks/spurious_agreement.py nlvr RUN ...

Nearly half of the training utterances have a sentence that others have as well, about other images. A program in the
beam of such an utterance that is right on its own images is *spurious* here if it is wrong for more than half of
the others, which knows what the training of the utterance does not. `spurious` is the share of right programs that are,
weighed by probability within the beam. `by_agreement` is the chance that the consistency reward ranks a right program
that is not spurious above one that is (a half for ties; partners with the same sentence do not count), `by_probability`
the same for the model, `by_both` for the sum of the log-probability and a multiple of C.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import Tensor

from agreement import WEIGHTS, beams, ranked
from chorale.domain import Utterance
from chorale.domain.parsing import Corpus
from chorale.model import load
from chorale.parser.beam import Beam
from chorale.search.groups import groups_of
from chorale.search.settings import SearchSettings
from chorale.training.consistency import RelatedPairs, consistency
from chorale.training.rewards import Rewards, short


def main() -> None:
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder with train.json")
    parser.add_argument("runs", type=Path, nargs="+", help="trained runs")
    options = parser.parse_args()
    for run in options.runs:
        model = load(run)
        train: list[Utterance] = list(model.domain.read(options.data / "train.json"))
        corpus = Corpus.of(model.domain, model.language, train)
        beam, right = beams(model, corpus)
        groups = groups_of(model.domain, model.language, train, SearchSettings())
        equal = {place: group for group in groups for place in group}
        related = model.domain.relations.related(train, "run", partners=1)
        related = [one for one in related if one.partner not in equal[one.utterance]]
        agreed = consistency(beam, right, RelatedPairs.of(related, range(len(train))), len(corpus.shared))
        elsewhere = _elsewhere(corpus, beam, right, equal)
        there = beam.filled & right.bool() & (elsewhere >= 0)
        some = sorted(
            {one.utterance for one in related} & {place for place, others in equal.items() if len(others) > 1}
        )
        true, there, scores = (elsewhere >= 0.5)[some], there[some], beam.log_probabilities[some]
        weights = scores.exp() * there
        line = {
            "run": run.name,
            "utterances": len(some),
            "right": round(float(there.sum(1).float().mean()), 2),
            "spurious": round(float((weights * ~true).sum() / weights.sum()), 3),
            "by_agreement": ranked(agreed[some], true, there),
            "by_probability": ranked(scores, true, there),
            "by_both": {f"{weight:g}": ranked(scores + weight * agreed[some], true, there) for weight in WEIGHTS},
        }
        print(json.dumps(line), flush=True)


def _elsewhere(corpus: Corpus, beam: Beam, right: Tensor, equal: dict[int, tuple[int, ...]]) -> Tensor:
    """For right programs, the share of the other utterances with the same sentence they are right for; else -1."""
    shares = torch.full(right.shape, -1.0)
    rewards, rows = Rewards(corpus.grounding), short(beam.actions)
    for place, rank in right.nonzero().tolist():
        others = [other for other in equal[place] if other != place]
        actions = rows[place, rank][rows[place, rank] >= 0]
        if others:
            shares[place, rank] = sum(rewards.is_right(other, actions) for other in others) / len(others)
    return shares


if __name__ == "__main__":
    main()
