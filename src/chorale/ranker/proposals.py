"""Proposals of a whole corpus, with which of them are right; on the disk while they are made, so that they resume.

Each utterance is a record: its length in eight bytes, then safetensors. A training that is killed resumes with the
utterance it was at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import BinaryIO

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from chorale.domain import Answer, Utterance
from chorale.domain.candidates import Candidates, Flags, Posed
from chorale.domain.json_lines import line
from chorale.engines.engine import Engine
from chorale.engines.local import Local
from chorale.engines.resuming import resumed
from chorale.plumbing.files import hash_of_all, unfinished
from chorale.plumbing.version import version
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.online import Examples

_LENGTH = 8  # bytes
_MOST = 1 << 30  # bytes of a record; what claims to be longer is none
_ARRAYS = tuple(field.name for field in fields(Posed) if field.name != "parts")


@dataclass(frozen=True)
class Proposed:
    """The programs of an utterance, and which of them are right."""

    posed: Posed
    right: Flags


NOTHING = Posed(
    np.zeros(0, np.uint32),
    np.zeros(0, np.uint16),
    np.zeros(0, np.uint16),
    1,
    np.zeros((0, 1), np.uint16),
    np.zeros(0, np.float32),
    np.zeros(0, np.uint16),
    np.zeros(1, np.uint32),
    np.zeros(0, np.uint32),
)
"""Of an utterance that has no program."""


def proposed_examples(
    utterances: Sequence[Utterance],
    ranker: KeyedRanker,
    out: Path,
    *,
    tick: Callable[[int, int], None] = lambda done, of: None,
    engine: Engine | None = None,
) -> Examples:
    """What a ranker learns from, for all utterances in order; `out` names the file that holds what was found so far.

    The file is the caller's to remove.
    """
    examples = Examples()
    depends_on = {
        "version": version(),
        "data": hash_of_all(
            line(ranker.domain, it.identifier, it.sentence, it.contexts, it.answers) for it in utterances
        ),
        "grammar": ranker.domain.languages[ranker.language].grammar.fingerprint,
        "settings": ranker.search.model_dump(),
        "templates": sorted(ranker.templates or ranker.proposing.names),
    }
    with unfinished(out, depends_on, "training") as (_, part):
        for proposed in resumed(engine or Local(), _Work(ranker), utterances, part, _read):
            examples.add(proposed.posed, proposed.right)
            tick(len(examples), len(utterances))
    return examples


@dataclass(frozen=True)
class _Work:
    """What a worker does with an utterance."""

    ranker: KeyedRanker

    def __call__(self, utterance: Utterance) -> tuple[bytes, Proposed]:
        candidates = self.ranker.candidates(utterance)
        [answer] = utterance.answers
        if candidates is None or answer is None:
            proposed = Proposed(NOTHING, np.zeros(0, bool))
        else:
            proposed = Proposed(self.ranker.posed(candidates), _right(utterance, candidates, answer))
        return _written(proposed), proposed


def _right(utterance: Utterance, candidates: Candidates, answer: Answer) -> Flags:
    """Which programs are right: those that mean what is meant if that is known, else those with the right answer."""
    program: str | None = getattr(utterance, "program", None)
    return candidates.right(answer) if program is None else candidates.meant(program)


def _written(proposed: Proposed) -> bytes:
    arrays = {name: np.ascontiguousarray(getattr(proposed.posed, name)) for name in _ARRAYS}
    content = save({**arrays, "parts": np.array([proposed.posed.parts], np.int64), "right": proposed.right})
    return len(content).to_bytes(_LENGTH, "little") + content


def _read(_: Utterance, stream: BinaryIO) -> Proposed | None:
    """The next record; None if it was not written to its end."""
    head = stream.read(_LENGTH)
    length = int.from_bytes(head, "little")
    if len(head) < _LENGTH or not 0 < length <= _MOST or len(content := stream.read(length)) < length:
        return None
    try:
        tensors = load(content)
        return Proposed(
            Posed(parts=int(tensors["parts"][0]), **{name: tensors[name] for name in _ARRAYS}), tensors["right"]
        )
    except (SafetensorError, KeyError):
        return None
