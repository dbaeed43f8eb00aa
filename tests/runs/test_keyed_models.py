"""Models with weights by key on disk: read as they were written, without torch; what is wrong with a file is said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save
from tests.tables.made_up import CITIES

from chorale.domain import Unlabelled
from chorale.domain.templates import key_of
from chorale.errors import ChoraleError
from chorale.evaluation.confidence import Confidence
from chorale.model import load
from chorale.plumbing.files import sha256
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.weights import KeyWeights
from chorale.runs.models import MODEL_FORMAT, KeyedFile, read_about, read_model, write_model
from chorale.tables.domain import Tables

SMALL = ProposalSettings(copies=1, meanings=40)
ASKED = Unlabelled("how many cities are in norland?", (CITIES,))
ABOUT = {"domain": "tables", "language": "tables", "recipe": "small", "seed": 3}
NAMES = Tables().proposing("tables").names
SRC = str(Path(__file__).parents[2] / "src")


@pytest.fixture(scope="module")
def ranker() -> KeyedRanker:
    """One whose features of the first program weigh something."""
    plain = KeyedRanker(Tables(), "tables", SMALL, KeyWeights.none())
    candidates = plain.candidates(ASKED)
    assert candidates is not None
    keys = np.unique(plain.posed(candidates).keys[::7])
    weights = KeyWeights.of_pairs(keys, np.resize([0.5, -0.25, 1.5], len(keys)))
    return KeyedRanker(Tables(), "tables", SMALL, weights, NAMES[:-1], Confidence(weights={"always": 1.0}))


@pytest.fixture
def file(ranker: KeyedRanker, tmp_path: Path) -> Path:
    path = tmp_path / "model" / "model.json"
    path.parent.mkdir()
    write_model(path, ranker, ABOUT)
    return path


def changed(path: Path, **values: Any) -> Path:
    """The file with other values; `None` takes a key away."""
    found = {**json.loads(path.read_text()), **values}
    path.write_text(json.dumps({key: value for key, value in found.items() if value is not None}))
    return path


def test_a_ranker_by_keys_is_read_as_it_was_written(ranker: KeyedRanker, file: Path) -> None:
    about = read_about(file)
    assert isinstance(about, KeyedFile)
    assert (about.domain, about.language, about.recipe, about.seed, about.format) == (*ABOUT.values(), MODEL_FORMAT)
    again = read_model(file, about, Tables())
    assert isinstance(again, KeyedRanker)
    assert (again.search.model_dump(), again.templates) == (ranker.search.model_dump(), ranker.templates)
    assert again.confidence == ranker.confidence
    assert again.weights.keys.tolist() == ranker.weights.keys.tolist()
    assert again.ranked(ASKED) == ranker.ranked(ASKED)
    content = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    write_model(file, again, ABOUT)
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == content


def test_a_ranker_that_looks_at_all_templates_names_them(ranker: KeyedRanker, file: Path) -> None:
    write_model(file, KeyedRanker(Tables(), "tables", SMALL, ranker.weights), ABOUT)
    assert json.loads(file.read_text())["templates"] == NAMES


def test_a_model_may_be_moved_and_its_file_does_not_say_where_weights_are_read_from(file: Path, tmp_path: Path) -> None:
    moved = Path(shutil.move(file.parent, tmp_path / "elsewhere"))
    weights = json.loads((moved / "model.json").read_text())["weights"]
    changed(moved / "model.json", weights={**weights, "file": f"../../etc/{weights['file']}"})
    assert load(moved).parse(ASKED.sentence, CITIES)


SCRIPT = """
import sys
from chorale.model import load
table = [{"City": "Ost", "Country": "Norland"}, {"City": "Vin", "Country": "Norland"}]
best = load(sys.argv[1]).parse(sys.argv[2], table)
assert "torch" not in sys.modules, "torch was imported"
print(best[0].program)
"""


def test_a_ranker_by_keys_answers_without_torch(file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": SRC}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(file), ASKED.sentence],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_a_newer_model_may_say_more(file: Path) -> None:
    search = {**json.loads(file.read_text())["search"], "patience": 3}
    assert load(changed(file, mood="good", search=search)).parse(ASKED.sentence, CITIES)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"search": None}, "search: missing"),
        ({"search": []}, "search: expected a table"),
        ({"search": {"meanings": "many"}}, "search.meanings: expected a whole number, found text 'many'"),
        ({"search": {"meanings": 0}}, "search.meanings: must be at least 1"),
        ({"search": {"meanings": 10**7}}, "search.meanings: must be at most 5000"),
        ({"search": {"copies": 10**7}}, "search.copies: must be at most 20"),
        ({"search": {"copies": -1}}, "search.copies: must be at least 0"),
        ({"templates": None}, "templates: missing"),
        ({"templates": "whole"}, "templates: expected a list"),
        ({"templates": [1]}, "templates.1: expected text"),
        ({"templates": [*NAMES[:3], "shouts"]}, r"features that this Chorale does not have \(shouts\)"),
        ({"weights": {"file": "model.safetensors"}}, "weights.sha256: missing"),
        ({"weights": "model.safetensors"}, "weights: expected a table"),
        ({"weights": {"file": "a\0b", "sha256": ""}}, "missing"),
        ({"weights": {"file": "", "sha256": ""}}, "expected a plain file, found a folder"),
        ({"confidence": {"weights": {"always": 1e9}}}, "confidence.weights.always: must be at most 100"),
        ({"confidence": {"weights": []}}, "confidence.weights: expected a table"),
        ({"kind": "ranker"}, "features that this Chorale does not have"),
        ({"kind": "network"}, "damaged"),
        ({"kind": "oracle"}, "damaged"),
        ({"format": MODEL_FORMAT + 1}, "upgrade"),
        ({"grammar": "0" * 16}, "trained with another grammar"),
        ({"language": "klingon"}, "klingon"),
        ({"domain": "nowhere"}, "no domain 'nowhere' installed"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_file_is_said_in_words(file: Path, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ChoraleError, match=message):
        load(changed(file, **values))


def test_a_language_for_which_nothing_is_proposed_is_refused(file: Path) -> None:
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415 - a domain of another kind

    grammar = Nlvr.languages["extended"].grammar.fingerprint
    with pytest.raises(ChoraleError, match="proposals for extended"):
        load(changed(file, domain="nlvr", language="extended", grammar=grammar))


def test_a_model_without_a_template_answers_by_what_is_cheap(ranker: KeyedRanker, file: Path) -> None:
    plain = KeyedRanker(Tables(), "tables", SMALL, KeyWeights.none())
    read = read_model(changed(file, templates=[]), read_about(file), Tables())
    assert isinstance(read, KeyedRanker)
    assert read.ranked(ASKED) == plain.ranked(ASKED) != ranker.ranked(ASKED)


def with_weights(path: Path, content: bytes) -> Path:
    """The file with other weights, whose hash is right."""
    weights = path.with_suffix(".safetensors")
    weights.write_bytes(content)
    return changed(path, weights={"file": weights.name, "sha256": sha256(content)})


@pytest.mark.parametrize(
    ("keys", "weights", "message"),
    [
        ([2, 1], [1, 1], "not in order"),
        ([1, 2], [1, float("nan")], "not finite"),
        ([1, 2], [1, 60_000], "larger than 1000"),
        ([1, 2, 3], [1, 2], "3 keys, but 2 weights"),
    ],
    ids=["order", "nan", "large", "few"],
)
def test_weights_of_a_stranger_are_looked_at(file: Path, keys: list[int], weights: list[float], message: str) -> None:
    content = save({"keys": np.array(keys, np.uint32), "weights": np.array(weights, np.float16)})
    with pytest.raises(ChoraleError, match=message):
        load(with_weights(file, content))


def test_keys_that_no_feature_has_do_no_harm(ranker: KeyedRanker, file: Path) -> None:
    crowded = np.arange(4096, dtype=np.uint32) + np.uint32(key_of(("x",)) >> 12 << 12)
    content = save({"keys": crowded, "weights": np.full(4096, -1, np.float16)})
    plain = KeyedRanker(Tables(), "tables", SMALL, KeyWeights.none(), NAMES[:-1])
    read = load(with_weights(file, content)).parser
    assert isinstance(read, KeyedRanker)
    assert read.ranked(ASKED) == plain.ranked(ASKED)


def test_weights_that_were_changed_or_lost_are_refused(file: Path) -> None:
    weights = file.with_suffix(".safetensors")
    content = weights.read_bytes()
    for damaged in (content[:-1], content[:-2] + b"\0\0", b""):
        weights.write_bytes(damaged)
        with pytest.raises(ChoraleError, match="damaged or changed"):
            load(file)
    weights.unlink()
    with pytest.raises(ChoraleError, match="missing"):
        load(file)
