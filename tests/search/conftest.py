"""A small corpus with known programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from chorale.language import run
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.synthetic import Knobs, generate


@dataclass(frozen=True)
class Said:
    """An utterance made by a test."""

    identifier: str
    sentence: str
    contexts: tuple[Scene, ...]
    answers: tuple[bool | None, ...]
    program: str = ""

    def labelled(self, *answers: bool | None) -> Said:
        return replace(self, answers=answers)


@pytest.fixture(scope="session")
def domain() -> Nlvr:
    return Nlvr()


@pytest.fixture(scope="session")
def corpus() -> list[Said]:
    """Twelve sentences, each of two utterances with four images."""
    return [
        Said(f"{made.number}{half}", made.sentence, made.scenes[at : at + 4], made.labels[at : at + 4], made.program)
        for made in generate("train", 12, Knobs(seed=4, images=8))
        for half, at in (("a", 0), ("b", 4))
    ]


@pytest.fixture(scope="session")
def scenes(corpus: list[Said]) -> tuple[Scene, ...]:
    return tuple(scene for utterance in corpus for scene in utterance.contexts)


@pytest.fixture(scope="session")
def say(domain: Nlvr, scenes: tuple[Scene, ...]) -> Callable[..., Said]:
    """An utterance about some scenes of the corpus, labelled by a program."""

    def make(sentence: str, program: str, images: int = 32, identifier: str = "said") -> Said:
        language = domain.bind("consistent", None, scenes[:images])
        truth = tuple(bool(value) for value in run(language.parse(program), language))
        assert len(set(truth)) == 2, "the labels of a planted program should not all be equal"
        return Said(identifier, sentence, scenes[:images], truth, program)

    return make
