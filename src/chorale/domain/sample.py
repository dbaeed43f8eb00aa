"""Samples: contexts that a domain makes up, on which a program shows whether it says anything at all.

What is the same everywhere ("there is an object") is no meaning of a sentence that somebody took the trouble to say.
The contexts are the same for everybody, so that a model that is loaded elsewhere decides alike.
"""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np

from chorale.domain.domain import Domain, needed
from chorale.language.execution import run
from chorale.language.language import Language
from chorale.language.program import Program

COUNT = 1000
"""How many contexts: enough that what is true of few of them is still true of one."""
_SEED = 0


class Sample:
    """A language on made-up contexts."""

    def __init__(self, language: Language, most_remembered: int = 200_000) -> None:
        self._language = language
        self._constant: dict[Program, bool] = {}
        self._most_remembered = most_remembered

    def is_constant(self, program: Program) -> bool:
        """Whether a program says the same of all contexts."""
        if program not in self._constant:
            if len(self._constant) >= self._most_remembered:
                self._constant.clear()
            said = run(program, self._language)
            answers = said.tolist() if isinstance(said, np.ndarray) else said
            self._constant[program] = len(set(answers)) < 2
        return self._constant[program]


@lru_cache(maxsize=4)
def sample_of(domain: Domain, language: str) -> Sample:
    """The sample of a domain in one of its languages; made once."""
    make, rng = needed(domain.generator, domain, "generator", "decoding.informative"), random.Random(_SEED)
    return Sample(domain.bind(language, [make(rng) for _ in range(COUNT)]))
