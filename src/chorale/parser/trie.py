"""Given programs as tries: what they have in common at their beginning is computed once.

The programs of an utterance share prefixes; a prefix that goes on is a *node*, and every action taken from a node is
an *edge*. The nodes of all utterances of a batch are laid out level by level, so that a decoder walks through them in
as many steps as the longest program has actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.parser.tables import Tables

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class TrieLevel:
    """All prefixes of one length, padded to the same number for each utterance."""

    width: int
    parents: Integers  # (batch * width,) index in the level above
    actions: Integers  # (batch, width) the last action of the prefix, -1 at the root


@dataclass(frozen=True)
class Trie:
    """The tries of a batch of utterances. An index counts over levels, then utterances, then nodes."""

    levels: list[TrieLevel]
    nodes: Integers  # (node,) indices of the nodes proper, without padding
    states: Integers  # (node,) the grammar state to be expanded there
    edge_nodes: Integers  # (edge,) index into `nodes`
    edge_options: Integers  # (edge,) option of the state that the edge takes
    paths: Integers  # (batch, program, step) edges of each program; the number of edges after its last


def padded(programs: Sequence[Sequence[Sequence[int]]]) -> Integers:
    """Programs per utterance, each a sequence of actions, as one array padded with -1."""
    width = max((len(some) for some in programs), default=0)
    steps = max((len(actions) for some in programs for actions in some), default=0)
    result = np.full((len(programs), width, steps), -1, dtype=np.int64)
    for utterance, some in enumerate(programs):
        for index, actions in enumerate(some):
            result[utterance, index, : len(actions)] = actions
    return result


def grow(programs: Integers, tables: Tables) -> Trie:
    """The tries of programs (batch, program, step), padded with -1; an error if one of them is not legal."""
    batch, width, steps = programs.shape
    actions = programs.reshape(batch * width, steps)  # a row for each program
    utterances = np.repeat(np.arange(batch), width)
    pushed, arity, slots = tables.pushed.numpy(force=True), tables.arity.numpy(force=True), tables.slots
    roots = tables.roots.numpy(force=True)
    stacks = np.zeros((len(actions), steps + pushed.shape[2] + 1), dtype=np.int64)
    stacks[:, 0] = np.broadcast_to(roots, (batch,))[utterances]
    height = np.zeros(len(actions), dtype=np.int64)  # index of the top; -1 once the program is complete
    going = actions[:, 0] >= 0 if steps else np.zeros(len(actions), dtype=bool)
    present = going.copy()
    node = np.zeros(len(actions), dtype=np.int64)  # of each row, within its utterance
    levels = [TrieLevel(1, np.zeros(batch, dtype=np.int64), np.full((batch, 1), -1, dtype=np.int64))]
    nodes: list[Integers] = []
    states: list[Integers] = []
    edge_nodes: list[Integers] = []
    edge_options: list[Integers] = []
    paths = np.full(actions.shape, -1, dtype=np.int64)
    index, node_count, edge_count = 0, 0, 0

    for step in range(steps):
        rows = np.flatnonzero(going)
        if not len(rows):
            break
        here, state = actions[rows, step], stacks[rows, height[rows]]
        known = here < slots.shape[1]
        option = np.where(known, slots[state, np.where(known, here, 0)], -1)
        if (option < 0).any():
            _refuse(programs, int(rows[np.argmax(option < 0)]), step, "is not legal there")
        # Nodes are numbered as np.unique finds them, which is by utterance.
        found, first, of_row = np.unique(
            utterances[rows] * levels[-1].width + node[rows], return_index=True, return_inverse=True
        )
        nodes.append(index + found)
        states.append(state[first])
        edges, edge_first, path = np.unique(of_row * slots.shape[1] + here, return_index=True, return_inverse=True)
        edge_nodes.append(node_count + of_row[edge_first])
        edge_options.append(option[edge_first])
        paths[rows, step] = edge_count + path
        index, node_count, edge_count = (
            index + batch * levels[-1].width,
            node_count + len(found),
            edge_count + len(edges),
        )

        # Take the actions, and make every edge that goes on a node of the next level.
        for child in range(pushed.shape[2]):
            stacks[rows, height[rows] + child] = pushed[state, option, child]
        height[rows] += arity[state, option] - 1
        going = np.zeros_like(going)
        if step + 1 < steps:
            going[rows] = actions[rows, step + 1] >= 0
        if (wrong := going & (height < 0)).any():
            _refuse(programs, int(np.argmax(wrong)), step + 1, "comes after the end of the program")
        goes_on = going[rows[edge_first]]
        owner = utterances[rows[edge_first]][goes_on]
        number = np.arange(len(owner)) - np.searchsorted(owner, owner)  # within the utterance
        within = np.zeros(len(edges), dtype=np.int64)
        within[goes_on] = number
        node[rows] = within[path]
        wide = int(number.max(initial=-1)) + 1
        above = np.zeros((batch, wide), dtype=np.int64)
        taken = np.zeros((batch, wide), dtype=np.int64)
        above[owner, number] = found[of_row[edge_first]][goes_on]
        taken[owner, number] = here[edge_first][goes_on]
        if wide:
            levels.append(TrieLevel(wide, above.reshape(-1), taken))
    if (open_ := present & (height >= 0)).any():
        _refuse(programs, int(np.argmax(open_)), steps, "is missing: the program is not complete")
    return Trie(
        levels,
        _joined(nodes),
        _joined(states),
        _joined(edge_nodes),
        _joined(edge_options),
        np.where(paths < 0, edge_count, paths).reshape(programs.shape),
    )


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _refuse(programs: Integers, row: int, step: int, why: str) -> None:
    utterance, program = divmod(row, programs.shape[1])
    raise ChoraleError(f"utterance {utterance + 1} of the batch, program {program + 1}: action {step + 1} {why}")
