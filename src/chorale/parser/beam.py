"""Beam search over programs, for all utterances and all hypotheses of a batch at once.

A hypothesis is a stack of grammar states, the top one next to be expanded, and the least number of actions that would
empty it: what does not fit into `max_actions` any more is not allowed. Finished programs leave the beam for a pool of
the best ones, so the beam stays full of unfinished ones. Log-probabilities only fall, so hypotheses that are no better
than the worst program of a full pool are given up; when none is left the search is over. There is no length
normalisation.

Nothing is copied along but the stacks: the history is kept as parents and actions per step and read backwards once.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from chorale.errors import ChoraleError
from chorale.parser.lexical import using
from chorale.parser.network import Encoding, Network, choose, covered

_ACTIONS = 1 << 20  # more than any grammar has


@dataclass(frozen=True)
class Beam:
    """The best programs of each utterance, best first."""

    actions: Tensor  # (batch, beam, step) productions, -1 after the last
    log_probabilities: Tensor  # (batch, beam), -inf where there are fewer programs
    attention: Tensor | None  # (batch, beam, step, token) the attention that chose the action; 0 after the last

    @property
    def filled(self) -> Tensor:
        """Which ranks of the beam hold a program: (batch, beam)."""
        return self.log_probabilities > -torch.inf


@dataclass
class _History:
    """What was chosen at each step: enough to read every program backwards."""

    parents: list[Tensor]  # per step (batch, width after): hypothesis it came from
    actions: list[Tensor]  # per step (batch, width after): action it took
    attention: list[Tensor]  # per step (batch, width before, token), if asked for


@torch.no_grad()
def search(network: Network, encoding: Encoding, beam: int, max_actions: int, *, attention: bool = False) -> Beam:
    """The most probable programs of at most `max_actions` actions that the search finds, `beam` per utterance."""
    tables, batch, device = encoding.tables, len(encoding), encoding.tokens.device
    if beam < 1:
        raise ChoraleError(f"the beam is {beam} wide; it must be at least 1")
    shortest = int(tables.shortest.min())
    if max_actions < shortest and encoding.extra is None:  # a context may lack what a program needs; a language may not
        raise ChoraleError(f"no program has {max_actions} actions or fewer; the shortest has {shortest}")
    encoding = encoding.detached()
    memory, history = encoding.start, _History([], [], [])
    rows = torch.full((batch,), encoding.start_row, device=device)
    arity = tables.pushed.shape[2]
    stack = torch.zeros((batch, 1, max_actions + arity), dtype=torch.int64, device=device)
    stack[:, :, 0] = tables.roots[:, None]
    height = torch.zeros((batch, 1), dtype=torch.int64, device=device)  # index of the top
    needed = tables.shortest[:, None].expand(batch, 1)
    scores = torch.zeros((batch, 1), dtype=encoding.tokens.dtype, device=device)
    missing = encoding.agenda  # (batch * width, production)
    lexical = encoding.lexical
    said = None if lexical is None else lexical.start()  # (batch * width, production)
    pool = torch.full((batch, beam), -torch.inf, dtype=scores.dtype, device=device)
    ends = torch.zeros((batch, beam), dtype=torch.int64, device=device)  # step, hypothesis and action in one number
    offset = torch.arange(arity, device=device)
    offsets = torch.arange(batch, device=device)[:, None]

    for step in range(max_actions):
        width = height.shape[1]
        memory, weights = network.advance(encoding, memory, rows)
        if attention:
            history.attention.append(weights)
        states = stack.gather(2, height.unsqueeze(2)).squeeze(2)  # (batch, width)
        logits = network.logits(encoding, memory, missing)
        if lexical is not None and said is not None:
            logits = logits + lexical.added(network.lexicon, said, weights)
        logits = logits.view(batch, width, -1)
        after = needed.unsqueeze(2) + functional.embedding(states, tables.growth)  # (batch, width, option)
        totals = scores.unsqueeze(2) + choose(logits, states, tables)
        totals = totals.masked_fill(after >= max_actions - step, -torch.inf)
        options = totals.shape[2]
        totals, after = totals.flatten(1), after.flatten(1)  # (batch, width * option)

        done = after == 0
        if bool(done.any()):
            best, picked = totals.masked_fill(~done, -torch.inf).topk(min(beam, totals.shape[1]))
            hypothesis = picked // options
            action = tables.options[states.gather(1, hypothesis), picked - hypothesis * options]
            pool, order = torch.cat([pool, best], dim=1).topk(beam)
            ends = torch.cat([ends, (step * beam + hypothesis) * _ACTIONS + action], dim=1).gather(1, order)
            totals = totals.masked_fill(done, -torch.inf)

        scores, picked = totals.topk(min(beam, totals.shape[1]))
        alive = scores > pool[:, -1:]  # sorted, so these come first
        wide = int(alive.sum(1).max())
        if wide == 0:
            break
        scores, picked = scores[:, :wide], picked[:, :wide]
        parents = picked // options
        option = picked - parents * options
        flat = (offsets * width + parents).flatten()
        states = states.gather(1, parents)
        actions = tables.options[states, option]
        history.parents.append(parents)
        history.actions.append(actions)
        needed = after.gather(1, picked)
        rows = encoding.row_of(actions)
        memory = memory.index_select(0, flat)
        if missing is not None:
            missing = covered(missing[flat], actions.flatten())
        if said is not None:
            said = using(said[flat], actions.flatten())
        height = height.gather(1, parents)
        stack = stack.flatten(0, 1).index_select(0, flat).view(batch, wide, -1)
        stack = stack.scatter(2, height.unsqueeze(2) + offset, tables.pushed[states, option])
        # Hypotheses of probability 0 fill up short rows; they go nowhere, but must not leave the stack.
        height = (height + tables.arity[states, option] - 1).clamp(0, max_actions - 1)
    return _read_back(pool, ends, history, beam)


def _read_back(pool: Tensor, ends: Tensor, history: _History, beam: int) -> Beam:
    """Follow every program of the pool from its end to its start; hypotheses were numbered in steps of `beam`."""
    finished = pool > -torch.inf
    cursor, last = ends // _ACTIONS % beam, ends % _ACTIONS
    end = ends // _ACTIONS // beam
    length = int(end.masked_fill(~finished, -1).max()) + 1
    actions = torch.full((*pool.shape, length), -1, dtype=torch.int64, device=pool.device)
    weights = None
    if history.attention:
        tokens = history.attention[0].shape[-1]
        weights = torch.zeros((*pool.shape, length, tokens), dtype=pool.dtype, device=pool.device)
    index = torch.zeros_like(cursor)
    for step in reversed(range(length)):
        ending, inside = finished & (end == step), finished & (end > step)
        if step < len(history.actions):
            actions[:, :, step] = torch.where(inside, history.actions[step].gather(1, index), -1)
            index = torch.where(inside, history.parents[step].gather(1, index), 0)
        actions[:, :, step] = torch.where(ending, last, actions[:, :, step])
        index = torch.where(ending, cursor, index)
        if weights is not None:
            chosen = history.attention[step].gather(1, index.unsqueeze(2).expand(-1, -1, weights.shape[-1]))
            weights[:, :, step] = chosen * (ending | inside).unsqueeze(2)
    return Beam(actions, pool, weights)
