"""Made-up utterances with a few programs, as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from chorale.domain.candidates import Flags, Posed
from chorale.ranker.online import Examples

KEYS = [3, 1 << 12 | 1, 1 << 12 | 2, 2**31, 2**32 - 1]
TEMPLATES = 2
"""Which make these keys in turn."""


class MadeUp(NamedTuple):
    """An utterance as lists."""

    features: list[list[int]]
    """The keys of each part; the first has none."""
    programs: list[list[int]]
    """The parts of each program."""
    priors: list[float]
    right: list[bool]
    answers: list[int] | None = None

    def posed(self) -> tuple[Posed, Flags]:
        """As arrays."""
        uses = [(key, part) for part, keys in enumerate(self.features) for key in keys]
        answers = range(len(self.programs)) if self.answers is None else self.answers
        posed = Posed(
            np.array([key for key, _ in uses], np.uint32),
            np.array([part for _, part in uses], np.uint16),
            np.array([KEYS.index(key) % TEMPLATES if key in KEYS else 0 for key, _ in uses], np.uint16),
            len(self.features),
            np.array(self.programs, np.uint16).reshape(len(self.programs), -1 if self.programs else 1),
            np.array(self.priors, np.float32),
            np.array(answers, np.uint16),
            np.zeros(len(self.features), np.uint32),
            np.zeros(0, np.uint32),
        )
        return posed, np.array(self.right, bool)


@st.composite
def made_up(draw: st.DrawFn) -> MadeUp:
    """An utterance of a few programs with features of a few keys."""
    keys = st.lists(st.sampled_from(KEYS), max_size=3)
    features = [[], *draw(st.lists(keys, min_size=1, max_size=4))]
    part = st.integers(0, len(features) - 1)
    programs = draw(st.lists(st.lists(part, min_size=2, max_size=2), min_size=1, max_size=4))
    each = {"min_size": len(programs), "max_size": len(programs)}
    priors = draw(st.lists(st.floats(-3, 3, width=16), **each))
    right = draw(st.lists(st.booleans(), **each))
    return MadeUp(features, programs, priors, right)


def examples_of(some: list[MadeUp]) -> Examples:
    """What is learned from."""
    examples = Examples()
    for one in some:
        examples.add(*one.posed())
    return examples
