"""Candidates: for each utterance, programs that may be what it means, as JSON lines.

    {"identifier": "17", "sentence": "There is a ...", "candidates": [{"program": "object_exists(...)"}, ...]}

Search writes them, and so does the stage that collects what a model finds; the marginal likelihood learns from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from chorale.domain import Domain, Grounding
from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.plumbing.files import sha256, write
from chorale.search.search import search as searched
from chorale.search.settings import SearchSettings
from chorale.training.corpora import Corpus
from chorale.training.settings import Search

Candidates = Mapping[str, Sequence[str]]
"""Texts of programs by the identifier of their utterance."""

CandidateSource = Callable[[Search, Domain, str, Grounding, Callable[[int], None]], Candidates]
"""What finds candidates: a stage's settings, the domain, the language, the utterances, and whom to tell how many of
these are done."""


def candidates_for(
    search: Search, domain: Domain, language: str, grounding: Grounding, done: Callable[[int], None]
) -> Candidates:
    """Candidates for training utterances: those of a file, or those that a search finds."""
    if search.file:
        return read_candidates(Path(search.file))
    names = ("procedure", "max_actions", "keep", "looked_at", "noise", "pool", "probes", "most")
    settings = SearchSettings.model_validate({name: getattr(search, name) for name in names})
    found: dict[str, list[str]] = {}
    for results in searched(domain, language, grounding, settings):
        for result in results:
            identifier = grounding.utterances[result.utterance].identifier
            found[identifier] = [candidate.program.text for candidate in result.candidates]
        done(len(found))
    return found


def read_candidates(path: Path, fingerprint: str | None = None) -> dict[str, list[str]]:
    """The candidates in a file, which must be the one of that fingerprint if one is given."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ChoraleError(f"{path}: no such file of candidates") from None
    if fingerprint is not None and sha256(content) != fingerprint:
        raise ChoraleError(
            f"{path}: damaged or changed: its fingerprint is not the one that was noted; restore the file"
        )
    found: dict[str, list[str]] = {}
    for number, line in enumerate(content.splitlines(), 1):
        try:
            record = json.loads(line)
            found[str(record["identifier"])] = [str(candidate["program"]) for candidate in record["candidates"]]
        except (ValueError, KeyError, TypeError) as error:
            raise ChoraleError(
                f"{path}:{number}: not a line of candidates ({error!r}); expected "
                '{"identifier": "17", "candidates": [{"program": "..."}]}'
            ) from None
    return found


def write_candidates(path: Path, corpus: Corpus, candidates: Candidates) -> str:
    """Write candidates in the order of the utterances; gives back the fingerprint of the file."""
    lines = []
    for utterance in corpus.utterances:
        programs = [{"program": program} for program in candidates.get(utterance.identifier, ())]
        record = {"identifier": utterance.identifier, "sentence": utterance.sentence, "candidates": programs}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    content = "".join(lines).encode()
    write(path, content)
    return sha256(content)


def as_actions(corpus: Corpus, candidates: Candidates) -> dict[int, list[tuple[int, ...]]]:
    """The candidates as actions, by the place of their utterance, for utterances that have any."""
    result = {}
    for place, utterance in enumerate(corpus.utterances):
        grammar = corpus.grounding.grammar(place)
        texts = candidates.get(utterance.identifier, ())
        found = dict.fromkeys(Program.parse(text, grammar).action_ids for text in texts)
        if found:
            result[place] = list(found)
    return result
