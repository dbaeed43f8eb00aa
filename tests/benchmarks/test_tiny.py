"""Every benchmark runs, on a corpus so small that its figures mean nothing; they are run by hand else."""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chorale.nlvr.pictures.random_scenes import random_towers
from chorale.nlvr.pictures.scenes import COLORS, Scene

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
DRAWING = "growth"  # what `scale` draws its figures with, and no script
SCRIPTS = sorted(path.stem for path in BENCHMARKS.glob("*.py") if path.stem != DRAWING)
PHRASE = "block at the top"
BEGINNINGS = ("There is a tower with a", "There is a")
UTTERANCES = {"train": 8, "dev": 3}
QUESTION: dict[str, Any] = {
    "sentence": "who lives in rome?",
    "context": {"header": ["Name", "City"], "rows": [["Ann", "Rome"], ["Bob", "Oslo"]]},
    "answer": ["Ann"],
}

# What each script is told; DATA is the folder of the corpus, and QUESTIONS is one about a table,
# TABLES a folder of such.
OPTIONS = {
    "additions": "--data DATA/train.json --max-actions 5 --sentences 1 --only near_wall",
    "agreement": "consistency DATA",
    "cold_start": "--repeats 1",
    "everyday": "--first 1",
    "execution": "--data DATA --programs 2 --repeats 1",
    "from_words": "DATA/train.json --sentences 1 --labels",
    "large_tables": "--rows 60 90 --draw DATA/rows.svg",
    "lifting": "--remarks 2 --rounds 1",
    "ranker": "DATA --recipe ranker --seeds 1 --folds",
    "scale": "measure OUT --tiny",
    "search": "--data DATA/train.json",
    "serve": "DATA --alone 1 --clients 2 --requests 4",
    "spurious": "DATA/train.json --images 1",
    "spurious_agreement": "DATA consistency",
    "synthetic_search": "--utterances 2 --max-actions 5",
    "tables": "QUESTIONS --questions 1",
    "tables_ablation": "TABLES --seeds 1 --only joint,copies --probed 1",
    "training": "--data DATA --batch 2 --rounds 1 --utterances 4 --warm-up 1",
    "trust": "DATA/dev.json",
}
LONG = ("agreement", "scale", "spurious_agreement", "training")
"""Scripts that take many seconds however little they are given: run by `make test-slow`."""
CASES = [
    *(pytest.param(script, "synthetic", marks=[pytest.mark.slow] if script in LONG else []) for script in SCRIPTS),
    *(pytest.param(script, "nlvr", marks=pytest.mark.nlvr) for script in SCRIPTS if "DATA" in OPTIONS.get(script, "")),
]


@pytest.fixture
def corpus(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A few sentences about the tops of towers, most of them more than once."""
    for split in UTTERANCES:
        lines = made(split) if kind == "synthetic" else chosen(request.getfixturevalue("nlvr"), split)
        (tmp_path / f"{split}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def made(split: str) -> list[dict[str, Any]]:
    rng, lines = Random(split), list[dict[str, Any]]()
    for number in range(UTTERANCES[split]):
        color, beginning = COLORS[number % 2], BEGINNINGS[number % 4 // 2]
        for image, scene in enumerate(random_towers(rng) for _ in range(4)):
            line = {"identifier": f"{number}-{image}", "sentence": f"{beginning} {color} {PHRASE}."}
            label = "true" if has_top(scene, color) else "false"
            program = f"object_exists({color}(top(all_objects)))"
            lines.append({**line, "structured_rep": scene.to_json(), "label": label, "program": program})
    return lines


def has_top(scene: Scene, color: str) -> bool:
    return any(min(box, key=lambda block: block.y).color == color for box in scene.boxes if box)


def chosen(folder: Path, split: str) -> list[dict[str, Any]]:
    """Of the real corpus, sentences that occur often."""
    lines = [json.loads(line) for line in (folder / f"{split}.json").open(encoding="utf-8")]
    count = Counter(line["sentence"] for line in lines if PHRASE in line["sentence"])
    often = {sentence for sentence, _ in count.most_common(UTTERANCES[split] // 2)}
    some = [line for line in lines if line["sentence"] in often]
    wanted = list(dict.fromkeys(line["identifier"].partition("-")[0] for line in some))[: UTTERANCES[split]]
    return [line for line in some if line["identifier"].partition("-")[0] in wanted]


@pytest.mark.parametrize(("script", "kind"), CASES)
def test_a_benchmark_prints_figures(script: str, corpus: Path) -> None:
    questions = corpus / "questions.jsonl"
    questions.write_text(json.dumps(QUESTION) + "\n")
    tables = corpus / "tables"
    tables.mkdir()
    for split, count in (("train", 24), ("dev", 2)):
        (tables / f"{split}.jsonl").write_text("".join(json.dumps(asked(number)) + "\n" for number in range(count)))
    told = OPTIONS[script].replace("DATA", str(corpus)).replace("OUT", str(corpus / "out"))
    told = told.replace("TABLES", str(tables))
    words = told.replace("QUESTIONS", str(questions)).split()
    printed = [json.loads(line) for line in run(script, *words).splitlines()]
    assert printed
    for line in map(figures, printed):
        assert line
        assert all(map(math.isfinite, line))


def test_growth_is_drawn(tmp_path: Path) -> None:
    lines = [{"work": "check", "utterances": size, "cpu_seconds": 0.5, "peak_mib": 60} for size in (10, 100)]
    (tmp_path / "scale.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run("scale", "draw", tmp_path / "scale.jsonl", tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == [
        "scale-utterances-memory.svg",
        "scale-utterances-time.svg",
    ]


def asked(number: int) -> dict[str, Any]:
    """The question, about a table of its own."""
    rows = [*QUESTION["context"]["rows"], [f"Cy {number}", "Bern"]]
    return {**QUESTION, "identifier": str(number), "context": {**QUESTION["context"], "rows": rows}}


def run(script: str, *words: object) -> str:
    command = [sys.executable, str(BENCHMARKS / f"{script}.py"), *map(str, words)]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=one_thread, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def figures(value: Any) -> list[float]:
    """All numbers in a value, at any depth."""
    if isinstance(value, dict | list):
        return [number for part in (value.values() if isinstance(value, dict) else value) for number in figures(part)]
    return [value] if isinstance(value, int | float) else []
