"""The consistency reward in training: which related utterances a batch needs, and what its programs earn.

The utterances of a batch come first and their partners behind them, each once, however many pairs it is in and not at
all if it is in the batch anyway. All are decoded together; only the programs of the batch are then scored.

Why the reward does or does not help shows in the figures of each epoch:

    right            probability of right programs, within the beam
    agreement        expected C of utterances that have a partner
    partner_right    share of pairs whose partner has a right program in its beam: elsewhere C is 0
    aligned          share of programs that look at the phrase at all, with one action or more
    aligned_actions  how many different actions do so, on average
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from chorale.domain import Domain, Related, Utterance, needed
from chorale.language.grammar import Grammar, Production
from chorale.parser import Beam
from chorale.training.consistency import Agreement, Pairs, aligned, consistency
from chorale.training.expected_reward import renormalised
from chorale.training.figures import Figures
from chorale.training.settings import ExpectedReward

_DRAWN_FROM = 100  # partners per phrase, where they are drawn anew


class Partners:
    """The related utterances of the training utterances, which are known by their places in the corpus."""

    def __init__(self, related: Sequence[Related], redraw: tuple[int, int] = (0, 0)) -> None:
        """`redraw` says how many partners are drawn anew per phrase, each time; 0 means all of them, always.

        The second number is for those that have the phrase with other fillers.
        """
        self._of: dict[int, dict[tuple[str, bool], list[Related]]] = {}  # by phrase, and whether fillers differ
        self._redraw = redraw
        for one in related:
            self._of.setdefault(one.utterance, {}).setdefault((one.phrase, one.other_fillers), []).append(one)

    @staticmethod
    def drawn(stage: ExpectedReward, domain: Domain, utterances: Sequence[Utterance], seed: int) -> Partners:
        """The partners that a stage asks for; none if agreement does not count."""
        if not stage.consistency:
            return Partners([])
        wanted = (stage.partners, stage.other_fillers)
        same, other = (min(count, 1) * _DRAWN_FROM if stage.redraw else count for count in wanted)
        found = needed(domain.relations, domain, "relations", "the consistency reward").related(
            utterances, stage.phrases, matching=stage.matching, partners=same, other_fillers=other, seed=seed
        )
        return Partners(found, wanted if stage.redraw else (0, 0))

    def batch(self, chosen: Sequence[int]) -> tuple[list[int], Pairs | None]:
        """What to decode for some utterances, they first, and the pairs as rows of that; None if there are none."""
        pairs = [one for number in chosen for some in self._of.get(number, {}).values() for one in self._drawn(some)]
        rows = list(dict.fromkeys([*chosen, *(one.partner for one in pairs)]))
        if not pairs:
            return rows, None
        return rows, Pairs.of(pairs, {number: row for row, number in enumerate(rows)})

    def _drawn(self, some: Sequence[Related]) -> Sequence[Related]:
        """Those to be used now. Torch is seeded for every epoch, so a run that goes on draws the same."""
        count = self._redraw[some[0].other_fillers]
        if not 0 < count < len(some):
            return some
        return [some[place] for place in torch.randperm(len(some))[:count].tolist()]


def agreement_of(stage: ExpectedReward, fillers: frozenset[int] = frozenset()) -> Agreement:
    """How a stage measures agreement; `fillers` are the actions that say what fills the slots of phrases."""
    return Agreement(stage.threshold, stage.strict, stage.multisets, stage.empty_is_best, stage.right_only, fillers)


def rewards_of(
    beam: Beam,
    right: Tensor,
    pairs: Pairs | None,
    grammars: Sequence[Grammar],
    stage: ExpectedReward,
    batch: int,
    figures: Figures,
    fillers: frozenset[str] = frozenset(),
) -> Tensor:
    """R + weight * C of every program (row, beam); the first `batch` rows are the batch, the others its partners.

    `right` (row, beam) is R, `grammars` are those of the rows, and `fillers` name what fills the slots of phrases.
    """
    chances = renormalised(beam.log_probabilities)
    figures.add("right", (chances * right)[:batch].sum(1))
    if pairs is None:
        return right
    pairs = pairs.to(beam.actions.device)
    beam, names = with_names(beam, grammars)
    productions = len(names)
    how = agreement_of(stage, frozenset(number for number, name in enumerate(names) if name in fillers))
    agreed = consistency(beam, right, pairs, productions, how)
    used = torch.bincount(pairs.rows, minlength=len(right)) > 0
    looking = aligned(beam, pairs.rows, pairs.spans, productions, how)[beam.found[pairs.rows]]  # (program, production)
    figures.add("agreement", (chances * agreed)[used].sum(1))
    figures.add("partner_right", (right.bool() & beam.found)[pairs.related].any(1))
    figures.add("aligned", looking.any(1))
    figures.add("aligned_actions", (looking > 0).sum(1))
    return right + stage.consistency * (agreed * right if stage.only_right else agreed)


def with_names(beam: Beam, grammars: Sequence[Grammar]) -> tuple[Beam, list[str]]:
    """The beam with actions that mean the same in all its rows, and the name of each, "" if it is no terminal.

    Contexts that bring constants of their own number them each in its own way; the same name is then the same action.
    """
    if len(set(map(id, grammars))) == 1:
        return beam, [production.name for production in grammars[0].productions]
    numbers: dict[Production, int] = {}
    actions = torch.full_like(beam.actions, -1)
    for row, grammar in enumerate(grammars):
        own = [numbers.setdefault(production, len(numbers)) for production in grammar.productions]
        table = torch.tensor([*own, -1], device=actions.device)  # -1, no action, is the last one
        actions[row] = table[beam.actions[row]]
    return replace(beam, actions=actions), [production.name for production in numbers]
