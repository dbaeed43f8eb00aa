"""The consistency reward: related utterances must read the phrase they share in the same way (the paper's section 3).

    A(z, p)     = { z_t : sum_{i in p} a_ti >= tau }               actions that look at the phrase, tau = 0.6
    S(z, z', p) = F1 of A(z, p) and A(z', p)                       0 if either is empty
    C(x, z, x') = sum_{z' in Z'_c} p~(z' | x') S(z, z', p)         Z'_c: programs of the related beam that are right

The weights p~ are renormalised over the whole related beam, several related utterances are averaged, and the reward of
a program is R + C, also where R = 0. C is a constant for the gradient. If a related beam holds no right program its
sum is empty and only R counts.

Why the reward does or does not help shows in the figures of each epoch:

    agreement        expected C of utterances that have a partner
    partner_right    share of pairs whose partner has a right program in its beam: elsewhere C is 0
    aligned          share of programs that look at the phrase at all, with one action or more
    aligned_actions  how many different actions do so, on average
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from chorale.domain import Related
from chorale.language.grammar import Grammar, Production
from chorale.parser.beam import Beam
from chorale.training.figures import Figures
from chorale.training.rewards import renormalised


@dataclass(frozen=True, slots=True)
class Agreement:
    """How agreement is measured."""

    threshold: float = 0.6
    """The attention on the phrase from which on an action belongs to it."""
    fillers: frozenset[int] = frozenset()
    """Actions that do not count where the two phrases have other fillers, such as colours."""


@dataclass(frozen=True)
class RelatedPairs:
    """Related utterances within a batch: rows of the batch, and the token span of the phrase in each."""

    rows: Tensor  # (pair,) the utterance that is rewarded
    spans: Tensor  # (pair, 2) first token of the phrase, and the one after its last
    related: Tensor  # (pair,) the utterance it is compared with
    related_spans: Tensor  # (pair, 2)
    other_fillers: Tensor | None = None  # (pair,) whether the two phrases differ in their fillers; None: never

    @staticmethod
    def of(related: Sequence[Related], rows: Mapping[int, int] | Sequence[int]) -> RelatedPairs:
        """Related utterances, where `rows` tells the row of each in the batch."""
        return RelatedPairs(
            torch.tensor([rows[one.utterance] for one in related]),
            torch.tensor([one.span for one in related]),
            torch.tensor([rows[one.partner] for one in related]),
            torch.tensor([one.partner_span for one in related]),
            torch.tensor([one.other_fillers for one in related]),
        )

    def to(self, device: torch.device) -> RelatedPairs:
        """The same on a device."""
        others = None if self.other_fillers is None else self.other_fillers.to(device)
        spans, related_spans = self.spans.to(device), self.related_spans.to(device)
        return RelatedPairs(self.rows.to(device), spans, self.related.to(device), related_spans, others)


class Partners:
    """The related utterances of the training utterances, which are known by their index in the corpus."""

    def __init__(self, related: Sequence[Related]) -> None:
        self._of: dict[int, dict[tuple[str, bool], list[Related]]] = {}  # by phrase, and whether fillers differ
        for one in related:
            self._of.setdefault(one.utterance, {}).setdefault((one.phrase, one.other_fillers), []).append(one)

    def batch(self, chosen: Sequence[int]) -> tuple[list[int], RelatedPairs | None]:
        """What to decode for some utterances, they first, and the pairs as rows of that; None if there are none.

        A partner is decoded once, however many pairs it is in, and not again if it is in the batch anyway.
        """
        pairs = [one for number in chosen for some in self._of.get(number, {}).values() for one in some]
        rows = list(dict.fromkeys([*chosen, *(one.partner for one in pairs)]))
        if not pairs:
            return rows, None
        return rows, RelatedPairs.of(pairs, {number: row for row, number in enumerate(rows)})


def agreement_of(
    beam: Beam,
    right: Tensor,
    pairs: RelatedPairs,
    grammars: Sequence[Grammar],
    how: Agreement,
    fillers: frozenset[str],
    figures: Figures,
) -> Tensor:
    """C of every program (row, beam) of a batch and its partners.

    `right` (row, beam) is R, `grammars` are those of the rows, and `fillers` name what fills the slots of phrases.
    """
    pairs = pairs.to(beam.actions.device)
    beam, names = with_names(beam, grammars)
    productions = len(names)
    how = replace(how, fillers=frozenset(number for number, name in enumerate(names) if name in fillers))
    agreed = consistency(beam, right, pairs, productions, how)
    used = torch.bincount(pairs.rows, minlength=len(right)) > 0
    looking = aligned(beam, pairs.rows, pairs.spans, productions, how)[beam.filled[pairs.rows]]  # (program, production)
    figures.add("agreement", (renormalised(beam.log_probabilities) * agreed)[used].sum(1))
    figures.add("partner_right", (right.bool() & beam.filled)[pairs.related].any(1))
    figures.add("aligned", looking.any(1))
    figures.add("aligned_actions", (looking > 0).sum(1))
    return agreed


@torch.no_grad()
def consistency(
    beam: Beam, right: Tensor, pairs: RelatedPairs, productions: int, how: Agreement | None = None
) -> Tensor:
    """C for every program of the batch (batch, beam); 0 for utterances without a related one.

    `right` (batch, beam) says which programs are right in all contexts of their utterance, `productions` is the size
    of the grammar.
    """
    how = how or Agreement()
    ours = aligned(beam, pairs.rows, pairs.spans, productions, how)
    theirs = aligned(beam, pairs.related, pairs.related_spans, productions, how)
    if pairs.other_fillers is not None and how.fillers:
        counted = torch.ones((len(pairs.rows), 1, productions), dtype=ours.dtype, device=ours.device)
        counted[:, :, sorted(how.fillers)] = (~pairs.other_fillers).to(ours.dtype)[:, None, None]
        ours, theirs = ours * counted, theirs * counted
    similar = f1(ours, theirs)  # (pair, beam, beam)
    kept = right.bool() & beam.filled
    scores = beam.log_probabilities
    weights = renormalised(scores) * kept
    rewards = torch.bmm(similar, weights[pairs.related].unsqueeze(2)).squeeze(2)  # (pair, beam)
    total = torch.zeros_like(scores).index_add_(0, pairs.rows, rewards)
    count = torch.bincount(pairs.rows, minlength=len(scores)).clamp(min=1)
    return total / count.unsqueeze(1) * beam.filled


def aligned(beam: Beam, rows: Tensor, spans: Tensor, productions: int, how: Agreement) -> Tensor:
    """Which actions of each program look at the phrase, 1 or 0: (pair, beam, production)."""
    if beam.attention is None:
        raise ValueError("the consistency reward needs a beam that was searched with attention=True")
    tokens = torch.arange(beam.attention.shape[-1], device=spans.device)
    within = (tokens >= spans[:, :1]) & (tokens < spans[:, 1:])  # (pair, token)
    attention, actions = beam.attention[rows], beam.actions[rows]
    mass = torch.einsum("pbst,pt->pbs", attention, within.to(attention.dtype))
    looking = (mass >= how.threshold) & (actions >= 0)
    counts = torch.zeros((*actions.shape[:2], productions), dtype=mass.dtype, device=mass.device)
    counts.scatter_add_(2, actions.clamp(min=0), looking.to(mass.dtype))
    return counts.clamp(max=1)


def f1(ours: Tensor, theirs: Tensor) -> Tensor:
    """F1 of every program of ours with every one of theirs: (pair, beam, production) twice -> (pair, beam, beam)."""
    overlap = torch.bmm(ours, theirs.transpose(1, 2))
    sizes = ours.sum(2).unsqueeze(2) + theirs.sum(2).unsqueeze(1)
    return 2 * overlap / sizes.clamp(min=1)


def with_names(beam: Beam, grammars: Sequence[Grammar]) -> tuple[Beam, list[str]]:
    """The beam with actions that mean the same in all its rows, and the name of each, "" if it is not a terminal.

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
