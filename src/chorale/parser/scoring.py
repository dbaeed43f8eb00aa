"""Exact log-probabilities of given programs, with gradient.

    log p(z | x) = sum_t log p(z_t | z_1 .. z_t-1, x)

The programs are walked as tries (see `trie`): the decoder advances level by level, each node from the memory of its
parent, and all actions are then scored at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from chorale.parser.lexical import using
from chorale.parser.network import Encoding, Network, choose, covered
from chorale.parser.trie import Integers, grow


@dataclass(frozen=True)
class Scores:
    """Log-probabilities of given programs, and where each of their actions looked."""

    log_probabilities: Tensor  # (batch, program), -inf where there is no program
    attention: Tensor | None  # (batch, program, step, token); 0 after the last action


def score(network: Network, encoding: Encoding, programs: Integers, *, attention: bool = False) -> Scores:
    """Score programs (batch, program, step), each a row of actions padded with -1."""
    batch, device = len(encoding), encoding.tokens.device
    trie = grow(programs, encoding.tables)
    memory, missing, lexical = encoding.start, encoding.agenda, encoding.lexical
    said = None if lexical is None else lexical.start()
    rows = torch.full((batch,), encoding.start_row, device=device)
    memories: list[Tensor] = []  # per level (batch * width, 3 * decoder)
    weights: list[Tensor] = []
    lacking: list[Tensor] = []
    added: list[Tensor] = []
    for number, level in enumerate(trie.levels):
        if number:
            actions, parents = _on(level.actions, device), _on(level.parents, device)
            memory = functional.embedding(parents, memory)  # a lookup with a fast gradient
            rows = encoding.row_of(actions)
            if missing is not None:
                missing = covered(missing[parents], actions.flatten())
            if said is not None:
                said = using(said[parents], actions.flatten())
        memory, looked = network.advance(encoding, memory, rows)
        memories.append(memory)
        weights.append(looked.flatten(0, 1))
        if missing is not None:
            lacking.append(missing)
        if lexical is not None and said is not None:
            added.append(lexical.added(network.lexicon, said, network.attention(encoding, memory)))
    nodes = _on(trie.nodes, device)
    logits = _logits(network, encoding, memories, lacking, nodes)
    if added:
        logits = logits + torch.cat(added)[nodes]
    options = choose(logits, _on(trie.states, device), encoding.tables)  # (node, option)
    taken = _on(trie.edge_nodes * options.shape[1] + trie.edge_options, device)
    edges = options.flatten().gather(0, taken)
    paths = _on(trie.paths, device)
    total = torch.cat([edges, edges.new_zeros(1)]).gather(0, paths.flatten()).view(paths.shape).sum(-1)
    present = torch.from_numpy((programs >= 0).any(-1)).to(device)
    total = total.masked_fill(~present, -torch.inf)
    if not attention:
        return Scores(total, None)
    by_node = torch.cat(weights)[nodes][_on(trie.edge_nodes, device)]  # (edge, token)
    return Scores(total, torch.cat([by_node, torch.zeros_like(by_node[:1])])[paths])


def _logits(
    network: Network, encoding: Encoding, memories: list[Tensor], lacking: list[Tensor], nodes: Tensor
) -> Tensor:
    """Scores of all productions at the nodes: (node, production)."""
    if encoding.extra is None:
        memory = functional.embedding(nodes, torch.cat(memories))
        return network.logits(encoding, memory, torch.cat(lacking)[nodes] if lacking else None)
    # A context's own productions are scored utterance by utterance, so padding is dropped only afterwards.
    missing: Sequence[Tensor | None] = lacking or [None] * len(memories)
    levels = [network.logits(encoding, *level) for level in zip(memories, missing, strict=True)]
    return torch.cat(levels)[nodes]


def _on(values: Integers, device: torch.device) -> Tensor:
    return torch.from_numpy(values).to(device)
