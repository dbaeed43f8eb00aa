"""Utterances as JSON lines, for domains that have no file format of their own.

    {"identifier": "17", "sentence": "...", "contexts": [...], "answers": [...]}

Contexts are read by the domain's codec, answers by its `Answers`; an answer that is not known is null. An utterance
with one context may write `context` and `answer` instead. Lines "17-0", "17-1" with the same sentence are contexts of
the utterance "17". Lines without an identifier are known by their number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chorale.domain.codec import Codec
from chorale.domain.utterance import Answer, check_sentence
from chorale.errors import ChoraleError, nearest
from chorale.plumbing.files import lines, unique

if TYPE_CHECKING:
    from chorale.domain.domain import Domain

EXPECTED = '{"identifier": "1", "sentence": "...", "contexts": [...], "answers": [...]}'
_KEYS = ("identifier", "sentence", "context", "contexts", "answer", "answers")
_MOST_PROBLEMS = 100
_PAIR = re.compile(r"([0-9]+)-[0-9]+")


@dataclass(frozen=True)
class Example:
    """An utterance of a data file."""

    identifier: str
    sentence: str
    contexts: tuple[Any, ...]
    answers: tuple[Answer | None, ...]
    pairs: tuple[tuple[int, str], ...] = ()
    """For each context the line and the name that it has in the file."""


def utterance_of(identifier: str) -> str:
    """The utterance of a line: "17" of "17-0"; any other identifier is its own.

    >>> utterance_of("17-0"), utterance_of("17"), utterance_of("question-5")
    ('17', '17', 'question-5')
    """
    pair = _PAIR.fullmatch(identifier)
    return pair[1] if pair else identifier


def identifier_of(record: Mapping[str, Any], number: int) -> str:
    """What the record of a line is called: as it says, or by the number of its line."""
    given = record.get("identifier")
    return str(number if given in (None, "") else given)


def read(domain: Domain, path: Path, *, labels_required: bool) -> list[Example]:
    """The utterances of a file; all problems are reported at once, line by line."""
    examples: dict[str, Example] = {}
    first: dict[str, int] = {}  # line of each identifier
    wrong: list[str] = []
    for number, content in lines(path):
        if not content.strip():
            continue
        try:
            one = _example(domain, content, number, labels_required)
            if first.setdefault(one.identifier, number) != number:
                line = first[one.identifier]
                raise ChoraleError(f"identifier: {one.identifier!r:.60} occurs twice, first in line {line}")
            name = utterance_of(one.identifier)
            examples[name] = _joined(examples[name], one) if name in examples else replace(one, identifier=name)
        except ChoraleError as error:
            wrong.append(f"{path}:{number}: {error}")
    if wrong:
        count = "1 problem" if len(wrong) == 1 else f"{len(wrong)} problems"
        raise ChoraleError("\n".join([f"{path}: {count}", *wrong[:_MOST_PROBLEMS]]))
    return list(examples.values())


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


def _joined(one: Example, other: Example) -> Example:
    """An utterance with the contexts of one more line."""
    if one.sentence != other.sentence:
        line = one.pairs[0][0]
        raise ChoraleError(f"sentence: utterance {one.identifier} has another one in line {line}: {one.sentence!r:.80}")
    return Example(
        one.identifier,
        one.sentence,
        (*one.contexts, *other.contexts),
        (*one.answers, *other.answers),
        (*one.pairs, *other.pairs),
    )


def _example(domain: Domain, content: bytes, number: int, labels_required: bool) -> Example:
    try:
        record = json.loads(content, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise ChoraleError(f"not JSON: {error}; expected {EXPECTED}") from None
    if not isinstance(record, dict) or not isinstance(record.get("sentence"), str):
        raise ChoraleError(f"sentence: missing, or no text; expected {EXPECTED}")
    for key in record.keys() - set(_KEYS):
        if close := nearest(key, _KEYS):  # other keys are for others
            raise ChoraleError(f"{key:.60}: there is no such key; did you mean {close!r}?")
    check_sentence(record["sentence"])
    contexts = _listed(record, "context", "contexts")
    answers = _listed(record, "answer", "answers") if {"answer", "answers"} & record.keys() else [None] * len(contexts)
    if not contexts or len(answers) != len(contexts):
        raise ChoraleError(
            f"{len(contexts)} contexts and {len(answers)} answers; expected one answer for each context, and at least "
            "one"
        )
    if labels_required and None in answers:
        raise ChoraleError("answers: one of them is missing")
    codec, name = domain.codec or Codec(), identifier_of(record, number)
    is_pair = name != utterance_of(name) and len(contexts) == 1
    return Example(
        name,
        record["sentence"],
        tuple(map(codec.decoded, contexts)),
        tuple(None if it is None else domain.answers.from_json(it) for it in answers),
        tuple((number, name if is_pair else f"{name}-{place}") for place in range(len(contexts))),
    )


def _listed(record: dict[str, Any], one: str, many: str) -> list[Any]:
    if one in record:
        return [record[one]]
    value = record.get(many)
    if not isinstance(value, list):
        raise ChoraleError(f"{many}: expected a list, found {json.dumps(value):.60}")
    return value
