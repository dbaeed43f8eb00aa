"""All short programs of a grammar, one after another: the slow twin of every search."""

from __future__ import annotations

from collections.abc import Iterator

from chorale.language import Grammar


def enumerated(grammar: Grammar, max_actions: int) -> Iterator[tuple[int, ...]]:
    """Every action sequence of at most `max_actions`, one per program, in depth-first order."""
    stack: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [((), (0,), int(grammar.shortest[0]))]
    while stack:
        actions, waiting, needed = stack.pop()
        if not waiting:
            yield actions
            continue
        state, rest = waiting[0], waiting[1:]
        for number, after in grammar.children[state].items():
            then = needed - int(grammar.shortest[state]) + sum(int(grammar.shortest[child]) for child in after)
            if len(actions) + 1 + then <= max_actions:
                stack.append(((*actions, number), (*after, *rest), then))
