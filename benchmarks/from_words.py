"""Search from words alone: what it finds, and how long a sentence takes; one JSON line per file.

    python benchmarks/from_words.py nlvr/train.json [--sentences 500] [--set spellings=3] [--labels]

`right` is the share of utterances with a meaning that is right on all pictures, `nearly` with one that is wrong on one
of them at most (about 5 % of NLVR's training labels are wrong). Where the file tells programs, `meant` is the share of
those whose meaning is found. Times are of one process; measure on an idle core.

With `--labels` the same utterances are searched with their labels too (`search.by_meaning`, nothing pooled, so that
both searches have one sentence at a time). The two take turns, so a machine that is busy slows both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from random import Random

import numpy as np

from chorale.domain import meanings_of
from chorale.domain.meanings import FOR_TRUTH
from chorale.evaluation.meaning import known_programs
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.search.from_words import FromWords, WordsSettings
from chorale.search.groups import probes_of
from chorale.search.search import procedure_for
from chorale.search.settings import SearchSettings

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"


def default_files() -> list[Path]:
    """The training sentences of the real corpus, if it is there, and of the synthetic one."""
    train = Path(os.environ.get("CHORALE_NLVR") or BESIDE) / "train.json"
    return [*([train] if train.is_file() else []), embedded_corpus() / "train.jsonl.gz"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=default_files())
    parser.add_argument("--sentences", type=int, help="so many utterances, drawn with a fixed seed; default: all")
    parser.add_argument("--set", dest="changes", action="append", default=[], help="a setting such as spellings=3")
    parser.add_argument("--labels", action="store_true", help="search with labels as well, in turns")
    options = parser.parse_args()
    settings = WordsSettings(
        **{key: json.loads(value) for key, _, value in (it.partition("=") for it in options.changes)}
    )
    for file in options.files:
        print(
            json.dumps({"file": file.name, **measured(file, options.sentences, settings, options.labels)}), flush=True
        )


def measured(file: Path, sentences: int | None, settings: WordsSettings, labels: bool) -> dict[str, object]:
    domain = Nlvr()
    search = FromWords(domain, "extended", settings)
    utterances = list(domain.read(file))
    if sentences is not None and sentences < len(utterances):
        utterances = Random(0).sample(utterances, sentences)
    grounding, known = domain.ground("extended", utterances), known_programs(file)
    labelled = SearchSettings(pool=False)
    procedure, probes = procedure_for(domain, "extended", labelled), probes_of(domain, "extended", len(utterances))
    search.search(utterances[0])  # the first one also builds tables
    seconds, seconds_with_labels, found, wrong, meant = [], [], [], [], []
    for index, utterance in enumerate(utterances):
        start = time.perf_counter()
        candidates = search.search(utterance)
        seconds.append(time.perf_counter() - start)
        if labels:
            start = time.perf_counter()
            procedure.search(grounding, (index,), probes)
            seconds_with_labels.append(time.perf_counter() - start)
        found.append(len(candidates))
        said = [grounding.right(candidate.program, index) for candidate in candidates]
        wrong.append(min((one.count(False) for one in said), default=len(utterance.answers)))
        if known:
            theirs, ours = (meanings_of(domain, it, count=FOR_TRUTH) for it in ("consistent", "extended"))
            wanted = theirs.key(theirs.language.parse(known[utterance.identifier]))
            meant.append(any(ours.key(one.program) == wanted for one in candidates))
    return {
        "utterances": len(utterances),
        "candidates": round(float(np.mean(found)), 1),
        "right": round(100 * float(np.mean(np.array(wrong) == 0)), 1),
        "nearly": round(100 * float(np.mean(np.array(wrong) <= 1)), 1),
        **({"meant": round(100 * float(np.mean(meant)), 1)} if meant else {}),
        **times(seconds),
        **({"with_labels": times(seconds_with_labels)} if labels else {}),
    }


def times(seconds: list[float]) -> dict[str, float]:
    milliseconds = 1000 * np.array(seconds)
    return {
        "mean_ms": round(float(milliseconds.mean()), 1),
        "median_ms": round(float(np.median(milliseconds)), 1),
        "p99_ms": round(float(np.percentile(milliseconds, 99)), 1),
        "worst_ms": round(float(milliseconds.max()), 1),
    }


if __name__ == "__main__":
    main()
