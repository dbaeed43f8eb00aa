"""Synonyms: plain English that people may use for what the lexicon knows by another word; see `synonyms.toml`."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_FOLDER = files(__package__)
_READ = tomllib.loads(_FOLDER.joinpath("synonyms.toml").read_text("utf-8"))


def _by_phrase(section: str) -> dict[str, str]:
    """What each phrase stands for."""
    return {phrase: word for word, phrases in _READ[section].items() for phrase in phrases.split("; ")}


MEANS = _by_phrase("means")
"""Phrases that are known, each with the words it is read as."""
SUGGESTS = _by_phrase("suggests")
"""Words that are not known, each with one that its speaker may have meant."""
ENGLISH = frozenset(_FOLDER.joinpath("english_words.txt").read_text("utf-8").split())
"""Ordinary words that are near to those of the lexicon, and no slips of them: "ball" and "wall"."""
