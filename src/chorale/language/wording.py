"""Wording: what the functions and constants of a language are called in plain English.

Words are one more way of running a program. For each constant there is a phrase, and for each function one from phrases
to phrases, called with what the function itself is called with. So if you write

    wording = Wording({"today": "today", "warmer": lambda limit, day: f"Is it warmer than {limit} degrees {day}?"})

can have every program said (see `plain`). A phrase is a string, or anything with `said()`, such as the nouns and
clauses of `english`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of a language."""

    words: Mapping[str, Any]
    """For each function and constant what says it; a constant that a context brings says itself."""
    unsaid: Mapping[Any, Any] = field(default_factory=dict)
    """What stands for an argument that is still open, by its type, as an annotation; so functions can be said too."""

    def implementation(self, name: str) -> Any:
        """What says a function or constant."""
        return self.words.get(name, name)
