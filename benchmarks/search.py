"""How long searching the whole training set takes, and what it covers; one JSON line per figure.

One process on one core. Without the corpus the embedded synthetic one is searched instead.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.search.settings import SearchSettings
from chorale.search.to_file import search_to_file

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
FIGURES = {
    "consistent-11-strict": ("consistent", SearchSettings(max_actions=11, noise=0.0)),
    "consistent-20": ("consistent", SearchSettings(max_actions=20)),
    "extended-20": ("extended", SearchSettings(max_actions=20)),
    "reference-consistent": ("consistent", SearchSettings(procedure="reference", max_actions=11)),
    "reference-macro": ("macro", SearchSettings(procedure="reference", max_actions=9)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="an NLVR file; default: train.json in CHORALE_NLVR or ../shared/nlvr")
    parser.add_argument("--figure", choices=FIGURES, help="one of them; default: all, each in a process of its own")
    options = parser.parse_args()
    data = options.data or _default()
    if options.figure:
        print(json.dumps(measured(options.figure, data)))
        return
    for figure in FIGURES:
        subprocess.run([sys.executable, __file__, "--figure", figure, "--data", str(data)], check=True)


def _default() -> Path:
    train = Path(os.environ.get("CHORALE_NLVR") or BESIDE) / "train.json"
    return train if train.is_file() else embedded_corpus() / "train.jsonl.gz"


def measured(figure: str, data: Path) -> dict[str, object]:
    language, settings = FIGURES[figure]
    domain = Nlvr()
    start, busy = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder, domain.opened(data) as utterances:
        out = Path(folder) / "candidates.jsonl"
        summary = search_to_file(domain, language, utterances, settings, out, data="benchmark")
    found = summary.to_json()
    found["seconds"] = round(time.perf_counter() - start, 1)
    found["cpu_seconds"] = round(time.process_time() - busy, 1)
    found["peak_memory_mib"] = round(found.pop("peak_memory") / 2**20)
    return {"figure": figure, "data": data.name, **found, "max_actions": settings.max_actions, "numpy": np.__version__}


if __name__ == "__main__":
    main()
