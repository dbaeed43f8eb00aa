"""Truly right: does a predicted program mean what its sentence means?

A synthetic corpus knows the program behind each sentence, in the first language of its domain. A prediction is truly
right if it says the same as that program on every one of many generated contexts. A spurious program that fits the four
images of its sentence by accident is found out there. The two programs may be of different languages.

No training ever sees the known programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from chorale.domain import Domain
from chorale.evaluation.predictions import Prediction
from chorale.plumbing.files import lines
from chorale.search.distinguish import distinguish, on_generated

GENERATED = 4_000


def known_programs(path: Path) -> dict[str, str]:
    """The program behind each utterance, by its identifier; empty if the file does not tell, as NLVR's do not."""
    try:
        records = [json.loads(line) for _, line in lines(path) if line.strip()]
    except ValueError:  # the file of a domain that keeps its data in another form
        return {}
    told = [one for one in records if isinstance(one, dict) and "program" in one and "identifier" in one]
    return {str(one["identifier"]).rpartition("-")[0]: str(one["program"]) for one in told}


def truly_right(domain: Domain, language: str, predictions: Sequence[Prediction], known: Mapping[str, str]) -> float:
    """The share of predictions, programs of this language, that mean what their sentence means."""
    ours = on_generated(domain, language, GENERATED)
    theirs = on_generated(domain, next(iter(domain.languages)), GENERATED)
    found = [
        distinguish(ours.parse(it.program), theirs.parse(known[it.identifier]), ours, other_language=theirs)
        for it in predictions
    ]
    return sum(not difference for difference in found) / len(found)
