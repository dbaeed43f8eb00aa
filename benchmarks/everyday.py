"""Questions that people ask, written by hand: how many are answered, and how many rightly; one JSON line a file.

    python benchmarks/everyday.py [--model tables] [--half held_back]

Counts alone are printed: the half that is held back is not to be read while anything is developed. An answer counts as
answered if the model is at least 0.5 sure. Of questions that no table can answer none is right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from chorale.domain import Unlabelled
from chorale.model import Model, load
from chorale.tables.matching import TableAnswers
from chorale.tables.questions import TableFiles
from chorale.tables.source import Options

TESTS = Path(__file__).resolve().parents[1] / "tests"
HALVES = {"open": "open", "held_back": "closed"}
"""The halves, and what the older collection calls them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="tables")
    parser.add_argument("--half", choices=HALVES, default="open")
    parser.add_argument("--first", type=int, help="only so many questions of each file")
    options = parser.parse_args()
    model = load(options.model)
    for kind in ("questions", "good", "unanswerable"):
        asked = records(TESTS / "sentences" / f"table_{kind}_{options.half}.tsv")
        print(json.dumps(counts(model, f"sentences, {kind}", list(asked)[: options.first])), flush=True)
        asked = (
            it for it in records(TESTS / "tables" / "everyday" / f"{kind}.tsv") if it["half"] == HALVES[options.half]
        )
        print(json.dumps(counts(model, f"everyday, {kind}", list(asked)[: options.first])), flush=True)


def records(path: Path) -> Iterator[dict[str, str]]:
    """The lines of a file, with the table's path as `context`; the older collection has other names for fields."""
    names, *rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    for row in rows:
        it = dict(zip(names, row, strict=True))
        question, answer = it.get("utterance") or it["question"], it.get("targetValue") or it.get("answer", "")
        yield it | {
            "question": question,
            "answer": answer,
            "context": str(path.parent / (it.get("context") or it["file"])),
        }


def counts(model: Model, name: str, asked: list[dict[str, str]]) -> dict[str, object]:
    """How many questions there are, are answered, are answered rightly, and have a right first reading."""
    files, answers = TableFiles(), TableAnswers()
    found = {"file": name, "questions": len(asked), "answered": 0, "answered_right": 0, "right": 0}
    for it in asked:
        table = files.read(Path(it["context"]), Options())
        reply = model.answered(Unlabelled(it["question"], (table,)))
        said = reply.readings[0].answers if reply.readings else None
        right = bool(it["answer"] and said and answers.agrees(said[0], answers.from_text(it["answer"])))
        for key, holds in {"answered": reply.answer is not None, "right": right}.items():
            found[key] += holds  # type: ignore[operator]
        found["answered_right"] += right and reply.answer is not None  # type: ignore[operator]
    return found


if __name__ == "__main__":
    main()
