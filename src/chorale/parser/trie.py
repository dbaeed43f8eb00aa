"""Given programs as tries: what they have in common at their beginning is computed once.

The programs of an utterance share prefixes; a prefix that continues is a *node*, and every action taken from a node is
an *edge*. The nodes of all utterances of a batch are laid out level by level, so that a decoder walks through them in
as many steps as the longest program has actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.parser.tables import GrammarTables

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


def grow(programs: Integers, tables: GrammarTables) -> Trie:
    """The tries of programs (batch, program, step), padded with -1; an error if one of them is not legal."""
    growing, steps = _Growing(programs, tables), programs.shape[2]
    for step in range(steps):
        if len(rows := np.flatnonzero(growing.going[:, step])):
            growing.take(rows, step)
    if (left := growing.going[:, 0] & (growing.height >= 0)).any():
        growing.refuse(left, steps, "is missing: the program is not complete")
    return Trie(
        growing.levels,
        _joined(growing.nodes),
        _joined(growing.states),
        _joined(growing.edge_nodes),
        _joined(growing.edge_options),
        np.where(growing.paths < 0, growing.edges, growing.paths).reshape(programs.shape),
    )


class _Growing:
    """All programs of a batch, walked through action by action. A row stands for a program, with a stack of its own."""

    def __init__(self, programs: Integers, tables: GrammarTables) -> None:
        self.batch, self.width, steps = programs.shape
        self.actions = programs.reshape(self.batch * self.width, steps)
        ended = np.full((len(self.actions), 1), False)
        self.going = np.hstack([np.logical_and.accumulate(self.actions >= 0, axis=1), ended])  # (row, step + 1)
        self.utterances = np.repeat(np.arange(self.batch), self.width)
        self.pushed, self.arity = tables.pushed.numpy(force=True), tables.arity.numpy(force=True)
        self.slots = tables.slots
        self.stacks = np.zeros((len(self.actions), steps + self.pushed.shape[2] + 1), dtype=np.int64)
        self.stacks[:, 0] = np.broadcast_to(tables.roots.numpy(force=True), (self.batch,))[self.utterances]
        self.height = np.zeros(len(self.actions), dtype=np.int64)  # index of the top; -1 once the program is complete
        self.node = np.zeros(len(self.actions), dtype=np.int64)  # of each row, within its utterance
        self.paths = np.full(self.actions.shape, -1, dtype=np.int64)
        self.levels = [TrieLevel(1, np.zeros(self.batch, dtype=np.int64), np.full((self.batch, 1), -1, dtype=np.int64))]
        self.nodes: list[Integers] = []
        self.states: list[Integers] = []
        self.edge_nodes: list[Integers] = []
        self.edge_options: list[Integers] = []
        self.edges = 0
        self._nodes, self._places = 0, 0  # how many are numbered; padding has places, but is not a node

    def take(self, rows: Integers, step: int) -> None:
        """Take an action of each of these rows: number nodes and edges, and lay out the next level."""
        here, state = self.actions[rows, step], self.stacks[rows, self.height[rows]]
        option = self._options(rows, here, state, step)
        # Nodes are numbered as np.unique finds them, which is by utterance.
        places = self.utterances[rows] * self.levels[-1].width + self.node[rows]
        nodes, first, of_row = np.unique(places, return_index=True, return_inverse=True)
        edges, chosen, path = np.unique(of_row * self.slots.shape[1] + here, return_index=True, return_inverse=True)
        self.nodes.append(self._places + nodes)
        self.states.append(state[first])
        self.edge_nodes.append(self._nodes + of_row[chosen])
        self.edge_options.append(option[chosen])
        self.paths[rows, step] = self.edges + path
        self._places += self.batch * self.levels[-1].width
        self._nodes, self.edges = self._nodes + len(nodes), self.edges + len(edges)
        self._push(rows, state, option, step)
        goes_on = self.going[rows[chosen], step + 1]
        self.node[rows] = self._next_level(rows[chosen], goes_on, nodes[of_row[chosen]], here[chosen])[path]

    def _options(self, rows: Integers, here: Integers, state: Integers, step: int) -> Integers:
        """Which option of its state each action is."""
        known = here < self.slots.shape[1]
        option: Integers = np.where(known, self.slots[state, np.where(known, here, 0)], -1)
        if (option < 0).any():
            self.refuse(np.isin(np.arange(len(self.actions)), rows[option < 0]), step, "is not legal there")
        return option

    def _push(self, rows: Integers, state: Integers, option: Integers, step: int) -> None:
        """Put what the actions ask for in place of the tops of the stacks."""
        for child in range(self.pushed.shape[2]):
            self.stacks[rows, self.height[rows] + child] = self.pushed[state, option, child]
        self.height[rows] += self.arity[state, option] - 1
        if (wrong := self.going[:, step + 1] & (self.height < 0)).any():
            self.refuse(wrong, step + 1, "comes after the end of the program")

    def _next_level(self, rows: Integers, goes_on: NDArray[np.bool_], parents: Integers, actions: Integers) -> Integers:
        """Make every edge that continues a node, given a row of each. Returns each one's number in its utterance."""
        owner = self.utterances[rows][goes_on]
        number = np.arange(len(owner)) - np.searchsorted(owner, owner)
        within = np.zeros(len(rows), dtype=np.int64)
        within[goes_on] = number
        if wide := int(number.max(initial=-1)) + 1:
            above, taken = np.zeros((2, self.batch, wide), dtype=np.int64)
            above[owner, number], taken[owner, number] = parents[goes_on], actions[goes_on]
            self.levels.append(TrieLevel(wide, above.reshape(-1), taken))
        return within

    def refuse(self, wrong: NDArray[np.bool_], step: int, why: str) -> None:
        """Name the first program that is wrong."""
        utterance, program = divmod(int(np.argmax(wrong)), self.width)
        raise ChoraleError(f"utterance {utterance + 1} of the batch, program {program + 1}: action {step + 1} {why}")


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
