"""Models of rankers as a stranger could write them: whatever loads also answers, with numbers that JSON can say."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
from tests.tables.made_up import CITIES

from chorale.domain import Unlabelled, Utterance
from chorale.domain.parsing import SentenceParser
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.plumbing.files import sha256
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.ranker import Ranker
from chorale.ranker.weights import KeyWeights
from chorale.runs.models import write_model
from chorale.search.from_words import WordsSettings
from chorale.tables.domain import Tables

_WEIGHTS = "model.safetensors"


def _parsers() -> list[tuple[SentenceParser, dict[str, str], Utterance]]:
    search = WordsSettings(max_actions=8, meanings=5, contexts=8, most=5)
    features = {("edge", "above", "{color}", "<"): 3.0, ("says", "over", "above"): 1.5}
    words = Ranker(Nlvr(), "extended", search, features, ["edge", "says"])
    weights = KeyWeights(np.array([3, 2**20, 2**31], np.uint32), np.array([1, -2, 0.5], np.float32))
    keyed = KeyedRanker(Tables(), "tables", ProposalSettings(copies=1, meanings=10), weights)
    return [
        (words, {"domain": "nlvr", "language": "extended"}, Unlabelled("There is a circle above a black item")),
        (keyed, {"domain": "tables", "language": "tables"}, Unlabelled("how many cities?", (CITIES,))),
    ]


@cache
def _written(folder: Path) -> list[tuple[bytes, bytes, Utterance]]:
    """The JSON and the weights of each, and what it is asked."""
    found = []
    for parser, about, asked in _parsers():
        write_model(folder / "model.json", parser, {**about, "recipe": "small", "seed": 3})
        found.append(((folder / "model.json").read_bytes(), (folder / _WEIGHTS).read_bytes(), asked))
        (folder / "model.json").unlink()  # so that the next one's weights get the same name
    return found


def seeds(folder: Path) -> list[bytes]:
    """A number in the first line says which ranker; then the JSON on one line, then the weights."""
    return [
        b"%d\n%b\n%b" % (number, json.dumps(json.loads(about)).encode(), weights)
        for number, (about, weights, _) in enumerate(_written(folder))
    ]


def read(folder: Path, content: bytes) -> None:
    """Load it, its hash put right, and ask."""
    number, _, rest = content.partition(b"\n")
    about, _, weights = rest.partition(b"\n")
    written = _written(folder)
    _, before, asked = written[1 if number == b"1" else 0]
    there = folder / "read"
    there.mkdir(exist_ok=True)
    (there / _WEIGHTS).write_bytes(weights)
    (there / "model.json").write_bytes(about.replace(sha256(before).encode(), sha256(weights).encode()))
    answered = load(there).answer(asked.sentence, *asked.contexts)
    json.dumps([answered.confidence, *(it.log_probability for it in answered.readings)], allow_nan=False)
    assert all(0 <= math.exp(it.log_probability) < 1.01 for it in answered.readings)
