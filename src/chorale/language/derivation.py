"""Terms and actions: the way a grammar builds a term, and back.

An action sequence is the pre-order walk of the derivation tree. Each term has at most one derivation (see `grammar`);
a term that has none, such as a set of objects where the language only has predicates, is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from chorale.errors import ChoraleError, nearest
from chorale.language.grammar import Grammar, Kind, Production
from chorale.language.terms import Apply, Compose, Term, applied, calls, chained, composed, named, written
from chorale.language.types import Function, Type

MAX_ACTIONS = 2_000


@dataclass(frozen=True, slots=True)
class Node:
    """One action with the actions below it."""

    production: Production
    children: tuple[Node, ...] = ()


class DerivationError(ChoraleError):
    """The grammar does not build this term, or these actions are no program."""


def derive(term: Term, grammar: Grammar) -> Node:
    """The derivation tree of a term."""
    if isinstance(term, Compose):
        first, rest = term.parts[0], chained(term.parts[1:])
        return _node(grammar, Kind.COMPOSE, term.type, (first.type, rest.type), [first, rest], term)
    if not term.arguments:
        production = Production(Kind.TERMINAL, term.type, name=term.name)
        _check(production, grammar, term)
        return Node(production)
    if _is_partial(term):
        given = _last_call(term)
        head = _without(term, len(given))
        assert isinstance(term.type, Function)
        if not term.type.is_unary:
            raise DerivationError(f"{written(term)} leaves {len(term.type.arguments)} arguments open; only one may be")
        right = (head.type, *(argument.type for argument in given))
        return _node(grammar, Kind.CURRY, term.type, right, [head, *given], term)
    return _application(term, grammar)


def _application(term: Apply, grammar: Grammar) -> Node:
    """A function with all its arguments; indirect functions at the front of the last one move into the head."""
    given = _last_call(term)
    head, inner = _without(term, len(given)), given[-1]
    chain = [_without(term, 1)]
    while _is_indirect(inner, grammar):
        chain.append(_without(inner, 1))
        inner = inner.arguments[-1]
    if len(chain) == 1 and head.type in grammar.applicable:
        right = (head.type, *(argument.type for argument in given))
        return _node(grammar, Kind.APPLY, term.type, right, [head, *given], term)
    function = chained(chain)
    return _node(grammar, Kind.APPLY, term.type, (function.type, inner.type), [function, inner], term)


def _is_indirect(term: Term, grammar: Grammar) -> TypeGuard[Apply]:
    """Whether the term begins with a function that belongs to the composition in front of it."""
    if isinstance(term, Compose) or not term.arguments or _is_partial(term):
        return False
    return _without(term, len(_last_call(term))).type in grammar.indirect


def _is_partial(term: Apply) -> bool:
    """Whether the last call of the term still lacks arguments."""
    *before, last = calls(term)
    kind = term.declared
    for _ in before:
        assert isinstance(kind, Function)
        kind = kind.result
    assert isinstance(kind, Function)
    return len(last) < len(kind.arguments)


def _last_call(term: Apply) -> tuple[Term, ...]:
    return calls(term)[-1]


def _without(term: Apply, count: int) -> Apply:
    """The term before its last `count` arguments were given."""
    result = named(term.name, term.declared)
    for argument in term.arguments[: len(term.arguments) - count]:
        step = applied(result, argument)
        assert isinstance(step, Apply)
        result = step
    return result


def _node(grammar: Grammar, kind: Kind, left: Type, right: tuple[Type, ...], parts: Sequence[Term], term: Term) -> Node:
    production = Production(kind, left, right)
    _check(production, grammar, term)
    return Node(production, tuple(derive(part, grammar) for part in parts))


def _check(production: Production, grammar: Grammar, term: Term) -> None:
    if str(production) not in grammar.ids:
        raise DerivationError(f"{written(term)} cannot be built: the grammar has no production {production}")


def actions_of(term: Term, grammar: Grammar) -> tuple[int, ...]:
    """The ids of the actions that build a whole program."""
    if term.type != grammar.root:
        raise DerivationError(f"a whole program has type {grammar.root}, but {written(term)} has type {term.type}")
    actions: list[int] = []
    waiting = [derive(term, grammar)]
    while waiting:
        node = waiting.pop()
        actions.append(grammar.ids[str(node.production)])
        waiting.extend(reversed(node.children))
    return tuple(actions)


def term_of(actions: Sequence[int], grammar: Grammar) -> Term:
    """The program that a sequence of action ids builds."""
    _check_legal(actions, grammar)
    return folded(actions, grammar)


def folded(actions: Sequence[int], grammar: Grammar) -> Term:
    """The term behind legal actions, of a whole program or a part; folded from the leaves, so long ones are safe."""
    built: list[Term] = []  # arguments of actions further left, the next one last
    for number in reversed(actions):
        production = grammar.productions[number]
        if production.kind is Kind.TERMINAL:
            built.append(named(production.name, production.left))
            continue
        parts = [built.pop() for _ in production.right]
        term = parts[0]
        for part in parts[1:]:
            term = composed(term, part) if production.kind is Kind.COMPOSE else applied(term, part)
        built.append(term)
    return built.pop()


def _check_legal(actions: Sequence[int], grammar: Grammar) -> None:
    if len(actions) > MAX_ACTIONS:
        raise DerivationError(f"{len(actions)} actions; a program has at most {MAX_ACTIONS}")
    waiting = [0]
    for step, number in enumerate(actions, 1):
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


def ids_of(actions: Sequence[str | int], grammar: Grammar) -> list[int]:
    """Action ids from ids or texts."""
    ids = []
    for step, action in enumerate(actions, 1):
        if isinstance(action, str) and action not in grammar.ids:
            close = nearest(action, grammar.ids)
            hint = f"; did you mean {close!r}?" if close else ""
            raise DerivationError(f"action {step}: there is no production {action!r}{hint}")
        ids.append(grammar.ids[action] if isinstance(action, str) else int(action))
    return ids
