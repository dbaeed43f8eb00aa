"""Truly right: does a predicted program mean what its sentence means?

A synthetic corpus knows the program behind each sentence, in the first language of its domain. A prediction is truly
right if it says the same as that program on every one of many generated contexts. A spurious program that fits the four
images of its sentence by accident is found out there. The two programs may be of different languages.

No training ever sees the known programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from chorale.domain import Domain, needed
from chorale.evaluation.predictions import Prediction
from chorale.language import Language
from chorale.plumbing.files import lines
from chorale.search.distinguish import distinguish

GENERATED = 4_000


def known_programs(path: Path) -> dict[str, str]:
    """The program behind each utterance, by its identifier; empty if the file does not tell, as NLVR's do not."""
    records = (json.loads(line) for _, line in lines(path) if line.strip())
    return {str(one["identifier"]).rpartition("-")[0]: str(one["program"]) for one in records if "program" in one}


def truly_right(domain: Domain, language: str, predictions: Sequence[Prediction], known: Mapping[str, str]) -> float:
    """The share of predictions, programs of this language, that mean what their sentence means."""
    ours, theirs = _on_generated(domain, language), _on_generated(domain, next(iter(domain.languages)))
    found = [
        distinguish(ours.parse(it.program), theirs.parse(known[it.identifier]), ours, other_language=theirs)
        for it in predictions
    ]
    return sum(not difference for difference in found) / len(found)


@lru_cache(maxsize=4)
def _on_generated(domain: Domain, language: str) -> Language:
    rng, make = Random(0), needed(domain.generator, domain, "generator", "the share of truly right programs")
    return domain.bind(language, [make(rng) for _ in range(GENERATED)])
