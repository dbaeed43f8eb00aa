"""Quotas: how much of each type a search in stages keeps (`Language.stages`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quota:
    """How many entries of a type are kept, and how many of these it is itself built upon."""

    keep: int = 100
    """The most that others are made of, cheapest first."""
    first: int | None = None
    """The most that are made without the type itself; as many as are kept, if nothing is said."""
    build: int = 30
    """Of a type that is made of itself (rows of rows): how many of a generation the next one is made of."""
    generations: int = 2
    """How often it is made of itself."""
