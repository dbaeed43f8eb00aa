"""Sentences as the lexicon of the extended language reads them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chorale.domain import Hints, Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.ranker.parts import Sentence

SENTENCES = (
    "There is a tower with a black block over a blue block",
    "There is a box with two black items and a yellow circle touching the wall",
    "There is exactly one tower with a black block at the top and a blue block at the base",
    "No box has more than three small squares of the same color",
    "All 2 black squares are above a black square or a black circle",
    "Hello world",
)
"""Sentences of all kinds."""


@pytest.fixture(scope="session")
def domain() -> Nlvr:
    return Nlvr()


@pytest.fixture(scope="session")
def hints(domain: Nlvr) -> Callable[[str], Hints]:
    lexicon = domain.lexicon("extended")
    return lambda text: lexicon.hints(Unlabelled(text, ()))


@pytest.fixture(scope="session")
def sentence(domain: Nlvr, hints: Callable[[str], Hints]) -> Callable[[str], Sentence]:
    """A sentence that knows no program yet."""
    grammar = domain.languages["extended"].grammar
    return lambda text: Sentence(hints(text), grammar)
