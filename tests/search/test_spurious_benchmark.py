"""benchmarks/spurious.py: programs are judged by images that the search did not see."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from chorale.nlvr.pictures.synthetic import generate
from chorale.nlvr.reader import read

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "spurious.py"
ALWAYS_TRUE = "box_exists(all_boxes)"


@pytest.fixture(scope="module")
def spurious() -> ModuleType:
    spec = importlib.util.spec_from_file_location("spurious", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spurious") / "train.json"
    path.write_text("".join(f"{line}\n" for utterance in generate("train", 12) for line in utterance.lines()))
    return path


def test_candidates_are_tested_on_the_images_that_were_kept_back(
    spurious: ModuleType, data: Path, tmp_path: Path
) -> None:
    corpus, known = read(data), {str(utterance.number): utterance.program for utterance in generate("train", 12)}
    shown = spurious._shown(corpus, 2)
    kept_back: dict[str, list[bool]] = {}
    for example in corpus.examples:
        if example.identifier not in shown:
            kept_back.setdefault(example.group, []).append(example.label is True)
    assert sum(map(len, kept_back.values())) == len(corpus.examples) - 2 * len(known)

    found = tmp_path / "found.jsonl"
    lines = [
        {"identifier": group, "candidates": [{"program": text} for text in (known[group], ALWAYS_TRUE)]}
        for group in known
    ]
    found.write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"identifier": "nobody", "candidates": []}]))
    tested = spurious._tested(found, data, shown)
    assert tested == {group: [True, all(labels)] for group, labels in kept_back.items()}
    assert {right[1] for right in tested.values()} == {True, False}


def test_a_wrong_number_of_images_is_told(data: Path) -> None:
    done = subprocess.run([sys.executable, SCRIPT, data, "--images", "0"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--images: show one image or more" in done.stderr
