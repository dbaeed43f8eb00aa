"""Truly right: does a predicted program mean what its sentence means?

A synthetic corpus knows the program behind each sentence. A prediction is truly right if it says the same as that
program on every scene of a large generated crowd. A spurious program that fits the four images of its sentence by
accident is found out there. The two programs may be of different languages.

No training ever sees the known programs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from chorale.evaluation.predictions import Prediction
from chorale.language import Language
from chorale.nlvr.domain import Nlvr
from chorale.plumbing.files import read_text
from chorale.search.distinguish import distinguish

GENERATED = 4_000
KNOWN = "consistent"
"""The language of the known programs."""


def known_programs(path: Path) -> dict[str, str]:
    """The program behind each utterance, by its identifier; empty if the file does not tell, as NLVR's do not."""
    known: dict[str, str] = {}
    for line in read_text(path).splitlines():
        record = json.loads(line)
        if "program" in record:
            known[str(record["identifier"]).rpartition("-")[0]] = str(record["program"])
    return known


def truly_right(predictions: Sequence[Prediction], language: str, known: Mapping[str, str]) -> float:
    """The share of predictions that mean what their sentence means."""
    ours, theirs = _crowd(language), _crowd(KNOWN)
    found = [
        distinguish(ours.parse(it.program), theirs.parse(known[it.identifier]), ours, other_language=theirs)
        for it in predictions
    ]
    return sum(not difference for difference in found) / len(found)


@cache
def _crowd(language: str, count: int = GENERATED, seed: int = 0) -> Language:
    domain, rng = Nlvr(), random.Random(seed)
    return domain.bind(language, [domain.generator(rng) for _ in range(count)])
