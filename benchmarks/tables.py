"""Programs proposed for questions over tables: how often a right one is among them, and what they cost; one JSON line.

    python benchmarks/tables.py [wtq/random-split-1-dev.tsv] [--questions 300]

`right` is the share of questions with a right answer among so many programs, cheapest first, before anything is
learned. Times are of one process's processor, per question: for the search, and for the features. The first question
about a table also pays for what is read off its cells, but none for reading its file. Measure on an idle core: threads
that share one slow each other by half.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Utterance
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.weights import KeyWeights
from chorale.tables.domain import Tables

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "wtq"
WITHIN = (1, 10, 50, 200, 700)


def default_file() -> Path:
    """The questions that models are chosen by."""
    return Path(os.environ.get("CHORALE_WTQ") or BESIDE) / "random-split-1-dev.tsv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=default_file())
    parser.add_argument("--questions", type=int, help="so many of them, drawn with a fixed seed; default: all")
    options = parser.parse_args()
    domain = Tables()
    questions = domain.read(options.file)
    if options.questions is not None and options.questions < len(questions):
        questions = Random(0).sample(list(questions), options.questions)
    print(json.dumps({"file": options.file.name, **measured(domain, questions)}), flush=True)


def measured(domain: Tables, questions: Sequence[Utterance]) -> dict[str, object]:
    """Recall and times over some questions."""
    ranker = KeyedRanker(domain, "tables", ProposalSettings(), KeyWeights.none())
    firsts, programs = np.full(len(questions), np.inf), np.zeros(len(questions))
    seconds = np.zeros((len(questions), 2))
    for row, question in enumerate(questions):
        start = time.process_time()
        candidates = ranker.candidates(question)
        found = time.process_time()
        if candidates is not None:
            programs[row] = len(ranker.posed(candidates))
        seconds[row] = found - start, time.process_time() - found
        [answer] = question.answers
        if candidates is not None and answer is not None and (right := candidates.right(answer)).any():
            firsts[row] = right.argmax()
    return {
        "questions": len(questions),
        "programs": round(float(np.mean(programs)), 1),
        "right": {most: round(100 * float(np.mean(firsts < most)), 1) for most in WITHIN},
        **times(seconds.sum(axis=1)),
        "search": times(seconds[:, 0]),
        "features": times(seconds[:, 1]),
    }


def times(seconds: NDArray[np.float64]) -> dict[str, float]:
    milliseconds = 1000 * seconds
    return {
        "median_ms": round(float(np.median(milliseconds)), 1),
        "mean_ms": round(float(milliseconds.mean()), 1),
        "p99_ms": round(float(np.percentile(milliseconds, 99)), 1),
        "worst_ms": round(float(milliseconds.max()), 1),
    }


if __name__ == "__main__":
    main()
