"""Right meaning: does a predicted program mean what its sentence means?

A synthetic corpus knows the program behind each sentence, in the first language of its domain. A prediction has the
right meaning if it answers like that program in each of many generated contexts. A spurious program, which fits the
contexts of its sentence by accident, fails there. The two programs may be of different languages.

No training ever sees the known programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from chorale.domain import Domain, Reading, meanings_of
from chorale.domain.json_lines import utterance_of
from chorale.domain.meanings import FOR_TRUTH
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.plumbing.files import lines


def known_programs(path: Path) -> dict[str, str]:
    """The program behind each utterance, by its identifier; empty if the file does not tell, as NLVR's do not."""
    try:
        records = [json.loads(line) for _, line in lines(path) if line.strip()]
    except ChoraleError:
        raise
    except ValueError:  # the file of a domain that keeps its data in another form
        return {}
    told = [one for one in records if isinstance(one, dict) and "program" in one and "identifier" in one]
    return {utterance_of(str(one["identifier"])): str(one["program"]) for one in told}


def right_meaning(domain: Domain, language: str, predictions: Sequence[Reading], known: Mapping[str, str]) -> float:
    """The share of predictions, programs of this language, that mean what their sentence means."""
    first = next(iter(domain.languages))
    right = 0
    for one in predictions:
        assert one.utterance is not None
        asked = one.utterance if domain.has_constants(language) else None
        ours, theirs = (meanings_of(domain, it, asked, FOR_TRUTH) for it in (language, first))
        wanted = Program.parse(known[one.utterance.identifier], theirs.language.grammar)
        right += ours.answers(one.program) == theirs.answers(wanted)
    return right / len(predictions)
