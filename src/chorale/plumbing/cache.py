"""A bounded cache: results are kept up to a number of them; then it starts afresh."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Values by key, at most `most` of them.

    When it is full it is emptied: that costs nothing per look-up, and those who come back are computed again.

    >>> squares = Cache[int, int](most=2)
    >>> [squares.get(number, lambda number=number: number**2) for number in (1, 2, 3)], len(squares)
    ([1, 4, 9], 1)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: dict[K, V] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key; made if it is not there."""
        try:
            return self._kept[key]
        except KeyError:
            value = make()
            if len(self._kept) >= self.most:
                self._kept.clear()
            self._kept[key] = value
            return value

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
