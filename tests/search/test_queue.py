"""A queue gives what a sort of all entries would give, and makes no more than is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.search import queue
from chorale.search.budget import Budget, Usage
from chorale.search.entries import Entries, Offer, Rows
from chorale.search.queue import Chunk, Queue

BUDGET = Budget({"yellow": 0, "square": 1}, [3, 3], {0: 2, 1: 1})


def offer(usages: Sequence[int], made: list[int]) -> Offer:
    def make(rows: Rows) -> Entries:
        made.extend(rows.tolist())
        own = np.array(usages, dtype=np.int64)[rows]
        return Entries.of([own.tolist()], own, _gaps(own), own.astype(np.uint64), (0, ()), (), 1)

    own = np.array(usages, dtype=np.int64)
    return Offer(own, _gaps(own), make)


def _gaps(usages: Usage) -> Usage:
    """Any numbers."""
    return usages * 7 % 3


def looked_at(chunk: Chunk) -> list[int]:
    """The places of a chunk's entries, in the order in which they are looked at."""
    return [int(chunk.rows[row]) for row in chunk.order]


@given(st.lists(st.lists(st.integers(0, 31), min_size=1, max_size=8), min_size=1, max_size=4), st.integers(1, 9))
def test_the_entries_that_answer_most_words_come_first_then_those_with_the_fewest_gaps(
    several: list[list[int]], size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queue, "_CHUNK", size)
        own = Queue([offer(usages, []) for usages in several], BUDGET)
        chunks = list(own)
    usages = [usage for some in several for usage in some]
    answers = [min(usage & 3, 2) + min(usage >> 3 & 3, 1) for usage in usages]
    expected = sorted(range(len(usages)), key=lambda place: (-answers[place], usages[place] * 7 % 3))
    assert [place for chunk in chunks for place in looked_at(chunk)] == expected
    for chunk in chunks:
        assert chunk.level.usage.tolist() == [usages[place] for place in chunk.rows]
        assert chunk.keys == [(usages[place], usages[place]) for place in chunk.rows]
    assert own.whole.usage.tolist() == usages


def test_a_chunk_is_made_once_and_only_if_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "_CHUNK", 2)
    made: list[int] = []
    own = Queue([offer([0, 1, 9, 1, 0], made)], BUDGET)
    first = next(iter(own))
    assert made == [1, 2]
    assert next(iter(own)) is first
    assert made == [1, 2]
    assert len(list(own)) == 3
    assert sorted(made) == [0, 1, 2, 3, 4]
