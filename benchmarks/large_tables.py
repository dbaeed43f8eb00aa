"""Large tables: what asking them costs, and whether a sample of their rows is enough; one JSON line each.

    python benchmarks/large_tables.py --rows 1000 10000 100000 --draw docs/images/scale-rows.svg
    python benchmarks/large_tables.py --agree [wtq/random-split-1-dev.tsv]

For each number of rows a CSV of made-up orders is written and asked. `load` is what reading it and the first question
cost, `question` the mean of the others, both in seconds of processor time; `memory` is the most that the process has
had so far, in MiB. `--agree` asks the questions of a file whose tables have more than 64 rows, with the sample and
without: `equal` is the share of equal answers, `sampled` and `whole` how many of them are right.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import time
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from chorale.domain import Answer, Utterance
from chorale.domain.contexts import context_of
from chorale.model import load
from chorale.tables import sampling
from chorale.tables.domain import Tables
from growth import growth
from tables import default_file

Answers = tuple[Answer | None, ...] | None

KINDS, TOWNS = ["Kitchen", "Garden", "Sport", "Books", "Music"], ["Porto", "Turin", "Lille", "Graz", "Oslo", "Cork"]
QUESTIONS = (
    "what is the highest price?",
    "how many orders are from Porto?",
    "what is the average price in the Garden category?",
    "which town has the highest total price?",
    "how many orders cost more than 900?",
    "which item costs the least?",
)
OVER = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--agree", type=Path, nargs="?", const=default_file(), help="questions with answers")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="a drawing of what is measured, as SVG")
    options = parser.parse_args()
    if options.agree is not None:
        print(json.dumps(agreement(options.agree)), flush=True)
        return
    found = []
    for rows in options.rows:
        with TemporaryDirectory() as folder:
            found.append(costs(written(Path(folder) / "orders.csv", rows), rows))
        print(json.dumps(found[-1]), flush=True)
    if options.draw is not None:
        curves = {name: [(it["rows"], it[name]) for it in found] for name in ("load", "question")}
        options.draw.write_text(growth("Seconds by the number of rows", "rows", curves))


def written(path: Path, rows: int) -> Path:
    """A file of orders."""
    rng, first = Random(0), date(2015, 1, 1)
    with open(path, "w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(["Order", "Item", "Category", "Town", "Date", "Price"])
        for number in range(rows):
            day = first + timedelta(rng.randrange(3_000))
            item = f"{rng.choice(KINDS).lower()} item {rng.randrange(rows // 10 + 1)}"
            out.writerow([f"A-{number}", item, rng.choice(KINDS), rng.choice(TOWNS), day, f"{rng.uniform(1, 999):.2f}"])
    return path


def costs(path: Path, rows: int) -> dict[str, float]:
    """What asking a file costs."""
    model = load("tables")
    model.ask([{"A": "1"}, {"A": "2"}], "how many rows are there?")  # what is imported when something is asked
    start, (first, *others) = time.process_time(), QUESTIONS
    table = context_of(model.domain, path)
    model.ask(table, first)
    read = time.process_time()
    model.ask(table, others)
    each = (time.process_time() - read) / len(others)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"rows": rows, "load": round(read - start, 2), "question": round(each, 3), "memory": round(memory)}


def agreement(path: Path) -> dict[str, float]:
    """How often a sample gives the answers of the whole."""
    large, most = [it for it in Tables().read(path) if len(it.contexts[0]) > OVER], sampling.MOST
    sampled, whole = _answers(large, most), _answers(large, max(len(it.contexts[0]) for it in large))
    equal = sum(one == other for one, other in zip(sampled, whole, strict=True))
    figures = {"questions": len(large), "larger": sum(len(it.contexts[0]) > most for it in large)}
    right = [sum(map(_is_right, large, some)) for some in (sampled, whole)]
    return {**figures, "equal": round(equal / len(large), 4), "sampled": right[0], "whole": right[1]}


def _answers(utterances: Sequence[Utterance], most: int) -> list[Answers]:
    """What the model answers if tables with more rows than so many are sampled."""
    sampling.MOST = most
    return [one.answers for one in load("tables").predict(utterances)]


def _is_right(utterance: Utterance, said: Answers) -> bool:
    return said is not None and all(Tables.answers.right(said, utterance.answers))


if __name__ == "__main__":
    main()
