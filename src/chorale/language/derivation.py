"""Terms and actions: the way a grammar builds a term, and back.

An action sequence is the pre-order walk of the derivation tree. Each term has at most one derivation (see `grammar`);
a term that has none, such as a set of objects where the language only has predicates, is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from chorale.errors import ChoraleError, nearest
from chorale.language.grammar import Grammar, Kind, Production
from chorale.language.terms import Apply, Compose, Term, applied, calls, chained, composed, named, written
from chorale.language.types import Function

MAX_ACTIONS = 2_000


class DerivationError(ChoraleError):
    """The grammar does not build this term, or these actions are no program."""


def actions_of(term: Term, grammar: Grammar) -> tuple[int, ...]:
    """The ids of the actions that build a whole program."""
    if term.type != grammar.root:
        raise DerivationError(f"a whole program has type {grammar.root}, but {written(term)} has type {term.type}")
    return derived(term, grammar)


def derived(term: Term, grammar: Grammar) -> tuple[int, ...]:
    """The ids of the actions that build a whole program or a part of one."""
    actions: list[int] = []
    waiting = [term]
    while waiting:
        part = waiting.pop()
        kind, below = _step(part, grammar)
        name = part.name if kind is Kind.TERMINAL and isinstance(part, Apply) else ""
        production = Production(kind, part.type, tuple(it.type for it in below), name)
        if (text := str(production)) not in grammar.ids:
            raise DerivationError(f"{written(part)} cannot be built: the grammar has no production {production}")
        actions.append(grammar.ids[text])
        waiting.extend(reversed(below))
    return tuple(actions)


def _step(term: Term, grammar: Grammar) -> tuple[Kind, Sequence[Term]]:
    """The kind of the first action that builds a term, and the terms it leaves to build."""
    if isinstance(term, Compose):
        return Kind.COMPOSE, (term.parts[0], chained(term.parts[1:]))
    if not term.arguments:
        return Kind.TERMINAL, ()
    head, given, is_partial = _last_call(term)
    if is_partial:
        if isinstance(term.type, Function) and not term.type.is_unary:
            raise DerivationError(f"{written(term)} leaves {len(term.type.arguments)} arguments open; only one may be")
        return Kind.CURRY, (head, *given)
    # Indirect functions at the front of the last argument belong to the composition in front of them.
    chain, inner = [_without(term, 1)], given[-1]
    while isinstance(inner, Apply) and inner.arguments:
        function, last, is_partial = _last_call(inner)
        if is_partial or function.type not in grammar.indirect:
            break
        chain.append(_without(inner, 1))
        inner = last[-1]
    if len(chain) == 1 and head.type in grammar.applicable:
        return Kind.APPLY, (head, *given)
    return Kind.APPLY, (chained(chain), inner)


def _last_call(term: Apply) -> tuple[Apply, tuple[Term, ...], bool]:
    """What is called last, with which arguments, and whether it still lacks some."""
    given = calls(term)[-1]
    head = _without(term, len(given))
    return head, given, isinstance(head.type, Function) and len(given) < len(head.type.arguments)


def _without(term: Apply, count: int) -> Apply:
    """The term before its last `count` arguments were given."""
    head = reduce(applied, (named(term.name, term.declared), *term.arguments[:-count]))
    assert isinstance(head, Apply)
    return head


def term_of(actions: Sequence[str | int], grammar: Grammar) -> Term:
    """The program that a sequence of actions, as texts or ids, builds; raises `DerivationError` if they build none."""
    ids = []
    for step, action in enumerate(actions, 1):
        if isinstance(action, str) and action not in grammar.ids:
            close = nearest(action, grammar.ids)
            hint = f"; did you mean {close!r}?" if close else ""
            raise DerivationError(f"action {step}: there is no production {action!r}{hint}")
        ids.append(grammar.ids[action] if isinstance(action, str) else int(action))
    if len(ids) > MAX_ACTIONS:
        raise DerivationError(f"{len(ids)} actions; a program has at most {MAX_ACTIONS}")
    waiting = [0]
    for step, number in enumerate(ids, 1):
        if not 0 <= number < len(grammar):
            raise DerivationError(f"action {step}: there is no production {number}")
        if not waiting:
            raise DerivationError(f"action {step} ({grammar.productions[number]}): the program is already complete")
        state = waiting.pop()
        if number not in grammar.children[state]:
            raise DerivationError(
                f"action {step} ({grammar.productions[number]}) is not legal here: expected to expand "
                f"{grammar.states[state]}"
            )
        waiting.extend(reversed(grammar.children[state][number]))
    if waiting:
        raise DerivationError(f"the program is not complete: {grammar.states[waiting[-1]]} is still to be expanded")
    return folded(ids, grammar)


def folded(actions: Sequence[int], grammar: Grammar) -> Term:
    """The term behind legal actions, of a whole program or a part; folded from the leaves, so long ones are safe."""
    built: list[Term] = []  # arguments of actions further left, the next one last
    for number in reversed(actions):
        production = grammar.productions[number]
        if production.kind is Kind.TERMINAL:
            built.append(named(production.name, production.left))
            continue
        parts = [built.pop() for _ in production.right]
        built.append(reduce(composed if production.kind is Kind.COMPOSE else applied, parts))
    return built.pop()
