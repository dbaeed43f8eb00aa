"""Changing an answer: the fewest small changes of a context after which a program says something else.

Breadth first: all contexts that are one change away, then two, and so on (`Domain.editing` makes them). Contexts in
which all parts of the program find the same are alike to it, so one of them is gone on from; of too many, some that are
as unlike each other as can be. So an answer that one change can give is found with one; a deeper one may not be the
least. The work is bounded by a number of contexts, never by the clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Domain, Utterance, needed
from chorale.domain.meanings import answers_of
from chorale.language import Program

MOST = 25_000
"""Contexts that are looked at, unless it is said otherwise."""
_DEEPEST = 8  # changes
_WIDTH = 24  # contexts that are changed further
_BATCH = 4_000


@dataclass(frozen=True)
class Change:
    """A context in which the program says what was wanted, if one was found."""

    looked_at: int
    """How many contexts were looked at."""
    context: Any = None
    changes: int | None = None
    """How many small changes led there; None if nothing was found."""

    def __bool__(self) -> bool:
        return self.changes is not None


def change(
    program: Program,
    context: Any,
    wanted: Any,
    domain: Domain,
    language: str,
    *,
    utterance: Utterance | None = None,
    most: int = MOST,
) -> Change:
    """The nearest context, as far as it can be found, in which a program gives the wanted answer."""
    editing = needed(domain.editing, domain, "editing", "changing an answer")

    def right(contexts: Sequence[Any]) -> int | None:
        """The first of some contexts that the program judges as wanted."""
        answers = answers_of(program, domain.bind(language, utterance, contexts))
        return next((index for index, answer in enumerate(answers) if domain.answers.agrees(answer, wanted)), None)

    if right([context]) is not None:
        return Change(1, context, 0)
    origin = editing.profiles(program, [context], language)[0].astype(int)
    seen, frontier, looked_at = {origin.tobytes()}, [context], 1
    for depth in range(1, _DEEPEST + 1):
        rows, reached = [origin], [context]  # what is new at this depth, each with its profile
        for contexts in _batches((near for one in frontier for near in editing.around(one)), most - looked_at):
            looked_at += len(contexts)
            if (index := right(contexts)) is not None:
                return Change(looked_at, contexts[index], depth)
            for one, row in zip(contexts, editing.profiles(program, contexts, language).astype(int), strict=True):
                if (key := row.tobytes()) not in seen:
                    seen.add(key)
                    rows.append(row)
                    reached.append(one)
        frontier = [reached[index] for index in _unlike(np.array(rows), _WIDTH)]
        if not frontier or looked_at >= most:
            break
    return Change(looked_at)


def _unlike(rows: NDArray[np.int_], count: int) -> list[int]:
    """That many rows, each as far from those before it, and from the first row, as any; the first row is left out."""
    chosen: list[int] = []
    far = np.abs(rows - rows[0]).sum(axis=1)
    while len(chosen) < min(count, len(rows) - 1):
        chosen.append(int(far.argmax()))
        far = np.minimum(far, np.abs(rows - rows[chosen[-1]]).sum(axis=1))
    return chosen


def _batches(contexts: Iterator[Any], most: int) -> Iterator[list[Any]]:
    """In batches, up to a number in all."""
    left = islice(contexts, most)
    while batch := list(islice(left, _BATCH)):
        yield batch
