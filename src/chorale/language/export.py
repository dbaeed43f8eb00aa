"""The grammar for others: as a table for people, as JSON for machines, as a Lark grammar for language models.

The Lark grammar describes the canonical *text* of whole programs, character by character, so a model that is
constrained to it writes well-typed programs and nothing else. Text and derivation differ in shape: the composed head
`(f.g)(x)` is written `f(g(x))`, and `f(k)` applied to `x` is `f(k, x)`. So there are two kinds of rules: the text of a
state by itself, and the text of a function state called with given arguments.
"""

from __future__ import annotations

import json
import re
from typing import Any

from chorale.language.grammar import Grammar, Kind
from chorale.language.terms import quoted


def as_table(grammar: Grammar) -> str:
    """The productions in two columns, id and production, one a line."""
    width = max(len("id"), len(str(len(grammar) - 1)))
    lines = [f"{'id':>{width}}  production"]
    return "\n".join([*lines, *(f"{number:>{width}}  {made}" for number, made in enumerate(grammar.productions))])


def as_json(grammar: Grammar) -> dict[str, Any]:
    """The grammar as plain data: productions, states, and the legal expansions of each state with its children."""
    return {
        "name": grammar.name,
        "fingerprint": grammar.fingerprint,
        "root": str(grammar.root),
        "productions": [
            {
                "id": number,
                "left": str(made.left),
                "kind": made.kind.name.lower(),
                "right": list(map(str, made.right)),
                "name": made.name,
                "text": str(made),
            }
            for number, made in enumerate(grammar.productions)
        ],
        "states": [
            {
                "id": index,
                "text": str(state),
                "type": str(state.type),
                "shortest": int(grammar.shortest[index]),
                "expansions": {str(number): list(after) for number, after in grammar.children[index].items()},
            }
            for index, state in enumerate(grammar.states)
        ],
    }


def as_lark(grammar: Grammar) -> str:
    """A Lark grammar that accepts the canonical texts of the programs, of any length, and nothing else."""
    rules = _Rules(grammar)
    start = rules.text(0)
    named, bodies = _merged(rules.bodies)
    lines = [f"// The programs of {grammar.name} ({grammar.fingerprint}) in their canonical text.", ""]
    lines.append(f"start: {named[start]}")
    lines += [f"{name}: {body}" for name, body in bodies.items()]
    return "\n".join(lines) + "\n"


_Body = list[list[str]]  # alternatives, each a sequence of rules and of quoted texts


class _Rules:
    """Rules on demand: asking for one by its meaning gives its name, and writes it on the first occasion."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.bodies: dict[str, _Body] = {}
        self._known: dict[tuple[object, ...], str] = {}

    def text(self, state: int, arguments: tuple[str, ...] = ()) -> str:
        """What stands in `state`: by itself, or as a function that is called with arguments, which are rules."""
        name, is_new = self._rule("call" if arguments else "text", state, arguments)
        if is_new:
            called = _brackets(arguments)
            if names := self._names(state):
                self.bodies[name].append([names, *called])
            for kind, (first, *rest) in self._structure(state):
                if kind is Kind.COMPOSE and arguments:
                    body = [self.text(first, (self.text(rest[0], arguments),))]
                elif kind is Kind.COMPOSE:
                    body = [self.text(first), *_brackets((self.text(rest[0]),))]
                elif kind is Kind.CURRY:
                    body = [self.text(first, (*map(self.text, rest), *arguments))]
                else:
                    body = [self.text(first, tuple(map(self.text, rest))), *called]
                self.bodies[name].append(body)
        return name

    def _rule(self, what: str, state: int, *details: object) -> tuple[str, bool]:
        """The name of a rule, and whether it is new. The type is in it for the reader, the number makes it unique."""
        meaning = (what, state, details) if what != "names" else (what, details)
        if meaning in self._known:
            return self._known[meaning], False
        words = "_".join(re.findall(r"[a-z0-9]+", str(self.grammar.states[state].type).lower()))
        name = self._known[meaning] = f"{what}_{words}_{len(self._known)}"
        self.bodies[name] = []
        return name, True

    def _names(self, state: int) -> str:
        """The functions or constants that may stand in `state`."""
        productions = [self.grammar.productions[number] for number in self.grammar.children[state]]
        names = tuple(made.name for made in productions if made.kind is Kind.TERMINAL)
        if not names:
            return ""
        rule, is_new = self._rule("names", state, names)
        if is_new:
            self.bodies[rule] = [[json.dumps(quoted(name), ensure_ascii=False)] for name in names]
        return rule

    def _structure(self, state: int) -> list[tuple[Kind, tuple[int, ...]]]:
        expansions = self.grammar.children[state].items()
        return [(self.grammar.productions[number].kind, after) for number, after in expansions if after]


def _brackets(arguments: tuple[str, ...]) -> list[str]:
    inside = [part for argument in arguments for part in ('", "', argument)][1:]
    return ['"("', *inside, '")"'] if inside else []


def _merged(bodies: dict[str, _Body]) -> tuple[dict[str, str], dict[str, str]]:
    """One rule for all rules that say the same; which keeps the grammar small and free of needless conflicts.

    Returns the rule that stands for each rule, and the text of those that are left.
    """
    stands_for = {name: name for name in bodies}
    while True:
        texts = {
            name: " | ".join(" ".join(stands_for.get(part, part) for part in alternative) for alternative in body)
            for name, body in bodies.items()
        }
        first: dict[str, str] = {}
        merged = {name: first.setdefault(text, name) for name, text in texts.items()}
        if merged == stands_for:
            return stands_for, {name: texts[name] for name in first.values()}
        stands_for = merged
