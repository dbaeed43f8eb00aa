"""How good a ranker is: dev over seeds, and kinds of train held out. One JSON line per figure.

    python benchmarks/ranker.py nlvr [--recipe best] [--seeds 5] [--folds] [--set ranker.spellings=1] [--without words]

The search and the features of all sentences are made once and serve every seed and every fold; they know no labels. A
fold learns from the labels of the other folds alone. The folds are those of `chorale folds`, but all of the other four
are learned from: the ranker needs no dev of its own. The log-likelihood of held-out labels (per utterance, 0 is luck)
is the finest judge: its standard error between two searches is 0.002 to 0.005, and gains were seen that consistency did
not show. Without the corpus it is the synthetic one inside the package.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from chorale.domain import Reading, Utterance, kind_of
from chorale.domain.parsing import Corpus
from chorale.domain.registry import find_domain
from chorale.evaluation.evaluate import evaluate
from chorale.evaluation.predictions import predict
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.plumbing.files import fold_of
from chorale.ranker.features import Feature
from chorale.ranker.learning import NONE, Problem
from chorale.ranker.posing import pose
from chorale.ranker.ranker import Ranker
from chorale.runs.run import find_split
from chorale.sweeps.folds.held_out import HeldOut, figures
from chorale.training.recipes import find_recipe, read_recipe
from chorale.training.stages.ranker import RankerStage

FOLDS = 5
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"


def nlvr() -> Path | None:
    """The folder of the real corpus, if there is one."""
    folder = Path(os.environ.get("CHORALE_NLVR") or BESIDE)
    return folder if (folder / "train.json").is_file() else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=nlvr() or embedded_corpus())
    parser.add_argument("--recipe", default="best")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--folds", action="store_true")
    parser.add_argument("--set", dest="changes", action="append", default=[])
    parser.add_argument("--without", action="append", default=[], help="templates that begin with this are left out")
    arguments = parser.parse_args()
    recipe = read_recipe(find_recipe(arguments.recipe), arguments.changes)
    stage = recipe.stages[-1]
    assert isinstance(stage, RankerStage)
    templates = [name for name in stage.templates if not name.startswith(tuple(arguments.without) or " ")]
    domain = find_domain(recipe.domain)
    train, dev = (
        Corpus.of(domain, recipe.language, domain.read(find_split(arguments.data, split))) for split in ("train", "dev")
    )

    def made(weights: Mapping[Feature, float]) -> Ranker:
        return Remembering(domain, recipe.language, stage.search, weights, templates)

    start = time.process_time()
    problem, _ = pose(train, made({}), stage.flip)
    say(what="search and features", seconds=round(time.process_time() - start, 1), features=len(problem.features))
    seen = frozenset(kind_of(domain, utterance.sentence) for utterance in train.utterances)
    scores = []
    for seed in range(arguments.seeds):
        start = time.process_time()
        weights = problem.learn(stage, seed)
        learned = time.process_time() - start
        report = evaluate(
            dev.utterances,
            predict(made(weights), dev),
            abstraction=lambda sentence: kind_of(domain, sentence),
            seen=seen,
            compared=domain.answers,
        )
        parts = {name: round(100 * score.consistency, 1) for name, score in report.parts.items()}
        scores.append(report.score.consistency)
        accuracy, consistency = round(100 * report.score.accuracy, 1), round(100 * report.score.consistency, 1)
        say(what="dev", seed=seed, accuracy=accuracy, consistency=consistency, **parts, seconds=round(learned, 1))
    if scores:
        say(what="dev", seeds=len(scores), mean=round(100 * float(np.mean(scores)), 2), sd=spread(scores))
    if arguments.folds:
        held_out(problem, stage, train, made, [kind_of(domain, one.sentence) for one in train.utterances])


def held_out(
    problem: Problem, stage: RankerStage, train: Corpus, made: Callable[..., Ranker], kinds: list[str]
) -> None:
    """Learn from the labels of four folds, ask about the fifth."""
    fold = [fold_of(kind, FOLDS) for kind in kinds]
    said: list[HeldOut] = []
    likely = np.zeros(len(fold))
    for number in range(FOLDS):
        weights = problem.learn(stage, 0, only={index for index, own in enumerate(fold) if own != number})
        ranker = made(weights)
        for index, value in likelihoods(problem, weights).items():
            if fold[index] == number:
                likely[index] = value
        for index in (index for index, own in enumerate(fold) if own == number):
            [best, *_] = ranker.ranked(train.utterances[index])
            right = list(train.grounding.right(best.program, index))
            said.append(HeldOut(fold=number, group=kinds[index], program=best.program.text, right=right))
    say(what="held-out kinds", **{"log-likelihood of labels": round(float(likely.mean()), 4)})
    estimates = figures(said).estimates
    say(
        what="held-out kinds",
        **{
            f"{measure} over {over}": [round(100 * it.mean, 2), round(100 * (it.error or 0), 2)]
            for (measure, over), it in estimates.items()
        },
    )


def likelihoods(problem: Problem, weights: Mapping[Feature, float]) -> dict[int, float]:
    """For each utterance the logarithm of how much more probable weights make its labels than luck does.

    Of utterances that were not learned from it is a finer judge than whether the best program is right: it tells one
    wrong label from a wrong program, and a near miss from a far one.
    """
    probabilities = problem.probabilities(weights)
    return {
        name: math.log(float(probabilities[sentence] @ np.exp(fit)) + NONE)
        for name, sentence, fit in problem.utterances
    }


class Remembering(Ranker):
    """A ranker that searches an utterance once, whatever its weights are."""

    known: ClassVar[dict[Hashable, list[Reading]]] = {}

    def candidates(self, utterance: Utterance) -> list[Reading]:
        key = self.domain.identity(utterance)
        if key not in self.known:
            self.known[key] = super().candidates(utterance)
        return self.known[key]


def spread(scores: list[float]) -> float:
    return round(100 * float(np.std(scores, ddof=1)), 2) if len(scores) > 1 else 0.0


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
