"""How far answers can be trusted: calibration, and what is right of the surest answers. One JSON line per figure.

    python benchmarks/trust.py [DATA] [--model best]

DATA is a labelled file, by default dev of NLVR if the corpus is there, else that of the synthetic corpus.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chorale
from chorale.evaluation.confidence import calibration_error, reliability
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.runs.run import find_split

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = Path(os.environ.get("CHORALE_NLVR") or BESIDE)
    dev = folder / "dev.json"
    parser.add_argument(
        "data", type=Path, nargs="?", default=dev if dev.is_file() else find_split(embedded_corpus(), "dev")
    )
    parser.add_argument("--model", default=None)
    arguments = parser.parse_args()
    model = chorale.load(arguments.model)
    utterances = model.domain.read(arguments.data)
    predictions = model.predict(utterances)
    right = [
        all(model.domain.answers.right(one.answers or (), utterance.answers))
        for utterance, one in zip(utterances, predictions, strict=True)
    ]
    sure = [one.confidence or 0.0 for one in predictions]
    for name, values in (("confidence", sure), ("probability", [one.probability for one in predictions])):
        say(what="calibration error", of=name, value=round(calibration_error(values, right), 4))
        curve = risk_coverage(values, right)
        kept = [next(row for row in curve if row[0] >= share - 1e-9) for share in SHARES]
        say(what="right of the surest", of=name, rows=[[round(it, 4) for it in row] for row in kept])
    say(
        what="reliability",
        rows=[[round(mean, 3), round(share, 3), count] for mean, share, count in reliability(sure, right)],
    )
    clear = [held for held, one in zip(right, predictions, strict=True) if not one.reasons]
    doubted = [held for held, one in zip(right, predictions, strict=True) if one.reasons]
    say(
        what="consistent",
        without_a_doubt=[round(sum(clear) / max(len(clear), 1), 4), len(clear)],
        with_one=[round(sum(doubted) / max(len(doubted), 1), 4), len(doubted)],
    )


def risk_coverage(confidences: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float]]:
    """(share of sentences answered, share of these that are right), the surest first; ties are answered together."""
    order = sorted(zip(confidences, right, strict=True), key=lambda pair: -pair[0])
    rows, held = [], 0
    for number, (confidence, is_right) in enumerate(order, 1):
        held += is_right
        if number == len(order) or order[number][0] < confidence:
            rows.append((number / len(order), held / number))
    return rows


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
