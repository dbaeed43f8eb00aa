"""What everyday tables are made of and how people ask about them, from `words.toml` and `topics.toml`."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from chorale.tables.english import PLACES


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("chorale.tables.everyday") / name).read_text(encoding="utf-8"))


def variants(text: str) -> list[str]:
    """What stands between the bars of a text.

    >>> variants("how tall | how high")
    ['how tall', 'how high']
    """
    return [" ".join(it.split()) for it in text.split("|") if it.strip()]


def plural(word: str) -> str:
    """Several of what a word names.

    >>> plural("party"), plural("bus"), plural("day"), plural("man of the match")
    ('parties', 'buses', 'days', 'men of the match')
    """
    first, *rest = word.split(" of ", 1)
    if first.endswith("man"):
        first = first.removesuffix("man") + "men"
    elif first.endswith("y") and first[-2:-1] not in "aeiou":
        first = first.removesuffix("y") + "ies"
    else:
        first += "es" if first.endswith(("s", "x", "ch", "sh")) else "s"
    return " of ".join([first, *rest])


_WORDS = _read("words.toml")

TOPICS: dict[str, Any] = _read("topics.toml")["topics"]
ROLES: dict[str, dict[str, Any]] = {kind: _WORDS[kind] for kind in ("measures", "days", "groups", "flags", "blanks")}
"""What a column may be, by kind."""
PEOPLE: list[str] = _WORDS["people"].split()
SURNAMES: list[str] = _WORDS["surnames"].split()
COUNTRIES: dict[str, list[str]] = {name: variants(towns) for name, towns in _WORDS["countries"].items()}
ADJECTIVES: dict[str, str] = {
    name: next(it for it, places in PLACES.items() if name.lower() in places) for name in COUNTRIES
}
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WAYS: dict[str, dict[str, str]] = _read("ways.toml")
"""Ways to ask, by the kind of question."""
