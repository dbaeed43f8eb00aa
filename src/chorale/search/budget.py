"""Budgets: how often an utterance lets each function or constant be used, as arithmetic on one integer per entry.

The integer has a field of bits per class of terminals: the lower ones count its uses, the highest is a guard. What is
missing to the largest count is added before looking, so that one use too many spills into the guard. Two usages within
the limits add up without running into the next field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_BITS = 63  # of all fields together
_WIDTH = 3  # of a field that is not fitted to its limit
_MOST_FITTED = 7  # uses
_MOST_PLACES = 62

Usage = NDArray[np.int64]


class Budget:
    """`classes` maps a terminal to its class, `limits` says how often each class may be used.

    Fields count to three, and there is room for 21 of them. With `fitted` each is as wide as its limit needs, up to
    seven uses, so that there is room for more classes, most of which may be used once. Terminals without a class, and
    those of classes that find no room, are not limited. `needed` says how many uses of a class answer words of the
    utterance, `places` at which of its phrases, counted from 0, a class stands.
    """

    def __init__(
        self,
        classes: Mapping[str, int] | None = None,
        limits: Sequence[int] = (),
        needed: Mapping[int, int] | None = None,
        places: Mapping[int, int] | None = None,
        *,
        fitted: bool = False,
    ) -> None:
        shifts, masks, slack, guard, end = list[int](), list[int](), 0, 0, 0
        for limit in limits:
            width = min(limit, _MOST_FITTED).bit_length() + 1 if fitted else _WIDTH
            if end + width > _BITS:
                break
            mask = (1 << (width - 1)) - 1
            slack += (mask - min(limit, mask)) << end
            guard += (mask + 1) << end
            shifts.append(end)
            masks.append(mask)
            end += width
        self._slack, self._guard = slack, guard
        self._classes = {name: shifts[number] for name, number in (classes or {}).items() if number < len(shifts)}
        self._needed = [
            (shifts[number], masks[number], most) for number, most in (needed or {}).items() if number < len(shifts)
        ]
        self._places = [
            (shifts[number], masks[number], place)
            for number, place in (places or {}).items()
            if number < len(shifts) and place < _MOST_PLACES
        ]
        self._known = sum(1 << place for place in {place for *_, place in self._places})
        widest = max(masks, default=0).bit_length()
        self._ones = [  # for each bit of a count the fields that have it
            sum(1 << shift for shift, mask in zip(shifts, masks, strict=True) if mask >> bit) for bit in range(widest)
        ]

    def of(self, name: str) -> int:
        """What one use of a terminal costs."""
        return 1 << self._classes[name] if name in self._classes else 0

    def allows(self, usage: Usage) -> NDArray[np.bool_]:
        """Which usages stay within the limits; each is the sum of two that do."""
        within: NDArray[np.bool_] = ((usage + self._slack) & self._guard) == 0
        return within

    def has_room(self, usages: Sequence[int]) -> bool:
        """Whether the sum of usages stays within the limits; each of them does."""
        total = 0
        for usage in usages:
            total += usage
            if total + self._slack & self._guard:
                return False
        return True

    def repeats(self, usage: Usage, again: int) -> NDArray[np.bool_]:
        """Which usages hold all that `again` uses already."""
        used, wanted = np.zeros_like(usage), 0  # a bit per class
        for bit, ones in enumerate(self._ones):
            used |= usage >> bit & ones
            wanted |= again >> bit & ones
        held: NDArray[np.bool_] = (used & wanted) == wanted
        return held if wanted else np.zeros(len(usage), dtype=bool)

    def answers(self, usage: Usage) -> Usage:
        """How many of the uses answer words."""
        total = np.zeros(len(usage), dtype=np.int64)
        for shift, mask, most in self._needed:
            total += np.minimum(usage >> shift & mask, most)
        return total

    def gaps(self, usage: Usage) -> Usage:
        """How many phrases stand between the first and the last that each usage answers, and are not answered by it."""
        if not self._places:
            return np.zeros(len(usage), dtype=np.int64)
        answered = self._answered(usage)
        upto = answered.copy()
        for width in (1, 2, 4, 8, 16, 32):
            upto |= upto >> width
        before = (answered & -answered) - (answered > 0)
        missing: Usage = np.bitwise_count(upto & ~before & ~answered & self._known).astype(np.int64)
        return missing

    def turned(self, outer: int, inner: Usage) -> NDArray[np.bool_]:
        """Whether the first phrase that each inner usage answers stands before all that the outer one does."""
        first, below = self._answered(np.array([outer], dtype=np.int64)), self._answered(inner)
        turned: NDArray[np.bool_] = (below > 0) & ((below & -below) < (first & -first))
        return turned

    def _answered(self, usage: Usage) -> Usage:
        """The phrases that each usage answers, one a bit."""
        answered = np.zeros(len(usage), dtype=np.int64)
        for shift, mask, place in self._places:
            answered |= (usage >> shift & mask > 0).astype(np.int64) << place
        return answered
