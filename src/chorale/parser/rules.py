"""Decoding rules: which programs of a beam are no good whatever the network thinks of them.

    score(z) = log p(z | x) - unexplained * |content words of x that z does not say|

A program that says the same of everything leaves the beam (see `domain.meanings`), unless all of them do. Probabilities
stay as they are; only the order changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from chorale.domain.parsing import Corpus
from chorale.language.grammar import Kind
from chorale.language.program import Program
from chorale.plumbing.checking import Checked
from chorale.search.prior import Plausibility

Actions = Sequence[int]


class Rules(Checked):
    """The rules of a parser; each is off unless it is set."""

    unexplained: Annotated[float, Field(ge=0)] = 0.0
    """What each content word costs that a program does not say, in nats. Needs a lexicon."""
    informative: bool = False
    """Whether programs leave the beam that say the same of everything. Needs a domain that makes up contexts."""

    def __bool__(self) -> bool:
        return self.unexplained > 0 or self.informative

    def ranked(self, corpus: Corpus, utterance: int, programs: Sequence[tuple[Actions, float]]) -> Iterator[int]:
        """The ranks of an utterance's programs, which come with their scores, in their new order."""
        costs = self._costs(corpus, utterance, [actions for actions, _ in programs])
        order = sorted(range(len(programs)), key=lambda rank: costs[rank] - programs[rank][1])
        if not self.informative:
            yield from order
            return
        kept = 0
        for rank in order:  # one by one: who wants the best alone does not run the others
            if not self._is_constant(corpus, utterance, programs[rank][0]):
                kept += 1
                yield rank
        if not kept:
            yield from order

    def _costs(self, corpus: Corpus, utterance: int, programs: Sequence[Actions]) -> list[float]:
        if not self.unexplained:
            return [0.0] * len(programs)
        if corpus.hints is None:
            raise ValueError("a parser that counts unexplained words needs a corpus with hints")
        plausibility, grammar = Plausibility(corpus.hints[utterance]), corpus.grounding.grammar(utterance)
        made = [[grammar.productions[number] for number in actions] for actions in programs]
        terminals = [tuple(sorted(one.name for one in some if one.kind is Kind.TERMINAL)) for some in made]
        return [self.unexplained * len(plausibility.of(0, names).unexplained) for names in terminals]

    def _is_constant(self, corpus: Corpus, utterance: int, actions: Actions) -> bool:
        if corpus.meanings is None:
            raise ValueError("a parser that wants informative programs needs a corpus with meanings")
        program = Program.from_actions(actions, corpus.grounding.grammar(utterance))
        return corpus.meanings(utterance).is_constant(program)
