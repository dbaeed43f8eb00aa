"""States: those of a grammar, with states that expand alike merged, ready for bottom-up enumeration.

A search is often allowed few terminals. What nothing can come of without the others is left out before it begins.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from chorale.language.grammar import UNREACHABLE, Grammar, Kind
from chorale.language.types import Function

Expansion = tuple[int, tuple[int, ...]]  # a production, and the (merged) states of its children


@dataclass(frozen=True)
class States:
    """What can become what; state 0 is the root."""

    terminals: list[list[int]]
    """For each state the functions and constants that it may be."""
    expansions: list[list[Expansion]]
    """For each state its other productions."""
    outside: list[int]
    """For each state the least number of actions that a whole program has around it."""
    is_function: list[bool]
    """For each state whether its entries are functions."""
    width: int
    """The most children that a production has."""


@lru_cache(maxsize=16)  # each table of a domain of tables brings a grammar
def merged_states(grammar: Grammar) -> States:
    """Partition refinement: states are alike if their productions lead to states that are alike."""
    block = [0] * len(grammar.states)
    while True:
        seen: dict[Any, int] = {}
        refined = []
        for expansions in grammar.children:
            look = tuple((number, tuple(block[child] for child in after)) for number, after in expansions.items())
            refined.append(seen.setdefault(look, len(seen)))
        if len(set(refined)) == len(set(block)):
            break
        block = refined
    order = {old: new for new, old in enumerate(dict.fromkeys(block))}
    alike = {order[block[state]]: state for state in range(len(block))}.values()  # one state of each block
    merged = [
        [(number, tuple(order[block[child]] for child in after)) for number, after in grammar.children[state].items()]
        for state in alike
    ]
    is_terminal = [production.kind is Kind.TERMINAL for production in grammar.productions]
    return States(
        terminals=[[number for number, _ in expansions if is_terminal[number]] for expansions in merged],
        expansions=[[pair for pair in expansions if not is_terminal[pair[0]]] for expansions in merged],
        outside=_outside(merged, [int(grammar.shortest[state]) for state in alike]),
        is_function=[isinstance(grammar.states[state].type, Function) for state in alike],
        width=max(len(production.right) for production in grammar.productions),
    )


def narrowed_states(grammar: Grammar, allowed: Collection[str]) -> States:
    """The merged states with these terminals alone; the others keep their numbers and become nothing."""
    states = merged_states(grammar)
    productions = grammar.productions
    terminals = [[number for number in own if productions[number].name in allowed] for own in states.terminals]
    shortest = [1 if own else UNREACHABLE for own in terminals]
    before: list[int] = []
    while before != shortest:
        before = list(shortest)
        for state, own in enumerate(states.expansions):
            lengths = [1 + sum([shortest[child] for child in after]) for _, after in own]
            shortest[state] = min([shortest[state], *lengths])
    expansions = [
        [(number, after) for number, after in own if all(shortest[child] < UNREACHABLE for child in after)]
        for own in states.expansions
    ]
    return replace(states, terminals=terminals, expansions=expansions, outside=_outside(expansions, shortest))


def _outside(merged: list[list[Expansion]], shortest: list[int]) -> list[int]:
    outside = [0] + [UNREACHABLE] * (len(merged) - 1)
    waiting = [0]
    while waiting:
        state = waiting.pop()
        for _, after in merged[state]:
            whole = outside[state] + 1 + sum(shortest[child] for child in after)
            for child in after:
                if whole - shortest[child] < outside[child]:
                    outside[child] = whole - shortest[child]
                    waiting.append(child)
    return outside
