"""Utterances as JSON lines, for domains that have no file format of their own.

    {"identifier": "17", "sentence": "...", "contexts": [...], "answers": [...]}

Contexts are read by the domain's codec, answers by its `Answers`; an answer that is not known is null. An utterance
with one context may write `context` and `answer` instead. Lines with the same sentence and an identifier that differs
only after its last dash ("17-0", "17-1") are contexts of one utterance.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chorale.domain.codec import Codec
from chorale.domain.utterance import Answer
from chorale.errors import ChoraleError
from chorale.plumbing.files import lines

if TYPE_CHECKING:
    from chorale.domain.domain import Domain

EXPECTED = '{"identifier": "1", "sentence": "...", "contexts": [...], "answers": [...]}'
_MOST_PROBLEMS = 100


@dataclass(frozen=True)
class Example:
    """An utterance of a data file."""

    identifier: str
    sentence: str
    contexts: tuple[Any, ...]
    answers: tuple[Answer | None, ...]


def read(domain: Domain, path: Path, *, labels_required: bool) -> list[Example]:
    """The utterances of a file; all that is wrong is told at once, line by line."""
    found: dict[tuple[str, str], Example] = {}
    wrong: list[str] = []
    for number, content in lines(path):
        if not content.strip():
            continue
        try:
            one = _example(domain, content, labels_required)
        except ChoraleError as error:
            wrong.append(f"{path}:{number}: {error}")
            continue
        group, dash, _ = one.identifier.rpartition("-")
        key = (group if dash else one.identifier), one.sentence
        if (first := found.get(key)) is None:
            found[key] = Example(key[0] if dash else one.identifier, one.sentence, one.contexts, one.answers)
        else:
            contexts, answers = (*first.contexts, *one.contexts), (*first.answers, *one.answers)
            found[key] = Example(first.identifier, first.sentence, contexts, answers)
    if wrong:
        count = "1 problem" if len(wrong) == 1 else f"{len(wrong)} problems"
        raise ChoraleError("\n".join([f"{path}: {count}", *wrong[:_MOST_PROBLEMS]]))
    return list(found.values())


def line(
    domain: Domain, identifier: str, sentence: str, contexts: Sequence[Any], answers: Sequence[Answer | None]
) -> dict[str, Any]:
    """An utterance as a line."""
    codec = domain.codec or Codec()
    return {
        "identifier": identifier,
        "sentence": sentence,
        "contexts": [codec.to_json(context) for context in contexts],
        "answers": [domain.answers.to_json(answer) for answer in answers],
    }


def _example(domain: Domain, content: bytes, labels_required: bool) -> Example:
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ChoraleError(f"not JSON: {error}; expected {EXPECTED}") from None
    if not isinstance(record, dict) or not isinstance(record.get("sentence"), str):
        raise ChoraleError(f"sentence: missing, or no text; expected {EXPECTED}")
    contexts = _listed(record, "context", "contexts")
    answers = _listed(record, "answer", "answers") if {"answer", "answers"} & record.keys() else [None] * len(contexts)
    if not contexts or len(answers) != len(contexts):
        raise ChoraleError(f"{len(contexts)} contexts and {len(answers)} answers; expected as many, and at least one")
    if labels_required and None in answers:
        raise ChoraleError("answers: one of them is missing")
    codec = domain.codec or Codec()
    return Example(
        str(record.get("identifier", "")) or "?",
        record["sentence"],
        tuple(map(codec.decoded, contexts)),
        tuple(None if it is None else domain.answers.from_json(it) for it in answers),
    )


def _listed(record: dict[str, Any], one: str, many: str) -> list[Any]:
    if one in record:
        return [record[one]]
    value = record.get(many)
    if not isinstance(value, list):
        raise ChoraleError(f"{many}: expected a list, found {json.dumps(value):.60}")
    return value
