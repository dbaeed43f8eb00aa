"""English words that questions are read by, from `english.toml`."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def _read() -> dict[str, Any]:
    return tomllib.loads((files("chorale.tables") / "english.toml").read_text(encoding="utf-8"))


_WORDS = _read()

LIGHT = frozenset(_WORDS["light"].split())
"""Words that name no cell by themselves."""
FUNCTION_WORDS = frozenset(_WORDS["function_words"].split())
"""Words that only hold a question together."""
PASSED = FUNCTION_WORDS | frozenset(_WORDS["passed"].split())
"""Words that nobody misses if a program does not say them."""
SUPERLATIVES = frozenset(_WORDS["superlatives"].split())
NO_SUPERLATIVES = frozenset(_WORDS["no_superlatives"].split())
AUXILIARIES = frozenset(_WORDS["auxiliaries"].split())
QUESTION_WORDS = frozenset(_WORDS["question_words"].split())
TRIGGERS: dict[str, frozenset[str]] = {name: frozenset(words.split()) for name, words in _WORDS["triggers"].items()}
"""Words that ask for functions which most questions do without, by what they ask for."""
PROPERTIES = frozenset(_WORDS["properties"].split())
"""Words that ask for what only a column can say."""
COMMANDS = frozenset(_WORDS["commands"].split())
"""What a table cannot do, if a question begins with it,"""
REQUESTS = frozenset(_WORDS["requests"].split())
"""and what it cannot do if one of the next ones follows."""
DONE_TO = frozenset(_WORDS["done_to"].split())
ELSEWHERE = frozenset(_WORDS["elsewhere"].split())
"""What no table tells."""
FOREIGN_QUESTIONS = frozenset(_WORDS["foreign_questions"].split())
"""Words that ask in other languages,"""
FOREIGN = frozenset(_WORDS["foreign"].split())
"""and others of them."""
_FAMILIES = {name: {name, *words.split()} for name, words in _WORDS["families"].items()}
FAMILIES: dict[str, frozenset[str]] = {
    word: frozenset(name for name, words in _FAMILIES.items() if word in words)
    for word in sorted(set[str]().union(*_FAMILIES.values()))
}
"""Words that may name a column by another form or ask for what it holds, with the names of their families."""
PLACES: dict[str, tuple[str, ...]] = {
    adjective: tuple(name.strip() for name in names.split("|")) for adjective, names in _WORDS["places"].items()
}
"""Adjectives of places, and how their places may be called."""


def families_of(words: list[str]) -> frozenset[str]:
    """The families of some words."""
    return frozenset[str]().union(*(FAMILIES.get(word, ()) for word in words))
