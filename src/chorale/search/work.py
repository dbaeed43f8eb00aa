"""Work: what an enumeration has computed, and how much of it there may be.

Values are counted, one for each program and probe on all contexts. Those of one length of programs are in memory at
the same time, so they have a limit of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

_LEAST = 100  # contexts
_SHARE_AT_ONCE = 15  # so that what is in memory at the same time stays below two gigabytes


class TooMuchError(Exception):
    """More would have to be computed than may be."""


@dataclass
class Work:
    """Counts values before they are computed; None is no limit."""

    most: int | None = None
    """Of all lengths together."""
    at_once: int | None = None
    """Of one length, and of what is kept of all shorter ones."""
    computed: int = 0
    kept: int = 0
    held: int = 0
    """At present: what was kept, and the values of this length."""

    @staticmethod
    def within(answers: int, contexts: int) -> Work:
        """As much as so many answers on single contexts; a value costs as much as a hundred of them at least."""
        most = answers // max(contexts, _LEAST)
        return Work(most, most // _SHARE_AT_ONCE)

    def spend(self, values: int) -> None:
        """So many values are going to be computed."""
        self.computed += values
        self.held += values
        if self.most is not None and self.computed > self.most:
            raise TooMuchError
        if self.at_once is not None and self.held > self.at_once:
            raise TooMuchError

    def keep(self, values: int) -> None:
        """So many values stay."""
        self.kept += values

    def end(self) -> None:
        """All other values of this length are gone."""
        self.held = self.kept
