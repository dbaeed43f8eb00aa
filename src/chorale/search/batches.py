"""Batches: many values of one type, computed by one call.

A language that *stacks* (`Language.stacks`) lets its functions work on values with one more axis in front, one row a
program. Its values are arrays, or objects with `take`, `joined` and `keys`. The values of any other language are kept
in plain lists and its functions are called row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]


def take(batch: Any, rows: Rows) -> Any:
    """Some rows of a batch."""
    if isinstance(batch, list):
        return [batch[row] for row in rows]
    return batch[rows] if isinstance(batch, np.ndarray) else batch.take(rows)


def joined(batches: Sequence[Any]) -> Any:
    """Batches one behind another."""
    if len(batches) == 1:
        return batches[0]
    if isinstance(batches[0], list):
        return [value for batch in batches for value in batch]
    return np.concatenate(batches) if isinstance(batches[0], np.ndarray) else batches[0].joined(batches)


def called(function: Callable[..., Any], arguments: Sequence[Any], stacks: bool) -> Any:
    """The function's values for all rows."""
    if stacks:
        return function(*arguments)
    return [function(*row) for row in zip(*arguments, strict=True)]


def equal(one: Any, other: Any) -> NDArray[np.bool_]:
    """Which rows of two batches have the same value; batches that are not kept alike have none."""
    if isinstance(one, list):
        return np.array([value == same for value, same in zip(one, other, strict=True)], dtype=bool)
    left, right = (batch if isinstance(batch, np.ndarray) else batch.keys() for batch in (one, other))
    if left.shape != right.shape:
        return np.zeros(len(left), dtype=bool)
    same: NDArray[np.bool_] = (left == right).reshape(len(left), -1).all(axis=1)
    return same


def keys(batches: Sequence[Any], usage: NDArray[np.int64]) -> list[Hashable]:
    """What tells the rows of an entry's batches apart: their values and what they use."""
    if all(isinstance(batch, list) for batch in batches):
        return list(zip(usage.tolist(), *batches, strict=True))
    parts = [usage.view(np.uint8).reshape(len(usage), -1)]
    for batch in batches:
        words = batch if isinstance(batch, np.ndarray) else batch.keys()
        parts.append(np.ascontiguousarray(words).view(np.uint8).reshape(len(usage), -1))
    table = np.hstack(parts)
    width, data = table.shape[1], table.tobytes()
    return [data[start : start + width] for start in range(0, len(data), width)]
