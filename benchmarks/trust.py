"""How far answers can be trusted: all figures of docs/trust.md. One JSON line per figure.

    python benchmarks/trust.py [DATA] [--model best] [--every 1] [--sentences tests/sentences] [--round-trip 100]

DATA is a labelled file, by default dev of NLVR if the corpus is there, else that of the synthetic corpus. An utterance
is right if all of its answers are. Of sentences that are held back only counts are printed.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import chorale
from chorale.domain import Reading, Unlabelled, Utterance
from chorale.evaluation.confidence import calibration_error, reliability
from chorale.model import ANSWER_IF, Model
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.runs.run import find_split
from chorale.tables.questions import TableFiles
from chorale.tables.questions import read as read_questions
from chorale.tables.source import Options
from chorale.tables.table import Table

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
SENTENCES = Path(__file__).resolve().parents[1] / "tests" / "sentences"
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SAMPLES = 1_000
BINS = 10

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


class AsKept(TableFiles):
    """Tables as people have them, with whatever separators."""

    def read(self, path: Path, options: Options | None = None) -> Table:
        return super().read(path, options or Options())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = Path(os.environ.get("CHORALE_NLVR") or BESIDE)
    dev = folder / "dev.json"
    parser.add_argument(
        "data", type=Path, nargs="?", default=dev if dev.is_file() else find_split(embedded_corpus(), "dev")
    )
    parser.add_argument("--model", default=None)
    parser.add_argument("--every", type=int, default=1, help="look at one utterance in so many")
    parser.add_argument("--sentences", type=Path, default=SENTENCES)
    parser.add_argument("--round-trip", type=int, default=100)
    arguments = parser.parse_args()
    model = chorale.load(arguments.model)
    utterances = model.domain.read(arguments.data)[:: arguments.every]
    predictions = model.predict(utterances)
    right = rights(model, utterances, predictions)
    sure = np.array([one.confidence or 0.0 for one in predictions])
    calibration(sure, right)
    coverage(sure, right)
    reasons(predictions, right)
    round_trip(model, utterances, predictions, arguments.round_trip)
    for half in ("open", "held_back"):
        of_people(model, arguments.sentences, half)


def rights(model: Model, utterances: Sequence[Utterance], predictions: Sequence[Reading]) -> Flags:
    """Whether all answers of each utterance are right."""
    pairs = zip(utterances, predictions, strict=True)
    return np.array([all(model.domain.answers.right(one.answers or (), it.answers)) for it, one in pairs])


def calibration(sure: Floats, right: Flags) -> None:
    """Confidence and share of right answers, as a whole and in tenths, with intervals of 95 % by bootstrap."""
    rng = np.random.default_rng(0)
    drawn = [calibration_error(sure.tolist(), (rng.random(len(sure)) < sure).tolist()) for _ in range(SAMPLES)]
    say(
        what="calibration",
        utterances=len(sure),
        mean=rounded(sure.mean()),
        right=rounded(right.mean()),
        error=rounded(calibration_error(sure.tolist(), right.tolist())),
        error_by_chance=rounded(float(np.mean(drawn))),
    )
    tenth = np.minimum((sure * BINS).astype(int), BINS - 1)
    rows = reliability(sure.tolist(), right.tolist(), BINS)
    for number, (mean, share, count) in zip(np.unique(tenth).tolist(), rows, strict=True):
        own = right[tenth == number]
        low, high = np.quantile([rng.choice(own, len(own)).mean() for _ in range(SAMPLES)], (0.025, 0.975))
        interval = [rounded(low), rounded(high)]
        say(what="reliability", tenth=number / BINS, mean=rounded(mean), right=rounded(share), n=count, within=interval)


def coverage(sure: Floats, right: Flags) -> None:
    """What is right of the surest, and of what is answered."""
    curve = risk_coverage(sure.tolist(), right.tolist())
    kept = [next(row for row in curve if row[0] >= share - 1e-9) for share in SHARES]
    say(what="right of the surest", rows=[[rounded(it) for it in row] for row in kept])
    answered = right[sure >= ANSWER_IF]
    say(what="answered", share=rounded(len(answered) / len(right)), right=rounded(answered.mean()))


def reasons(predictions: Sequence[Reading], right: Flags) -> None:
    """How often each reason comes with a wrong answer."""
    told, wrong = Counter[str](), Counter[str]()
    for one, held in zip(predictions, right.tolist(), strict=True):
        kinds = {reason.kind for reason in one.reasons} or {"none"}
        told.update(kinds)
        wrong.update(kinds if not held else ())
    for kind, count in told.most_common():
        say(what="reason", kind=kind, told=count, wrong=wrong[kind])


def round_trip(model: Model, utterances: Sequence[Utterance], predictions: Sequence[Reading], most: int) -> None:
    """What the model says to readings of its own, put into plain words."""
    plain = {one.plain: (it, one) for it, one in zip(utterances, predictions, strict=True) if one.plain}
    chosen = Random(0).sample(sorted(plain), min(most, len(plain)))
    answered = same = 0
    for text in chosen:
        utterance, reading = plain[text]
        said = model.answered(Unlabelled(text, tuple(utterance.contexts)))
        answered += said.confidence >= ANSWER_IF
        same += bool(said.readings) and said.readings[0].answers == reading.answers
    say(what="round trip", sentences=len(chosen), answered=answered, same_answers=same)


def of_people(model: Model, folder: Path, half: str) -> None:
    """Sentences that people wrote: how many are answered, and how many of these answers are right."""
    is_tables = model.domain.name == "tables"
    kinds = ("table_good", "table_questions") if is_tables else ("picture_good",)
    for kind in kinds:
        path = folder / f"{kind}_{half}.{'tsv' if is_tables else 'jsonl'}"
        asked = read_questions(path, files=AsKept()) if is_tables else model.domain.read(path)
        answered = held = 0
        for one in asked:
            said = model.answered(Unlabelled(one.sentence, tuple(one.contexts)))
            answers = (said.readings[0].answers or ()) if said.readings else ()
            answered += said.confidence >= ANSWER_IF
            held += said.confidence >= ANSWER_IF and all(model.domain.answers.right(answers, one.answers))
        say(what="sentences", kind=kind, half=half, asked=len(asked), answered=answered, right=held)
    kind = "table_unanswerable" if is_tables else "picture_unanswerable"
    path = folder / f"{kind}_{half}.tsv"
    if is_tables:
        nothing = [
            Unlabelled(one.sentence, tuple(one.contexts))
            for one in read_questions(path, labels_required=False, files=AsKept())
        ]
    else:
        nothing = [Unlabelled(line.split("\t")[1]) for line in path.read_text("utf-8").splitlines()[1:]]
    answered = sum(model.answered(one).confidence >= ANSWER_IF for one in nothing)
    say(what="sentences", kind=kind, half=half, asked=len(nothing), answered=answered)


def risk_coverage(confidences: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float]]:
    """(share of sentences answered, share of these that are right), the surest first; ties are answered together."""
    order = sorted(zip(confidences, right, strict=True), key=lambda pair: -pair[0])
    rows, held = [], 0
    for number, (confidence, is_right) in enumerate(order, 1):
        held += is_right
        if number == len(order) or order[number][0] < confidence:
            rows.append((number / len(order), held / number))
    return rows


def rounded(value: float) -> float:
    return round(float(value), 4)


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
