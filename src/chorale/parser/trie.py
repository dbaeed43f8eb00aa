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


def padded(programs: Sequence[Sequence[Sequence[int]]], fill: int = -1) -> Integers:
    """Programs per utterance, each a sequence of actions, as one padded array; or names, each a sequence of words."""
    width = max((len(some) for some in programs), default=0)
    steps = max((len(actions) for some in programs for actions in some), default=1)
    result = np.full((len(programs), width, steps), fill, dtype=np.int64)
    for utterance, some in enumerate(programs):
        for index, actions in enumerate(some):
            result[utterance, index, : len(actions)] = actions
    return result


def grow(programs: Integers, tables: Tables) -> Trie:
    """The tries of programs (batch, program, step), padded with -1; an error if one of them is not legal."""
    batch, width, steps = programs.shape
    actions = np.pad(programs.reshape(batch * width, steps), ((0, 0), (0, 1)), constant_values=-1)  # a row per program
    utterances = np.repeat(np.arange(batch), width)
    pushed, arity, slots = tables.pushed.numpy(force=True), tables.arity.numpy(force=True), tables.slots
    roots = tables.roots.numpy(force=True)
    stacks = np.zeros((len(actions), steps + pushed.shape[2] + 1), dtype=np.int64)
    stacks[:, 0] = np.broadcast_to(roots, (batch,))[utterances]
    height = np.zeros(len(actions), dtype=np.int64)  # index of the top; -1 once the program is complete
    going = present = actions[:, 0] >= 0
    node = np.zeros(len(actions), dtype=np.int64)  # of each row, within its utterance
    levels = [TrieLevel(np.zeros(batch, dtype=np.int64), np.full((batch, 1), -1, dtype=np.int64))]
    nodes, states, edge_nodes, edge_options = ([np.zeros(0, dtype=np.int64)] for _ in range(4))
    paths = np.full((len(actions), steps), -1, dtype=np.int64)
    index, node_count, edge_count, wide = 0, 0, 0, 1

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
        numbers = utterances[rows] * wide + node[rows]
        found, first, of_row = np.unique(numbers, return_index=True, return_inverse=True)
        nodes.append(index + found)
        states.append(state[first])
        edges, edge_first, path = np.unique(of_row * slots.shape[1] + here, return_index=True, return_inverse=True)
        edge_nodes.append(node_count + of_row[edge_first])
        edge_options.append(option[edge_first])
        paths[rows, step] = edge_count + path
        index += batch * wide
        node_count += len(found)
        edge_count += len(edges)

        # Take the actions, and make every edge that goes on a node of the next level.
        for child in range(pushed.shape[2]):
            stacks[rows, height[rows] + child] = pushed[state, option, child]
        height[rows] += arity[state, option] - 1
        going = np.zeros_like(going)
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
            levels.append(TrieLevel(above.reshape(-1), taken))
    if (open_ := present & (height >= 0)).any():
        _refuse(programs, int(np.argmax(open_)), steps, "is missing: the program is not complete")
    columns = (np.concatenate(nodes), np.concatenate(states), np.concatenate(edge_nodes), np.concatenate(edge_options))
    return Trie(levels, *columns, np.where(paths < 0, edge_count, paths).reshape(programs.shape))


def _refuse(programs: Integers, row: int, step: int, why: str) -> None:
    utterance, program = divmod(row, programs.shape[1])
    raise ChoraleError(f"utterance {utterance + 1} of the batch, program {program + 1}: action {step + 1} {why}")
